#!/usr/bin/env bash
# What `make bench`, `make bench-keep` and `make bench-compare` do, with what was built in BUILD; further options go to pliant bench.
#
#   bench/run.sh tables BUILD [OPTION]...     all tables, and BUILD/bench.csv
#   bench/run.sh keep BUILD [OPTION]...       the same figures, appended to bench/results/MACHINE.csv
#   bench/run.sh compare BUILD [OPTION]...    measures anew and says what got slower than the last run kept there: exit 1 if something did
#
# Bullet (where it was found) and whole frames with contacts come first, by programs of their own; their figures go with those of pliant bench. What a person
# chose for pliant bench does not concern them, but --quick.
set -u
[ $# -ge 2 ] || { echo "usage: $0 tables|keep|compare BUILD [OPTION]..." >&2; exit 2; }
what=$1 build=$2
shift 2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
results=$root/bench/results
kept=$results/$("$build/pliant" bench --machine).csv || exit 1
revision=$(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown)

quick=()
for option in "$@"; do [ "$option" = --quick ] && quick=(--quick); done
others=$build/bench-others.csv
if [ -x "$build/pliant_bench_bullet" ]; then
    "$build/pliant_bench_bullet" "${quick[@]}" --csv "$build/bench-bullet.csv" || exit
    echo
else
    rm -f "$build/bench-bullet.csv"
    echo "no comparison with Bullet: this was built without libbullet-dev (make setup-bench installs it)"
fi
"$build/pliant_bench" --frames "${quick[@]}" --csv "$build/bench-frames.csv" || exit
echo
cp "$build/bench-frames.csv" "$others" || exit
[ ! -e "$build/bench-bullet.csv" ] || tail -n +2 "$build/bench-bullet.csv" >>"$others" || exit
with=(--with "$others")

case "$what" in
tables)
    "$build/pliant" bench --revision "$revision" --csv "$build/bench.csv" "${with[@]}" "$@" || exit
    echo "written: $build/bench.csv"
    ;;
keep)
    "$build/pliant" bench --revision "$revision" --keep "$kept" "${with[@]}" "$@" || exit
    echo "kept: $kept"
    ;;
compare)
    [ -e "$kept" ] || { echo "no run of this machine was kept: $kept is not there (make bench-keep makes it)" >&2; exit 2; }
    "$build/pliant" bench --revision "$revision" --compare "$kept" "${with[@]}" "$@"
    ;;
*)
    echo "usage: $0 tables|keep|compare BUILD [OPTION]..." >&2
    exit 2
    ;;
esac
