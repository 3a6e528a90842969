#!/usr/bin/env bash
# Law: every scene's hash is the same number on other machines: 64-bit ARM, 32-bit x86, Windows, WebAssembly. A scene is cooked here; there,
# a program that links libpliant alone maps the cooked model and plays it, in every lane width and on two threads; the hash must be that of
# `pliant run` here, and the recorded one where the frames are as many (tests/golden/hashes.txt). Cross compilers build it, with warnings as
# errors; programs for other kinds of machines are run by qemu, wine and node, those for 32-bit x86 by qemu where the system has no place for them. A machine without its tools is left out, with a word.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
export NODE_PATH=/usr/share/nodejs # where Debian's Emscripten has its parts
export WINEPREFIX=$scratch/wine WINEDEBUG=-all DISPLAY=

# machine | compiler | what runs it | threads | frames: 60, or fewer of the larger scenes where an emulator is slow, and in double | level | of CMake
machines='
aarch64-linux|aarch64-linux-gnu-gcc|qemu-aarch64|2|few|-O2|
i686-linux|i686-linux-gnu-gcc||2|60|-O2|
x86_64-windows|x86_64-w64-mingw32-gcc|wine|2|60|-O1|
wasm|emcc|node|1|60|-O2|-DPLIANT_WASM_SIMD=ON
wasm|emcc|node|1|60|-O2|-DPLIANT_WASM_SIMD=OFF
'
# Frames of the scenes that take long where every instruction is translated.
few='beams:12 cards:12 catenary:24 curtain:6 demo:4 drape:6 dress:6 flag:6 folded:3 funnel:6 jellies:3 jelly:10 knot:24 net:12 press:6 skirt:24 stack:3 terrain:3 torture:4'

frames_in() { # SCENE few|COUNT
    local of
    [ "$2" = few ] || { echo "$2"; return; }
    for of in $few; do [ "${of%:*}" != "$1" ] || { echo "${of#*:}"; return; }; done
    echo 60
}
hash_here() { "$PLIANT_BINARY" run "$scratch/$1.pliant" --json --quiet --frames "$2" | sed -nE 's/.*"hash": *"([0-9a-f]+)".*/\1/p'; }
golden_of() { sed -n "s/^$1 $PLIANT_REAL $2 //p" "$PLIANT_SOURCE_DIR/tests/golden/hashes.txt"; }
rate_of() { # SCENE: frames per second
    local fps
    fps=$(sed -nE 's/.*"fps": *([0-9.]+).*/\1/p' "$PLIANT_SOURCE_DIR/scenes/$1.json" | head -n 1)
    echo "${fps:-60}"
}

# One scene on one machine: a line `ok` or `not ok`. In a process of its own, so that two run at once.
check_scene() { # NAME PROGRAM RUNNER THREADS FRAMES SCENE
    local name=$1 program=$2 runner=$3 threads=$4 scene=$6 frames expected line wrong='' ways=0
    frames=$(frames_in "$scene" "$5")
    expected=$(hash_here "$scene" "$frames")
    local recorded
    recorded=$(golden_of "$scene" "$frames")
    # shellcheck disable=SC2086 # a runner may have switches
    $runner "$program" "$scratch/$scene.pliant" "$frames" "$(rate_of "$scene")" "$threads" >"$scratch/$name.$scene" 2>"$scratch/$name.$scene.err"
    local status=$?
    while read -r line; do
        line=${line%$'\r'}
        ways=$((ways + 1))
        [ "${line##* }" = "$expected" ] || wrong="$wrong; $line"
    done <"$scratch/$name.$scene"
    [ -n "$expected" ] && [ "${recorded:-$expected}" = "$expected" ] || wrong="$wrong; here $expected, recorded $recorded"
    if [ "$status" -eq 0 ] && [ -z "$wrong" ] && [ "$ways" -ge 1 ]; then
        echo "ok $name: $scene, $frames frames: $expected in $ways ways"
    else
        echo "not ok $name: $scene, $frames frames: status $status, expected $expected$wrong $(tail -n 1 "$scratch/$name.$scene.err")"
    fi
}

build_machine() { # MACHINE FOLDER LEVEL SWITCHES...
    local real=OFF
    [ "$PLIANT_REAL" = float ] || real=ON
    cmake -S "$PLIANT_SOURCE_DIR" -B "$2" --toolchain "$PLIANT_SOURCE_DIR/cmake/machines/$1.cmake" -DPLIANT_CORE_ONLY=ON -DPLIANT_WERROR=ON \
        -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$3" -DPLIANT_DOUBLE=$real "${@:4}" && cmake --build "$2" -j 2
}

# Whether the widest kernels have the instructions that they are for.
check_instructions() { # NAME FOLDER
    local object
    case "$1" in
    aarch64-linux)
        object=$(find "$2" -path '*pliant_width_4*' -name 'dihedral_angle.c*.o')
        local form=4s
        [ "$PLIANT_REAL" = float ] || form=2d
        if [ "$(aarch64-linux-gnu-objdump -d "$object" | grep -cE "f(mul|div|sqrt).*\.$form")" -ge 100 ]; then
            ok "$1: four lanes are NEON's"
        else
            not_ok "$1: four lanes are not NEON's"
        fi
        ;;
    esac
}

# Whether this processor's system runs a program of the machine: a shell says 126 of one that it cannot.
runs_here() { # PROGRAM
    "$1" >/dev/null 2>&1
    [ $? -ne 126 ]
}

check_machine() { # MACHINE COMPILER RUNNER THREADS FRAMES LEVEL SWITCHES
    local machine=$1 compiler=$2 runner=$3 frames=$5 name=$1 tool
    case "$7" in *SIMD=ON) name="$1 with SIMD" ;; *SIMD=OFF) name="$1 without SIMD" ;; esac
    for tool in $compiler $runner; do
        command -v "$tool" >/dev/null || { echo "$name: left out, for want of $tool"; return; }
    done
    local folder="$scratch/$machine$7"
    # shellcheck disable=SC2086 # none or one
    expect "$name: libpliant builds without a warning" build_machine "$machine" "$folder" "$6" $7 || return
    check_instructions "$machine" "$folder"
    local program
    program=$(find "$folder/tests/machines" -maxdepth 1 -name machine -o -maxdepth 1 -name machine.exe -o -maxdepth 1 -name machine.js)
    if [ -z "$runner" ] && ! runs_here "$program"; then
        runner=qemu-i386 frames=few
        command -v "$runner" >/dev/null || { echo "$name: left out: this system runs no such program, and there is no $runner"; return; }
    fi
    [ "$runner" != node ] || runner='node --no-experimental-fetch'
    # A prefix is made before two want it.
    [ "$runner" != wine ] || wine "$program" >/dev/null 2>&1
    local scene running=0
    for scene in "${scenes[@]}"; do
        check_scene "$name" "$program" "$runner" "$4" "$frames" "$scene" >"$scratch/line.$scene" &
        running=$((running + 1))
        [ "$running" -lt 2 ] || { wait -n; running=$((running - 1)); }
    done
    wait
    for scene in "${scenes[@]}"; do
        cat "$scratch/line.$scene"
        grep -q '^ok ' "$scratch/line.$scene" || failures=$((failures + 1))
    done
    [ "$runner" != wine ] || { wineserver -k || /usr/lib/wine/wineserver64 -k; } 2>/dev/null
}

scenes=()
for scene in "$PLIANT_SOURCE_DIR"/scenes/*.json; do
    scenes+=("$(basename "$scene" .json)")
    "$PLIANT_BINARY" cook "$scene" -o "$scratch/${scenes[-1]}.pliant" >"$scratch/cook.log" 2>&1 || not_ok "$scene is cooked: $(tail -n 1 "$scratch/cook.log")"
done
while IFS='|' read -r machine compiler runner threads frames level switches; do
    [ "$PLIANT_REAL" = float ] || frames=few
    [ -z "$machine" ] || check_machine "$machine" "$compiler" "$runner" "$threads" "$frames" "$level" "$switches" </dev/null
done <<<"$machines"
finish
