# On the visible data, run 1 ends with an error: line 11: AnalysisException: checkpointLocation must
# be specified either through option("checkpointLocation", ...) or
# SparkSession.conf.set("spark.sql.streaming.checkpointLocation", ...). It first appears at step 4.
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
