def tried(f):
    try:
        return f()
    except Exception as e:
        return e

put("in/a.json", '{"a":1}\n')
s = spark.readStream.schema("a INT").json("in/")
w = lambda d: d.writeStream.format("noop").option("checkpointLocation", "ckpt/").trigger(availableNow=True)
show("unknown", tried(lambda: s.writeStream.outputMode("appendd")))
show("blank", tried(lambda: s.writeStream.outputMode("")))
show("not a text", tried(lambda: s.writeStream.outputMode(1)))
show("unknown at start", tried(lambda: s.writeStream.format("noop").start(outputMode="sometimes")))
show("complete without aggregation", tried(lambda: w(s).outputMode("complete").start()))
show("append with aggregation", tried(lambda: w(s.groupBy("a").count()).start()))
show("order on append", tried(lambda: w(s.orderBy("a")).start()))
show("capitals", tried(lambda: w(s).outputMode("APPEND").start().awaitTermination()))
show("files", ls("."))
