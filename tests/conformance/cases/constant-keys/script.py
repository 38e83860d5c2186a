put("in/1.json", "".join('{"k":%s,"v":%d,"ts":"2024-01-01 10:0%d:00"}\n' % r for r in [('"a"', 1, 0), ('"b"', 2, 1), ("null", 3, 2), ('"a"', 4, 9)]))
s = lambda: spark.readStream.schema("k STRING, v INT, ts TIMESTAMP").json("in")

def run(name, d, mode="complete"):
    q = (d.writeStream.format("memory").queryName(name).outputMode(mode).option("checkpointLocation", "ck_" + name)
         .trigger(availableNow=True).start())
    q.awaitTermination()
    show(name, spark.table(name).drop("day"))
    show(name + " state", spark.read.format("statestore").load("ck_" + name).dtypes)

run("one_constant", s().groupBy(F.lit("x").alias("c")).count())
run("beside_a_column", s().groupBy("k", F.lit(1).alias("one")).agg(F.sum("v")))
run("twice", s().groupBy("k", F.col("k").alias("again")).agg(F.sum("v")))
run("batch_time", s().groupBy(F.lit(None).alias("n"), F.current_date().alias("day")).agg(F.sum("v")))
run("column_of_constants", s().withColumn("c", F.lit("q")).groupBy("c", "k").count())
run("beside_a_window", s().withWatermark("ts", "5 minutes").groupBy(F.window("ts", "5 minutes"), F.lit("x").alias("c")).count(), "append")
run("expressions", s().groupBy((F.lit(1) + F.lit(1)).alias("two"), F.upper("k").alias("u"), F.upper("k").alias("u2")).count())
