def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

s = lambda **o: spark.readStream.format("rate-micro-batch").options(rowsPerBatch=4, numPartitions=1, startTimestamp=1704103200000,
                                                                   advanceMillisPerBatch=400000, **o).load()

def run(name, d, mode, batches):
    q = d.writeStream.format("memory").queryName(name).outputMode(mode).option("checkpointLocation", "ck_" + name).start()
    while q.lastProgress is None or q.lastProgress["batchId"] < batches - 1:
        q.awaitTermination(1)
    q.stop()
    progress = q.recentProgress[:batches]
    show(name, [(p["batchId"], p["numInputRows"], [(o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"]) for o in p["stateOperators"]],
                 p["sources"][0]["endOffset"]) for p in progress])

run("windows", s().withWatermark("timestamp", "5 minutes").groupBy(F.window("timestamp", "10 minutes")).agg(F.sum("value")), "append", 5)
run("sessions", s().withWatermark("timestamp", "5 minutes").groupBy(F.session_window("timestamp", "5 minutes"), (F.col("value") % 2).alias("odd")).count(), "append", 5)
run("rows", s(), "append", 2)
show("columns", s().dtypes)
q = s().writeStream.format("memory").queryName("once").trigger(availableNow=True).start()
q.awaitTermination()
show("once", spark.table("once"))
