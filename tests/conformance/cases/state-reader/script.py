def tried(f):
    try:
        return f()
    except Exception as e:
        return e

put("in/1.json", '{"k":"a","v":1}\n{"k":"b","v":2}\n')
put("in/2.json", '{"k":"a","v":10}\n')
put("in/3.json", '{"k":"c","v":100}\n')
s = lambda: spark.readStream.schema("k STRING, v INT").option("maxFilesPerTrigger", 1).json("in")

def run(d, mode, path):
    d.writeStream.format("noop").outputMode(mode).option("checkpointLocation", path).trigger(availableNow=True).start().awaitTermination()

run(s().groupBy("k").agg(F.sum("v").alias("total"), F.count("*").alias("n"), F.avg("v")), "update", "ck")
show("schema", spark.read.format("statestore").load("ck").dtypes)
show("last", spark.read.format("statestore").load("ck").select("key"))
show("two of a name", tried(lambda: spark.read.format("statestore").load("ck").select("value.count")))
show("partitions", spark.read.format("statestore").load("ck").groupBy("partition_id").count())
for batch in (0, 1, 2):
    show(f"batch {batch}", tried(lambda: spark.read.format("statestore").option("batchId", batch).load("ck").select("key.k")))
run(s().groupBy("k").agg(F.sum("v").alias("total")), "update", "ck1")
show("sums", tried(lambda: spark.read.format("statestore").load("ck1").select("key.k", "value.sum")))
show("sums after 0", tried(lambda: spark.read.format("statestore").option("batchId", 0).load("ck1").select("key.k", "value.sum")))
show("path option", tried(lambda: spark.read.format("statestore").option("path", "ck1").load().count()))
show("metadata", spark.read.format("state-metadata").load("ck1"))
show("metadata columns", spark.read.format("state-metadata").load("ck1").dtypes)
show("changes", tried(lambda: spark.read.format("statestore").option("readChangeFeed", True).option("changeStartBatchId", 0)
     .load("ck1").select("batch_id", "change_type", "key.k", "value.sum")))
show("changes of 1", tried(lambda: spark.read.format("statestore").option("readChangeFeed", True).option("changeStartBatchId", 1)
     .option("changeEndBatchId", 1).load("ck1").select("batch_id", "change_type", "key.k", "value.sum")))
for label, options in [
        ("negative batch", {"batchId": -1}), ("later batch", {"batchId": 9}), ("no number", {"batchId": "x"}),
        ("no operator", {"operatorId": 7}), ("negative operator", {"operatorId": -1}), ("no store", {"storeName": "nope"}),
        ("blank store", {"storeName": " "}), ("a side", {"joinSide": "left"}), ("no side", {"joinSide": "middle"}),
        ("side and store", {"joinSide": "left", "storeName": "nope"}),
        ("snapshot alone", {"snapshotStartBatchId": 0}), ("partition alone", {"snapshotPartitionId": 0}),
        ("late snapshot", {"snapshotStartBatchId": 5, "snapshotPartitionId": 0}),
        ("changes without start", {"readChangeFeed": "true"}), ("start without changes", {"changeStartBatchId": 0}),
        ("end without changes", {"changeEndBatchId": 0}),
        ("changes that end before", {"readChangeFeed": "true", "changeStartBatchId": 2, "changeEndBatchId": 1}),
        ("changes and batch", {"readChangeFeed": "true", "changeStartBatchId": 0, "batchId": 1}),
        ("unknown option", {"wat": "x"})]:
    show(label, tried(lambda: spark.read.format("statestore").options(**options).load("ck1").count()))
show("no path", tried(lambda: spark.read.format("statestore").load()))
show("no checkpoint", tried(lambda: spark.read.format("statestore").load("nowhere")))
show("own schema", tried(lambda: spark.read.format("statestore").schema("a INT").load("ck1")))
show("stream", tried(lambda: spark.readStream.format("statestore").load("ck1")))
show("metadata without path", tried(lambda: spark.read.format("state-metadata").load().count()))
show("metadata of nothing", tried(lambda: spark.read.format("state-metadata").load("nowhere").count()))
show("metadata as stream", tried(lambda: spark.readStream.format("state-metadata").load("ck1")))
