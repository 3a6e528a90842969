#!/usr/bin/env bash
# What bounds rows of elastic kinds on this machine, 16 lanes (AVX-512), float32: see tests/rows/rows.c. docs/speed.md has what came of it.
#
#   bench/rows.sh BUILD [KIND ...]
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ $# -ge 1 ] || { echo "usage: $0 BUILD [KIND ...]" >&2; exit 2; }
build=$1
shift
[ $# -gt 0 ] || set -- tet_neo_hookean tet_stvk tet_strain tet_corotated triangle_strain triangle_stvk
grep -q avx512f /proc/cpuinfo || { echo "skipped: this processor has no AVX-512"; exit 77; }
[ -e "$build/libpliant.a" ] || { echo "$build/libpliant.a is not there" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo "ns, the least and the median: per row, and per vector operation"
for kind in "$@"; do
    "${CC:-cc}" -DKIND="$kind" -DPLIANT_BUILD -DPLIANT_W=16 -I"$root/include" -I"$root/src" -I"$build/generated" -DNDEBUG -std=gnu17 -O2 -fno-gcse \
        -fno-tree-pre -fno-code-hoisting -fno-tree-slp-vectorize -ffp-contract=off -fno-math-errno -mavx512f -mavx512vl -mavx512dq -mavx512bw \
        -mprefer-vector-width=512 -Wno-unused-function -o "$scratch/rows" "$root/tests/rows/rows.c" "$build/libpliant.a" -lm -lpthread
    "$scratch/rows"
done
