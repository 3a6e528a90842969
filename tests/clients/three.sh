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
# Another run's frames are not taken for these.
"$PLIANT_BINARY" run all.json -q --substeps 3 --frames 40 -o other.csv || not_ok "a run"
cp other.csv wrong.csv && cp all.glb wrong.glb && cp all.usda wrong.usda
expect "another run is noticed" eval '! node "$clients/three.mjs" wrong'
finish
