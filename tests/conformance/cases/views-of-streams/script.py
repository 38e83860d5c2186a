def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

put("in/1.json", '{"k":"a","v":1,"ts":"2024-01-01 10:00:00"}\n{"k":"b","v":2,"ts":"2024-01-01 10:01:00"}\n')
put("in/2.json", '{"k":"a","v":5,"ts":"2024-01-01 10:12:00"}\n{"k":"c","v":4,"ts":"2024-01-01 10:30:00"}\n')
put("names/1.json", '{"k":"a","name":"anna"}\n{"k":"c","name":"carl"}\n')
spark.readStream.schema("k STRING, v INT, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json("in").createOrReplaceTempView("raw")
spark.table("raw").withWatermark("ts", "5 minutes").createOrReplaceTempView("events")
spark.read.schema("k STRING, name STRING").json("names").createOrReplaceTempView("names")

def run(name, text, mode="append"):
    def go():
        d = spark.sql(text)
        q = d.writeStream.format("memory").queryName(name).outputMode(mode).trigger(availableNow=True).start()
        q.awaitTermination()
        return [d.isStreaming, d.columns, numbers(q)]
    show(name + " run", tried(go))
    show(name, tried(lambda: spark.table(name)))

run("filtered", "select k, v * 2 as w from events where v > 1")
run("grouped", "select k, sum(v) as t, count(*) from events group by k having sum(v) > 1", "complete")
run("windowed", "select window.start, window.end, k, sum(v) as t from events group by window(ts, '10 minutes'), k")
run("joined", "select e.k, v, name from events e join names n on e.k = n.k")
run("left_joined", "select e.k, v, name from events e left join names n on e.k = n.k where v < 5")
run("nested", "select k, max(t) as m from (select k, v + 1 as t from raw) group by k", "update")
run("with_cte", "with big as (select * from events where v >= 2) select k, ts from big")
run("ordered", "select k, count(*) as n from events group by k order by n desc, k limit 2", "complete")
run("distinct_rows", "select distinct k from raw")
run("unioned", "select k from raw union all select k from events")
run("sessions", "select session_window.start, k, count(*) as n from events group by session_window(ts, '5 minutes'), k")
show("shown", tried(lambda: spark.sql("select * from events").show()))
show("collected", tried(lambda: spark.sql("select count(*) from raw").collect()))
show("is streaming", [spark.table("raw").isStreaming, spark.table("names").isStreaming])
