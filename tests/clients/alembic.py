"""Compares what Alembic's library says of an archive (lines of JSON, of alembic_host.c) with the .csv and .ply of the same run.

Usage: alembic.py LINES FILE.csv FOLDER.ply FRAMES FPS [more]; with `more`, the archive may have more frames than that.
"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import abc_reader  # noqa: E402

UNIT = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
lines, table, ply, count, fps, *more = sys.argv[1:]
count, fps = int(count), float(fps)
bodies = abc_reader.read_csv(table)
with open(lines, encoding="utf-8") as f:
    told = [json.loads(line) for line in f]


def report(what, right):
    print(f"ok {what}" if right else f"not ok {what}", flush=True)


def f32(numbers):
    return list(abc_reader.f32(list(numbers)))


def near(got, want):
    """The package normalises once more."""
    return len(got) == len(want) and all(abs(a - b) < 1e-6 for a, b in zip(got, want))


def path_of(body):
    return f"/{body}/{body}Shape"


def fan(face):
    return [(face[0], face[i], face[i + 1]) for i in range(1, len(face) - 1)]


def triangles(numbers):
    return sorted(tuple(sorted(numbers[i : i + 3])) for i in range(0, len(numbers), 3))


def turns(numbers, rows):
    """Which way triangles go round, against the normals of their corners: the sum of the volumes that they span."""
    total = 0
    for i in range(0, len(numbers), 3):
        a, b, c = (rows[k] for k in numbers[i : i + 3])
        u, v = [b[k] - a[k] for k in range(3)], [c[k] - a[k] for k in range(3)]
        cross = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        total += sum(cross[k] * a[3 + k] for k in range(3))
    return total


def check_kind(kind, key, rest):
    mine = [t for t in told if t["kind"] == kind]
    right = {"places": True, "rest": True, "unmoved": True}
    for t in mine:
        body = t["path"].split("/")[1]
        rows, faces = abc_reader.read_ply(os.path.join(ply, f"{body}.{t['frame']:04}.ply"))
        want = bodies[body][t["frame"]]
        right["places"] &= t["path"] == path_of(body) and f32(t["is"][key]) == f32(n for row in want for n in row[:3])
        right["rest"] &= rest(t["is"], rows, faces)
        right["unmoved"] &= t["is"]["global_transform"] == UNIT
    names = {t["path"] for t in mine}
    report(f"{kind}: {len(names)} objects, {len(mine)} samples, every vertex of every frame", mine and right["places"] and len(mine) == count * len(names))
    report(f"{kind}: faces, normals and sizes", mine and right["rest"])
    report(f"{kind}: where they are", mine and right["unmoved"])


def mesh_is(m, rows, faces):
    same = triangles(m["index"]) == sorted(tuple(sorted(t)) for face in faces for t in fan(face[::-1]))
    return same and near(m["normal"], f32(n for row in rows for n in row[3:6])) and turns(m["index"], rows) < 0


times = next(t["is"] for t in told if t["kind"] == "times")
last = int(1000 * (count - 1) / fps)
report(f"times: {times}", times["min"] == 0 and (times["max"] > last if more else times["max"] == last))
check_kind("mesh", "vertex", mesh_is)
check_kind("curve", "position", lambda c, rows, _: c["vertex_count_list"] == [len(rows)] and c["curve"] == 1)
check_kind("point", "position", lambda p, rows, _: len(p["position"]) == 3 * len(rows))
xforms = [t for t in told if t["kind"] == "xform"]
report("a transform per body", sorted({t["path"] for t in xforms}) == sorted("/" + b for b in bodies) and all(t["is"]["local_transform"] == UNIT for t in xforms))
