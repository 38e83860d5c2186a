def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

put("in/1.json", "".join('{"k":"%s","ts":"%s"}\n' % r for r in [
    ("a", "2024-03-31T00:30:00Z"), ("b", "2024-03-31T01:30:00Z"), ("c", "2024-10-27T00:30:00Z"), ("d", "2024-10-27T01:30:00Z"),
    ("e", "2024-10-26T22:30:00Z"), ("f", "1969-12-31T23:30:00Z")]))
for zone in ("UTC", "Europe/Berlin", "Asia/Kolkata"):
    spark.conf.set("spark.sql.session.timeZone", zone)
    d = spark.read.schema("k STRING, ts TIMESTAMP").json("in")
    for size in ("1 hour", "1 day", "1 week"):
        show(f"{zone} {size}", d.select("k", F.window("ts", size).alias("w")).select("k", F.col("w.start").cast("string").alias("s"), F.col("w.end").cast("string").alias("e")))
    show(f"{zone} start", d.select("k", F.window("ts", "1 day", "1 day", "22 hours").alias("w")).select("k", F.col("w.start").cast("string").alias("s")))
    show(f"{zone} truncated", d.groupBy(F.date_trunc("day", "ts").cast("string").alias("day")).count())
    q = (spark.readStream.schema("k STRING, ts TIMESTAMP").json("in").withWatermark("ts", "1 day")
         .groupBy(F.window("ts", "1 day").alias("w")).count()
         .select(F.col("w.start").cast("string").alias("s"), "count")
         .writeStream.format("memory").queryName("days").outputMode("complete").trigger(availableNow=True).start())
    q.awaitTermination()
    show(f"{zone} stream", spark.table("days"))
spark.conf.set("spark.sql.session.timeZone", "UTC")
show("months", tried(lambda: d.select(F.window("ts", "1 month"))))
show("year", tried(lambda: d.select(F.window("ts", "1 day", "1 year"))))
s = spark.readStream.schema("k STRING, ts TIMESTAMP").json("in").withWatermark("ts", "1 month")
q = s.writeStream.format("noop").option("checkpointLocation", "ck").trigger(availableNow=True).start()
q.awaitTermination()
show("watermark of a month", open("ck/commits/0").read())
