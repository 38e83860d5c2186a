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
    put(f"in/{name}.json", "".join('{"id":%s,"v":%s,"ts":%s}\n' % r for r in rows))
def T(t):
    return '"2024-03-01 %s"' % t
R = lambda: spark.readStream.schema("id STRING, v INT, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json("in")
W = lambda d="10 minutes": R().withWatermark("ts", d)
queries = {
    "within": lambda: W().dropDuplicatesWithinWatermark(["id"]),
    "keys": lambda: W().dropDuplicates(["id", "ts"]),
    "id": lambda: W().dropDuplicates(["id"]),
    "rows": lambda: R().dropDuplicates(),
    "distinct": lambda: R().select("id", "v").distinct(),
    "then count": lambda: W().dropDuplicates(["id", "ts"]).groupBy(F.window("ts", "10 minutes")).agg(F.count("*").alias("n"), F.sum("v").alias("v")),
    "within then count": lambda: W().dropDuplicatesWithinWatermark(["id"]).groupBy(F.window("ts", "10 minutes")).count(),
    "by key count": lambda: W().dropDuplicates(["id"]).groupBy("id").count(),
    "distinct count": lambda: R().select("id").distinct().groupBy("id").count(),
    "subset and select": lambda: W().select("id", "ts", (F.col("v") * 2).alias("w")).dropDuplicates(["w"]).drop("ts"),
    "limit": lambda: W().coalesce(1).limit(4),
    "limit after dedup": lambda: W().dropDuplicates(["id"]).coalesce(1).limit(2).select("id"),
    "dedup after limit": lambda: R().coalesce(1).limit(5).dropDuplicates(["id"]).select("id"),
    "windowed dedup": lambda: W().withColumn("w", F.window("ts", "10 minutes")).dropDuplicates(["id", "w"]).select("id", "w.start"),
    "two dedups": lambda: W().dropDuplicates(["id", "ts"]).dropDuplicates(["v", "ts"]),
}
def run(name, mode="append"):
    out = []
    def go():
        q = (queries[name]().writeStream.foreachBatch(lambda b, i: out.append((i, sorted(str(tuple(r)) for r in b.collect()))))
             .outputMode(mode).option("checkpointLocation", "ck/" + name.replace(" ", "_")).trigger(availableNow=True).start())
        q.awaitTermination()
        return numbers(q)
    show(name + " state", tried(go))
    show(name, out)
modes = {"by key count": "complete", "distinct count": "update"}
ev("1", ('"a"', 1, T("10:00:00")), ('"a"', 1, T("10:00:00")), ('"b"', 2, T("10:03:00")), ("null", 3, T("10:04:00")))
ev("2", ('"a"', 1, T("10:08:00")), ('"c"', "null", "null"), ('"b"', 2, T("10:12:00")))
for name in queries:
    run(name, modes.get(name, "append"))
ev("3", ('"a"', 5, T("10:30:00")), ('"b"', 2, T("10:03:00")), ("null", 3, T("10:04:00")))
ev("4", ('"a"', 5, T("10:31:00")), ('"c"', "null", "null"), ('"d"', 7, T("10:01:00")), ('"b"', 2, T("10:40:30")))
spark.conf.set("spark.sql.shuffle.partitions", 5)
for name in queries:
    run(name, modes.get(name, "append"))
ev("5", ('"z"', 9, T("12:00:00")))
run("within", "update")
run("keys", "update")
run("id", "complete")
show("partitions", spark.conf.get("spark.sql.shuffle.partitions"))
for name in ("within", "keys", "rows", "distinct", "limit", "two_dedups"):
    show(name + " kept", tried(lambda: spark.read.format("statestore").load("ck/" + name)))
    show(name + " metadata", tried(lambda: spark.read.format("state-metadata").load("ck/" + name)))
show("second dedup", tried(lambda: spark.read.format("statestore").option("operatorId", 1).load("ck/two_dedups")))
show("at batch 0", tried(lambda: spark.read.format("statestore").option("batchId", 0).load("ck/within").select("key.*", "value.*")))
show("no such operator", tried(lambda: spark.read.format("statestore").option("operatorId", 7).load("ck/within")))
show("no such batch", tried(lambda: spark.read.format("statestore").option("batchId", 99).load("ck/within").count()))
show("no such folder", tried(lambda: spark.read.format("statestore").load("nowhere")))
show("no such store", tried(lambda: spark.read.format("statestore").option("storeName", "x").load("ck/within")))
show("join side of a dedup", tried(lambda: spark.read.format("statestore").option("joinSide", "left").load("ck/within").count()))
show("negative batch", tried(lambda: spark.read.format("statestore").option("batchId", -2).load("ck/within")))
show("bad batch", tried(lambda: spark.read.format("statestore").option("batchId", "x").load("ck/within")))
show("no path", tried(lambda: spark.read.format("statestore").load()))
