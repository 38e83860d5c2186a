def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

def ev(name, *rows):
    put(f"in/{name}.json", "".join('{"k":"%s","v":%d,"ts":"2024-01-01 %s"}\n' % r for r in rows))

R = lambda: spark.readStream.schema("k STRING, v INT, ts TIMESTAMP").json("in")
W = lambda: R().withWatermark("ts", "5 minutes")
win = F.window("ts", "10 minutes")
count = 0

def run(d, path, mode):
    rows = []
    q = (d.writeStream.foreachBatch(lambda b, i: rows.extend(sorted(tuple(str(c) for c in r) for r in b.collect()))).outputMode(mode)
         .option("checkpointLocation", path).trigger(availableNow=True).start())
    q.awaitTermination()
    return [rows, numbers(q)]

def change(label, first, then, mode="update", mode2=None):
    global count
    count += 1
    path = f"ck{count}"
    ev(f"{count}a", ("a", 1, "10:00:00"), ("b", 2, "10:01:00"))
    run(first(), path, mode)
    ev(f"{count}b", ("a", 10, "10:02:00"), ("c", 3, "10:30:00"))
    show(label, tried(lambda: run(then(), path, mode2 or mode)))

total = lambda: R().groupBy("k").agg(F.sum("v").alias("t"))
change("nothing", total, total)
change("another alias", total, lambda: R().groupBy(F.col("k").alias("key")).agg(F.sum("v").alias("sum")))
change("a filter before", total, lambda: R().filter("v > 5").groupBy("k").agg(F.sum("v")))
change("a filter after", total, lambda: total().filter("t > 5"))
change("update to complete", total, total, "update", "complete")
change("another aggregate", total, lambda: R().groupBy("k").agg(F.max("v")))
change("one more aggregate", total, lambda: R().groupBy("k").agg(F.sum("v"), F.count("*")))
change("sum of another type", total, lambda: R().groupBy("k").agg(F.sum(F.col("v").cast("double"))))
change("one more key", total, lambda: R().groupBy("k", "v").agg(F.sum("v")))
change("a key of another type", total, lambda: R().groupBy("v").agg(F.sum("v")))
change("to a deduplication", total, lambda: R().dropDuplicates(["k"]))
change("one more operator", lambda: W().dropDuplicates(["k"]), lambda: W().dropDuplicates(["k"]).groupBy(win).count(), "append")
change("one operator less", lambda: W().dropDuplicates(["k", "ts"]).groupBy(win).count(), lambda: W().groupBy(win).count(), "append")
change("no state any more", total, lambda: R().select("k"))
change("state from now on", lambda: R().select("k"), total)
change("another window", lambda: W().groupBy(win).count(), lambda: W().groupBy(F.window("ts", "20 minutes")).count(), "append")
change("without watermark", lambda: W().groupBy(win).count(), lambda: R().groupBy(win).count())
change("another delay", lambda: W().groupBy(win).count(), lambda: R().withWatermark("ts", "20 minutes").groupBy(win).count(), "append")
change("another key of dedup", lambda: R().dropDuplicates(["k"]), lambda: R().dropDuplicates(["v"]), "append")
change("one more key of dedup", lambda: R().dropDuplicates(["k"]), lambda: R().dropDuplicates(["k", "v"]), "append")
change("within watermark", lambda: W().dropDuplicates(["k"]), lambda: W().dropDuplicatesWithinWatermark(["k"]), "append")
change("window to session", lambda: W().groupBy(win, "k").count(), lambda: W().groupBy(F.session_window("ts", "5 minutes"), "k").count(), "append")
change("another gap", lambda: W().groupBy(F.session_window("ts", "5 minutes"), "k").count(),
       lambda: W().groupBy(F.session_window("ts", "1 hour"), "k").count(), "append")
change("another limit", lambda: R().limit(1), lambda: R().limit(3), "append")
change("one more source", lambda: R().select("k"), lambda: R().select("k").union(R().select("k")), "append")
spark.conf.set("spark.sql.streaming.stateStore.stateSchemaCheck", False)
change("unchecked alias", total, lambda: R().groupBy("k").agg(F.sum("v").alias("x")))
spark.conf.unset("spark.sql.streaming.stateStore.stateSchemaCheck")
spark.conf.set("spark.sql.shuffle.partitions", 3)
change("three partitions", total, total)
show("partitions", sorted({f.split("/")[0] for f in ls("ck1/state/0") if f[0].isdigit()}))
spark.conf.set("spark.sql.shuffle.partitions", 2)
