put("in/1.json", '{"k":"a"}\n{"k":"b"}\n{"k":"a"}\n')
put("in/2.json", '{"k":"a"}\n{"k":"c"}\n')
s = lambda: spark.readStream.schema("k STRING").option("maxFilesPerTrigger", 1).json("in")

def run(name, d, function, mode="update"):
    q = (d.writeStream.foreachBatch(function).outputMode(mode).option("checkpointLocation", "ck_" + name)
         .trigger(availableNow=True).start())
    q.awaitTermination()
    show(name, [(p["batchId"], p["numInputRows"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"]) for o in p["stateOperators"]])
                for p in q.recentProgress])

def once(d, i):
    d.collect()

def twice(d, i):
    d.count()
    d.collect()

def thrice(d, i):
    d.count()
    d.filter("k = 'a'").count()
    d.groupBy("k").count().collect()

def kept(d, i):
    d.persist()
    d.count()
    d.collect()
    d.unpersist()

def sorted_(d, i):
    d.orderBy("k").collect()

def joined(d, i):
    d.join(d.select("k"), "k").count()

for f in (once, twice, thrice, sorted_):
    run("group_" + f.__name__, s().groupBy("k").count(), f)
for f in (once, twice):
    run("dedup_" + f.__name__, s().dropDuplicates(["k"]), f, "append")
    run("stateless_" + f.__name__, s(), f, "append")
    run("complete_" + f.__name__, s().groupBy("k").count(), f, "complete")
