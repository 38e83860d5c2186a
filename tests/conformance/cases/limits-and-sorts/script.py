def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

for i in range(4):
    put(f"in/{i}.json", "".join('{"k":"%s","v":%d}\n' % (c, i * 10 + j) for j, c in enumerate("abc"[: i + 1])))
R = lambda: spark.readStream.schema("k STRING, v INT").option("maxFilesPerTrigger", 1).json("in")

def run(name, d, mode="append"):
    out = []
    def go():
        q = (d().writeStream.foreachBatch(lambda b, i: out.append((i, [tuple(r) for r in b.collect()]))).outputMode(mode)
             .option("checkpointLocation", "ck_" + name).trigger(availableNow=True).start())
        q.awaitTermination()
        return numbers(q)
    show(name + " state", tried(go))
    show(name, out)

run("limit", lambda: R().coalesce(1).limit(4))
put("in/z.json", '{"k":"z","v":99}\n')
run("limit", lambda: R().coalesce(1).limit(6))
run("limit_0", lambda: R().limit(0))
run("top", lambda: R().groupBy("k").agg(F.sum("v").alias("t")).orderBy(F.desc("t")).limit(2), "complete")
run("sorted", lambda: R().groupBy("k").count().orderBy("count", F.desc("k")), "complete")
run("limit_then_group", lambda: R().coalesce(1).limit(3).groupBy("k").count(), "complete")
run("sorted_limit_append", lambda: R().orderBy("v").limit(2))
run("having_update", lambda: R().groupBy("k").agg(F.sum("v").alias("t")).filter("t > 20"), "update")
run("global", lambda: R().agg(F.count("*"), F.sum("v"), F.max("k")), "update")
run("global_complete", lambda: R().filter("v < 0").agg(F.count("*"), F.sum("v")), "complete")
