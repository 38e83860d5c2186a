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

good = read("offsets/1")
broken("empty", "offsets/1", "")
broken("garbage", "offsets/1", "garbage\n")
broken("version alone", "offsets/1", "v1\n")
broken("other version", "offsets/1", good.replace("v1", "v9"))
broken("cut in the settings", "offsets/1", good[:60])
broken("no source line", "offsets/1", good[:good.rindex("\n")])
broken("source line cut", "offsets/1", good[:-2])
broken("older one empty", "offsets/0", "")
