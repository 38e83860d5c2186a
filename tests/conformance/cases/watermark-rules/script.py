def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

def ev(folder, name, *rows):
    put(f"{folder}/{name}.json", "".join('{"k":"%s","ts":%s}\n' % (k, '"2024-01-01 %s"' % t if t and t[0] != "!" else ('"%s"' % t[1:] if t else "null"))
        for k, t in rows))

def run(name, d, mode="append", once=False):
    w = d.writeStream.format("memory").queryName(name).outputMode(mode)
    w = w.option("checkpointLocation", "ck_" + name) if once is False else w.option("checkpointLocation", once)
    q = w.trigger(availableNow=True).start()
    q.awaitTermination()
    show(name + " times", [(p["batchId"], p["numInputRows"], dict(p["eventTime"])) for p in q.recentProgress])
    show(name + " state", numbers(q))
    show(name, spark.table(name))

read = lambda folder: spark.readStream.schema("k STRING, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json(folder)
count = lambda d: d.groupBy(F.window("ts", "10 minutes").alias("w"), "k").count()
ev("nulls", "1", ("a", "10:00:00"), ("b", None))
ev("nulls", "2", ("c", None))
ev("nulls", "3", ("d", "10:30:00"), ("e", "10:31:00.0009"))
run("nulls", count(read("nulls").withWatermark("ts", "5 minutes")))
run("null_keys", read("nulls").withWatermark("ts", "5 minutes").groupBy("ts").count())
run("null_dedup", read("nulls").withWatermark("ts", "5 minutes").dropDuplicates(["ts"]))
ev("old", "1", ("a", "!1960-01-01 00:00:00"), ("b", "!1969-12-31 23:59:59"))
ev("old", "2", ("c", "!1970-01-01 00:00:00"), ("d", "!1970-01-01 00:10:00"))
run("old", count(read("old").withWatermark("ts", "5 minutes")))
ev("l", "1", ("a", "10:00:00"))
ev("l", "2", ("a", "10:30:00"))
ev("l", "3", ("a", "11:00:00"))
ev("r", "1", ("b", "10:05:00"))
ev("r", "2", ("b", "10:10:00"))
both = lambda: count(read("l").withWatermark("ts", "5 minutes").union(read("r").withWatermark("ts", "1 minute")))
run("two_min", both())
spark.conf.set("spark.sql.streaming.multipleWatermarkPolicy", "max")
run("two_max", both())
spark.conf.unset("spark.sql.streaming.multipleWatermarkPolicy")
show("bad policy", tried(lambda: spark.conf.set("spark.sql.streaming.multipleWatermarkPolicy", "mean")))
ev("f", "1", ("a", "10:00:00"), ("x", "12:00:00"))
ev("f", "2", ("a", "10:20:00"), ("x", "09:00:00"))
run("filter_above", count(read("f").withWatermark("ts", "5 minutes").filter("k <> 'x'")))
run("filter_of_time", count(read("f").withWatermark("ts", "5 minutes").filter("ts < '2024-01-01 11:00:00'")))
run("filter_below", count(read("f").filter("k <> 'x'").withWatermark("ts", "5 minutes")))
run("late_complete", count(read("f").withWatermark("ts", "5 minutes")), "complete")
run("late_update", count(read("f").withWatermark("ts", "5 minutes")), "update")
run("stateless", read("f").withWatermark("ts", "5 minutes"))
ev("g", "1", ("a", "10:00:00"))

def again(name, delay):
    out = []
    q = (count(read("g").withWatermark("ts", delay)).writeStream.foreachBatch(lambda d, i: out.append((i, sorted(r["k"] for r in d.collect()))))
         .option("checkpointLocation", "ck_delay").trigger(availableNow=True).start())
    q.awaitTermination()
    show(name, [out, [(p["batchId"], p["eventTime"].get("watermark")) for p in q.recentProgress], open("ck_delay/commits/" + str(q.lastProgress["batchId"])).read()])

again("delay of 5 minutes", "5 minutes")
ev("g", "2", ("b", "10:20:00"))
again("delay of an hour", "1 hour")
ev("g", "3", ("c", "10:40:00"))
again("no delay", "0 seconds")
ev("g", "4", ("d", "10:41:00"))
again("a delay of a month", "1 month")
show("negative", tried(lambda: read("g").withWatermark("ts", "-1 minute")))
show("no interval", tried(lambda: read("g").withWatermark("ts", "soon")))
show("text", tried(lambda: read("g").withWatermark("k", "1 minute")))
show("unknown", tried(lambda: read("g").withWatermark("nope", "1 minute")))
show("number", tried(lambda: read("g").withWatermark("ts", 5)))
