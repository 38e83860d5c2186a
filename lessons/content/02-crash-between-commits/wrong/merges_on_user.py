# On the visible data, order 1 is missing.
from delta.tables import DeltaTable

sch = ("id INT, user STRING, "
       "amt DOUBLE, ts TIMESTAMP")

def write(rows, batch_id):
    if not DeltaTable.isDeltaTable(spark, "out/"):
        rows.write.format("delta").save("out/")
        return
    (DeltaTable.forPath(spark, "out/").alias("t")
        .merge(rows.alias("s"), "t.user = s.user")
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .execute())

q = (spark.readStream
    .schema(sch)
    .json("in/")
    .writeStream
    .foreachBatch(write)
    .option("checkpointLocation", "ckpt/")
    .trigger(availableNow=True)
    .start())

q.awaitTermination()
