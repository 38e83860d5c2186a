lines = ['{"a":1,"b":"x"}', '{"a":2,"b":', 'not json', '{"a":"7","b":"y"}', '{"b":"z","a":1.5}', '[{"a":5},{"a":6}]', '12', '{}', '{"a":8,"b":9,"c":1}',
         '{"a":3,"b":"t"} more']
put("in/a.json", "\n".join(lines) + "\n")
def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def run(sch, name, **options):
    r = spark.readStream.schema(sch)
    for k in options:
        r = r.option(k, options[k])
    q = r.json("in/").writeStream.format("memory").queryName(name).trigger(availableNow=True).start()
    q.awaitTermination()
    show(name + " progress", [(p["batchId"], p["numInputRows"]) for p in q.recentProgress])
    show(name, spark.table(name))

run("a INT, b STRING", "plain")
run("a INT, b STRING, _corrupt_record STRING", "kept")
run("a INT, b STRING, bad STRING", "renamed", columnNameOfCorruptRecord="bad")
run("a INT, b STRING, _corrupt_record STRING", "named", mode="permissive")
show("batch", spark.read.schema("a INT, b STRING, _corrupt_record STRING").json("in/"))
show("wrong type", tried(lambda: spark.read.schema("a INT, _corrupt_record INT").json("in/").collect()))
show("inferred", spark.read.json("in/").columns)
