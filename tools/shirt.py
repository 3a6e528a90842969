#!/usr/bin/env python3
"""The shirt of scenes/shirt.json: its pattern, and what is sewn to what.

    tools/shirt.py      writes scenes/shirt.json and scenes/meshes/shirt.obj, the panel that is its front and its back

The panel is a grid of quads with the neck cut out; sleeves are grids of the scene's own. Paths of a seam are vertices in order, from the shoulder on.
"""
import json
import os

CELL = 0.02  # m, the side of a quad
WIDE, HIGH = 20, 28  # cells of the panel
NECK, DEEP = 8, 3  # cells of the neck, across and down
ARMHOLE = 10  # cells, from the shoulder down
LONG = 14  # cells of a sleeve from the shoulder to its end; it is twice an armhole around
HEM, APART = 0.36, 0.17  # m: the height of the hem at the start, and how far front and back are from the middle
SHOULDER = HEM + HIGH * CELL

def in_neck(i, k):
    """Whether cell i from the left, k from the hem, is cut out."""
    return abs(i + 0.5 - WIDE / 2) < NECK / 2 and k >= HIGH - DEEP


def panel():
    """Corners of the panel by column and row, each with its number; and its quads."""
    cells = [(i, k) for k in range(HIGH) for i in range(WIDE) if not in_neck(i, k)]
    numbers = {}
    for corner in sorted({(i + a, k + b) for i, k in cells for a in (0, 1) for b in (0, 1)}, key=lambda c: (c[1], c[0])):
        numbers[corner] = len(numbers)
    quads = [[numbers[i, k], numbers[i + 1, k], numbers[i + 1, k + 1], numbers[i, k + 1]] for i, k in cells]
    return numbers, quads


def mesh(numbers, quads):
    lines = ["# Front and back of a shirt, made by tools/shirt.py"]
    lines += ["v %.6f %.6f 0" % ((i - WIDE / 2) * CELL, HEM + k * CELL) for i, k in numbers]
    lines += ["f %d %d %d %d" % tuple(v + 1 for v in q) for q in quads]
    return "\n".join(lines) + "\n"


def seams(numbers):
    """Entries of "stitches"."""
    out = []

    def sew(a, left, b, right, start, time):
        out.append({"a": {"body": a, "vertices": left}, "b": {"body": b, "vertices": right}, "from": start, "time": time})

    for side in (0, 1):
        sleeve, edge = ("left sleeve", "right sleeve")[side], WIDE * side
        step = -1 if side else 1
        shoulder = [numbers[edge + step * i, HIGH] for i in range((WIDE - NECK) // 2 + 1)]
        sides = [numbers[edge, HIGH - ARMHOLE - k] for k in range(HIGH - ARMHOLE + 1)]
        armhole = [numbers[edge, HIGH - k] for k in range(ARMHOLE + 1)]
        at = lambda along, across: across * (LONG + 1) + (along if side else LONG - along)
        front = [at(0, ARMHOLE + k) for k in range(ARMHOLE + 1)]
        back = [at(0, ARMHOLE - k) for k in range(ARMHOLE + 1)]
        sew("front", shoulder, "back", shoulder, 0.05, 0.9)
        sew("front", sides, "back", sides, 0.1, 1.2)
        sew("front", armhole, sleeve, front, 0.2, 1.2)
        sew("back", armhole, sleeve, back, 0.2, 1.2)
        sew(sleeve, [at(k, 0) for k in range(1, LONG + 1)], sleeve, [at(k, 2 * ARMHOLE) for k in range(1, LONG + 1)], 0.5, 0.95)
    return out


def scene(numbers):
    middle = (WIDE / 2 + LONG / 2) * CELL
    sleeve = lambda name, side: {
        "type": "cloth", "name": name, "material": "cotton", "cells": [LONG, 2 * ARMHOLE], "size": [LONG * CELL, 2 * ARMHOLE * CELL],
        "position": [side * middle, SHOULDER + 0.03, 0], "self_contact": True, "contact_mask": 1, "look": {"color": "#e0b040" if side < 0 else "#4a9c62"}}
    half = lambda name, side: {
        "type": "cloth", "name": name, "material": "cotton", "mesh": "meshes/shirt.obj", "position": [0, 0, side * APART], "self_contact": True,
        "contact_mask": 1, "look": {"color": "#3567a8" if side > 0 else "#c0453c"}}
    lift = lambda name: {
        "type": "acceleration", "body": name, "vector": [0, 9.81, 0],
        "keys": [{"time": 1.4, "vector": [0, 9.81, 0]}, {"time": 1.8, "vector": [0, 0, 0]}]}
    skin = {"friction": 0.3}
    return {
        "pliant": 1,
        "name": "shirt",
        "description": "A shirt from its pattern: front, back and two sleeves are sewn together around a figure within one and a half seconds",
        "frames": 240,
        "fps": 60,
        "camera": {"eye": [0.45, 1.0, 1.3], "target": [0, 0.76, 0]},
        "solver": {"substeps": 20},
        "materials": {"cotton": {"preset": "cotton", "thickness": 0.002, "friction": 0.3, "damping": 2, "drag": 0.5}},
        "bodies": [half("front", 1), half("back", -1), sleeve("left sleeve", -1), sleeve("right sleeve", 1)],
        "stitches": seams(numbers),
        "colliders": [
            {"type": "plane", "name": "floor"},
            {"type": "sphere", "name": "head", "radius": 0.1, "position": [0, 1.13, 0], **skin},
            {"type": "capsule", "name": "neck", "radius": 0.045, "half_height": 0.08, "position": [0, 1, 0], **skin},
            {"type": "capsule", "name": "trunk", "radius": 0.115, "half_height": 0.14, "position": [0, 0.66, 0], **skin},
            {"type": "capsule", "name": "arms", "radius": 0.045, "half_height": 0.46, "position": [0, 0.84, 0], "rotation": {"axis": [0, 0, 1], "angle": 90}, **skin},
            {"type": "capsule", "name": "left leg", "radius": 0.065, "half_height": 0.18, "position": [-0.07, 0.25, 0], "rotation": {"axis": [0, 0, 1], "angle": -6}, **skin},
            {"type": "capsule", "name": "right leg", "radius": 0.065, "half_height": 0.18, "position": [0.07, 0.25, 0], "rotation": {"axis": [0, 0, 1], "angle": 6}, **skin},
        ],
        "forces": [lift("front"), lift("back")],
    }


def text(value):
    """JSON with an entry of each list of the scene on a line."""
    lines = []
    for key, of in value.items():
        if isinstance(of, list):
            lines.append('  "%s": [\n%s\n  ]' % (key, ",\n".join("    " + json.dumps(one) for one in of)))
        else:
            lines.append('  "%s": %s' % (key, json.dumps(of)))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main():
    numbers, quads = panel()
    here = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "scenes")
    for name, wanted in (("shirt.json", text(scene(numbers))), ("meshes/shirt.obj", mesh(numbers, quads))):
        with open(os.path.join(here, name), "w", encoding="utf-8") as file:
            file.write(wanted)


main()
