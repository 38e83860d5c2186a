lines = ['{"a":1,"b":"x"}', '{"a":2,"b":', 'not json', '{"a":"7","b":"y"}', '{"b":"z","a":1.5}', '[{"a":5},{"a":6}]', '12', '{}', '{"a":8,"b":9,"c":1}',
         '{"a":3,"b":"t"} more']
put("in/a.json", "\n".join(lines) + "\n")

def run(sch, name):
    q = (spark.readStream.schema(sch).option("mode", "DROPMALFORMED").json("in/")
         .writeStream.format("memory").queryName(name).trigger(availableNow=True).start())
    q.awaitTermination()
    show(name + " progress", [(p["batchId"], p["numInputRows"]) for p in q.recentProgress])
    show(name, spark.table(name))

run("a INT, b STRING", "plain")
run("a INT, b STRING, _corrupt_record STRING", "kept")
show("batch", spark.read.schema("a INT, b STRING").option("mode", "dropMalformed").json("in/"))
put("in2/a.json", "not json\n")
show("nothing left", spark.read.schema("a INT").option("mode", "DROPMALFORMED").json("in2/").count())
