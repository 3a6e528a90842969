"""What docs/programs/blender.md says, as a script.

blender -b --factory-startup --python blender.py -- mesh FILE.obj
    makes a cloth with UVs and exports it
blender -b --factory-startup --python blender.py -- play FILE.obj FILE.pc2 FRAME FILE.png [WIDTH HEIGHT SAMPLES]
    imports it, lets the cache move it, and renders a frame
"""

import sys
from math import radians

import bpy


def make_mesh(path):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=72, y_subdivisions=72, size=1.4, calc_uvs=True)
    bpy.ops.wm.obj_export(filepath=path, export_selected_objects=True, export_materials=False)


def import_with_cache(mesh, cache):
    bpy.ops.wm.obj_import(filepath=mesh)
    cloth = bpy.context.selected_objects[0]
    modifier = cloth.modifiers.new("Mesh Cache", "MESH_CACHE")
    modifier.cache_format = "PC2"
    modifier.filepath = cache
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
    modifier.frame_start = 0
    return cloth


def paint(cloth):
    """Squares by the mesh's UVs, which the cache does not touch."""
    material = bpy.data.materials.new("squares")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    checker, place = nodes.new("ShaderNodeTexChecker"), nodes.new("ShaderNodeUVMap")
    checker.inputs["Scale"].default_value = 12
    checker.inputs["Color1"].default_value, checker.inputs["Color2"].default_value = (0.75, 0.08, 0.06, 1), (0.9, 0.87, 0.8, 1)
    links.new(place.outputs["UV"], checker.inputs["Vector"])
    links.new(checker.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    nodes["Principled BSDF"].inputs["Roughness"].default_value = 0.8
    cloth.data.materials.append(material)
    for face in cloth.data.polygons:
        face.use_smooth = True


def light_and_look(width, height, samples):
    scene = bpy.context.scene
    bpy.ops.mesh.primitive_plane_add(size=20)
    bpy.ops.object.light_add(type="AREA", location=(2.5, -2, 4), rotation=(radians(35), radians(20), 0))
    bpy.context.object.data.energy, bpy.context.object.data.size = 110, 3
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.3, 0.33, 0.38, 1)
    bpy.ops.object.camera_add(location=(1.5, -2.6, 1.65), rotation=(radians(69), 0, radians(30)))
    scene.camera = bpy.context.object
    scene.camera.data.lens = 52
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.seed = "CYCLES", samples, False, 1
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.view_settings.view_transform = "Standard"


def play(mesh, cache, frame, picture, width=480, height=300, samples=32):
    paint(import_with_cache(mesh, cache))
    light_and_look(int(width), int(height), int(samples))
    bpy.context.scene.frame_set(int(frame))
    bpy.context.scene.render.filepath = picture
    bpy.ops.render.render(write_still=True)


what, *arguments = sys.argv[sys.argv.index("--") + 1 :]
bpy.ops.object.select_all(action="SELECT")
bpy.ops.object.delete()
{"mesh": make_mesh, "play": play}[what](*arguments)
