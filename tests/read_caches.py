#!/usr/bin/env python3
"""Reads .mdd, .glb and .usda files by what their formats say, with nothing of Pliant's, and compares them with a .csv of the same run.

Usage: read_caches.py NAME, where NAME.csv, NAME.obj/ (faces), NAME.mdd (or NAME.BODY.mdd), NAME.glb and NAME.usda lie side by side.
Every vertex of every frame is compared. Bodies must have no visual surfaces, which a .csv does not have. Prints `ok` lines, or ends with 1.
"""
import csv
import json
import math
import os
import re
import struct
import sys


def f32(value):
    """The float nearest to a number."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def fail(text):
    print("not ok " + text)
    sys.exit(1)


def check(what, good, why=""):
    if not good:
        fail(f"{what}: {why}")


# ---- the run, as the .csv and the .obj files have it ----


def read_csv(path):
    """{body: [frame: [(x, y, z, vx, vy, vz)]]} in float, and the frames' times."""
    bodies, times = {}, []
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            frames = bodies.setdefault(row["body"], [])
            if int(row["frame"]) == len(frames):
                frames.append([])
            frames[-1].append(tuple(f32(float(row[k])) for k in ("x", "y", "z", "vx", "vy", "vz")))
            if int(row["frame"]) == len(times):
                times.append(float(row["time"]))
    return bodies, times


def read_faces(folder):
    """{body: [(corner, ...)]} of frame 0."""
    faces = {}
    for name in os.listdir(folder):
        if not name.endswith(".0000.obj"):
            continue
        body, found = None, []
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for line in file:
                if line.startswith("o "):
                    body = line[2:].rstrip("\n")
                elif line.startswith("f "):
                    found.append(tuple(int(k) - 1 for k in line.split()[1:]))
        faces[body] = found
    return faces


def normals_of(points, faces):
    """Unit normals weighted by area, by Newell's sums of triangles of a fan; (0, 0, 0) where there are none."""
    sums = [[0.0, 0.0, 0.0] for _ in points]
    for face in faces:
        for k in range(2, len(face)):
            corners = (face[0], face[k - 1], face[k])
            a, b, c = (points[i] for i in corners)
            u, v = [b[i] - a[i] for i in range(3)], [c[i] - a[i] for i in range(3)]
            n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
            for i in corners:
                for j in range(3):
                    sums[i][j] += n[j]
    out = []
    for n in sums:
        length = math.sqrt(sum(k * k for k in n))
        out.append(tuple(k / length for k in n) if length > 0 else (0.0, 0.0, 0.0))
    return out


def close_normals(what, got, points, faces):
    """Quads may be cut along either diagonal, so their normals are the same only nearly. Vertices inside of a body have none."""
    for n, m in zip(got, normals_of(points, faces)):
        if m == (0.0, 0.0, 0.0):
            continue
        length = math.sqrt(sum(k * k for k in n))
        check(what, abs(length - 1) < 1e-4, f"a normal of length {length}")
        check(what, sum(a * b for a, b in zip(n, m)) > 0.9, f"normal {n} where {m} is expected")


# ---- MDD ----


def read_mdd(path):
    with open(path, "rb") as file:
        data = file.read()
    frames, points = struct.unpack_from(">ii", data, 0)
    times = struct.unpack_from(f">{frames}f", data, 8)
    numbers = struct.unpack_from(f">{3 * frames * points}f", data, 8 + 4 * frames)
    check(path, len(data) == 8 + 4 * frames + 12 * frames * points, "bytes that belong to nothing")
    at = iter(zip(*[iter(numbers)] * 3))
    return times, [[next(at) for _ in range(points)] for _ in range(frames)]


def check_mdd(name, bodies, times):
    for body, frames in bodies.items():
        safe = re.sub(r'[\x00-\x20/\\:*?"<>|\x7f]', "_", body)
        path = f"{name}.mdd" if len(bodies) == 1 else f"{name}.{safe}.mdd"
        got_times, got = read_mdd(path)
        check(path, len(got) == len(frames), f"{len(got)} frames")
        check(path, all(abs(a - b) <= 1e-6 * (1 + b) for a, b in zip(got_times, times)), "times")
        for i, frame in enumerate(frames):
            check(path, got[i] == [v[:3] for v in frame], f"frame {i}")
    print("ok .mdd: every vertex of every frame")


# ---- glTF ----

COMPONENTS = {5121: ("B", 1), 5123: ("H", 2), 5125: ("I", 4), 5126: ("f", 4)}
WIDTHS = {"SCALAR": 1, "VEC3": 3}


class Glb:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        magic, version, length = struct.unpack_from("<4sII", data, 0)
        check(path, magic == b"glTF" and version == 2 and length == len(data), "the header")
        size, kind = struct.unpack_from("<I4s", data, 12)
        check(path, kind == b"JSON" and size % 4 == 0, "the first chunk")
        self.json = json.loads(data[20 : 20 + size])
        binary, kind = struct.unpack_from("<I4s", data, 20 + size)
        check(path, kind == b"BIN\0" and binary % 4 == 0 and 28 + size + binary == len(data), "the second chunk")
        check(path, self.json["buffers"] == [{"byteLength": binary}], "the buffer")
        self.data, self.begin = data, 28 + size

    def view(self, index, offset, component, count, width):
        code, bytes_ = COMPONENTS[component]
        view = self.json["bufferViews"][index]
        stride = view.get("byteStride", bytes_ * width)
        check("bufferView", offset + stride * (count - 1) + bytes_ * width <= view["byteLength"], "too short")
        at = self.begin + view.get("byteOffset", 0) + offset
        return [struct.unpack_from(f"<{width}{code}", self.data, at + stride * i) for i in range(count)]

    def accessor(self, index):
        a = self.json["accessors"][index]
        width = WIDTHS[a["type"]]
        if "bufferView" in a:
            out = self.view(a["bufferView"], a.get("byteOffset", 0), a["componentType"], a["count"], width)
        else:
            out = [(0,) * width] * a["count"]
        if "sparse" in a:
            s = a["sparse"]
            where = self.view(s["indices"]["bufferView"], s["indices"].get("byteOffset", 0), s["indices"]["componentType"], s["count"], 1)
            what = self.view(s["values"]["bufferView"], s["values"].get("byteOffset", 0), a["componentType"], s["count"], width)
            check("sparse", all(a < b for a, b in zip(where, where[1:])), "indices that do not ascend")
            for (i,), value in zip(where, what):
                out[i] = value
        for key, best in (("min", min), ("max", max)):
            if key in a:
                check(f"accessor {index}", tuple(map(f32, a[key])) == tuple(best(v[k] for v in out) for k in range(width)), key)
        return out


def check_glb(name, bodies, times, faces):
    path = f"{name}.glb"
    glb = Glb(path)
    doc = glb.json
    check(path, [doc["nodes"][i]["name"] for i in doc["scenes"][doc["scene"]]["nodes"]] == list(bodies), "bodies")
    for index, (body, frames) in enumerate(bodies.items()):
        (primitive,) = doc["meshes"][doc["nodes"][index]["mesh"]]["primitives"]
        attributes = primitive["attributes"]
        base = glb.accessor(attributes["POSITION"])
        check(path, base == [v[:3] for v in frames[0]], f"{body}: frame 0")
        normals = glb.accessor(attributes["NORMAL"]) if faces[body] else None
        check(path, ("NORMAL" in attributes) == bool(faces[body]), f"{body}: normals")
        if faces[body]:
            fan = [(f[0], f[k - 1], f[k]) for f in faces[body] for k in range(2, len(f))]
            flat = [i for (i,) in glb.accessor(primitive["indices"])]
            check(path, primitive["mode"] == 4 and list(zip(*[iter(flat)] * 3)) == fan, f"{body}: triangles")
            check(path, doc["materials"][primitive["material"]]["doubleSided"], f"{body}: seen from one side")
            close_normals(f"{path} {body}", normals, base, faces[body])
        targets = primitive.get("targets", [])
        check(path, len(targets) == len(frames) - 1, f"{body}: {len(targets)} targets")
        for i, target in enumerate(targets, 1):
            check(path, target.keys() == attributes.keys(), f"{body}: what target {i} has")
            deltas = glb.accessor(target["POSITION"])
            for v, x, d in zip(frames[i], base, deltas):
                for k in range(3):
                    most = 2.0**-23 * max(abs(v[k]), abs(x[k]), abs(d[k]))
                    check(path, abs(f32(x[k] + d[k]) - v[k]) <= most, f"{body}: frame {i}: {f32(x[k] + d[k])} where {v[k]} is expected")
            if faces[body]:
                sums = [tuple(a + b for a, b in zip(n, d)) for n, d in zip(normals, glb.accessor(target["NORMAL"]))]
                close_normals(f"{path} {body} frame {i}", sums, [v[:3] for v in frames[i]], faces[body])
    check_weights(path, glb, len(bodies), times)
    print("ok .glb: every vertex of every frame, normals, triangles, and the weights that play them")


def check_weights(path, glb, bodies, times):
    (animation,) = glb.json["animations"]
    check(path, [c["target"] for c in animation["channels"]] == [{"node": i, "path": "weights"} for i in range(bodies)], "channels")
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        got = [t for (t,) in glb.accessor(sampler["input"])]
        check(path, sampler["interpolation"] == "LINEAR" and all(a < b for a, b in zip(got, got[1:])), "times that do not ascend")
        check(path, len(got) == len(times) and all(abs(a - b) <= 1e-6 * (1 + b) for a, b in zip(got, times)), "times")
        weights, n = [w for (w,) in glb.accessor(sampler["output"])], len(times) - 1
        for i in range(len(times)):
            check(path, weights[i * n : (i + 1) * n] == [float(k == i - 1) for k in range(n)], f"weights at frame {i}")


# ---- USD ----

TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([(){}\[\],:=])|([^\s(){}\[\],:="]+(?::[^\s(){}\[\],:="]+)*))')


class Usda:
    """A parser of the grammar that a layer of plain prims and attributes needs."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        check(path, text.startswith("#usda 1.0\n"), "the first line")
        text = text[len("#usda 1.0\n") :]
        self.tokens, at, end = [], 0, len(text.rstrip())
        while at < end:
            match = TOKEN.match(text, at)
            check(path, match and match.end() > at, f"what stands at {text[at:at + 20]!r}")
            self.tokens.append(match.group(1) or match.group(2) or match.group(3))
            at = match.end()
        self.tokens = [t for t in self.tokens if t is not None]
        self.at, self.path = 0, path
        self.metadata = self.fields() if self.peek() == "(" else {}
        self.prims = {}
        while self.at < len(self.tokens):
            self.prim("", self.prims)

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def next(self, expected=None):
        token = self.peek()
        check(self.path, token is not None and (expected is None or token == expected), f"{token!r} where {expected!r} is expected")
        self.at += 1
        return token

    def value(self):
        token = self.next()
        if token in "([":
            out, end = [], ")" if token == "(" else "]"
            while self.peek() != end:
                out.append(self.value())
                if self.peek() != end:
                    self.next(",")
            self.next(end)
            return tuple(out) if end == ")" else out
        if token == "{":
            out = {}
            while self.peek() != "}":
                key = float(self.next())
                self.next(":")
                check(self.path, key not in out, f"two samples at {key}")
                out[key] = self.value()
                if self.peek() != "}":
                    self.next(",")
            self.next("}")
            return out
        if token[0] == '"':
            return re.sub(r"\\(.)", r"\1", token[1:-1])
        return float(token)

    def fields(self):
        """( name = value ... ), of which some are dictionaries of typed values."""
        out = {}
        self.next("(")
        while self.peek() != ")":
            name = self.next()
            self.next("=")
            out[name] = self.dictionary() if self.peek() == "{" else self.value()
        self.next(")")
        return out

    def dictionary(self):
        out = {}
        self.next("{")
        while self.peek() != "}":
            self.next()
            name = self.next()
            self.next("=")
            out[name] = self.value()
        self.next("}")
        return out

    def prim(self, folder, prims):
        self.next("def")
        kind, name = self.next(), self.value()
        check(self.path, re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name), f"a prim that is called {name!r}")
        path = f"{folder}/{name}"
        check(self.path, path not in prims, f"two prims {path}")
        prim = prims[path] = {"kind": kind, "metadata": self.fields() if self.peek() == "(" else {}, "types": {}, "values": {}, "samples": {}}
        self.next("{")
        while self.peek() != "}":
            if self.peek() == "def":
                self.prim(path, prims)
                continue
            type_ = self.next()
            if type_ == "uniform":
                type_ = self.next()
            if self.peek() == "[":
                self.next(), self.next("]")
                type_ += "[]"
            name = self.next()
            short = name.removesuffix(".timeSamples")
            check(self.path, prim["types"].setdefault(short, type_) == type_, f"two types of {short}")
            self.next("=")
            prim["values" if short == name else "samples"][short] = self.value()
            if self.peek() == "(":
                prim.setdefault("fields", {})[short] = self.fields()
        self.next("}")


def check_usda(name, bodies, fps, faces):
    path = f"{name}.usda"
    usd = Usda(path)
    frames = len(next(iter(bodies.values())))
    expected = {"defaultPrim": "pliant", "startTimeCode": 0, "endTimeCode": frames - 1, "timeCodesPerSecond": fps, "framesPerSecond": fps}
    expected |= {"metersPerUnit": 1, "upAxis": "Y"}
    check(path, all(usd.metadata.get(k) == v for k, v in expected.items()), f"metadata: {usd.metadata}")
    prims = list(usd.prims.values())
    check(path, prims[0]["kind"] == "Xform" and [p["metadata"]["customData"]["body"] for p in prims[1:]] == list(bodies), "bodies")
    for prim, (body, run) in zip(prims[1:], bodies.items()):
        values, samples, types = prim["values"], prim["samples"], prim["types"]
        kind = "Mesh" if faces[body] else "BasisCurves" if "curveVertexCounts" in values else "Points"
        check(path, prim["kind"] == kind, f"{body}: {prim['kind']}")
        if kind == "Mesh":
            flat = [i for f in faces[body] for i in f]
            check(path, values["faceVertexCounts"] == [len(f) for f in faces[body]] and values["faceVertexIndices"] == flat, f"{body}: faces")
            check(path, values["subdivisionScheme"] == "none" and prim["fields"]["normals"] == {"interpolation": "vertex"}, f"{body}: the mesh")
            check(path, types["normals"] == "normal3f[]", f"{body}: types")
        if kind == "BasisCurves":
            check(path, values["curveVertexCounts"] == [len(run[0])] and values["type"] == "linear", f"{body}: the curve")
        check(path, (types["points"], types["velocities"], types["extent"]) == ("point3f[]", "vector3f[]", "float3[]"), f"{body}: types")
        radius = values.get("widths", [0])[0] / 2
        for attribute in samples:
            check(path, list(samples[attribute]) == list(range(frames)), f"{body}: times of {attribute}")
        for i, frame in enumerate(run):
            points = [tuple(map(f32, p)) for p in samples["points"][i]]
            check(path, points == [v[:3] for v in frame], f"{body}: frame {i}")
            check(path, [tuple(map(f32, p)) for p in samples["velocities"][i]] == [v[3:] for v in frame], f"{body}: velocities of frame {i}")
            low, high = samples["extent"][i]
            for k in range(3):
                check(path, abs(low[k] - (min(p[k] for p in points) - radius)) < 1e-6, f"{body}: extent of frame {i}")
                check(path, abs(high[k] - (max(p[k] for p in points) + radius)) < 1e-6, f"{body}: extent of frame {i}")
            if kind == "Mesh":
                close_normals(f"{path} {body} frame {i}", samples["normals"][i], points, faces[body])
        check(path, values["points"] == samples["points"][0], f"{body}: the default points")
    print("ok .usda: every vertex of every frame, velocities, normals, extents, faces")


def main(name):
    bodies, times = read_csv(f"{name}.csv")
    faces = read_faces(f"{name}.obj")
    fps = round(1 / times[1])
    check_mdd(name, bodies, times)
    check_glb(name, bodies, times, faces)
    check_usda(name, bodies, fps, faces)


if __name__ == "__main__":
    main(sys.argv[1])
