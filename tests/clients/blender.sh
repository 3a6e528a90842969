#!/usr/bin/env bash
# Blender plays what pliant wrote: an artist's mesh with UVs, seams, quads and larger faces, its vertices moved by every cache that Blender
# reads, each vertex of each frame compared with the .csv of the same run. The checks themselves are in blender.py.
. "$(dirname "${BASH_SOURCE[0]}")/../shell.sh"
command -v blender >/dev/null || skip_all "no Blender"
here=$PLIANT_SOURCE_DIR/tests/clients pliant=$PLIANT_BINARY
cd "$scratch" || exit 1

# Two panels of 6 x 8 cells that meet along a seam: its vertices are there twice, and so are its UVs. In the left one a vertex has two UVs (a
# seam of the texture alone); two cells are one face of six corners, another one is a face of five and a triangle.
awk 'BEGIN {
    for (p = 0; p < 2; p++) for (j = 0; j <= 8; j++) for (i = 0; i <= 6; i++) {
        printf "v %.6g %.6g %.6g\n", -0.6 + (i + 6 * p) * 0.1, 1 + 0.01 * sin(i + 6 * p), -0.4 + j * 0.1
        printf "vt %.6g %.6g\n", (i + 7 * p) / 14, j / 8
    }
    for (j = 0; j <= 8; j++) printf "vt 0.9 %.6g\n", j / 8
    for (p = 0; p < 2; p++) for (j = 0; j < 8; j++) for (i = 0; i < 6; i++) {
        a = 1 + p * 63 + j * 7 + i; b = a + 7; c = b + 1; d = a + 1
        if (p == 1 && j == 2 && i == 2) { printf "f %d/%d %d/%d %d/%d %d/%d %d/%d %d/%d\n", a, a, b, b, c, c, c + 1, c + 1, d + 1, d + 1, d, d; continue }
        if (p == 1 && j == 2 && i == 3) continue
        if (p == 1 && j == 5 && i == 3) { printf "f %d/%d %d/%d %d/%d\nf %d/%d %d/%d %d/%d\n", a, a, b, b, c, c, a, a, c, c, d, d; continue }
        t = i == 3 && p == 0 ? 127 + j : a; u = i == 3 && p == 0 ? 128 + j : b
        printf "f %d/%d %d/%d %d/%d %d/%d\n", a, t, b, u, c, c, d, d
    }
}' >sheet.obj
cat >sheet.json <<'J'
{"pliant": 1, "frames": 12, "fps": 60, "bodies": [{"type": "cloth", "name": "sheet", "mesh": "sheet.obj", "pins": [0, 62]}]}
J
outputs=(pc2 csv obj/ ply/)
has() { "$pliant" info | grep -q "^  \.$1 "; }
for format in mdd glb; do has $format && outputs+=("$format"); done
arguments=()
for output in "${outputs[@]}"; do arguments+=(-o "run.$output"); done
expect "a run to ${outputs[*]}" "$pliant" run sheet.json -q "${arguments[@]}" || finish
third() { # NAME START
    local path=()
    for format in pc2 mdd; do if [ $format = pc2 ] || has $format; then path+=(-o "$1.$format" --every 3); fi; done
    "$pliant" run sheet.json -q --start "$2" "${path[@]}"
}
expect "every third frame" third third 0
expect "from frame 1001 on" third late 1001

blender -b --factory-startup --python-exit-code 1 --python "$here/blender.py" -- sheet.obj run "${outputs[@]}" >log 2>&1 </dev/null
status=$?
grep -E '^(ok|not ok) ' log
failures=$((failures + $(grep -c '^not ok ' log)))
[ $status -eq 0 ] && grep -q '^done$' log || { not_ok "Blender came to its end: status $status"; tail -n 20 log; }

# The script of docs/programs/blender.md, in small.
cp "$PLIANT_SOURCE_DIR/docs/programs/tablecloth.json" .
script() { blender -b --factory-startup --python-exit-code 1 --python "$PLIANT_SOURCE_DIR/docs/programs/blender.py" -- "$@" </dev/null; }
expect "the script of the docs makes a mesh" script mesh "$scratch/tablecloth.obj"
expect "which runs" "$pliant" run tablecloth.json -q --frames 10 -o tablecloth.pc2
expect "and is rendered" script play "$scratch/tablecloth.obj" "$scratch/tablecloth.pc2" 10 "$scratch/play.png" 64 40 2
script play "$scratch/tablecloth.obj" "$scratch/tablecloth.pc2" 0 "$scratch/still.png" 64 40 2 >/dev/null 2>&1
expect "as it moves" test "$(size_of play.png)" = 64x40 -a "$(cksum <play.png)" != "$(cksum <still.png)"
finish
