import os
import shutil

def run():
    try:
        q = (spark.readStream.schema("a INT").json("in/").writeStream.format("noop")
             .option("checkpointLocation", "ckpt/").trigger(availableNow=True).start())
        q.awaitTermination()
        return [(p["batchId"], p["numInputRows"]) for p in q.recentProgress]
    except Exception as e:
        return e

def read(name):
    with open("ckpt/" + name) as f:
        return f.read()

def write(name, text):
    crc = os.path.join("ckpt", os.path.dirname(name), "." + os.path.basename(name) + ".crc")
    if os.path.exists(crc):
        os.remove(crc)
    with open("ckpt/" + name, "w") as f:
        f.write(text)

put("in/1.json", '{"a":1}\n')
run()
put("in/2.json", '{"a":2}\n{"a":3}\n')
run()
put("in/3.json", '{"a":4}\n')
shutil.copytree("ckpt", "whole")

def broken(label, name, text):
    shutil.rmtree("ckpt")
    shutil.copytree("whole", "ckpt")
    write(name, text)
    show(label, run())
    show(label + ", files", ls("ckpt"))
    show(label + ", kept", read(name) == text)

good = read("commits/1")
broken("empty", "commits/1", "")
broken("garbage", "commits/1", "garbage\n")
broken("version alone", "commits/1", "v1\n")
broken("other version", "commits/1", good.replace("v1", "v9"))
broken("cut", "commits/1", good[:-1])
broken("older one empty", "commits/0", "")
broken("name is no number", "commits/one", "garbage\n")
