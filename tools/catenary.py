#!/usr/bin/env python3
"""Chains between two points, and the catenaries of their lengths.

    tools/catenary.py > scenes/catenary.json      writes the scene
    tools/catenary.py FILE.csv [FRAME]            says how far the chains of a run are from their catenaries (default: the last frame)

A chain of length L hangs between (-D/2, H) and (D/2, H) along y = H + a (cosh(x/a) - cosh(D/(2a))), where 2 a sinh(D/(2a)) = L. Beads
that are fixed for ever stand on that curve, at equal distances along it."""
import csv
import math
import sys

SPAN, HEIGHT = 2.0, 0.0  # near the origin float32 has the most digits
SEGMENTS, BEADS = 80, 16  # of each chain
LENGTHS = {"short": 2.2, "middle": 3.0, "long": 4.0}


def parameter(length):
    low, high = 1e-2, 1e3
    for _ in range(200):
        a = (low + high) / 2
        too_long = a < SPAN / 1200 or 2 * a * math.sinh(SPAN / (2 * a)) > length
        low, high = (a, high) if too_long else (low, a)
    return (low + high) / 2


def along(length, s):
    """The point at distance s from the left end."""
    a = parameter(length)
    x = a * math.asinh((s - length / 2) / a)
    return x, HEIGHT + a * (math.cosh(x / a) - math.cosh(SPAN / (2 * a)))


def bent(length):
    """Where a chain is at the start: two straight pieces, the lowest point off the middle, so that it has something to do."""
    first = SEGMENTS * 3 // 8
    p, q = length * first / SEGMENTS, length * (SEGMENTS - first) / SEGMENTS
    x = (p * p - q * q + SPAN * SPAN) / (2 * SPAN)
    y = math.sqrt(p * p - x * x)
    corner = (-SPAN / 2 + x, HEIGHT - y)
    for i in range(SEGMENTS + 1):
        end, t = (-SPAN / 2, i / first) if i <= first else (SPAN / 2, (SEGMENTS - i) / (SEGMENTS - first))
        yield end + t * (corner[0] - end), HEIGHT + t * (corner[1] - HEIGHT)


def point(p):
    return "[%.6g, %.6g, 0]" % p


def rows(items, per, indent):
    items = list(items)
    return (",\n" + indent).join(", ".join(items[i : i + per]) for i in range(0, len(items), per))


def scene():
    bodies = []
    for name, length in LENGTHS.items():
        points = rows(map(point, bent(length)), 8, "        ")
        bodies.append('    {\n      "type": "rope", "name": "%s", "material": "chain", "bend": "none", "points": [\n        %s\n      ],\n'
                      '      "pins": [0, %d]\n    }' % (name, points, SEGMENTS))
    for name, length in LENGTHS.items():
        beads = rows(('{"x": %s, "w": 0}' % point(along(length, length * (i + 0.5) / BEADS)) for i in range(BEADS)), 4, "        ")
        bodies.append('    {\n      "type": "particles", "name": "catenary of %s", "thickness": 0.022, "particles": [\n        %s\n      ]\n    }'
                      % (name, beads))
    print("""{
  "pliant": 1,
  "name": "catenary",
  "description": "Three chains of %s m between two points %g m apart, and beads on their catenaries. Made by tools/catenary.py",
  "frames": 240,
  "fps": 60,
  "solver": {"substeps": 100},
  "materials": {"chain": {"preset": "steel_cable", "stretch": {"compliance": 0}, "thickness": 0.01, "drag": 4}},
  "bodies": [
%s
  ],
  "colliders": [
    {"type": "plane", "name": "floor", "offset": -1.9},
    {"type": "capsule", "name": "bar", "radius": 0.03, "half_height": 1.15, "position": [0, 0.041, 0], "rotation": {"axis": [0, 0, 1], "angle": 90}},
    {"type": "capsule", "name": "left post", "radius": 0.03, "half_height": 0.95, "position": [-1.15, -0.92, 0]},
    {"type": "capsule", "name": "right post", "radius": 0.03, "half_height": 0.95, "position": [1.15, -0.92, 0]}
  ]
}""" % (", ".join("%g" % v for v in LENGTHS.values()), SPAN, ",\n".join(bodies)))


def measure(path, frame):
    found = {}
    for row in csv.DictReader(open(path)):
        if row["body"] in LENGTHS and (frame is None or int(row["frame"]) == frame):
            found[row["body"], int(row["particle"])] = (float(row["x"]), float(row["y"]), float(row["z"]))
    for name, length in LENGTHS.items():
        a, worst, grown = parameter(length), 0, 0
        chain = [found[name, i] for i in range(SEGMENTS + 1)]
        for x, y, z in chain:  # the nearest point of the curve, by Newton's method on the distance's derivative
            at = min(max(x, -SPAN / 2), SPAN / 2)
            for _ in range(30):
                over = HEIGHT + a * (math.cosh(at / a) - math.cosh(SPAN / (2 * a))) - y
                slope, bend = math.sinh(at / a), math.cosh(at / a) / a
                at -= (at - x + over * slope) / max(1 + slope * slope + over * bend, 0.5)
            over = HEIGHT + a * (math.cosh(at / a) - math.cosh(SPAN / (2 * a))) - y
            worst = max(worst, math.sqrt((at - x) ** 2 + over**2 + z * z))
        grown = sum(math.dist(p, q) for p, q in zip(chain, chain[1:])) / length - 1
        print("%s: at most %.2f mm from its catenary, %.3f %% longer than it was" % (name, 1e3 * worst, 1e2 * grown))


if len(sys.argv) == 1:
    scene()
else:
    measure(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None)
