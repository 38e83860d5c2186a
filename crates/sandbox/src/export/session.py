import glob
import os

from pyspark.sql import SparkSession

builder = (
    SparkSession.builder.master("local[2]")
    .appName("tidemark")
    .config("spark.sql.shuffle.partitions", "2")
    .config("spark.default.parallelism", "2")
    .config("spark.sql.session.timeZone", "UTC")
    .config("spark.driver.extraJavaOptions", "-Duser.timezone=UTC")
    .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
    .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
)
jars = os.environ.get("DELTA_JARS")  # a folder with the jars of Delta Lake, where Maven cannot be reached
if jars:
    builder = builder.config("spark.jars", ",".join(sorted(glob.glob(os.path.join(jars, "*.jar")))))
else:
    from delta import configure_spark_with_delta_pip

    builder = configure_spark_with_delta_pip(builder)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
