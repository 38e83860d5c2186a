sch = ("id INT, user STRING, "
       "amt DOUBLE, ts TIMESTAMP")

orders = (spark.read
    .schema(sch)
    .json("in/"))

(orders.write
    .format("delta")
    .mode("append")
    .save("out/"))
