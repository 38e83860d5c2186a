def numbers(q):
    return [(p["batchId"], p["numInputRows"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"],
             o["numRowsRemoved"], o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

def ev(name, *rows):
    put(f"in/{name}.json", "".join('{"k":"%s","ts":"2024-01-01 %s","gap":%s}\n' % r for r in rows))

five, one, ten = '"5 minutes"', '"1 minute"', '"10 minutes"'
ev("1", ("a", "10:00:00", five), ("a", "10:12:00", one), ("b", "10:03:00", "null"))
ev("2", ("a", "10:04:00", ten), ("c", "10:20:00", '"0 seconds"'), ("c", "10:21:00", '"-1 minute"'))
ev("3", ("z", "12:00:00", '"nonsense"'), ("z", "12:01:00", '"1 day"'))
ev("4", ("a", "10:05:00", '"3 hours"'), ("a", "10:06:00", one))
ev("5", ("y", "15:00:00", one))

def run(gap, mode, name):
    events = (spark.readStream.schema("k STRING, ts TIMESTAMP, gap STRING").option("maxFilesPerTrigger", 1).json("in")
              .withWatermark("ts", "10 minutes"))
    q = (events.groupBy("k", F.session_window("ts", gap)).agg(F.count("*").alias("n"), F.min("gap").alias("gap"))
         .writeStream.format("memory").queryName(name).outputMode(mode).option("checkpointLocation", "ck_" + name)
         .trigger(availableNow=True).start())
    q.awaitTermination()
    show(name + " rows", spark.table(name))
    show(name + " state", numbers(q))

run(F.col("gap"), "append", "computed")
run(F.col("gap"), "complete", "whole")
run(F.when(F.col("k") == "a", "5 minutes").otherwise("1 minute"), "append", "chosen")
run("0 minutes", "append", "nothing")
run("1 week 2 days", "complete", "long")
show("files", ls("ck_computed/state"))
