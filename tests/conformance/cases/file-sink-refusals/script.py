import os

put("in/1.json", '{"k":"a","v":1}\n')
rows = spark.readStream.schema("k STRING, v INT").json("in/")
agg = rows.groupBy("k").count()

def attempt(label, writer, *path):
    try:
        q = writer.trigger(availableNow=True).start(*path)
        q.awaitTermination()
        show(label, [(p["batchId"], p["numInputRows"]) for p in q.recentProgress])
    except Exception as e:
        show(label, e)

attempt("update", agg.writeStream.format("parquet").outputMode("update").option("checkpointLocation", "ck1"), "out1")
attempt("complete", agg.writeStream.format("json").outputMode("complete").option("checkpointLocation", "ck2"), "out2")
attempt("append without watermark", agg.writeStream.format("csv").option("checkpointLocation", "ck3"), "out3")
attempt("no checkpoint", rows.writeStream.format("parquet"), "out4")
show("folder without checkpoint", os.path.isdir("out4/_spark_metadata"))
attempt("no path", rows.writeStream.format("parquet").option("checkpointLocation", "ck5"))
attempt("no path, update", agg.writeStream.format("parquet").outputMode("update").option("checkpointLocation", "ck5"))
attempt("path twice", rows.writeStream.format("parquet").option("path", "out6").option("checkpointLocation", "ck6"), "out6")
attempt("partition column missing", rows.writeStream.format("json").partitionBy("nope").option("checkpointLocation", "ck7"), "out7")
attempt("all columns in folders", rows.writeStream.format("json").partitionBy("k", "v").option("checkpointLocation", "ck8"), "out8")
attempt("text with two columns", rows.writeStream.format("text").option("checkpointLocation", "ck9"), "out9")
attempt("csv with an array", rows.select(F.array("v").alias("a")).writeStream.format("csv").option("checkpointLocation", "ck10"), "out10")
attempt("bad retention", rows.writeStream.format("json").option("retention", "soon").option("checkpointLocation", "ck11"), "out11")
attempt("task fails", rows.select(F.expr("CAST(k AS INT)").alias("n")).writeStream.format("json").option("checkpointLocation", "ck12"), "out12")
show("files after it", ls("out12"))
put("bad/1.json", '{"v":"x"}\n')
bad = spark.readStream.schema("v INT").option("mode", "FAILFAST").json("bad/")
attempt("reading fails", bad.writeStream.format("parquet").option("checkpointLocation", "ck16"), "out16")

def to_table(label, **options):
    try:
        q = (rows.writeStream.options(**options).trigger(availableNow=True).toTable("t"))
        q.awaitTermination()
        show(label, [(p["batchId"], p["numInputRows"], p["sink"]["description"]) for p in q.recentProgress])
    except Exception as e:
        show(label, e)

to_table("table without checkpoint")
to_table("table", checkpointLocation="ck13")
show("table rows", spark.table("t").collect())
show("table files", ls("spark-warehouse/t"))
attempt("clean source of a sink", spark.readStream.schema("k STRING, v INT").option("cleanSource", "delete")
        .parquet("spark-warehouse/t").writeStream.format("noop").option("checkpointLocation", "ck14"))
attempt("broken log", rows.writeStream.format("json").option("checkpointLocation", "ck15"), "out15")
with open("out15/_spark_metadata/0", "w") as f:
    f.write("v1\ngarbage")
if os.path.exists("out15/_spark_metadata/.0.crc"):
    os.remove("out15/_spark_metadata/.0.crc")
try:
    show("broken log, read", spark.read.schema("k STRING").json("out15"))
except Exception as e:
    show("broken log, read", type(e).__name__)
