spark.conf.set("spark.sql.shuffle.partitions", "1")
events = (spark.readStream.schema("id STRING, ts TIMESTAMP").json("in/").withWatermark("ts", "10 minutes"))
write(events.dropDuplicatesWithinWatermark(["id"]), "append").awaitTermination()
