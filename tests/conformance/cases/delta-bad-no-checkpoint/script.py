def tried(f):
    try:
        return f()
    except Exception as e:
        return e

put("in/a.json", '{"a":1}\n')
s = spark.readStream.schema("a INT").json("in/")
w = lambda: s.writeStream.format("delta").trigger(availableNow=True)
show("start", tried(lambda: w().start("out/")))
show("toTable", tried(lambda: w().toTable("t")))
show("no path", tried(lambda: w().option("checkpointLocation", "ckpt/").start()))
show("table made", spark.catalog.tableExists("t"))
show("files", ls("."))
