#!/usr/bin/env bash
# Fuzzes the readers: every target of tests/fuzz/targets.c for so many seconds, two at a time, from its kept corpus, with its dictionary. What
# is new and good stays in BUILD/fuzz/NAME/; what breaks a reader is copied to BUILD/fuzz/NAME.crash-* and makes the exit 1.
# Usage: tools/fuzz.sh BUILD SECONDS [TARGET...]      TARGETs: all, where none is said. OWN_SECONDS: for those that only Pliant writes;
#                                                     SEED: the inputs of that number, where each run has others; JOBS: so many at a time
#        tools/fuzz.sh --keep BUILD [TARGET...]       puts the smallest files that reach as much into tests/fuzz/corpus/NAME/
set -u
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
keep=
[ "${1:-}" != --keep ] || { keep=1; shift; }
[ $# -ge $((keep ? 1 : 2)) ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd) || exit 2
shift
seconds=${1:-}
[ -n "$keep" ] || shift
fuzzer=$build/tests/pliant_fuzz
[ -x "$fuzzer" ] || { echo "fuzz.sh: $fuzzer is not there" >&2; exit 2; }
targets=("$@")
[ ${#targets[@]} -gt 0 ] || read -ra targets < <(PLIANT_FUZZ='' "$fuzzer" 2>&1 | sed 's/.*: //')
mkdir -p "$build/fuzz"
scratch=$(mktemp -d "$([ -d /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/pliant-fuzz.XXXXXX") # readers of files are many times as quick where files are memory
trap 'rm -rf "$scratch"' EXIT
# Memory that a reader asks for is checked by itself: an allocation that is too large is one that fails.
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}

dictionary_of() { # NAME
    case $1 in
    scene | eval | replay) # every key and word of the schema
        grep -oE '"[A-Za-z_0-9]{2,}"' "$source/docs/scene.schema.json" | sort -u | sed 's/"\(.*\)"/"\\"\1\\""/'
        [ "$1" = scene ] || sed -n 's/.*PLIANT_PARAMETER("\([a-z_0-9]*\)".*/"\\"\1\\""/p' "$source/include/pliant/constraints.h"
        ;;
    method) grep -oE '"[a-z_0-9]{2,}"' "$source/src/scene/method.c" "$source/include/pliant/methods.h" -h | sort -u ;;
    esac
    cat "$source/tests/fuzz/$1.dict" 2>/dev/null
}

# What a target begins with: its kept files, a good one of its own, and the scenes.
seeds_of() { # NAME FOLDER
    mkdir -p "$2"
    cp "$source/tests/fuzz/corpus/$1/"* "$2" 2>/dev/null
    (mkdir -p "$scratch/$1" && cd "$scratch/$1" && PLIANT_FUZZ=$1 PLIANT_FUZZ_SEED=$2/good "$fuzzer") || return 1
    [ "$1" != scene ] || cp "$source"/scenes/*.json "$2"
}

# Files of other programs may be fuzzed for longer than what only Pliant writes.
seconds_of() { # NAME
    case $1 in
    scene | obj | ply | node | ele | msh | vtk | points_pc2 | points_mdd) echo "$seconds" ;;
    *) echo "${OWN_SECONDS:-$seconds}" ;;
    esac
}

fuzz() { # NAME
    local name=$1 status most
    most=$(seconds_of "$1")
    seeds_of "$name" "$scratch/$name.seeds" || { echo "not ok $name: no seeds"; return 1; }
    mkdir -p "$build/fuzz/$name"
    dictionary_of "$name" >"$scratch/$name.dict"
    local dictionary=
    [ ! -s "$scratch/$name.dict" ] || dictionary=-dict=$scratch/$name.dict
    cd "$scratch/$name" || return 1
    PLIANT_FUZZ=$name "$fuzzer" -max_total_time="$most" -timeout=10 -rss_limit_mb=1500 -malloc_limit_mb=1000 -max_len=8192 -print_final_stats=1 \
        ${dictionary:+"$dictionary"} ${SEED:+"-seed=$SEED"} -artifact_prefix="$build/fuzz/$name." "$build/fuzz/$name" "$scratch/$name.seeds" >"$build/fuzz/$name.log" 2>&1
    status=$?
    if [ $status -eq 0 ]; then
        echo "ok $name: $(sed -n 's/stat::number_of_executed_units: *//p' "$build/fuzz/$name.log") inputs in $most s"
    else
        echo "not ok $name: $(grep -m 1 -E 'ERROR|SUMMARY|runtime error|promise' "$build/fuzz/$name.log"); see $build/fuzz/$name.log"
    fi
    return $status
}

# Smaller and smaller sets that reach the same.
keep() { # NAME
    local name=$1 kept=$source/tests/fuzz/corpus/$1
    seeds_of "$name" "$scratch/$name.seeds" || return 1
    mkdir -p "$build/fuzz/$name" "$scratch/$name.kept"
    cd "$scratch/$name" || return 1
    PLIANT_FUZZ=$name "$fuzzer" -set_cover_merge=1 -use_counters=0 -timeout=10 "$scratch/$name.kept" "$build/fuzz/$name" "$scratch/$name.seeds" >"$build/fuzz/$name.log" 2>&1 ||
        { echo "not ok $name: see $build/fuzz/$name.log"; return 1; }
    mkdir -p "$kept"
    find "$scratch/$name.kept" -type f -size -2k -exec cp {} "$kept" \;
    echo "ok $name: $(find "$kept" -type f | wc -l) files"
}

bad=0 running=0
for target in "${targets[@]}"; do
    if [ -n "$keep" ]; then
        (keep "$target") || bad=1
        continue
    fi
    (fuzz "$target") &
    running=$((running + 1))
    [ $running -lt "${JOBS:-2}" ] || { wait -n || bad=1; running=$((running - 1)); }
done
while [ $running -gt 0 ]; do
    wait -n || bad=1
    running=$((running - 1))
done
exit $bad
