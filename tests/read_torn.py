#!/usr/bin/env python3
"""Reads NAME.usda, NAME.abc and, where there is one and h5py is here, NAME.vtkhdf of one body that tears, by what their formats say and with nothing of Pliant's, and
compares vertices and faces of each frame with NAME/*.obj of the same run. Usage: read_torn.py NAME. Prints `ok` lines, or ends with 1."""
import glob
import os
import sys

from abc_reader import Archive, flat
from read_caches import Usda, check, f32


def read_obj(path):
    """Vertices and the corners of faces."""
    vertices, corners = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            word, *rest = line.split() or [""]
            if word == "v":
                vertices.append(tuple(f32(float(x)) for x in rest))
            elif word == "f":
                corners.append(tuple(int(k) - 1 for k in rest))
    return vertices, corners


name = sys.argv[1]
frames = [read_obj(path) for path in sorted(glob.glob(os.path.join(name, "*.obj")))]
check(name, len(frames) > 10 and frames[0][1] != frames[-1][1], "a sheet that tears")

path = name + ".usda"
usd = Usda(path)
_, mesh = usd.prims.values()
check(path, mesh["kind"] == "Mesh" and mesh["values"]["faceVertexCounts"] == [3] * len(frames[0][1]), "the faces' sizes")
check(path, mesh["types"]["faceVertexIndices"] == "int[]", "the type of corners")
check(path, list(mesh["samples"]["faceVertexIndices"]) == list(range(len(frames))), "times of corners")
for i, (vertices, corners) in enumerate(frames):
    check(path, [tuple(map(f32, p)) for p in mesh["samples"]["points"][i]] == vertices, f"points of frame {i}")
    check(path, mesh["samples"]["faceVertexIndices"][i] == [k for face in corners for k in face], f"corners of frame {i}")
check(path, mesh["values"]["faceVertexIndices"] == mesh["samples"]["faceVertexIndices"][0], "default corners")
print("ok a .usda has the vertices and the faces of each frame")

path = name + ".abc"
archive = Archive(path)
(xform,) = archive.top["children"].values()
(shape,) = xform["children"].values()
properties = shape["properties"][".geom"]["inner"]
corners_now, sizes = properties[".faceIndices"], properties[".faceCounts"]
check(path, not corners_now["info"] & 0x800 and sizes["info"] & 0x800, "corners change, and sizes do not")
check(path, archive.sample(sizes, 0) == (3,) * len(frames[0][1]), "the faces' sizes")
for i, (vertices, corners) in enumerate(frames):
    check(path, archive.sample(properties["P"], i) == flat(vertices), f"points of frame {i}")
    check(path, archive.sample(corners_now, i) == flat(face[::-1] for face in corners), f"corners of frame {i}")
print("ok an .abc has the vertices and the faces of each frame")

path = name + ".vtkhdf"
try:
    import h5py
except ImportError:
    h5py = None
if h5py and os.path.exists(path):
    with h5py.File(path) as file:
        root, steps = file["VTKHDF"], file["VTKHDF/Steps"]
        points, ids, cells = (int(root[k][0]) for k in ("NumberOfPoints", "Polygons/NumberOfConnectivityIds", "Polygons/NumberOfCells"))
        check(path, steps.attrs["NSteps"] == len(frames) and cells == len(frames[0][1]), "how many frames and faces")
        check(path, list(root["Polygons/Offsets"]) == list(range(0, 3 * cells + 1, 3)), "where faces end")
        for i, (vertices, corners) in enumerate(frames):
            at, first = int(steps["PointOffsets"][i]), int(steps["ConnectivityIdOffsets"][i][2])
            check(path, [tuple(map(f32, p)) for p in root["Points"][at : at + points]] == vertices, f"points of frame {i}")
            check(path, list(root["Polygons/Connectivity"][first : first + ids]) == [k for face in corners for k in face], f"corners of frame {i}")
    print("ok a .vtkhdf has the vertices and the faces of each frame")
