def tried(f):
    try:
        return f()
    except Exception as e:
        return e

put("in/a.json", '{"a":1}\n')
s = spark.readStream.schema("a INT").json("in/")
b = spark.read.schema("a INT").json("in/")
show("write json", tried(lambda: s.write.json("out/")))
show("write save", tried(lambda: s.write.format("json").mode("append").save("out/")))
show("write noop", tried(lambda: s.write.format("noop").mode("append").save()))
show("write saveAsTable", tried(lambda: s.write.saveAsTable("t")))
show("writeStream", tried(lambda: b.writeStream))
show("writeStream start", tried(lambda: b.select("a").writeStream.format("noop").option("checkpointLocation", "ckpt/").start()))
show("queries", len(spark.streams.active))
show("files", ls("."))
