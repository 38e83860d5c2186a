def tried(f):
    try:
        return f()
    except Exception as e:
        return e


put("in/1.json", "".join('{"k":"%s","v":%s,"x":%s,"s":"%s","ts":"2024-01-01 10:0%d:00"}\n' % r for r in [
    ("a", 1, 1.5, "p", 1), ("a", 3, "null", "q", 2), ("b", "null", 2.5, "p", 3)]))
put("in/2.json", "".join('{"k":"%s","v":%s,"x":%s,"s":"%s","ts":"2024-01-01 10:0%d:00"}\n' % r for r in [("a", 7, 4.0, "r", 4), ("c", 5, "null", "p", 5)]))
s = lambda: spark.readStream.schema("k STRING, v INT, x DOUBLE, s STRING, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json("in")
n = 0

def state(label, *calls, keys=("k",)):
    global n
    n += 1
    path = f"ck{n}"
    def go():
        (s().groupBy(*keys).agg(*calls).writeStream.format("noop").outputMode("update").option("checkpointLocation", path)
         .trigger(availableNow=True).start().awaitTermination())
        return spark.read.format("statestore").load(path)
    d = tried(go)
    if isinstance(d, Exception):
        return show(label, d)
    show(label + " types", d.dtypes)
    show(label, d.select("key", "value"))

state("sum int", F.sum("v"))
state("sum double", F.sum("x"))
state("sum decimal", F.sum(F.col("x").cast("decimal(10,2)")))
state("sum wide decimal", F.sum(F.col("x").cast("decimal(20,2)")))
state("avg", F.avg("v"))
state("avg decimal", F.avg(F.col("v").cast("decimal(8,1)")))
state("count", F.count("v"))
state("count if", F.count_if(F.col("v") > 2))
state("min text", F.min("s"))
state("max double", F.max("x"))
state("min time", F.min("ts"))
state("max struct", F.max(F.struct("v", "s")))
state("first", F.first("s"))
state("last", F.last("v"))
state("first not null", F.first("x", ignorenulls=True))
state("min by", F.min_by("s", "v"))
state("max by", F.max_by("v", "s"))
state("stddev", F.stddev("v"))
state("list", F.collect_list("v"))
state("list of texts", F.collect_list("s"))
state("approximate", F.approx_count_distinct("s"))
state("two keys", F.sum("v"), keys=("k", "s"))
state("number key", F.count("*"), keys=("v",))
state("expression key", F.count("*"), keys=(F.upper("s").alias("S"), (F.col("v") % 2).alias("odd")))
state("window key", F.count("*"), keys=(F.window("ts", "5 minutes"), "k"))
state("date key", F.count("*"), keys=(F.to_date("ts").alias("day"),))
state("boolean key", F.count("*"), keys=((F.col("v") > 2).alias("big"),))
state("decimal key", F.count("*"), keys=(F.col("x").cast("decimal(6,1)").alias("d"),))
state("array key", F.count("*"), keys=(F.array("k", "s").alias("pair"),))
state("no key", F.sum("v"), F.count("*"), keys=())
state("several", F.sum("v"), F.avg("x"), F.max("s"), F.count("*"))
state("filtered", F.expr("sum(v) filter (where s = 'p')"))
