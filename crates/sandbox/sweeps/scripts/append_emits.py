from pyspark.sql.functions import col, window, sum as fsum

spark.conf.set("spark.sql.shuffle.partitions", "1")
sales = (spark.readStream.schema("ts TIMESTAMP, amt INT").json("in/")
         .withWatermark("ts", "10 minutes")
         .groupBy(window("ts", "10 minutes")).agg(fsum("amt").alias("amt"))
         .select(col("window.start").alias("start"), "amt"))
write(sales, "append").awaitTermination()
