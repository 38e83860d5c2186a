put("in/1.json", '{"k":"a","v":1,"x":1.5}\n{"k":"a","v":3,"x":null}\n{"k":"b","v":null,"x":2.5}\n{"k":"c","v":4,"x":0.5}\n')
put("in/2.json", '{"k":"a","v":8,"x":-2.0}\n{"k":"c","v":4,"x":0.25}\n')
s = lambda: spark.readStream.schema("k STRING, v INT, x DOUBLE").option("maxFilesPerTrigger", 1).json("in")

def run(name, *calls):
    q = (s().groupBy("k").agg(*calls).writeStream.format("memory").queryName(name).outputMode("update")
         .option("checkpointLocation", "ck_" + name).trigger(availableNow=True).start())
    q.awaitTermination()
    show(name, spark.table(name))
    show(name + " state", spark.read.format("statestore").load("ck_" + name).dtypes)

run("variances", F.variance("v"), F.var_samp("x"), F.var_pop("v"))
run("deviations", F.stddev("x"), F.stddev_pop("v"), F.stddev_samp("v"), F.std("v"))
run("truths", F.bool_and(F.col("v") > 1), F.bool_or(F.col("v") > 3), F.every(F.col("x") > 0), F.some(F.col("x") > 2))
run("any", F.any_value("k"), F.first(F.lit(1)), F.max(F.lit("x")))
run("small", F.sum(F.col("v").cast("decimal(8,1)")), F.sum(F.col("x").cast("decimal(4,2)")), F.avg(F.col("x").cast("decimal(11,2)")),
    F.avg(F.col("x").cast("decimal(12,2)")))
d = s().groupBy("k").agg(F.sum(F.col("x").cast("decimal(4,2)")).alias("t"))
show("columns", d.dtypes)
b = spark.read.schema("k STRING, v INT, x DOUBLE").json("in")
show("batch", b.groupBy("k").agg(F.variance("v"), F.stddev_pop("x"), F.var_pop("x")))
show("whole", b.agg(F.stddev_pop("v"), F.variance("x"), F.bool_and(F.col("v") > 0)))
show("nothing", b.filter("k = 'z'").agg(F.stddev_pop("v"), F.variance("x"), F.var_pop("v"), F.bool_or(F.col("v") > 0)))
