#!/usr/bin/env bash
# Laws of `pliant run --energy`: columns and plot are whole, hashes stay, a scene that gains energy says so, and --on-energy stop ends it with exit code 4.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
pliant=$PLIANT_BINARY
[ -x "$pliant" ] || { not_ok "$pliant is there"; finish; }
cd "$scratch" || exit 1

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
expect "a falling particle runs" test $? -eq 0 -a ! -s said
expect "the hash is that of a run without" test "$(grep -o '"hash": "[^"]*"' plain.json)" = "$(grep -o '"hash": "[^"]*"' with.json)"
expect "--json has energies" grep -q '"energy": {"kinetic": [0-9.e+-]*, "gravity": [0-9.e+-]*, "elastic": 0, "work": 0, "dissipated": ' with.json
expect "a row per frame, and a head" test "$(wc -l <e.csv)" -eq 21
expect "as many columns in each" test "$(awk -F, '{print NF}' e.csv | sort -u)" = 16
expect "total is the sum" awk -F, 'NR > 1 && ($3 + $4 + $5 - $6)^2 > 1e-10 {bad = 1} END {exit bad}' e.csv
"$pliant" run falls.json -q --energy e.svg
expect "a plot" grep -q '</svg>' e.svg
expect "it is XML" python3 -c 'import sys, xml.dom.minidom as d; d.parse("e.svg")'
"$pliant" run falls.json -q --energy e.txt 2>said
expect "another ending is refused" test $? -eq 2 -a "$(wc -l <said)" -eq 1
"$pliant" run falls.json -q --energy-bodies 2>said
expect "columns of bodies want a file" test $? -eq 2
"$pliant" run gains.json -q --energy g.csv 2>said
expect "a run that gains energy ends well, and says so in one line with frame and body" test $? -eq 0 -a "$(wc -l <said)" -eq 1
expect "it names them" grep -q '^gains.json: gains energy from frame [0-9]* on: .* most of it in line$' said
frame=$(sed -n 's/.* from frame \([0-9]*\) on.*/\1/p' said)
"$pliant" run gains.json -q --energy h.csv --on-energy stop 2>said
expect "or ends there, with exit code 4 and one line" test $? -eq 4 -a "$(wc -l <said)" -eq 1
expect "and has the columns until then" test "$(wc -l <h.csv)" -eq "$((frame + 1))"
expect "nothing is said unless energies are asked for" test -z "$("$pliant" run gains.json -q 2>&1)"

# Two springs of one particle cannot both give all of their energy.
cat >shares.json <<'J'
{"pliant": 1, "frames": 5, "bodies": [{"type": "particles", "name": "three", "particles": [{"x": [0, 0, 0]}, {"x": [1, 0, 0]}, {"x": [3, 0, 0]}],
 "constraints": [{"kind": "distance", "ids": [0, 1], "rest": 0.5}, {"kind": "distance", "ids": [1, 2], "rest": 1.5}]}]}
J
"$pliant" run shares.json -q --json --energy s.csv --energy-bodies >shares.out
expect "elastic energy that is not resolved is a column, of bodies too, no less than 0, and no more than elastic" python3 - <<'P'
import csv, json
rows = list(csv.DictReader(open("s.csv")))
assert len(rows) == 5 and any(float(r["unresolved"]) > 0 for r in rows)
for r in rows:
    assert 0 <= float(r["unresolved"]) <= float(r["elastic"]) and r["three.unresolved"] == r["unresolved"]
e = json.load(open("shares.out"))["energy"]
assert abs(e["unresolved"] - float(rows[-1]["unresolved"])) <= 1e-8 * e["unresolved"]
P

# What the scene says of it.
with() { sed 's/"integration": "bdf2"/"integration": "bdf2", "on_energy": "'"$1"'"/' gains.json >"gains-$1.json"; }
with warn && with stop && with ignore
"$pliant" run gains-warn.json -q 2>said
expect "a scene can say warn" test $? -eq 0 -a "$(grep -c "gains energy from frame $frame on" said)" -eq 1
"$pliant" run gains-stop.json -q --json >stopped.json 2>said
expect "or stop, which is exit code 4, one line" test $? -eq 4 -a "$(wc -l <said)" -eq 1
expect "and --json says frame, body and how much" grep -q '"frames": '$frame', .*"gained": {"frame": '$frame', "body": "line", "energy": [0-9.e+]*, "turned": ' stopped.json
expect "or ignore" test -z "$("$pliant" run gains-ignore.json -q 2>&1)"
"$pliant" run gains-stop.json -q --on-energy ignore 2>said
expect "--on-energy comes before the scene" test $? -eq 0 -a ! -s said
expect "another word is refused" test "$("$pliant" run gains.json -q --on-energy go >said 2>&1; echo $?)" -eq 2
"$pliant" run falls.json -q --json --energy-bodies >bodies.json
expect "--json has bodies on request" python3 - <<'P'
import json
e = json.load(open("bodies.json"))["energy"]
keys = ("kinetic", "gravity", "elastic", "work", "dissipated", "unresolved")
assert e["gained"] is None and e["work_known"] and len(e["bodies"]) == 1 and e["bodies"][0]["name"] == "a"
assert all(e[k] == e["bodies"][0][k] for k in keys) and all(k in e for k in keys)
P

# Going on from a checkpoint is as if nothing had happened. Of everything that does work something: a keyed plane, a pin that moves, wind.
cat >works.json <<'J'
{"pliant": 1, "frames": 600, "bodies": [
  {"type": "cloth", "name": "sheet, \"so\"", "cells": [5, 5], "size": [1, 1], "position": [0, 0.4, 0],
   "attach": [{"vertices": [0], "keys": [{"time": 0, "translate": [0, 0, 0]}, {"time": 4, "translate": [0, 1, 0]}]}]},
  {"type": "soft", "name": "block", "cells": [2, 2, 2], "size": [0.3, 0.3, 0.3], "position": [2, 0.2, 0], "material": "jelly"}],
 "colliders": [{"type": "plane", "keys": [{"time": 0, "position": [0, 0, 0]}, {"time": 5, "position": [0, 0.1, 0]}]}],
 "forces": [{"type": "wind", "velocity": [3, 0, 1]}]}
J
cat >killed.py <<'P'
import os, subprocess, sys, time
rows, *command = sys.argv[1:]
run = subprocess.Popen(command)
while run.poll() is None and not (os.path.exists(rows) and open(rows, "rb").read().count(b"\n") > 40):
    time.sleep(0.001)
run.kill()
sys.exit(run.wait() == 0)
P
for kind in csv svg; do
    rows=early.$kind extra=--energy-bodies
    [ $kind = svg ] && rows=early.svg.part extra=
    "$pliant" run works.json -q --energy whole.$kind $extra
    python3 killed.py $rows "$pliant" run works.json -q --energy early.$kind $extra --checkpoint k.ck --every 7
    expect "a run is killed on its way (.$kind)" test $? -eq 0
    cp $rows rows && cp k.ck kept.ck
    "$pliant" run works.json -q --energy early.$kind $extra --resume k.ck 2>said
    expect "it goes on with its energies (.$kind)" test $? -eq 0 -a ! -s said
    expect "and has what one has that was not killed (.$kind)" cmp whole.$kind early.$kind
    expect "and no work file is left (.$kind)" test ! -e early.$kind.part
    again() { cp kept.ck k.ck && "$pliant" run works.json -q --energy early.$kind $extra --resume k.ck 2>said; }
    sed '5s/,/,x/' rows >$rows && again
    expect "damaged energies are one line, with its number (.$kind)" test $? -eq 2 -a "$(wc -l <said)" -eq 1 -a "$(grep -c "^$rows:5: damaged" said)" -eq 1
    head -n 5 rows >$rows && again
    expect "so are cut off ones (.$kind)" test $? -eq 2 -a "$(grep -c "^$rows:6: damaged" said)" -eq 1
    sed '1s,work,word,' rows >$rows && again
    expect "so are those of another run (.$kind)" test $? -eq 2 -a "$(grep -c "^$rows:1: not the columns" said)" -eq 1
    rm -f $rows && again
    expect "so is a missing file (.$kind)" test $? -eq 2 -a "$(grep -c "^$rows: there is no such file" said)" -eq 1
done
# What is found before a run is stopped is known behind it.
"$pliant" run gains.json -q --on-energy warn --checkpoint g.ck --frames $((frame + 2)) 2>first
"$pliant" run gains.json -q --on-energy warn --resume g.ck 2>said
expect "a gain before the checkpoint is said at the end" test "$(cat first)" = "$(cat said)" -a -s said
"$pliant" run gains.json -q --checkpoint n.ck --frames 10
"$pliant" run gains.json -q --energy n.csv --resume n.ck 2>said
expect "energies do not begin in the middle" test $? -eq 2 -a "$(wc -l <said)" -eq 1 -a "$(grep -c '^n.ck: .*has reckoned no energies' said)" -eq 1
"$pliant" run gains.json -q --resume n.ck --json 2>said >resumed.json
expect "without them it goes on" test $? -eq 0 -a ! -s said
finish
