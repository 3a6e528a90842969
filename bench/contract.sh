#!/usr/bin/env bash
# The price of bit identity: the same cases in the usual build and in one with multiplications and additions fused as the compiler likes, run after
# run in turns. A machine that is shared has slow moments of seconds, longer than a run: of each figure the least over the runs counts, and how far
# the second is from it is its spread. Widths that have no fused instruction (1 and 4 on x86-64) have nothing to save, and show what is noise.
#
#   bench/contract.sh BUILD CONTRACTED [OPTION]...
set -u
[ $# -ge 2 ] || { echo "usage: $0 BUILD CONTRACTED [OPTION of pliant bench]..." >&2; exit 2; }
usual=$1 contracted=$2
shift 2
runs=9
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
options=(--cases "grid_cloth,mesh_cloth,lattice,tet_mesh" --threads 1 --repeat 9 --quick)
for run in $(seq $runs); do
    order="usual contracted"
    [ $((run % 2)) -eq 1 ] || order="contracted usual"
    for build in $order; do
        echo "$build, run $run of $runs" >&2
        "${!build}/pliant" bench --quiet "${options[@]}" "$@" --csv "$scratch/$build.$run.csv" || exit
    done
done
awk -F, '
    function sorted(list, v, n, i, j, t) { # numbers with spaces between, into v; returns how many
        n = split(list, v, " ")
        for (i = 2; i <= n; i++) for (j = i; j > 1 && v[j] + 0 < v[j - 1] + 0; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
        return n
    }
    FNR == 1 { build = FILENAME ~ /\/usual/ ? "u" : "c"; next }
    $10 == "ns" {
        key = sprintf("%-12s %5d %6d", $4, $5, $8)
        if (!(key in seen)) { seen[key] = 1; order[++count] = key; width[key] = $8 }
        list[build, key] = list[build, key] " " $11
    }
    END {
        printf "%-12s %5s %6s %12s %12s %12s %8s\n", "case", "size", "width", "usual ns", "contracted", "difference", "spread"
        for (i = 1; i <= count; i++) {
            nu = sorted(list["u", order[i]], u); nc = sorted(list["c", order[i]], c)
            difference = 100 * (1 - c[1] / u[1])
            printf "%s %12.3f %12.3f %10.1f %% %6.1f %%\n", order[i], u[1], c[1], difference, 100 * (u[2] / u[1] + c[2] / c[1] - 2)
            all[width[order[i]]] = all[width[order[i]]] " " difference
            if (!(width[order[i]] in known)) { known[width[order[i]]] = 1; widths = widths " " width[order[i]] }
        }
        print ""
        for (i = sorted(widths, w); i > 0; i--) {
            n = sorted(all[w[i]], d)
            printf "width %2d: contraction would save %.1f %% of the time (median of %d figures; %.1f to %.1f)\n", w[i],
                n % 2 ? d[(n + 1) / 2] : (d[n / 2] + d[n / 2 + 1]) / 2, n, d[1], d[n]
        }
    }' "$scratch"/usual.*.csv "$scratch"/contracted.*.csv
