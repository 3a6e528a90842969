"""Called by test_schema.sh: schema.py PLIANT SOURCES SCRATCH. Prints a line `ok` or `not ok` per law."""
import copy, glob, json, os, subprocess, sys
from jsonschema import Draft202012Validator

pliant, sources, scratch = sys.argv[1:]
schema = json.load(open(os.path.join(sources, "docs/scene.schema.json")))
validator = Draft202012Validator(schema)
failures = 0


def reader_takes(scenes):
    """Of each scene whether `pliant check` takes it; many are given to it at once."""
    takes = []
    for first in range(0, len(scenes), 100):
        some = [os.path.join(scratch, f"{i}.json") for i in range(len(scenes[first:first + 100]))]
        for path, scene in zip(some, scenes[first:]):
            with open(path, "w") as file:
                json.dump(scene, file)
        done = subprocess.run([pliant, "check", *some], capture_output=True, text=True)
        good = {line[:-6] for line in done.stdout.splitlines() if line.endswith(": good")}
        bad = {line.split(":")[0] for line in done.stderr.splitlines() if not line.startswith("pliant: note: ")}
        assert done.returncode == (2 if bad else 0), f"pliant check ends with {done.returncode}"
        assert good | bad == set(some) and not good & bad, f"pliant check says nothing, or two things, of {set(some) ^ (good | bad)} {good & bad}"
        takes += [path in good for path in some]
    return takes


def tell(what, wrong, count):
    global failures
    failures += bool(wrong)
    print(f"not ok {what}: {len(wrong)} of {count}: {'; '.join(wrong[:8])}" if wrong else f"ok {what}: {count}")


def places(node, path=()):
    """Every path into a scene, deepest last."""
    yield path
    if isinstance(node, (dict, list)):
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            yield from places(node[key], path + (key,))


def changed(scene, path, change):
    """A copy of a scene in which `change` was done to the value at `path`."""
    whole = {"": copy.deepcopy(scene)}
    node = whole
    for key in ("",) + path[:-1] if path else ():
        node = node[key]
    change(node, path[-1] if path else "")
    return whole[""]


def pruned(node, path):
    """A scene without the objects beside a path: what the schema says of a list's elements, it says of each by itself."""
    if isinstance(node, dict):
        return {k: pruned(v, path[1:] if path and path[0] == k else ()) for k, v in node.items()}
    if isinstance(node, list) and node and all(isinstance(v, dict) for v in node):
        kept = path[0] if path and path[0] < len(node) else 0
        return [pruned(node[kept], path[1:])]
    return node


def put(value):
    def change(node, key):
        node[key] = copy.deepcopy(value)
    return change


def add_key(node, key):
    if isinstance(node[key], dict):
        node[key]["nonsense"] = 1


def drop(node, key):
    del node[key]


def pattern(scene, path):
    """What a path is about: its keys, without the places in lists, and the types of the bodies, colliders, ... that it leads through."""
    node, words = scene, []
    for key in path:
        node = node[key]
        words.append("" if isinstance(key, int) else key)
        if isinstance(node, dict):
            words.append(str(node.get("type", node.get("kind", ""))))
    return tuple(words)


def one_of_each(scenes):
    seen = set()
    for scene in scenes:
        for path in places(scene):
            about = pattern(scene, path)
            if path and about not in seen:
                seen.add(about)
                yield scene, path


def spell(path):
    return ".".join(map(str, path))


def both_refuse(what, cases):
    wrong = []
    for (label, scene, path), read in zip(cases, reader_takes([scene for label, scene, path in cases])):
        takes = [who for who, yes in (("the schema", validator.is_valid(pruned(scene, path))), ("the reader", read)) if yes]
        if takes:
            wrong.append(f"{label} ({' and '.join(takes)})")
    tell(what, wrong, len(cases))


def reader_is_as_strict(what, cases):
    cases = [(label, scene) for label, scene, path in cases if not validator.is_valid(pruned(scene, path))]
    tell(what, [label for (label, scene), takes in zip(cases, reader_takes([scene for label, scene in cases])) if takes], len(cases))


def each_changed(change):
    """Of one place of each sort: its name, the scene changed there, where."""
    cases = ((spell(p), changed(s, p, change), p, s) for s, p in each)
    return [(label, scene, p) for label, scene, p, before in cases if scene != before]


Draft202012Validator.check_schema(schema)
print("ok the schema is a schema")

paths = sorted(glob.glob(os.path.join(sources, "scenes/*.json")))
scenes = [json.load(open(path)) for path in paths]
wrong = [f"{os.path.basename(p)}: {e.json_path}: {e.message[:80]}" for p, s in zip(paths, scenes) for e in validator.iter_errors(s)]
tell("the schema takes every scene", wrong, len(scenes))
lessons = sorted(glob.glob(os.path.join(sources, "scenes/lessons/*.json")))
tell("and every scene of a lesson", [f"{p}: {e.json_path}" for p in lessons for e in validator.iter_errors(json.load(open(p)))], len(lessons))

each = list(one_of_each(scenes))
both_refuse("an unknown key", each_changed(add_key))
for name, value in (("an object", {"nonsense": 1}), ("null", None)):
    both_refuse(f"{name} in place of each value", each_changed(put(value)))
for name, value in (("text", "nonsense"), ("minus a billion", -1e9), ("half", 0.5)):
    reader_is_as_strict(f"{name} in place of each value", each_changed(put(value)))
reader_is_as_strict("each key left out", each_changed(drop))

cloth = {"type": "cloth", "cells": [2, 2], "size": [1, 1]}
pair = {"type": "particles", "particles": [{"x": [0, 0, 0]}, {"x": [1, 0, 0]}]}


def scene_of(*bodies, **keys):
    return {"pliant": 1, "bodies": list(bodies), **keys}


def with_link(**keys):
    return scene_of({**pair, "constraints": [{"kind": "distance", "ids": [0, 1], **keys}]})


good = [
    scene_of(cloth), scene_of(pair), with_link(), with_link(rest=0), with_link(limit="range", range=[0.9, 1.1]),
    scene_of({**cloth, "material": "silk", "pins": [0, {"side": "-x"}]}), scene_of({**cloth, "pins": {"all": True}}), scene_of({**cloth, "friction": {"static": 1, "dynamic": 0.5}}),
    scene_of({**cloth, "rotation": {"axis": [1, 0, 0], "angle": 90}, "scale": [1, 2, 3]}), scene_of({**cloth, "bend": "none"}),
    scene_of({**cloth, "area": False}), scene_of({**cloth, "bend": {"model": "distance", "compliance": 1e-3}}),
    scene_of(cloth, colliders=[{"type": "plane"}, {"type": "capsule", "radius": 1, "half_height": 1}]),
    scene_of(cloth, colliders=[{"type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "scale": 0.1}, {"type": "mesh", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]], "two_sided": True}]),
    scene_of(cloth, colliders=[{"type": "height_field", "heights": [[0, 1], [2, 3]], "cell": 0.1}]),
    scene_of(cloth, forces=[{"type": "wind", "velocity": [1, 0, 0], "body": 0}]), scene_of(cloth, frames=0),
    scene_of({"type": "rope", "points": [[0, 0, 0], [1, 0, 0]]}), scene_of({"type": "soft", "cells": [1, 1, 1]}),
]
tell("both take what is good", [json.dumps(s) for s, read in zip(good, reader_takes(good)) if not (read and validator.is_valid(s))], len(good))

def words_of_reader(name, key):
    """What the reader knows as `key` of an element of a list: it names them where a word is none."""
    path = os.path.join(scratch, "word.json")
    with open(path, "w") as file:
        json.dump(scene_of(cloth, **{name: [{key: "torus"}]}) if name != "bodies" else scene_of({key: "torus"}), file)
    said = subprocess.run([pliant, "check", path], capture_output=True, text=True).stderr
    return sorted(said.partition("(known are ")[2].partition(")")[0].split(", "))


def words_of_schema(name, key):
    items = schema["properties"][name]["items"]
    return sorted(schema["$defs"][one["$ref"].split("/")[-1]]["properties"][key]["const"] for one in items["oneOf"])


lists = ("bodies", "colliders", "forces")
tell("lists of the schema have what the reader's tables have", [f"{n}: {words_of_schema(n, 'type')}, and the reader {words_of_reader(n, 'type')}"
     for n in lists if words_of_schema(n, "type") != words_of_reader(n, "type")], len(lists))
named = json.dumps(schema)
tell("each definition of the schema is referred to", [name for name in schema["$defs"] if f'"#/$defs/{name}"' not in named], len(schema["$defs"]))

both_refuse("what is wrong by itself", [(json.dumps(s), s, ()) for s in [
    [], 7, {}, {"pliant": 1}, scene_of(), {"bodies": [cloth]}, scene_of(cloth, framse=1), scene_of(cloth, frames=-1), scene_of(cloth, frames=1.5),
    scene_of(cloth, fps=0), scene_of(cloth, solver={"substeps": 0}), scene_of(cloth, solver={"order": "color"}),
    scene_of(cloth, solver={"gravity": [0, -9.81]}), scene_of(cloth, solver={"max_speed": 0}), scene_of(cloth, solver={"on_divergence": "go"}),
    scene_of(cloth, solver={"on_energy": "go"}),
    scene_of(cloth, solver={"easing": "off"}),
    scene_of(cloth, solver={"quality": "best"}),
    scene_of(cloth, materials={"a": {"preset": "coton"}}), scene_of(cloth, materials={"a": {"density": 0}}),
    scene_of(cloth, materials={"a": {"friction": {"static": 1}}}), scene_of(cloth, materials={"a": {"restitution": 2}}),
    scene_of({"cells": [1, 1]}), scene_of({**cloth, "type": "clot"}), scene_of({**cloth, "thicknes": 0.1}), scene_of({**cloth, "thickness": -1}),
    scene_of({**cloth, "stretch": {"complaince": 1}}), scene_of({**cloth, "stretch": {"compliance": -1}}),
    scene_of({**cloth, "stretch": {"stiffness": 1.5}}), scene_of({**cloth, "cells": [0, 2]}), scene_of({**cloth, "cells": [2]}),
    scene_of({**cloth, "size": [1, 0]}), scene_of({**cloth, "bend": "springs"}), scene_of({**cloth, "segments": 3}),
    scene_of({**cloth, "rotation": [0, 0, 1]}), scene_of({**cloth, "rotation": {"axis": [1, 0, 0]}}), scene_of({**cloth, "pins": [-1]}),
    scene_of({**cloth, "pins": [{"side": 1}]}), scene_of({**cloth, "attach": {"all": True}}), scene_of({**cloth, "name": ""}),
    scene_of({**cloth, "name": "n" * 64}), scene_of({**cloth, "weld": -1}), scene_of({"type": "particles"}),
    scene_of({"type": "particles", "particles": [{"x": [0, 0]}]}), scene_of({"type": "particles", "particles": [{"v": [0, 0, 0]}]}),
    scene_of({"type": "particles", "particles": [{"x": [0, 0, 0], "mass": 0}]}), with_link(rest=-1),
    with_link(ids=[0]), with_link(ids=[0, 1, 0]), with_link(kind="attachment", ids=[], target=[0, 0, 0]), with_link(kind="distnce"), with_link(thickness=1), with_link(limit="never"), with_link(range=[1]),
    scene_of(cloth, colliders=[{"type": "hull", "points": [[0, 0]]}]), scene_of(cloth, colliders=[{"type": "mesh", "triangles": [[0, 1]]}]),
    scene_of(cloth, colliders=[{"type": "height_field", "heights": [[0, 0], [0]], "cell": 1}]),
    scene_of(cloth, colliders=[{"type": "torus"}]), scene_of(cloth, colliders=[{"type": "sphere", "radius": 0}]),
    scene_of(cloth, colliders=[{"type": "sphere", "radius": 1, "offset": 2}]), scene_of(cloth, colliders=[{"type": "plane", "friction": -1}]),
    scene_of(cloth, colliders=[{"type": "box", "half_extent": [1, 1]}]), scene_of(cloth, colliders=[{"type": "plane", "keys": [{"position": [0, 0, 0]}]}]),
    scene_of(cloth, forces=[{"type": "wind"}]), scene_of(cloth, forces=[{"type": "wind", "vector": [1, 0, 0]}]),
    scene_of(cloth, forces=[{"type": "wind", "velocity": [1, 0, 0], "air_density": -1}]),
]])
sys.exit(failures != 0)
