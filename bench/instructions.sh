#!/usr/bin/env bash
# Instructions per constraint and sweep, counted by callgrind: what a step takes on any machine, whatever else that machine does. Four scenes,
# 8 lanes (callgrind knows AVX2), one thread; stepping alone, as the difference of two runs.
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
tet_mesh 6
solid 6'

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

echo "case,size,width,instructions_per_constraint" >"$scratch/new.csv"
while read -r name size; do
    count "$name" "$size" $few
    first=$instructions first_solved=$solved
    count "$name" "$size" $many
    awk -v n="$name" -v s="$size" -v w=$width -v i=$((instructions - first)) -v c=$((solved - first_solved)) \
        'BEGIN { printf "%s,%d,%d,%.3f\n", n, s, w, i / c }' >>"$scratch/new.csv"
done <<<"$scenes"

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
        what = sprintf("%s %d: %.3f instructions per constraint and sweep, kept %.3f, %+.1f %%", $1, $2, $4, was, change)
        if (change > slack) { print "not ok " what; bad = 1 }
        else print "ok " what (change < -slack ? ": keep the new figure (make bench-instructions)" : "")
    }
    END { exit bad || !seen }' "$kept" "$scratch/new.csv"
