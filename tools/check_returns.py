#!/usr/bin/env python3
"""Says which public functions answer in another way than the one that include/pliant/pliant.h describes.

A function that takes a pliant_error has one, as its last parameter, and returns a pliant_code, a pointer, an id (a struct of nothing but
`uint32_t id`), or, where it asks a question, a bool. A function is a question, and returns a bool, if its comment begins with "Whether".
The same holds for types of functions that get a pliant_error; those that get none are the business of their own comments.
tests/test_returns.c calls every function that takes a pliant_error, so that it fails.
"""
import re

import check_docs
import checks

ID = re.compile(r"typedef\s+struct\s+(\w+)\s*\{\s*uint32_t\s+id;\s*\}\s*\w+;")
FUNCTION = re.compile(r"(?:PLIANT_API|static inline|typedef)\s+([^();{]*?)(?:\(\s*\*\s*(\w+)\s*\)|\b(\w+))\s*\((.*)\)\s*[;{]", re.S)


def parameters(text):
    """The parameters of a function, each a text; those of functions among them are in theirs."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return parts + [text[start:].strip()]


def fault(result, names, asks, is_type, ids):
    """What is wrong with a function that returns `result` and has these parameters, or None."""
    errors = [bool(re.match(r"pliant_error\s*\*", name)) for name in names]
    if not is_type and (result == "bool") != asks:
        return "it returns a bool, and its comment does not begin with Whether" if result == "bool" else "its comment begins with Whether, and it returns no bool"
    if not any(errors):
        return None
    if sum(errors) > 1 or not errors[-1]:
        return "its pliant_error is not its last parameter"
    if result == "pliant_code" or result.endswith("*") or result in ids or (result == "bool" and asks):
        return None
    return f"it takes a pliant_error and returns {result}, which is no pliant_code, pointer or id"


def check_all(root):
    """The messages of every public header."""
    headers = [path for path in sorted((root / "include" / "pliant").glob("*.h")) if path.name != "double_names.h"]
    texts = {path: path.read_text(encoding="utf-8") for path in headers}
    test = root / "tests" / "test_returns.c"
    calls = test.read_text(encoding="utf-8") if test.is_file() else None
    ids = {name for text in texts.values() for name in ID.findall(check_docs.without_comments(text))}
    messages = []
    for path, text in texts.items():
        for line, comment, declaration in check_docs.declarations(text):
            code = check_docs.without_comments(declaration)
            found = FUNCTION.match(code.split("{")[0] + ";" if "{" in code and code.startswith("static") else code)
            if not found:
                messages += [f"{path.relative_to(root)}:{line}: cannot be read as a function"] if code.startswith("PLIANT_API") else []
                continue
            name, names = found.group(2) or found.group(3), parameters(found.group(4))
            result = " ".join(found.group(1).split()).replace(" *", "*")
            asks = bool(re.match(r"/\*\*\s*Whether\b", comment or ""))
            wrong = fault(result, names, asks, code.startswith("typedef"), ids)
            if not wrong and calls is not None and "pliant_error" in names[-1] and not code.startswith("typedef") and not re.search(rf"\b{name}\(", calls):
                wrong = "tests/test_returns.c does not call it"
            if wrong:
                messages.append(f"{path.relative_to(root)}:{line}: {name}: {wrong}")
    return messages


if __name__ == "__main__":
    checks.run(check_all, __doc__)
