# On the visible data, order 1 is there 4 times. It first appears at step 22.
import time

sch = ("id INT, user STRING, "
       "amt DOUBLE, ts TIMESTAMP")

orders = (spark.readStream
    .schema(sch)
    .json("in/"))

q = (orders.writeStream
    .format("delta")
    .option("checkpointLocation", f"ckpt/{time.time()}")
    .trigger(availableNow=True)
    .start("out/"))

q.awaitTermination()
