def tried(f):
    try:
        return f()
    except Exception as e:
        return e

seen = []

def start(name, where="in/", now=True):
    def note(d, n):
        seen.append((name, n, sorted(r.a for r in d.collect())))
    w = (spark.readStream.schema("a INT").json(where).writeStream.foreachBatch(note)
         .queryName(name).option("checkpointLocation", "ckpt/"))
    if now:
        w = w.trigger(availableNow=True)
    q = w.start()
    if now:
        q.awaitTermination()
    return q

put("in/1.json", '{"a":1}\n')
one = start("one")
put("in/2.json", '{"a":2}\n')
two = start("two")
show("one after the other", list(seen))
show("same id", one.id == two.id)
show("same run", one.runId == two.runId)

seen.clear()
three = start("three", now=False)
put("in/3.json", '{"a":3}\n')
three.processAllAvailable()
four = start("four", now=False)
show("three is active", three.isActive)
show("three failed", three.exception() is not None)
put("in/4.json", '{"a":4}\n')
four.processAllAvailable()
show("at once", list(seen))

spark.conf.set("spark.sql.streaming.stopActiveRunOnRestart", "false")
show("refused", tried(lambda: start("five", now=False)))
show("four is active", four.isActive)
show("same name", tried(lambda: spark.readStream.schema("a INT").json("in/").writeStream.format("noop").queryName("four").start()))
four.stop()
show("queries", len(spark.streams.active))
put("in2/5.json", '{"a":5}\n')
seen.clear()
show("another folder", tried(lambda: start("six", where="in2/").recentProgress[0]["numInputRows"]))
show("another folder, seen", list(seen))
show("checkpoint", ls("ckpt"))
