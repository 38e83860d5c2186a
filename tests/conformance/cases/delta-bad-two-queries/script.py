def run(out):
    q = (spark.readStream.schema("a INT").json("in/").writeStream.format("delta")
         .option("checkpointLocation", "ckpt/").trigger(availableNow=True).start(out))
    q.awaitTermination()
    return [(p["batchId"], p["numInputRows"]) for p in q.recentProgress]

put("in/1.json", '{"a":1}\n{"a":2}\n')
show("first", run("one/"))
show("second", run("two/"))
show("second, files", ls("two"))
put("in/2.json", '{"a":3}\n')
show("second again", run("two/"))
show("first again", run("one/"))
show("one", spark.read.format("delta").load("one/"))
show("two", spark.read.format("delta").load("two/"))
show("log of two", [(c["version"], c["txn"]["version"]) for c in log("two")])
show("same app", log("one")[0]["txn"]["appId"] == log("two")[0]["txn"]["appId"])
show("checkpoint", ls("ckpt"))
