# On the visible data, with a crash between the sink's commit and commits/N, order 1 is there twice.
# It first appears at step 15.
sch = ("id INT, user STRING, "
       "amt DOUBLE, ts TIMESTAMP")

seen = set()

def write(rows, batch_id):
    if batch_id in seen:
        return
    (rows.write
        .format("delta")
        .mode("append")
        .save("out/"))
    seen.add(batch_id)

q = (spark.readStream
    .schema(sch)
    .json("in/")
    .writeStream
    .foreachBatch(write)
    .option("checkpointLocation", "ckpt/")
    .trigger(availableNow=True)
    .start())

q.awaitTermination()
