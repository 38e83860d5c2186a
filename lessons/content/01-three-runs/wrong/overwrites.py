# On the visible data, no streaming query runs: each run reads all files again. Step 10 is the last
# one.
sch = ("id INT, user STRING, "
       "amt DOUBLE, ts TIMESTAMP")

orders = (spark.read
    .schema(sch)
    .json("in/"))

(orders.write
    .format("delta")
    .mode("overwrite")
    .save("out/"))
