write(spark.readStream.schema("id INT, user STRING, amt DOUBLE").json("in/"), "append").awaitTermination()
