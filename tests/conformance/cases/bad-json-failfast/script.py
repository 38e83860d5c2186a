put("in/a.json", '{"a":1}\n')
def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def run():
    q = (spark.readStream.schema("a INT").option("mode", "FAILFAST").json("in/")
         .writeStream.foreachBatch(lambda d, n: show("batch " + str(n), d.collect()))
         .option("checkpointLocation", "ckpt/").trigger(availableNow=True).start())
    q.awaitTermination()
    return [(p["batchId"], p["numInputRows"]) for p in q.recentProgress]

r = spark.read.schema("a INT").option("mode", "FAILFAST")
show("good", tried(run))
put("in/b.json", '{"a":2}\n{"a":\n')
show("bad", tried(run))
show("checkpoint", ls("ckpt"))
show("bad again", tried(run))
show("noop", tried(lambda: spark.readStream.schema("a INT").option("mode", "FAILFAST").json("in/").writeStream.format("noop")
                   .option("checkpointLocation", "ckpt2/").trigger(availableNow=True).start().awaitTermination()))
show("checkpoint of noop", ls("ckpt2"))
show("batch, cut short", tried(lambda: r.json("in/").collect()))
put("in2/b.json", '{"a":"x"}\n')
show("batch, wrong type", tried(lambda: r.json("in2/").collect()))
put("in/b.json", '{"a":2}\n{"a":3}\n')
show("mended", tried(run))
show("checkpoint at the end", ls("ckpt"))
