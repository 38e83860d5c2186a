from pyspark.sql.functions import count, window

spark.conf.set("spark.sql.shuffle.partitions", "1")
hours = (spark.readStream.schema("ts TIMESTAMP").option("maxFilesPerTrigger", 1).json("in/")
         .withWatermark("ts", "1 hour")
         .groupBy(window("ts", "1 hour")).agg(count("*").alias("n"))
         .select("window.start", "n"))
write(hours, "append").awaitTermination()
