#!/usr/bin/env bash
# Law: `check` and `run` say in one line which bodies begin inside a collider, or inside a soft body that they do not pass through: how many vertices,
# how deep, and where to move them; moved so, nothing is said. What is pinned, or does not meet, is not counted.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
pliant=$PLIANT_BINARY
[ -x "$pliant" ] || { not_ok "$pliant is there"; finish; }
cd "$scratch" || exit 1

scene() { # BODIES COLLIDERS [MORE]
    printf '{"pliant": 1, "frames": 1, "solver": {"substeps": 4},\n"bodies": [%s],\n"colliders": [%s]%s}' "$1" "$2" "${3:-}" >s.json
}
jelly() { # NAME POSITION MORE
    printf '{"type": "soft", "name": "%s", "cells": [2, 2, 2], "size": [1, 1, 1], "position": %s, "thickness": 0.01%s}' "$1" "$2" "${3:-}"
}
# One line about it, from check and from run, with TEXT.
said() { # WHAT TEXT
    local what=$1 text=$2 verb wrong=
    for verb in check run; do
        "$pliant" $verb s.json >out 2>err || wrong+=" $verb: exit $?"
        [ "$(grep -c 'begin inside' err)" -eq 1 ] && grep -qF -- "$text" err || wrong+=" $verb says $(cat err)"
    done
    if [ -z "$wrong" ]; then ok "$what"; else not_ok "$what:$wrong"; fi
}
silent() { # WHAT
    local what=$1 verb wrong=
    for verb in check run; do
        "$pliant" $verb s.json >out 2>err || wrong+=" $verb: exit $?"
        ! grep -q 'begin inside' err || wrong+=" $verb says $(cat err)"
    done
    if [ -z "$wrong" ]; then ok "$what"; else not_ok "$what:$wrong"; fi
}

scene "$(jelly a '[0, 0.2, 0]')" '{"type": "plane", "name": "floor"}'
said "a jelly in the floor" 's.json: 9 of 27 vertices of a begin inside the collider floor, 0.3 m deep at the most'
said "where it is to go" 'the deepest one comes out by [0, 0.31, 0]'
scene "$(jelly a '[0, 0.51, 0]')" '{"type": "plane", "name": "floor"}'
silent "moved there, it is outside"
scene "$(jelly a '[0, 0.5, 0]')" '{"type": "plane", "name": "floor"}'
silent "what touches is not inside"
scene "$(jelly a '[0, 0.2, 0]' ', "pins": [{"side": "-y"}]')" '{"type": "plane", "name": "floor"}'
silent "what is pinned is not counted"
scene "$(jelly a '[0, 0.2, 0]')" '{"type": "plane", "name": "floor"}' ', "contact_pairs": [{"a": "a", "collider": "floor", "ignore": true}]'
silent "what ignores the collider"
scene "$(jelly a '[0, 0.2, 0]')" '{"type": "plane", "name": "floor", "contact_mask": 2}'
silent "what is not in its groups"
scene "$(jelly a '[0, 0, 0]')" '{"type": "box", "half_extent": [0.25, 2, 2]}'
said "without a name, by number and shape" '9 of 27 vertices of a begin inside colliders[0], a box, 0.25 m deep'

sheet='"points": [[-2, 0, -2], [2, 0, -2], [2, 0, 2], [-2, 0, 2]], "triangles": [[0, 2, 1], [0, 3, 2]]'
for two in false true; do
    scene "$(jelly a '[0, -2, 0]')" "{\"type\": \"mesh\", \"two_sided\": $two, $sheet}"
    silent "behind a sheet, two-sided $two"
done
tetra='"points": [[-9, -9, -9], [9, -9, -9], [0, -9, 9], [0, 20, 0]], "triangles": [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]'
scene "$(jelly a '[0, 0, 0]')" "{\"type\": \"mesh\", \"name\": \"hill\", $tetra}"
said "in a closed mesh" '27 of 27 vertices of a begin inside the collider hill'

meets=', "contact_mask": 1'
scene "$(jelly big '[0, 5, 0]' "$meets, \"scale\": 4"), $(jelly small '[0.3, 5, 0]' "$meets, \"scale\": 0.5")" '{"type": "plane"}'
said "a body in a body" 's.json: 27 of 27 vertices of small begin inside the body big,'
scene "$(jelly big '[0, 5, 0]' ", \"scale\": 4"), $(jelly small '[0.3, 5, 0]' "$meets, \"scale\": 0.5")" '{"type": "plane"}'
silent "bodies that pass through each other"
two="$(jelly big '[0, 5, 0]' "$meets, \"scale\": 4"), $(jelly small '[0.3, 5, 0]' "$meets, \"scale\": 0.5")"
scene "$two" '{"type": "plane"}' ', "contact_pairs": [{"a": "big", "b": "small", "ignore": true}]'
silent "bodies that ignore each other"
scene "$two, {\"type\": \"cloth\", \"name\": \"leaf\", \"cells\": [3, 3], \"size\": [0.3, 0.3], \"position\": [0.3, 5.3, 0], \"thickness\": 0.01$meets}" '{"type": "plane"}'
"$pliant" check s.json >out 2>err
expect "a body in a body, with a sheet nearer than its surface" grep -qF '27 of 27 vertices of small begin inside the body big,' err
scene "$(jelly a '[0, 5, 0]' ', "collider_mask": 1')" '{"type": "sphere", "name": "ghost", "radius": 9, "contact_group": 2}, {"type": "sphere", "name": "real", "radius": 5.4}'
said "a collider that is not met hides none that is" 'vertices of a begin inside the collider real'
many=$(for i in $(seq 20); do [ "$i" -eq 1 ] || printf ', '; jelly "j$i" "[$((3 * i)), 0.2, 0]"; done)
scene "$many" '{"type": "plane"}'
"$pliant" check s.json >out 2>err
expect "of twenty bodies sixteen have a line, and the rest one" test "$(grep -c 'begin inside' err)/$(grep -c 'and so begin 4 more' err)" = 16/1
scene "$(jelly big '[0, 5, 0]' "$meets, \"scale\": 4"), $(jelly small '[3, 5, 0]' "$meets, \"scale\": 0.5")" '{"type": "plane"}'
silent "a body beside a body"

scene "$(jelly a '[0, 0.2, 0]')" '{"type": "plane", "name": "floor"}'
"$pliant" check --json s.json >out 2>err
if grep -q '"inside": \[{"body": "a", "collider": 0, "vertices": 9, "depth": 0.3' out; then ok "check --json has it"; else not_ok "check --json: $(cat out)"; fi
"$pliant" run -q s.json >out 2>err
if [ -s err ]; then not_ok "run -q is quiet: $(cat err)"; else ok "run -q is quiet"; fi
finish
