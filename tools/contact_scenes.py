#!/usr/bin/env python3
"""Scenes of contacts with computed numbers: a knot, a funnel, a box of jellies, a dress.

    tools/contact_scenes.py      writes scenes/knot.json, scenes/funnel.json, scenes/jellies.json, scenes/dress.json and the meshes of the dress
                                 in scenes/meshes/
"""
import math
import os
import random
import struct

SCENES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "scenes")


def write(path, data):
    path = os.path.join(SCENES, path)
    with open(path + ".part", "wb") as file:
        file.write(data)
    os.replace(path + ".part", path)


def in_lines(items, indent, per_line):
    rows = [", ".join(items[i:i + per_line]) for i in range(0, len(items), per_line)]
    return (",\n" + " " * indent).join(rows)


def points(list_of_points, digits=4):
    return ["[" + ", ".join(("%." + str(digits) + "f") % c for c in p) + "]" for p in list_of_points]


# ---- a rope with an overhand knot in it ----

KNOT_SIZE = 0.06  # m, that one unit of the curve is
KNOT_SEGMENT = 0.024  # m
KNOT_LEAD = 0.2  # m, of straight rope at each end
KNOT_UP = 0.6
KNOT_SMOOTH = 30  # rounds, where the curve meets the leads


def knot_curve(t):
    """The long trefoil of degrees 3, 4 and 5, drawn out along x."""
    return (t ** 5 - 10 * t) * 0.16, (t ** 4 - 4 * t * t) * 0.6, (t ** 3 - 3 * t) * 1.1


def knot_points():
    fine = [tuple(KNOT_SIZE * c for c in knot_curve(-2.1 + 4.2 * i / 200)) for i in range(201)]
    (x, y, z), lead = fine[-1], [KNOT_LEAD * i / 40 for i in range(1, 41)]
    fine = [(-x - l, y, -z) for l in reversed(lead)] + fine + [(x + l, y, z) for l in lead]
    for _ in range(KNOT_SMOOTH):
        fine = fine[:1] + [tuple((a + 2 * b + c) / 4 for a, b, c in zip(*three)) for three in zip(fine, fine[1:], fine[2:])] + fine[-1:]
    length = [0.0]
    for a, b in zip(fine, fine[1:]):
        length.append(length[-1] + math.dist(a, b))
    count = round(length[-1] / KNOT_SEGMENT)
    out, at = [], 0
    for i in range(count + 1):
        want = length[-1] * i / count
        while at + 2 < len(fine) and length[at + 1] < want:
            at += 1
        share = (want - length[at]) / (length[at + 1] - length[at])
        out.append(tuple(a + (b - a) * share for a, b in zip(fine[at], fine[at + 1])))
    return out, length[-1]


def knot():
    rope, length = knot_points()
    low = min(p[1] for p in rope)
    rope = [(x, y - low + KNOT_UP, z) for x, y, z in rope]
    apart = (KNOT_PULLED * length - (rope[-1][0] - rope[0][0])) / 2
    y = -rope[0][1] + KNOT_UP
    z = rope[0][2]
    write("knot.json", (KNOT % (in_lines(points(rope), 8, 8), -apart, -z, len(rope) - 1, apart, z)).encode())


KNOT_PULLED = 0.85  # of the rope's length, that its ends are apart in the end
KNOT = """{
  "pliant": 1,
  "name": "knot",
  "description": "A rope with a loose overhand knot whose ends are pulled apart in two seconds: the knot tightens, and holds",
  "frames": 180,
  "fps": 60,
  "solver": {"substeps": 10, "iterations": 8, "sleep_speed": 0.005},
  "bodies": [
    {
      "type": "rope", "name": "rope", "self_contact": true,
      "material": {"preset": "rope", "density": 0.1, "thickness": 0.01, "friction": 0.3, "damping": 4, "drag": 3},
      "points": [
        %s
      ],
      "attach": [
        {"vertices": [0], "keys": [{"time": 0, "translate": [0, 0, 0]}, {"time": 2, "translate": [%.4f, 0, %.4f]}]},
        {"vertices": [%d], "keys": [{"time": 0, "translate": [0, 0, 0]}, {"time": 2, "translate": [%.4f, 0, %.4f]}]}
      ]
    }
  ]
}
"""


# ---- a funnel ----

AROUND = 20
FUNNEL = ((0.34, 0.96), (0.22, 0.78), (0.095, 0.6), (0.08, 0.5))  # radius and height, m
BOWL = ((0.02, 0.01), (0.15, 0.03), (0.27, 0.09), (0.36, 0.2), (0.4, 0.36))
GRAIN = 0.02  # m, its radius


def of_revolution(profile, foot):
    """A ring of triangles around the y axis for each step of the profile, which goes downwards; their fronts look inwards. With a foot it is closed below."""
    ring = [(math.cos(2 * math.pi * i / AROUND), math.sin(2 * math.pi * i / AROUND)) for i in range(AROUND)]
    vertices = [(r * c, y, r * s) for r, y in profile for c, s in ring]
    triangles = []
    for row in range(len(profile) - 1):
        for i in range(AROUND):
            a, b = row * AROUND + i, row * AROUND + (i + 1) % AROUND
            triangles += [(a, a + AROUND, b), (b, a + AROUND, b + AROUND)]
    if foot:
        vertices.append((0, profile[-1][1], 0))
        last = (len(profile) - 1) * AROUND
        triangles += [(last + i, len(vertices) - 1, last + (i + 1) % AROUND) for i in range(AROUND)]
    return vertices, [str(list(t)) for t in triangles]


def grains():
    """Four layers, each a little aside from the one below."""
    out = []
    for layer in range(4):
        for i in range(-3, 4):
            for k in range(-3, 4):
                x, z = 0.05 * i + 0.003 * (layer % 2), 0.05 * k + 0.002 * layer
                if math.hypot(x, z) < 0.16:
                    out.append('{"x": [%.3f, %.3f, %.3f], "mass": 0.02}' % (x, 0.86 + 0.05 * layer, z))
    return out


JELLY = """{
      "type": "soft", "name": "jelly %d", "cells": [2, 2, 2], "size": [0.06, 0.06, 0.06], "position": [%g, %g, %g], "velocity": [0, 2.6, 0],
      "material": "jelly", "self_contact": true, "contact_mask": 1
    }"""


def funnel():
    up, up_triangles = of_revolution(FUNNEL, False)
    down, down_triangles = of_revolution(tuple(reversed(BOWL)), True)
    jellies = [JELLY % (i + 1, 0.12 * (i - 1), 1.14, 0.06 * (1 - i % 2)) for i in range(3)]
    write("funnel.json", (FUNNEL_SCENE % (in_lines(grains(), 8, 3), ",\n    ".join(jellies), in_lines(points(up, 3), 8, 7),
                                          in_lines(up_triangles, 8, 10), in_lines(points(down, 3), 8, 7), in_lines(down_triangles, 8, 10))).encode())


FUNNEL_SCENE = """{
  "pliant": 1,
  "name": "funnel",
  "description": "Grains run through a funnel into a bowl, and three jellies that are thrown after them: two meshes, and all meet all",
  "frames": 180,
  "fps": 60,
  "solver": {"substeps": 10, "sleep_speed": 0.005},
  "materials": {
    "grain": {"thickness": 0.02, "friction": 0.2, "drag": 0.2},
    "jelly": {"preset": "jelly", "density": 300, "stretch": {"compliance": 5e-4}, "thickness": 0.005, "friction": 0.2, "damping": 2}
  },
  "bodies": [
    {
      "type": "particles", "name": "grains", "material": "grain", "self_contact": true, "contact_mask": 1,
      "particles": [
        %s
      ]
    },
    %s
  ],
  "colliders": [
    {
      "type": "mesh", "name": "funnel", "thickness": 0.003, "friction": 0.1,
      "points": [
        %s
      ],
      "triangles": [
        %s
      ]
    },
    {
      "type": "mesh", "name": "bowl", "thickness": 0.003, "friction": 0.3,
      "points": [
        %s
      ],
      "triangles": [
        %s
      ]
    }
  ]
}
"""


# ---- a box of jellies ----

JELLIES = 10, 5, 10  # x, y, z
JELLY_APART = 0.109, 0.13, 0.109  # m, of their middles
JELLY_LOWEST = 0.145  # m, the middle of the lowest
JELLY_OFF = 0.003  # m, how far each is from its place in the grid, at the most


def jellies():
    """Each a little off its place, and turned about some axis. (random() alone is the same for all versions of Python.)"""
    some, bodies = random.Random(7), []
    for j in range(JELLIES[1]):
        for i in range(JELLIES[0]):
            for k in range(JELLIES[2]):
                at = [(i - (JELLIES[0] - 1) / 2) * JELLY_APART[0], JELLY_LOWEST + j * JELLY_APART[1], (k - (JELLIES[2] - 1) / 2) * JELLY_APART[2]]
                at = [c + JELLY_OFF * (2 * some.random() - 1) for c in at]
                axis = [2 * some.random() - 1 for _ in range(3)]
                bodies.append(DROPPED % (*points([at, axis], 3), 90 * some.random()))
    write("jellies.json", (JELLIES_SCENE % ",\n    ".join(bodies)).encode())


DROPPED = ('{"type": "soft", "material": "jelly", "cells": [1, 1, 1], "size": [0.06, 0.06, 0.06], "contact_mask": 1, '
           '"position": %s, "rotation": {"axis": %s, "angle": %.0f}}')
JELLIES_SCENE = """{
  "pliant": 1,
  "name": "jellies",
  "description": "Five hundred jellies dropped into a box: all meet all, and all come to rest",
  "frames": 360,
  "fps": 60,
  "solver": {"substeps": 10, "iterations": 10, "sleep_speed": 0.005},
  "materials": {"jelly": {"preset": "jelly", "young": 30000, "thickness": 0.002, "friction": 0.3, "damping": 10}},
  "bodies": [
    %s
  ],
  "colliders": [
    {"type": "plane", "name": "floor", "friction": 0.3},
    {"type": "box", "name": "left", "half_extent": [0.02, 0.2, 0.59], "position": [-0.57, 0.2, 0], "friction": 0.2},
    {"type": "box", "name": "right", "half_extent": [0.02, 0.2, 0.59], "position": [0.57, 0.2, 0], "friction": 0.2},
    {"type": "box", "name": "back", "half_extent": [0.55, 0.2, 0.02], "position": [0, 0.2, -0.57], "friction": 0.2},
    {"type": "box", "name": "front", "half_extent": [0.55, 0.2, 0.02], "position": [0, 0.2, 0.57], "friction": 0.2}
  ]
}
"""


# ---- a walking figure in a dress ----

SAMPLES, RATE = 25, 12  # of the walk, per second
HIP, STEP, SWAY = 0.9, 0.45, 0.03  # m above the floor; rad, how far a leg swings; m
DRESS_AROUND, DRESS_ROWS = 30, 13
DRESS = ((0.175, 0.15), (0.36, 0.36))  # half widths along x and z at the waist and at the hem, m
DRESS_UP = (1.06, 0.4)  # waist and hem, m


def capsule(centre, radius, low, high, around, rows):
    """Rings from the bottom to the top, rounded at both ends; (x, y, z) half widths in `radius`."""
    vertices = [(centre[0], low, centre[2])]
    for row in range(rows):
        angle = -math.pi / 2 + math.pi * (row + 1) / (rows + 1)
        middle = low + radius[1] if angle < 0 else high - radius[1]
        for i in range(around):
            turn = 2 * math.pi * i / around
            vertices.append((centre[0] + radius[0] * math.cos(angle) * math.cos(turn), middle + radius[1] * math.sin(angle),
                             centre[2] + radius[2] * math.cos(angle) * math.sin(turn)))
    vertices.append((centre[0], high, centre[2]))
    faces = []
    for i in range(around):
        k = (i + 1) % around
        faces.append((0, 1 + i, 1 + k))
        for row in range(rows - 1):
            a, b = 1 + row * around + i, 1 + row * around + k
            faces += [(a, a + around, b), (b, a + around, b + around)]
        top = 1 + (rows - 1) * around
        faces.append((top + i, len(vertices) - 1, top + k))
    return vertices, faces


def figure():
    """Vertices, triangles, and of each vertex the part: 0 the trunk, 1 and -1 the legs."""
    parts = [(0, capsule((0, 0, 0), (0.16, 0.15, 0.13), 0.8, 1.4, 14, 8)), (1, capsule((0.085, 0, 0), (0.07, 0.07, 0.07), 0.12, 0.97, 10, 8)),
             (-1, capsule((-0.085, 0, 0), (0.07, 0.07, 0.07), 0.12, 0.97, 10, 8))]
    vertices, triangles, of = [], [], []
    for part, (more, faces) in parts:
        triangles += [tuple(len(vertices) + v for v in f) for f in faces]
        of += [part] * len(more)
        vertices += [tuple(round(c, 4) for c in v) for v in more]
    return vertices, triangles, of


def walks(vertex, part, time):
    """Legs swing about the hips, one ahead of the other; all sways from side to side."""
    x, y, z = vertex
    swing = math.sin(2 * math.pi * time / 1.2) * min(time / 0.3, 1)
    angle = part * STEP * swing
    y, z = HIP + (y - HIP) * math.cos(angle) - z * math.sin(angle), (y - HIP) * math.sin(angle) + z * math.cos(angle)
    return x + SWAY * swing, y, z


def ply(vertices, faces, comment):
    lines = ["ply", "format ascii 1.0", "comment " + comment + ": tools/contact_scenes.py writes it", "element vertex %d" % len(vertices),
             "property float x", "property float y", "property float z", "element face %d" % len(faces),
             "property list uchar int vertex_indices", "end_header"]
    lines += ["%.5g %.5g %.5g" % v for v in vertices]
    lines += [" ".join(str(n) for n in (len(f),) + tuple(f)) for f in faces]
    return ("\n".join(lines) + "\n").encode()


def dress():
    vertices, triangles, of = figure()
    write("meshes/figure.ply", ply(vertices, triangles, "a trunk and two legs"))
    data = struct.pack("<12siiffi", b"POINTCACHE2\0", 1, len(vertices), 0, 1, SAMPLES)
    for sample in range(SAMPLES):
        for v, part in zip(vertices, of):
            data += struct.pack("<fff", *walks(v, part, sample / RATE))
    write("meshes/figure.pc2", data)
    cloth, quads = [], []
    for row in range(DRESS_ROWS + 1):
        share = row / DRESS_ROWS
        for i in range(DRESS_AROUND):
            turn = 2 * math.pi * i / DRESS_AROUND
            half = [DRESS[0][k] + (DRESS[1][k] - DRESS[0][k]) * share ** 0.8 for k in range(2)]
            cloth.append((half[0] * math.cos(turn), DRESS_UP[0] + (DRESS_UP[1] - DRESS_UP[0]) * share, half[1] * math.sin(turn)))
    for row in range(DRESS_ROWS):
        for i in range(DRESS_AROUND):
            a, b = row * DRESS_AROUND + i, row * DRESS_AROUND + (i + 1) % DRESS_AROUND
            quads.append((a, b, b + DRESS_AROUND, a + DRESS_AROUND))
    write("meshes/dress.ply", ply(cloth, quads, "a dress"))
    waist = ", ".join(str(i) for i in range(DRESS_AROUND))
    trunk = [v for v, part in enumerate(of) if part == 0]
    follows = [min(trunk, key=lambda v: math.dist(vertices[v], at)) for at in cloth[:DRESS_AROUND]]
    write("dress.json", (DRESS_SCENE % (RATE, waist, RATE, ", ".join(map(str, follows)))).encode())


DRESS_SCENE = """{
  "pliant": 1,
  "name": "dress",
  "description": "A figure that walks on the spot in a dress: an animated mesh that a cloth, held at the waist, meets",
  "frames": 120,
  "fps": 60,
  "solver": {"substeps": 10},
  "bodies": [
    {
      "type": "cloth", "name": "figure", "mesh": "meshes/figure.ply", "thickness": 0.004, "friction": 0.3,
      "contact_group": 1, "contact_mask": 2, "attach": [{"all": true, "keys": {"cache": "meshes/figure.pc2", "fps": %d}}]
    },
    {
      "type": "cloth", "name": "dress", "mesh": "meshes/dress.ply",
      "material": {"preset": "cotton", "thickness": 0.004, "friction": 0.3, "damping": 1, "drag": 0.3},
      "self_contact": true, "contact_group": 2, "contact_mask": 1,
      "attach": [
        {
          "vertices": [%s],
          "keys": {
            "cache": "meshes/figure.pc2", "fps": %d, "relative": true,
            "map": [%s]
          }
        }
      ]
    }
  ]
}
"""


def main():
    knot()
    funnel()
    jellies()
    dress()


main()
