calls = []
broken = [True]

def write(d, n):
    rows = sorted(r.a for r in d.collect())
    calls.append((n, rows))
    if broken[0] and 2 in rows:
        raise ValueError("two is not wanted")

def name_error(d, n):
    undefined_name

def run(f):
    q = None
    try:
        q = (spark.readStream.schema("a INT").json("in/").writeStream.foreachBatch(f)
             .option("checkpointLocation", "ckpt/").trigger(availableNow=True).start())
        q.awaitTermination()
    except Exception as e:
        show("error", e)
    show("active", q.isActive)
    show("exception", q.exception())
    show("status", q.status["message"].split("]")[0])
    show("checkpoint", ls("ckpt"))
    return [(p["batchId"], p["numInputRows"]) for p in q.recentProgress]

put("in/1.json", '{"a":1}\n')
show("good", run(write))
put("in/2.json", '{"a":2}\n')
show("bad", run(write))
show("bad again", run(name_error))
broken[0] = False
put("in/3.json", '{"a":3}\n')
show("mended", run(write))
show("calls", calls)
