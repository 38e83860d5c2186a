def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], p["numInputRows"], p["eventTime"].get("watermark") if p["eventTime"] else None,
             [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

import json
def ev(folder, name, *rows):
    put(f"{folder}/{name}.json", "".join(json.dumps(r) + "\n" for r in rows))
ev("raw", "1", {"value": '{"id":1,"items":[{"sku":"p","qty":2},{"sku":"c","qty":1}],"at":"2024-05-01T09:00:00Z"}'}, {"value": '{"id":1,"items":[{"sku":"p","qty":2},{"sku":"c","qty":1}],"at":"2024-05-01T09:00:00Z"}'}, {"value": "broken"})
ev("raw", "2", {"value": '{"id":2,"items":[],"at":"2024-05-01T09:07:00Z"}'}, {"value": '{"id":3,"items":[{"sku":"p","qty":5}],"at":"2024-05-01T09:20:00Z"}'})
ev("raw", "3", {"value": '{"id":4,"items":[{"sku":"h","qty":1}],"at":"2024-05-01T10:00:00Z"}'}, {"value": '{"id":5,"items":[{"sku":"p","qty":1}],"at":"2024-05-01T09:01:00Z"}'})
ev("price", "1", {"sku": "p", "price": 1.5}, {"sku": "c", "price": 8.0})
schema = "id INT, items ARRAY<STRUCT<sku: STRING, qty: INT>>, at TIMESTAMP"
raw = spark.readStream.schema("value STRING").option("maxFilesPerTrigger", 1).json("raw")
parsed = raw.select(F.from_json("value", schema).alias("o")).select("o.*")
orders = parsed.where("id is not null").withWatermark("at", "10 minutes").dropDuplicates(["id", "at"])
lines = orders.select("id", "at", F.explode("items").alias("i")).select("id", "at", "i.sku", "i.qty")
price = spark.read.schema("sku STRING, price DOUBLE").json("price")
priced = lines.join(price, "sku", "left").withColumn("amount", F.round(F.col("qty") * F.coalesce("price", F.lit(0.0)), 2))
totals = priced.groupBy(F.window("at", "15 minutes"), "sku").agg(F.sum("qty").alias("qty"), F.sum("amount").alias("amount"))
show("schema", [priced.columns, totals.dtypes, totals.isStreaming])
log = []
def write(batch, n):
    batch = batch.select(F.date_format("window.start", "HH:mm").alias("at"), "sku", "qty", "amount")
    batch.persist()
    log.append((n, batch.count(), sorted(tuple(r) for r in batch.collect()), [r["sku"] for r in batch.orderBy(F.desc("amount")).limit(1).collect()]))
    batch.write.mode("append").parquet("totals")
    batch.groupBy("sku").agg(F.sum("qty").alias("q")).withColumn("batch", F.lit(n)).write.mode("append").json("by_sku")
    batch.unpersist()
q = totals.writeStream.foreachBatch(write).option("checkpointLocation", "ck/totals").queryName("totals").trigger(availableNow=True).start()
q.awaitTermination()
show("log", log)
show("numbers", numbers(q))
show("totals", spark.read.parquet("totals"))
show("by sku", spark.read.schema("sku STRING, q LONG, batch INT").json("by_sku"))
ev("raw", "4", {"value": '{"id":6,"items":[{"sku":"c","qty":9}],"at":"2024-05-01T11:00:00Z"}'})
a = totals.writeStream.foreachBatch(write).option("checkpointLocation", "ck/totals").trigger(availableNow=True).start()
b = lines.writeStream.format("memory").queryName("lines").trigger(availableNow=True).start()
c = priced.groupBy("sku").agg(F.sum("amount").alias("a"), F.approx_count_distinct("id").alias("orders")).orderBy(F.desc("a")).writeStream.format("memory").queryName("best").outputMode("complete").trigger(availableNow=True).start()
for x in (a, b, c):
    x.awaitTermination()
show("log later", log)
show("lines", spark.sql("select * from lines order by id, sku"))
show("best", [tuple(r) for r in spark.table("best").collect()])
show("best sql", spark.sql("select count(*) n, sum(a) t from best"))
show("names", sorted(str(x.name) for x in (a, b, c)))
show("numbers of all", [numbers(x) for x in (a, b, c)])
second = spark.readStream.schema("at STRING, sku STRING, qty LONG, amount DOUBLE").parquet("totals")
d = second.groupBy("sku").agg(F.sum("qty").alias("q"), F.count("*").alias("n")).writeStream.format("memory").queryName("second").outputMode("update").trigger(availableNow=True).start()
d.awaitTermination()
show("second", spark.table("second"))
u = orders.select("id", F.col("at").alias("t"), F.lit("order").alias("kind")).union(lines.select("id", F.col("at").alias("t"), "sku"))
e = u.groupBy(F.window("t", "1 hour"), "kind").count().writeStream.format("memory").queryName("united").trigger(availableNow=True).start()
e.awaitTermination()
show("united", spark.table("united").select("window.start", "kind", "count"))
show("united numbers", numbers(e))
f = orders.alias("o").join(lines.alias("l"), F.expr("o.id = l.id and l.at >= o.at and l.at <= o.at + interval 1 minute"), "left").groupBy("o.id").agg(F.count("l.sku").alias("n"))
show("join of both", tried(lambda: f.writeStream.format("memory").queryName("both").outputMode("update").trigger(availableNow=True).start().awaitTermination()))
g = orders.alias("o").join(lines.alias("l"), F.expr("o.id = l.id and l.at >= o.at and l.at <= o.at + interval 1 minute"), "left").select("o.id", "sku")
def memory(name, d, mode="append"):
    q = d.writeStream.format("memory").queryName(name).outputMode(mode).trigger(availableNow=True).start()
    q.awaitTermination()
    return [numbers(q), sorted(str(tuple(r)) for r in spark.table(name).collect())]
show("left of both", tried(lambda: memory("both2", g)))
spark.conf.set("spark.sql.streaming.statefulOperator.allowMultiple", "false")
show("one only", tried(lambda: memory("one", lines.groupBy(F.window("at", "15 minutes")).count())))
show("single", tried(lambda: memory("single", parsed.where("id is not null").withWatermark("at", "10 minutes").groupBy(F.window("at", "15 minutes")).count())))
spark.conf.unset("spark.sql.streaming.statefulOperator.allowMultiple")
spark.conf.set("spark.sql.streaming.minBatchesToRetain", 2)
spark.conf.set("spark.sql.streaming.stateStore.minDeltasForSnapshot", 2)
spark.conf.set("spark.sql.shuffle.partitions", 1)
for i in range(10, 16):
    ev("raw", str(i), {"value": json.dumps({"id": i, "items": [{"sku": "p", "qty": i}], "at": f"2024-05-02T{i}:00:00Z"})})
    q = lines.groupBy("sku").agg(F.sum("qty").alias("q")).writeStream.format("noop").outputMode("update").option("checkpointLocation", "ck/kept").trigger(availableNow=True).start()
    q.awaitTermination()
show("kept files", [x for x in ls("ck/kept") if x.split("/")[0] in ("offsets", "commits")])
show("kept state", spark.read.format("statestore").load("ck/kept").select("key.sku", "value.*"))
show("kept dedup", spark.read.format("statestore").option("operatorId", 1).load("ck/kept").count())
show("kept metadata", spark.read.format("state-metadata").load("ck/kept"))
spark.conf.set("spark.sql.streaming.stateStore.providerClass", "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider")
show("conf of provider", tried(lambda: spark.conf.get("spark.sql.streaming.stateStore.providerClass")))
spark.conf.unset("spark.sql.streaming.stateStore.providerClass")
show("bad number", tried(lambda: spark.conf.set("spark.sql.shuffle.partitions", "many")))
show("zero partitions", tried(lambda: spark.conf.set("spark.sql.shuffle.partitions", 0)))
