sch = ("id INT, user STRING, "
       "amt DOUBLE, ts TIMESTAMP")

orders = (spark.readStream
    .schema(sch)
    .json("in/"))

q = (orders.writeStream
    .format("delta")
    .option("checkpointLocation", "ckpt/")
    .trigger(availableNow=True)
    .start("out/"))

q.awaitTermination()
