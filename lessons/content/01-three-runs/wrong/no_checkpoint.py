# On the visible data, run 1 ends with an error
sch = ("id INT, user STRING, "
       "amt DOUBLE, ts TIMESTAMP")

orders = (spark.readStream
    .schema(sch)
    .json("in/"))

q = (orders.writeStream
    .format("delta")
    .trigger(availableNow=True)
    .start("out/"))

q.awaitTermination()
