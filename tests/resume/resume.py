"""Real Spark carries on from what `tidemark run` left, and the reverse: see README.md.

    python3 tests/resume/resume.py --spark DIR [--tidemark target/debug/tidemark] [--seed N] [ACT ...]

DIR holds venv/ and jars/, as tests/conformance/setup.sh makes them. Prints a transcript; exits with 1 on any difference.
"""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FIRST_TIME = int(time.time()) - 3600  # the n-th file is n seconds younger; not long ago, or Spark lets old commits expire
CRASHED = 3              # exit status of `tidemark run --crash`
WRITES_MAX = 40          # more writes than a batch can have

SCRIPT = '''sch = "id INT, user STRING, amt DOUBLE, ts TIMESTAMP"
query = (spark.readStream.schema(sch){option}.json("in/")
         .writeStream.format("delta")
         .option("checkpointLocation", "ckpt/")
         .trigger(availableNow=True)
         .start("out/"))
query.awaitTermination()
print([(p["batchId"], p["numInputRows"]) for p in query.recentProgress])
spark.read.format("delta").load("out/").orderBy("id", "user").show(200)
'''


# --- real Spark, in a process of its own -------------------------------------------------------------------------

def serve(work, jars):
    """Runs the scripts named on stdin, one a line, in one JVM whose working folder is `work`; answers in JSON lines."""
    import contextlib
    import io
    import logging
    logging.disable(logging.CRITICAL)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what Spark itself prints is not an answer
    os.chdir(work)
    sys.path.insert(0, os.path.join(HERE, os.pardir, "conformance"))
    import run_spark
    from pyspark.sql import SparkSession, functions
    found, delta = run_spark.delta_jars(jars)
    os.environ["CASE_TMP"] = work
    base, cwd = run_spark.start(found)  # makes a folder of its own below `work`, which is not used
    print(json.dumps({"cwd": cwd, "spark": base.version, "delta": delta}), file=answers, flush=True)
    for line in sys.stdin:
        spark = base.newSession()
        SparkSession._instantiatedSession = spark
        spark._jvm.SparkSession.setDefaultSession(spark._jsparkSession)
        spark._jvm.SparkSession.setActiveSession(spark._jsparkSession)
        out, error = io.StringIO(), None
        with open(line.strip(), encoding="utf-8") as f:
            code = compile(f.read(), "copy.py", "exec")
        try:
            with contextlib.redirect_stdout(out):
                exec(code, {"__name__": "__main__", "spark": spark, "F": functions})
        except Exception as e:
            error = "%s: %s" % (type(e).__name__, e)
        spark._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
        print(json.dumps({"stdout": out.getvalue(), "error": error}), file=answers, flush=True)


class Spark:
    """The other process; its JVM keeps one working folder, so every act happens there."""
    name = "Spark"

    def __init__(self, folder, scratch):
        python = os.path.join(folder, "venv", "bin", "python")
        self.process = subprocess.Popen(
            [python, os.path.abspath(__file__), "--serve", scratch, os.path.join(os.path.abspath(folder), "jars")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        hello = json.loads(self.process.stdout.readline() or "{}")
        if not hello:
            sys.exit("Spark does not start from " + folder)
        self.cwd, self.version = hello["cwd"], "Spark %s with Delta Lake %s" % (hello["spark"], hello["delta"])

    def run(self, script):
        print(script, file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline() or '{"stdout": "", "error": "the process ended"}')
        return answer["stdout"], answer["error"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Tidemark:
    """The binary, a process for each run."""
    name = "tidemark"

    def __init__(self, binary, cwd):
        self.binary, self.cwd = os.path.abspath(binary), cwd

    def command(self, script, *more):
        return [self.binary, "run", script, "--dir", self.cwd, *more]

    def run(self, script):
        done = subprocess.run(self.command(script), capture_output=True, text=True)
        error = None if done.returncode == 0 else "exit %d: %s" % (done.returncode, done.stderr.strip()[-400:])
        return done.stdout, error

    def crash(self, script, place):
        return subprocess.run(self.command(script, "--crash", place), capture_output=True, text=True)

    def kill(self, script, begins, seconds, ends=None):
        """Starts a run, waits for the file `begins`, and kills it some time later; with `ends`, only measures until that file is there."""
        process = subprocess.Popen(self.command(script), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        there = lambda name: os.path.exists(os.path.join(self.cwd, name))
        while not there(begins) and process.poll() is None:
            time.sleep(0.0002)
        begun = time.monotonic()
        if ends is None:
            time.sleep(seconds)
            process.kill()
        while ends and not there(ends) and process.poll() is None:
            time.sleep(0.0002)
        took = time.monotonic() - begun
        process.wait()
        return took


# --- the folder --------------------------------------------------------------------------------------------------

def row_of(n, k):
    return (n * 10 + k, "abc"[(n + k) % 3], n + k / 4, "2026-01-01 10:%02d:%02d" % (n, k))


def shown(rows):
    """What `show` prints of the rows."""
    cells = [("id", "user", "amt", "ts")] + [tuple(str(c) for c in r) for r in rows]
    widths = [max(3, *(len(r[i]) for r in cells)) for i in range(4)]
    rule = "+" + "+".join("-" * w for w in widths) + "+"
    lines = ["|" + "|".join(c.rjust(w) for c, w in zip(r, widths)) + "|" for r in cells]
    return "\n".join([rule, lines[0], rule] + lines[1:] + [rule, "", ""])


def log_numbers(folder, end=""):
    if not os.path.isdir(folder):
        return []
    return sorted(int(n[:len(n) - len(end)]) for n in os.listdir(folder) if re.fullmatch(r"\d+" + re.escape(end), n))


class Folder:
    """in/, ckpt/ and out/ of the act that goes on."""

    def __init__(self, cwd, lines):
        self.cwd, self.files, self.lines = cwd, 0, lines
        for name in os.listdir(cwd):
            path = os.path.join(cwd, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)

    def path(self, *names):
        return os.path.join(self.cwd, *names)

    def put(self, rows):
        """A new input file with so many rows."""
        self.files += 1
        os.makedirs(self.path("in"), exist_ok=True)
        new = self.path("in", "%02d.json" % self.files)
        with open(new + ".tmp", "w") as f:
            for k in range(rows):
                i, user, amt, ts = row_of(self.files, k)
                f.write(json.dumps({"id": i, "user": user, "amt": amt, "ts": ts.replace(" ", "T") + "Z"}) + "\n")
        os.utime(new + ".tmp", (FIRST_TIME + self.files, FIRST_TIME + self.files))
        os.rename(new + ".tmp", new)
        self.lines.append((self.files, rows))

    def rows(self):
        return sorted(row_of(n, k) for n, rows in self.lines for k in range(rows))

    def remove(self, *names):
        """Deletes a file, and the side file with its checksum where there is one."""
        path = self.path(*names)
        os.remove(path)
        crc = os.path.join(os.path.dirname(path), "." + os.path.basename(path) + ".crc")
        if os.path.exists(crc):
            os.remove(crc)

    def commits(self):
        """The Delta log, from the commits that are there: version, actions by kind."""
        folder, found = self.path("out", "_delta_log"), []
        for version in log_numbers(folder, ".json"):
            kinds = {}
            with open(os.path.join(folder, "%020d.json" % version)) as f:
                for line in f:
                    for kind, body in json.loads(line).items():
                        kinds.setdefault(kind, []).append(body)
            found.append((version, kinds))
        return found

    def source_log(self):
        """The last path component and the number of each entry of the file source's log, from its newest compact file on."""
        folder, entries = self.path("ckpt", "sources", "0"), []
        compact = log_numbers(folder, ".compact")[-1:]
        names = ["%d.compact" % n for n in compact] + [str(n) for n in log_numbers(folder) if not compact or n > compact[0]]
        for name in names:
            with open(os.path.join(folder, name)) as f:
                lines = f.read().split("\n")
            entries += [(os.path.basename(e["path"]), e["batchId"]) for e in map(json.loads, lines[1:])]
        return entries

    def source_offset(self, batch):
        """Up to which entry of the source log a batch reads: its last line says so."""
        with open(self.path("ckpt", "offsets", str(batch))) as f:
            return json.loads(f.read().split("\n")[-1])["logOffset"]

    def state(self):
        """In a few words, how far the store has come."""
        last = [log_numbers(self.path("ckpt", n))[-1:] for n in ("sources/0", "offsets", "commits")]
        last.insert(2, log_numbers(self.path("out", "_delta_log"), ".json")[-1:])
        words = zip(("sources/0", "offsets", "_delta_log", "commits"), last)
        return ", ".join("%s/%s" % (w, n[0] if n else "-") for w, n in words)

    def listing(self):
        """Every file and its bytes, but for the checksums beside them."""
        found = {}
        for folder, _, names in os.walk(self.cwd):
            for name in names:
                if not name.endswith(".crc"):
                    path = os.path.join(folder, name)
                    with open(path, "rb") as f:
                        found[os.path.relpath(path, self.cwd)] = f.read()
        return found


# --- checks ------------------------------------------------------------------------------------------------------

class Transcript:
    def __init__(self):
        self.checks, self.differences = 0, 0

    def say(self, text):
        print(text, flush=True)

    def same(self, what, wanted, got):
        self.checks += 1
        if wanted != got:
            self.differences += 1
            self.say("    DIFFERENCE in %s\n      expected %s\n      got      %s" % (what, wanted, got))


class Act:
    """One folder, the engines that take turns on it, and what must hold after each turn."""

    def __init__(self, title, transcript, script, cwd):
        transcript.say("\n== " + title)
        self.t, self.script, self.folder = transcript, script, Folder(cwd, [])

    def turn(self, engine, progress=None):
        """A whole run of the script; then all rows are there once and the logs go together."""
        stdout, error = engine.run(self.script)
        first, _, table = stdout.partition("\n")
        self.t.say("  %s: %s, %d rows" % (engine.name.ljust(8), first, max(0, table.count("\n") - 5)))
        self.t.same("error", None, error)
        if progress is not None:
            self.t.same("progress", str(progress), first)
        self.t.same("rows shown", shown(self.folder.rows()), table)
        self.check_logs()

    def idle(self, engine):
        """A run without anything new changes no file."""
        before, batches = self.folder.listing(), len(log_numbers(self.folder.path("ckpt", "offsets")))
        self.turn(engine, [(batches, 0)])
        after = self.folder.listing()
        changed = sorted(n for n in set(before) | set(after) if before.get(n) != after.get(n))
        self.t.same("files that an idle run changed", [], changed)

    def check_logs(self):
        f, same = self.folder, self.t.same
        offsets = log_numbers(f.path("ckpt", "offsets"))
        batches = list(range(len(offsets)))
        same("ckpt/offsets", batches, offsets)
        same("ckpt/commits", batches, log_numbers(f.path("ckpt", "commits")))
        with open(f.path("ckpt", "metadata")) as file:
            query = json.load(file)["id"]
        self.query = getattr(self, "query", query)
        same("query id", self.query, query)
        commits = f.commits()
        same("versions", batches, [v for v, _ in commits])
        same("txn", [(self.query, n) for n in batches],
             [(t["appId"], t["version"]) for _, kinds in commits for t in kinds.get("txn", [])])
        same("epochs", [str(n) for n in batches],
             [kinds["commitInfo"][0]["operationParameters"]["epochId"] for _, kinds in commits])
        log = f.source_log()
        same("files in the source log", ["%02d.json" % n for n, _ in f.lines], sorted(name for name, _ in log))
        ends = [-1] + [f.source_offset(n) for n in batches]
        rows_of = {"%02d.json" % n: rows for n, rows in f.lines}
        by_batch = [sum(rows_of[name] for name, at in log if ends[n] < at <= ends[n + 1]) for n in batches]
        same("rows of each version", by_batch,
             [sum(json.loads(a["stats"])["numRecords"] for a in kinds.get("add", [])) for _, kinds in commits])

    def check_compacted(self, times):
        f = self.folder
        self.t.same("compact files", [10 * n + 9 for n in range(times)], log_numbers(f.path("ckpt", "sources", "0"), ".compact"))
        self.t.same("Delta checkpoints", [10 * n + 10 for n in range(times)],
                    log_numbers(f.path("out", "_delta_log"), ".checkpoint.parquet"))
        with open(f.path("out", "_delta_log", "_last_checkpoint")) as file:
            self.t.same("_last_checkpoint", 10 * times, json.load(file)["version"])

    def left(self, how):
        self.t.say("  %s: left %s" % (how, self.folder.state()))


# --- the acts ----------------------------------------------------------------------------------------------------

def handover(make, one, other):
    act = make("%s begins, %s goes on" % (one.name, other.name))
    act.folder.put(2)
    act.turn(one, [(0, 2)])
    act.idle(other)
    act.folder.put(1)
    act.turn(other, [(1, 1)])
    act.idle(one)
    act.folder.put(3)
    act.turn(one, [(2, 3)])
    act.folder.put(1)
    act.folder.put(1)
    act.turn(other, [(3, 2)])


def goes_on(act, spark, tidemark):
    """After a stop within batch 1: a new file has come, Spark ends batch 1, and tidemark has nothing to mend."""
    act.folder.put(2)
    act.turn(spark)
    act.idle(tidemark)
    act.folder.put(1)
    act.turn(tidemark)


def stops(make, tidemark, spark):
    for side in ("after", "during"):
        for k in range(1, WRITES_MAX):
            act = make("tidemark stops %s write %d of batch 1, Spark goes on" % (side, k))
            act.folder.put(2)
            act.turn(tidemark, [(0, 2)])
            act.folder.put(1)
            done = tidemark.crash(act.script, "write:%d:%s" % (k, side))
            if done.returncode != CRASHED:
                act.t.same("exit status of a run with fewer writes", 0, done.returncode)
                act.t.say("  a run has %d writes" % (k - 1))
                act.t.same("at least five writes in a batch", True, k > 5)
                break
            act.left(done.stderr.strip().split("\n")[-1].replace(tidemark.cwd + "/", "").rstrip("."))
            goes_on(act, spark, tidemark)


def kills(make, tidemark, spark, chance, tries=12):
    act = make("how long tidemark takes from the first write of batch 0 to the last")
    act.folder.put(2)
    window = tidemark.kill(act.script, "ckpt/sources/0/0", 0, ends="ckpt/commits/0")
    act.t.say("  %d ms" % (window * 1000))
    for n in range(tries):
        act = make("kill -9 of tidemark in batch 1, try %d" % (n + 1))
        act.folder.put(2)
        act.turn(tidemark, [(0, 2)])
        act.folder.put(1)
        share = chance.uniform(0, 1)
        tidemark.kill(act.script, "ckpt/sources/0/1", window * share)
        act.left("killed at %.0f %% of the batch" % (share * 100))
        goes_on(act, spark, tidemark)


def cuts(make, tidemark, spark):
    """The last files that Spark wrote are deleted in the reverse of the order in which it wrote them."""
    steps = ["commits/1", "the Delta commit", "the data file", "offsets/1", "sources/0/1"]
    for gone in range(len(steps) + 1):
        act = make("Spark ends batch 1, %s deleted, tidemark goes on" % (" and ".join(steps[:gone]) or "nothing"))
        f = act.folder
        f.put(2)
        act.turn(spark, [(0, 2)])
        f.put(1)
        act.turn(spark, [(1, 1)])
        data = [a["path"] for version, kinds in f.commits() if version == 1 for a in kinds["add"]]
        for step in steps[:gone]:
            if step == "the Delta commit":
                f.remove("out", "_delta_log", "%020d.json" % 1)
                if os.path.exists(f.path("out", "_delta_log", "%020d.crc" % 1)):
                    f.remove("out", "_delta_log", "%020d.crc" % 1)
            elif step == "the data file":
                for name in data:
                    f.remove("out", name)
            else:
                f.remove("ckpt", *step.split("/"))
        act.left("cut")
        f.put(2)
        act.turn(tidemark)
        act.idle(spark)
        f.put(1)
        act.turn(spark)


def long(make, one, other):
    """Twelve batches and more: 9.compact and the checkpoint of version 10 are read, 19.compact and version 20 made from them."""
    act = make("%s makes 12 batches, %s goes on for 10" % (one.name, other.name), '.option("maxFilesPerTrigger", 1)')
    f = act.folder
    for n in range(12):
        f.put(1 + n % 2)
    act.turn(one, [(n, 1 + n % 2) for n in range(12)])
    act.check_compacted(1)
    act.idle(other)
    for n in range(10):
        f.put(1)
    act.turn(other, [(12 + n, 1) for n in range(10)])
    act.check_compacted(2)
    f.put(2)
    act.turn(one, [(22, 2)])
    act.idle(other)


def main():
    if sys.argv[1:2] == ["--serve"]:
        return serve(*sys.argv[2:])
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--spark", default=os.environ.get("SPARK_DIR"), help="folder with venv/ and jars/")
    words.add_argument("--tidemark", default=os.path.join(HERE, os.pardir, os.pardir, "target", "debug", "tidemark"),
                       help="the binary; the word spark puts Spark in its place, to prove the checks (not with stops and kills)")
    words.add_argument("--seed", type=int, default=1, help="of the moments of kill -9")
    words.add_argument("acts", nargs="*", choices=[[], "handover", "stops", "kills", "cuts", "long"], help="all, if none is named")
    args = words.parse_args()
    if not args.spark:
        words.error("--spark DIR is wanted")
    t, scratch = Transcript(), tempfile.mkdtemp(prefix="resume-")
    spark = Spark(args.spark, scratch)
    tidemark = spark if args.tidemark == "spark" else Tidemark(args.tidemark, spark.cwd)
    t.say(spark.version)

    def make(title, option=""):
        script = os.path.join(scratch, "copy.py")
        with open(script, "w") as f:
            f.write(SCRIPT.replace("{option}", option))
        return Act(title, t, script, spark.cwd)

    chosen = lambda act: not args.acts or act in args.acts
    if chosen("handover"):
        handover(make, tidemark, spark)
        handover(make, spark, tidemark)
    if chosen("stops"):
        stops(make, tidemark, spark)
    if chosen("kills"):
        kills(make, tidemark, spark, random.Random(args.seed))
    if chosen("cuts"):
        cuts(make, tidemark, spark)
    if chosen("long"):
        long(make, tidemark, spark)
        long(make, spark, tidemark)
    spark.close()
    shutil.rmtree(scratch, ignore_errors=True)
    t.say("\n%d checks, %d differences" % (t.checks, t.differences))
    return 1 if t.differences or not t.checks else 0


if __name__ == "__main__":
    sys.exit(main())
