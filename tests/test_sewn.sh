#!/usr/bin/env bash
# Laws of stitches and of damping by a ratio as the command has them: what draws, begins or ends stitches brings no energy that is not counted as work, and a ratio of
# any body is the damping that it stands for.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
cd "$scratch" || exit 1

# Two ropes that are drawn together, with these keys of the stitch.
sewn() {
    printf '{"pliant": 1, "frames": 45, "fps": 60, "solver": {"substeps": 10, "gravity": [0, 0, 0]}, "bodies": [
{"type": "rope", "name": "a", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 2, "pins": [0], "material": {"density": 1, "stretch": {"compliance": 0.001}}},
{"type": "rope", "name": "b", "from": [2, 0, 0], "to": [1.5, 0, 0], "segments": 2, "pins": [0], "material": {"density": 1, "stretch": {"compliance": 0.001}}}],
"stitches": [{"a": {"body": "a", "vertices": [2]}, "b": {"body": "b", "vertices": [2]}, %s}]}' "$1" >sewn.json
}
keeps_the_law() { "$PLIANT_BINARY" run "$@" -q --on-energy stop; }
for keys in '"time": 0.3' '"time": 0.3, "until": 0.6' '"time": 0.3, "until": 0.605' '"from": 0.1, "time": 0.3' '"time": 0' '"time": 0, "compliance": 1e-4' '"time": 0.3, "break": 100'; do
    sewn "$keys"
    expect "no energy comes from nowhere with $keys" keeps_the_law sewn.json
done

# A cloth of one cell, of which a side of 1 m has particles of so much mass that a ratio is a damping in closed form.
cloth() { # LAW
    printf '{"pliant": 1, "frames": 30, "solver": {"substeps": 10}, "bodies": [{"type": "cloth", "cells": [4, 4], "size": [1, 1], "pins": {"side": "-x"},
"material": {"density": 1, "bend": {"compliance": 1}, %s}}]}' "$1" >cloth.json
}
run_hash() { "$PLIANT_BINARY" run "$@" -q --json 2>/dev/null | sed -nE 's/.*"hash": *"([0-9a-f]+)".*/\1/p'; }
hash_of() { cloth "$1" && run_hash cloth.json; }
for law in stretch shear; do
    none=$(hash_of "\"$law\": {\"compliance\": 1e-3}") nought=$(hash_of "\"$law\": {\"compliance\": 1e-3, \"damping_ratio\": 0}")
    some=$(hash_of "\"$law\": {\"compliance\": 1e-3, \"damping_ratio\": 0.3}")
    [ -n "$none" ] && [ "$none" = "$nought" ] && ok "a ratio of 0 of a cloth's $law damps nothing" || not_ok "a ratio of 0 of a cloth's $law: $none, $nought"
    [ -n "$some" ] && [ "$some" != "$none" ] && ok "a ratio of 0.3 of a cloth's $law damps" || not_ok "a ratio of 0.3 of a cloth's $law: $none, $some"
done
printf '{"pliant": 1, "frames": 2, "materials": {"all": {"density": 1, "shear": {"compliance": 1, "damping_ratio": 0.1}}}, "bodies": [{"type": "rope", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 2, "material": "all"}]}' >rope.json
"$PLIANT_BINARY" run rope.json -q >out 2>err
[ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "of no constraint" err && ok "a ratio of what a body has not is refused" || not_ok "a ratio of what a body has not: $(head -n 2 err)"
finish
