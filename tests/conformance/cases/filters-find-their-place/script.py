rows = [("a", 1, "10:00"), ("b", 2, "10:03"), ("a", 3, "10:06"), ("c", 4, "10:20"), ("a", 5, "10:01"), ("b", 6, "10:40"), ("c", 7, "11:30"), ("a", 8, "11:31")]
for i, r in enumerate(rows):
    put(f"in/{i}.json", '{"k":"%s","v":%d,"ts":"2024-01-01 %s:00"}\n' % r)
put("names/1.json", '{"k":"a","n":"anna"}\n{"k":"b","n":"bert"}\n')
W = lambda: spark.readStream.schema("k STRING, v INT, ts TIMESTAMP").option("maxFilesPerTrigger", 2).json("in").withWatermark("ts", "5 minutes")
R = lambda: W().select(F.col("k").alias("k2"), F.col("v").alias("v2"), F.col("ts").alias("t2"))
names = spark.read.schema("k STRING, n STRING").json("names")
win = F.window("ts", "10 minutes")
near = F.expr("k = k2 and t2 >= ts and t2 <= ts + interval 10 minutes")

def run(name, d, mode="append"):
    q = (d.writeStream.format("memory").queryName(name).outputMode(mode).option("checkpointLocation", "ck_" + name)
         .trigger(availableNow=True).start())
    q.awaitTermination()
    show(name, spark.table(name))
    show(name + " numbers", [(p["batchId"], p["numInputRows"], p["eventTime"].get("watermark"), p["sink"]["numOutputRows"],
         [(o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"], o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]])
         for p in q.recentProgress])

run("of_a_key", W().groupBy(win, "k").count().filter("k <> 'a'"))
run("of_the_window", W().groupBy(win, "k").count().filter("window.start > '2024-01-01 10:05:00'"))
run("of_the_result", W().groupBy(win, "k").count().filter("count > 1"))
run("of_both", W().groupBy("k").agg(F.sum("v").alias("s")).filter("k <> 'c' and s > 3"), "update")
run("of_a_computed_key", W().groupBy(F.upper("k").alias("u")).count().filter("u = 'A'"), "complete")
run("of_the_left", W().join(R(), near).filter("v > 2"))
run("of_the_right", W().join(R(), near).filter("v2 < 6"))
run("of_both_sides", W().join(R(), near).filter("v < v2"))
run("above_left_join", W().join(R(), near, "left").filter("v > 2"))
run("right_above_left_join", W().join(R(), near, "left").filter("v2 is null or v2 > 3"))
run("above_static", W().join(names, "k").filter("n = 'anna' and v > 1").groupBy(win, "n").agg(F.sum("v")))
run("after_dedup", W().dropDuplicates(["k"]).filter("k <> 'b'"))
run("after_a_select", W().select(F.col("k").alias("x"), "v", "ts").filter("x <> 'b'").groupBy(win, "x").count())
run("on_a_session", W().groupBy(F.session_window("ts", "7 minutes"), "k").agg(F.sum("v").alias("s")).filter("k <> 'a'"))
run("after_union", W().select("k", "ts").union(R().select("k2", "t2")).filter("k = 'c'").groupBy(win).count())
