#!/usr/bin/env python3
"""Writes scenes/meshes/ball.obj, tyre.obj and can.obj: closed surfaces of quads.

    tools/round.py    writes them

The ball of radius 1 m is a cube with its vertices moved out to the sphere; the tyre is a torus about the x axis, of radius 1 m to the middle of its tube; the can is of radius 1 m and
stands on the plane y = 0."""
import math
import pathlib

MESHES = pathlib.Path(__file__).resolve().parent.parent / "scenes" / "meshes"


def ball(n):
    """Vertices and quads, turned outwards, of a ball with n by n quads on each side of its cube."""
    places, quads = {}, []
    for axis in range(3):
        for sign in (-1, 1):
            for i in range(n):
                for k in range(n):
                    corners = []
                    for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
                        p = [0, 0, 0]
                        p[axis] = sign * n
                        p[(axis + 1) % 3] = 2 * (i + a) - n
                        p[(axis + 2) % 3] = 2 * (k + b) - n
                        corners.append(places.setdefault(tuple(p), len(places)))
                    quads.append(corners if sign > 0 else corners[::-1])
    vertices = []
    for p in places:
        d = [math.tan(c / n * math.pi / 4) for c in p]
        length = math.sqrt(sum(c * c for c in d))
        vertices.append([c / length for c in d])
    return vertices, quads


def tyre(around, across, tube):
    """Of a torus: quads around the axis, and across the tube of that radius."""
    vertices, quads = [], []
    for i in range(around):
        u = 2 * math.pi * i / around
        for k in range(across):
            v = 2 * math.pi * k / across
            far = 1 + tube * math.cos(v)
            vertices.append([tube * math.sin(v), far * math.cos(u), far * math.sin(u)])
            a, b = i * across + k, i * across + (k + 1) % across
            c, d = (i + 1) % around * across + (k + 1) % across, (i + 1) % around * across + k
            quads.append([a, b, c, d])
    return vertices, quads


def can(n, rows, height):
    """Of a cylinder about the y axis with 4 n quads around it in so many rows, and n by n quads in its bottom and in its lid."""
    places, vertices, quads = {}, [], []

    def disc(i, k, y):
        u, v = 2 * i / n - 1, 2 * k / n - 1
        far = max(abs(u), abs(v))
        if far == 0:
            return 0.0, y, 0.0
        side = math.pi / 4 * (v / u if abs(u) >= abs(v) else u / v)
        along, across = far * math.cos(side), far * math.sin(side)
        if abs(u) >= abs(v):
            return math.copysign(along, u), y, math.copysign(across, v)
        return math.copysign(across, u), y, math.copysign(along, v)

    def number(i, k, j):
        if (i, k, j) not in places:
            places[i, k, j] = len(vertices)
            vertices.append(disc(i, k, height * j / rows))
        return places[i, k, j]

    rim = [(i, 0) for i in range(n)] + [(n, k) for k in range(n)] + [(n - i, n) for i in range(n)] + [(0, n - k) for k in range(n)]
    for j in range(rows):
        for (i, k), (p, q) in zip(rim, rim[1:] + rim[:1]):
            quads.append([number(i, k, j), number(i, k, j + 1), number(p, q, j + 1), number(p, q, j)])
    for j in (0, rows):
        for i in range(n):
            for k in range(n):
                corners = [number(i, k, j), number(i + 1, k, j), number(i + 1, k + 1, j), number(i, k + 1, j)]
                quads.append(corners if j == 0 else corners[::-1])
    return vertices, quads


def text(title, mesh):
    """An .obj file of a mesh."""
    vertices, quads = mesh
    lines = [f"# {title}, made by tools/round.py"]
    lines += ["v %.6f %.6f %.6f" % tuple(c + 0.0 for c in v) for v in vertices]
    lines += ["f %d %d %d %d" % tuple(i + 1 for i in q) for q in quads]
    return "\n".join(lines).replace("-0.000000", "0.000000") + "\n"


def main():
    files = {"ball.obj": text("A ball", ball(10)), "tyre.obj": text("A tyre", tyre(40, 12, 0.42)),
             "can.obj": text("A can", can(12, 26, 3.2))}
    for name, wanted in files.items():
        (MESHES / name).write_text(wanted)


main()
