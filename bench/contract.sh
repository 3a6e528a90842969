#!/usr/bin/env bash
# The price of bit identity: the same cases in the usual build and in one whose compiler may fuse multiplications and additions, run after run
# in turns. Says how much time contraction would save, and how much there is in the spread of the runs.
#
#   bench/contract.sh BUILD CONTRACTED [OPTION]...
set -u
[ $# -ge 2 ] || { echo "usage: $0 BUILD CONTRACTED [OPTION of pliant bench]..." >&2; exit 2; }
usual=$1 contracted=$2
shift 2
runs=5
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
options=(--cases "grid_cloth,mesh_cloth,lattice,tet_mesh" --threads 1 --repeat 9 --quick)
for run in $(seq $runs); do
    for build in usual contracted; do
        echo "$build, run $run of $runs" >&2
        "${!build}/pliant" bench --quiet "${options[@]}" "$@" --csv "$scratch/$build.$run.csv" || exit
    done
done
awk -F, '
    function median(list, v, n, i, j, t) { # of numbers with spaces between
        n = split(list, v, " ")
        for (i = 2; i <= n; i++) for (j = i; j > 1 && v[j] < v[j - 1]; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
        return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
    }
    function spread(list, middle, v, n, i, all) {
        n = split(list, v, " ")
        for (i = 1; i <= n; i++) all = all " " (v[i] > middle ? v[i] - middle : middle - v[i])
        return median(all)
    }
    FNR == 1 { build = FILENAME ~ /usual/ ? "u" : "c"; next }
    $10 == "ns" {
        key = sprintf("%-12s %5d %6d", $4, $5, $8)
        if (!(key in seen)) { seen[key] = 1; order[++count] = key }
        list[build, key] = list[build, key] " " $11
    }
    END {
        printf "%-12s %5s %6s %12s %12s %12s %8s\n", "case", "size", "width", "usual ns", "contracted", "difference", "spread"
        for (i = 1; i <= count; i++) {
            u = median(list["u", order[i]]); c = median(list["c", order[i]])
            s = 100 * (spread(list["u", order[i]], u) / u + spread(list["c", order[i]], c) / c)
            d = 100 * (1 - c / u)
            printf "%s %12.3f %12.3f %10.1f %% %6.1f %%\n", order[i], u, c, d, s
            sum += d
        }
        printf "contraction would save %.1f %% of the time in the mean of %d figures; that is the price of bit identity\n", sum / count, count
    }' "$scratch"/usual.*.csv "$scratch"/contracted.*.csv
