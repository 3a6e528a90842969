"""Checks, inside Blender, that caches move an artist's mesh as the .csv says: blender -b --python blender.py -- MESH.obj RUN FORMAT..."""

import csv
import glob
import sys

import bpy

mesh_path, run, *formats = sys.argv[sys.argv.index("--") + 1 :]


def read_frames(path):
    """Per frame the vertices' places, of the only body."""
    frames = []
    with open(path, newline="") as f:
        for row in list(csv.reader(f))[1:]:
            if int(row[0]) == len(frames):
                frames.append([])
            frames[-1].append(tuple(map(float, row[4:7])))
    return frames


def read_obj(path):
    """Vertices, faces, and the UV of every corner; of files without UVs None."""
    places, uvs, faces, corners = [], [], [], []
    with open(path) as f:
        for line in f:
            word, *rest = line.split() or [""]
            if word == "v":
                places.append(tuple(map(float, rest)))
            elif word == "vt":
                uvs.append(tuple(map(float, rest)))
            elif word == "f":
                faces.append(tuple(int(c.split("/")[0]) - 1 for c in rest))
                corners += [uvs[int(c.split("/")[1]) - 1] for c in rest if "/" in c]
    return places, faces, corners


frames = read_frames(run + ".csv")
places, faces, corners = read_obj(mesh_path)
scene = bpy.context.scene
scene.render.fps, scene.render.fps_base = 60, 1


def turned(p):
    """Up is y in the file and z in Blender."""
    return (p[0], -p[2], p[1])


def distance(got, want):
    """The largest difference; endless where there are fewer or more."""
    if len(got) != len(want):
        return float("inf")
    return max(abs(a - b) for g, w in zip(got, want) for a, b in zip(g, w))


def report(what, worst, limit):
    """Float32 text has nine digits: what is compared may differ by the last bit of it."""
    print(f"ok {what}" if worst <= limit else f"not ok {what}: off by {worst:g}", flush=True)


def report_same(what, same):
    print(f"ok {what}" if same else f"not ok {what}", flush=True)


def evaluated(item, world=False):
    shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = shown.to_mesh()
    out = [tuple(shown.matrix_world @ v.co if world else v.co) for v in mesh.vertices]
    shown.to_mesh_clear()
    return out


def uvs_of(mesh):
    return [tuple(d.uv) for d in mesh.uv_layers.active.data] if mesh.uv_layers.active else []


def faces_of(mesh):
    return [tuple(p.vertices) for p in mesh.polygons]


def rolled(face):
    at = face.index(min(face))
    return face[at:] + face[:at]


def same_faces(mesh):
    """The same corners round every face, whichever comes first."""
    return [rolled(f) for f in faces_of(mesh)] == [rolled(f) for f in faces]


def same_surface(mesh):
    """The same faces in any order, where one of more than four corners may have become a fan."""

    def fans(all_faces):
        cut = [[f] if len(f) <= 4 else [(f[0], f[i], f[i + 1]) for i in range(1, len(f) - 1)] for f in all_faces]
        return sorted(rolled(f) for fan in cut for f in fan)

    return fans(faces_of(mesh)) == fans(faces)


def clear():
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)


def new_object(operator, **options):
    before = set(bpy.data.objects)
    operator(**options)
    (item,) = [o for o in bpy.data.objects if o not in before and o.type == "MESH"]
    return item


def play(item, first, world=False, want=lambda p: p):
    """The largest difference of all vertices of all frames, from scene frame `first` on, going forth and back."""
    worst = 0
    for i in list(range(len(frames))) + [3, 0]:
        scene.frame_set(first + i)
        worst = max(worst, distance(evaluated(item, world), [want(p) for p in frames[i]]))
    return worst


# ---- the mesh, imported as an artist does ----

IMPORTERS = {
    "wm.obj_import": lambda: new_object(bpy.ops.wm.obj_import, filepath=mesh_path),
    "import_scene.obj": lambda: new_object(bpy.ops.import_scene.obj, filepath=mesh_path, split_mode="OFF"),
}


def check_import(name, item):
    local = [tuple(v.co) for v in item.data.vertices]
    report(f"{name}: vertices in the file's order and axes", distance(local, places), 1e-6)
    report(f"{name}: upright in the scene", distance(evaluated(item, True), [turned(p) for p in places]), 1e-6)
    report_same(f"{name}: faces as the file has them", same_faces(item.data))
    report(f"{name}: UVs of every corner", distance(sorted(uvs_of(item.data)), sorted(corners)), 1e-6)


def check_export():
    """Exports an object with an applied rotation to the file that it came from: the turn that its cache needs is known."""
    item = IMPORTERS["wm.obj_import"]()
    item.data.transform(item.matrix_world)
    item.matrix_world.identity()
    bpy.ops.wm.obj_export(filepath="exported.obj", export_selected_objects=True)
    exported = read_obj("exported.obj")
    report("export: vertices in their order, axes as proposed", distance(exported[0], places), 1e-5)
    report_same("export: the same faces", [rolled(f) for f in exported[1]] == [rolled(f) for f in faces])
    clear()


# ---- point caches ----


def add_cache(item, kind, path, start=0):
    m = item.modifiers.new("cache", "MESH_CACHE")
    m.cache_format, m.filepath, m.frame_start = kind, path, start
    m.time_mode, m.play_mode, m.deform_mode = "FRAME", "SCENE", "OVERWRITE"
    return m


def check_cache(importer, kind, path):
    item = IMPORTERS[importer]()
    uvs = uvs_of(item.data)
    m = add_cache(item, kind, path)
    report(f"{kind}, {importer}: every vertex of every frame, axes left alone", play(item, 0), 2e-6)
    report(f"{kind}, {importer}: upright in the scene", play(item, 0, True, turned), 2e-6)
    m.frame_start = 101
    report(f"{kind}, {importer}: from frame 101 on", play(item, 101), 2e-6)
    scene.frame_set(50)
    report(f"{kind}, {importer}: before it begins, the first frame", distance(evaluated(item), frames[0]), 2e-6)
    scene.frame_set(500)
    report(f"{kind}, {importer}: when it is over, the last one", distance(evaluated(item), frames[-1]), 2e-6)
    m.frame_start, m.interpolation = 0, "LINEAR"
    scene.frame_set(4, subframe=0.5)
    between = [tuple((a + b) / 2 for a, b in zip(p, q)) for p, q in zip(frames[4], frames[5])]
    report(f"{kind}, {importer}: half way between two frames", distance(evaluated(item), between), 2e-6)
    # Where the object's rotation was applied, its mesh is turned, and the modifier has to turn the cache.
    m.forward_axis, m.up_axis = "POS_Z", "NEG_Y"
    item.matrix_world.identity()
    report(f"{kind}, {importer}: turned by the modifier, forward +Z and up -Y", play(item, 0, True, turned), 2e-6)
    shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    report(f"{kind}, {importer}: UVs stay as they were", distance(uvs_of(shown.data), uvs), 0)
    report_same(f"{kind}, {importer}: faces too", faces_of(shown.data) == faces_of(item.data))
    item.modifiers.remove(m)
    other = add_cache(item, kind, path + ".none")
    report(f"{kind}, {importer}: without the file, the mesh as it was", distance(evaluated(item), places), 1e-6)
    item.modifiers.remove(other)
    clear()


def check_third(what, kind, path, first=0, **settings):
    """Of a cache that has every third frame, numbered from `first` on: those frames at their time, and straight lines between them."""
    item = next(iter(IMPORTERS.values()))()
    m = add_cache(item, kind, path)
    m.interpolation = "LINEAR"
    for name, value in settings.items():
        setattr(m, name, value)
    worst = 0
    for i in range(len(frames)):
        a, share = i - i % 3, i % 3 / 3
        b = min(a + 3, len(frames) - 1)
        want = [tuple(x + share * (y - x) for x, y in zip(p, q)) for p, q in zip(frames[a], frames[b])]
        scene.frame_set(first + i)
        worst = max(worst, distance(evaluated(item), want))
    report(what, worst, 5e-6)
    clear()


# ---- a file per frame ----


def check_sequence(what, pattern, operator, turn):
    paths = sorted(glob.glob(pattern))
    report_same(f"{what}: a file per frame", len(paths) == len(frames))
    worst, alike = 0, True
    for path, frame in zip(paths, frames):
        item = new_object(operator, filepath=path)
        worst = max(worst, distance(evaluated(item, True), [turn(p) for p in frame]))
        alike = alike and same_surface(item.data)
        clear()
    report(f"{what}: every vertex of every frame", worst, 2e-6)
    report_same(f"{what}: faces as the mesh has them", alike)


# ---- glTF: shape keys and an action ----


def check_glb(path):
    import numpy

    if not hasattr(numpy, "bool"):  # Blender 3.4 wants it, and the numpy that Debian 12 has beside it took it away
        numpy.bool = bool
    scene.frame_set(0)
    item = new_object(bpy.ops.import_scene.gltf, filepath=path)
    keys = item.data.shape_keys
    report_same("glb: shape keys with an action", bool(keys and keys.animation_data and (keys.animation_data.action or keys.animation_data.nla_tracks)))
    scene.frame_set(0)
    start, whole = evaluated(item, True), [turned(p) for p in frames[0]]
    # A seam of the texture makes two vertices of one: each is the one where it is.
    which = [min(range(len(whole)), key=lambda k: distance([p], [whole[k]])) for p in start]
    report("glb: its vertices are the mesh's", max(distance([p], [whole[k]]) for p, k in zip(start, which)), 1e-5)
    report_same("glb: none is missing", len({whole[k] for k in which}) == len(set(whole)))
    worst = 0
    for i, frame in enumerate(frames):
        scene.frame_set(i)
        worst = max(worst, distance(evaluated(item, True), [turned(frame[k]) for k in which]))
    report("glb: every vertex of every frame", worst, 2e-5)
    clear()


clear()
for name, load in IMPORTERS.items():
    check_import(name, load())
    clear()
check_export()
for name in IMPORTERS:
    check_cache(name, "PC2", run + ".pc2")
    if "mdd" in formats:
        check_cache(name, "MDD", run + ".mdd")
check_third("PC2 of every third frame: Frame Scale 1/3", "PC2", "third.pc2", frame_scale=1 / 3)
check_third("PC2 of every third frame from 1001 on: Frame Start 1001/3", "PC2", "late.pc2", 1001, frame_scale=1 / 3, frame_start=1001 / 3)
if "mdd" in formats:
    check_third("MDD of every third frame: by its times", "MDD", "third.mdd", time_mode="TIME")
    check_third("MDD of every third frame from 1001 on: by its times", "MDD", "late.mdd", 1001, time_mode="TIME")
check_sequence("OBJ sequence", run + ".obj/*.obj", bpy.ops.wm.obj_import, turned)
check_sequence("PLY sequence", run + ".ply/*.ply", bpy.ops.import_mesh.ply, lambda p: p)
if "glb" in formats:
    check_glb(run + ".glb")
print("done", flush=True)
