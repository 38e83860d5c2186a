import os
def tried(f):
    try:
        return f()
    except Exception as e:
        return e

os.makedirs("empty")
put("in/a.json", '{"a":1}\n')

show("json", tried(lambda: spark.readStream.json("in/")))
show("format json", tried(lambda: spark.readStream.format("json").option("mode", "FAILFAST").load("in/")))
show("csv", tried(lambda: spark.readStream.csv("in/")))
show("parquet", tried(lambda: spark.readStream.parquet("in/")))
show("no path", tried(lambda: spark.readStream.schema("a INT").format("json").load()))
show("text", tried(lambda: spark.readStream.text("in/").columns))
spark.conf.set("spark.sql.streaming.schemaInference", "true")
show("empty folder", tried(lambda: spark.readStream.json("empty/")))
show("inferred", tried(lambda: spark.readStream.json("in/").columns))
show("files", ls("."))
