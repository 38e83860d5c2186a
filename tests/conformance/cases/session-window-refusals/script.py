def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

put("in/a.json", '{"k":"a","x":1,"ts":"2024-01-01 10:00:00"}\n')
read = lambda: spark.readStream.schema("k STRING, x INT, ts TIMESTAMP").json("in")
s = read().withWatermark("ts", "10 minutes")
w = F.session_window("ts", "5 minutes")

def run(d, mode):
    q = d.writeStream.format("noop").outputMode(mode).trigger(availableNow=True).start()
    q.awaitTermination()
    return numbers(q)

show("update", tried(lambda: run(s.groupBy("k", w).count(), "update")))
show("append without watermark", tried(lambda: run(read().groupBy("k", w).count(), "append")))
show("complete without watermark", tried(lambda: run(read().groupBy("k", w).count(), "complete")))
show("no other key", tried(lambda: run(s.groupBy(w).count(), "append")))
show("no other key, complete", tried(lambda: run(s.groupBy(w).count(), "complete")))
show("distinct", tried(lambda: run(s.groupBy("k", w).agg(F.countDistinct("x")), "append")))
show("gap of a number", tried(lambda: s.groupBy(F.session_window("ts", F.lit(5)), "k").count()))
show("gap of python", tried(lambda: F.session_window("ts", 5)))
show("no gap", tried(lambda: F.session_window("ts", None)))
show("time of a number", tried(lambda: s.groupBy(F.session_window("x", "5 minutes"), "k").count()))
show("two windows", tried(lambda: s.groupBy(w, F.window("ts", "5 minutes"), "k").count()))
show("twice the same", tried(lambda: s.groupBy(w, w.alias("again"), "k").count().columns))
show("no interval", tried(lambda: run(s.groupBy(F.session_window("ts", "soon"), "k").count(), "append")))
show("aggregate above", tried(lambda: run(
    s.groupBy(w, "k").count().groupBy(F.window(F.window_time("session_window"), "1 hour")).count(), "append")))
