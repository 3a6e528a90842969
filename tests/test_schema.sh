#!/usr/bin/env bash
# Law: docs/scene.schema.json and the reader agree. The schema takes every scene; where it refuses a change of one, the reader refuses it; and
# what is wrong by itself (an unknown key, a wrong type, a word that is none, a key that is missing, a number out of range) both refuse.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
[ "$PLIANT_REAL" = float ] || skip_all "once is enough"
python=
for candidate in python3 /usr/bin/python3; do # Debian's packages belong to the second, which need not be the first in PATH
    "$candidate" -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null && { python=$candidate; break; }
done
[ -n "$python" ] || skip_all "no python3-jsonschema, so the schema is not validated"
"$python" "$PLIANT_SOURCE_DIR/tests/schema.py" "$PLIANT_BINARY" "$PLIANT_SOURCE_DIR" "$scratch" || failures=1
finish
