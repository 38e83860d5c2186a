def tried(f):
    try:
        return f()
    except Exception as e:
        return e

put("in/a.json", '{"a":1}\n')
s = spark.readStream.schema("a INT").json("in/")
w = lambda d: d.writeStream.format("delta").option("checkpointLocation", "ckpt/").trigger(availableNow=True)
show("update", tried(lambda: w(s).outputMode("update").start("out/")))
show("complete without aggregation", tried(lambda: w(s).outputMode("complete").start("out/")))
show("append with aggregation", tried(lambda: w(s.groupBy("a").count()).start("out/")))
show("unknown", tried(lambda: w(s).outputMode("upsert").start("out/")))
show("files", ls("."))
