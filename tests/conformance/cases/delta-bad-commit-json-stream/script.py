import os
import shutil

def run():
    try:
        q = (spark.readStream.schema("a INT").json("in/").coalesce(1).writeStream.format("delta")
             .option("checkpointLocation", "ckpt/").trigger(availableNow=True).start("out/"))
        q.awaitTermination()
        return [(p["batchId"], p["numInputRows"]) for p in q.recentProgress]
    except Exception as e:
        return e

def rows(path):
    try:
        return sorted(r.a for r in spark.read.format("delta").load(path).collect())
    except Exception as e:
        return e

put("in/1.json", '{"a":1}\n')
run()
put("in/2.json", '{"a":2}\n{"a":3}\n')
run()

put("in/3.json", '{"a":4}\n')
name = "out/_delta_log/" + "0" * 19 + "1.json"
with open(name) as f:
    good = f.read()

def write(text):
    for other in ["out/_delta_log/." + "0" * 19 + "1.json.crc", "out/_delta_log/" + "0" * 19 + "1.crc", "out/_delta_log/." + "0" * 19 + "1.crc.crc"]:
        if os.path.exists(other):
            os.remove(other)
    with open(name, "w") as f:
        f.write(text)
    spark._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()

write(good[:-10])
show("cut", run())
show("cut, files", ls("ckpt"))
show("cut, logs", [n for n in ls("out") if n.endswith(".json")])
write(good)
show("mended", run())
show("mended, files", ls("ckpt"))
show("rows", rows("out"))
show("log", [(c["version"], c["txn"]["version"]) for c in log("out")])
