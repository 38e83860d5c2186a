# On the visible data, order 3 is missing. Step 35 is the last one.
sch = ("id INT, user STRING, "
       "amt DOUBLE, ts TIMESTAMP")

def write(rows, batch_id):
    (rows.write
        .format("delta")
        .option("txnAppId", "orders")
        .option("txnVersion", 1)
        .mode("append")
        .save("out/"))

q = (spark.readStream
    .schema(sch)
    .json("in/")
    .writeStream
    .foreachBatch(write)
    .option("checkpointLocation", "ckpt/")
    .trigger(availableNow=True)
    .start())

q.awaitTermination()
