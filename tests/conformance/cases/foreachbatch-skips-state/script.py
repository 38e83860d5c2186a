def tried(f):
    try:
        return f()
    except Exception as e:
        return e

put("in/1.json", "".join('{"k":%d}\n' % k for k in range(20)))

def run(name, function, mode="update", keys=("k",), source=None):
    def go():
        s = spark.readStream.schema("k INT").json("in")
        s = s.groupBy(*keys).count() if source is None else source(s)
        q = (s.writeStream.foreachBatch(function).outputMode(mode).option("checkpointLocation", name)
             .trigger(availableNow=True).start())
        q.awaitTermination()
        return [(p["batchId"], p["numInputRows"]) for p in q.recentProgress]
    show(name, tried(go))
    show(name + " commits", ls(name + "/commits"))

run("nothing", lambda df, i: None)
run("all", lambda df, i: df.count())
run("one row", lambda df, i: df.first())
run("is empty", lambda df, i: df.isEmpty())
run("take 5", lambda df, i: df.take(5))
run("show 3", lambda df, i: df.limit(3).collect())
run("limit and count", lambda df, i: df.limit(3).count())
run("filter", lambda df, i: df.filter("k < 3").count())
run("global", lambda df, i: None, keys=())
run("limit", lambda df, i: None, mode="append", source=lambda s: s.limit(5))
run("dedup", lambda df, i: None, mode="append", source=lambda s: s.dropDuplicates())
run("stateless", lambda df, i: None, mode="append", source=lambda s: s)
spark.conf.set("spark.sql.streaming.stateStore.commitValidation.enabled", False)
run("not validated", lambda df, i: None)
spark.conf.unset("spark.sql.streaming.stateStore.commitValidation.enabled")
