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
    put(f"in/{name}.json", "".join('{"k":"%s","v":%d,"x":%s,"ts":"2024-03-01 %s"}\n' % r for r in rows))
R = lambda: spark.readStream.schema("k STRING, v INT, x DOUBLE, ts TIMESTAMP").json("in")
W = lambda d="10 minutes": R().withWatermark("ts", d)
w = F.window("ts", "10 minutes")
n = 0
def run(name, d, mode="append", trigger={"availableNow": True}):
    out = []
    def go():
        q = (d().writeStream.foreachBatch(lambda b, i: out.append((i, sorted(str(tuple(r)) for r in b.collect()))))
             .outputMode(mode).option("checkpointLocation", "ck/" + name.split(":")[0]).trigger(**trigger).start())
        q.awaitTermination()
        return numbers(q)
    show(name + " state", tried(go))
    show(name, out)
pairs = {
 "sum to avg": (lambda: W().groupBy("k").agg(F.sum("v")), lambda: W().groupBy("k").agg(F.avg("v"))),
 "sum to max int": (lambda: W().groupBy("k").agg(F.sum("v")), lambda: W().groupBy("k").agg(F.max("v"))),
 "sum to count": (lambda: W().groupBy("k").agg(F.sum("v")), lambda: W().groupBy("k").agg(F.count("v"))),
 "max to min": (lambda: W().groupBy("k").agg(F.max("v")), lambda: W().groupBy("k").agg(F.min("v"))),
 "one to two": (lambda: W().groupBy("k").agg(F.sum("v")), lambda: W().groupBy("k").agg(F.sum("v"), F.count("*"))),
 "two to one": (lambda: W().groupBy("k").agg(F.sum("v"), F.count("*")), lambda: W().groupBy("k").agg(F.sum("v"))),
 "swapped": (lambda: W().groupBy("k").agg(F.sum("v"), F.sum("x")), lambda: W().groupBy("k").agg(F.sum("x"), F.sum("v"))),
 "alias": (lambda: W().groupBy("k").agg(F.sum("v").alias("a")), lambda: W().groupBy(F.col("k").alias("key")).agg(F.sum("v").alias("b"))),
 "more keys": (lambda: W().groupBy("k").count(), lambda: W().groupBy("k", "v").count()),
 "other key type": (lambda: W().groupBy("k").count(), lambda: W().groupBy("v").count()),
 "expression of key": (lambda: W().groupBy("k").count(), lambda: W().groupBy(F.upper("k")).count()),
 "window size": (lambda: W().groupBy(w).count(), lambda: W().groupBy(F.window("ts", "5 minutes")).count()),
 "window gone": (lambda: W().groupBy(w, "k").count(), lambda: W().groupBy("k").count()),
 "slide": (lambda: W().groupBy(w).count(), lambda: W().groupBy(F.window("ts", "10 minutes", "5 minutes")).count()),
 "delay": (lambda: W().groupBy(w).count(), lambda: W("1 minute").groupBy(w).count()),
 "no watermark": (lambda: W().groupBy(w).count(), lambda: R().groupBy(w).count()),
 "filter": (lambda: W().groupBy("k").count(), lambda: W().where("v > 3").groupBy("k").count()),
 "having": (lambda: W().groupBy("k").count(), lambda: W().groupBy("k").count().where("count > 1")),
 "dedup to count": (lambda: W().dropDuplicates(["k"]), lambda: W().groupBy("k").count()),
 "count to dedup": (lambda: W().groupBy("k").count(), lambda: W().dropDuplicates(["k"])),
 "dedup to within": (lambda: W().dropDuplicates(["k"]), lambda: W().dropDuplicatesWithinWatermark(["k"])),
 "dedup keys": (lambda: W().dropDuplicates(["k"]), lambda: W().dropDuplicates(["k", "v"])),
 "dedup order": (lambda: W().dropDuplicates(["k", "v"]), lambda: W().dropDuplicates(["v", "k"])),
 "dedup added": (lambda: W().groupBy("k").count(), lambda: W().dropDuplicates(["k", "ts"]).groupBy("k").count()),
 "stateless to count": (lambda: W().select("k"), lambda: W().groupBy("k").count()),
 "count to stateless": (lambda: W().groupBy("k").count(), lambda: W().select("k")),
 "session gap": (lambda: W().groupBy(F.session_window("ts", "5 minutes"), "k").count(), lambda: W().groupBy(F.session_window("ts", "30 minutes"), "k").count()),
 "window to session": (lambda: W().groupBy(w, "k").count(), lambda: W().groupBy(F.session_window("ts", "5 minutes"), "k").count()),
 "mode": (lambda: W().groupBy(w, "k").count(), lambda: W().groupBy(w, "k").count()),
 "limit up": (lambda: W().coalesce(1).limit(1).select("k"), lambda: W().coalesce(1).limit(3).select("k")),
 "join how": (lambda: W().join(W().select(F.col("k").alias("k2"), F.col("ts").alias("t2")), F.expr("k = k2 and ts = t2")).select("k", "v"),
              lambda: W().join(W().select(F.col("k").alias("k2"), F.col("ts").alias("t2")), F.expr("k = k2 and ts = t2"), "left").select("k", "v")),
 "join columns": (lambda: W().join(W().select(F.col("k").alias("k2"), F.col("ts").alias("t2")), F.expr("k = k2 and ts = t2")).select("k", "v"),
              lambda: W().join(W().select(F.col("k").alias("k2"), F.col("ts").alias("t2")), F.expr("k = k2 and ts = t2")).select("k", "v", "x")),
}
appending = ("window size", "window gone", "slide", "delay", "no watermark", "dedup to count", "dedup to within", "dedup keys", "dedup order", "stateless to count",
             "session gap", "window to session", "mode", "limit up", "join how", "join columns", "count to dedup", "count to stateless")
ev("1", ("a", 1, 1.5, "10:00:00"), ("b", 2, 2.5, "10:04:00"), ("a", 3, 0.5, "10:12:00"))
first_mode = lambda name: "append" if name in appending and not name.startswith("count to") else "update"
second_mode = lambda name: {"mode": "complete", "no watermark": "update", "window gone": "update", "dedup to count": "update", "stateless to count": "update"}.get(name, "append" if name in appending else "update")
for name, (a, b) in pairs.items():
    run(name + ": first", a, first_mode(name))
ev("2", ("a", 4, 4.5, "10:14:00"), ("c", 5, 5.5, "10:40:00"))
for name, (a, b) in pairs.items():
    run(name + ": second", b, second_mode(name))
ev("3", ("d", 6, 6.5, "11:30:00"))
for name in ("delay", "mode", "window size", "session gap", "having", "filter", "slide"):
    run(name + ": third", pairs[name][0], "update" if name in ("having", "filter") else "append")
