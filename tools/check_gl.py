#!/usr/bin/env python3
"""Finds calls of OpenGL in apps/ that apps/draw/gl.h does not list, and names that it lists twice.

A function that is not listed has no pointer, and does not link.
"""
import re

import checks

LISTED = re.compile(r"\bX\((gl[A-Z]\w*)\)")
CALLED = re.compile(r"\bgl[A-Z]\w*(?=\s*\()")


def check(root):
    """Messages `file:line: text` for the tree at `root`."""
    table = root / "apps/draw/gl.h"
    listed = LISTED.findall(table.read_text(encoding="utf-8")) if table.is_file() else []
    messages = [f"apps/draw/gl.h:1: {name} is listed twice" for name in sorted(set(listed)) if listed.count(name) > 1]
    for path in sorted((root / "apps").rglob("*.[ch]")):
        for number, line in enumerate(checks.blanked(path.read_text(encoding="utf-8")).splitlines(), 1):
            for name in CALLED.findall(line):
                if name not in listed:
                    messages.append(f"{path.relative_to(root)}:{number}: {name} is not in the list of apps/draw/gl.h")
    return messages


if __name__ == "__main__":
    checks.run(check, __doc__)
