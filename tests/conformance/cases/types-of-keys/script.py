def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], p["numInputRows"], p["eventTime"].get("watermark") if p["eventTime"] else None,
             [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

put("in/1.json", '{"k":"a","b":true,"d":"2024-01-01","x":1.5,"n":9223372036854775800,"v":[1,2],"m":{"p":1},"s":{"a":1,"b":"x"},"dec":1.10,"ts":"2024-01-01T10:00:00Z"}\n{"k":"a","b":false,"d":"2024-01-02","x":"NaN","n":1,"v":[1,2],"m":{"p":2},"s":{"a":1,"b":"x"},"dec":1.1,"ts":"2024-01-01T10:01:00Z"}\n')
put("in/2.json", '{"k":"","b":null,"d":null,"x":-0.0,"n":2,"v":[],"m":null,"s":null,"dec":99999.99,"ts":"2024-01-01T10:20:00Z"}\n{"k":null,"b":true,"d":"2024-01-01","x":0.0,"n":3,"v":null,"m":{},"s":{"a":null,"b":"y"},"dec":null,"ts":"2024-01-01T10:21:00Z"}\n')
put("in/3.json", '{"k":"ä","b":true,"d":"1969-12-31","x":"NaN","n":100,"v":[2,1],"m":{"q":null},"s":{"a":2,"b":null},"dec":0.5,"ts":"2024-01-01T11:00:00Z"}\n')
R = lambda: (spark.readStream.schema("k STRING, b BOOLEAN, d DATE, x DOUBLE, n LONG, v ARRAY<INT>, m MAP<STRING,INT>, s STRUCT<a: INT, b: STRING>, dec DECIMAL(7,2), ts TIMESTAMP")
             .option("maxFilesPerTrigger", 1).json("in"))
W = lambda: R().withWatermark("ts", "5 minutes")
w = F.window("ts", "10 minutes")
def run(name, d, mode="update"):
    out = []
    def go():
        x = d()
        q = x.writeStream.foreachBatch(lambda b, i: out.append((i, sorted(str(tuple(r)) for r in b.collect())))).outputMode(mode).option("checkpointLocation", "ck/" + name.replace(" ", "_")).trigger(availableNow=True).start()
        q.awaitTermination()
        return [x.dtypes, numbers(q)]
    show(name + " state", tried(go))
    show(name, out)
for key in ("k", "b", "d", "x", "n", "v", "s", "dec", "ts"):
    run("group by " + key, lambda: R().groupBy(key).agg(F.count("*").alias("c"), F.max("n").alias("n")))
    run("dedup by " + key, lambda: R().dropDuplicates([key]).select(key))
run("dedup by map", lambda: R().dropDuplicates(["m"]))
run("group by field", lambda: R().groupBy("s.a", F.col("s.b").alias("sb")).count())
run("group by element", lambda: R().groupBy(F.col("v")[0].alias("first")).count())
run("group by two", lambda: R().groupBy("k", "b").agg(F.first("d").alias("d")))
run("group by expression", lambda: R().groupBy(F.upper(F.substring("k", 1, 1)).alias("i"), (F.col("n") > 5).alias("big")).count())
run("extremes", lambda: R().groupBy().agg(F.max("k"), F.min("k"), F.max("b"), F.min("d"), F.max("x"), F.min("x"), F.max("dec"), F.max("ts"), F.max("s"), F.min("v")))
run("sums", lambda: W().groupBy(w).agg(F.sum("dec").alias("d"), F.avg("dec").alias("a"), F.sum("x").alias("x"), F.avg("n").alias("n"), F.sum(F.col("b").cast("int")).alias("b")), "append")
run("lists of all", lambda: R().groupBy("b").agg(F.collect_list("s").alias("s"), F.collect_list("v").alias("v"), F.collect_list("d").alias("d"), F.collect_set("dec").alias("c")))
run("firsts of all", lambda: R().groupBy("b").agg(F.first("s").alias("s"), F.last("v").alias("v"), F.first("m").alias("m"), F.last("ts").alias("ts"), F.max_by("s", "n").alias("ms")))
run("overflow", lambda: R().agg(F.sum("n")))
run("overflow by key", lambda: R().groupBy("k").agg(F.sum(F.col("n") + 0)), "complete")
run("division", lambda: R().groupBy("k").agg((F.sum("n") / F.sum(F.lit(0))).alias("q")))
run("division in select", lambda: R().select((F.col("n") % (F.length("k") - 1)).alias("q")))
run("bad cast in key", lambda: R().groupBy(F.col("k").cast("int").alias("i")).count())
run("try cast in key", lambda: R().groupBy(F.expr("try_cast(k as int)").alias("i")).count())
run("array index", lambda: R().groupBy(F.col("v").getItem(1).alias("i")).count())
run("element at", lambda: R().where("v is not null").groupBy(F.element_at("v", 2).alias("i")).count())
run("map value", lambda: R().groupBy(F.col("m")["p"].alias("p")).count())
run("bad aggregate type", lambda: R().groupBy("k").agg(F.sum("b")))
run("collect set of maps", lambda: R().groupBy("k").agg(F.collect_set("m")))
run("explode then group", lambda: W().select("ts", F.explode("v").alias("e")).groupBy(w, "e").count(), "append")
run("outer explode then dedup", lambda: W().select("ts", F.explode_outer("v").alias("e")).dropDuplicates(["e", "ts"]), "append")
run("null safe key", lambda: R().groupBy(F.coalesce("k", F.lit("none")).alias("k")).agg(F.count("k").alias("c")))
run("case key", lambda: R().groupBy(F.when(F.col("x") > 1, "high").when(F.col("x") <= 1, "low").otherwise("none").alias("level")).agg(F.sum("dec").alias("d")))
run("filtered aggregates", lambda: W().groupBy(w).agg(F.expr("count(k) filter (where b)").alias("c"), F.expr("max(n) filter (where x = 0)").alias("n"), F.count_if("b").alias("bs")), "append")
run("session by struct", lambda: W().groupBy(F.session_window("ts", "2 minutes"), "s").count(), "append")
run("nan join", lambda: W().select("x", "ts").join(W().select(F.col("x").alias("y"), F.col("ts").alias("t2")), F.expr("x = y and ts <= t2 and t2 <= ts + interval 2 hours")), "append")
run("struct join", lambda: W().select("s", "ts").join(W().select(F.col("s").alias("s2"), F.col("ts").alias("t2")), F.expr("s = s2 and ts = t2")), "append")
run("date join", lambda: W().select("d", "k", "ts").join(W().select(F.col("d").alias("d2"), F.col("n"), F.col("ts").alias("t2")), F.expr("d = d2 and t2 between ts - interval 1 hour and ts + interval 1 hour"), "full").select("d", "k", "d2", "n"), "append")
for name in ("group_by_v", "group_by_s", "group_by_dec", "dedup_by_x", "group_by_two"):
    show(name + " kept", tried(lambda: spark.read.format("statestore").load("ck/" + name)))
