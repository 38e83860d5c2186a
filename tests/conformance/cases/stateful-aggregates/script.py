def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

put("in/1.json", "".join('{"k":"%s","v":%s,"x":%s,"s":"%s"}\n' % r for r in [
    ("a", 1, 1.5, "p"), ("a", 3, "null", "q"), ("b", "null", 2.5, "p"), ("a", 2, -1.0, "p")]))
put("in/2.json", "".join('{"k":"%s","v":%s,"x":%s,"s":"%s"}\n' % r for r in [("a", 7, 4.0, "r"), ("c", 5, "null", "p")]))
put("in/3.json", "".join('{"k":"%s","v":%s,"x":%s,"s":"%s"}\n' % r for r in [("b", 9, 0.5, "z"), ("b", "null", "null", "y")]))
s = lambda: spark.readStream.schema("k STRING, v INT, x DOUBLE, s STRING").option("maxFilesPerTrigger", 1).json("in")

def run(name, *calls, mode="update", keys=("k",)):
    def go():
        q = (s().groupBy(*keys).agg(*calls).writeStream.format("memory").queryName(name).outputMode(mode)
             .trigger(availableNow=True).start())
        q.awaitTermination()
        return numbers(q)
    show(name + " state", tried(go))
    show(name, tried(lambda: spark.table(name)))

run("sums", F.sum("v"), F.sum("x"), F.sum(F.col("x").cast("decimal(10,2)")), F.avg("v"), F.avg(F.col("v").cast("decimal(8,1)")))
run("counts", F.count("*"), F.count("v"), F.count("x"), F.count_if(F.col("v") > 2),
    F.approx_count_distinct("s"))
run("ends", F.min("v"), F.max("v"), F.min("s"), F.max("x"), F.min(F.struct("x", "s")))
run("picks", F.min_by("s", "v"), F.max_by("s", "x"), F.max_by("v", "s"))
run("spread", F.stddev("v"), F.stddev("x"))
run("sets", F.sort_array(F.collect_set("s")), F.sort_array(F.collect_list("v")))
run("firsts", F.first("s"), F.last("s"), F.first("v", ignorenulls=True), F.last("x", ignorenulls=True), mode="complete")
run("filtered", F.sum("v").alias("a"), F.expr("sum(v) filter (where s = 'p')").alias("b"),
    F.expr("count(*) filter (where x > 0)").alias("c"))
run("whole", F.sum("v"), F.count("*"), F.max("s"), keys=(), mode="complete")
run("distinct", F.countDistinct("s"))
run("none", F.sum("v"), keys=("k", "s"))
run("expression", (F.sum("v") * 2 + F.count("*")).alias("e"), F.upper(F.max("s")).alias("u"))
run("having", F.sum("v").alias("t"), keys=(F.upper("k").alias("K"),), mode="complete")
