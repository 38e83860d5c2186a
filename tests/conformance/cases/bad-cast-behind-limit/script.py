def tried(f):
    try:
        return f()
    except Exception as e:
        return e

put("in/a.json", '{"t":"1"}\n{"t":"2"}\n{"t":"x"}\n')
d = spark.read.schema("t STRING").json("in/").select(F.col("t").cast("int"))
show("first", tried(lambda: d.first()))
show("take 2", tried(lambda: d.take(2)))
show("take 3", tried(lambda: d.take(3)))
show("limit", tried(lambda: d.limit(2)))
