def tried(f):
    try:
        return f()
    except Exception as e:
        return e


put("in/1.json", '{"k":"a","v":1,"ts":"2024-01-01 10:00:00"}\n{"k":"b","v":2,"ts":"2024-01-01 10:11:00"}\n')
put("names/1.json", '{"k":"a","name":"anna"}\n{"k":"c","name":"carl"}\n')
R = lambda: spark.readStream.schema("k STRING, v INT, ts TIMESTAMP").json("in")
W = lambda: R().withWatermark("ts", "10 minutes")
S = lambda: spark.read.schema("k STRING, name STRING").json("names")
win = F.window("ts", "10 minutes")
L = lambda: W().select("k", "ts")
O = lambda: W().select(F.col("k").alias("k2"), F.col("ts").alias("t2"))
near = F.expr("k = k2 and t2 >= ts and t2 <= ts + interval 5 minutes")

queries = {
    "select": lambda: R().select("k"), "filter": lambda: R().filter("v > 1"), "union of streams": lambda: R().union(R()),
    "explode": lambda: R().select(F.explode(F.array("v", "v"))), "repartition": lambda: R().repartition(2),
    "group": lambda: R().groupBy("k").count(), "group with watermark": lambda: W().groupBy("k").count(),
    "approx distinct": lambda: R().groupBy("k").agg(F.approx_count_distinct("v")),
    "global": lambda: R().agg(F.sum("v")), "window": lambda: W().groupBy(win).count(),
    "window without watermark": lambda: R().groupBy(win).count(), "event time": lambda: W().groupBy("ts").count(),
    "session": lambda: W().groupBy(F.session_window("ts", "5 minutes"), "k").count(),
    "distinct": lambda: R().select("k").distinct(), "drop duplicates": lambda: W().dropDuplicates(["k", "ts"]),
    "within watermark": lambda: W().dropDuplicatesWithinWatermark(["k"]),
    "within without watermark": lambda: R().dropDuplicatesWithinWatermark(["k"]),
    "limit": lambda: R().limit(1), "group and limit": lambda: R().groupBy("k").count().limit(1),
    "limit and group": lambda: R().limit(1).groupBy("k").count(),
    "sort": lambda: R().orderBy("v"), "group and sort": lambda: R().groupBy("k").count().orderBy("k"),
    "sort within": lambda: R().sortWithinPartitions("v"),
    "window then window": lambda: W().groupBy(win).count().groupBy(F.window("window", "20 minutes")).count(),
    "group then group": lambda: R().groupBy("k").count().groupBy("count").count(),
    "dedup then window": lambda: W().dropDuplicates(["k", "ts"]).groupBy(win).count(),
    "window then dedup": lambda: W().groupBy(win).count().select("window").dropDuplicates(["window"]),
    "static inner": lambda: R().join(S(), "k"), "static left": lambda: R().join(S(), "k", "left"),
    "static right": lambda: R().join(S(), "k", "right"), "static full": lambda: R().join(S(), "k", "full"),
    "static semi": lambda: R().join(S(), "k", "left_semi"), "static anti": lambda: R().join(S(), "k", "left_anti"),
    "static first": lambda: S().join(R(), "k"), "static first left": lambda: S().join(R(), "k", "left"),
    "static first right": lambda: S().join(R(), "k", "right"), "static first full": lambda: S().join(R(), "k", "full"),
    "static first semi": lambda: S().join(R(), "k", "left_semi"), "static first anti": lambda: S().join(R(), "k", "left_anti"),
    "static cross": lambda: R().crossJoin(S().select("name")),
    "stream inner": lambda: R().join(R().select(F.col("k").alias("k2")), F.expr("k = k2")),
    "stream range": lambda: L().join(O(), near), "stream left": lambda: L().join(O(), near, "left"),
    "stream right": lambda: L().join(O(), near, "right"), "stream full": lambda: L().join(O(), near, "full"),
    "stream semi": lambda: L().join(O(), near, "left_semi"), "stream anti": lambda: L().join(O(), near, "left_anti"),
    "left without range": lambda: L().join(O(), F.expr("k = k2"), "left"),
    "semi without watermark": lambda: R().join(R().select(F.col("k").alias("k2")), F.expr("k = k2"), "left_semi"),
    "stream cross": lambda: L().crossJoin(O()), "stream unequal": lambda: L().join(O(), F.expr("ts < t2")),
    "join then window": lambda: L().join(O(), near).groupBy(win).count(),
    "left join then window": lambda: L().join(O(), near, "left").groupBy(win).count(),
    "window then join": lambda: W().groupBy(win.alias("w")).count().join(
        W().groupBy(win.alias("w2")).count().select("w2"), F.expr("w = w2")),
    "union with static": lambda: R().select("k").union(S().select("k")),
    "count distinct": lambda: R().groupBy("k").agg(F.countDistinct("v")),
    "monotonic id": lambda: R().select(F.monotonically_increasing_id()),
}
for label, query in queries.items():
    for mode in ("append", "update", "complete"):
        def go():
            q = query().writeStream.format("noop").outputMode(mode).trigger(availableNow=True).start()
            q.awaitTermination()
            return [len(q.recentProgress), [o["operatorName"] for o in q.lastProgress["stateOperators"]]]
        show(label + " " + mode, tried(go))
