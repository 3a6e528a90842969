"""What the check scripts share: sources without comments, and the way to say what was found."""
import argparse
import pathlib
import re
import sys


def blanked(text):
    """The text without comments and strings, its lines kept."""
    keep = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', keep, text, flags=re.S)


def run(check, description):
    """Prints the messages `file:line: text` of check(root), and ends with 1 if there are any."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    messages = check(parser.parse_args().root)
    print(*messages, sep="\n", end="\n" if messages else "")
    sys.exit(1 if messages else 0)
