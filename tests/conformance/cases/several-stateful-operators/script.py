def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

def ev(folder, name, *rows):
    put(f"{folder}/{name}.json", "".join('{"k":"%s","v":%d,"ts":"2024-01-01 %s"}\n' % r for r in rows))

ev("in", "1", ("a", 1, "10:00:00"), ("a", 1, "10:00:00"), ("b", 2, "10:04:00"))
ev("in", "2", ("a", 3, "10:06:00"), ("b", 4, "10:11:00"), ("a", 1, "10:00:00"))
ev("in", "3", ("a", 5, "10:25:00"), ("b", 6, "10:02:00"))
ev("in", "4", ("c", 7, "11:00:00"))
ev("in", "5", ("c", 8, "11:30:00"), ("a", 9, "10:26:00"))
ev("other", "1", ("a", 10, "10:01:00"))
ev("other", "2", ("b", 20, "10:12:00"), ("a", 30, "10:06:30"))
ev("other", "3", ("c", 40, "11:01:00"))
ev("other", "4", ("c", 50, "11:40:00"))
read = lambda folder: (spark.readStream.schema("k STRING, v INT, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json(folder)
                       .withWatermark("ts", "5 minutes"))
s = lambda: read("in")
o = lambda: read("other").select(F.col("k").alias("k2"), F.col("v").alias("v2"), F.col("ts").alias("t2"))

def run(name, d, mode="append"):
    def go():
        q = (d().writeStream.format("memory").queryName(name).outputMode(mode).option("checkpointLocation", "ck_" + name)
             .trigger(availableNow=True).start())
        q.awaitTermination()
        return numbers(q)
    show(name + " state", tried(go))
    show(name, tried(lambda: spark.table(name)))

window = lambda *a: F.window(*a)
run("dedup_count", lambda: s().dropDuplicates(["k", "v", "ts"]).groupBy(window("ts", "10 minutes")).agg(F.sum("v")))
run("within_count", lambda: s().dropDuplicatesWithinWatermark(["k"]).groupBy(window("ts", "10 minutes")).count())
run("count_count", lambda: s().groupBy(window("ts", "5 minutes"), "k").agg(F.sum("v").alias("v"))
    .groupBy(window("window", "10 minutes")).agg(F.count("*"), F.sum("v")))
run("by_window_time", lambda: s().groupBy(window("ts", "5 minutes"), "k").agg(F.sum("v").alias("v"))
    .select("k", "v", F.window_time("window").alias("t")).groupBy(window("t", "15 minutes"), "k").agg(F.max("v")))
run("count_dedup", lambda: s().groupBy(window("ts", "5 minutes"), "k").count().select("window").dropDuplicates())
run("sessions_count", lambda: s().groupBy(F.session_window("ts", "5 minutes"), "k").count()
    .groupBy(window(F.window_time("session_window"), "30 minutes")).agg(F.sum("count")))
on = F.expr("k = k2 and t2 >= ts and t2 <= ts + interval 2 minutes")
run("join_count", lambda: s().join(o(), on).groupBy(window("ts", "10 minutes"), "k").agg(F.sum("v2")))
run("outer_count", lambda: s().join(o(), on, "left").groupBy(window("ts", "10 minutes")).agg(F.count("v2"), F.count("*")))
run("full", lambda: s().join(o(), on, "full"))
run("semi", lambda: s().join(o(), on, "left_semi"))
run("right", lambda: s().join(o(), on, "right"))
run("count_join", lambda: s().groupBy(window("ts", "10 minutes").alias("w"), "k").agg(F.sum("v").alias("a"))
    .join(o().groupBy(window("t2", "10 minutes").alias("w2"), "k2").agg(F.sum("v2").alias("b")), F.expr("w = w2 and k = k2")))
run("union", lambda: s().union(read("other")).groupBy(window("ts", "10 minutes")).agg(F.sum("v")))
run("sliding", lambda: s().groupBy(window("ts", "10 minutes", "5 minutes", "1 minute"), "k").agg(F.sum("v")))
run("late_update", lambda: s().groupBy(window("ts", "10 minutes")).agg(F.sum("v")), "update")
run("late_complete", lambda: s().groupBy(window("ts", "10 minutes")).agg(F.sum("v")), "complete")
