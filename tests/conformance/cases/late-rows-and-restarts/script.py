def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], p["numInputRows"], p["eventTime"].get("watermark") if p["eventTime"] else None,
             [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

def ev(folder, name, *rows):
    put(f"{folder}/{name}.json", "".join('{"k":%s,"v":%s,"ts":%s}\n' % tuple("null" if x is None else ('"%s"' % x if isinstance(x, str) else x) for x in r) for r in rows))
D = "2024-03-01 "
ev("l", "1", ("a", 1, D + "10:00:00"), ("b", 2, D + "10:05:00"), ("a", 3, D + "10:20:00"))
ev("r", "1", ("a", 10, D + "10:02:00"), ("c", 20, D + "10:06:00"))
ev("l", "2", ("a", 4, D + "10:01:00"), ("b", 5, D + "10:40:00"), (None, 6, D + "10:41:00"))
ev("r", "2", ("b", 30, D + "10:07:00"), ("a", 40, D + "10:45:00"))
ev("l", "3", ("a", 7, D + "10:00:30"), ("b", 8, D + "10:06:00"), ("c", 9, D + "10:50:00"), ("a", 3, D + "10:20:00"))
ev("r", "3", ("c", 50, D + "10:52:00"), ("b", 60, D + "10:01:00"), ("b", None, None))
read = lambda f, d: spark.readStream.schema("k STRING, v INT, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json(f).withWatermark("ts", d)
L = lambda d="10 minutes": read("l", d)
Q = lambda d="5 minutes": read("r", d).select(F.col("k").alias("k2"), F.col("v").alias("v2"), F.col("ts").alias("t2"))
near = F.expr("k = k2 and t2 between ts - interval 5 minutes and ts + interval 10 minutes")
w = F.window("ts", "10 minutes")
queries = {
 "window": (lambda: L().groupBy(w, "k").agg(F.sum("v").alias("v")), "append"),
 "window update": (lambda: L().groupBy(w, "k").agg(F.sum("v").alias("v")), "update"),
 "session": (lambda: L().groupBy(F.session_window("ts", "6 minutes"), "k").agg(F.sum("v").alias("v")), "append"),
 "session late": (lambda: L("1 minute").groupBy(F.session_window("ts", "30 seconds"), "k").count(), "append"),
 "dedup late": (lambda: L("1 minute").dropDuplicates(["k", "ts"]), "append"),
 "within late": (lambda: L("1 minute").dropDuplicatesWithinWatermark(["k"]), "append"),
 "inner": (lambda: L().join(Q(), near).select("k", "v", "v2"), "append"),
 "left": (lambda: L().join(Q(), near, "left").select("k", "v", "v2"), "append"),
 "full": (lambda: L().join(Q(), near, "full").select("k", "v", "k2", "v2"), "append"),
 "semi": (lambda: L().join(Q(), near, "left_semi").select("k", "v"), "append"),
 "right": (lambda: L().join(Q(), near, "right").select("v", "k2", "v2"), "append"),
 "by window": (lambda: L().select("k", "v", w.alias("w")).join(Q().select("k2", "v2", F.window("t2", "10 minutes").alias("w2")), F.expr("k = k2 and w = w2"), "left").select("k", "v", "v2"), "append"),
 "counts joined": (lambda: L().groupBy(w.alias("w"), "k").agg(F.sum("v").alias("v")).join(Q().groupBy(F.window("t2", "10 minutes").alias("w"), F.col("k2").alias("k")).agg(F.sum("v2").alias("v2")), ["w", "k"], "full").select("w.start", "k", "v", "v2"), "append"),
 "left then count": (lambda: L().join(Q(), near, "left").groupBy(w).agg(F.count("*").alias("n"), F.count("v2").alias("m")), "append"),
 "inner then update": (lambda: L().join(Q(), near).groupBy("k").agg(F.sum("v2").alias("s")), "update"),
 "dedup join count": (lambda: L().dropDuplicates(["k", "ts"]).join(Q().dropDuplicates(["k2", "t2"]), near).groupBy(F.window("t2", "15 minutes")).count(), "append"),
 "union count": (lambda: L().select("k", "ts").union(Q().select("k2", "t2")).groupBy(w, "k").count(), "append"),
 "union dedup": (lambda: L().select("k", "ts").union(Q().select("k2", "t2")).dropDuplicates(["k", "ts"]), "append"),
 "union by name": (lambda: L().unionByName(Q().select(F.col("t2").alias("ts"), F.col("k2").alias("k"), F.col("v2").alias("v"))).groupBy(w).agg(F.sum("v").alias("s")), "update"),
 "same twice": (lambda: (lambda d: d.join(d.select(F.col("k").alias("k3"), F.col("ts").alias("t3")), F.expr("k = k3 and t3 >= ts and t3 <= ts + interval 5 minutes"), "left").select("k", "v", "t3"))(L()), "append"),
 "same union": (lambda: (lambda d: d.union(d).groupBy(w).count())(L()), "append"),
 "key filter after": (lambda: L().join(Q(), near, "left").where("k = 'a'").select("k", "v", "v2"), "append"),
 "key filter before": (lambda: L().where("k in ('a', 'b')").join(Q(), near, "left").select("k", "v", "v2"), "append"),
 "value filter after": (lambda: L().join(Q(), near, "full").where("v > 2").select("k", "v", "k2", "v2"), "append"),
 "coalesced key": (lambda: L().join(Q(), near, "full").select(F.coalesce("k", "k2").alias("key"), "v", "v2").where("key is not null"), "append"),
 "limit": (lambda: L().select("k").coalesce(1).limit(3), "append"),
 "top": (lambda: L().groupBy("k").agg(F.sum("v").alias("s")).orderBy(F.desc_nulls_last("s")).limit(1), "complete"),
 "count of counts": (lambda: L().groupBy(w, "k").count().groupBy("window").agg(F.count("*").alias("keys"), F.sum("count").alias("rows")), "append"),
 "pivot": (lambda: L().groupBy(w).pivot("k", ["a", "b", "c"]).agg(F.sum("v")), "append"),
 "filled": (lambda: L().fillna({"k": "none", "v": 0}).groupBy("k").agg(F.sum("v").alias("v")), "update"),
 "dropped": (lambda: Q().dropna(subset=["v2"]).groupBy("k2").agg(F.max("v2").alias("m")), "update"),
 "drop any": (lambda: Q().na.drop().groupBy("k2").count(), "complete"),
}
def run(name):
    d, mode = queries[name]
    out = []
    def go():
        q = d().writeStream.foreachBatch(lambda b, i: out.append((i, sorted(str(tuple(r)) for r in b.collect())))).outputMode(mode).option("checkpointLocation", "ck/" + name.replace(" ", "_")).trigger(availableNow=True).start()
        q.awaitTermination()
        return numbers(q)
    show(name + " state", tried(go))
    show(name, out)
for name in queries:
    run(name)
ev("l", "4", ("c", 11, D + "10:53:00"), ("a", 12, D + "10:44:00"))
ev("r", "4", ("c", 70, D + "11:30:00"))
ev("l", "5", ("d", 13, D + "12:00:00"))
for name in queries:
    run(name)
spark.conf.set("spark.sql.streaming.multipleWatermarkPolicy", "max")
ev("r", "5", ("d", 80, D + "13:00:00"))
for name in ("inner", "full", "union count"):
    run(name)
    show(name + " policy", [l for l in open("ck/" + name.replace(" ", "_") + "/offsets/0").read().split("\n") if "Policy" in l][0].split("multipleWatermarkPolicy")[1][:10])
for name in ("left", "full", "by window", "same twice"):
    for side in ("left", "right"):
        show(name + " " + side, tried(lambda: spark.read.format("statestore").option("joinSide", side).load("ck/" + name.replace(" ", "_")).drop("partition_id")))
show("two counts", spark.read.format("state-metadata").load("ck/count_of_counts"))
show("of a join of counts", spark.read.format("state-metadata").load("ck/counts_joined"))
show("sessions", spark.read.format("statestore").load("ck/session").drop("partition_id"))
