"""Makes the files of this folder, by Blender 3.4:

blender -b --factory-startup --python-exit-code 1 --python tests/animated/make.py -- tests/animated

NAME.glb and NAME.gltf are animated meshes as Blender exports them; NAME.txt has where Blender itself has their vertices, y up: frame x y z.
"""

import sys
from math import radians

import bpy
import numpy
from mathutils import Euler, Vector

numpy.bool = bool  # what Debian's exporter asks for, and its numpy has no more
folder = sys.argv[sys.argv.index("--") + 1]


def begin():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 24


def write_places(path, objects, frames):
    with open(path, "w") as text:
        for frame in frames:
            bpy.context.scene.frame_set(frame)
            graph = bpy.context.evaluated_depsgraph_get()
            for thing in objects:
                posed = thing.evaluated_get(graph)
                for vertex in posed.to_mesh().vertices:
                    x, y, z = posed.matrix_world @ vertex.co
                    text.write("%d %.6f %.6f %.6f\n" % (frame, x, z, -y))
                posed.to_mesh_clear()


def export(name, objects, last, middle, **how):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, last
    bpy.ops.export_scene.gltf(
        filepath="%s/%s" % (folder, name),
        export_format="GLTF_EMBEDDED" if name.endswith(".gltf") else "GLB",
        export_normals=False,
        export_texcoords=False,
        export_materials="NONE",
        export_frame_range=True,
        **how
    )
    write_places("%s/%s.txt" % (folder, name.rsplit(".", 1)[0]), objects, (1, middle, last))


def key(thing, frame, **values):
    for name, value in values.items():
        setattr(thing, name, value)
        thing.keyframe_insert(name, frame=frame)


def skin():
    """A tube on two bones; its armature goes along x."""
    begin()
    bpy.ops.mesh.primitive_cylinder_add(vertices=6, radius=0.2, depth=2, location=(0, 0, 1), end_fill_type="NOTHING")
    tube = bpy.context.object
    tube.name = "tube"
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide(number_cuts=3)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.object.transform_apply(location=True)
    bpy.ops.object.armature_add(location=(0, 0, 0))
    armature = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    lower, upper = bones[0], bones.new("upper")
    lower.head, lower.tail, upper.head, upper.tail = (0, 0, 0), (0, 0, 1), (0, 0, 1), (0, 0, 2)
    upper.parent, upper.use_connect = lower, True
    bpy.ops.object.mode_set(mode="OBJECT")
    tube.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.parent_set(type="ARMATURE_AUTO")
    lower, upper = armature.pose.bones
    for bone in lower, upper:
        bone.rotation_mode = "XYZ"
    for frame, angle in (1, 0), (9, 60), (17, -30):
        key(upper, frame, rotation_euler=Euler((radians(angle), 0, radians(angle / 2))))
        key(lower, frame, rotation_euler=Euler((0, radians(angle / 3), 0)))
        key(armature, frame, location=(0.05 * frame, 0, 0))
    export("skin.glb", [tube], 17, 6)


def shapes():
    """A box with two shape keys."""
    begin()
    bpy.ops.mesh.primitive_cube_add(size=1)
    box = bpy.context.object
    box.name = "box"
    box.shape_key_add(name="Basis")
    tall, lean = box.shape_key_add(name="tall"), box.shape_key_add(name="lean")
    for i, vertex in enumerate(box.data.vertices):
        if vertex.co.z > 0:
            tall.data[i].co, lean.data[i].co = vertex.co + Vector((0, 0, 1)), vertex.co + Vector((0.7, 0, 0))
    for frame, up, aside in (1, 0, 0), (9, 1, 0.25), (17, 0.5, 1):
        key(tall, frame, value=up)
        key(lean, frame, value=aside)
    export("shapes.gltf", [box], 17, 6)


def nodes():
    """A cone on a box, each with an action of its own, and splines as they are: two animations in the file."""
    begin()
    bpy.ops.mesh.primitive_cube_add(size=1)
    one = bpy.context.object
    one.name = "one"
    bpy.ops.mesh.primitive_cone_add(vertices=5, radius1=0.4, depth=1, location=(0, 0, 1.5))
    two = bpy.context.object
    two.name, two.parent = "two", one
    for frame, x in (1, 0), (13, 1):
        key(one, frame, location=(x, 0.5 * x, 0), scale=(1, 1 + x, 1), rotation_euler=(0, 0, 0.7 * x))
        key(two, frame, rotation_euler=(0, 0, 2 * x))
    export("nodes.glb", [one, two], 13, 7, export_force_sampling=False)


skin()
shapes()
nodes()
