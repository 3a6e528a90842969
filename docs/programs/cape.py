"""What docs/programs/cape.md does, as a script.

blender -b --factory-startup --python cape.py -- make FOLDER
    makes a keyed character with a cape, character.blend, and exports rider.glb, rider.obj and cape.obj
blender -b --factory-startup --python cape.py -- play FOLDER CACHE.pc2 FILE.png FRAME [FRAME...]
    lets the cache move the cape, and renders the frames side by side
"""

import sys
from math import pi, radians, sin

import bmesh
import bpy
import numpy
from mathutils import Vector

numpy.bool = bool  # what the exporter of Debian's Blender asks for, and Debian's numpy has no more

FRAMES = 72
SPEED = 2.6  # m/s

# name: head, parent; z is up, the character looks along -y
JOINTS = {
    "pelvis": ((0, 0, 0.95), None),
    "chest": ((0, 0.01, 1.2), "pelvis"),
    "neck": ((0, 0, 1.47), "chest"),
    "head": ((0, -0.01, 1.6), "neck"),
    "brow": ((0, -0.02, 1.7), "head"),
    "top": ((0, -0.02, 1.77), "brow"),
}
for side, x in ("L", 1), ("R", -1):
    JOINTS.update(
        {
            "hip." + side: ((0.09 * x, 0, 0.92), "pelvis"),
            "knee." + side: ((0.1 * x, -0.02, 0.5), "hip." + side),
            "ankle." + side: ((0.1 * x, 0.02, 0.08), "knee." + side),
            "toe." + side: ((0.1 * x, -0.14, 0.04), "ankle." + side),
            "shoulder." + side: ((0.17 * x, 0.01, 1.4), "neck"),
            "elbow." + side: ((0.3 * x, 0.03, 1.17), "shoulder." + side),
            "wrist." + side: ((0.36 * x, -0.06, 0.96), "elbow." + side),
        }
    )
RADII = {"pelvis": 0.12, "chest": 0.11, "neck": 0.05, "head": 0.1, "brow": 0.11, "top": 0.06, "hip": 0.09, "knee": 0.06, "ankle": 0.045}
RADII.update({"toe": 0.035, "shoulder": 0.065, "elbow": 0.045, "wrist": 0.035})


def make_rider():
    """A body grown around its joints."""
    names = list(JOINTS)
    mesh = bpy.data.meshes.new("rider")
    edges = [(names.index(parent), i) for i, (_, parent) in enumerate(JOINTS.values()) if parent]
    mesh.from_pydata([head for head, _ in JOINTS.values()], edges, [])
    rider = bpy.data.objects.new("rider", mesh)
    bpy.context.collection.objects.link(rider)
    bpy.context.view_layer.objects.active = rider
    rider.select_set(True)
    rider.modifiers.new("skin", "SKIN")
    rider.modifiers.new("smooth", "SUBSURF").levels = 1
    for vertex, name in zip(mesh.skin_vertices[0].data, names):
        vertex.radius = (RADII[name.split(".")[0]],) * 2
    for modifier in "skin", "smooth":
        bpy.ops.object.modifier_apply(modifier=modifier)
    clean = bmesh.new()
    clean.from_mesh(rider.data)
    bmesh.ops.remove_doubles(clean, verts=clean.verts, dist=0.001)
    clean.to_mesh(rider.data)
    for face in rider.data.polygons:
        face.use_smooth = True
    return rider


def make_armature(rider):
    bpy.ops.object.armature_add()
    armature = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    bones.remove(bones[0])
    root = bones.new("root")
    root.head, root.tail = (0, 0, 0.95), (0, 0, 1.0)
    for name, (tail, parent) in JOINTS.items():
        if not parent:
            continue
        bone = bones.new(name)
        bone.head, bone.tail = JOINTS[parent][0], tail
        bone.parent = bones.get(parent) or root
        bone.roll = 0
    bpy.ops.object.mode_set(mode="OBJECT")
    rider.select_set(True)
    bpy.ops.object.parent_set(type="ARMATURE_AUTO")
    return armature


def turn(armature, name, frame, angle):
    """Forwards, about the character's own x."""
    bone = armature.pose.bones[name]
    axis = armature.data.bones[name].matrix_local.to_3x3().inverted() @ Vector((1, 0, 0))
    bone.rotation_mode = "AXIS_ANGLE"
    bone.rotation_axis_angle = (angle, *axis)
    bone.keyframe_insert("rotation_axis_angle", frame=frame)


def run(armature):
    """A second and a half of running, a turn by 150 degrees, and standing."""
    y, heading = 0.0, 0.0
    for frame in range(1, FRAMES + 1):
        t = (frame - 1) / 24
        go = min(1, t / 0.6) if t < 1.6 else max(0, 1 - (t - 1.6) / 0.4)
        y -= SPEED * go / 24
        heading = radians(150) * (3 * s * s - 2 * s**3) if (s := min(1, max(0, (t - 1.7) / 0.5))) else 0
        phase = 2 * pi * 1.5 * t
        armature.location = (0, y, 0.03 * go * sin(2 * phase))
        armature.rotation_euler = (radians(8) * go, 0, heading)
        for name in "location", "rotation_euler":
            armature.keyframe_insert(name, frame=frame)
        for side, sign in ("L", 1), ("R", -1):
            swing = sin(phase) * sign * go
            turn(armature, "knee." + side, frame, -0.65 * swing)
            turn(armature, "ankle." + side, frame, go * (0.5 - 0.5 * sin(phase + 1.2) * sign))
            turn(armature, "elbow." + side, frame, 0.5 * swing)
            turn(armature, "wrist." + side, frame, -0.7 * go)


def make_cape(armature):
    """A trapezium from shoulder to shoulder, a little behind them, down to the calves; all of it goes with the bone that ends in the neck."""
    columns, rows = 18, 26
    points, faces = [], []
    for j in range(rows + 1):
        for i in range(columns + 1):
            u, v = i / columns * 2 - 1, j / rows
            behind = 0.075 + 0.05 * (1 - u * u) * (1 - v) + 0.08 * min(1, 3 * v)
            points.append((u * (0.18 + 0.2 * v), behind, 1.49 - 1.05 * v))
    for j in range(rows):
        for i in range(columns):
            a = j * (columns + 1) + i
            faces.append((a, a + columns + 1, a + columns + 2, a + 1))
    mesh = bpy.data.meshes.new("cape")
    mesh.from_pydata(points, [], faces)
    cape = bpy.data.objects.new("cape", mesh)
    bpy.context.collection.objects.link(cape)
    for face in mesh.polygons:
        face.use_smooth = True
    cape.vertex_groups.new(name="neck").add(range(len(points)), 1, "REPLACE")
    cape.modifiers.new("Armature", "ARMATURE").object = armature
    return cape


def export(path, *things):
    bpy.ops.object.select_all(action="DESELECT")
    for thing in things:
        thing.select_set(True)
    bpy.context.view_layer.objects.active = things[0]
    if path.endswith(".obj"):
        bpy.ops.wm.obj_export(filepath=path, export_selected_objects=True, export_materials=False, export_uv=False, export_normals=False)
        return
    bpy.ops.export_scene.gltf(
        filepath=path, use_selection=True, export_normals=False, export_texcoords=False, export_materials="NONE", export_all_influences=True
    )


def make(folder):
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, FRAMES
    rider = make_rider()
    armature = make_armature(rider)
    run(armature)
    cape = make_cape(armature)
    scene.frame_set(1)
    export(folder + "/rider.glb", armature, rider, cape)
    export(folder + "/rider.obj", rider)
    export(folder + "/cape.obj", cape)
    bpy.ops.wm.save_as_mainfile(filepath=folder + "/character.blend")


def paint(thing, colour):
    material = bpy.data.materials.new(thing.name)
    material.use_nodes = True
    material.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*colour, 1)
    material.node_tree.nodes["Principled BSDF"].inputs["Roughness"].default_value = 0.7
    thing.data.materials.append(material)


def light_and_look(samples):
    scene = bpy.context.scene
    bpy.ops.mesh.primitive_plane_add(size=60)
    paint(bpy.context.object, (0.3, 0.3, 0.28))
    bpy.ops.object.light_add(type="SUN", rotation=(radians(40), radians(25), 0))
    bpy.context.object.data.energy = 3
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.25, 0.28, 0.33, 1)
    bpy.ops.object.camera_add()
    scene.camera = bpy.context.object
    scene.camera.data.lens = 50
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.seed = "CYCLES", samples, False, 1
    scene.render.resolution_x, scene.render.resolution_y = 176, 256
    scene.view_settings.view_transform = "Standard"


def look_at(point):
    """From behind, a little from the left."""
    camera = bpy.context.scene.camera
    camera.location = point + Vector((2.2, 2.3, 0.4))
    camera.rotation_euler = (point - camera.location).to_track_quat("-Z", "Y").to_euler()


def side_by_side(pictures, path):
    """One picture of several, of one size."""
    images = [bpy.data.images.load(name) for name in pictures]
    width, height = images[0].size
    pixels = numpy.concatenate([numpy.array(image.pixels[:]).reshape(height, width, 4) for image in images], axis=1)
    whole = bpy.data.images.new("whole", width * len(images), height)
    whole.pixels = pixels.ravel()
    whole.filepath_raw, whole.file_format = path, "PNG"
    whole.save()


def play(folder, cache, picture, *frames):
    bpy.ops.wm.open_mainfile(filepath=folder + "/character.blend")
    cape, rider = bpy.data.objects["cape"], bpy.data.objects["rider"]
    modifier = cape.modifiers.new("Mesh Cache", "MESH_CACHE")
    modifier.cache_format, modifier.filepath = "PC2", cache
    modifier.forward_axis, modifier.up_axis, modifier.frame_start = "POS_Z", "NEG_Y", 1
    cape.modifiers.new("Thickness", "SOLIDIFY").thickness = 0.004
    paint(cape, (0.45, 0.02, 0.03))
    paint(rider, (0.55, 0.5, 0.42))
    light_and_look(40)
    pictures = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame))
        look_at(bpy.data.objects["Armature"].location + Vector((0, 0, 0.9)))
        pictures.append("%s.%s.png" % (picture, frame))
        bpy.context.scene.render.filepath = pictures[-1]
        bpy.ops.render.render(write_still=True)
    side_by_side(pictures, picture)


what, *arguments = sys.argv[sys.argv.index("--") + 1 :]
bpy.ops.object.select_all(action="SELECT")
bpy.ops.object.delete()
{"make": make, "play": play}[what](*arguments)
