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
    put(f"in/{name}.json", "".join('{"k":"%s","v":%d,"ts":"2024-03-01 %s"}\n' % r for r in rows))
ev("1", ("a", 1, "10:00:00"), ("b", 2, "10:04:00"))
ev("2", ("a", 3, "10:12:00"), ("c", 4, "10:13:00"))
ev("3", ("a", 5, "10:31:00"), ("b", 6, "10:01:00"))
R = lambda: spark.readStream.schema("k STRING, v INT, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json("in")
W = lambda: R().withWatermark("ts", "10 minutes")
def go(d, path, mode="append", **options):
    def f():
        q = d().writeStream.format("delta").outputMode(mode).options(**options).option("checkpointLocation", "ck/" + path).trigger(availableNow=True).start(path)
        q.awaitTermination()
        return [numbers(q), q.lastProgress["sink"]["numOutputRows"], q.lastProgress["sink"]["description"]]
    return tried(f)
show("bronze", go(R, "bronze"))
B = lambda: spark.readStream.format("delta").load("bronze").withWatermark("ts", "10 minutes")
show("silver", go(lambda: B().dropDuplicates(["k", "ts"]), "silver"))
show("silver rows", spark.read.format("delta").load("silver"))
gold = lambda: spark.readStream.format("delta").load("silver").withWatermark("ts", "10 minutes").groupBy(F.window("ts", "10 minutes"), "k").agg(F.sum("v").alias("v"), F.count("*").alias("n"))
show("gold", go(gold, "gold"))
show("gold rows", spark.read.format("delta").load("gold").select("window.start", "k", "v", "n"))
show("counts", go(lambda: spark.readStream.format("delta").load("silver").groupBy("k").agg(F.sum("v").alias("v")), "counts", "complete"))
show("counts rows", spark.read.format("delta").load("counts"))
show("update", go(lambda: R().groupBy("k").count(), "updated", "update"))
ev("4", ("d", 7, "11:20:00"), ("a", 8, "10:50:00"))
ev("5", ("d", 7, "11:20:00"), ("e", 9, "12:20:00"))
show("bronze again", go(R, "bronze"))
show("silver again", go(lambda: B().dropDuplicates(["k", "ts"]), "silver"))
show("gold again", go(gold, "gold"))
show("gold rows again", spark.read.format("delta").load("gold").select("window.start", "k", "v", "n"))
show("counts again", go(lambda: spark.readStream.format("delta").load("silver").groupBy("k").agg(F.sum("v").alias("v")), "counts", "complete"))
show("counts rows again", spark.read.format("delta").load("counts"))
show("counts log", [(c["version"], c["commitInfo"]["operation"], c["commitInfo"]["operationParameters"].get("outputMode")) for c in log("counts")])
def table():
    q = W().groupBy(F.window("ts", "30 minutes")).agg(F.sum("v").alias("v")).select("window.start", "v").writeStream.format("delta").outputMode("append").option("checkpointLocation", "ck/t").trigger(availableNow=True).toTable("halves")
    q.awaitTermination()
    return numbers(q)
show("table", tried(table))
show("table rows", tried(lambda: spark.table("halves")))
show("table as stream", tried(lambda: go(lambda: spark.readStream.table("halves").agg(F.sum("v").alias("v")), "sum", "complete")))
show("sum rows", spark.read.format("delta").load("sum"))
def upsert(b, n):
    b.select("k", "v").write.format("delta").mode("append").option("txnVersion", n).option("txnAppId", "app").save("each")
def foreach():
    q = W().groupBy("k").agg(F.sum("v").alias("v")).writeStream.foreachBatch(upsert).outputMode("update").option("checkpointLocation", "ck/each").trigger(availableNow=True).start()
    q.awaitTermination()
    return numbers(q)
show("each", tried(foreach))
show("each rows", spark.read.format("delta").load("each"))
show("partitioned", tried(lambda: [W().groupBy(F.window("ts", "10 minutes"), "k").count().select("window.start", "k", "count").writeStream.format("delta").partitionBy("k").option("checkpointLocation", "ck/p").trigger(availableNow=True).start("p").awaitTermination(), sorted(set(x.split("/")[0] for x in ls("p")))]))
show("joined", go(lambda: B().join(spark.readStream.format("delta").load("silver").select(F.col("k").alias("k2"), F.col("ts").alias("t2"), F.col("v").alias("v2")).withWatermark("t2", "5 minutes"), F.expr("k = k2 and t2 between ts - interval 5 minutes and ts + interval 5 minutes"), "left").select("k", "v", "v2"), "joined"))
show("joined rows", spark.read.format("delta").load("joined"))
show("static delta", go(lambda: R().join(spark.read.format("delta").load("counts").withColumnRenamed("v", "total"), "k", "left").groupBy("k").agg(F.max("total").alias("t"), F.sum("v").alias("v")), "static", "complete"))
show("static rows", spark.read.format("delta").load("static"))
show("other schema", go(lambda: W().groupBy(F.window("ts", "10 minutes")).agg(F.sum("v").alias("v"), F.max("k").alias("k")), "gold2"))
show("merge schema", tried(lambda: go(lambda: R().groupBy("k").agg(F.sum("v").alias("v"), F.count("*").alias("n")), "counts", "complete", mergeSchema="true")))
show("append no watermark", go(lambda: R().groupBy("k").count(), "x"))
