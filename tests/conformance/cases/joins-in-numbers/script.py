def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], p["numInputRows"], p["eventTime"].get("watermark") if p["eventTime"] else None,
             [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

def imp(name, *rows):
    put(f"imp/{name}.json", "".join('{"ad":%s,"cost":%s,"at":"2024-03-01 %s"}\n' % r for r in rows))
def clk(name, *rows):
    put(f"clk/{name}.json", "".join('{"ad":%s,"who":"%s","clicked":"2024-03-01 %s"}\n' % r for r in rows))
imp("1", (1, 0.5, "10:00:00"), (2, 0.7, "10:01:00"), ("null", 1.0, "10:01:30"))
clk("1", (1, "x", "10:02:00"), (9, "y", "10:02:00"), ("null", "n", "10:02:00"))
imp("2", (3, 0.2, "10:10:00"), (1, 0.5, "10:11:00"))
clk("2", (2, "z", "10:20:00"), (1, "x", "10:00:30"), (3, "w", "10:12:00"))
imp("3", (4, 0.9, "10:40:00"))
clk("3", (4, "v", "10:41:00"), (1, "u", "10:11:30"))
imp("4", (5, 0.1, "11:30:00"), (3, 0.3, "10:20:00"))
clk("4", (5, "t", "11:31:00"))
imp("5", (6, 0.1, "12:30:00"))
I = lambda delay="10 minutes": spark.readStream.schema("ad INT, cost DOUBLE, at TIMESTAMP").option("maxFilesPerTrigger", 1).json("imp").withWatermark("at", delay)
C = lambda delay="20 minutes": spark.readStream.schema("ad INT, who STRING, clicked TIMESTAMP").option("maxFilesPerTrigger", 1).json("clk").withWatermark("clicked", delay)
A = lambda: I().withColumnRenamed("ad", "imp_ad")
B = lambda: C().withColumnRenamed("ad", "clk_ad")
n = 0
def run(name, d, mode="append"):
    t = "t_" + name.replace(" ", "_")
    def go():
        q = d().writeStream.format("memory").queryName(t).outputMode(mode).option("checkpointLocation", "ck_" + t).trigger(availableNow=True).start()
        q.awaitTermination()
        return numbers(q)
    show(name + " state", tried(go))
    show(name, tried(lambda: spark.table(t)))
near = F.expr("imp_ad = clk_ad AND clicked >= at AND clicked <= at + interval 15 minutes")
for how in ("inner", "left_outer", "right_outer", "full_outer", "left_semi"):
    run("near " + how, lambda: A().join(B(), near, how))
spark.conf.set("spark.sql.streaming.multipleWatermarkPolicy", "max")
for how in ("inner", "left_outer", "full_outer"):
    run("max policy " + how, lambda: A().join(B(), near, how))
spark.conf.unset("spark.sql.streaming.multipleWatermarkPolicy")
run("using name", lambda: I().join(C(), "ad"))
run("using names", lambda: I().join(C(), ["ad"], "left"))
run("using left bounded", lambda: I().select("ad", F.window("at", "10 minutes").alias("w"), "cost").join(C().select("ad", F.window("clicked", "10 minutes").alias("w"), "who"), ["ad", "w"], "left"))
run("using full bounded", lambda: I().select("ad", F.window("at", "10 minutes").alias("w"), "cost").join(C().select("ad", F.window("clicked", "10 minutes").alias("w"), "who"), ["ad", "w"], "full"))
run("using right bounded", lambda: I().select("ad", F.window("at", "10 minutes").alias("w"), "cost").join(C().select("ad", F.window("clicked", "10 minutes").alias("w"), "who"), ["ad", "w"], "right"))
run("aliases", lambda: I().alias("i").join(C().alias("c"), (F.col("i.ad") == F.col("c.ad")) & F.col("c.clicked").between(F.col("i.at"), F.col("i.at") + F.expr("INTERVAL 5 MINUTES")), "left").select("i.ad", "cost", "who"))
run("columns of frames", lambda: (lambda i, c: i.join(c, (i.ad == c.ad) & (c.clicked > i.at) & (c.clicked < i.at + F.expr("interval 1 hour"))).select(i.ad, c.who))(I(), C()))
run("interval both ways", lambda: A().join(B(), F.expr("imp_ad = clk_ad AND at BETWEEN clicked - interval 10 minutes AND clicked + interval 5 minutes"), "left"))
run("interval full both ways", lambda: A().join(B(), F.expr("imp_ad = clk_ad AND at BETWEEN clicked - interval 10 minutes AND clicked + interval 5 minutes"), "full"))
run("difference in seconds", lambda: A().join(B(), F.expr("imp_ad = clk_ad AND unix_timestamp(clicked) - unix_timestamp(at) BETWEEN 0 AND 900"), "inner"))
run("difference outer", lambda: A().join(B(), F.expr("imp_ad = clk_ad AND unix_timestamp(clicked) - unix_timestamp(at) BETWEEN 0 AND 900"), "left"))
run("constant bound", lambda: A().join(B(), F.expr("imp_ad = clk_ad AND clicked >= at AND clicked < '2024-03-01 10:30:00'"), "left"))
run("seconds bound", lambda: A().join(B(), F.expr("imp_ad = clk_ad AND clicked >= at - interval 30 seconds AND clicked <= at + interval '2' minute"), "left"))
run("filter after", lambda: A().join(B(), near, "left").where("who is null").select("imp_ad", "cost"))
run("filter after inner side", lambda: A().join(B(), near, "left").where("who = 'x'"))
run("filter before", lambda: A().where("cost > 0.3").join(B().where("who <> 'y'"), near, "left"))
run("then window", lambda: A().join(B(), near).groupBy(F.window("clicked", "10 minutes")).agg(F.sum("cost").alias("c")))
run("then window by at", lambda: A().join(B(), near, "left").groupBy(F.window("at", "10 minutes")).agg(F.count("*"), F.count("who")))
run("then dedup", lambda: A().join(B(), near).dropDuplicates(["imp_ad"]).select("imp_ad", "who"))
run("then static", lambda: A().join(B(), near).join(spark.createDataFrame([(1, "shoes"), (3, "hats")], "imp_ad INT, title STRING"), "imp_ad", "left").select("imp_ad", "who", "title"))
run("three ways", lambda: A().join(B(), near).join(I().select(F.col("ad").alias("ad3"), F.col("at").alias("at3")), F.expr("clk_ad = ad3 and at3 >= at and at3 <= at + interval 20 minutes")).select("imp_ad", "who", "at3"))
run("dedup before", lambda: A().dropDuplicates(["imp_ad"]).join(B(), near, "left"))
run("expression key", lambda: A().join(B(), F.expr("imp_ad + 1 = clk_ad AND clicked >= at AND clicked <= at + interval 30 minutes"), "left"))
run("two keys", lambda: A().withColumn("d", F.to_date("at")).join(B().withColumn("e", F.to_date("clicked")), F.expr("imp_ad = clk_ad and d = e"), "inner"))
run("null safe", lambda: A().join(B(), F.expr("imp_ad <=> clk_ad AND clicked >= at AND clicked <= at + interval 15 minutes"), "left"))
run("update inner", lambda: A().join(B(), near), "update")
run("update left", lambda: A().join(B(), near, "left"), "update")
run("complete", lambda: A().join(B(), near), "complete")
run("anti", lambda: A().join(B(), near, "left_anti"))
run("cross", lambda: A().crossJoin(B()))
run("no equality", lambda: A().join(B(), F.expr("clicked >= at")))
run("no watermark left", lambda: spark.readStream.schema("ad INT, at TIMESTAMP").json("imp").join(B(), F.expr("ad = clk_ad"), "left"))
run("join then complete count", lambda: A().join(B(), near).groupBy("imp_ad").count(), "complete")
run("join then update count", lambda: A().join(B(), near).groupBy("imp_ad").count(), "update")
for side in ("left", "right"):
    show(side + " state", tried(lambda: spark.read.format("statestore").option("joinSide", side).load("ck_t_near_full_outer").drop("partition_id")))
show("windowed right", tried(lambda: spark.read.format("statestore").option("joinSide", "right").load("ck_t_using_full_bounded").drop("partition_id")))
