import os
import shutil

def run(ckpt, out):
    try:
        q = (spark.readStream.schema("a INT").json("in/").coalesce(1).writeStream.format("delta")
             .option("checkpointLocation", ckpt).trigger(availableNow=True).start(out))
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
run("ckpt", "out")
put("in/2.json", '{"a":2}\n{"a":3}\n')
run("ckpt", "out")

put("in/3.json", '{"a":4}\n')
shutil.copytree("ckpt", "ckpt2")
shutil.copytree("out", "out2")
name = "out2/_delta_log/" + "0" * 19 + "1.json"
with open(name) as f:
    good = f.read()

def write(text):
    for other in ["out2/_delta_log/." + "0" * 19 + "1.json.crc", "out2/_delta_log/" + "0" * 19 + "1.crc", "out2/_delta_log/." + "0" * 19 + "1.crc.crc"]:
        if os.path.exists(other):
            os.remove(other)
    with open(name, "w") as f:
        f.write(text)

write(good[:-10])
show("cut", run("ckpt2", "out2"))
show("cut, files", ls("ckpt2"))
show("cut, logs", [n for n in ls("out2") if n.endswith(".json")])
write(good)
show("mended", run("ckpt2", "out2"))
show("mended, files", ls("ckpt2"))
show("rows", rows("out2"))
show("log", [(c["version"], c["txn"]["version"]) for c in log("out2")])
