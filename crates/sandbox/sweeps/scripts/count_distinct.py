from pyspark.sql.functions import collect_set, size

spark.conf.set("spark.sql.shuffle.partitions", "1")
visits = spark.readStream.schema("page STRING, user STRING, n INT").json("in/")
write(visits.groupBy("page").agg(size(collect_set("user")).alias("x")), "complete").awaitTermination()
