#!/usr/bin/env python3
"""Writes scenes/meshes/ball.obj, balloon.obj, tyre.obj, car_tyre.obj, rim.obj and can.obj: closed surfaces.

    tools/round.py    writes them

The ball of radius 1 m is a cube with its vertices moved out to the sphere; the balloon is such a ball with a neck below it, which leans towards x and ends in a lid, the group mouth; the tyre is a torus about the x axis, of radius 1 m to the middle of its tube; the car tyre is such a torus with a group of
quads, the bead, that lie on the rim, a wheel about the same axis with the group seat, of the same places in the same order; the can is of radius 1 m and
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


def balloon(n, rows, length, lean):
    """A ball with n by n quads on each side of its cube and a neck of so many rows; of the quads the last four are the lid."""
    vertices, quads = ball(n)
    low = min(range(len(vertices)), key=lambda v: vertices[v][1])
    lid = [q for q in quads if low in q]
    rim = []
    following = {q[(k + 1) % 4]: q[(k + 2) % 4] for q in lid for k in range(4) if q[k] == low}  # along the rim, as the lid turns
    following.update({q[(k + 2) % 4]: q[(k + 3) % 4] for q in lid for k in range(4) if q[k] == low})
    rim.append(next(iter(following)))
    while following[rim[-1]] != rim[0]:
        rim.append(following[rim[-1]])
    quads = [q for q in quads if low not in q]
    top = sum(vertices[v][1] for v in rim) / len(rim)
    radius = sum(math.hypot(vertices[v][0], vertices[v][2]) for v in rim) / len(rim)
    ring = rim
    for j in range(1, rows + 1):
        after = []
        for v in rim:
            x, _, z = vertices[v]
            shrink = radius / math.hypot(x, z)
            after.append(len(vertices))
            vertices.append([x * shrink + lean * j / rows, top - length * j / rows, z * shrink])
        for k in range(len(rim)):
            quads.append([ring[k], ring[(k + 1) % len(rim)], after[(k + 1) % len(rim)], after[k]])
        ring = after
    vertices[low] = [lean, top - length, 0]
    moved = dict(zip(rim, ring))
    return vertices, quads + [[moved.get(v, v) for v in q] for q in lid]


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


def wheel(around, across, tube, within):
    """Such a torus and how many of its quads, the last, have both rings within so many of the innermost one; and a rim with these rings, closed by two fans."""
    vertices, quads = tyre(around, across, tube)
    low, high = across // 2 - within, across // 2 + within
    quads.sort(key=lambda q: all(low <= v % across <= high for v in q))
    bead = sum(all(low <= v % across <= high for v in q) for q in quads)
    width = high - low + 1
    rim = [vertices[i * across + k] for i in range(around) for k in range(low, high + 1)]
    seat = []
    for i in range(around):
        for k in range(width - 1):
            a, b = i * width + k, (i + 1) % around * width + k
            seat.append([a, a + 1, b + 1, b])
    hubs = [len(rim), len(rim) + 1]
    rim += [[rim[0][0], 0, 0], [rim[width - 1][0], 0, 0]]
    fans = []
    for i in range(around):
        a, b = i * width, (i + 1) % around * width
        fans += [[a, b, hubs[0]], [b + width - 1, a + width - 1, hubs[1]]]
    return (vertices, quads), bead, (rim, fans + seat), len(seat)


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


def text(title, mesh, last=0, group=None):
    """An .obj file of a mesh, its last quads a group."""
    vertices, quads = mesh
    lines = [f"# {title}, made by tools/round.py"]
    lines += ["v %.6f %.6f %.6f" % tuple(c + 0.0 for c in v) for v in vertices]
    faces = ["f " + " ".join(str(i + 1) for i in q) for q in quads]
    lines += faces[: len(faces) - last] + ([f"g {group}"] if group else []) + faces[len(faces) - last :]
    return "\n".join(lines).replace("-0.000000", "0.000000") + "\n"


def main():
    car_tyre, bead, rim, seat = wheel(60, 16, 0.35, 2)
    files = {"car_tyre.obj": text("A car's tyre", car_tyre, bead, "bead"), "rim.obj": text("Its rim", rim, seat, "seat"),
             "ball.obj": text("A ball", ball(10)), "balloon.obj": text("A balloon", balloon(12, 2, 0.2, 0.25), 4, "mouth"), "tyre.obj": text("A tyre", tyre(40, 12, 0.42)),
             "can.obj": text("A can", can(12, 26, 3.2))}
    for name, wanted in files.items():
        (MESHES / name).write_text(wanted)


main()
