def run(how):
    try:
        q = (spark.readStream.schema("id INT, t STRING").json("in/").selectExpr("id", how)
             .writeStream.format("delta").option("checkpointLocation", "ckpt/").trigger(availableNow=True).start("out/"))
        q.awaitTermination()
        return [(p["batchId"], p["numInputRows"]) for p in q.recentProgress]
    except Exception as e:
        return e

def logs():
    return [n for n in ls("out") if n.endswith(".json")]

put("in/a.json", '{"id":1,"t":"10"}\n')
show("good", run("CAST(t AS INT) t"))
put("in/b.json", '{"id":2,"t":"20"}\n{"id":3,"t":"x"}\n')
show("bad", run("CAST(t AS INT) t"))
show("checkpoint", ls("ckpt"))
show("logs", logs())
show("rows", spark.read.format("delta").load("out/"))
show("bad again", run("CAST(t AS INT) t"))
show("checkpoint again", ls("ckpt"))
show("mended", run("try_cast(t AS INT) t"))
show("checkpoint at the end", ls("ckpt"))
show("log", log("out"))
show("rows at the end", spark.read.format("delta").load("out/"))
