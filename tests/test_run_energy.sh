#!/usr/bin/env bash
# Laws of `pliant run --energy`: columns and plot are whole, hashes stay, a scene that gains energy says so, and --on-energy stop ends it with exit code 4.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
pliant=$PLIANT_BINARY
[ -x "$pliant" ] || { not_ok "$pliant is there"; finish; }
cd "$scratch" || exit 1
is() { # WHAT COMMAND...
    local what=$1
    shift
    if "$@"; then ok "$what"; else not_ok "$what"; fi
}

cat >falls.json <<'J'
{"pliant": 1, "frames": 20, "bodies": [{"type": "particles", "name": "a", "particles": [{"x": [0, 2, 0]}]}]}
J
# Rigid cloth with hinges by BDF2, one iteration: what a sweep leaves undone does work (docs/integration.md).
cat >gains.json <<'J'
{"pliant": 1, "frames": 60, "solver": {"integration": "bdf2"}, "colliders": [{"type": "sphere", "radius": 0.4}],
 "bodies": [{"type": "cloth", "name": "line", "cells": [6, 6], "size": [1, 1], "position": [0, 0.6, 0]}]}
J
"$pliant" run falls.json -q --json >plain.json
"$pliant" run falls.json -q --json --energy e.csv --energy-bodies >with.json 2>said
is "a falling particle runs" test $? -eq 0 -a ! -s said
is "the hash is that of a run without" test "$(grep -o '"hash": "[^"]*"' plain.json)" = "$(grep -o '"hash": "[^"]*"' with.json)"
is "--json has energies" grep -q '"energy": {"kinetic": [0-9.e+-]*, "gravity": [0-9.e+-]*, "elastic": 0, "work": 0, "dissipated": ' with.json
is "a row per frame, and a head" test "$(wc -l <e.csv)" -eq 21
is "as many columns in each" test "$(awk -F, '{print NF}' e.csv | sort -u)" = 14
is "total is the sum" awk -F, 'NR > 1 && ($3 + $4 + $5 - $6)^2 > 1e-10 {bad = 1} END {exit bad}' e.csv
"$pliant" run falls.json -q --energy e.svg
is "a plot" grep -q '</svg>' e.svg
is "it is XML" python3 -c 'import sys, xml.dom.minidom as d; d.parse("e.svg")'
"$pliant" run falls.json -q --energy e.txt 2>said
is "another ending is refused" test $? -eq 2 -a "$(wc -l <said)" -eq 1
"$pliant" run falls.json -q --energy-bodies 2>said
is "columns of bodies want a file" test $? -eq 2
"$pliant" run gains.json -q --energy g.csv 2>said
is "a run that gains energy ends well, and says so in one line with frame and body" test $? -eq 0 -a "$(wc -l <said)" -eq 1
is "it names them" grep -q '^gains.json: gains energy from frame [0-9]* on: .* most of it in line$' said
frame=$(sed -n 's/.* from frame \([0-9]*\) on.*/\1/p' said)
"$pliant" run gains.json -q --energy h.csv --on-energy stop 2>said
is "or ends there, with exit code 4 and one line" test $? -eq 4 -a "$(wc -l <said)" -eq 1
is "and has the columns until then" test "$(wc -l <h.csv)" -eq "$((frame + 1))"
is "nothing is said where nobody asks" test -z "$("$pliant" run gains.json -q 2>&1)"
finish
