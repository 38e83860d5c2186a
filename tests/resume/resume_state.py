"""Real Spark carries on with the state that `tidemark run` left, and the reverse: see README.md.

    python3 tests/resume/resume_state.py --spark DIR [--tidemark target/debug/tidemark] [QUERY ...]

DIR holds venv/ and jars/, as tests/conformance/setup.sh makes them. Prints a transcript; exits with 1 on any difference.
"""
import argparse
import json
import os
import re
import shutil
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import resume  # noqa: E402  the two engines, and the transcript

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
FILES = [2, 1, 2, 0, 2]         # new input files before each turn
READ_AFTER = (1, 4)             # turns after which the state is read as a table

SCRIPT = '''from pyspark.sql import functions as F

sch = "id INT, user STRING, amt DOUBLE, ts TIMESTAMP"

def rows():
    return spark.readStream.schema(sch).option("maxFilesPerTrigger", 1).json("in/")

%s
def take(df, n):
    print(n, sorted(str(tuple(r)) for r in df.collect()))

query = (result.writeStream.foreachBatch(take).outputMode("%s")
         .option("checkpointLocation", "%s/").trigger(availableNow=True).start())
query.awaitTermination()
'''

READER = '''from pyspark.sql import functions as F

stores = spark.read.format("state-metadata").load("%s/").collect()
for store in sorted(set((s.operatorId, s.operatorName, s.stateStoreName, s.numPartitions) for s in stores)):
    print(store)
    state = (spark.read.format("statestore").option("operatorId", store[0]).option("storeName", store[2]).load("%s/"))
    for row in sorted(str(tuple(r)) for r in state.select("partition_id", F.to_json("key"), F.to_json("value")).collect()):
        print(row)
'''

# Queries without a watermark: the same batches follow wherever a run stops.
STOPS = ("running", "dedup", "unbounded")

# name: (output mode, what makes `result`)
QUERIES = {
    "types": ("update", '''result = (rows().selectExpr("CAST(amt AS DECIMAL(10,2)) AS d", "CAST(amt AS DECIMAL(30,3)) AS big", "CAST(ts AS DATE) AS day",
          "amt > 2 AS large", "CAST(id AS SMALLINT) AS s", "named_struct('u', user, 'n', CAST(id AS BIGINT)) AS st",
          "CAST(amt AS FLOAT) AS f").groupBy("day", "large", "d")
          .agg(F.sum("d"), F.avg("d"), F.max("big"), F.min("s"), F.max("st"), F.sum("f"), F.first("big"), F.count_if(F.expr("s > 5")),
               F.max("large"), F.stddev("f")))
'''),
    "semi": ("append", '''left = rows().where("amt < 2").withWatermark("ts", "5 minutes")
right = rows().where("amt >= 2").selectExpr("id AS id2", "user AS user2", "ts AS ts2").withWatermark("ts2", "5 minutes")
on = F.expr("user = user2 AND ts2 >= ts AND ts2 <= ts + INTERVAL 6 MINUTES")
result = left.join(right, on, "left_semi").select("id", "user")
'''),
    "collected": ("complete", '''result = rows().groupBy("user").agg(F.collect_list("id"), F.size(F.collect_set("amt")))
'''),
    "window": ("append", '''result = (rows().withWatermark("ts", "5 minutes").groupBy(F.window("ts", "10 minutes"), "user")
          .agg(F.sum("amt").alias("t"), F.count("*"), F.avg("amt"), F.max("ts"))
          .selectExpr("date_format(window.start, 'HH:mm')", "user", "*").drop("window"))
'''),
    "sliding": ("update", '''result = (rows().withWatermark("ts", "2 minutes").groupBy(F.window("ts", "10 minutes", "5 minutes"))
          .agg(F.min("id"), F.max("amt"), F.count_if(F.expr("amt > 2")))
          .selectExpr("date_format(window.start, 'HH:mm')", "*").drop("window"))
'''),
    "running": ("update", '''result = (rows().groupBy("user").agg(F.sum("amt"), F.count("id"), F.avg("amt"), F.stddev("amt"), F.min("ts"),
          F.first("id"), F.last("id"), F.min_by("id", "amt"), F.approx_count_distinct("id")))
'''),
    "total": ("complete", '''result = rows().agg(F.count("*"), F.sum("amt"), F.max("user"))
'''),
    "dedup": ("append", '''result = rows().dropDuplicates(["user", "amt"]).select("id", "user")
'''),
    "dedup-watermark": ("append", '''result = rows().withWatermark("ts", "4 minutes").dropDuplicates(["user", "ts"]).select("id", "user", F.minute("ts"))
'''),
    "dedup-within": ("append", '''result = (rows().withWatermark("ts", "4 minutes").dropDuplicatesWithinWatermark(["user"])
          .select("id", "user", F.minute("ts")))
'''),
    "inner": ("append", '''left = rows().where("amt < 2").withWatermark("ts", "5 minutes")
right = rows().where("amt >= 2").selectExpr("id AS id2", "user AS user2", "ts AS ts2").withWatermark("ts2", "5 minutes")
on = F.expr("user = user2 AND ts2 >= ts AND ts2 <= ts + INTERVAL 6 MINUTES")
result = left.join(right, on).select("id", "user", "id2")
'''),
    "left": ("append", '''left = rows().where("amt < 2").withWatermark("ts", "5 minutes")
right = rows().where("amt >= 2").selectExpr("id AS id2", "user AS user2", "ts AS ts2").withWatermark("ts2", "5 minutes")
on = F.expr("user = user2 AND ts2 >= ts AND ts2 <= ts + INTERVAL 6 MINUTES")
result = left.join(right, on, "left").select("id", "user", "id2")
'''),
    "full": ("append", '''left = rows().where("amt < 2").withWatermark("ts", "5 minutes")
right = rows().where("amt >= 2").selectExpr("id AS id2", "user AS user2", "ts AS ts2").withWatermark("ts2", "5 minutes")
on = F.expr("user = user2 AND ts2 >= ts AND ts2 <= ts + INTERVAL 6 MINUTES")
result = left.join(right, on, "full").select("id", "user", "id2", "user2")
'''),
    "unbounded": ("append", '''left = rows().select("id", "user")
right = rows().where("amt >= 2").selectExpr("id + 1 AS id2", "user AS user2", "amt")
result = left.join(right, F.expr("id = id2"))
'''),
    "chained": ("append", '''five = rows().withWatermark("ts", "2 minutes").groupBy(F.window("ts", "5 minutes"), "user").agg(F.sum("amt").alias("t"))
result = (five.groupBy(F.window(F.window_time("window"), "10 minutes")).agg(F.count("*"), F.sum("t"))
          .selectExpr("date_format(window.start, 'HH:mm')", "*").drop("window"))
'''),
    "dedup-then-window": ("append", '''result = (rows().withWatermark("ts", "2 minutes").dropDuplicates(["user", "ts"])
          .groupBy(F.window("ts", "5 minutes")).count().selectExpr("date_format(window.start, 'HH:mm')", "count"))
'''),
    "delta-source": ("append", '''feed = (rows().select("id", "user").writeStream.format("delta").option("checkpointLocation", "feed/")
        .trigger(availableNow=True).start("table/"))
feed.awaitTermination()
result = spark.readStream.format("delta").option("maxFilesPerTrigger", 1).load("table/").dropDuplicates(["user"])
'''),
    "limit": ("append", '''result = rows().limit(9).select("id")
'''),
    "session": ("append", '''result = (rows().withWatermark("ts", "3 minutes").groupBy(F.session_window("ts", "2 minutes"), "user")
          .agg(F.sum("amt"), F.count("*"))
          .selectExpr("date_format(session_window.start, 'HH:mm')", "date_format(session_window.end, 'HH:mm')", "*")
          .drop("session_window"))
'''),
}


def rows_of(n):
    """The rows of the n-th file: some late, some twice, some without a user."""
    out = []
    for k in range(4):
        minute = 4 * n + k - (9 if (n + k) % 5 == 4 else 0)
        user = [None, "a", "b", "a", "c", "bb"][(n * 3 + k * k) % 6]
        out.append({"id": n * 10 + k, "user": user, "amt": (n + 2 * k) % 5 + 0.25 * (k == 1),
                    "ts": "2026-01-01T10:%02d:%02dZ" % (max(0, minute), 7 * k)})
    if n % 2:
        out.append(dict(out[0], id=n * 10 + 9))
    return out


# --- state files ---------------------------------------------------------------------------------------------------

def unblocked(data):
    """The bytes of a block in the LZ4 format."""
    out, at = bytearray(), 0

    def length(nibble):
        nonlocal at
        total, more = nibble, nibble == 15
        while more:
            total, more, at = total + data[at], data[at] == 255, at + 1
        return total

    while at < len(data):
        token, at = data[at], at + 1
        literals = length(token >> 4)
        out += data[at:at + literals]
        at += literals
        if at >= len(data):
            break
        back, at = data[at] | data[at + 1] << 8, at + 2
        for _ in range(length(token & 15) + 4):
            out.append(out[-back])
    return bytes(out)


def changes(path):
    """What a .delta or .snapshot file says: the value of each key, None for a removal."""
    with open(path, "rb") as f:
        data = f.read()
    plain, at = b"", 0
    while at < len(data):
        assert data[at:at + 8] == b"LZ4Block", path
        token, packed, size = data[at + 8], *struct.unpack("<ii", data[at + 9:at + 17])
        body = data[at + 21:at + 21 + packed]
        plain += unblocked(body) if token & 0xF0 == 0x20 else body
        at += 21 + packed
    found, at = {}, 0
    while True:
        size = struct.unpack(">i", plain[at:at + 4])[0]
        if size == -1:
            return found
        key, at = plain[at + 4:at + 4 + size], at + 4 + size
        size = struct.unpack(">i", plain[at:at + 4])[0]
        found[key.hex()] = None if size < 0 else plain[at + 4:at + 4 + size].hex()
        at += 4 + max(0, size)


def state_files(folder):
    """Every file below ckpt/state with what it says."""
    found = {}
    for d, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(d, name)
            key = os.path.relpath(path, folder)
            if re.fullmatch(r"\d+\.delta", name):
                found[key] = changes(path)
            elif not name.startswith(".") and not name.endswith(".snapshot"):
                with open(path, "rb") as f:
                    found[key] = f.read()
    return found


# --- turns ---------------------------------------------------------------------------------------------------------

class Folder(resume.Folder):
    def put_file(self):
        self.files += 1
        os.makedirs(self.path("in"), exist_ok=True)
        new = self.path("in", "%02d.json" % self.files)
        with open(new, "w") as f:
            for row in rows_of(self.files):
                f.write(json.dumps({k: v for k, v in row.items() if v is not None}) + "\n")
        os.utime(new, (resume.FIRST_TIME + self.files, resume.FIRST_TIME + self.files))


class Play:
    """A query on an empty folder. Each play has a checkpoint of its own name: what Spark still knows of an older store of the
    same name, it may write there as a snapshot."""
    number = 0

    def __init__(self, cwd, scratch, name):
        Play.number += 1
        mode, body = QUERIES[name]
        self.checkpoint, self.folder, self.turns = "ckpt%d" % Play.number, Folder(cwd, []), []
        self.script, self.reader = os.path.join(scratch, "query.py"), os.path.join(scratch, "reader.py")
        for path, text in ((self.script, SCRIPT % (body, mode, self.checkpoint)),
                           (self.reader, READER % (self.checkpoint, self.checkpoint))):
            with open(path, "w") as f:
                f.write(text)

    def put_files(self, turn):
        for _ in range(FILES[turn]):
            self.folder.put_file()

    def states(self):
        return state_files(self.folder.path(self.checkpoint, "state"))

    def run(self, engines, readers):
        """All turns: what each printed, the state files after it, and what the readers say of the state."""
        for turn in range(len(FILES)):
            self.put_files(turn)
            printed, error = engines[turn % len(engines)].run(self.script)
            tables = [engine.run(self.reader) for engine in readers if turn in READ_AFTER]
            self.turns.append((printed, error, self.states(), tables))
        self.offsets = offsets(self.folder.path(self.checkpoint, "offsets"))
        return self


def offsets(folder):
    """Watermarks and ends of each batch, as the log has them."""
    found = []
    for n in resume.log_numbers(folder):
        with open(os.path.join(folder, str(n))) as f:
            lines = UUID.sub("<id>", f.read()).split("\n")
        found.append((n, json.loads(lines[1])["batchWatermarkMs"], lines[2:]))
    return found


def difference(wanted, got):
    """The first places where two of {file: changes} differ, in a few words."""
    words = []
    for name in sorted(set(wanted) | set(got)):
        a, b = wanted.get(name), got.get(name)
        if a == b:
            continue
        if not isinstance(a, dict) or not isinstance(b, dict):
            words.append("%s: %r, got %r" % (name, a, b))
            continue
        keys = [k for k in sorted(set(a) | set(b)) if a.get(k, "absent") != b.get(k, "absent")]
        words.append("%s: %d of %d keys, the first %s: %s, got %s" % (
            name, len(keys), len(a), keys[0], a.get(keys[0], "absent"), b.get(keys[0], "absent")))
    return words[:4]


def check(name, transcript, cwd, scratch, spark, tidemark):
    say, same = transcript.say, transcript.same
    say("\n== %s (%s)" % (name, QUERIES[name][0]))
    alone = Play(cwd, scratch, name).run([spark], [spark])
    wanted = alone.turns
    batches = sum(p.count("\n") for p, *_ in wanted)
    say("  Spark alone: %d turns, %d batches, %d rows out, %d state files" % (
        len(FILES), batches, sum(p.count("(") for p, *_ in wanted), len(wanted[-1][2])))
    same("error of Spark alone", [], [error for _, error, *_ in wanted if error])
    for engines in ([tidemark, spark], [spark, tidemark], [tidemark]):
        title = " and ".join(e.name for e in engines) + (" take turns" if len(engines) > 1 else " alone")
        before = transcript.differences
        got = Play(cwd, scratch, name).run(engines, [spark, tidemark])
        for turn, (want, have) in enumerate(zip(wanted, got.turns)):
            who = "turn %d (%s)" % (turn, engines[turn % len(engines)].name)
            same("error of " + who, want[1], have[1])
            same("rows of " + who, want[0], have[0])
            same("state files after " + who, [], difference(want[2], have[2]))
            for engine, state in zip((spark, tidemark), have[3]):
                same("state after %s, read by %s" % (who, engine.name), want[3][0], state)
            if transcript.differences > before + 3:
                break
        same("offsets", alone.offsets, got.offsets)
        if transcript.differences == before:
            say("  %s: the same rows, the same state" % title)
        else:
            say("  %s: DIFFERENT" % title)
    if name in STOPS and tidemark is not spark:
        stops(name, transcript, cwd, scratch, spark, tidemark, wanted)


def stops(name, transcript, cwd, scratch, spark, tidemark, wanted):
    """tidemark stops after, then within, each write of its second turn; Spark ends that turn, tidemark takes the third."""
    say, same = transcript.say, transcript.same
    for side in ("after", "during"):
        before = transcript.differences
        for k in range(1, resume.WRITES_MAX):
            play = Play(cwd, scratch, name)
            play.put_files(0)
            same("error of the first turn", None, tidemark.run(play.script)[1])
            play.put_files(1)
            done = tidemark.crash(play.script, "write:%d:%s" % (k, side))
            if done.returncode != resume.CRASHED:
                same("exit status of a run with fewer writes", 0, done.returncode)
                break
            where = done.stderr.strip().split("\n")[-1].replace(tidemark.cwd + "/" + play.checkpoint, "ckpt").rstrip(".")
            same("error of Spark, when " + where, None, spark.run(play.script)[1])
            same("state files, when " + where, [], difference(wanted[1][2], play.states()))
            play.put_files(2)
            same("third turn, when " + where, wanted[2][:2], tidemark.run(play.script))
            same("state files of it, when " + where, [], difference(wanted[2][2], play.states()))
        say("  tidemark stops %s each of %d writes: %s" % (
            side, k - 1, "the same rows, the same state" if transcript.differences == before else "DIFFERENT"))


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--spark", default=os.environ.get("SPARK_DIR"), help="the folder with venv/ and jars/")
    words.add_argument("--tidemark", default=os.path.join(resume.HERE, os.pardir, os.pardir, "target", "debug", "tidemark"))
    words.add_argument("queries", nargs="*", choices=[[], *QUERIES], metavar="QUERY")
    given = words.parse_args()
    if not given.spark:
        words.error("--spark is needed")
    scratch = tempfile.mkdtemp(prefix="resume-")
    transcript = resume.Transcript()
    spark = resume.Spark(given.spark, scratch)
    try:
        tidemark = spark if given.tidemark == "spark" else resume.Tidemark(given.tidemark, spark.cwd)
        transcript.say(spark.version)
        for name in given.queries or QUERIES:
            check(name, transcript, spark.cwd, scratch, spark, tidemark)
    finally:
        spark.close()
        shutil.rmtree(scratch, ignore_errors=True)
    transcript.say("\n%d checks, %d differences" % (transcript.checks, transcript.differences))
    return 1 if transcript.differences or not transcript.checks else 0


if __name__ == "__main__":
    sys.exit(main())
