from pyspark.sql.functions import col, window

spark.conf.set("spark.sql.shuffle.partitions", "1")
readings = spark.readStream.schema("device STRING, ts TIMESTAMP, temp DOUBLE").json("in/")
counts = (readings.withWatermark("ts", "1 hour").groupBy(window(col("ts"), "1 hour")).count()
          .select("window.start", "window.end", "count"))
write(counts, "append").awaitTermination()
