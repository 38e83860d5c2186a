from pyspark.sql.functions import count, to_timestamp, window

spark.conf.set("spark.sql.shuffle.partitions", "1")
spark.conf.set("spark.sql.session.timeZone", "America/New_York")
s = spark.readStream.schema("s STRING").json("in/").withColumn("ts", to_timestamp("s"))
days = s.groupBy(window("ts", "1 day").alias("w")).agg(count("*").alias("n")).selectExpr("w.start", "n")
write(days, "complete").awaitTermination()
