sch = ("id INT, user STRING, "
       "amt DOUBLE, ts TIMESTAMP")

stream = (spark.readStream
    .schema(sch)
    .json("in/"))

q = (stream.writeStream
    .format("delta")
    .option("checkpointLocation", "ckpt/")
    .trigger(availableNow=True)
    .start("out/"))

q.awaitTermination()

print([(p["batchId"], p["numInputRows"])
       for p in q.recentProgress])

(spark.read.format("delta").load("out/")
    .groupBy("id").count()
    .orderBy("id").show())
