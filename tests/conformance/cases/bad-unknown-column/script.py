def tried(f):
    try:
        return f()
    except Exception as e:
        return e

put("in/a.json", '{"id":1,"user":"a","amt":5.0}\n')
sch = "id INT, user STRING, amt DOUBLE"
for kind, d in [("batch", spark.read.schema(sch).json("in/")), ("stream", spark.readStream.schema(sch).json("in/"))]:
    show(kind + " select", tried(lambda: d.select("usr")))
    show(kind + " select of col", tried(lambda: d.select(F.col("id"), F.col("amount") + 1)))
    show(kind + " brackets", tried(lambda: d["usr"]))
    show(kind + " dot", tried(lambda: d.usr))
    show(kind + " filter", tried(lambda: d.filter(F.col("usr") == "a")))
    show(kind + " filter text", tried(lambda: d.filter("amount > 1 and id = 1")))
    show(kind + " selectExpr", tried(lambda: d.selectExpr("id", "upper(usr)")))
    show(kind + " withColumn", tried(lambda: d.withColumn("x", F.expr("amount * 2"))))
    show(kind + " groupBy", tried(lambda: d.groupBy("usr").count()))
    show(kind + " agg", tried(lambda: d.groupBy("user").agg(F.sum("amount"))))
    show(kind + " drop", tried(lambda: d.drop("usr").columns))
    show(kind + " field of no struct", tried(lambda: d.select("user.name")))
show("order", tried(lambda: spark.range(2).orderBy("usr")))
spark.range(2).createOrReplaceTempView("v")
show("sql", tried(lambda: spark.sql("SELECT usr FROM v")))
show("no view", tried(lambda: spark.sql("SELECT 1 FROM nowhere")))
show("no function", tried(lambda: spark.range(2).selectExpr("nofunction(id)")))
show("files", ls("."))
