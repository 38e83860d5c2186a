
with open("main.py", encoding="utf-8") as script:
    exec(compile(script.read(), "main.py", "exec"), {"__name__": "__main__", "spark": spark})
spark.stop()
