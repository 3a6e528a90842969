#!/usr/bin/env python3
"""Reads the #include lines of src/ and apps/, and the symbols of built objects, and says where a dependency between rooms runs back.

    base <- surface <- {scene, constraints} <- compile <- collide <- state <- {query, solver} <- contact <- backends <- methods <- step <- io <- apps

A room may use those to its left. Rooms in braces do not use each other, but for what public headers
declare. Objects are those of build/, if it is there, of sources that still are. io is a library of its own, of rooms too:

    io/files <- {io/mesh, io/motion, io/cache, io/kept} <- io/scene

They see of the first library only base, surface and the public headers, and io/scene the scene's draft. The room mesh, what is done to meshes in memory, is
part of that library: io/mesh and io/scene see it; it sees base, surface and the public headers, and opens no files either; import, a program of its own, sees io/mesh/import.h only; cholmod, a library of its own too, apps, examples and
bench see only the public headers, and base/late.h, which knows nothing of Pliant. Among the
apps too it goes one way, {bench, draw <- view} <- cli, as "draw/x.h"; bench may draw. The core does not see pliant/io.h, and only io opens files.

What kinds of constraints there are is told by their table: from compile on, rooms of the core ask for flags of its rows (PLIANT_ROW_EDGE, ...) and name no
kind. MAKERS are files that make rows of a kind, or are the kernels of one.

Within a room, and within each of the apps, files go one way, too: none uses a symbol of a file that uses one of its own, by whatever way around.
"""
import re
import shutil
import subprocess

import checks

LADDER = [["base"], ["surface"], ["scene", "constraints"], ["compile"], ["collide"], ["state"], ["query", "solver"], ["contact"], ["backends"], ["methods"], ["step"]]
STEP = {room: step for step, rooms in enumerate(LADDER) for room in rooms}
GENERATED = {"pliant_widths.h": "base", "constraint_kinds.h": "constraints", "group_kinds.h": "constraints"}
EVERYWHERE = "base/late.h"
OUTSIDE = ["apps", "examples", "bench"]
IO = {"io/files": 0, "io/mesh": 1, "io/motion": 1, "io/cache": 1, "io/kept": 1, "io/scene": 2}
DRAFTERS = ("io/scene",)  # see the scene's draft
MENDERS = ("io/mesh", "io/kept", "io/scene")  # see the room mesh
APPS = {"draw": 0, "view": 1, "cli": 2, "bench": 1}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]')
KINDLESS = {room for room in STEP if STEP[room] >= STEP["compile"]}
KIND = re.compile(r"\bPLIANT_CONSTRAINT_(?!COUNT\b|TABLE\b)[A-Z_]+\b")
MAKERS = {
    "src/compile/rows.c": "makes tethers",
    "src/methods/levels.h": "says what the rows of coarse levels are",
    "src/backends/cpu_width_block_runs.c": "kernels of distances",
    "src/backends/cpu_width_clusters.c": "kernels of edges and volumes that share their particles",
}
OPENS = re.compile(r"\b(fopen|freopen|fprintf|printf|puts|putchar|exit|abort|perror|system|popen)\s*\(")

def room_of(source):
    """The room of a file of src/, by its path relative to the root."""
    return "/".join(source.parts[1:3]) if source.parts[1] == "io" else source.parts[1]

def is_room(room):
    """Whether there is such a room of the two libraries."""
    return room in STEP or room in IO or room == "mesh"

def allowed(room, target):
    """Whether a file of `room` may include one of room `target`."""
    if room == target:
        return True
    if room in IO:
        below = target in IO and IO[target] < IO[room]
        return below or target in ("base", "surface") or (target == "scene" and room in DRAFTERS) or (target == "mesh" and room in MENDERS)
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
    if target == "io" and source.parts[0] not in OUTSIDE:
        target = name.rpartition("/")[0]
    if source.parts[0] in OUTSIDE:
        if target is None and (source.parent / name).name == name:
            return None
        here = source.parts[1] if source.parts[0] == "apps" else source.parts[0]
        if here in APPS and target in APPS:
            return None if APPS[target] <= APPS[here] else f"{name}: among the apps the dependency runs back"
        return f"{source.parts[0]} includes {name}: what stands outside the library sees include/ only"
    if target is None:
        return f"{name}: write the room in front, as in \"{room}/{name}\""
    if not is_room(target):
        return f"{name}: there is no room {target}"
    return None if allowed(room, target) else f"{room} includes {name}: the dependency runs back"

def named_kinds(source, room, text):
    """Messages for kinds of constraints that a file of the core names, or includes, though it makes none."""
    if room not in KINDLESS or str(source) in MAKERS:
        return []
    messages = []
    for number, (line, code) in enumerate(zip(text.splitlines(), checks.blanked(text).splitlines()), 1):
        found, included = KIND.search(code), INCLUDE.match(line)
        if found:
            messages.append(f"{source}:{number}: {found.group()}: ask for a flag of the table's row, which a new kind may have too")
        if included and included.group(2).startswith("constraints/kinds/"):
            messages.append(f"{source}:{number}: {included.group(2)}: only kernels of a kind see its text")
    return messages

def symbols_of(root):
    """Of each built object of src/ and apps/: its source, the global symbols that it defines, and those that it uses."""
    objects = {}
    built = root / "build" / "CMakeFiles"
    for path in sorted([*built.glob("*.dir/src/**/*.o"), *built.glob("*.dir/apps/**/*.o")]):
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

def check_symbols(built):
    """Messages for objects that use what a room defines which they may not see."""
    objects = [one for one in built if one[0].parts[0] == "src" and is_room(room_of(one[0]))]
    home = {symbol: source for source, defined, _ in objects for symbol in defined}
    messages = set()
    for source, _, used in objects:
        for symbol in used & home.keys():
            room, target = room_of(source), room_of(home[symbol])
            public = symbol.startswith(("pliant_", "pliantd_")) and not symbol.startswith(("pliant__", "pliantd__"))
            beside = target in STEP and (room in IO or STEP.get(room) == STEP[target])
            if room != target and not allowed(room, target) and not (public and beside):
                messages.add(f"{source}:1: uses {symbol} of {home[symbol]}: the dependency runs back")
    return sorted(messages)

def uses_of(built):
    """Of each source: of which other sources of its room it uses symbols, and which these are."""
    home, uses = {}, {source: {} for source, _, _ in built}
    for source, defined, _ in built:
        for symbol in defined:
            home.setdefault(symbol, source)
    for source, _, used in built:
        for symbol in used & home.keys():
            other = home[symbol]
            if other != source and other.parts[0] == source.parts[0] and room_of(other) == room_of(source):
                uses[source].setdefault(other, set()).add(symbol)
    return uses

def reached(uses, start):
    """What can be reached from a source, by one use or more."""
    found, wait = set(), [start]
    while wait:
        for other in uses[wait.pop()].keys() - found:
            found.add(other)
            wait.append(other)
    return found

def check_rings(built):
    """Messages for files of a room that use each other, by whatever way around: one for each ring, with a symbol for each use in it."""
    uses = uses_of(built)
    reach = {source: reached(uses, source) for source in uses}
    messages, done = [], set()
    for source in sorted(uses):
        if source in done or source not in reach[source]:
            continue
        ring = sorted(other for other in reach[source] if source in reach[other])
        done.update(ring)
        told = [f"{one.name} {min(uses[one][other])} of {other.name}" for one in ring for other in sorted(uses[one]) if other in ring]
        messages.append(f"{source}:1: files of a room use each other: {', '.join(told)}")
    return messages

def check(root):
    """Messages `file:line: text` for the tree at `root`."""
    built = symbols_of(root)
    messages = check_symbols(built) + check_rings(built)
    for folder in ["src", *OUTSIDE]:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".c", ".h", ".cpp") or not path.is_file():
                continue
            source = path.relative_to(root)
            room = room_of(source) if folder == "src" else folder
            if folder == "src" and not is_room(room) and room not in ("cholmod", "import"):
                messages.append(f"{source}:1: {room} is not a room of the ladder")
                continue
            text = path.read_text(encoding="utf-8")
            for number, line in enumerate(text.splitlines(), 1):
                found = INCLUDE.match(line)
                wrong = complaint(source, room, *found.groups()) if found else None
                if wrong:
                    messages.append(f"{source}:{number}: {wrong}")
            messages += named_kinds(source, room, text) if folder == "src" else []
            if folder == "src" and (room in STEP or room == "mesh"):
                for number, line in enumerate(checks.blanked(text).splitlines(), 1):
                    found = OPENS.search(line)
                    if found:
                        messages.append(f"{source}:{number}: {found.group(1)}: the core never prints, exits or opens a file")
    return messages

if __name__ == "__main__":
    checks.run(check, __doc__)
