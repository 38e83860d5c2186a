import os
put("in/a.json", '{"n":1}\n')
os.makedirs("ckpt/offsets")
open("ckpt/metadata", "w").write('{"id":"84ed9859-6656-4997-9230-c74a40004f62"}')
open("ckpt/offsets/.0.84ed9859-6656-4997-9230-c74a40004f62.tmp", "w").write("v1\n{")
q = spark.readStream.schema("n INT").json("in").writeStream.format("noop").option("checkpointLocation", "ckpt").trigger(availableNow=True).start()
try:
    q.awaitTermination()
    show("run", "ok")
except Exception as e:
    show("run", e)
show("ls", ls("ckpt"))
