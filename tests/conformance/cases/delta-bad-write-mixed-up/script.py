def tried(f):
    try:
        return f()
    except Exception as e:
        return e

put("in/a.json", '{"a":1}\n')
s = spark.readStream.schema("a INT").json("in/")
b = spark.read.schema("a INT").json("in/")
show("write", tried(lambda: s.write.format("delta").save("out/")))
show("files", ls("."))
b.write.format("delta").save("out/")
show("append", tried(lambda: s.write.format("delta").mode("append").save("out/")))
show("overwrite", tried(lambda: s.write.format("delta").mode("overwrite").save("out/")))
show("writeStream", tried(lambda: spark.read.format("delta").load("out/").writeStream))
show("versions", [c["version"] for c in log("out")])
show("rows", spark.read.format("delta").load("out/"))
