#!/usr/bin/env bash
# Laws of substeps of a fixed length in the command, and of what a run says of the stretch that is left: what it advises helps.
set -u
pliant() { "$PLIANT_BINARY" "$@" 2>/dev/null; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

check() { # check WHAT CONDITION...
    local what=$1
    shift
    if "$@"; then echo "ok $what"; else
        echo "not ok $what"
        failed=1
    fi
}

value() { python3 -c 'import json, sys
d = json.load(sys.stdin)
for k in sys.argv[1].split("."): d = d[k] if isinstance(d, dict) else d[int(k)]
print(d)' "$1"; }

below() { python3 -c 'import sys; sys.exit(not float(sys.argv[1]) < float(sys.argv[2]))' "$1" "$2"; }

# ---- substeps of a fixed length ----

sheet='"bodies": [{"type": "cloth", "name": "sheet", "cells": [12, 12], "size": [1, 1], "position": [0, 1, 0], "pins": [0]}], "colliders": [{"type": "plane"}]'
scene() { echo "{\"pliant\": 1, \"fps\": ${3:-60}, \"frames\": 40, \"solver\": {$2}, $sheet}" >"$folder/$1.json"; }
scene carry '"substep": 0.0013, "substep_rest": "carry"'
scene spread '"substep": 0.001' 24
scene number '"substeps": 42' 24
scene both '"substep": 0.001, "substeps": 10'

hash=$(pliant run "$folder/carry.json" --json | value hash)
pliant run "$folder/carry.json" --frames 17 --checkpoint "$folder/at.check" --every 17 --quiet
check "what is carried is in a checkpoint" test "$(pliant run "$folder/carry.json" --resume "$folder/at.check" --frames 40 --json | value hash)" = "$hash"
pliant cook "$folder/carry.json" -o "$folder/carry.pliant" >/dev/null
check "and in a cooked model" test "$(pliant run "$folder/carry.pliant" --json | value hash)" = "$hash"
check "a length that fits is a number" test "$(pliant run "$folder/spread.json" --json | value hash)" = "$(pliant run "$folder/number.json" --json | value hash)"
check "check tells the number and the length" grep -q "42 substeps of 0.0009921 s (of at most 0.001 s)" <(pliant check "$folder/spread.json")
check "and that the rest is carried" grep -q "substeps of 0.0013 s (what they leave of a frame is carried over)" <(pliant check "$folder/carry.json")
check "not beside a number" grep -q "^$folder/both.json:1: solver.substep: .*leave one of them out" <("$PLIANT_BINARY" check "$folder/both.json" 2>&1)
for option in "--subframes 2" --crossings; do
    # shellcheck disable=SC2086
    check "$option needs frames that end with substeps" grep -q -e "--substeps N" <("$PLIANT_BINARY" run "$folder/carry.json" $option 2>&1)
    # shellcheck disable=SC2086
    check "and with a number there is" pliant run "$folder/carry.json" --frames 2 --substeps 10 $option --quiet
done

# ---- what is left of stretch ----

up='"rotation": {"axis": [1, 0, 0], "angle": 90}, "position": [0, 2, 0]'
hang() { # hang NAME BODY [SOLVER [FRAMES]]
    local solver=${3:-"\"substeps\": 10"}
    echo "{\"pliant\": 1, \"frames\": ${4:-120}, \"solver\": {$solver}, \"bodies\": [{\"name\": \"flag\", $2}]}" >"$folder/$1.json"
}
corners='"pins": [{"side": "-x+y"}, {"side": "+x+y"}]'
hang silk "\"type\": \"cloth\", \"cells\": [31, 31], $up, \"material\": \"silk\", $corners"
hang cotton "\"type\": \"cloth\", \"cells\": [40, 40], $up, \"material\": \"cotton\", $corners" '"substeps": 20'
hang denim "\"type\": \"cloth\", \"cells\": [32, 32], $up, \"material\": \"denim\", $corners"
hang edge "\"type\": \"cloth\", \"cells\": [63, 63], $up, \"material\": \"cotton\", \"pins\": [{\"side\": \"+y\"}]"
hang rope '"type": "rope", "segments": 100, "from": [0, 3, 0], "to": [2, 3, 0], "material": "rope", "pins": [0, 100]' "" 180
hang line '"type": "rope", "segments": 100, "from": [0, 3, 0], "to": [2, 3, 0], "material": "rope", "pins": [0]' "" 180
hang long "\"type\": \"cloth\", \"cells\": [31, 31], $up, \"material\": \"silk\", $corners" '"substep": 0.0017, "substep_rest": "carry"'
hang side "\"type\": \"cloth\", \"cells\": [30, 30], $up, \"material\": \"silk\", \"pins\": [{\"side\": \"-x\"}]"

for name in silk cotton denim edge rope line long; do
    pliant run "$folder/$name.json" --json >"$folder/$name.out"
    check "$name stretches: $(value max_stretch <"$folder/$name.out")" below 0.1 "$(value max_stretch <"$folder/$name.out")"
    check "and it is said where" test "$(value stretched.body <"$folder/$name.out")" = flag
    substeps=$(value stretched.substeps <"$folder/$name.out") substep=$(value stretched.substep <"$folder/$name.out")
    if [ "$substeps" -gt 0 ]; then
        left=$(pliant run "$folder/$name.json" --substeps "$substeps" --json | value max_stretch)
    else
        sed "s/\"substep\": [0-9.]*/\"substep\": $substep/" "$folder/$name.json" >"$folder/advised.json"
        left=$(pliant run "$folder/advised.json" --json | value max_stretch)
    fi
    check "$substeps substeps, or $substep s, hold it: $left" below "$left" 0.1
    tether=$(value stretched.tether <"$folder/$name.out")
    below 0 "$tether" || continue
    sed "s/\"name\": \"flag\"/\"name\": \"flag\", \"tether\": $tether/" "$folder/$name.json" >"$folder/advised.json"
    left=$(pliant run "$folder/advised.json" --json | value max_stretch)
    check "and so does a tether of $tether: $left" below "$left" 0.1
done
check "a tether is advised where cloth hangs down from an edge" below 1 "$(value stretched.tether <"$folder/edge.out")"
pliant run "$folder/side.json" --json >"$folder/side.out"
check "and not where it hangs from its side" test "$(value stretched.tether <"$folder/side.out")" = 0
pliant run "$folder/edge.json" >"$folder/text"
check "a line tells body, vertices and place" grep -Eq '^largest stretch left [0-9.]+ % in "flag" between vertices [0-9]+ and [0-9]+ at \(' "$folder/text"
check "and the next one what helps" grep -Eq '^  [0-9]+ substeps, or "tether": 1.02, would hold it below 10 %$' "$folder/text"

hang soft "\"type\": \"cloth\", \"cells\": [16, 16], $up, \"material\": {\"preset\": \"cotton\", \"stretch\": {\"compliance\": 0.25}, \"shear\": {\"compliance\": 0.25}}, \"damping\": 2, \"pins\": [{\"side\": \"+y\"}]"
pliant run "$folder/soft.json" --json >"$folder/soft.out"
check "what is soft is called so" grep -q "its material is that soft: of this its compliance makes" "$folder/soft.out"
check "and stretches with many substeps too" below 0.1 "$(pliant run "$folder/soft.json" --substeps 80 --json | value max_stretch)"
hang pulled '"type": "rope", "segments": 20, "from": [0, 3, 0], "to": [1, 3, 0], "material": "rope", "attach": [{"vertices": [0, 20], "keys": [{"time": 0, "positions": [[0, 3, 0], [1, 3, 0]]}, {"time": 1, "positions": [[0, 3, 0], [1.5, 3, 0]]}]}]'
check "what is held apart is told, and no number of substeps" grep -q "vertices 0 and 20 are held 1.5 m apart, and what is between them is 1 m long" <(pliant run "$folder/pulled.json")

# Of two triangles one has a corner that moves: the edge between the keyed ones is theirs.
hang keyed '"type": "cloth", "cells": [1, 1], "material": "cotton", "attach": [{"vertices": [0, 1, 2, 3], "keys": [{"time": 0, "positions": [[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]]}, {"time": 1, "positions": [[0, 0, 0], [3, 0, 0], [0, 0, 1], [3, 0, 1]]}]}]'
check "what is keyed is no stretch left" test "$(pliant run "$folder/keyed.json" --json | value max_stretch)" = 0
exit $failed
