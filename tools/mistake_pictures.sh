#!/usr/bin/env bash
# Makes the pictures of docs/mistakes.md: a sheet in ten substeps, and as a quality chooses; a jelly in the library as it was at 850c8d0, and as it
# is. Needs build/pliant, ffmpeg, and in PLIANT_BEFORE the command of that version (git worktree add build/before 850c8d0, and make there).
set -eu
cd "$(dirname "$0")/.."
pliant=${PLIANT_BINARY:-build/pliant}
work=build/mistake_pictures
mkdir -p "$work" docs/mistakes
beside() { ffmpeg -v error -y -i "$work/1.png" -i "$work/2.png" -filter_complex hstack=2 "$1"; }
view=(--frames 240 --size 480x360 --camera "1.35,1.25,1.75:0,0.7,-0.45:30" -q --force)
sed 's/"frames": 240,/"frames": 240, "solver": {"substeps": 10},/' scenes/mistakes/sheet.json >"$work/ten.json"
"$pliant" render "$work/ten.json" "${view[@]}" -o "$work/1.png"
"$pliant" render scenes/mistakes/sheet.json "${view[@]}" -o "$work/2.png"
beside docs/mistakes/sheet.png
view=(--frames 43 --size 480x360 --camera "3.1,2.5,5.4:0.15,0.85,0" -q --force)
"${PLIANT_BEFORE:?the command of 850c8d0}" render scenes/mistakes/jelly.json "${view[@]}" -o "$work/1.png"
"$pliant" render scenes/mistakes/jelly.json "${view[@]}" -o "$work/2.png"
beside docs/mistakes/jelly.png
