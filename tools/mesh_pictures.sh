#!/usr/bin/env bash
# Makes the pictures of docs/cages.md and of the README's tour: a surface, its cage, and what became of them. Needs build/pliant, ffmpeg and the bunny of glmark2-data.
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

# The tour's scene, out of the README.
awk '/^```json$/ { on = 1; next } /^```$/ { if (on) exit } on' ../../README.md >net.json
"$pliant" mesh bunny.obj -o bunny.node -q --force
for frame in 15 30 55 120; do "$pliant" render net.json --size 480x270 -q --frames $frame -o "net.$frame.png" --force; done
ffmpeg -v error -y -i net.15.png -i net.30.png -i net.55.png -i net.120.png -filter_complex "[0][1]hstack[a];[2][3]hstack[b];[a][b]vstack" ../../docs/cages/net.png
