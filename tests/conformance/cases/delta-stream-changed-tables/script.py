import shutil

def write(path, mode, *ids, extra=False, **options):
    df = spark.createDataFrame([(i,) for i in ids], "id INT")
    if extra:
        df = df.withColumn("more", F.lit("x"))
    df.coalesce(1).write.format("delta").mode(mode).options(**options).save(path)

def run(path, ck, **options):
    got = []
    try:
        q = (spark.readStream.format("delta").options(**options).load(path)
             .writeStream.foreachBatch(lambda d, i: got.append((i, sorted(r.id for r in d.collect()))))
             .option("checkpointLocation", ck).trigger(availableNow=True).start())
        q.awaitTermination()
        return got
    except Exception as e:
        return [got, e.getCondition()] if not got else e

# an overwrite removes and adds
write("t", "append", 1)
show("begin", [run("t", "c%d" % n) for n in range(5)])
write("t", "append", 2)
write("t", "overwrite", 3)
write("t", "append", 4)
show("plain", run("t", "c0"))
show("ignoreDeletes", run("t", "c1", ignoreDeletes="true"))
show("ignoreChanges", run("t", "c2", ignoreChanges="true"))
show("skipChangeCommits", run("t", "c3", skipChangeCommits="true"))
show("ignoreFileDeletion", run("t", "c4", ignoreFileDeletion="true"))
show("from the snapshot", run("t", "c5"))
show("from version 0", run("t", "c6", startingVersion=0))
show("one file each", run("t", "c0", maxFilesPerTrigger=1))
try:
    q = (spark.readStream.format("delta").load("t").writeStream.format("noop").option("checkpointLocation", "c0")
         .trigger(availableNow=True).start())
    q.awaitTermination()
    show("text", "ok")
except Exception as e:
    show("text", e)

# an overwrite with nothing removes alone
write("d", "append", 1)
show("begin d", [run("d", "d0"), run("d", "d1")])
spark.createDataFrame([], "id INT").write.format("delta").mode("overwrite").save("d")
show("removed, plain", run("d", "d0"))
show("removed, ignoreDeletes", run("d", "d1", ignoreDeletes="true"))

# a column more
write("w", "append", 1)
show("begin w", run("w", "w0"))
write("w", "append", 2, extra=True, mergeSchema="true")
show("wider, after a restart", run("w", "w0"))
show("wider, from version 0", run("w", "w1", startingVersion=0))

# another table in its place
write("r", "append", 1)
show("begin r", run("r", "r0"))
shutil.rmtree("r")
write("r", "append", 2)
show("made anew", run("r", "r0"))
shutil.rmtree("r")
try:
    show("gone", run("r", "r0"))
except Exception as e:
    show("gone", e)

# declared schemas, limits that are none
for label, reader in [("the same schema", spark.readStream.schema("id INT")), ("another schema", spark.readStream.schema("id STRING"))]:
    try:
        show(label, reader.format("delta").load("t").columns)
    except Exception as e:
        show(label, e)
for name, value in [("maxBytesPerTrigger", "x"), ("maxFilesPerTrigger", "-1"), ("startingVersion", "one"), ("startingTimestamp", "soon"),
                    ("skipChangeCommits", "perhaps")]:
    try:
        show(name, run("t", "bad-" + name, **{name: value}))
    except Exception as e:
        show(name, e)
