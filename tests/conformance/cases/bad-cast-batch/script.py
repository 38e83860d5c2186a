def tried(f):
    try:
        return f()
    except Exception as e:
        return e

put("in/a.json", '{"t":"1"}\n{"t":"x"}\n')
d = spark.read.schema("t STRING").json("in/")
show("int", tried(lambda: d.select(F.col("t").cast("int")).collect()))
show("double", tried(lambda: d.selectExpr("CAST(t AS DOUBLE)").collect()))
show("date", tried(lambda: d.selectExpr("CAST(t AS DATE)").collect()))
show("timestamp", tried(lambda: d.selectExpr("CAST(t AS TIMESTAMP)").collect()))
show("boolean", tried(lambda: d.filter("t = 'x'").select(F.col("t").cast("boolean")).collect()))
show("decimal", tried(lambda: d.select(F.col("t").cast("decimal(5,2)")).collect()))
show("blank", tried(lambda: spark.sql("SELECT CAST('' AS INT)").collect()))
show("overflow", tried(lambda: spark.sql("SELECT CAST(300 AS TINYINT)").collect()))
show("overflow of a column", tried(lambda: spark.range(300, 301).selectExpr("CAST(id AS TINYINT)").collect()))
show("decimal too large", tried(lambda: spark.range(300, 301).selectExpr("CAST(id AS DECIMAL(3,1))").collect()))
show("sum", tried(lambda: spark.range(1).selectExpr("id + 9223372036854775807 + 1").collect()))
show("divided by zero", tried(lambda: spark.range(1).selectExpr("1 / id").collect()))
show("types that do not fit", tried(lambda: spark.range(1).selectExpr("CAST(id AS DATE)")))
show("compared with a number", tried(lambda: d.filter("t > 0").collect()))
show("try_cast", tried(lambda: d.selectExpr("try_cast(t AS INT) t")))
show("write", tried(lambda: d.select(F.col("t").cast("int")).write.json("out/")))
show("files", ls("out"))
