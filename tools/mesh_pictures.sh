#!/usr/bin/env bash
# Makes the picture of docs/cages.md: a surface, its cage, and what became of them. Needs build/pliant, ffmpeg and the bunny of glmark2-data.
set -eu
cd "$(dirname "$0")/.."
pliant=${PLIANT_BINARY:-$PWD/build/pliant}
work=build/mesh_pictures
mkdir -p "$work" docs/cages
cp /usr/share/glmark2/models/bunny.obj "$work/"
cd "$work"
"$pliant" mesh bunny.obj -o bunny.node --cells 16 --scene bunny.json -q
sed 's/, "visual": "bunny.obj"//' bunny.json >cage.json
view=(--size 400x340 --camera "2.4,1.9,4.3:0,1.25,0:38" -q)
"$pliant" render bunny.json "${view[@]}" --frames 0 -o 1.png
"$pliant" render cage.json "${view[@]}" --frames 0 --show wireframe -o 2.png
"$pliant" render bunny.json "${view[@]}" --frames 29 -o 3.png
ffmpeg -v error -y -i 1.png -i 2.png -i 3.png -filter_complex hstack=3 ../../docs/cages/bunny.png
