#!/usr/bin/env python3
"""Reads the #include lines of src/ and apps/, and the symbols of built objects, and says where a dependency between rooms runs back.

    base <- surface <- {scene, constraints} <- compile <- collide <- state <- {query, solver} <- contact <- methods <- step <- backends <- io <- apps

A room may use those to its left. Rooms in braces do not use each other, but for what public headers
declare. Objects are those of build/, if it is there, of sources that still are. io is a library of its own, which sees
of the first one only base, surface, the scene's draft and the public headers; its room mesh, what is done to meshes in memory, sees base, surface and the
public headers, and opens no files either; import, a program of its own, sees io/mesh/import.h only; cholmod, a library of its own too, apps, examples and
bench see only the public headers, and base/late.h, which knows nothing of Pliant. Among the
apps too it goes one way, {bench, draw <- view} <- cli, as "draw/x.h"; bench may draw. The core does not see pliant/io.h, and only io opens files.
"""
import re
import shutil
import subprocess

import checks

LADDER = [["base"], ["surface"], ["scene", "constraints"], ["compile"], ["collide"], ["state"], ["query", "solver"], ["contact"], ["methods"], ["step"], ["backends"]]
STEP = {room: step for step, rooms in enumerate(LADDER) for room in rooms}
GENERATED = {"pliant_widths.h": "base", "constraint_kinds.h": "constraints"}
EVERYWHERE = "base/late.h"
OUTSIDE = ["apps", "examples", "bench"]
APPS = {"draw": 0, "view": 1, "cli": 2, "bench": 1}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]')
OPENS = re.compile(r"\b(fopen|freopen|fprintf|printf|puts|putchar|exit|abort|perror|system|popen)\s*\(")


def allowed(room, target):
    """Whether a file of `room` may include one of room `target`."""
    if room == target:
        return True
    if room == "io":
        return target in ("base", "surface", "scene", "mesh")
    if room == "mesh":
        return target in ("base", "surface")
    return target in STEP and room in STEP and STEP[target] < STEP[room]


def complaint(source, room, kind, name):
    """What is wrong with `source` (a path relative to the root) including `name`, or None."""
    if room == "import":
        return None if kind == "<" or name == "io/mesh/import.h" else f"import includes {name}: it sees io/mesh/import.h only"
    if name == EVERYWHERE:
        return None
    if room == "cholmod":
        return None if kind == "<" or name in ("pliant/cholmod.h", "pliant/solver.h", "cholmod/cholmod_late.h") else f"cholmod includes {name}: it sees include/ and base/late.h only"
    if name.startswith("pliant/"):
        core = room in STEP
        return f"{room} includes {name}: the core knows nothing of libpliant_io" if core and name == "pliant/io.h" else None
    if kind == "<":
        return None
    target = GENERATED.get(name) or (name.split("/")[0] if "/" in name else None)
    if source.parts[0] in OUTSIDE:
        if target is None and (source.parent / name).name == name:
            return None
        here = source.parts[1] if source.parts[0] == "apps" else source.parts[0]
        if here in APPS and target in APPS:
            return None if APPS[target] <= APPS[here] else f"{name}: among the apps the dependency runs back"
        return f"{source.parts[0]} includes {name}: what stands outside the library sees include/ only"
    if target is None:
        return f"{name}: write the room in front, as in \"{room}/{name}\""
    if target not in STEP and target not in ("io", "mesh"):
        return f"{name}: there is no room {target}"
    return None if allowed(room, target) else f"{room} includes {name}: the dependency runs back"


def symbols_of(root):
    """Of each built object of src/, by its source: the global symbols that it defines, and those that it uses."""
    objects = {}
    for path in sorted((root / "build" / "CMakeFiles").glob("*.dir/src/**/*.o")):
        source = path.relative_to(next(p for p in path.parents if p.name.endswith(".dir"))).with_suffix("")
        if (root / source).is_file():
            objects[path] = source
    if not objects or not shutil.which("nm"):
        return []
    listed = subprocess.run(["nm", "-A", "-g", *map(str, objects)], capture_output=True, text=True, check=False).stdout
    found = {path: (source, set(), set()) for path, source in objects.items()}
    by_name = {str(path): path for path in objects}
    for line in listed.splitlines():
        name, _, rest = line.partition(":")
        kind, symbol = rest.split()[-2:]
        found[by_name[name]][2 if kind == "U" else 1].add(symbol)
    return list(found.values())


def check_symbols(root):
    """Messages for objects that use what a room defines which they may not see."""
    objects = [(source, defined, used) for source, defined, used in symbols_of(root) if source.parts[1] in STEP or source.parts[1] in ("io", "mesh")]
    home = {symbol: source for source, defined, _ in objects for symbol in defined}
    messages = set()
    for source, _, used in objects:
        for symbol in used & home.keys():
            room, target = source.parts[1], home[symbol].parts[1]
            public = symbol.startswith(("pliant_", "pliantd_")) and not symbol.startswith(("pliant__", "pliantd__"))
            beside = target in STEP and (room == "io" or STEP.get(room) == STEP[target])
            if room != target and not allowed(room, target) and not (public and beside):
                messages.add(f"{source}:1: uses {symbol} of {home[symbol]}: the dependency runs back")
    return sorted(messages)


def check(root):
    """Messages `file:line: text` for the tree at `root`."""
    messages = check_symbols(root)
    for folder in ["src", *OUTSIDE]:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".c", ".h", ".cpp") or not path.is_file():
                continue
            source = path.relative_to(root)
            room = source.parts[1] if folder == "src" else folder
            if folder == "src" and room not in STEP and room not in ("io", "mesh", "cholmod", "import"):
                messages.append(f"{source}:1: {room} is not a room of the ladder")
                continue
            text = path.read_text(encoding="utf-8")
            for number, line in enumerate(text.splitlines(), 1):
                found = INCLUDE.match(line)
                wrong = complaint(source, room, *found.groups()) if found else None
                if wrong:
                    messages.append(f"{source}:{number}: {wrong}")
            if folder == "src" and (room in STEP or room == "mesh"):
                for number, line in enumerate(checks.blanked(text).splitlines(), 1):
                    found = OPENS.search(line)
                    if found:
                        messages.append(f"{source}:{number}: {found.group(1)}: the core never prints, exits or opens a file")
    return messages


if __name__ == "__main__":
    checks.run(check, __doc__)
