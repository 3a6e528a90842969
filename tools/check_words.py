#!/usr/bin/env python3
"""Finds words in comments and strings of the sources that hide what a sentence is about: src, include, apps, examples and bench.

A comment is read without its code. Its subject is a thing of the program: a particle, a row, a pair, a range, a file, a caller, a thread. Words for
persons stand for none of these, and "all that" for anything.
"""
import re

import checks

ROOMS = ("src", "include", "apps", "examples", "bench")
THING = "name the thing: particle, row, pair, range, file, caller, thread"
INSTEAD = {
    "who": THING,
    "whom": THING,
    "whoever": THING,
    "whose": 'say "with" or "of": "triangles with boxes that meet"',
    "nobody": 'name the thing that does not: "no thread waits"; of an option "none"',
    "somebody": THING,
    "someone": THING,
    "anybody": THING,
    "anyone": THING,
    "everybody": 'name the things: "all particles"',
    "everyone": 'name the things: "all particles"',
    "all that": 'name the things: "every row that is active", "everything that a state holds"',
}
WORD = re.compile(r"\b(%s)\b" % "|".join(re.escape(word).replace(r"\ ", r"[\s*/]+") for word in INSTEAD), re.I)


def check(root):
    """Messages `file:line: text` for the tree at `root`."""
    messages = []
    for path in sorted(path for room in ROOMS for path in (root / room).rglob("*")):
        source = path.relative_to(root)
        if path.suffix not in (".c", ".h", ".cpp"):
            continue
        text = checks.spoken(path.read_text(encoding="utf-8"))
        for found in WORD.finditer(text):
            word = re.sub(r"[\s*/]+", " ", found.group(1).lower())
            messages.append(f'{source}:{text.count(chr(10), 0, found.start()) + 1}: "{word}": {INSTEAD[word]}')
    return messages


if __name__ == "__main__":
    checks.run(check, __doc__)
