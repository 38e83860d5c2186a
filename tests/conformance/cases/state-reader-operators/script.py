def ev(name, *rows):
    put(f"in/{name}.json", "".join('{"k":"%s","v":%d,"ts":"2024-01-01 %s"}\n' % r for r in rows))

ev("1", ("a", 1, "10:00:00"), ("b", 2, "10:01:00"), ("a", 3, "10:12:00"))
ev("2", ("a", 4, "10:04:00"), ("c", 5, "10:20:00"))
s = lambda: (spark.readStream.schema("k STRING, v INT, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json("in")
             .withWatermark("ts", "10 minutes"))

def run(d, mode, path):
    d.writeStream.format("noop").outputMode(mode).option("checkpointLocation", path).trigger(availableNow=True).start().awaitTermination()

def state(path, **options):
    return spark.read.format("statestore").options(**options).load(path).drop("partition_id")

run(s().groupBy(F.session_window("ts", "5 minutes"), "k").agg(F.count("*"), F.max("v")), "append", "sessions")
show("sessions", state("sessions"))
show("sessions before", state("sessions", batchId=0))
show("sessions schema", state("sessions").dtypes)
run(s().groupBy(F.window("ts", "10 minutes"), "k").agg(F.sum("v")), "append", "windows")
show("windows", state("windows"))
run(s().dropDuplicates(["k"]), "append", "dedup")
show("dedup", state("dedup"))
run(s().dropDuplicatesWithinWatermark(["k"]), "append", "within")
show("within", state("within"))
run(s().limit(3), "append", "limit")
show("limit", state("limit"))
other = s().select(F.col("k").alias("k2"), F.col("ts").alias("t2"))
run(s().join(other, F.expr("k = k2 and t2 >= ts and t2 <= ts + interval 5 minutes"), "left"), "append", "join")
for side in ("left", "right"):
    show(side, state("join", joinSide=side))
    show(side + " rows", state("join", storeName=side + "-keyWithIndexToValue"))
    show(side + " counts", state("join", storeName=side + "-keyToNumValues"))
show("join metadata", spark.read.format("state-metadata").load("join"))
run(s().dropDuplicates(["k", "ts"]).groupBy(F.window("ts", "10 minutes")).count(), "append", "two")
show("outer", state("two"))
show("inner", state("two", operatorId=1))
show("two metadata", spark.read.format("state-metadata").load("two"))
