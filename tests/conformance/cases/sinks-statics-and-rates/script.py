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
ev("4", ("d", 7, "11:20:00"))
put("names/1.json", '{"k":"a","team":"red"}\n{"k":"b","team":"blue"}\n{"k":"d","team":"red"}\n{"k":null,"team":"none"}\n')
R = lambda: spark.readStream.schema("k STRING, v INT, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json("in")
W = lambda: R().withWatermark("ts", "10 minutes")
S = lambda: spark.read.schema("k STRING, team STRING").json("names")
w = F.window("ts", "10 minutes")
counted = lambda: W().groupBy(w, "k").agg(F.sum("v").alias("s"), F.count("*").alias("n"))
def go(d, fmt, path, mode="append", **options):
    def f():
        q = d().writeStream.format(fmt).outputMode(mode).options(**options).option("checkpointLocation", "ck/" + path).trigger(availableNow=True).start(path)
        q.awaitTermination()
        return [numbers(q), q.lastProgress["sink"]["numOutputRows"], q.lastProgress["sink"]["description"]]
    return tried(f)
show("parquet", go(counted, "parquet", "out_parquet"))
show("parquet rows", spark.read.parquet("out_parquet"))
show("parquet log", [x for x in ls("out_parquet") if x.startswith("_spark_metadata")])
ev("5", ("e", 8, "12:00:00"))
show("parquet again", go(counted, "parquet", "out_parquet"))
show("parquet rows again", spark.read.parquet("out_parquet").select("window.start", "k", "s"))
show("json", go(lambda: counted().select("window.start", "k", "s"), "json", "out_json"))
show("json rows", spark.read.schema("start TIMESTAMP, k STRING, s LONG").json("out_json"))
show("csv of struct", go(counted, "csv", "out_csv"))
show("csv", go(lambda: counted().select(F.date_format("window.start", "HH:mm").alias("at"), "k", "s"), "csv", "out_csv2", header="true"))
show("csv rows", spark.read.option("header", True).csv("out_csv2"))
show("parquet update", go(counted, "parquet", "out_u", "update"))
show("parquet complete", go(counted, "parquet", "out_c", "complete"))
def partitioned():
    q = (counted().select("window.start", "k", "s").writeStream.format("parquet").partitionBy("k").option("path", "out_p").option("checkpointLocation", "ck/out_p")
         .trigger(availableNow=True).start())
    q.awaitTermination()
    return numbers(q)
show("partitioned", tried(partitioned))
show("partitioned rows", spark.read.parquet("out_p"))
show("read as stream", tried(lambda: go(lambda: spark.readStream.schema("start TIMESTAMP, s LONG, k STRING").parquet("out_p").groupBy("k").agg(F.sum("s").alias("s")), "memory", "mem", "complete", queryName="mem")))
show("read as stream rows", tried(lambda: spark.table("mem")))
def static(name, d, mode="append"):
    def f():
        q = d().writeStream.format("memory").queryName(name).outputMode(mode).trigger(availableNow=True).start()
        q.awaitTermination()
        return numbers(q)
    show(name + " run", tried(f))
    show(name, tried(lambda: spark.table(name)))
put("in2/1.json", '{"k":"a","v":1,"ts":"2024-03-01 10:00:00"}\n{"k":null,"v":2,"ts":"2024-03-01 10:30:00"}\n{"k":"z","v":3,"ts":"2024-03-01 10:01:00"}\n')
put("in2/2.json", '{"k":"b","v":4,"ts":"2024-03-01 10:45:00"}\n')
R2 = lambda: spark.readStream.schema("k STRING, v INT, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json("in2")
W2 = lambda: R2().withWatermark("ts", "10 minutes")
static("static_inner", lambda: R2().join(S(), "k"))
static("static_left", lambda: R2().join(S(), "k", "left"))
static("static_left_anti", lambda: R2().join(S(), "k", "left_anti"))
static("static_semi", lambda: R2().join(S(), "k", "left_semi"))
static("static_first", lambda: S().join(R2(), "k"))
static("static_first_right", lambda: S().join(R2(), "k", "right"))
static("static_then_window", lambda: W2().join(S(), "k").groupBy(w, "team").agg(F.sum("v").alias("v")))
static("static_left_window", lambda: W2().join(S(), "k", "left").groupBy(w, F.coalesce("team", F.lit("?")).alias("team")).count())
static("static_left_filtered", lambda: R2().join(S(), "k", "left").where("team = 'red'"))
static("static_left_null", lambda: R2().join(S(), "k", "left").where("team is null"))
static("static_key_filter", lambda: R2().join(S(), "k").where("k = 'a'"))
static("static_broadcast", lambda: R2().join(F.broadcast(S()), R2().k == S().k) if False else R2().alias("r").join(F.broadcast(S()).alias("s"), F.expr("r.k = s.k and r.v > 1")).select("r.k", "team"))
static("static_cross", lambda: R2().crossJoin(S().select("team").limit(1)).select("k", "team"))
static("static_update", lambda: R2().join(S(), "k").groupBy("team").agg(F.count("*").alias("n")), "update")
static("static_complete", lambda: R2().join(S(), "k").groupBy("team").agg(F.collect_list("v").alias("vs")).orderBy("team"), "complete")
static("agg_then_static", lambda: W2().groupBy(w, "k").count().join(S(), "k", "left").select("window.end", "k", "count", "team"))
static("two_statics", lambda: R2().join(S(), "k").join(S().withColumnRenamed("team", "t2"), "k"))
static("dedup_static", lambda: W2().dropDuplicates(["k", "ts"]).join(S(), "k").select("k", "team"))
rate = lambda: spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 4).option("startTimestamp", 1709287200000).option("advanceMillisPerBatch", 240000).load()
def rated(name, d, mode="append", n=5):
    def f():
        q = d().writeStream.format("memory").queryName(name).outputMode(mode).option("checkpointLocation", "ck/" + name).trigger(once=True)
        out = []
        for i in range(n):
            x = (d().writeStream.foreachBatch(lambda b, i: out.append((i, sorted(str(tuple(r)) for r in b.collect())))).outputMode(mode)
                 .option("checkpointLocation", "ck/" + name).trigger(once=True).start())
            x.awaitTermination()
        return [out, numbers(x)]
    show(name, tried(f))
rated("rate window", lambda: rate().withWatermark("timestamp", "2 minutes").groupBy(F.window("timestamp", "5 minutes")).agg(F.sum("value").alias("s"), F.count("*").alias("n")))
rated("rate mod", lambda: rate().groupBy((F.col("value") % 3).alias("m")).count(), "complete", 2)
rated("rate join", lambda: rate().withWatermark("timestamp", "2 minutes").select("timestamp", (F.col("value") * 2).alias("v")).join(
    rate().withWatermark("timestamp", "2 minutes").select(F.col("timestamp").alias("t2"), F.col("value").alias("v2")), F.expr("v = v2 and t2 >= timestamp - interval 10 minutes and t2 <= timestamp + interval 10 minutes")).select("v"))
show("rate schema", [spark.readStream.format("rate").load().dtypes, spark.readStream.format("rate").option("rowsPerSecond", 5).load().isStreaming])
show("rate bad", tried(lambda: spark.readStream.format("rate").option("rowsPerSecond", 0).load().writeStream.format("noop").trigger(once=True).start().awaitTermination()))
show("rate with schema", tried(lambda: spark.readStream.format("rate").schema("a INT").load()))
