def tried(f):
    try:
        return f()
    except Exception as e:
        return e

put("in/a.json", '{"a":1}\n')
texts = ["id INTT", "id", "id INT,", "id INT user STRING", "", " ", "1d INT", "id INT; user STRING", "a-b INT", "a DECIMAL(40,2)",
         "a ARRAY<INT", "a MAP<INT>", "a STRUCT<b: INT>", "a INT NOT NULL, b STRING COMMENT 'x'", "`a b` INT", "a VARCHAR", "INT"]
for t in texts:
    show("stream: " + t, tried(lambda: spark.readStream.schema(t).json("in/").schema.simpleString()))
for t in ["id INTT", "a INT, a STRING", "a INT, A STRING"]:
    show("batch: " + t, tried(lambda: spark.read.schema(t).json("in/").schema.simpleString()))
show("not a text", tried(lambda: spark.readStream.schema(1)))
show("createDataFrame", tried(lambda: spark.createDataFrame([(1,)], "a INTT")))
show("cast", tried(lambda: spark.range(1).select(F.col("id").cast("intt"))))
show("cast in SQL", tried(lambda: spark.sql("SELECT CAST(1 AS intt)")))
show("expression", tried(lambda: spark.range(1).filter("id >")))
