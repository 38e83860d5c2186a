def run():
    try:
        q = (spark.readStream.schema("a INT").option("mode", "FAILFAST").json("in/")
             .writeStream.format("delta").option("checkpointLocation", "ckpt/").trigger(availableNow=True).start("out/"))
        q.awaitTermination()
        return [(p["batchId"], p["numInputRows"]) for p in q.recentProgress]
    except Exception as e:
        return e

put("in/a.json", '{"a":1}\n{"a":\n')
show("bad", run())
show("checkpoint", ls("ckpt"))
show("logs", [n for n in ls("out") if n.endswith(".json")])
put("in/a.json", '{"a":1}\n{"a":2}\n')
show("mended", run())
show("checkpoint at the end", ls("ckpt"))
show("log", log("out"))
show("rows", spark.read.format("delta").load("out/"))
