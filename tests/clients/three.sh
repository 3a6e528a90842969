#!/usr/bin/env bash
# three.js plays a .glb: every vertex of every frame is where the .csv of the same run has it, and halfway between two frames it is halfway.
# Its reader of USD, and TinyUSDZ's, find in a .usda what the .csv has.
. "$(dirname "${BASH_SOURCE[0]}")/../shell.sh"
. "$(dirname "${BASH_SOURCE[0]}")/npm.bash"
cd "$scratch" || exit 1
"$PLIANT_BINARY" run all.json -q --frames 40 -o all.csv -o all.glb -o all.usda || not_ok "a run"
node_checks three.mjs all
"$PLIANT_BINARY" run "$PLIANT_SOURCE_DIR/scenes/flag.json" -q --frames 20 -o flag.csv -o flag.glb -o flag.usda || not_ok "a run"
node_checks three.mjs flag
# What TinyUSDZ writes of a .usda is followed as what pliant wrote. (Where points have a value for all times beside their samples, TinyUSDZ writes the
# first alone, so that goes before.)
grep -v 'point3f\[\] points = ' all.usda >bare.usda
node "$clients/usda.mjs" bare.usda again.usda >node.log 2>&1 || { not_ok "TinyUSDZ writes"; cut -c1-200 node.log | tail -n 3; }
for cache in all again; do
    cat >follow.json <<S
{"pliant": 1, "fps": 60, "bodies": [{"type": "cloth", "name": "sheet", "cells": [12, 10], "size": [1, 1], "position": [0, 1, 0],
  "attach": [{"all": true, "keys": {"cache": "$cache.usda", "object": "sheet"}}]}]}
S
    expect "$cache.usda is followed" "$PLIANT_BINARY" run follow.json -q --frames 40 -o followed_$cache.csv
done
expect "the same way as the first" python3 - <<'P'
rows = [[line.split(",") for line in open(f"followed_{name}.csv") if line[0].isdigit()] for name in ("all", "again")]
assert len(rows[0]) == len(rows[1]) > 5000
moved = 0
for a, b in zip(*rows):
    assert a[:4] == b[:4] and all(abs(float(p) - float(q)) < 2e-5 for p, q in zip(a[4:7], b[4:7])), (a, b)
    moved = max(moved, abs(float(a[5]) - 1))
assert moved > 0.1
P
# Another run's frames are not taken for these.
"$PLIANT_BINARY" run all.json -q --substeps 3 --frames 40 -o other.csv || not_ok "a run"
cp other.csv wrong.csv && cp all.glb wrong.glb && cp all.usda wrong.usda
expect "another run is noticed" eval '! node "$clients/three.mjs" wrong'
finish
