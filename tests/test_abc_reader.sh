#!/usr/bin/env bash
# What an Alembic archive says, read by a program that knows only the format: the numbers of the .csv and the .ply of the same run.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
command -v python3 >/dev/null || skip_all "no python3"
pliant=$PLIANT_BINARY
cd "$scratch" || exit 1
reads() { python3 "$PLIANT_SOURCE_DIR/tests/abc_reader.py" "$1.abc" "$1.csv" "$1.ply" "${2:-60}" "${3:-0}"; }

cat >all.json <<'J'
{"pliant": 1, "fps": 24, "frames": 300,
 "bodies": [{"type": "cloth", "name": "sheet", "mesh": "faces.obj", "pins": [0]},
            {"type": "rope", "name": "rope", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 5, "pins": [0]},
            {"type": "soft", "name": "jelly", "cells": [1, 1, 1], "size": [0.5, 0.5, 0.5], "spin": [1, 2, 3]},
            {"type": "particles", "name": "one", "particles": [{"x": [0, 1, 0]}]},
            {"type": "particles", "name": "dust", "particles": [{"x": [3, 1, 0]}, {"x": [4, 2, 0]}, {"x": [5, 2, 1]}]}]}
J
printf '%s\n' 'v 0 0 0' 'v 1 0 0' 'v 1 0 1' 'v 0 0 1' 'v 2 0 0' 'v 2.5 0 0.5' 'v 2 0 1' 'f 1 2 3 4' 'f 2 5 6 7 3' >faces.obj
for frames in 1 300; do
    "$pliant" run all.json -q --frames $frames -o all.abc -o all.csv -o all.ply/
    expect "all kinds of bodies, $frames frames" reads all 24
    rm -rf all.ply
done
for name in net demo drape; do
    "$pliant" run "$PLIANT_SOURCE_DIR/scenes/$name.json" -q --frames 5 -o $name.abc -o $name.csv -o $name.ply/ 2>/dev/null || { not_ok "$name"; continue; }
    expect "the scene $name" reads $name
done

# The reader notices what is wrong: a byte anywhere.
size=$(stat -c %s net.abc) unseen=0 n=0
for at in $(seq 0 $((size / 60)) $((size - 1))); do
    cp net.abc bad.abc && cp net.csv bad.csv && [ -e bad.ply ] || cp -r net.ply bad.ply
    byte=$(od -An -tu1 -j"$at" -N1 net.abc)
    printf '%b' "\\x$(printf %02x $((byte ^ 16)))" | dd of=bad.abc bs=1 seek="$at" conv=notrunc status=none
    n=$((n + 1))
    reads bad >/dev/null 2>&1 && unseen=$((unseen + 1)) && echo "byte $at of $size is not noticed"
done
expect "the reader notices $n changed bytes" test $unseen -le 1 -a $n -gt 50

# The bytes do not depend on threads, widths and interruptions.
"$pliant" run "$PLIANT_SOURCE_DIR/scenes/net.json" -q --frames 5 --threads 2 -o again.abc
expect "the same bytes with two threads" cmp net.abc again.abc
PLIANT_WIDTH=1 "$pliant" run "$PLIANT_SOURCE_DIR/scenes/net.json" -q --frames 2 -o again.abc --checkpoint c.check
"$pliant" run "$PLIANT_SOURCE_DIR/scenes/net.json" -q --frames 5 -o again.abc --resume c.check
expect "and stopped, and gone on with" cmp net.abc again.abc
for tenth in 1 2 3 4 5 6 7 8; do
    rm -f hurt.abc d.check
    "$pliant" run "$PLIANT_SOURCE_DIR/scenes/net.json" -q --frames 2 -o hurt.abc --checkpoint d.check
    place=$(($(stat -c %s hurt.abc) * tenth / 10))
    byte=$(od -An -tu1 -j$place -N1 hurt.abc)
    printf '%b' "\\x$(printf %02x $((byte ^ 16)))" | dd of=hurt.abc bs=1 seek=$place conv=notrunc status=none
    "$pliant" run "$PLIANT_SOURCE_DIR/scenes/net.json" -q --frames 5 -o hurt.abc --resume d.check 2>err
    expect "a damaged one is not gone on with: byte $place" test $? -eq 2 -a "$(wc -l <err)" -eq 1
done
expect "render draws it" "$pliant" render net.abc --scene "$PLIANT_SOURCE_DIR/scenes/net.json" --frames 1 --size 64x48 -q -o net.png
finish
