from pyspark.sql.functions import avg, count, sum as s_, window, window_time

spark.conf.set("spark.sql.shuffle.partitions", "1")
src = spark.readStream.schema("ts TIMESTAMP, v INT").json("in/").withWatermark("ts", "1 minute")
minute = src.groupBy(window("ts", "1 minute")).agg(s_("v").alias("v"), count("*").alias("n"))
five = (minute.groupBy(window(window_time("window"), "5 minutes")).agg(s_("v").alias("v"), avg("n").alias("avg_n"))
        .select("window.start", "v", "avg_n"))
write(five, "append").awaitTermination()
