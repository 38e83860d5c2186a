import shutil

def copy(path):
    q = (spark.readStream.schema("id INT").option("maxFilesPerTrigger", 1).json(path)
         .writeStream.format("json").option("checkpointLocation", "ckpt/")
         .trigger(availableNow=True).start("out/"))
    q.awaitTermination()
    return [(p["batchId"], p["numInputRows"]) for p in q.recentProgress]

def ids():
    return sorted(r.id for r in spark.read.schema("id INT").json("out").collect())

put("in/1.json", '{"id":1}\n')
put("in/2.json", '{"id":2}\n')
show("first run", copy("in/"))
show("rows", ids())

# the checkpoint is lost, the output stays
shutil.rmtree("ckpt")
put("in/3.json", '{"id":3}\n{"id":4}\n')
put("in/4.json", '{"id":5}\n')
show("second run", copy("in/"))
show("rows after it", ids())
show("log", sorted(n for n in ls("out/_spark_metadata")))
show("checkpoint", ls("ckpt"))

# another input, a new checkpoint: its first batches are thrown away
shutil.rmtree("ckpt")
for n in range(6):
    put("other/%d.json" % n, '{"id":%d}\n' % (100 + n))
show("other input", copy("other/"))
show("rows of both", ids())

# the output is lost, the checkpoint stays
shutil.rmtree("out")
put("other/6.json", '{"id":106}\n')
show("output lost", copy("other/"))
try:
    show("rows that are left", ids())
except Exception as e:
    show("rows that are left", type(e).__name__)
show("log that is left", ls("out/_spark_metadata"))
