"""Checks, inside Blender, what docs/programs/cape.md says: blender -b --python cape.py -- caches FOLDER, and then: -- check FOLDER RUN.csv CACHE.pc2."""

import csv
import sys

import bpy

what, folder, *rest = sys.argv[sys.argv.index("--") + 1 :]
bpy.ops.wm.open_mainfile(filepath=folder + "/character.blend")
scene, rider, cape = bpy.context.scene, bpy.data.objects["rider"], bpy.data.objects["cape"]


def caches():
    """The motion of both by Blender's own exporters of point caches."""
    for module in "io_shape_mdd", "io_export_pc2":
        bpy.ops.preferences.addon_enable(module=module)
    for thing in rider, cape:
        bpy.ops.object.select_all(action="DESELECT")
        thing.select_set(True)
        bpy.context.view_layer.objects.active = thing
        path = folder + "/" + thing.name
        bpy.ops.export_shape.mdd(filepath=path + ".mdd", frame_start=scene.frame_start, frame_end=scene.frame_end, fps=24)
        bpy.ops.export_shape.pc2(filepath=path + ".pc2", range_start=scene.frame_start, range_end=scene.frame_end, world_space=True)


def places(thing):
    """Where its vertices are now, y up."""
    shown = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    out = [shown.matrix_world @ v.co for v in shown.to_mesh().vertices]
    shown.to_mesh_clear()
    return [(p.x, p.z, -p.y) for p in out]


def read(path, body):
    frames = {}
    with open(path, newline="") as f:
        for row in csv.reader(f):
            if row[2] == body:
                frames.setdefault(int(row[0]), []).append(tuple(map(float, row[4:7])))
    return frames


def report(what, got, want, limit):
    worst = max(abs(a - b) for g, w in zip(got, want) for a, b in zip(g, w)) if len(got) == len(want) else float("inf")
    print(f"ok {what}" if worst <= limit else f"not ok {what}: off by {worst:g}", flush=True)


def check(run, cache):
    modifier = cape.modifiers.new("Mesh Cache", "MESH_CACHE")
    modifier.cache_format, modifier.filepath = "PC2", cache
    modifier.forward_axis, modifier.up_axis, modifier.frame_start = "POS_Z", "NEG_Y", 1
    bodies = read(run, "rider"), read(run, "cape")
    for frame in 0, 1, 17, 40, 71:
        scene.frame_set(1 + frame)
        report(f"the body is where it is keyed, frame {frame}", places(rider), bodies[0][frame], 1e-4)
        report(f"the cape is where it was simulated, frame {frame}", places(cape), bodies[1][frame], 1e-5)


{"caches": caches, "check": check}[what](*rest)
print("done")
