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
    put(f"in/{name}.json", "".join('{"sensor":%s,"temp":%s,"ts":%s}\n' % tuple("null" if x is None else ('"%s"' % x if isinstance(x, str) else x) for x in r) for r in rows))

ev("1", ("s1", 20.5, "2024-03-01 09:58:30"), ("s2", 18.0, "2024-03-01 10:02:00"), ("s1", 21.5, "2024-03-01 10:04:00"))
ev("2", ("s1", 22.0, "2024-03-01 10:11:00"), (None, 9.5, "2024-03-01 10:07:00"), ("s2", None, "2024-03-01 10:08:00"))
ev("3", ("s1", 25.0, "2024-03-01 10:31:00"), ("s2", 19.0, None))
ev("4", ("s1", 10.0, "2024-03-01 09:59:00"), ("s2", 17.0, "2024-03-01 10:21:00"), ("s1", 11.0, "2024-03-01 10:01:00"))
ev("5", ("s3", 30.0, "2024-03-01 11:00:00"))
s = lambda: (spark.readStream.schema("sensor STRING, temp DOUBLE, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json("in"))
W = lambda d="10 minutes": s().withWatermark("ts", d)

def each(name, d, mode="append"):
    out = []
    def fn(b, i):
        out.append((i, sorted((tuple(str(x) for x in r) for r in b.collect()))))
    def go():
        q = (d().writeStream.foreachBatch(fn).outputMode(mode).option("checkpointLocation", "ck_" + name).trigger(availableNow=True).start())
        q.awaitTermination()
        return numbers(q)
    show(name + " state", tried(go))
    show(name, out)

each("sliding update", lambda: W().groupBy(F.window("ts", "10 minutes", "5 minutes", "2 minutes"), "sensor").agg(F.avg("temp").alias("avg"), F.count("*").alias("n"), F.count("temp").alias("c")).select("window.start", "window.end", "sensor", "avg", "n", "c"), "update")
each("sliding append", lambda: W().groupBy(F.window("ts", "15 minutes", "10 minutes", "5 minutes").alias("w"), F.coalesce("sensor", F.lit("none")).alias("s")).agg(F.round(F.avg("temp"), 1).alias("a"), F.max("ts").alias("last")), "append")
each("sliding complete", lambda: s().groupBy(F.window("ts", "10 minutes", "5 minutes")).agg(F.sum("temp").alias("t")).orderBy(F.desc("t")).limit(3), "complete")
each("sliding no delay", lambda: W("0 seconds").groupBy(F.window(F.col("ts"), "20 minutes", "10 minutes")).count(), "append")
each("having append", lambda: W().groupBy(F.window("ts", "10 minutes"), "sensor").agg(F.max("temp").alias("m")).where("m > 20").withColumn("level", F.when(F.col("m") > 24, "hot").otherwise("warm")).selectExpr("date_format(window.start, 'HH:mm') as at", "sensor", "m", "level"))
each("having update", lambda: W().groupBy(F.window("ts", "10 minutes"), "sensor").agg(F.max("temp").alias("m")).where("m > 20 and sensor is not null").drop("window"), "update")
each("event time key", lambda: W().groupBy("ts", "sensor").agg(F.sum("temp")))
each("date key", lambda: W().groupBy(F.to_date("ts").alias("day")).count(), "update")
each("window and date", lambda: W().groupBy(F.window("ts", "1 hour"), F.to_date("ts").alias("day"), (F.col("temp") > 20).alias("hot")).count())
each("window after select", lambda: W().select("sensor", "temp", F.window("ts", "10 minutes").alias("w")).groupBy("w", "sensor").agg(F.sum("temp").alias("sum")).select("w.end", "sensor", "sum"))
each("window end key", lambda: W().groupBy(F.window("ts", "10 minutes").end.alias("till")).count(), "update")
each("window end key append", lambda: W().groupBy(F.window("ts", "10 minutes").end.alias("till")).count())
each("with column window", lambda: W().withColumn("w", F.window("ts", "10 minutes")).groupBy("w").agg(F.count("*").alias("n"), F.min("sensor").alias("first")).select(F.col("w").start.alias("from"), "n", "first"))
each("renamed time", lambda: W().withColumnRenamed("ts", "event_time").groupBy(F.window("event_time", "10 minutes")).count())
each("shifted time", lambda: tried(lambda: W().withColumn("t2", F.col("ts") + F.expr("INTERVAL 1 HOUR")).groupBy(F.window("t2", "10 minutes")).count()))
each("aliased time", lambda: W().select(F.col("ts").alias("t"), "temp").groupBy(F.window("t", "10 minutes")).agg({"temp": "max"}))
each("time cast", lambda: s().withColumn("ts", F.col("ts").cast("string").cast("timestamp")).withWatermark("ts", "10 minutes").groupBy(F.window("ts", "10 minutes")).agg({"temp": "avg", "*": "count"}))
