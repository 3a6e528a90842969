#!/usr/bin/env bash
# Instructions counted by callgrind: what a step takes on any machine, whatever else that machine does. Of bench cases per constraint and sweep; of cotton in
# scene files that say nothing of how they are solved, and of small kin of the benchmark of frames (a sheet that falls on a ball and a floor, capes with moving capsules, a
# towel that meets itself), thousands of a frame. 8 lanes (callgrind knows AVX2), one thread; stepping alone, as the difference of two runs.
#
#   bench/instructions.sh BUILD            compare with bench/results/instructions.csv: exit 1 if a figure is more than 3 % larger
#   bench/instructions.sh --keep BUILD     write the figures down
#
# They belong to one compiler: kept are those of gcc 12 on x86-64, and elsewhere there is nothing to compare with (exit 77).
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
kept=$root/bench/results/instructions.csv
keep=false
[ "${1:-}" = --keep ] && { keep=true; shift; }
[ $# -eq 1 ] || { echo "usage: $0 [--keep] BUILD" >&2; exit 2; }
pliant=$1/pliant
slack=3 width=8 few=2 many=6
scenes='grid_cloth 32
mesh_cloth 32
angles 32
plastic 32
lines 32
tet_mesh 6
solid 6
neo_lattice 8
neo_plastic 8
neo_mesh 6
corotated 8
stvk 8
tet_strain 8
strain 32
strain_mesh 32
tear_mesh 32
stitched 32
pressure 12
shape_rigid 8
shape_linear 8
shape_quadratic 8'
defaults='corners 16
corners 32
ball 32
corners 64'
# Frames from the first to the second number are counted: contacts have begun by then.
frames='sheet 48 12 24
capes 16 12 24
towel 16 12 20'

skip() { echo "skipped: $*"; exit 77; }
[ -x "$pliant" ] || { echo "$pliant is not there" >&2; exit 1; }
command -v valgrind >/dev/null 2>&1 || skip "valgrind is not here (make setup-test installs it)"
info=$("$pliant" info --json)
compiler=$(sed -E 's/.*"compiler": "([^"]*)".*/\1/' <<<"$info")
[ "$(uname -m)" = x86_64 ] && [[ $compiler == "gcc 12."* ]] || skip "the figures are of gcc 12 on x86-64, and this is $compiler on $(uname -m)"
[[ $info == *'"real_bytes": 4'* ]] || skip "the figures are of float32"
grep -q '^CMAKE_BUILD_TYPE:STRING=Release$' "$1/CMakeCache.txt" || skip "the figures are of an optimised build"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Sets `instructions` and `solved` of so many steps.
count() { # CASE SIZE STEPS
    solved=$(valgrind --tool=callgrind --callgrind-out-file="$scratch/out" "$pliant" bench --steps "$3" --cases "$1" --sizes "$2" --widths $width \
        --threads 1 2>"$scratch/log") || { cat "$scratch/log" >&2; exit 1; }
    instructions=$(awk '/^summary:|^totals:/ { print $2; exit }' "$scratch/out")
    [ -n "$instructions" ] || { echo "callgrind counted nothing" >&2; exit 1; }
}

# Sets `instructions` of so many frames of scene.json.
count_frames() { # FRAMES
    valgrind --tool=callgrind --callgrind-out-file="$scratch/out" "$pliant" run "$scratch/scene.json" --frames "$1" --threads 1 -q >"$scratch/log" 2>&1 ||
        { cat "$scratch/log" >&2; exit 1; }
    instructions=$(awk '/^summary:|^totals:/ { print $2; exit }' "$scratch/out")
    [ -n "$instructions" ] || { echo "callgrind counted nothing" >&2; exit 1; }
}

# Write scene.json: of cotton that says nothing of how it is solved,
write_default() { # HOW CELLS
    local pins='' colliders=''
    [ "$1" = corners ] && pins=", \"pins\": [0, $2]"
    [ "$1" = ball ] && colliders=', "colliders": [{"type": "sphere", "radius": 0.25, "position": [0, -0.3, 0]}]'
    printf '{"pliant": 1, "bodies": [{"type": "cloth", "cells": [%d, %d], "size": [1, 1], "material": "cotton"%s}]%s}' "$2" "$2" "$pins" "$colliders" \
        >"$scratch/scene.json"
}

# or of the benchmark of frames: ten substeps, six distances per particle.
write_frames() { # HOW CELLS
    local cloth bodies colliders='{"type": "plane"}' capsule i at
    cloth="\"type\": \"cloth\", \"cells\": [$2, $2], \"bend\": {\"model\": \"distance\", \"compliance\": 0.1}, \"material\": {\"density\": 0.15, \"thickness\": "
    case $1 in
    sheet)
        bodies="{$cloth 0.005}, \"size\": [0.5, 0.5], \"position\": [0, 0.14, 0]}"
        colliders+=', {"type": "sphere", "radius": 0.06, "position": [0.01, 0.07, 0.02]}'
        ;;
    capes)
        for i in 0 1 2 3; do
            at=$((3 * i))
            bodies+="${bodies:+, }{$cloth 0.005}, \"size\": [0.9, 0.9], \"position\": [$at, 1, -0.1], \"rotation\": {\"axis\": [1, 0, 0], \"angle\": 90},
                \"attach\": [{\"side\": \"+y\", \"keys\": [{\"time\": 0, \"translate\": [0, 0, 0]}, {\"time\": 0.5, \"translate\": [0, 0, 0.3]}]}]}"
            for capsule in 1.1 0.9 0.7; do
                colliders+=", {\"type\": \"capsule\", \"radius\": 0.08, \"half_height\": 0.15, \"keys\": [{\"time\": 0, \"position\": [$at, $capsule, 0]},
                    {\"time\": 0.5, \"position\": [$at, $capsule, -0.3]}]}"
            done
        done
        ;;
    towel)
        bodies="{$cloth 0.015}, \"size\": [0.8, 0.8], \"position\": [0, 0.28, 0], \"self_contact\": true}"
        colliders+=', {"type": "sphere", "radius": 0.1, "position": [0.02, 0.15, 0.03]}'
        ;;
    esac
    printf '{"pliant": 1, "solver": {"substeps": 10}, "bodies": [%s], "colliders": [%s]}' "$bodies" "$colliders" >"$scratch/scene.json"
}

# Adds a line: thousands of instructions of a frame of scene.json.
add_frames() { # NAME CELLS FROM TO
    count_frames "$3"
    local first=$instructions
    count_frames "$4"
    awk -v n="$1" -v s="$2" -v w=$width -v i=$((instructions - first)) -v f=$(($4 - $3)) \
        'BEGIN { printf "%s,%d,%d,%.0f,frame\n", n, s, w, i / f / 1000 }' >>"$scratch/new.csv"
}

echo "case,size,width,instructions,per" >"$scratch/new.csv"
while read -r name size; do
    count "$name" "$size" $few
    first=$instructions first_solved=$solved
    count "$name" "$size" $many
    awk -v n="$name" -v s="$size" -v w=$width -v i=$((instructions - first)) -v c=$((solved - first_solved)) \
        'BEGIN { printf "%s,%d,%d,%.3f,constraint\n", n, s, w, i / c }' >>"$scratch/new.csv"
done <<<"$scenes"
while read -r how cells; do
    write_default "$how" "$cells"
    add_frames "default_$how" "$cells" 4 12
done <<<"$defaults"
while read -r how cells from to; do
    write_frames "$how" "$cells"
    add_frames "frame_$how" "$cells" "$from" "$to"
done <<<"$frames"

if $keep; then
    mv "$scratch/new.csv" "$kept.tmp" && mv "$kept.tmp" "$kept" && cat "$kept"
    exit
fi
[ -e "$kept" ] || { echo "$kept is not there (make bench-instructions makes it)" >&2; exit 1; }
awk -F, -v slack=$slack '
    FNR == 1 { next }
    NR == FNR { kept[$1 "," $2 "," $3] = $4; next }
    {
        was = kept[$1 "," $2 "," $3]; seen++
        if (was == "") { printf "not ok %s %d: no figure was kept\n", $1, $2; bad = 1; next }
        change = 100 * ($4 / was - 1)
        unit = $5 == "frame" ? "thousand instructions of a frame" : "instructions per constraint and sweep"
        what = sprintf("%s %d: %s %s, kept %s, %+.1f %%", $1, $2, $4, unit, was, change)
        if (change > slack) { print "not ok " what; bad = 1 }
        else print "ok " what (change < -slack ? ": keep the new figure (make bench-instructions)" : "")
    }
    END { exit bad || !seen }' "$kept" "$scratch/new.csv"
