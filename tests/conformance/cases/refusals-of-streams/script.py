def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], p["numInputRows"], p["eventTime"].get("watermark") if p["eventTime"] else None,
             [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

put("in/1.json", '{"k":"a","v":1,"ts":"2024-01-01 10:00:00"}\n{"k":"b","v":2,"ts":"2024-01-01 10:11:00"}\n')
put("names/1.json", '{"k":"a","name":"anna"}\n{"k":"c","name":"carl"}\n')
R = lambda: spark.readStream.schema("k STRING, v INT, ts TIMESTAMP").json("in")
W = lambda: R().withWatermark("ts", "10 minutes")
S = lambda: spark.read.schema("k STRING, name STRING").json("names")
w = F.window("ts", "10 minutes")
queries = {
 "count distinct": lambda: R().groupBy("k").agg(F.countDistinct("v")),
 "sum distinct": lambda: R().groupBy("k").agg(F.sum_distinct("v")),
 "window distinct": lambda: W().groupBy(w).agg(F.countDistinct("k")),
 "tail": lambda: R().tail(1),
 "two windows": lambda: W().groupBy(w, F.window("ts", "5 minutes")).count(),
 "session alone": lambda: W().groupBy(F.session_window("ts", "5 minutes")).count(),
 "session and window": lambda: W().groupBy(F.session_window("ts", "5 minutes"), w).count(),
 "session agg update": lambda: W().groupBy(F.session_window("ts", "5 minutes"), "k").count(),
 "watermark twice": lambda: W().withWatermark("ts", "5 minutes").groupBy(w).count(),
 "watermark after agg": lambda: R().groupBy(w).count().withWatermark("window", "1 minute"),
 "watermark after agg on time": lambda: R().groupBy("ts").count().withWatermark("ts", "1 minute"),
 "watermark on string": lambda: R().withWatermark("k", "1 minute"),
 "watermark bad": lambda: R().withWatermark("ts", "10 min utes"),
 "watermark negative": lambda: R().withWatermark("ts", "-10 minutes"),
 "watermark empty": lambda: R().withWatermark("ts", ""),
 "window on string column": lambda: R().groupBy(F.window("k", "5 minutes")).count(),
 "window on int": lambda: R().groupBy(F.window("v", "5 minutes")).count(),
 "window on date": lambda: R().groupBy(F.window(F.to_date("ts"), "5 minutes")).count(),
 "window month": lambda: W().groupBy(F.window("ts", "1 month")).count(),
 "window year": lambda: W().groupBy(F.window("ts", "1 year", "1 day")).count(),
 "window big slide": lambda: W().groupBy(F.window("ts", "5 minutes", "10 minutes")).count(),
 "window start too big": lambda: W().groupBy(F.window("ts", "5 minutes", startTime="5 minutes")).count(),
 "window slide zero": lambda: W().groupBy(F.window("ts", "5 minutes", "0 minutes")).count(),
 "session month": lambda: W().groupBy(F.session_window("ts", "1 month"), "k").count(),
 "order by": lambda: R().orderBy("v"),
 "order before agg": lambda: R().orderBy("v").groupBy("k").count(),
 "order in append": lambda: W().groupBy(w).count().orderBy("window"),
 "limit in append": lambda: W().groupBy(w).count().limit(1),
 "agg twice": lambda: R().groupBy("k").count().agg(F.max("count")),
 "agg twice windows": lambda: W().groupBy(w, "k").count().groupBy("window").agg(F.max("count")),
 "agg twice key": lambda: W().groupBy(w, "k").count().groupBy("k").agg(F.max("count")),
 "dedup after agg": lambda: R().groupBy("k").count().dropDuplicates(["count"]),
 "distinct after agg": lambda: W().groupBy(w, "k").count().select("k").distinct(),
 "join after agg": lambda: R().groupBy("k").count().join(R().select(F.col("k").alias("k2")), F.expr("k = k2")),
 "static after agg": lambda: R().groupBy("k").count().join(S(), "k"),
 "static before agg": lambda: R().join(S(), "k").groupBy("name").count(),
 "left outer no watermark": lambda: R().join(R().select(F.col("k").alias("k2")), F.expr("k = k2"), "left"),
 "union different": lambda: R().union(R().select("k", "v")),
 "union by name": lambda: R().select("k", "v").unionByName(R().select("v", "k")),
 "union with batch": lambda: R().select("k").union(S().select("k")),
 "pivot": lambda: R().groupBy("k").pivot("v", [1, 2]).count(),
 "pivot no values": lambda: R().groupBy("k").pivot("v").count(),
 "pivot windowed": lambda: W().groupBy(w).pivot("k", ["a", "b"]).sum("v"),
 "explode then count": lambda: R().select(F.explode(F.array("v", "v")).alias("e")).groupBy("e").count(),
 "stream of batch": lambda: S(),
 "unknown column": lambda: R().groupBy("nope").count(),
 "unknown in agg": lambda: R().groupBy("k").agg(F.sum("nope")),
 "sum of string": lambda: R().groupBy("k").sum("ts"),
 "select window missing": lambda: W().groupBy(w).count().select("ts"),
 "agg in where": lambda: R().where(F.sum("v") > 1),
 "agg in select with column": lambda: R().select("k", F.sum("v")),
 "nested agg": lambda: R().groupBy("k").agg(F.sum(F.max("v"))),
 "sort within": lambda: R().sortWithinPartitions("v"),
 "repartition by": lambda: R().repartition(3, "k"),
 "cache": lambda: R().cache(),
 "count": lambda: R().count(),
 "show": lambda: R().show(),
 "collect": lambda: R().groupBy("k").count().collect(),
 "foreach": lambda: R().foreach(print),
 "write": lambda: R().write.parquet("out"),
 "head": lambda: R().head(),
 "is empty": lambda: R().isEmpty(),
 "persist": lambda: R().persist(),
 "na fill": lambda: R().na.fill(0),
 "fillna": lambda: R().fillna("x", ["k"]).dropna(),
 "with columns": lambda: R().withColumns({"a": F.lit(1), "b": F.col("v") + 1}),
 "transform": lambda: R().transform(lambda d: d.where("v > 1")),
 "hint": lambda: R().join(F.broadcast(S()), "k"),
 "self join names": lambda: R().join(R(), "k"),
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
