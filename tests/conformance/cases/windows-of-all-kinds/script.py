def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

put("in/1.json", "".join('{"k":"%s","ts":%s}\n' % r for r in [
    ("a", '"2024-01-01 10:00:00"'), ("b", '"2024-01-01 10:04:59.999999"'), ("c", '"2024-01-01 10:05:00"'), ("d", "null"),
    ("e", '"1969-12-31 23:59:30"')]))
d = spark.read.schema("k STRING, ts TIMESTAMP").json("in")

def windows(label, *args, col="ts"):
    show(label, tried(lambda: d.select("k", F.window(col, *args).alias("w")).select("k", "w.start", "w.end")))

windows("5 minutes", "5 minutes")
windows("10 by 5", "10 minutes", "5 minutes")
windows("10 by 3", "10 minutes", "3 minutes")
windows("with a start", "5 minutes", "5 minutes", "1 minute")
windows("with a start before", "5 minutes", "5 minutes", "-1 minute")
windows("sliding with a start", "10 minutes", "5 minutes", "2 minutes")
windows("2 units", "1 hour 30 minutes")
windows("seconds", "7 seconds")
windows("milliseconds", "1500 milliseconds")
windows("a day and a half", "36 hours")
windows("zero", "0 minutes")
windows("negative", "-5 minutes")
windows("longer slide", "5 minutes", "10 minutes")
windows("start beyond the slide", "5 minutes", "5 minutes", "5 minutes")
windows("no interval", "soon")
windows("a number", "k", col="k")
ntz = d.select("k", F.col("ts").cast("timestamp_ntz").alias("t"))
show("without zone", tried(lambda: ntz.select("k", F.window("t", "5 minutes").alias("w")).select("k", F.col("w.start").cast("string"))))
show("types", d.groupBy(F.window("ts", "5 minutes")).count().dtypes)
show("counted", d.groupBy(F.window("ts", "5 minutes", "1 minute"), "k").count().filter("k = 'a'"))
show("window time", d.groupBy(F.window("ts", "5 minutes")).count().select(F.window_time("window").alias("t"), "count"))
show("time of no window", tried(lambda: d.select(F.window_time("ts"))))
show("window of a window", d.groupBy(F.window("ts", "5 minutes").alias("w")).count().groupBy(F.window("w", "15 minutes").alias("w2")).agg(F.sum("count")))
show("in a filter", tried(lambda: d.filter(F.window("ts", "5 minutes").start == F.lit("2024-01-01 10:00:00").cast("timestamp")).select("k")))
show("string time", d.select("k", F.window(F.col("ts").cast("string"), "5 minutes").alias("w")).select("k", "w.start"))
d.createOrReplaceTempView("d")
show("sql", spark.sql("select window.start s, count(*) c from d group by window(ts, '5 minutes') order by s"))
show("sql sliding", spark.sql("select window(ts, '10 minutes', '5 minutes').end e, count(*) c from d group by window(ts, '10 minutes', '5 minutes')"))
