from pyspark.sql.functions import sum as _sum

spark.conf.set("spark.sql.shuffle.partitions", "1")
src = spark.readStream.schema("g STRING, v INT").json("in/")
write(src.groupBy("g").agg(_sum("v").alias("total")), "complete").awaitTermination()
