import shutil
def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def run(s):
    q = s.writeStream.format("noop").option("checkpointLocation", "ckpt/").trigger(availableNow=True).start()
    q.awaitTermination()
    return [(p["batchId"], p["numInputRows"]) for p in q.recentProgress]

show("stream of json", tried(lambda: spark.readStream.schema("a INT").json("nowhere/")))
show("stream of text", tried(lambda: spark.readStream.text("no/where")))
show("batch of json", tried(lambda: spark.read.schema("a INT").json("nowhere/")))
show("batch of text", tried(lambda: spark.read.text("nowhere/a.txt")))
show("batch with a glob", tried(lambda: spark.read.schema("a INT").json("nowhere/*.json")))
show("stream with a glob", tried(lambda: spark.readStream.schema("a INT").json("nowhere/*").columns))
put("in/a.json", '{"a":1}\n')
s = spark.readStream.schema("a INT").json("in/")
shutil.rmtree("in")
show("gone after load", tried(lambda: run(s)))
show("checkpoint", ls("ckpt"))
put("in/b.json", '{"a":2}\n')
show("back again", tried(lambda: run(s)))
show("files", ls("."))
