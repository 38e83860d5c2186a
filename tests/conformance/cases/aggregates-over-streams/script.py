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
    put(f"in/{name}.json", "".join('{"u":"%s","item":"%s","price":%s,"q":%s,"ts":"2024-03-01 %s"}\n' % r for r in rows))
ev("1", ("ann", "pen", 1.25, 4, "10:00:00"), ("bob", "cup", 7.5, 1, "10:01:00"), ("ann", "cup", 7.5, 2, "10:02:00"))
ev("2", ("ann", "pen", 1.3, 10, "10:06:00"), ("cat", "hat", "null", 1, "10:07:00"), ("bob", "hat", 15.0, "null", "10:08:00"))
ev("3", ("bob", "pen", 1.2, 3, "10:16:00"), ("ann", "hat", 14.0, 1, "10:03:00"))
ev("4", ("cat", "cup", 8.0, 5, "10:40:00"))
s = lambda: (spark.readStream.schema("u STRING, item STRING, price DOUBLE, q INT, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json("in").withWatermark("ts", "5 minutes"))

def each(name, d, mode="append", sort=True):
    out = []
    def fn(b, i):
        rows = [tuple(str(x) for x in r) for r in b.collect()]
        out.append((i, sorted(rows) if sort else rows))
    def go():
        d1 = d()
        q = (d1.writeStream.foreachBatch(fn).outputMode(mode).trigger(availableNow=True).start())
        q.awaitTermination()
        return [d1.dtypes, numbers(q)]
    show(name + " state", tried(go))
    show(name, out)
w = F.window("ts", "10 minutes").alias("w")
each("basket", lambda: s().groupBy("u").agg(F.sum(F.col("price") * F.col("q")).alias("total"), F.avg("price").alias("avg"), F.min("ts").alias("since"), F.max("ts").alias("last")), "update")
each("top items", lambda: s().groupBy("item").agg(F.sum("q").alias("n")).orderBy(F.col("n").desc_nulls_last(), "item"), "complete", False)
each("collect", lambda: s().groupBy(w, "u").agg(F.collect_list("item").alias("l"), F.sort_array(F.collect_set("item")).alias("s"), F.size(F.collect_set("item")).alias("n")))
each("concat", lambda: s().groupBy("u").agg(F.concat_ws("-", F.sort_array(F.collect_set("item"))).alias("c")), "update")
each("approx", lambda: s().groupBy(w).agg(F.approx_count_distinct("u").alias("users"), F.approx_count_distinct("item", 0.05).alias("items")))
each("approx global", lambda: s().agg(F.approx_count_distinct("u")), "complete")
each("by", lambda: s().groupBy("u").agg(F.min_by("item", "price").alias("cheap"), F.max_by("item", "price").alias("dear"), F.max_by(F.struct("item", "q"), "ts").alias("latest")), "update")
each("spread", lambda: s().groupBy("item").agg(F.stddev("q").alias("sd"), F.stddev_pop("q").alias("sp"), F.variance("price").alias("v"), F.var_pop("price").alias("vp")), "complete")
each("count if", lambda: s().groupBy(w).agg(F.count_if(F.col("price") > 5).alias("dear"), F.sum(F.when(F.col("item") == "pen", F.col("q")).otherwise(0)).alias("pens"), F.expr("any(q > 5)").alias("big"), F.expr("every(price > 1)").alias("all")), "update")
each("bools", lambda: s().groupBy("u").agg(F.bool_and(F.col("q") > 1).alias("a"), F.bool_or(F.col("q") > 1).alias("o"), F.expr("some(item = 'cup')").alias("s")), "complete")
each("any value", lambda: s().groupBy("item").agg(F.any_value("item").alias("v")), "complete")
each("decimals", lambda: s().groupBy("u").agg(F.sum(F.col("price").cast("decimal(10,2)")).alias("d"), F.avg(F.col("price").cast("decimal(10,2)")).alias("a")), "update")
each("pivot", lambda: s().groupBy("u").pivot("item", ["pen", "cup"]).agg(F.sum("q")), "complete")
each("sums of longs", lambda: s().groupBy(F.length("item").alias("len")).agg(F.sum(F.col("q").cast("long")).alias("s"), F.sum(F.lit(1)).alias("ones"), F.avg(F.col("q").cast("smallint")).alias("a")), "complete")
each("grouped shortcuts", lambda: s().groupBy("u").sum("q", "price"), "update")
each("grouped avg", lambda: s().groupBy("u").avg(), "update")
each("grouped max", lambda: s().groupBy("u", "item").max("q"), "update")
each("grouped dict", lambda: s().groupBy("u").agg({"q": "sum", "item": "first", "price": "max"}), "update")
each("global agg", lambda: s().agg(F.sum("q").alias("q"), F.max("item"), F.count(F.lit(1)).alias("n")), "update")
each("group by nothing", lambda: s().groupBy().count(), "complete")
each("expression over", lambda: s().groupBy(w).agg((F.sum("price") / F.count("price")).alias("mean"), (F.max("q") - F.min("q")).alias("range"), F.concat(F.lit("n="), F.count("*").cast("string")).alias("t")))
each("nan and null keys", lambda: s().withColumn("k", F.when(F.col("u") == "ann", F.lit(float("nan"))).when(F.col("u") == "bob", F.lit(-0.0)).when(F.col("item") == "hat", F.lit(0.0))).groupBy("k").count(), "complete")
each("histogram", lambda: s().groupBy((F.floor(F.col("price") / 5) * 5).alias("bucket")).count().withColumnRenamed("count", "n"), "complete")
each("grouping by ordinals", lambda: s().groupBy(F.year("ts").alias("y"), F.hour("ts").alias("h"), F.minute("ts").alias("m")).agg(F.sum("q")), "update")
