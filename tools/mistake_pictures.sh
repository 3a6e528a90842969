#!/usr/bin/env bash
# Makes the picture of docs/mistakes.md: one scene by the library as it was at 850c8d0, and as it is. Needs build/pliant, ffmpeg, and in PLIANT_BEFORE
# the command of that version (git worktree add build/before 850c8d0, and make there).
set -eu
cd "$(dirname "$0")/.."
pliant=${PLIANT_BINARY:-build/pliant}
work=build/mistake_pictures
mkdir -p "$work" docs/mistakes
view=(--frames 43 --size 480x360 --camera "3.1,2.5,5.4:0.15,0.85,0" -q)
"${PLIANT_BEFORE:?the command of 850c8d0}" render scenes/mistakes/jelly.json "${view[@]}" -o "$work/1.png"
"$pliant" render scenes/mistakes/jelly.json "${view[@]}" -o "$work/2.png"
ffmpeg -v error -y -i "$work/1.png" -i "$work/2.png" -filter_complex hstack=2 docs/mistakes/jelly.png
