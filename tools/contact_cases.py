#!/usr/bin/env python3
"""Cases that contacts are measured by, as scenes for the gallery: a sheet that is twisted, a ball that is shot at a stack, blocks on inclines, a sheet in
folds, ten sheets on a ball, fifty layers, a heap of grains. docs/contact.md and tests/long_contact.c have figures of such cases.

    tools/contact_cases.py      writes scenes/contact/*.json
"""
import json
import math
import os
import random

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "scenes", "contact")


def write(name, description, frames, substeps, **rest):
    """Long lists of numbers stay on one line, all else is indented."""
    scene = {"pliant": 1, "name": name, "description": description, "frames": frames, "fps": 60, "solver": {"substeps": substeps}}
    scene.update(rest)
    lines = []

    def put(value, indent, head, tail):
        flat = json.dumps(value)
        if not isinstance(value, (dict, list)) or len(flat) + len(head) + indent < 150 or (isinstance(value, list) and isinstance(value[0], list)):
            lines.append(" " * indent + head + flat + tail)
            return
        keyed = isinstance(value, dict)
        lines.append(" " * indent + head + ("{" if keyed else "["))
        items = list(value.items()) if keyed else [(None, v) for v in value]
        for i, (key, v) in enumerate(items):
            put(v, indent + 2, json.dumps(key) + ": " if keyed else "", "," if i + 1 < len(items) else "")
        lines.append(" " * indent + ("}" if keyed else "]") + tail)

    put(scene, 0, "", "")
    path = os.path.join(FOLDER, name + ".json")
    with open(path + ".part", "w") as file:
        file.write("\n".join(lines) + "\n")
    os.replace(path + ".part", path)


SHEET = {"preset": "cotton", "thickness": 0.004, "friction": 0.4, "damping": 1, "drag": 0.3}


def sheet(name, cells, size, position, material="sheet", **rest):
    body = {"type": "cloth", "name": name, "material": material, "cells": cells, "size": size, "self_contact": True, "contact_mask": 1,
            "position": position}
    body.update(rest)
    return body


FLOOR = {"type": "plane", "name": "floor", "friction": 0.5}

# ---- a strip that is twisted by its ends, three turns each ----

ACROSS, ALONG, WIDTH, LENGTH = 16, 80, 0.2, 1.0
TURNS, TWISTS = 3, 6.0  # of each end, in so many seconds


def end_keys(sign):
    """A key each 15 degrees: in between targets go straight. Both ends come nearer to each other by a quarter."""
    keys, count = [], TURNS * 24
    for k in range(count + 1):
        share = k / count
        angle, half = 2 * math.pi * TURNS * share, LENGTH / 2 * (1 - 0.25 * share)
        at = [WIDTH * (i / ACROSS - 0.5) for i in range(ACROSS + 1)]
        positions = [[round(x * math.cos(angle), 5), round(0.5 + sign * x * math.sin(angle), 5), round(sign * half, 5)] for x in at]
        keys.append({"time": round(TWISTS * share, 4), "positions": positions})
    return keys


def twist():
    material = dict(SHEET, thickness=0.0015, damping=2, stretch={"compliance": 1e-4}, shear={"compliance": 1e-4})
    strip = sheet("strip", [ACROSS, ALONG], [WIDTH, LENGTH], [0, 0.5, 0], attach=[{"side": s + "z", "keys": end_keys(-1 if s == "-" else 1)} for s in "-+"])
    write("twist", "A strip is twisted by its two ends through six turns: it coils up, and no part of it passes through another", 420, 20,
          materials={"sheet": material}, bodies=[strip])


# ---- a ball that is shot at a stack ----

def shot():
    pinned = [sheet("sheet %d" % (i + 1), [20, 20], [1, 1], [0, 0.9 - 0.03 * i, 0],
                    pins=[{"side": a + "x" + b + "z"} for a in "-+" for b in "-+"]) for i in range(3)]
    keys = [{"time": t, "position": [0, y, 0]} for t, y in ((0, 1.5), (0.5, 1.5), (0.54, 0.7))]
    write("shot", "A ball flies at 20 m/s into three sheets that are held by their corners, and stays there: it does not get through", 120, 10,
          materials={"sheet": dict(SHEET, thickness=0.005, density=0.3)}, bodies=pinned,
          colliders=[{"type": "sphere", "name": "ball", "radius": 0.1, "friction": 0.5, "keys": keys}])


# ---- blocks on inclines ----

def incline():
    """Of each slope the left block's friction is 1 % above the slope's tangent, the right one's 1 % below."""
    bodies, colliders, pairs = [], [], []
    for slope, z in ((0.3, -0.45), (0.6, 0.45)):
        angle = math.atan(slope)
        name = "slope %.1f" % slope
        colliders.append({"type": "box", "name": name, "half_extent": [1.2, 0.05, 0.35], "friction": slope, "position": [0, 1, z],
                          "rotation": {"axis": [0, 0, 1], "angle": round(math.degrees(angle), 6)}})
        for side, share in (("holds", 1.01), ("slides", 0.99)):
            up, along = 0.05 + 0.05 + 0.005, 0.8
            at = [along * math.cos(angle) - up * math.sin(angle), 1 + along * math.sin(angle) + up * math.cos(angle), z + (-0.15 if side == "holds" else 0.15)]
            block = side + " at %.1f" % slope
            bodies.append({"type": "soft", "name": block, "cells": [3, 2, 3], "size": [0.15, 0.1, 0.15], "position": [round(c, 5) for c in at],
                           "rotation": {"axis": [0, 0, 1], "angle": round(math.degrees(angle), 6)},
                           "material": {"preset": "rubber", "thickness": 0.005, "friction": slope}})
            pairs.append({"a": block, "collider": name, "friction": round(slope * share, 6)})
    write("incline", "Four blocks on slopes of tangent 0.3 and 0.6: friction 1 % above holds, friction 1 % below slides", 600, 20,
          bodies=bodies, colliders=colliders, contact_pairs=pairs)


# ---- a sheet in folds ----

def folds():
    write("folds", "A fine sheet falls over a ball, and lies on it and on the floor in folds: pliant_bench --folded measures such a sheet", 400, 10,
          materials={"sheet": dict(SHEET, thickness=round(0.2 / 127, 6))},
          bodies=[sheet("sheet", [127, 127], [1, 1], [0, 0.45, 0], rotation={"axis": [0, 1, 0], "angle": 20})],
          colliders=[FLOOR, {"type": "sphere", "name": "ball", "radius": 0.1, "position": [0.03, 0.3, 0.02], "friction": 0.5}])


# ---- sheets on sheets ----

def sheets():
    fallen = [sheet("sheet %d" % (i + 1), [99, 99], [1, 1], [round(0.011 * i - 0.05, 3), round(0.62 + 0.012 * i, 3), round(0.007 * i - 0.03, 3)],
                    rotation={"axis": [0, 1, 0], "angle": 7 * i}) for i in range(10)]
    write("sheets", "Ten sheets of 100 x 100 fall on one another over a ball: a hundred thousand particles, and no triangle cuts another", 300, 10,
          materials={"sheet": dict(SHEET, thickness=0.001)}, bodies=fallen,
          colliders=[FLOOR, {"type": "sphere", "name": "ball", "radius": 0.3, "position": [0, 0.3, 0], "friction": 0.5}])


def layers():
    stack = [sheet("layer %d" % (i + 1), [69, 69], [1, 1], [0, round(0.003 + 0.0045 * i, 4), 0], rotation={"axis": [0, 1, 0], "angle": 3 * i})
             for i in range(50)]
    write("layers", "Fifty sheets lie on one another on a low dome: 245,000 particles, three million pairs that touch", 20, 5,
          materials={"sheet": dict(SHEET, thickness=0.002)}, bodies=stack,
          colliders=[FLOOR, {"type": "sphere", "name": "dome", "radius": 1, "position": [0, -0.95, 0], "friction": 0.5}])


# ---- grains ----

def heap():
    chance, grains = random.Random(1), []
    for k in range(64):
        for i in range(8):
            for j in range(8):
                grains.append({"x": [round(0.021 * (c - 3.5) + 0.002 * (chance.random() - 0.5), 4) for c in (i,)]
                               + [round(0.05 + 0.021 * k, 4)] + [round(0.021 * (j - 3.5) + 0.002 * (chance.random() - 0.5), 4)], "mass": 0.004})
    grain = {"thickness": 0.01, "friction": 0.6, "drag": 0.2}
    lines = ",\n        ".join(", ".join(json.dumps(g) for g in grains[i:i + 8]) for i in range(0, len(grains), 8))
    write("heap", "Four thousand grains in a column fall apart into a heap", 180, 10,
          bodies=[{"type": "particles", "name": "grains", "material": grain, "self_contact": True, "particles": "GRAINS"}], colliders=[FLOOR])
    path = os.path.join(FOLDER, "heap.json")
    with open(path) as file:
        text = file.read()
    with open(path + ".part", "w") as file:
        file.write(text.replace('"GRAINS"', "[\n        " + lines + "]"))
    os.replace(path + ".part", path)


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    for make in (twist, shot, incline, folds, sheets, layers, heap):
        make()
