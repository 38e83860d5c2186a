import os

put("in/1.json", '{"k":"a","v":1,"t":"2024-01-01T00:00:00Z"}\n{"k":"b c","v":2,"t":null}\n{"k":"x:y/z","v":3}\n{"k":null,"v":4}\n{"k":"","v":5}\n')
put("in/2.json", '{"k":"a","v":6}\n')
rows = spark.readStream.schema("k STRING, v INT, t TIMESTAMP").option("maxFilesPerTrigger", 1).json("in/")

def copy(df, format, out, *by, **options):
    w = df.writeStream.format(format).options(**options).option("checkpointLocation", "ckpt_" + out)
    if by:
        w = w.partitionBy(*by)
    q = w.trigger(availableNow=True).start(out)
    q.awaitTermination()
    return [(p["batchId"], p["numInputRows"]) for p in q.recentProgress]

def texts(out):
    found = []
    for folder, _, names in os.walk(out):
        if "_spark_metadata" not in folder:
            for name in names:
                if not name.endswith(".crc"):
                    with open(os.path.join(folder, name)) as f:
                        found.append((os.path.relpath(folder, out), f.read()))
    return sorted(found)

show("json by k", copy(rows, "json", "out_j", "k"))
show("files", ls("out_j"))
show("texts", texts("out_j"))
show("log 1", len(open("out_j/_spark_metadata/0").read().split("\n")))
show("read", spark.read.schema("v INT, k STRING").json("out_j"))
show("inferred columns", spark.read.json("out_j").dtypes)
show("parquet by k and v", copy(rows.select("k", "v", "t"), "parquet", "out_p", "k", "v"))
show("parquet files", ls("out_p"))
show("parquet rows", spark.read.parquet("out_p"))
show("csv", copy(rows, "csv", "out_c", header=True))
show("csv texts", texts("out_c"))
show("text", copy(rows.select("k"), "text", "out_t"))
show("text texts", texts("out_t"))

put("none/1.json", '')
none = spark.readStream.schema("k STRING, v INT").json("none/")
show("empty batch", copy(none, "json", "out_e"))
show("empty files", texts("out_e"))
show("empty batch by k", copy(none, "json", "out_ek", "k"))
show("empty files by k", ls("out_ek"))

agg = (rows.withWatermark("t", "0 seconds").groupBy(F.window("t", "1 hour")).count().select("window.start", "count"))
show("windows", copy(agg, "json", "out_w"))
show("windows texts", texts("out_w"))
