def tried(f):
    try:
        return f()
    except Exception as e:
        return e

put("in/a.json", '{"a":1}\n')
s = spark.readStream.schema("a INT").json("in/")
b = spark.read.schema("a INT").json("in/")
show("readStream", tried(lambda: spark.readStream.schema("a INT").format("jsom").load("in/")))
show("read", tried(lambda: spark.read.format("jsom").load("in/")))
show("writeStream", tried(lambda: s.writeStream.format("jsom").option("checkpointLocation", "ckpt/").start("out/")))
show("write", tried(lambda: b.write.format("jsom").save("out/")))
show("read console", tried(lambda: spark.readStream.format("console").load()))
show("read noop", tried(lambda: spark.readStream.format("noop").load()))
show("read memory", tried(lambda: spark.readStream.format("memory").load()))
show("write rate", tried(lambda: s.writeStream.format("rate").option("checkpointLocation", "ckpt/").start()))
show("read rate", tried(lambda: spark.read.format("rate").load()))
show("no format, no path", tried(lambda: s.writeStream.option("checkpointLocation", "ckpt/").start()))
show("queries", len(spark.streams.active))
show("files", ls("."))
