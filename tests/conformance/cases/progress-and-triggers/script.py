def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], p["numInputRows"], p["eventTime"].get("watermark") if p["eventTime"] else None,
             [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

import json
def ev(name, *rows):
    put(f"in/{name}.json", "".join('{"k":"%s","v":%s,"ts":%s}\n' % r for r in rows))
def T(t):
    return '"2024-03-01 %s"' % t
R = lambda: spark.readStream.schema("k STRING, v INT, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json("in")
W = lambda: R().withWatermark("ts", "5 minutes")
count = lambda: W().groupBy(F.window("ts", "10 minutes"), "k").agg(F.sum("v").alias("s"))
ev("1", ("a", 1, T("10:01:00")), ("b", 2, T("10:02:00")), ("a", 3, "null"))
ev("2", ("a", 4, T("10:13:00")), ("c", 5, T("10:14:30.123456")))
ev("3", ("a", 1, T("10:30:00")), ("a", 2, T("10:02:00")), ("a", 3, T("10:03:00")), ("b", 4, T("10:04:00")), ("b", 9, T("10:15:00")))
ev("4", ("a", 1, T("10:04:00")), ("b", 1, T("10:05:00")), ("b", 1, T("10:06:00")), ("c", 7, T("10:26:00")))
q = count().writeStream.format("memory").queryName("counts").outputMode("append").trigger(availableNow=True).start()
show("await", q.awaitTermination(60))
show("rows", spark.table("counts"))
show("event times", [dict(p["eventTime"]) for p in q.recentProgress])
show("numbers", numbers(q))
p = q.lastProgress
show("keys", sorted(json.loads(p.json).keys()))
show("state keys", sorted(json.loads(p.json)["stateOperators"][0].keys()))
show("custom keys", sorted(p.stateOperators[0].customMetrics))
show("partitions", [p.stateOperators[0].numShufflePartitions, p.stateOperators[0].numStateStoreInstances])
show("durations", sorted(p["durationMs"]))
show("sources", [len(p.sources), p.sources[0].description, sorted(json.loads(p.sources[0].json).keys())])
show("offsets", [(x["sources"][0]["startOffset"], x["sources"][0]["endOffset"]) for x in q.recentProgress])
show("sink", [p.sink.description, [x["sink"]["numOutputRows"] for x in q.recentProgress]])
show("name", [q.name, p.name, q.isActive, p["name"], q.exception()])
show("status", q.status)
show("attributes", [p.batchId, p.numInputRows, p.eventTime, p.stateOperators[0].numRowsTotal, p.stateOperators[0].operatorName])
show("types", [type(p).__name__, type(q.recentProgress).__name__])
show("stop", [q.stop(), q.awaitTermination(), q.processAllAvailable()])
show("bad wait", tried(lambda: q.awaitTermination(-1)))
show("bad wait text", tried(lambda: q.awaitTermination("soon")))

q = count().writeStream.format("memory").queryName("live").outputMode("update").start()
q.processAllAvailable()
show("live", spark.table("live"))
show("live active", [q.isActive, q.name, [x.name for x in spark.streams.active], spark.streams.get(q.id).name])
ev("5", ("z", 1, T("12:00:00")))
q.processAllAvailable()
show("live later", spark.table("live"))
show("live numbers", numbers(q))
show("same name", tried(lambda: count().writeStream.format("memory").queryName("live").start()))
q.stop()
show("stopped", [q.isActive, q.status, spark.streams.active, q.exception()])
q.stop()

q = count().writeStream.format("memory").queryName("once").outputMode("complete").trigger(once=True).start()
q.awaitTermination()
show("once", spark.table("once"))
show("once numbers", numbers(q))
out = []
for i in range(3):
    q = (count().writeStream.foreachBatch(lambda d, n: out.append((n, sorted((r["k"], r["s"]) for r in d.collect())))).outputMode("append")
         .option("checkpointLocation", "ck_once").trigger(once=True).start())
    q.awaitTermination()
    show(f"once again {i}", numbers(q))
show("once again rows", out)
out = []
for i in range(3):
    q = (count().writeStream.foreachBatch(lambda d, n: out.append((n, sorted((r["k"], r["s"]) for r in d.collect())))).outputMode("update")
         .option("checkpointLocation", "ck_now").trigger(availableNow=True).start())
    q.awaitTermination()
    show(f"now again {i}", numbers(q))
    ev(f"6{i}", ("n%d" % i, i, T("13:%d0:00" % i)))
show("now again rows", out)
q = count().writeStream.format("memory").queryName("timed").outputMode("append").trigger(processingTime="1 second").start()
q.processAllAvailable()
show("timed", spark.table("timed"))
q.stop()
show("anything", tried(lambda: spark.streams.awaitAnyTermination(1)))
spark.streams.resetTerminated()
for text in ("0 seconds", "5 seconds", "1 month", "abc", "-1 second", ""):
    show("trigger " + text, tried(lambda: R().writeStream.trigger(processingTime=text).__class__.__name__))
show("trigger both", tried(lambda: R().writeStream.trigger(once=True, availableNow=True)))
show("trigger none", tried(lambda: R().writeStream.trigger()))
show("trigger false", tried(lambda: R().writeStream.trigger(availableNow=False)))
spark.conf.set("spark.sql.streaming.noDataMicroBatches.enabled", "false")
q = count().writeStream.format("memory").queryName("quiet").outputMode("append").trigger(availableNow=True).start()
q.awaitTermination()
show("quiet", spark.table("quiet"))
show("quiet numbers", numbers(q))
spark.conf.set("spark.sql.streaming.noDataMicroBatches.enabled", "true")
def bad(d, n):
    d.count()
    if n == 1:
        raise ValueError("no luck")
q = count().writeStream.foreachBatch(bad).option("checkpointLocation", "ck_bad").trigger(availableNow=True).start()
show("failed", tried(q.awaitTermination))
show("failed again", tried(q.awaitTermination))
show("failed state", [q.isActive, q.status["message"].startswith("Terminated with exception"), type(q.exception()).__name__, len(q.recentProgress)])
show("failed all", tried(q.processAllAvailable))
show("folders", ls("ck_bad"))
q = count().writeStream.foreachBatch(lambda d, n: d.count()).option("checkpointLocation", "ck_bad").trigger(availableNow=True).start()
q.awaitTermination()
show("went on", numbers(q))
