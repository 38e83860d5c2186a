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

def broken(label, version, text):
    path = "t-" + label.replace(" ", "-")
    shutil.copytree("out", path)
    name = path + "/_delta_log/" + "0" * 19 + str(version) + ".json"
    for other in [path + "/_delta_log/." + "0" * 19 + str(version) + ".json.crc",
                  path + "/_delta_log/" + "0" * 19 + str(version) + ".crc",
                  path + "/_delta_log/." + "0" * 19 + str(version) + ".crc.crc"]:
        if os.path.exists(other):
            os.remove(other)
    if text is None:
        os.remove(name)
    else:
        with open(name, "w") as f:
            f.write(text)
    show(label, rows(path))
    show(label + ", append", appended(path))
    show(label + ", logs", [n for n in ls(path) if n.endswith(".json")])

def appended(path):
    try:
        spark.createDataFrame([(9,)], "a INT").write.format("delta").mode("append").save(path)
        return "done"
    except Exception as e:
        return e

with open("out/_delta_log/" + "0" * 19 + "1.json") as f:
    good = f.read()
broken("garbage", 1, "garbage\n")
broken("cut", 1, good[:-10])
broken("empty", 1, "")
broken("last lost", 1, None)
broken("first lost", 0, None)
broken("unknown action", 1, good + '{"newAction":{}}\n')
broken("whole", 1, good)
