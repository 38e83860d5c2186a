"""Reads a Delta table with deltalake: python read_deltalake.py FOLDER [APP_ID [FIRST_VERSION]]

Prints version, protocol, schema, history, the transaction of the application, the rows, and the count of each version.
"""
import os
import sys

from deltalake import DeltaTable, QueryBuilder


def query(table, text):
    """The rows of a query over the table, named t: all reader features work, and pyarrow is not needed."""
    found = QueryBuilder().register("t", table).execute(text).read_all()
    columns = [[value.as_py() for value in found.column(name)] for name in found.column_names]
    return [dict(zip(found.column_names, row)) for row in zip(*columns)]


def main(path, app_id=None, first="0"):
    table = DeltaTable(path)
    protocol = table.protocol()
    print("version", table.version(), "protocol", protocol.min_reader_version, protocol.min_writer_version)
    print("schema", table.schema().to_json())
    for entry in reversed(table.history()):
        print("history", entry["operation"], entry.get("operationMetrics"), entry.get("engineInfo"))
    if app_id:
        print("txn", table.transaction_version(app_id))
    rows = query(table, "SELECT * FROM t")
    print("rows", len(rows))
    for row in sorted(rows, key=str):
        print(row)
    for version in range(int(first), table.version() + 1):
        print("v", version, query(DeltaTable(path, version=version), "SELECT count(*) AS n FROM t")[0]["n"])


main(*sys.argv[1:])
# A plain exit aborts now and then in the reader's threads.
sys.stdout.flush()
os._exit(0)
