from pyspark.sql.functions import col, sum as _sum, window

spark.conf.set("spark.sql.shuffle.partitions", "1")
events = spark.readStream.schema("id INT, user STRING, amt DOUBLE, ts TIMESTAMP").json("in/")
totals = (events.withWatermark("ts", "5 minutes")
          .groupBy(window("ts", "10 minutes"), "user").agg(_sum("amt").alias("t"))
          .select(col("window.start").alias("start"), "user", "t"))
write(totals, "append").awaitTermination()
