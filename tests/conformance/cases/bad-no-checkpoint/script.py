def tried(f):
    try:
        return f()
    except Exception as e:
        return e

put("in/a.json", '{"a":1}\n')
s = spark.readStream.schema("a INT").json("in/")

def start(w):
    q = w.trigger(availableNow=True).start()
    q.awaitTermination()
    return [(p["batchId"], p["numInputRows"]) for p in q.recentProgress]

show("noop", tried(lambda: start(s.writeStream.format("noop"))))
show("foreachBatch", tried(lambda: start(s.writeStream.foreachBatch(lambda d, n: None))))
show("memory without a name", tried(lambda: start(s.writeStream.format("memory"))))
show("memory", tried(lambda: start(s.writeStream.format("memory").queryName("m"))))
show("files so far", ls("."))
spark.conf.set("spark.sql.streaming.checkpointLocation", "ckpts")
show("by the setting", tried(lambda: start(s.writeStream.format("noop").queryName("named"))))
show("files", ls("."))
