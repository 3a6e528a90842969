#!/usr/bin/env python3
"""The skirt of scenes/skirt.json, and the animation that it was skinned to.

    tools/skirt.py      writes scenes/skirt.json, scenes/meshes/skirt.ply and scenes/meshes/skirt.pc2

A ring of quads from the waist to the hem. The animation moves it as hips move: they turn to and fro and sway, for 2 s.
"""
import math
import os
import struct

AROUND, ROWS = 30, 11
SAMPLES, RATE = 21, 10  # of the animation, per second
WAIST, HEM = (0.15, 1.0), (0.3, 0.5)  # radius and height, m
MOST = 0.25  # m, that the hem may leave its target by


def rest(vertex):
    share, angle = (vertex // AROUND) / ROWS, 2 * math.pi * (vertex % AROUND) / AROUND
    radius = WAIST[0] + (HEM[0] - WAIST[0]) * share ** 0.7
    return radius * math.cos(angle), WAIST[1] + (HEM[1] - WAIST[1]) * share, radius * math.sin(angle)


def hips(time):
    """Turned by, moved by: at rest at time 0, and again after 2 s."""
    ease = (1 - math.cos(math.pi * time)) / 2
    return 1.5 * math.sin(math.pi * time) * ease, (0.25 * math.sin(2 * math.pi * time) * ease, 0.03 * math.sin(4 * math.pi * time) * ease)


def posed(vertex, time):
    (x, y, z), (turn, (right, up)) = rest(vertex), hips(time)
    return x * math.cos(turn) + z * math.sin(turn) + right, y + up, z * math.cos(turn) - x * math.sin(turn)


def write(path, data):
    with open(path + ".part", "wb") as file:
        file.write(data)
    os.replace(path + ".part", path)


def mesh():
    count = AROUND * (ROWS + 1)
    lines = ["ply", "format ascii 1.0", "comment a skirt: tools/skirt.py writes it", f"element vertex {count}", "property float x",
             "property float y", "property float z", f"element face {AROUND * ROWS}", "property list uchar int vertex_indices", "end_header"]
    lines += ["%.6g %.6g %.6g" % rest(v) for v in range(count)]
    for row in range(ROWS):
        for i in range(AROUND):
            a, b = row * AROUND + i, row * AROUND + (i + 1) % AROUND
            lines.append(f"4 {a} {b} {b + AROUND} {a + AROUND}")
    return "\n".join(lines) + "\n"


def cache():
    count = AROUND * (ROWS + 1)
    data = struct.pack("<12siiffi", b"POINTCACHE2\0", 1, count, 0, 1, SAMPLES)
    for sample in range(SAMPLES):
        for v in range(count):
            data += struct.pack("<fff", *posed(v, sample / RATE))
    return data


def distances():
    """0 at the waist, so that it is where the animation has it; more and more towards the hem."""
    rows = ["%.3g" % (MOST * (row / ROWS) ** 1.5) for row in range(ROWS + 1)]
    return ",\n          ".join(", ".join([row] * AROUND) for row in rows)


SCENE = """{
  "pliant": 1,
  "name": "skirt",
  "description": "A skirt that swings around hips that turn and sway, near the animation that it was skinned to: max_distance and a backstop",
  "frames": 120,
  "fps": 60,
  "solver": {"substeps": 10},
  "bodies": [
    {
      "type": "cloth", "name": "skirt", "mesh": "meshes/skirt.ply", "material": "cotton",
      "skin": {
        "keys": {"cache": "meshes/skirt.pc2", "fps": %d},
        "backstop": {"radius": 0.3, "offset": 0.03},
        "max_distance": [
          %s
        ]
      }
    }
  ],
  "colliders": [
    {"type": "capsule", "name": "left leg", "radius": 0.06, "half_height": 0.32, "position": [0.07, 0.62, 0], "keys": {"cache": "meshes/skirt.pc2", "fps": %d}},
    {"type": "capsule", "name": "right leg", "radius": 0.06, "half_height": 0.32, "position": [-0.07, 0.62, 0], "keys": {"cache": "meshes/skirt.pc2", "fps": %d}}
  ]
}
"""


def main():
    scenes = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "scenes")
    write(os.path.join(scenes, "meshes", "skirt.ply"), mesh().encode())
    write(os.path.join(scenes, "meshes", "skirt.pc2"), cache())
    write(os.path.join(scenes, "skirt.json"), (SCENE % (RATE, distances(), RATE, RATE)).encode())


main()
