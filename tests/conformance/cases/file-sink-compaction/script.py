import json
import os

def copy(**options):
    q = (spark.readStream.schema("id INT").option("maxFilesPerTrigger", 1).json("in/")
         .writeStream.format("json").options(**options).option("checkpointLocation", "ckpt/")
         .trigger(availableNow=True).start("out/"))
    q.awaitTermination()
    return [p["batchId"] for p in q.recentProgress]

def lines(name):
    with open("out/_spark_metadata/" + name) as f:
        return len(f.read().split("\n")) - 1

for n in range(12):
    put("in/%02d.json" % n, '{"id":%d}\n' % n)
show("batches", copy())
show("log", ls("out/_spark_metadata"))
show("lines", [lines(n) for n in ("8", "9.compact", "10")])
show("rows", sorted(r.id for r in spark.read.schema("id INT").json("out").collect()))

# nine entries more: the next compaction holds all of them; few are kept
spark.conf.set("spark.sql.streaming.minBatchesToRetain", "2")
spark.conf.set("spark.sql.streaming.fileSink.log.cleanupDelay", "0")
for n in range(12, 21):
    put("in/%02d.json" % n, '{"id":%d}\n' % n)
show("batches after it", copy())
show("log after it", ls("out/_spark_metadata"))
show("lines after it", lines("19.compact"))
show("number of rows", spark.read.schema("id INT").json("out").count())

# an entry that a compaction needs is gone
if os.path.exists("out/_spark_metadata/20"):
    os.remove("out/_spark_metadata/20")
if os.path.exists("out/_spark_metadata/.20.crc"):
    os.remove("out/_spark_metadata/.20.crc")
show("number of rows without entry 20", spark.read.schema("id INT").json("out").count())
os.remove("out/_spark_metadata/19.compact")
try:
    show("without the compaction", spark.read.schema("id INT").json("out").count())
except Exception as e:
    show("without the compaction", type(e).__name__)
