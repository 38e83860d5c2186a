def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

def ev(name, *rows):
    put(f"in/{name}.json", "".join('{"id":%s,"v":%d,"ts":"2024-01-01 %s"}\n' % r for r in rows))

ev("1", ('"a"', 1, "10:01:00"), ('"a"', 1, "10:01:00"), ("null", 1, "10:02:00"), ("null", 1, "10:02:00"))
ev("2", ('"a"', 1, "10:12:00"), ('"b"', 1, "10:12:30"))
ev("3", ('"a"', 1, "10:13:00"), ('"b"', 1, "10:00:00"), ('"c"', 1, "10:07:00"))
ev("4", ('"a"', 1, "10:30:00"), ("null", 1, "10:30:00"))
ev("5", ('"a"', 1, "10:31:00"), ('"c"', 1, "10:26:00"), ('"b"', 1, "10:29:00"))
R = lambda: spark.readStream.schema("id STRING, v INT, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json("in")
W = lambda: R().withWatermark("ts", "5 minutes")

def run(name, d, mode="append"):
    q = d.writeStream.format("memory").queryName(name).outputMode(mode).option("checkpointLocation", "ck_" + name).trigger(availableNow=True).start()
    q.awaitTermination()
    show(name + " state", numbers(q))
    show(name + " dropped", [[o["customMetrics"].get("numDroppedDuplicateRows") for o in p["stateOperators"]] for p in q.recentProgress])
    show(name, spark.table(name))
    show(name + " kept", spark.read.format("statestore").load("ck_" + name).drop("partition_id"))

run("by_id", R().dropDuplicates(["id"]).select("id"))
run("by_id_with_watermark", W().dropDuplicates(["id"]).select("id"))
run("by_id_and_time", W().dropDuplicates(["id", "ts"]))
run("all_columns", W().dropDuplicates())
run("within", W().dropDuplicatesWithinWatermark(["id"]))
run("within_all", W().dropDuplicatesWithinWatermark())
run("distinct_update", R().select("id").distinct(), "update")
run("by_window", W().select("id", F.window("ts", "10 minutes").alias("w")).dropDuplicates(["id", "w"]))
show("unknown", tried(lambda: R().dropDuplicates(["nope"])))
