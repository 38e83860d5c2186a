import json
import os

put("in/1.json", '{"id":1,"user":"a"}\n{"id":2,"user":"b"}\n')
put("in/2.json", '{"id":3,"user":"a"}\n')

def copy():
    q = (spark.readStream.schema("id INT, user STRING").option("maxFilesPerTrigger", 1).json("in/")
         .writeStream.format("parquet").option("checkpointLocation", "ckpt/")
         .trigger(availableNow=True).start("out/"))
    q.awaitTermination()
    show("sink", [(p["batchId"], p["numInputRows"], p["sink"]["numOutputRows"]) for p in q.recentProgress])
    show("description", sorted({p["sink"]["description"] for p in q.recentProgress}))

copy()
show("files", ls("out"))

def entry(n):
    with open("out/_spark_metadata/" + str(n)) as f:
        lines = f.read().split("\n")
    out = [lines[0]]
    for line in lines[1:]:
        e = json.loads(line)
        there = e["path"].replace("file://" + os.getcwd() + "/", "")
        out.append([list(e), os.path.exists(there), e["size"] == os.path.getsize(there), e["isDir"],
                    e["blockReplication"], e["blockSize"], e["action"]])
    return out

show("entry 0", entry(0))
show("entry 1", entry(1))

# a file that is not in the log is not there, but for a pattern
put("stray/x.json", '{"id":99,"user":"z"}\n')
spark.read.schema("id INT, user STRING").json("stray").coalesce(1).write.mode("append").parquet("stray_out")
for name in os.listdir("stray_out"):
    if name.endswith(".parquet"):
        os.rename("stray_out/" + name, "out/" + name)
show("batch reader", spark.read.parquet("out").orderBy("id").collect())
show("pattern", spark.read.parquet("out/*").orderBy("id").collect())

seen = []
def follow():
    q = (spark.readStream.schema("id INT, user STRING").parquet("out")
         .writeStream.foreachBatch(lambda d, i: seen.append((i, sorted(r.id for r in d.collect()))))
         .option("checkpointLocation", "ckpt2").trigger(availableNow=True).start())
    q.awaitTermination()

follow()
show("stream reader", seen)
put("in/3.json", '{"id":4,"user":"c"}\n')
copy()
follow()
show("stream reader goes on", seen)

# a file of the log that is gone is missed
with open("out/_spark_metadata/0") as f:
    gone = json.loads(f.read().split("\n")[1])["path"].split("/")[-1]
os.remove("out/" + gone)
if os.path.exists("out/." + gone + ".crc"):
    os.remove("out/." + gone + ".crc")
try:
    show("file is gone", spark.read.parquet("out").count())
except Exception as e:
    show("file is gone", type(e).__name__)
