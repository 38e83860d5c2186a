def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], p["numInputRows"], p["eventTime"].get("watermark") if p["eventTime"] else None,
             [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

def ev(name, *rows):
    put(f"in/{name}.json", "".join('{"k":"%s","v":%d,"ts":%s}\n' % r for r in rows))
ev("1", ("a", 1, '"2024-03-31T00:30:00Z"'), ("a", 2, '"2024-03-31T01:15:00Z"'), ("b", 3, '"2024-03-31T02:45:00+02:00"'))
ev("2", ("a", 4, '"2024-10-27T00:30:00Z"'), ("b", 5, '"2024-10-27T01:30:00Z"'), ("b", 6, '"2024-10-27T02:30:00"'))
ev("3", ("c", 7, '"2024-12-31T23:59:59.999999Z"'), ("c", 8, '"2025-01-01T00:00:00"'))
R = lambda: spark.readStream.schema("k STRING, v INT, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json("in")
W = lambda: R().withWatermark("ts", "1 hour")
def run(name, d, mode="append"):
    out = []
    def f():
        q = d().writeStream.foreachBatch(lambda b, i: out.append((i, sorted(str(tuple(r)) for r in b.collect())))).outputMode(mode).trigger(availableNow=True).start()
        q.awaitTermination()
        return numbers(q)
    show(name + " state", tried(f))
    show(name, out)
text = lambda c: F.date_format(c, "yyyy-MM-dd HH:mm:ss XXX")
for zone in ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"):
    spark.conf.set("spark.sql.session.timeZone", zone)
    run(zone + " hours", lambda: W().groupBy(F.window("ts", "1 hour")).agg(F.sum("v").alias("v")).select(text("window.start").alias("s"), text("window.end").alias("e"), "v"))
    run(zone + " days", lambda: W().groupBy(F.window("ts", "1 day")).agg(F.sum("v").alias("v")).select(F.col("window.start").cast("string").alias("s"), F.col("window.end").cast("string").alias("e"), "v"), "update")
    run(zone + " trunc", lambda: W().groupBy(F.date_trunc("day", "ts").alias("d")).agg(F.sum("v").alias("v")).select(F.col("d").cast("string"), "v"), "update")
    run(zone + " parts", lambda: R().groupBy(F.to_date("ts").alias("d"), F.hour("ts").alias("h")).agg(F.count("*").alias("n")).select(F.col("d").cast("string"), "h", "n"), "update")
    run(zone + " shifted day", lambda: W().groupBy(F.window("ts", "1 day", "1 day", "-1 hour")).agg(F.collect_list("v").alias("v")).select(text("window.start").alias("s"), F.sort_array("v").alias("v")), "update")
spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
run("six hours by three", lambda: W().groupBy(F.window("ts", "6 hours", "3 hours")).agg(F.count("*").alias("n")).select(F.col("window.start").cast("string").alias("s"), "n"))
run("sessions", lambda: W().groupBy(F.session_window("ts", "45 minutes"), "k").agg(F.count("*").alias("n")).select(F.col("session_window.start").cast("string").alias("s"), F.col("session_window.end").cast("string").alias("e"), "k", "n"))
run("sessions by kind", lambda: W().groupBy(F.session_window("ts", F.when(F.col("k") == "a", F.lit("1 hour")).when(F.col("k") == "b", "10 minutes").otherwise(F.expr("concat(v, ' seconds')"))), "k").agg(F.sum("v").alias("v"), F.min("ts").alias("first")).select("k", "v", F.col("session_window.end").cast("string").alias("e"), F.col("first").cast("string").alias("f")))
run("session complete", lambda: W().groupBy("k", F.session_window("ts", "2 hours").alias("s")).agg(F.collect_list("v").alias("v")).select("k", F.sort_array("v"), F.col("s.start").cast("string")), "complete")
run("window time chain", lambda: W().groupBy(F.window("ts", "30 minutes"), "k").agg(F.sum("v").alias("v")).groupBy(F.window(F.window_time("window"), "1 hour"), "k").agg(F.sum("v").alias("v"), F.count("*").alias("n")).select(F.col("window.start").cast("string").alias("s"), "k", "v", "n"))
run("window chain", lambda: W().groupBy(F.window("ts", "30 minutes"), "k").agg(F.sum("v").alias("v")).groupBy(F.window("window", "12 hours", "6 hours")).agg(F.max("v").alias("m")).select(F.col("window.end").cast("string").alias("e"), "m"))
run("three in a row", lambda: W().groupBy(F.window("ts", "15 minutes"), "k").count().groupBy(F.window("window", "1 hour"), "k").agg(F.sum("count").alias("c")).groupBy(F.window("window", "1 day")).agg(F.max("c").alias("m")).select(F.col("window.start").cast("string").alias("s"), "m"))
run("last of each", lambda: W().groupBy(F.window("ts", "1 hour"), "k").agg(F.max_by("v", "ts").alias("last"), F.min_by("v", "ts").alias("first")).select("k", "first", "last"))
run("before", lambda: W().where(F.col("ts") < F.lit("2024-06-01").cast("timestamp")).groupBy(F.window("ts", "1 hour")).count().select(F.col("window.start").cast("string"), "count"))
run("unix", lambda: W().groupBy((F.unix_timestamp("ts") / 86400).cast("int").alias("day")).count(), "update")
run("from text", lambda: spark.readStream.schema("k STRING, v INT, ts STRING").option("maxFilesPerTrigger", 1).json("in").withColumn("t", F.to_timestamp("ts")).withWatermark("t", "1 hour").groupBy(F.window("t", "1 hour")).count().select(F.col("window.start").cast("string"), "count"))
run("null times", lambda: R().withColumn("t", F.when(F.col("k") != "b", F.col("ts"))).withWatermark("t", "1 hour").groupBy("t", "k").count().select(F.col("t").cast("string"), "k", "count"))
run("null times dropped", lambda: R().withColumn("t", F.when(F.col("k") != "b", F.col("ts"))).withWatermark("t", "1 hour").groupBy(F.window("t", "1 hour"), "k").count().select("k", "count"))
run("epoch", lambda: R().withColumn("t", F.timestamp_seconds(F.col("v") * 100)).withWatermark("t", "1 minute").groupBy(F.window("t", "1 minute")).count().select(F.col("window.start").cast("string"), "count"))
run("no delay", lambda: R().withWatermark("ts", "0 seconds").groupBy(F.window("ts", "1 hour")).count().select(F.col("window.start").cast("string"), "count"))
run("two watermarks", lambda: W().withColumn("t2", F.col("ts") + F.expr("interval 30 minutes")).withWatermark("t2", "10 minutes").groupBy(F.window("t2", "1 hour")).count())
q = W().groupBy(F.window("ts", "1 hour")).count().writeStream.format("memory").queryName("m").trigger(availableNow=True).start()
q.awaitTermination()
show("event times", [dict(p["eventTime"]) for p in q.recentProgress])
