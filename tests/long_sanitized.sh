#!/usr/bin/env bash
# Law: no scene makes the command do what the language leaves undefined, wrap an integer that is not meant to (cmake/wraps.txt), or use memory that is
# not its own: every scene of scenes/ but the largest, two frames of it, in one lane and in four; some by every method; and every scene that the fuzzer
# keeps, good or bad. In the build of long_fuzz.sh, which has both sanitizers at once.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
[ "$PLIANT_REAL" = float ] && [ -z "${PLIANT_SANITIZE:-}" ] || skip_all "the float build does it"
command -v clang >/dev/null || skip_all "no clang: its sanitizer of integers is needed"
folder=$PLIANT_SOURCE_DIR/build-fuzz
(cd "$PLIANT_SOURCE_DIR" && cmake --preset fuzz -Wno-dev >/dev/null && cmake --build "$folder" -j 2 --target pliant_cli) >"$scratch/build.log" 2>&1 ||
    { not_ok "the command is built with sanitizers"; tail -n 20 "$scratch/build.log"; finish; }

large='layers sheets hundred_thousand' # minutes each, with sanitizers
# A run ends as it says, and no sanitizer has a word; exit code 1 is theirs.
run() { # WIDTH SCENE OPTION...
    PLIANT_WIDTH=$1 "$folder/pliant" run "${@:2}" --threads 2 -q >"$scratch/out" 2>"$scratch/err"
    local status=$?
    { [ "$status" -ne 1 ] && [ "$status" -le 6 ] && ! grep -qE 'runtime error|Sanitizer' "$scratch/err"; } || {
        not_ok "$* (status $status)"
        grep -m 3 -E 'runtime error|ERROR|    #[0-3] ' "$scratch/err"
        return 1
    }
}
runs_of() { # WHAT, then what is run: lines of WIDTH SCENE OPTION...
    local all=0 bad=0 line words
    while read -r line; do
        read -ra words <<<"$line"
        all=$((all + 1))
        run "${words[@]}" || bad=$((bad + 1))
    done
    [ "$all" -gt 0 ] && [ "$bad" -eq 0 ] && ok "$1: $all runs"
}

scenes=() methods=()
for scene in "$PLIANT_SOURCE_DIR"/scenes/*.json "$PLIANT_SOURCE_DIR"/scenes/*/*.json; do
    name=$(basename "$scene" .json)
    [[ " $large " == *" $name "* ]] || scenes+=("$scene")
done
mapfile -t methods < <("$folder/pliant" info --json | python3 -c 'import json, sys; print(*(m["name"] for m in json.load(sys.stdin)["methods"]), sep="\n")')
cd "$scratch" || exit 1
runs_of "scenes" < <(for scene in "${scenes[@]}"; do printf '%s\n' "1 $scene --frames 2" "4 $scene --frames 2"; done)
runs_of "scenes by every method" < <(for scene in jelly net skirt knot; do
    for method in "${methods[@]}"; do echo "4 $PLIANT_SOURCE_DIR/scenes/$scene.json --frames 1 --method $method"; done
done)
runs_of "scenes that the fuzzer keeps" < <(for scene in "$PLIANT_SOURCE_DIR"/tests/fuzz/corpus/scene/*; do
    [ -f "$scene" ] && echo "4 $scene --frames 2"
done)
finish
