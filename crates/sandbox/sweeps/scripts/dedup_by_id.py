spark.conf.set("spark.sql.shuffle.partitions", "1")
events = spark.readStream.schema("id STRING, ts TIMESTAMP").json("in/")
write(events.dropDuplicates(["id"]), "append").awaitTermination()
