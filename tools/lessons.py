#!/usr/bin/env python3
"""Runs the lessons of docs/lessons.md.

    tools/lessons.py [NAME...]             runs their commands, joins the pictures to docs/lessons/NAME.png, writes their tables (make lessons)
    tools/lessons.py --check               runs all but what draws and what takes long, and says whether what the page claims is so; in float32
                                           also whether the numbers in its tables are those of the run
    tools/lessons.py --order WORD FILE     prints a list of constraints, as pliant run --dump-order does, in another order: `backwards`, or by
                                           `vertex`: each constraint at the last of its vertices

A lesson is a section of the page. Its commands are the lines of its sh block, run in build/lessons/ where build, scenes and tools are as
in the repository; its table stands between two marks and is written by the function of its name below."""
import csv
import json
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "lessons.md")
BINARY = os.environ.get("PLIANT_BINARY", os.path.join(ROOT, "build", "pliant"))
SUBSTEPS = 10  # of the scenes that are timed
failures = []


# ---- what a run leaves ----


def frame(path, number=None):
    """Of each body, rows (x, y, z, vx, vy, vz) by particle, in a frame; without a number, the last."""
    lines = open(path).read().splitlines()
    if number is None:
        number = int(lines[-1].split(",", 1)[0])
    head = "%d," % number
    found = {}
    for row in csv.DictReader(lines[:1] + [line for line in lines[1:] if line.startswith(head)]):
        found.setdefault(row["body"], []).append([float(row[k]) for k in ("x", "y", "z", "vx", "vy", "vz")])
    return found


def last_number(path):
    return int(open(path).read().splitlines()[-1].split(",", 1)[0])


def stretches(points, cells):
    """|d / rest - 1| with its sign, of the edges and diagonals of a square cloth of 1 m."""
    n = cells + 1
    for j in range(n):
        for i in range(n):
            for k, l in ((i + 1, j), (i, j + 1), (i + 1, j + 1), (i - 1, j + 1)):
                if 0 <= k < n and l < n:
                    rest = math.hypot(k - i, l - j) / cells
                    yield math.dist(points[j * n + i][:3], points[l * n + k][:3]) / rest - 1


def stepping(scene, frames):
    return [BINARY, "run", "scenes/lessons/" + scene, "-q", "--threads", "1", "--frames", str(frames), "--substeps", str(SUBSTEPS)]


def processor_ms(scene, first, then, times):
    """Processor time of a frame, in ms: of the frames between two, on one thread, from the quickest of a number of runs in turns."""

    def seconds(count):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(stepping(scene, count), check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    runs = [(seconds(first), seconds(then)) for _ in range(times)]
    return 1e3 * (min(r[1] for r in runs) - min(r[0] for r in runs)) / (then - first)


def instructions(scene, first, then):
    """Instructions of a frame, counted by callgrind: of the frames between two, on one thread, in eight lanes (callgrind knows AVX2)."""

    def counted(count):
        subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=counted.out", *stepping(scene, count)],
                       check=True, capture_output=True, env=dict(os.environ, PLIANT_WIDTH="8"))
        return int(re.search(r"^(?:summary|totals): (\d+)", open("counted.out").read(), re.M).group(1))

    return (counted(then) - counted(first)) / (then - first)


def can_count():
    """Whether callgrind is here, and the binary one that it can run: of an optimised build without a sanitizer."""
    cache = os.path.join(os.path.dirname(os.path.abspath(BINARY)), "CMakeCache.txt")
    return shutil.which("valgrind") and os.path.exists(cache) and "\nCMAKE_BUILD_TYPE:STRING=Release\n" in open(cache).read()


def claim(what, true):
    print(("ok " if true else "not ok ") + what)
    if not true:
        failures.append(what)


# ---- lessons: what is measured, and what the page claims of it; each returns the rows of its table ----


def order(_):
    rows = ["| method | listed from the left: end to end | off its mirror image | listed from the right: end to end | off the mirror image of the other |",
            "| --- | --- | --- | --- | --- |"]
    found = {}
    for method in ("gauss_seidel", "jacobi"):
        a, b = ([p[0] for p in frame("order-%s.csv" % method)["from the " + side]] for side in ("left", "right"))
        found[method] = own, other = [max(abs(p + q) for p, q in zip(a, c[::-1])) for c in (a, b)]
        rows.append("| %s | %.3f m | %.2g m | %.3f m | %.2g m |" % (method, a[-1] - a[0], own, b[-1] - b[0], other))
    claim("order: one after another, a chain is off its mirror image by more than a link", found["gauss_seidel"][0] > 0.1)
    claim("order: listed from the other end it is the mirror image", found["gauss_seidel"][1] < 1e-6)
    claim("order: all from the same positions, it is its own mirror image", max(found["jacobi"]) < 1e-6)
    return rows


def stiffness(_):
    runs = ("5", "50", "raised", "small")
    at = {r: {b: -1 - min(p[1] for p in points) for b, points in frame("stiffness-%s.csv" % r).items()} for r in runs}
    rows = ["| | segments | 1 × 5 | 1 × 50 | 1 × 50, k in each | 10 × 5 |", "| --- | --- | --- | --- | --- | --- |"]
    for kind in ("rigid", "PBD", "XPBD"):
        for n in (4, 8, 16):
            rows.append("| %s | %d | %s |" % (kind if n == 4 else "", n, " | ".join("%.3g m" % at[r]["%s %d" % (kind, n)] for r in runs)))
    claim("stiffness: ten times the iterations make the rigid rope of 16 segments stretch a quarter or less",
          at["50"]["rigid 16"] < at["5"]["rigid 16"] / 4)
    claim("stiffness: with the exponent iterations do not count", all(abs(at["50"][b] / at["5"][b] - 1) < 0.02 for b in ("PBD 4", "PBD 8", "PBD 16")))
    claim("stiffness: with k in every iteration they do", all(at["raised"][b] < at["5"][b] / 4 for b in ("PBD 4", "PBD 8", "PBD 16")))
    claim("stiffness: of PBD the mesh counts", at["5"]["PBD 16"] > 15 * at["5"]["PBD 4"])
    claim("stiffness: and the substeps", all(at["small"][b] < at["5"][b] / 50 for b in ("PBD 4", "PBD 8", "PBD 16")))
    claim("stiffness: of XPBD, once solved, none does", all(abs(at[r]["XPBD %d" % n] / 0.24525 - 1) < 0.002 for r in ("50", "small") for n in (4, 8, 16)))
    claim("stiffness: five iterations have not solved 16 segments", abs(at["5"]["XPBD 16"] / 0.24525 - 1) > 0.02)
    return rows


def locking(_):
    runs = (("2", "1 × 2"), ("50", "1 × 50"), ("500", "1 × 500"), ("1000", "50 × 20"))
    tip = {r: {b: points[17] for b, points in frame("locking-%s.csv" % r).items()} for r, _ in runs}
    rows = ["| substeps × iterations | rigid | compliant |", "| --- | --- | --- |"]
    for r, name in runs:
        rows.append("| %s | %s |" % (name, " | ".join("%.2f m out, %.2f m down" % (tip[r][b][0], -tip[r][b][1]) for b in ("rigid", "compliant"))))
    down = [[-tip[r][b][1] for r, _ in runs] for b in ("rigid", "compliant")]
    claim("locking: with every sweep the rigid strip is more of a board", all(a > b + 0.02 for a, b in zip(down[0], down[0][1:])))
    claim("locking: at last it is one", down[0][-1] < 0.15 and tip["1000"]["rigid"][0] > 0.55)
    claim("locking: the compliant one hangs as it hung", max(down[1]) - min(down[1]) < 0.03)
    return rows


def substeps(_):
    rows = ["| substeps × iterations | largest stretch | mean stretch |", "| --- | --- | --- |"]
    found = []
    for n, m in ((1, 20), (4, 5), (20, 1)):
        s = list(stretches(frame("substeps-%d.csv" % n)["cloth"], 24))
        found.append((max(s), sum(map(abs, s)) / len(s)))
        rows.append("| %d × %d | %.1f %% | %.2f %% |" % (n, m, 100 * found[-1][0], 100 * found[-1][1]))
    claim("substeps: 20 × 1 leaves a tenth of what 1 × 20 does, or less", all(b < a / 10 for a, b in zip(found[0], found[2])))
    claim("substeps: 4 × 5 is between them", all(a > b > c for a, b, c in zip(*found)))
    return rows


def averaging(_):
    rows = ["| averaging | the centre has moved | momentum |", "| --- | --- | --- |"]
    found = {}
    for word in ("row", "classic"):
        first, then = ([sum(p[k] for p in frame("averaging-%s.csv" % word, number)["hook"]) / 8 for k in range(6)] for number in (0, None))
        found[word] = math.dist(first[:3], then[:3]), 8 * math.hypot(*then[3:])
        rows.append("| %s | %.2g m | %.2g kg m/s |" % (word, *found[word]))
    claim("averaging: relaxed by rows, the centre of mass stays", found["row"][0] < 1e-4 and found["row"][1] < 1e-3)
    claim("averaging: averaged by particles, it goes off", found["classic"][0] > 0.2 and found["classic"][1] > 0.3)
    return rows


def sweeps(_):
    rows = ["| order | frames | largest stretch | mean stretch |", "| --- | --- | --- | --- |"]
    found = {}
    for word, name in (("colours", "by colours"), ("colours-back", "by colours, backwards"), ("vertex", "vertex by vertex, from the top down"),
                       ("vertex-back", "vertex by vertex, from the hem up")):
        s = list(stretches(frame("sweeps-%s.csv" % word)["cloth"], 63))
        found[word] = last_number("sweeps-%s.csv" % word), max(s), sum(map(abs, s)) / len(s)
        rows.append("| %s | %s | %.3g %% | %.3g %% |" % (name, "60" if found[word][0] == 60 else "%d, then it diverges" % found[word][0],
                                                         100 * found[word][1], 100 * found[word][2]))
    claim("sweeps: by colours it hangs", found["colours"][0] == 60 and found["colours"][1] < 0.3)
    claim("sweeps: backwards too, and stretches more", found["colours-back"][0] == 60 and found["colours"][1] < found["colours-back"][1] < 1)
    claim("sweeps: along the mesh it explodes, in both directions", found["vertex"][0] < 30 and found["vertex-back"][0] < 30)
    claim("sweeps: from the hem up sooner", found["vertex-back"][0] < found["vertex"][0])
    return rows


def thousand(check):
    """Times when the table is written; a check, which has to say the same on a busy machine, counts instructions."""
    scenes = ("thousand.json", 1024, 3906), ("hundred_thousand.json", 100489, 400056)
    if check:
        if can_count():
            few, many = (instructions(scene, 2, 4) / points / SUBSTEPS for scene, points, _ in scenes)
            claim("thousand: a point costs no more instructions where there are a hundred times as many (%.0f and %.0f a substep)" % (few, many),
                  many < 1.1 * few)
        return []
    rows = ["| points | constraints | ms a frame | ns a point and substep |", "| --- | --- | --- | --- |"]
    each = {}
    for (scene, points, constraints), times in zip(scenes, (20, 3)):
        ms = processor_ms(scene, 2, 22, times)
        each[points] = 1e6 * ms / points / SUBSTEPS
        rows.append("| {:,} | {:,} | {:.3g} | {:.0f} |".format(points, constraints, ms, each[points]))
    claim("thousand: a point takes no more than three times as long where there are a hundred times as many", each[100489] < 3 * each[1024])
    return rows


LESSONS = {f.__name__: f for f in (order, stiffness, locking, substeps, averaging, sweeps, thousand)}
TIMES = ("thousand",)  # tables of times, which are another in every run


# ---- the page ----


def section(page, name):
    return re.search(r"^## %s\n.*?(?=^## |\Z)" % name, page, re.M | re.S).group(0)


def commands(text):
    return re.search(r"^```sh\n(.*?)^```", text, re.M | re.S).group(1).replace("\\\n", " ").splitlines()


def mark(name):
    return "<!-- numbers of %s: written by tools/lessons.py -->\n" % name, "<!-- end of numbers -->\n"


def table(page, name):
    begin, end = mark(name)
    return page[page.index(begin) + len(begin):page.index(end, page.index(begin))]


def with_table(page, name, rows):
    begin, end = mark(name)
    at = page.index(begin) + len(begin)
    return page[:at] + "\n" + "\n".join(rows) + "\n\n" + page[page.index(end, at):]


def prepare(folder):
    os.makedirs(folder + "/build", exist_ok=True)
    for name, target in (("build/pliant", BINARY), ("scenes", ROOT + "/scenes"), ("tools", ROOT + "/tools")):
        if not os.path.lexists(folder + "/" + name):
            os.symlink(os.path.abspath(target), folder + "/" + name)
    os.chdir(folder)


def run(line):
    """A command of the page. Four is what a run ends with that diverges, as some are there to do."""
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
    if done.returncode not in ((0, 4) if "--replay vertex" in line else (0,)):
        claim("%s: exit %d, %s" % (line, done.returncode, done.stderr.strip()), False)


def lesson(name, page, check):
    pictures = []
    for line in commands(section(page, name)):
        pictures += re.findall(r"-o (\S+\.png)", line)
        if not check or not (" render " in line or "hundred_thousand" in line):
            run(line)
    rows = LESSONS[name](check)
    if check:
        if float32 and name not in TIMES:
            claim("%s: the table is what is measured" % name, table(page, name).split("\n")[1:-2] == rows)
        return page
    inputs = [word for p in pictures for word in ("-i", p)]
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", *inputs, "-filter_complex", "hstack=inputs=%d" % len(pictures),
                    "%s/docs/lessons/%s.png" % (ROOT, name)], check=True)
    return with_table(page, name, rows)


def reordered(word, path):
    rows = json.load(open(path))
    if word == "vertex":
        rows.sort(key=lambda r: (max(r["ids"]), min(r["ids"])))
    else:
        rows.reverse()
    print("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]")


if len(sys.argv) == 4 and sys.argv[1] == "--order" and sys.argv[2] in ("vertex", "backwards"):
    sys.exit(reordered(*sys.argv[2:]))
check = sys.argv[1:] == ["--check"]
names = list(LESSONS) if check else sys.argv[1:] or list(LESSONS)
if any(name not in LESSONS for name in names):
    sys.exit("usage: tools/lessons.py [NAME...] | --check | --order vertex|backwards FILE; lessons are " + ", ".join(LESSONS))
float32 = json.loads(subprocess.run([BINARY, "info", "--json"], capture_output=True, text=True, check=True).stdout)["real_bytes"] == 4
page = open(PAGE).read()
with tempfile.TemporaryDirectory() as scratch:
    os.makedirs(ROOT + "/docs/lessons", exist_ok=True)
    prepare(scratch if check else ROOT + "/build/lessons")
    for name in names:
        page = lesson(name, page, check)
    os.chdir(ROOT)
if not check:
    open(PAGE, "w").write(page)
sys.exit(1 if failures else 0)
