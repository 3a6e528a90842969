"""Run by pvbatch: paraview_check.py CACHE SCENE.csv SURFACES. Reads CACHE as ParaView does, and compares every frame with what was written elsewhere.

SURFACES is a folder of the same run's .ply, one per body and frame: vertices, normals, velocities and faces. SCENE.csv has the times. The
last line is "good", or says what is wrong."""
import csv
import glob
import os
import sys

import numpy
from paraview import servermanager, simple
from paraview.vtk.util.numpy_support import vtk_to_numpy


def read_ply(path):
    """A binary PLY as Pliant writes it: vertices (n, 9), faces as lists."""
    data = open(path, "rb").read()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    header = data[:end].decode().split("\n")
    counts = {w[1]: int(w[2]) for w in (line.split() for line in header) if w[:1] == ["element"]}
    real = "<f8" if "property double x" in header else "<f4"
    width = numpy.dtype(real).itemsize
    vertices = numpy.frombuffer(data, real, counts["vertex"] * 9, end).reshape(-1, 9)
    at = end + counts["vertex"] * 9 * width
    faces = []
    for _ in range(counts.get("face", 0)):
        n = data[at]
        faces.append(numpy.frombuffer(data, "<i4", n, at + 1).tolist())
        at += 1 + 4 * n
    return vertices, faces


def leaves(data):
    """Data sets with the names of their blocks."""
    if not data.IsA("vtkCompositeDataSet"):
        return [("", data)]
    found = []
    for i in range(data.GetNumberOfBlocks()):
        meta = data.GetMetaData(i)
        name = meta.Get(data.NAME()) if meta else None
        found += [(name or inner, leaf) for inner, leaf in leaves(data.GetBlock(i))]
    return found


def cells_of(data):
    """The vertices of every cell, by how many points a cell's kind has: faces, lines, single points."""
    faces, lines, points = [], [], []
    for i in range(data.GetNumberOfCells()):
        cell = data.GetCell(i)
        ids = [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]
        (faces if cell.GetCellDimension() == 2 else lines if cell.GetCellDimension() == 1 else points).append(ids)
    return faces, lines, points


def array(data, name):
    values = data.GetPointData().GetArray(name)
    if values is None:
        raise ValueError("no array " + name)
    return vtk_to_numpy(values)


def compare(what, got, want):
    if got.shape != want.shape or not numpy.array_equal(got, want):
        raise ValueError("%s differ: %s, %s" % (what, got.shape, want.shape))


def compare_body(what, data, vertices, faces, kind):
    compare(what + ": vertices", vtk_to_numpy(data.GetPoints().GetData()), vertices[:, 0:3])
    compare(what + ": normals", array(data, "Normals"), vertices[:, 3:6])
    compare(what + ": velocities", array(data, "Velocity"), vertices[:, 6:9])
    count = len(vertices)
    want = {"faces": (faces, [], []), "rope": ([], [list(range(count))], []), "particles": ([], [], [[i] for i in range(count)])}[kind]
    if cells_of(data) != want:
        raise ValueError(what + ": its faces, lines and points are others")


def times_of(path):
    times = {}
    for row in csv.DictReader(open(path)):
        times[int(row["frame"])] = float(row["time"])
    return [times[f] for f in sorted(times)]


def kinds_of(surfaces, names):
    """What a body is, by its first file: faces, a rope's edges, or neither."""
    kinds = {}
    for name in names:
        header = open(os.path.join(surfaces, name + ".0000.ply"), "rb").read(2000)
        kinds[name] = "faces" if b"element face" in header else "rope" if b"element edge" in header else "particles"
    return kinds


def run(cache, table, surfaces):
    names = [line.strip() for line in open(os.path.join(surfaces, "names"))]
    kinds = kinds_of(surfaces, names)
    reader = simple.XDMFReader(FileNames=[cache]) if cache.endswith(".xmf") else simple.OpenDataFile(cache)
    reader.UpdatePipelineInformation()
    steps = list(reader.TimestepValues)
    times = times_of(table)
    if len(steps) != len(times) or max(abs(a - b) for a, b in zip(steps, times)) > 1e-6:
        raise ValueError("times %s where %s are expected" % (steps[:3], times[:3]))
    for frame, step in enumerate(steps):
        reader.UpdatePipeline(step)
        found = leaves(servermanager.Fetch(reader))
        bodies = [read_ply(os.path.join(surfaces, "%s.%04d.ply" % (name, frame))) for name in names]
        if cache.endswith(".pvd"):
            if [name for name, _ in found] != names:
                raise ValueError("blocks %s where the bodies are %s" % ([name for name, _ in found], names))
            for (name, data), (vertices, faces) in zip(found, bodies):
                compare_body("frame %d of %s" % (frame, name), data, vertices, faces, kinds[name])
        else:
            compare_all("frame %d" % frame, found[0][1], names, kinds, bodies)
    print("good")


def compare_all(what, data, names, kinds, bodies):
    """All bodies in one data set, one after another."""
    vertices = numpy.concatenate([v for v, _ in bodies])
    compare(what + ": vertices", vtk_to_numpy(data.GetPoints().GetData()), vertices[:, 0:3])
    compare(what + ": normals", array(data, "Normals"), vertices[:, 3:6])
    compare(what + ": velocities", array(data, "Velocity"), vertices[:, 6:9])
    compare(what + ": bodies", array(data, "body"), numpy.concatenate([numpy.full(len(v), i) for i, (v, _) in enumerate(bodies)]))
    want, first = ([], [], []), 0
    for name, (v, faces) in zip(names, bodies):
        want[0].extend([[first + i for i in face] for face in faces])
        if kinds[name] == "rope":
            want[1].append(list(range(first, first + len(v))))
        if kinds[name] == "particles":
            want[2].extend([[first + i] for i in range(len(v))])
        first += len(v)
    if cells_of(data) != want:
        raise ValueError(what + ": its faces, lines and points are others")


try:
    run(*sys.argv[1:4])
except ValueError as error:
    print(error)
    sys.exit(1)
