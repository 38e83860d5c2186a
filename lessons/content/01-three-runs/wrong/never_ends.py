# On the visible data, run 1 does not end by itself: its query waits for more data. It first appears
# at step 13.
sch = ("id INT, user STRING, "
       "amt DOUBLE, ts TIMESTAMP")

orders = (spark.readStream
    .schema(sch)
    .json("in/"))

q = (orders.writeStream
    .format("delta")
    .option("checkpointLocation", "ckpt/")
    .start("out/"))

q.awaitTermination()
