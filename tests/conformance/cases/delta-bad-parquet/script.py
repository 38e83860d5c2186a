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

def broken(label, change):
    path = "t-" + label.replace(" ", "-")
    shutil.copytree("out", path)
    with open(path + "/_delta_log/" + "0" * 19 + "1.json") as f:
        text = f.read()
    at = text.index('"add":{"path":"') + len('"add":{"path":"')
    name = path + "/" + text[at:text.index('"', at)]
    crc = path + "/." + os.path.basename(name) + ".crc"
    if os.path.exists(crc):
        os.remove(crc)
    with open(name, "rb") as f:
        whole = f.read()
    if change == "lost":
        os.remove(name)
    else:
        with open(name, "wb") as f:
            f.write(change(whole))
    show(label, rows(path))
    show(label + ", count", counted(path))
    show(label + ", logs", [n for n in ls(path) if n.endswith(".json")])

def counted(path):
    try:
        return spark.read.format("delta").load(path).count()
    except Exception as e:
        return e

broken("garbage", lambda b: b"garbage garbage garbage")
broken("cut", lambda b: b[:len(b) // 2])
broken("empty", lambda b: b"")
broken("lost", "lost")
