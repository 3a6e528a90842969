#!/usr/bin/env bash
# What output costs: a cloth of 100,489 vertices, 250 frames, to each format that `pliant info` lists, and to all single-file formats in one run.
# Prints the share of the run that writing took, and how large the output is. Usage: bench/bake.sh [FRAMES] [FORMAT...]
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
pliant=${PLIANT_BINARY:-$here/build/pliant}
frames=${1:-250}
[ $# -eq 0 ] || shift
work=$(mktemp -d "${TMPDIR:-/tmp}/pliant-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
cat >"$work/cloth.json" <<'J'
{"pliant": 1, "frames": 250, "solver": {"substeps": 10},
 "bodies": [{"type": "cloth", "name": "cloth", "cells": [316, 316], "size": [3, 3], "material": "cotton", "position": [0, 2, 0], "pins": [{"vertices": [0, 316]}]}],
 "colliders": [{"type": "plane"}]}
J
all=$(sed -nE 's/.*"formats": \[([^]]*)\].*/\1/p' <<<"$("$pliant" info --json)" | tr -d '",')
formats=("$@")
[ $# -gt 0 ] || read -ra formats <<<"$all"

bake() { # NAME OUTPUT...
    local name=$1 args=() o line
    shift
    for o in "$@"; do args+=(-o "$o"); done
    line=$("$pliant" run "$work/cloth.json" --frames "$frames" -q --json "${args[@]}") || return 1
    printf '%s|%s|%s\n' "$name" "$(sed -nE 's/.*"seconds": ([0-9.e+-]+), "output_seconds": ([0-9.e+-]+),.*/\1|\2/p' <<<"$line")" "$(du -sm "$work/out" | cut -f 1)" |
        awk -F'|' '{ printf "%-24s %8.1f s  output %7.2f s  %5.1f %%  %6d MB\n", $1, $2, $3, 100 * $3 / $2, $4 }'
    rm -rf "${work:?}/out"/*
}
mkdir "$work/out"
single=()
for format in "${formats[@]}"; do
    case "$format" in
    .obj | .ply | .csv) output=$work/out/frames$format; [ "$format" = .csv ] || output=$output/ ;;
    *) output=$work/out/frames$format single+=("$work/out/all$format") ;;
    esac
    bake "$format" "$output" || exit 1
done
[ ${#single[@]} -lt 2 ] || bake "all that are one file" "${single[@]}"
