#!/usr/bin/env python3
"""Makes scenes/meshes/rabbit.obj: a rabbit of round pieces that flow into each other, one metre tall.

usage: tools/rabbit_mesh.py [OUT]

A field is the smooth least of distances to ellipsoids; its zero is made a mesh of quads by surface nets: a vertex for each cell of a grid that the surface
cuts, in the middle of where it cuts the cell's edges, and a quad around each edge that it cuts.
"""
import math
import sys

CELL = 0.03
# centre, half axes, degrees of turn about z; x to the right, y up, z to the front. The left side is mirrored.
MIDDLE = [
    ((0, 0.27, 0), (0.24, 0.25, 0.28), 0),
    ((0, 0.56, 0.14), (0.165, 0.155, 0.17), 0),
    ((0, 0.53, 0.29), (0.07, 0.06, 0.06), 0),
    ((0, 0.24, -0.3), (0.08, 0.08, 0.08), 0),
]
SIDES = [
    ((0.085, 0.8, 0.08), (0.05, 0.2, 0.035), -10),
    ((0.15, 0.06, 0.2), (0.075, 0.06, 0.13), 0),
    ((0.19, 0.12, -0.06), (0.09, 0.12, 0.15), 0),
]
SMOOTH = 0.035


def pieces():
    for centre, axes, turn in MIDDLE:
        yield centre, axes, turn
    for centre, axes, turn in SIDES:
        yield centre, axes, turn
        yield (-centre[0], centre[1], centre[2]), axes, -turn


PIECES = [(c, a, math.cos(math.radians(t)), math.sin(math.radians(t))) for c, a, t in pieces()]


def field(x, y, z):
    total = 0.0
    for centre, axes, c, s in PIECES:
        u, v, w = x - centre[0], y - centre[1], z - centre[2]
        u, v = c * u + s * v, c * v - s * u
        k0 = math.sqrt((u / axes[0]) ** 2 + (v / axes[1]) ** 2 + (w / axes[2]) ** 2)
        k1 = math.sqrt((u / axes[0] ** 2) ** 2 + (v / axes[1] ** 2) ** 2 + (w / axes[2] ** 2) ** 2)
        distance = k0 * (k0 - 1) / k1 if k1 > 0 else -min(axes)
        total += math.exp(-max(distance, -1.0) / SMOOTH)
    return -SMOOTH * math.log(total) if total > 0 else 1.0


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else "scenes/meshes/rabbit.obj"
    low, high = (-0.36, -0.06, -0.48), (0.36, 1.08, 0.48)
    count = [int((high[k] - low[k]) / CELL) + 2 for k in range(3)]
    at = [[low[k] + i * CELL for i in range(count[k])] for k in range(3)]
    value = {}
    for i in range(count[0]):
        for j in range(count[1]):
            for k in range(count[2]):
                value[i, j, k] = field(at[0][i], at[1][j], at[2][k])
    edges = [((0, 0, 0), (1, 0, 0)), ((0, 1, 0), (1, 1, 0)), ((0, 0, 1), (1, 0, 1)), ((0, 1, 1), (1, 1, 1)),
             ((0, 0, 0), (0, 1, 0)), ((1, 0, 0), (1, 1, 0)), ((0, 0, 1), (0, 1, 1)), ((1, 0, 1), (1, 1, 1)),
             ((0, 0, 0), (0, 0, 1)), ((1, 0, 0), (1, 0, 1)), ((0, 1, 0), (0, 1, 1)), ((1, 1, 0), (1, 1, 1))]
    number, places = {}, []
    for i in range(count[0] - 1):
        for j in range(count[1] - 1):
            for k in range(count[2] - 1):
                total, cuts = [0.0, 0.0, 0.0], 0
                for a, b in edges:
                    p, q = value[i + a[0], j + a[1], k + a[2]], value[i + b[0], j + b[1], k + b[2]]
                    if (p < 0) == (q < 0):
                        continue
                    t = p / (p - q)
                    for c, n in enumerate((i, j, k)):
                        total[c] += at[c][n] + CELL * (a[c] + t * (b[c] - a[c]))
                    cuts += 1
                if cuts:
                    number[i, j, k] = len(places) + 1
                    places.append([t / cuts for t in total])
    quads = []
    for (i, j, k), inside in ((key, v < 0) for key, v in value.items()):
        for axis in range(3):
            step = [0, 0, 0]
            step[axis] = 1
            other = value.get((i + step[0], j + step[1], k + step[2]))
            if other is None or (other < 0) == inside:
                continue
            u, v = (axis + 1) % 3, (axis + 2) % 3
            around = []
            for du, dv in ((0, 0), (-1, 0), (-1, -1), (0, -1)):
                cell = [i, j, k]
                cell[u] += du
                cell[v] += dv
                around.append(number[tuple(cell)])
            quads.append(around if inside else around[::-1])
    with open(out, "w", encoding="ascii") as f:
        f.write("# tools/rabbit_mesh.py\n")
        for x, y, z in places:
            f.write("v %.5f %.5f %.5f\n" % (x, y, z))
        for quad in quads:
            f.write("f %d %d %d %d\n" % tuple(quad))
    print("%s: %d vertices, %d quads" % (out, len(places), len(quads)))


if __name__ == "__main__":
    main()
