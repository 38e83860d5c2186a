put("in/1.json", '{"k":"a","v":1,"ts":"2024-01-01 10:00:00"}\n{"k":null,"v":2,"ts":"2024-01-01 10:01:00"}\n')
base = lambda: spark.readStream.schema("k STRING, v INT, ts TIMESTAMP").json("in")
renamed = lambda: base().select(F.col("k").alias("k2"), F.col("v").alias("v2"), F.col("ts").alias("t2"))
L = lambda: base().withWatermark("ts", "10 minutes")
R = lambda: renamed().withWatermark("t2", "10 minutes")
near = F.expr("k = k2 and t2 >= ts and t2 <= ts + interval 5 minutes")
n = 0

def run(label, d):
    global n
    n += 1
    d.writeStream.format("noop").option("checkpointLocation", f"ck{n}").trigger(availableNow=True).start().awaitTermination()
    for store in ("left-keyToNumValues", "left-keyWithIndexToValue", "right-keyWithIndexToValue"):
        schema = spark.read.format("statestore").option("storeName", store).load(f"ck{n}").schema
        show(f"{label} {store}", [[(f.name, f.dataType.simpleString(), f.nullable, dict(f.metadata)) for f in schema[part].dataType]
                                  for part in ("key", "value")])

for how in ("inner", "left", "right", "full", "left_semi"):
    run(how, L().join(R(), near, how))
run("watermark then rename", L().join(L().select(F.col("k").alias("k2"), F.col("ts").alias("t2")), near))
run("a column computed", L().join(R().withColumn("v2", F.col("v2") + 1), near, "left"))
run("columns left out", L().join(R().select("k2", "t2"), near, "left"))
run("another order", L().join(R().select("t2", "v2", "k2"), near))
run("a filter", L().join(R().filter("v2 > 0"), near))
run("equal times", L().join(R(), F.expr("k = k2 and ts = t2")))
run("null-safe", L().join(R(), F.expr("k <=> k2")))
run("expressions", L().join(R(), F.expr("upper(k) = k2 and v + 1 = v2")))
run("no watermark", base().join(renamed(), F.expr("k = k2")))
