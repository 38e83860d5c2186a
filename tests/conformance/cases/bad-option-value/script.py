def tried(f):
    try:
        return f()
    except Exception as e:
        return e

put("in/a.json", '{"a":1}\n')

def run(n, **options):
    r = spark.readStream.schema("a INT")
    for k in options:
        r = r.option(k, options[k])
    q = (r.json("in/").writeStream.format("noop").option("checkpointLocation", "ckpt" + str(n))
         .trigger(availableNow=True).start())
    q.awaitTermination()
    return [(p["batchId"], p["numInputRows"]) for p in q.recentProgress]

tries = [
    {"maxFilesPerTrigger": 0},
    {"maxFilesPerTrigger": "many"},
    {"maxFilesPerTrigger": "-1"},
    {"maxBytesPerTrigger": "1k"},
    {"maxFilesPerTrigger": 1, "maxBytesPerTrigger": 10},
    {"latestFirst": "maybe"},
    {"maxFileAge": "soon"},
    {"fileNameOnly": "perhaps"},
    {"nosuchoption": "1"},
    {"mode": "GUESS"},
]
for n in range(len(tries)):
    label = ", ".join([k + "=" + str(tries[n][k]) for k in tries[n]])
    show(label, tried(lambda: run(n, **tries[n])))
    show("checkpoint " + str(n), ls("ckpt" + str(n)))

w = spark.readStream.schema("a INT").json("in/").writeStream
show("processingTime", tried(lambda: w.trigger(processingTime="soon")))
show("processingTime number", tried(lambda: w.trigger(processingTime=5)))
show("processingTime blank", tried(lambda: w.trigger(processingTime=" ")))
show("negative", tried(lambda: w.format("noop").trigger(processingTime="-1 second").start()))
show("once false", tried(lambda: w.trigger(once=False)))
show("availableNow false", tried(lambda: w.trigger(availableNow=False)))
show("two triggers", tried(lambda: w.trigger(once=True, availableNow=True)))
show("queryName blank", tried(lambda: w.queryName(" ")))
show("queries", len(spark.streams.active))
