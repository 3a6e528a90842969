"""Reads an Alembic archive (Ogawa) whole, from the format's description alone, and compares it with the .csv and .ply of the same run.

Usage: abc_reader.py FILE.abc FILE.csv FOLDER.ply FPS FIRST
Every byte of the file has to belong to one group or to one piece of data, every digest has to fit, and every property has to be one that the
geometry schemas ask for. Prints what it found; exit 1 at the first thing that is wrong.
"""

import csv
import os
import struct
import sys

DATA = 1 << 63
MASK = (1 << 64) - 1
PODS = {0: "B", 1: "B", 2: "b", 3: "H", 4: "h", 5: "I", 6: "i", 7: "Q", 8: "q", 9: "e", 10: "f", 11: "d"}


class Wrong(Exception):
    pass


def check(condition, what):
    if not condition:
        raise Wrong(what)


def murmur3_x64_128(data):
    """MurmurHash3, 128 bits for 64-bit machines, seed 0."""
    c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F

    def rotl(x, r):
        return ((x << r) | (x >> (64 - r))) & MASK

    def fmix(k):
        k ^= k >> 33
        k = k * 0xFF51AFD7ED558CCD & MASK
        k ^= k >> 33
        k = k * 0xC4CEB9FE1A85EC53 & MASK
        return k ^ (k >> 33)

    h1 = h2 = 0
    whole = len(data) // 16 * 16
    for k1, k2 in struct.iter_unpack("<QQ", data[:whole]):
        h1 ^= rotl(k1 * c1 & MASK, 31) * c2 & MASK
        h1 = (rotl(h1, 27) + h2 & MASK) * 5 + 0x52DCE729 & MASK
        h2 ^= rotl(k2 * c2 & MASK, 33) * c1 & MASK
        h2 = (rotl(h2, 31) + h1 & MASK) * 5 + 0x38495AB5 & MASK
    k1, k2 = struct.unpack("<QQ", data[whole:].ljust(16, b"\0"))
    h2 ^= rotl(k2 * c2 & MASK, 33) * c1 & MASK
    h1 ^= rotl(k1 * c1 & MASK, 31) * c2 & MASK
    h1 ^= len(data)
    h2 ^= len(data)
    h1 = h1 + h2 & MASK
    h2 = h2 + h1 & MASK
    h1, h2 = fmix(h1), fmix(h2)
    h1 = h1 + h2 & MASK
    h2 = h2 + h1 & MASK
    return struct.pack("<QQ", h1, h2)


class Archive:
    def __init__(self, path):
        with open(path, "rb") as f:
            self.bytes = f.read()
        check(self.bytes[:5] == b"Ogawa", "the magic")
        check(self.bytes[5] == 0xFF, "it is not closed")
        check(self.bytes[6:8] == b"\0\1", "the version")
        self.used = {0: 16}
        (root,) = struct.unpack_from("<Q", self.bytes, 8)
        root = self.group(root)
        check(len(root) == 6, "children of the root")
        check(struct.unpack("<i", self.data(root[0])) == (0,), "the archive's version")
        (self.release,) = struct.unpack("<i", self.data(root[1]))
        check(self.release >= 10000, "the library's version")
        self.words = [{}] + self.read_words(self.data(root[5]))
        self.metadata = dict(w.split("=", 1) for w in self.data(root[3]).decode().split(";"))
        self.times = self.read_times(self.data(root[4]))
        self.top = self.read_object(self.group(root[2]))
        self.check_used()

    # ---- the container ----

    def use(self, place, size):
        check(0 <= place and place + size <= len(self.bytes), f"byte {place}: behind the end")
        check(self.used.setdefault(place, size) == size, f"byte {place}: two things")

    def group(self, place):
        check(not place & DATA, "data where a group is expected")
        if place == 0:
            return []
        (count,) = struct.unpack_from("<Q", self.bytes, place)
        self.use(place, 8 + 8 * count)
        return list(struct.unpack_from(f"<{count}Q", self.bytes, place + 8))

    def data(self, place):
        check(place & DATA, "a group where data is expected")
        place &= ~DATA
        if place == 0:
            return b""
        (size,) = struct.unpack_from("<Q", self.bytes, place)
        self.use(place, 8 + size)
        return self.bytes[place + 8 : place + 8 + size]

    def check_used(self):
        at = 0
        for place, size in sorted(self.used.items()):
            check(place == at, f"byte {at}: belongs to nothing, up to {place}")
            at = place + size
        check(at == len(self.bytes), f"byte {at}: belongs to nothing, up to the end")

    # ---- what all archives have ----

    def read_words(self, data):
        words, at = [], 0
        while at < len(data):
            text = data[at + 1 : at + 1 + data[at]].decode()
            check(len(text) == data[at], "indexed metadata that is cut")
            keys = [w.split("=", 1)[0] for w in text.split(";")]
            check(keys == sorted(keys), "metadata out of order")
            words.append(dict(w.split("=", 1) for w in text.split(";")))
            at += 1 + data[at]
        return words

    def read_times(self, data):
        times, at = [], 0
        while at < len(data):
            most, interval, count = struct.unpack_from("<IdI", data, at)
            times.append((most, interval, struct.unpack_from(f"<{count}d", data, at + 16)))
            at += 16 + 8 * count
        check(at == len(data), "times that are cut")
        check(times[0][1:] == (1.0, (0.0,)), "times 0 are not those of what has none")
        return times

    def read_object(self, children):
        data = self.data(children[-1])
        heads, at = data[:-32], 0
        out = {"properties": self.read_compound(self.group(children[0])), "children": {}, "digests": data[-32:]}
        for child in children[1:-1]:
            (length,) = struct.unpack_from("<I", heads, at)
            name = heads[at + 4 : at + 4 + length].decode()
            words = heads[at + 4 + length]
            check(words != 255 and "/" not in name and name not in out["children"], f"the name {name}")
            at += 5 + length
            out["children"][name] = self.read_object(self.group(child))
            out["children"][name]["words"] = self.words[words]
        check(at == len(heads), "more names than children")
        return out

    def read_compound(self, children):
        out, at = {}, 0
        if not children:
            return out
        heads = self.data(children[-1])
        for child in children[:-1]:
            (info,) = struct.unpack_from("<I", heads, at)
            at += 4
            hint = "BHI"[info >> 2 & 3]

            def number():
                nonlocal at
                (value,) = struct.unpack_from("<" + hint, heads, at)
                at += struct.calcsize(hint)
                return value

            p = {"type": info & 3, "info": info, "pod": info >> 4 & 15, "extent": info >> 12 & 255, "times": 0}
            if p["type"]:
                p["count"] = number()
                p["first"], p["last"] = 1, p["count"] - 1
                if info & 0x200:
                    p["first"], p["last"] = number(), number()
                elif info & 0x800:
                    p["first"], p["last"] = 0, 0
                if info & 0x100:
                    p["times"] = number()
                check(p["times"] < len(self.times), "times that there are not")
                check(p["count"] <= self.times[p["times"]][0], "more samples than times")
            length = number()
            name = heads[at : at + length].decode()
            at += length
            words = info >> 20 & 255
            check(words < len(self.words), f"the words of {name}")
            p["words"] = self.words[words]
            check(name not in out, f"{name} twice")
            if p["type"] == 0:
                p["inner"] = self.read_compound(self.group(child))
            else:
                p["samples"] = self.read_samples(name, p, self.group(child))
            out[name] = p
        check(at == len(heads), "more heads than properties")
        return out

    def read_samples(self, name, p, children):
        array = p["type"] != 1
        stored = 1 if p["first"] == 0 else p["last"] - p["first"] + 2
        check(len(children) == stored * (2 if array else 1), f"{name}: {len(children)} children for {stored} samples")
        code = PODS[p["pod"]]
        row = p["extent"] * struct.calcsize(code)
        samples = []
        for i in range(stored):
            data = self.data(children[2 * i if array else i])
            if array:
                check(self.data(children[2 * i + 1]) == b"", f"{name}: sizes that nobody needs")
            check(len(data) >= 16 and (len(data) - 16) % row == 0, f"{name}: the size of a sample")
            check(murmur3_x64_128(data[16:]) == data[:16], f"{name}: a digest")
            samples.append(struct.unpack(f"<{(len(data) - 16) // struct.calcsize(code)}{code}", data[16:]))
        one = all(len(s) == p["extent"] for s in samples)
        check(bool(p["type"] & 1) == one, f"{name}: whether it is like a scalar")
        check(bool(p["info"] & 0x400) == (len({len(s) for s in samples}) == 1), f"{name}: whether samples are alike")
        return samples

    def sample(self, p, frame):
        """As readers pick it: before the first change, in between, behind the last."""
        if frame < p["first"] or p["first"] == p["last"] == 0:
            return p["samples"][0]
        return p["samples"][min(frame, p["last"]) - p["first"] + 1]


# ---- the same run in other formats ----


def read_csv(path):
    """{body: {frame: [(x, y, z, vx, vy, vz)]}}"""
    out = {}
    with open(path, newline="") as f:
        rows = csv.reader(f)
        next(rows)
        for frame, _, body, _, *numbers in rows:
            out.setdefault(body, {}).setdefault(int(frame), []).append(tuple(map(float, numbers)))
    return out


def read_ply(path):
    """Vertices with normals, and faces, of a file as Pliant writes it."""
    with open(path, "rb") as f:
        data = f.read()
    head, data = data.split(b"end_header\n", 1)
    code = "d" if b"property double x" in head else "f"
    counts = {"vertex": 0, "face": 0}
    for line in head.decode().split("\n"):
        if line.startswith("element"):
            counts[line.split()[1]] = int(line.split()[2])
    rows = list(struct.iter_unpack(f"<9{code}", data[: counts["vertex"] * 9 * struct.calcsize(code)]))
    at, faces = counts["vertex"] * 9 * struct.calcsize(code), []
    for _ in range(counts["face"]):
        faces.append(struct.unpack_from(f"<{data[at]}i", data, at + 1))
        at += 1 + 4 * data[at]
    return rows, faces


def f32(numbers):
    return struct.unpack(f"<{len(numbers)}f", struct.pack(f"<{len(numbers)}f", *numbers))


def flat(rows):
    return tuple(n for row in rows for n in row)


def expect(p, name, pod, extent, words):
    check(name in p, f"there is no {name}")
    check((p[name]["pod"], p[name]["extent"]) == (pod, extent), f"the type of {name}")
    check(p[name]["words"] == words, f"the words of {name}: {p[name]['words']}")
    return p[name]


def check_body(a, name, frames, ply, first):
    xform = a.top["children"][name]
    check(xform["words"] == {"schema": "AbcGeom_Xform_v3", "schemaObjTitle": "AbcGeom_Xform_v3:.xform"}, "words of a transform")
    check(list(xform["properties"]) == [".xform"] and list(xform["children"]) == [name + "Shape"], "a transform")
    check(xform["properties"][".xform"]["words"] == {"schema": "AbcGeom_Xform_v3"}, "words of .xform")
    inner = xform["properties"][".xform"]["inner"]
    check(list(inner) == [".inherits"] and a.sample(inner[".inherits"], 0) == (1,), ".inherits")
    shape = xform["children"][name + "Shape"]
    schema = shape["words"]["schema"]
    check(shape["words"] == {"schema": schema, "schemaBaseType": "AbcGeom_GeomBase_v1", "schemaObjTitle": schema + ":.geom"}, "words of a shape")
    geom = shape["properties"][".geom"]
    check(geom["words"] == {"schema": schema, "schemaBaseType": "AbcGeom_GeomBase_v1"}, "words of .geom")
    p = geom["inner"]
    scope = "var" if schema == "AbcGeom_Points_v1" else "vtx"
    positions = expect(p, "P", 10, 3, {"geoScope": scope, "interpretation": "point"})
    velocities = expect(p, ".velocities", 10, 3, {"interpretation": "vector"})
    bounds = expect(p, ".selfBnds", 11, 6, {"interpretation": "box"})
    for q in p.values():
        check(q["count"] == len(frames) and q["times"] == 1, "the number of samples")
    rows, faces = read_ply(os.path.join(ply, f"{name}.{first:04}.ply"))
    if schema == "AbcGeom_PolyMesh_v1":
        words = {"arrayExtent": "1", "geoScope": "vtx", "interpretation": "normal", "isGeomParam": "true", "podExtent": "3", "podName": "float32_t"}
        normals = expect(p, "N", 10, 3, words)
        indices, counts = a.sample(expect(p, ".faceIndices", 6, 1, {}), 0), a.sample(expect(p, ".faceCounts", 6, 1, {}), 0)
        check(counts == tuple(map(len, faces)), "the faces' sizes")
        check(indices == flat(face[::-1] for face in faces), "faces, the other way round")
    elif schema == "AbcGeom_Curve_v2":
        check(a.sample(expect(p, "nVertices", 6, 1, {}), 0) == (len(rows),), "the curve's vertices")
        check(a.sample(expect(p, "curveBasisAndType", 1, 4, {}), 0) == (1, 0, 0, 0), "the curve's type")
    else:
        check(schema == "AbcGeom_Points_v1", f"the schema {schema}")
        check(a.sample(expect(p, ".pointIds", 7, 1, {"geoScope": "var"}), 0) == tuple(range(len(rows))), "the points' numbers")
    check(sorted(frames) == list(range(first, first + len(frames))), "the frames' numbers")
    for i in range(len(frames)):
        rows, _ = read_ply(os.path.join(ply, f"{name}.{first + i:04}.ply"))
        want = frames[first + i]
        x = a.sample(positions, i)
        check(x == f32(flat(r[:3] for r in want)), f"positions of frame {i}")
        check(a.sample(velocities, i) == f32(flat(r[3:] for r in want)), f"velocities of frame {i}")
        box = [min(x[k::3]) for k in range(3)] + [max(x[k::3]) for k in range(3)]
        check(a.sample(bounds, i) == tuple(box), f"bounds of frame {i}")
        if schema == "AbcGeom_PolyMesh_v1":
            check(a.sample(normals, i) == f32(flat(r[3:6] for r in rows)), f"normals of frame {i}")
    return schema.split("_")[1], shape["digests"][:16]


def main():
    path, table, ply, fps, first = sys.argv[1:]
    try:
        a, bodies = Archive(path), read_csv(table)
        check(a.metadata["_ai_Application"] == "Pliant" and float(a.metadata["_ai_DCC_FPS"]) == float(fps), "the archive's words")
        check(len(a.times) == 2, "the number of times")
        check(a.times[1][1:] == (1 / float(fps), (int(first) / float(fps),)), f"the frames' times {a.times[1]}")
        check(list(a.top["children"]) == list(bodies) and not a.top["properties"], "the objects")
        found = [check_body(a, name, frames, ply, int(first)) for name, frames in bodies.items()]
        check(a.times[1][0] == len(next(iter(bodies.values()))), "the most samples")
        check(len({digest for _, digest in found}) == len(found), "objects with the same digest")
    except (Wrong, IndexError, KeyError, struct.error, UnicodeDecodeError, ValueError) as error:
        print(f"{path}: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    print(f"{path}: {len(a.bytes)} bytes, {a.times[1][0]} frames, " + ", ".join(kind for kind, _ in found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
