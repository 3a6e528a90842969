#!/usr/bin/env python3
"""Says which parts of the public headers have no doc comment, and which files and functions that docs name are not there.

Every public function and every type needs one in front of it, and every number in a def needs one behind it, with its unit. Exempt are the
functions that only give a def its defaults, and forward declarations.
"""
import re

import checks

NOT_OURS = {"main.c", "app.c", "game.c", "a.c"}
WITH_UNITS = {"pliant_material", "pliant_law"}


def declarations(text):
    """Yields (line, comment or None, declaration) for what stands at the outer level of a header."""
    position, comment, end = 0, None, len(text)
    skip = re.compile(r"\s+|//[^\n]*|[ \t]*#(?:[^\n\\]|\\\n|\\.)*", re.S)
    while position < end:
        if text.startswith("/*", position):
            close = text.index("*/", position) + 2
            comment = text[position:close] if text.startswith("/**", position) else None
            position = close
            continue
        found = skip.match(text, position)
        if found and found.end() > position:
            position = found.end()
            continue
        if text.startswith('extern "C" {', position):
            position += len('extern "C" {')
            continue
        if text[position] == "}":
            position += 1
            continue
        start, depth = position, 0
        while position < end:
            if text.startswith("/*", position):
                position = text.index("*/", position) + 2
                continue
            character = text[position]
            depth += (character == "{") - (character == "}")
            position += 1
            if depth == 0 and (character == ";" or (character == "}" and "(" in text[start:position].split("{")[0])):
                break
        yield text.count("\n", 0, start) + 1, comment, text[start:position]
        comment = None


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def numbers_without_unit(text, first_line):
    """Yields (line, field) for numbers of a struct on a line without a comment."""
    for number, line in enumerate(text.split("\n")):
        found = re.match(r"\s*(?:pliant_real|double|float)\s+(\w[^;]*);\s*(/\*\*<)?", line)
        if found and not found.group(2):
            yield first_line + number, found.group(1)


def check(path, root):
    """Messages `file:line: text` for the header at `path` below `root`."""
    messages = []
    for line, comment, text in declarations((root / path).read_text(encoding="utf-8")):
        code = without_comments(text)
        function = re.search(r"\bPLIANT_API\b[^;{]*?\b(pliant_\w+)\s*\(", code) or re.match(r"static inline [^({]*?\b(pliant_\w+)\s*\(", code)
        kind = re.match(r"typedef\s+(?:struct|enum|union)\s+(\w+)\s*\{", code)
        callback = re.match(r"typedef\b[^;{]*\(\*\s*(\w+)\)", code)
        name = next((found.group(1) for found in (function, kind, callback) if found), None)
        if not name or (function and name.endswith("_default")):
            continue
        if not comment:
            messages.append(f"{path}:{line}: {name} has no doc comment")
        if kind and (name.endswith("_def") or name in WITH_UNITS):
            messages += [f"{path}:{at}: {name}.{field}: say what it is and its unit" for at, field in numbers_without_unit(text, line)]
    return messages


def check_names(root):
    """Messages for files of src/ and internal names that a page of docs/ has in backticks, and the sources have not. Decisions say what was."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted((root / "src").rglob("*.[ch]")))
    known = set(re.findall(r"\bpliant__\w+", sources))
    files = {path.name for room in ("src", "include", "apps", "tests", "examples", "bench") for path in (root / room).rglob("*.*")}
    messages = []
    for path in [*sorted((root / "docs").rglob("*.md")), root / "CONTRIBUTING.md", root / "README.md"]:
        if not path.is_file() or "decisions" in path.parts:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for name in re.findall(r"`([^`]+)`", line.replace("NAME.h", "").replace("pliant__name", "")):
                gone = (re.fullmatch(r"src/[\w/]+\.\w+", name) and not (root / name).is_file()) or (re.fullmatch(r"src/[\w/]+/", name) and not (root / name).is_dir())
                gone = gone or (re.fullmatch(r"\w+\.[ch]", name) and name not in files | NOT_OURS)
                if gone or (re.fullmatch(r"pliant__\w+", name) and name not in known):
                    messages.append(f"{path.relative_to(root)}:{number}: {name} is not there")
    return messages


def check_all(root):
    """The messages of every public header, and of every page."""
    headers = sorted((root / "include" / "pliant").glob("*.h"))
    return [message for path in headers if path.name != "double_names.h" for message in check(path.relative_to(root), root)] + check_names(root)


if __name__ == "__main__":
    checks.run(check_all, __doc__)
