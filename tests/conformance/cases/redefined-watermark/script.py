def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

def ev(name, *rows):
    put(f"in/{name}.json", "".join('{"k":"%s","ts":"2024-01-01 %s"}\n' % r for r in rows))

ev("1", ("a", "10:00:00"))
ev("2", ("a", "10:20:00"))
ev("3", ("b", "10:40:00"))
s = lambda: spark.readStream.schema("k STRING, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json("in")

def run(name, d, mode="append"):
    def go():
        q = (d().writeStream.format("memory").queryName(name).outputMode(mode).option("checkpointLocation", "ck_" + name)
             .trigger(availableNow=True).start())
        q.awaitTermination()
        return [(p["batchId"], p["eventTime"].get("watermark")) for p in q.recentProgress]
    show(name, tried(go))
    show(name + " rows", tried(lambda: spark.table(name)))
    show(name + " offsets", ls("ck_" + name + "/offsets"))
    show(name + " commits", ls("ck_" + name + "/commits"))

twice = lambda: s().withWatermark("ts", "10 minutes").withWatermark("ts", "1 minute")
count = lambda d: d.groupBy(F.window("ts", "10 minutes")).count()
run("windows", lambda: count(twice()))
run("stateless", twice)
run("same", lambda: count(s().withWatermark("ts", "10 minutes").withWatermark("ts", "10 minutes")))
run("apart", lambda: count(s().withWatermark("ts", "10 minutes").filter("k <> 'c'").withWatermark("ts", "1 minute")))
spark.conf.set("spark.sql.streaming.statefulOperator.allowMultiple", False)
run("old", lambda: count(twice()))
spark.conf.unset("spark.sql.streaming.statefulOperator.allowMultiple")
