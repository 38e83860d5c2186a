def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

put("l/1.json", '{"k":"a","n":1}\n{"k":null,"n":2}\n{"k":"","n":3}\n')
put("l/2.json", '{"k":null,"n":4}\n')
put("r/1.json", '{"k2":null,"m":10}\n{"k2":"a","m":20}\n')
put("r/2.json", '{"k2":"","m":30}\n{"k2":null,"m":40}\n')
left = lambda: spark.readStream.schema("k STRING, n INT").option("maxFilesPerTrigger", 1).json("l")
right = lambda: spark.readStream.schema("k2 STRING, m INT").option("maxFilesPerTrigger", 1).json("r")

def run(name, condition, how="inner"):
    def go():
        q = (left().join(right(), condition, how).writeStream.format("memory").queryName(name)
             .option("checkpointLocation", "ck_" + name).trigger(availableNow=True).start())
        q.awaitTermination()
        return numbers(q)
    show(name + " state", tried(go))
    show(name, tried(lambda: spark.table(name)))

run("safe", F.expr("k <=> k2"))
run("method", F.col("k").eqNullSafe(F.col("k2")))
run("plain", F.expr("k = k2"))
run("both", F.expr("k <=> k2 and n = m"))
run("numbers", F.expr("n <=> m - 9"))
state = lambda name, **o: spark.read.format("statestore").options(**o).load("ck_" + name).drop("partition_id")
show("keys", tried(lambda: state("safe", storeName="left-keyToNumValues")))
show("rows", tried(lambda: state("safe", joinSide="right")))
show("keys of numbers", tried(lambda: state("numbers", storeName="left-keyToNumValues")))
show("types", tried(lambda: state("numbers", joinSide="left").dtypes))
