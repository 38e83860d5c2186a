from pyspark.sql.functions import expr

spark.conf.set("spark.sql.shuffle.partitions", "1")
ads = spark.readStream.schema("ad STRING, shown TIMESTAMP").json("ads/").withWatermark("shown", "1 minute")
clicks = spark.readStream.schema("cad STRING, clicked TIMESTAMP").json("clicks/").withWatermark("clicked", "2 minutes")
joined = ads.join(clicks, expr("ad = cad AND clicked BETWEEN shown AND shown + INTERVAL 5 MINUTES"), "leftOuter")
write(joined, "append").awaitTermination()
