def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

def ev(folder, name, *rows):
    put(f"{folder}/{name}.json", "".join('{"k":%s,"n":%d,"ts":"2024-01-01 %s"}\n' % r for r in rows))

a, b, none = '"a"', '"b"', "null"
ev("l", "1", (a, 1, "10:00:00"), (b, 2, "10:01:00"), (none, 3, "10:02:00"))
ev("r", "1", (a, 10, "10:03:00"), (none, 30, "10:03:00"))
ev("l", "2", (a, 4, "10:15:00"), (b, -5, "10:16:00"))
ev("r", "2", (b, 20, "10:15:00"))
ev("l", "3", (a, 6, "10:20:00"), (b, 7, "10:05:00"))
ev("r", "3", (a, 40, "10:15:00"), (a, 41, "10:20:00.001"))
ev("l", "4", (a, 8, "10:20:00.001"))
ev("r", "4", (a, 50, "10:35:00"))
ev("l", "5", (b, 9, "11:30:00"))
ev("r", "5", (b, 60, "11:30:00"))
read = lambda folder: spark.readStream.schema("k STRING, n INT, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json(folder)
L = lambda: read("l").withWatermark("ts", "5 minutes")
Rr = lambda: read("r").select(F.col("k").alias("k2"), F.col("n").alias("m"), F.col("ts").alias("t2")).withWatermark("t2", "5 minutes")

def run(name, how, condition, left=L, right=Rr, mode="append"):
    def go():
        d = left().join(right(), F.expr(condition), how)
        q = d.writeStream.format("memory").queryName(name).outputMode(mode).option("checkpointLocation", "ck_" + name).trigger(availableNow=True).start()
        q.awaitTermination()
        return numbers(q)
    show(name + " state", tried(go))
    show(name, tried(lambda: spark.table(name)))

closed = "k = k2 and t2 >= ts and t2 <= ts + interval 10 minutes"
run("inner_closed", "inner", closed)
run("inner_open", "inner", "k = k2 and t2 > ts and t2 < ts + interval 10 minutes")
run("left_closed", "left", closed)
run("left_open", "left", "k = k2 and t2 > ts and t2 < ts + interval 10 minutes")
run("right_closed", "right", closed)
run("full_closed", "full", closed)
run("semi_closed", "left_semi", closed)
run("equal_time", "inner", "k = k2 and ts = t2")
run("equal_time_left", "left", "k = k2 and ts = t2")
run("one_sided", "left", closed + " and n > 0 and m < 50")
run("one_sided_inner", "inner", closed + " and n > 0")
run("unequal_rest", "left", closed + " and n * 10 = m")
run("no_watermark", "inner", "k = k2", lambda: read("l"), lambda: Rr().select("k2", "m"))
run("right_watermark_only", "left", closed, lambda: read("l"))
run("left_watermark_only", "left", closed, L, lambda: read("r").select(F.col("k").alias("k2"), F.col("n").alias("m"), F.col("ts").alias("t2")))
run("update", "inner", closed, mode="update")
run("by_window", "inner", "k = k2 and w = w2", lambda: L().select("k", "n", F.window("ts", "10 minutes").alias("w")),
    lambda: Rr().select("k2", "m", F.window("t2", "10 minutes").alias("w2")))
run("several_bounds", "inner", "k = k2 and t2 >= ts and t2 <= ts + interval 10 minutes and t2 <= ts + interval 3 minutes")
show("itself", tried(lambda: L().alias("x").join(L().alias("y"), F.expr("x.k = y.k and x.ts = y.ts")).columns))
