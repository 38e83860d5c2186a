"""An exported folder on real Spark and back: see README.md.

    python3 tests/resume/folder.py --spark DIR [--carry target/debug/examples/carry]

DIR holds venv/ and jars/, as tests/conformance/setup.sh makes them. Prints a transcript; exits with 1 on any difference.
"""
import argparse
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, os.pardir, os.pardir)

SCRIPT = '''sch = "id INT, user STRING, amt DOUBLE, ts TIMESTAMP"
query = (spark.readStream.schema(sch).json("in/")
         .writeStream.format("delta")
         .option("checkpointLocation", "ckpt/")
         .trigger(availableNow=True)
         .start("out/"))
query.awaitTermination()
print([(p["batchId"], p["numInputRows"]) for p in query.recentProgress])
spark.read.format("delta").load("out/").orderBy("id").show()
'''
# State in a checkpoint, and a file sink, whose log holds absolute paths too.
COUNTS = '''rows = spark.readStream.schema("id INT, user STRING, amt DOUBLE, ts TIMESTAMP").json("in/")
copy = (rows.writeStream.format("json").option("path", "copy/").option("checkpointLocation", "ckpt-copy/")
        .trigger(availableNow=True).start())
copy.awaitTermination()
counts = (rows.groupBy("user").count().writeStream.format("delta").outputMode("complete")
          .option("checkpointLocation", "ckpt-counts/").trigger(availableNow=True).start("counts/"))
counts.awaitTermination()
print([(p["batchId"], p["numInputRows"]) for q in (copy, counts) for p in q.recentProgress])
spark.read.schema("id INT").json("copy/").orderBy("id").show()
print(sorted((r["user"], r["count"]) for r in spark.read.format("delta").load("counts/").collect()))
'''
differences = 0


def same(what, wanted, got):
    global differences
    if wanted != got:
        differences += 1
        print("    DIFFERENCE in %s\n      expected %s\n      got      %s" % (what, wanted, got))


def row(n):
    return {"id": n, "user": "abc"[n % 3], "amt": n / 2, "ts": "2026-01-01T10:%02d:00" % n}


def lines(rows):
    return "".join(json.dumps(row(n)) + "\n" for n in rows)


def counted(ids):
    """What the script with the counts prints last."""
    users = [row(n)["user"] for n in ids]
    return str([(u, users.count(u)) for u in sorted(set(users))])


def report(who, stdout, progress, ids, last=None):
    """The progress, the ids of the table and the last line, against what they must be."""
    out = stdout.strip().split("\n")
    start = next((i for i, line in enumerate(out) if line.startswith("[")), 0)
    found = [int(c) for c in re.findall(r"^\|\s*(\d+)\|", "\n".join(out), re.M)]
    print("  %s: %s, rows %s" % (who.ljust(8), out[start], found))
    same("progress", str(progress), out[start])
    same("rows", ids, found)
    if last is not None:
        same("counts", last, out[-1])


class Tidemark:
    """Acts by the example `carry`; the folder that it exports."""

    def __init__(self, carry, scratch):
        self.carry, self.scratch, self.acts, self.n = os.path.abspath(carry), scratch, [], 0

    def act(self, verb, *words):
        self.acts.append(" ".join([verb, *words]))

    def put(self, name, rows):
        self.act("put", "in/" + name, json.dumps(lines(rows)))

    def folder(self, progress, ids, last=None):
        """Runs the script, and gives the exported zip."""
        self.n += 1
        acts, out = os.path.join(self.scratch, "acts"), os.path.join(self.scratch, "export%d.zip" % self.n)
        with open(acts, "w") as f:
            f.write("\n".join(self.acts + ["run main.py"]) + "\n")
        self.acts.append("run main.py")
        done = subprocess.run([self.carry, acts, out], capture_output=True, text=True)
        same("error", "", done.stderr)
        report("tidemark", done.stdout, progress, ids, last)
        return out


def unpack(archive, target):
    shutil.rmtree(target, ignore_errors=True)
    with zipfile.ZipFile(archive) as z:
        z.extractall(target)
    return os.path.join(target, os.listdir(target)[0])


def relocate(folder, *words):
    done = subprocess.run([sys.executable, os.path.join(folder, "relocate.py"), *words], capture_output=True, text=True)
    same("error of relocate.py", "", done.stderr)
    print("  relocate: " + re.sub(r"(file://)?/\S*a(%20| )folder(%20| )[^/]*/(\S*/)?", "…/", done.stdout.strip()))


def spark(args, folder, progress, ids, last=None):
    env = dict(os.environ, DELTA_JARS=os.path.join(os.path.abspath(args.spark), "jars"), TZ="UTC")
    python = os.path.join(os.path.abspath(args.spark), "venv", "bin", "python")
    done = subprocess.run([python, "run.py"], cwd=folder, env=env, capture_output=True, text=True)
    if done.returncode:
        print(done.stderr[-2000:])
    same("exit status of run.py", 0, done.returncode)
    report("Spark", done.stdout, progress, ids, last)


def sources(folder):
    """The paths of the file source's log."""
    log, found = os.path.join(folder, "ckpt", "sources", "0"), []
    for name in sorted(n for n in os.listdir(log) if n.isdigit()):
        with open(os.path.join(log, name)) as f:
            found += [json.loads(line)["path"] for line in f.read().split("\n")[1:]]
    return found


def encoded(path):
    with open(path, "rb") as f:
        return base64.b64encode(f.read()).decode()


def story(args, scratch):
    work = Tidemark(args.carry, scratch)

    print("== three batches here, exported, unpacked, relocated; real Spark goes on")
    work.act("seed", "1")
    work.act("edit", "main.py", json.dumps(SCRIPT))
    work.put("a.json", [1, 2])
    work.folder([(0, 2)], [1, 2])
    work.put("b.json", [3])
    work.folder([(1, 1)], [1, 2, 3])
    work.put("c.json", [4, 5])
    archive = work.folder([(2, 2)], [1, 2, 3, 4, 5])
    folder = unpack(archive, os.path.join(scratch, "one"))
    with open(os.path.join(folder, "main.py")) as f:
        same("the script", SCRIPT, f.read())
    relocate(folder)
    relocate(folder)
    here = "file://" + os.path.realpath(folder).replace(" ", "%20")
    same("paths of the source log", [here + "/in/%s.json" % n for n in "abc"], sources(folder))
    same("time of in/a.json", 1767268801, int(os.stat(os.path.join(folder, "in", "a.json")).st_mtime))
    spark(args, folder, [(3, 0)], [1, 2, 3, 4, 5])
    with open(os.path.join(folder, "in", "d.json"), "w") as f:
        f.write(lines([6]))
    spark(args, folder, [(3, 1)], [1, 2, 3, 4, 5, 6])

    print("\n== the folder moves; packed, it is imported here, and we go on")
    moved = os.path.join(scratch, "two")
    shutil.move(folder, moved)
    relocate(moved)
    relocate(moved, "--pack")
    back = Tidemark(args.carry, scratch)
    back.act("seed", "2")
    back.act("import", "two.zip", encoded(moved + ".zip"))
    back.folder([(4, 0)], [1, 2, 3, 4, 5, 6])
    back.put("e.json", [7, 8])
    archive = back.folder([(4, 2)], [1, 2, 3, 4, 5, 6, 7, 8])

    print("\n== exported again, real Spark has nothing to mend and takes the next file")
    folder = unpack(archive, os.path.join(scratch, "three"))
    relocate(folder)
    spark(args, folder, [(5, 0)], [1, 2, 3, 4, 5, 6, 7, 8])
    with open(os.path.join(folder, "in", "f.json"), "w") as f:
        f.write(lines([9]))
    spark(args, folder, [(5, 1)], [1, 2, 3, 4, 5, 6, 7, 8, 9])


def state(args, scratch):
    print("\n== counts in the state and a file sink: two batches here, one in real Spark, one here")
    work = Tidemark(args.carry, scratch)
    work.act("seed", "3")
    work.act("edit", "main.py", json.dumps(COUNTS))
    work.put("a.json", [1, 2])
    work.folder([(0, 2), (0, 2)], [1, 2], counted([1, 2]))
    work.put("b.json", [3, 4])
    archive = work.folder([(1, 2), (1, 2)], [1, 2, 3, 4], counted([1, 2, 3, 4]))
    folder = unpack(archive, os.path.join(scratch, "state"))
    relocate(folder)
    with open(os.path.join(folder, "in", "c.json"), "w") as f:
        f.write(lines([5]))
    spark(args, folder, [(2, 1), (2, 1)], [1, 2, 3, 4, 5], counted([1, 2, 3, 4, 5]))
    relocate(folder, "--pack")
    back = Tidemark(args.carry, scratch)
    back.act("seed", "4")
    back.act("import", "state.zip", encoded(folder + ".zip"))
    back.put("d.json", [6, 7])
    back.folder([(3, 2), (3, 2)], [1, 2, 3, 4, 5, 6, 7], counted([1, 2, 3, 4, 5, 6, 7]))


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--spark", default=os.environ.get("SPARK_DIR"), help="folder with venv/ and jars/")
    words.add_argument("--carry", default=os.path.join(ROOT, "target", "debug", "examples", "carry"))
    words.add_argument("acts", nargs="*", choices=[[], "story", "state"], help="all, if none is named")
    args = words.parse_args()
    if not args.spark:
        words.error("--spark DIR is wanted")
    scratch = tempfile.mkdtemp(prefix="a folder ")  # a blank, so that paths are written as URIs
    if not args.acts or "story" in args.acts:
        story(args, scratch)
    if not args.acts or "state" in args.acts:
        state(args, scratch)
    shutil.rmtree(scratch, ignore_errors=True)
    print("\n%d differences" % differences)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
