"""Makes this folder at home where it lies: run it after unpacking, and after each move.

    python3 relocate.py           absolute paths in logs are rewritten, times of files are set
    python3 relocate.py --pack    a zip for Tidemark is written beside the folder

Needs nothing but Python 3.8. Running it again changes nothing.
"""
import json
import os
import sys
import urllib.parse
import zipfile

HERE = os.path.dirname(os.path.realpath(__file__))
OURS = {"manifest.json", "relocate.py", "run.py", "README.txt", "main.py"}


def home():
    """The folder as a URI, written as Java writes it."""
    path = HERE.replace(os.sep, "/")
    quoted = (c if ord(c) > 127 else urllib.parse.quote(c, safe="/-_.!~*'()=+,:@&$;") for c in path)
    return "file://" + ("" if path.startswith("/") else "/") + "".join(quoted)


def files():
    """Every file of the store: path with slashes relative to the folder, and absolute."""
    for folder, folders, names in os.walk(HERE):
        folders[:] = sorted(f for f in folders if f != "__pycache__")
        for name in sorted(names):
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, HERE).replace(os.sep, "/")
            if relative not in OURS:
                yield relative, path


def is_side_file(name):
    return name.startswith(".") and name.endswith(".crc")


def holds_paths(relative):
    """Logs of file sources, CHECKPOINT/sources/N/…, and of file sinks, TABLE/_spark_metadata/…."""
    folders = relative.split("/")[:-1]
    return folders[-1:] == ["_spark_metadata"] or folders[-2:-1] == ["sources"]


def set_time(path, millis):
    os.utime(path, ns=(millis * 1000000, millis * 1000000))


def rewrite(path, old, new):
    """Replaces the prefix in a log; its time stays. A checksum of the old text would make Spark stop."""
    with open(path, "rb") as f:
        before = f.read()
    after = before
    for form in (old, old.replace("file:///", "file:/", 1)):
        after = after.replace(b'"%s/' % form.encode(), b'"%s/' % new.encode())
    if after == before:
        return False
    stat = os.stat(path)
    with open(path + ".new", "wb") as f:
        f.write(after)
    os.utime(path + ".new", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    os.replace(path + ".new", path)
    side = os.path.join(os.path.dirname(path), "." + os.path.basename(path) + ".crc")
    if os.path.exists(side):
        os.remove(side)
    return True


def save(manifest):
    path = os.path.join(HERE, "manifest.json")
    with open(path + ".new", "w", encoding="utf-8") as f:
        json.dump(manifest, f, indent=1)
    os.replace(path + ".new", path)


def relocate(manifest):
    old, new, known = manifest["root"], home(), manifest["files"]
    for folder in manifest.get("folders", []):
        os.makedirs(os.path.join(HERE, *folder.split("/")), exist_ok=True)
    rewritten = timed = 0
    for relative, path in list(files()):
        folder, name = os.path.split(path)
        if is_side_file(name):
            if not os.path.exists(os.path.join(folder, name[1:-4])):
                os.remove(path)
            continue
        note = known.get(relative)
        if note and os.path.getsize(path) == note["bytes"]:
            set_time(path, note["modified"])
            timed += 1
        if old != new and holds_paths(relative) and rewrite(path, old, new):
            rewritten += 1
            if note:
                note["bytes"] = os.path.getsize(path)
    manifest["root"] = new
    save(manifest)
    print("at home in %s: %d logs rewritten, %d times set" % (new, rewritten, timed))


def pack(manifest):
    kept = [(r, p) for r, p in files() if not is_side_file(os.path.basename(p))]
    manifest["files"] = {
        r: {"modified": os.stat(p).st_mtime_ns // 1000000, "bytes": os.path.getsize(p)} for r, p in kept}
    save(manifest)
    target = HERE + ".zip"
    ours = [(name, os.path.join(HERE, name)) for name in sorted(OURS)]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as out:
        for relative, path in ours + kept:
            if os.path.exists(path):
                out.write(path, os.path.basename(HERE) + "/" + relative)
    print("%s holds %d files" % (target, len(kept)))


def main():
    with open(os.path.join(HERE, "manifest.json"), encoding="utf-8") as f:
        manifest = json.load(f)
    if sys.argv[1:] == ["--pack"]:
        if manifest["root"] != home():
            sys.exit("This folder was moved: run relocate.py first.")
        pack(manifest)
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        relocate(manifest)


main()
