#!/usr/bin/env bash
# Law: a scene's final hash is one and the same number for every lane width, every number of threads, gcc and clang, -O0 and -O3; and it is
# the number in tests/golden/hashes.txt until a change means to change results. The same holds for every method, on a scene that it takes.
#
#   tests/test_determinism.sh            checks every scene in scenes/
#   tests/test_determinism.sh --update   writes the hashes found into tests/golden/hashes.txt (make golden)
#
# A scene is simulated on the most lanes that this machine has and one thread, for 60 frames. Its first frames are compared, in turns, with one on fewer lanes,
# on three threads, or with a new solver every frame; with which of these follows from PLIANT_TURN, a number that CI counts up. With PLIANT_LONG=1 or PLIANT_FULL=1
# all 60 frames are compared with all of these. test_solver.c has the frames
# in which each scene meets everything.
#
# PLIANT_VARIANTS=some (long_compilers.sh) compares the build that is tested with clang -O3 as well, on one lane and on four, which compile soonest; with
# PLIANT_VARIANTS=1 (long_determinism.sh) it is gcc and clang, -O3 and -O0, on one lane and on the most. They run the first frames only, since builds without
# optimisation are slow; with PLIANT_LONG=1 five times as many.
# PLIANT_FULL=1 runs every scene to its end in the build that is tested. The scene that has everything comes to its end in any case: by all
# builds with PLIANT_LONG=1, else on the most lanes and two threads. The library is float or double as PLIANT_REAL says.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
golden=$PLIANT_SOURCE_DIR/tests/golden/hashes.txt
everything=torture
longest=jellies # takes as long as all others together: comes to its end once, with PLIANT_FULL=1, and has no more frames with PLIANT_LONG=1
short_frames=60 # of every scene
variant_frames=12
threads_tried=3
first_frames=24 # of what is compared with them in turns
variants=${PLIANT_VARIANTS:-0}
all=${PLIANT_LONG:-}${PLIANT_FULL:-}
[ -z "$all" ] || { threads_tried='2 3 8'; first_frames=$short_frames; }
[ -x "$PLIANT_BINARY" ] || { not_ok "$PLIANT_BINARY is there"; finish; }

to_the_end() { # SCENE
    [ "$(basename "$1" .json)" != "$longest" ] || [ -n "$recording" ] || return 1
    [ -n "${PLIANT_FULL:-}" ] || { [ -n "${PLIANT_LONG:-}" ] && [ "$(basename "$1" .json)" = "$everything" ]; }
}

# The hash and the number of frames of a run, "HASH FRAMES"; "none" if this machine has not got the width.
run() { # BINARY SCENE WIDTH THREADS [FRAMES|end]
    local frames=() status line count=${5:-$short_frames}
    [ $# -ge 5 ] || ! to_the_end "$2" || count=end
    [ "$count" = end ] || frames=(--frames "$count")
    line=$(PLIANT_WIDTH=$3 "$1" run "$2" --json --quiet --threads "$4" "${more[@]}" "${frames[@]}" 2>"$scratch/run.err" | tee "$scratch/run.out" | tail -n 1; exit "${PIPESTATUS[0]}")
    status=$?
    if [ "$status" -eq 6 ]; then
        echo none
    elif [ "$status" -ne 0 ]; then
        echo "failed with $status: $(tail -n 1 "$scratch/run.err")"
    else
        sed -nE 's/.*"hash": *"?([0-9A-Za-z]+)"?.*/\1/p' <<<"$line" | tr '\n' ' '
        sed -nE 's/.*"frames": *([0-9]+).*/\1/p' <<<"$line"
    fi
}

more=() # switches of every run

# The scene is simulated once on one thread, with the hash of every frame: what begins of it is compared with needs no run of its own.
reference_run() { # SCENE WIDTH
    rm -f "$scratch/reference"
    more=(--hash-every 1)
    reference=$(run "$PLIANT_BINARY" "$1" "$2" 1)
    more=()
    grep '^frame ' "$scratch/run.out" >"$scratch/reference"
}
reference_at() { # FRAMES|end: as `run` says it
    if [ "$1" = end ]; then echo "$reference"; else sed -nE "s/^frame $1 hash ([0-9a-f]+)$/\1 $1/p" "$scratch/reference"; fi
}

# Builds the command once per compiler and optimisation level. A release build of gcc has -O3 for all but the kernels of constraints: with some
# variants that is gcc's share, with all of them gcc -O3 is built as well. Drawing is left out, as where its headers are missing, and so are the
# widths that only the release build is asked for; the C++, which is the reader of OBJ files, is compiled quickly, since no scene here has a large one.
# clang -O0 is what `make check` builds for warnings: it is built once for both.
checked=check-clang
[ "$PLIANT_REAL" = float ] || checked=check-clang-double
variant_names=() variant_binaries=()
build_variants() {
    local compiler level folder
    for compiler in gcc clang; do
        command -v "$compiler" >/dev/null || { echo "$compiler is not here: left out"; continue; }
        for level in -O0 -O3; do
            folder=$PLIANT_BUILD_DIR/variants/$compiler$level
            [ "$compiler$level" != clang-O0 ] || folder=$PLIANT_SOURCE_DIR/build-$checked
            [ "$variants" = some ] && [ "$level" = -O0 ] && continue
            [ "$variants" = some ] && [ "$compiler$level" = gcc-O3 ] && "$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$PLIANT_BUILD_DIR/CMakeCache.txt")" --version |
                grep -q 'Free Software Foundation' && continue
            build_variant "$compiler" "$level" "$folder" >"$scratch/build.log" 2>&1 ||
                { not_ok "the command builds with $compiler $level"; tail -n 30 "$scratch/build.log"; continue; }
            variant_names+=("$compiler $level")
            variant_binaries+=("$folder/pliant")
        done
    done
}
build_variant() { # COMPILER LEVEL FOLDER
    if [ "$1$2" = clang-O0 ]; then
        (cd "$PLIANT_SOURCE_DIR" && cmake --preset "$checked" -Wno-dev && cmake --build "$3" -j 2 --target pliant_cli)
        return
    fi
    local cxx=g++ real=OFF
    [ "$1" = clang ] && cxx=clang++
    [ "$PLIANT_REAL" = double ] && real=ON
    cmake -S "$PLIANT_SOURCE_DIR" -B "$3" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER="$1" -DCMAKE_CXX_COMPILER="$cxx" \
        -DCMAKE_C_FLAGS="$2" -DCMAKE_CXX_FLAGS=-O0 -DEPOXY_INCLUDE=OFF -DPLIANT_DOUBLE="$real" -DPLIANT_TESTS=OFF -DPLIANT_SHARED_LIBRARIES=OFF \
        -DPLIANT_CHOLMOD=OFF -DPLIANT_ONLY_WIDTHS="$variant_width" &&
        cmake --build "$3" --target pliant_cli -j 2
}

# A run with a new solver after every frame, with the hash of every frame, against the reference, which keeps its own.
check_new_solvers() { # SCENE
    local name kept remade frames=()
    name=$(basename "$1" .json)
    [ -n "${PLIANT_FULL:-}" ] && [ "$name" != "$longest" ] || frames=(--frames "$first_frames")
    kept=$(awk -v most="${frames[1]:-}" 'most == "" || $2 <= most' "$scratch/reference")
    remade=$("$PLIANT_BINARY" run "$1" --quiet --hash-every 1 --every-frame-new-solver "${frames[@]}" | grep hash)
    if [ "$(wc -l <<<"$kept")" -gt "$first_frames" ] && [ "$kept" = "$remade" ]; then
        ok "$name: a new solver every frame, $(($(wc -l <<<"$kept") - 1)) frames: the same hash after each"
    else
        not_ok "$name: a new solver every frame: $(diff <(echo "$kept") <(echo "$remade") | sed -n 2p)"
    fi
}

# Compares one run with the reference of its scene.
same() { # WHAT RESULT [REFERENCE]
    [ "$2" = none ] && return
    runs=$((runs + 1))
    [ "$2" = "${3:-$reference}" ] || different+=("$1: $2")
}

check_scene() { # SCENE
    local scene=$1 name width threads i
    name=$(basename "$scene" .json)
    reference_run "$scene" "${recording:-$widest}"
    [[ $reference =~ ^[0-9A-Za-z]+\ [0-9]+$ ]] || { not_ok "$name runs: $reference"; return; }
    runs=1 different=()
    found+=("$name $PLIANT_REAL ${reference#* } ${reference% *}")
    [ -z "$recording" ] || return
    turn=$((turn + 1))
    if [ -n "$all" ]; then
        for width in 1 4 8 16; do
            [ "$width" -ge "$widest" ] || same "width $width" "$(run "$PLIANT_BINARY" "$scene" "$width" 1)"
        done
        for threads in $threads_tried; do
            same "width $widest, $threads threads" "$(run "$PLIANT_BINARY" "$scene" "$widest" "$threads")"
        done
    elif [ "${ways[turn % ${#ways[@]}]}" != new ]; then
        read -r width threads <<<"${ways[turn % ${#ways[@]}]}"
        same "width $width, $threads threads, $first_frames frames" \
            "$(run "$PLIANT_BINARY" "$scene" "$width" "$threads" "$first_frames")" "$(reference_at "$first_frames")"
    fi
    local first frames=$variant_frames
    [ -z "${PLIANT_LONG:-}" ] || [ "$name" = "$longest" ] || frames=$short_frames
    [ -z "${PLIANT_LONG:-}" ] || [ "$name" != "$everything" ] || frames=end
    first=$(reference_at "$frames")
    [ -n "$first" ] || first=$(run "$PLIANT_BINARY" "$scene" 1 1 "$frames")
    for i in "${!variant_names[@]}"; do
        same "${variant_names[i]}, width 1" "$(run "${variant_binaries[i]}" "$scene" 1 1 "$frames")" "$first"
        [ "$widest" -eq 1 ] || same "${variant_names[i]}, width $variant_width" "$(run "${variant_binaries[i]}" "$scene" "$variant_width" 1 "$frames")" "$first"
    done
    if [ ${#different[@]} -eq 0 ]; then
        ok "$name: one hash in $runs runs, $reference frames"
    else
        not_ok "$name: width $widest on one thread gives $reference; others differ"
        printf '    %s\n' "${different[@]}"
    fi
    if { [ "$name" = "$everything" ] || { [ "$name" = "$longest" ] && [ -n "${PLIANT_FULL:-}" ]; }; } && ! to_the_end "$scene"; then
        reference=$(run "$PLIANT_BINARY" "$scene" "$widest" 2 end)
        found+=("$name $PLIANT_REAL ${reference##* } ${reference% *}")
    fi
}

# Methods other than the scenes' own, one that asks each of them something: method | scene | substeps | iterations | frames.
methods='
jacobi|jelly|10|2|24
jacobi:averaging=classic|chain|20|2|24
chebyshev|press|2|20|24
chebyshev:base=jacobi|curtain|2|12|12
hierarchical|curtain|10|1|12
multigrid|jelly|2|2|12
multigrid:system=multipliers|jelly|2|2|4
newton|catenary|10|1|12
newton|catenary|2|20|4
newton:gradients=predicted|swing|4|1|24
newton:gradients=implicit|catenary|2|1|12
'
check_method() { # METHOD SCENE SUBSTEPS ITERATIONS FRAMES
    local scene=$scratch/$2.json width threads i name="$2, $1" first
    sed -E "s/\"substeps\": [0-9]+(, \"iterations\": [0-9]+)?/\"substeps\": $3, \"iterations\": $4/" "$PLIANT_SOURCE_DIR/scenes/$2.json" >"$scene"
    runs=1 different=() more=()
    first=$(run "$PLIANT_BINARY" "$scene" 1 1 "$5")
    more=(--method "$1")
    reference=$(run "$PLIANT_BINARY" "$scene" 1 1 "$5")
    [[ $reference =~ ^[0-9A-Za-z]+\ $5$ ]] || { not_ok "$name runs: $reference"; return; }
    [ "$reference" != "$first" ] || different+=("the scene's own method: the same, so the method has done nothing")
    for width in 4 8 16; do
        { [ -z "$all" ] && [ "$width" -ne $((4 << turn % 3)) ]; } || same "width $width" "$(run "$PLIANT_BINARY" "$scene" "$width" 1 "$5")"
    done
    for threads in $threads_tried; do
        { [ -z "$all" ] && [ $((turn % 2)) -eq 0 ]; } || same "width $widest, $threads threads" "$(run "$PLIANT_BINARY" "$scene" "$widest" "$threads" "$5")"
    done
    more+=(--every-frame-new-solver)
    { [ -z "$all" ] && [ $((turn % 2)) -eq 1 ]; } || same "a new solver every frame" "$(run "$PLIANT_BINARY" "$scene" "$widest" 2 "$5")"
    turn=$((turn + 1))
    more=(--method "$1")
    for i in "${!variant_names[@]}"; do
        for width in 1 "$variant_width"; do
            same "${variant_names[i]}, width $width" "$(run "${variant_binaries[i]}" "$scene" "$width" 1 "$5")"
        done
    done
    if [ ${#different[@]} -eq 0 ]; then
        ok "$name: one hash in $runs runs, $5 frames"
    else
        not_ok "$name: width 1 on one thread gives $reference; others differ"
        printf '    %s\n' "${different[@]}"
    fi
}
check_methods() {
    local method scene substeps iterations frames
    while IFS='|' read -r method scene substeps iterations frames; do
        [ -z "$method" ] || check_method "$method" "$scene" "$substeps" "$iterations" "$frames"
    done <<<"$methods"
    more=()
}

check_golden() {
    local line key expected
    for line in "${found[@]}"; do
        key=${line% *}
        expected=$(sed -n "s/^$key //p" "$golden" 2>/dev/null)
        if [ "$expected" = "${line##* }" ]; then
            ok "$key frames: the hash is the recorded one"
        else
            not_ok "$key frames: hash ${line##* }, recorded ${expected:-none}; if results were meant to change: make golden"
        fi
    done
}
update_golden() {
    local line
    touch "$golden"
    for line in "${found[@]}"; do
        sed -i "/^${line% *} /d" "$golden"
        echo "$line" >>"$golden"
    done
    grep -v '^#' "$golden" | LC_ALL=C sort >"$scratch/sorted"
    { echo "# Final hashes: scene, number, frames, hash. Written by: make golden"; cat "$scratch/sorted"; } >"$golden"
}

widest=1 # lanes that this machine has
for width in 4 8 16; do [ "$(run "$PLIANT_BINARY" "$PLIANT_SOURCE_DIR/scenes/chain.json" $width 1 1)" = none ] || widest=$width; done
turn=${PLIANT_TURN:-0} # and one more for each scene, and each method
ways=("$widest 3") # what scenes are compared with in turns: lanes and threads
for width in 1 4 8; do [ "$width" -ge "$widest" ] || ways+=("$width 1"); done
ways+=(new) # a new solver every frame
variant_width=$widest # lanes of other builds
[ "$variants" != some ] || [ "$widest" -lt 4 ] || variant_width=4
found=() recording=
[ "${1:-}" = --update ] && recording=4 # lanes: any will do, and 4 are everywhere
[ "$variants" = 0 ] || build_variants
for scene in "$PLIANT_SOURCE_DIR"/scenes/*.json; do
    check_scene "$scene"
    [ -n "$recording" ] || { [ -z "$all" ] && [ "${ways[turn % ${#ways[@]}]}" != new ]; } || check_new_solvers "$scene"
done
[ -n "$recording" ] || check_methods
if [ "${1:-}" = --update ]; then update_golden; else check_golden; fi
finish
