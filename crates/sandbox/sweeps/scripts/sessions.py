from pyspark.sql.functions import col, count, max as fmax, session_window

spark.conf.set("spark.sql.shuffle.partitions", "1")
clicks = spark.readStream.schema("user STRING, ts TIMESTAMP").json("in/").withWatermark("ts", "10 minutes")
sessions = (clicks.groupBy("user", session_window("ts", "5 minutes").alias("s"))
            .agg(count("*").alias("events"), fmax("ts").alias("last"))
            .select("user", col("s.start").alias("start"), col("s.end").alias("end"), "events", "last"))
write(sessions, "append").awaitTermination()
