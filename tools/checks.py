"""Functions that the check scripts share: sources without comments, comments without sources, and printing of messages."""
import argparse
import pathlib
import re
import sys


def blanked(text):
    """The text without comments and strings, its lines kept."""
    keep = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', keep, text, flags=re.S)


def spoken(text):
    """The comments and strings of the text, all else blank, its lines kept."""
    blank = lambda code: re.sub(r"[^\n]", " ", code)
    parts, at = [], 0
    for found in re.finditer(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""", text, flags=re.S):
        parts += [blank(text[at : found.start()]), blank(found.group()) if found.group().startswith("'") else found.group()]
        at = found.end()
    return "".join(parts) + blank(text[at:])


def run(check, description):
    """Prints the messages `file:line: text` of check(root), and ends with 1 if there are any."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    messages = check(parser.parse_args().root)
    print(*messages, sep="\n", end="\n" if messages else "")
    sys.exit(1 if messages else 0)
