def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

import os, shutil

def ev(i, *ks):
    put(f"in/{i}.json", "".join('{"k":"%s"}\n' % k for k in ks))

def query(path):
    q = (spark.readStream.schema("k STRING").option("maxFilesPerTrigger", 1).json("in").groupBy("k").count()
         .writeStream.format("noop").outputMode("update").option("checkpointLocation", path).trigger(availableNow=True).start())
    q.awaitTermination()
    return numbers(q)

def touch(path):
    for name in (path, os.path.join(os.path.dirname(path), "." + os.path.basename(path) + ".crc")):
        if os.path.exists(name):
            os.remove(name)

for i in range(3):
    ev(i, "a", "b", "c", "d", "e", "f", "g", "h"[: i + 1])
query("base")
show("files", [f for f in ls("base/state") if f.endswith(".delta")])

def damaged(label, damage, more=True):
    path = "ck_" + label.replace(" ", "_")
    shutil.copytree("base", path)
    damage(path + "/state/0/")
    show(label, tried(lambda: query(path)))
    show(label + " offsets", ls(path + "/offsets"))

ev(3, "a", "z")
damaged("nothing", lambda p: None)
damaged("last delta gone", lambda p: touch(p + "0/3.delta"))
damaged("first delta gone", lambda p: touch(p + "0/1.delta"))
damaged("delta of the other partition gone", lambda p: touch(p + "1/2.delta"))
damaged("partition gone", lambda p: shutil.rmtree(p + "1"))
damaged("operator gone", lambda p: shutil.rmtree(p[:-1]))
damaged("state gone", lambda p: shutil.rmtree(p[:-2]))
damaged("metadata gone", lambda p: shutil.rmtree(p + "_metadata"))
damaged("schema gone", lambda p: shutil.rmtree(p + "0/_metadata"))

def empty(p):
    touch(p + "0/3.delta")
    open(p + "0/3.delta", "w").close()
damaged("last delta empty", empty)

def later(p):
    for part in ("0", "1"):
        shutil.copy(p + part + "/3.delta", p + part + "/4.delta")
damaged("a delta of a batch to come", later)
