def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], p["numInputRows"], p["eventTime"].get("watermark") if p["eventTime"] else None,
             [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

from pyspark.sql import Window
put("in/1.json", '{"k":"a","v":1,"ts":"2024-01-01 10:00:00"}\n{"k":"b","v":2,"ts":"2024-01-01 10:11:00"}\n')
put("names/1.json", '{"k":"a","name":"anna"}\n{"k":"c","name":"carl"}\n')
R = lambda: spark.readStream.schema("k STRING, v INT, ts TIMESTAMP").json("in")
W = lambda: R().withWatermark("ts", "10 minutes")
S = lambda: spark.read.schema("k STRING, name STRING").json("names")
w = F.window("ts", "10 minutes")
spec = Window.partitionBy("k").orderBy("ts")
queries = {
 "row number": lambda: R().withColumn("rn", F.row_number().over(spec)),
 "rank": lambda: R().select("k", F.rank().over(spec).alias("r")),
 "sum over": lambda: R().withColumn("total", F.sum("v").over(Window.partitionBy("k"))),
 "lag": lambda: R().select(F.lag("v").over(spec)),
 "lag default": lambda: R().select("k", F.lag("v", 1, 0).over(spec).alias("before")),
 "row number after window": lambda: W().groupBy(w, "k").count().withColumn("rn", F.row_number().over(Window.partitionBy("window").orderBy(F.desc("count")))),
 "rows between": lambda: R().withColumn("s", F.avg("v").over(Window.partitionBy("k").orderBy("ts").rowsBetween(-1, 0))),
}
R().createOrReplaceTempView("s")
for label, query in queries.items():
    for mode in ("append", "update", "complete"):
        def go():
            d = query()
            q = d.writeStream.format("noop").outputMode(mode).trigger(availableNow=True).start()
            q.awaitTermination()
            return [d.dtypes, len(q.recentProgress), [o["operatorName"] for o in q.lastProgress["stateOperators"]]]
        show(label + " " + mode, tried(go))
