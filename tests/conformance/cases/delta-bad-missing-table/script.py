def tried(f):
    try:
        return f()
    except Exception as e:
        return e

put("plain/a.json", '{"a":1}\n')
show("batch, missing", tried(lambda: spark.read.format("delta").load("out/")))
show("batch, no table", tried(lambda: spark.read.format("delta").load("plain/")))
show("stream, missing", tried(lambda: spark.readStream.format("delta").load("out/")))
show("stream, no table", tried(lambda: spark.readStream.format("delta").load("plain/")))
show("table by name", tried(lambda: spark.table("nowhere")))
show("stream by name", tried(lambda: spark.readStream.table("nowhere")))
show("files", ls("."))
