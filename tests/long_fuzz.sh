#!/usr/bin/env bash
# Law: whatever bytes a reader is given, it reads them or says why not. Every target of tests/fuzz/, with libFuzzer and sanitizers of memory and of
# undefined behaviour: a minute for files of other programs, a sixth of one for those that only Pliant writes, 6 minutes in all, and the same
# inputs every time: a tree is good or bad, whatever the day. `make fuzz` takes longer, and others each time. Once for both precisions: the
# readers are the same text.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
[ "$PLIANT_REAL" = float ] && [ -z "${PLIANT_SANITIZE:-}" ] || skip_all "the float build does it"
command -v clang >/dev/null || skip_all "no clang, whose libFuzzer is needed"
folder=$PLIANT_SOURCE_DIR/build-fuzz
(cd "$PLIANT_SOURCE_DIR" && cmake --preset fuzz -Wno-dev >/dev/null && cmake --build "$folder" -j 2 --target pliant_fuzz) >"$scratch/build.log" 2>&1 ||
    { not_ok "the fuzzer is built"; tail -n 20 "$scratch/build.log"; finish; }
export OWN_SECONDS=${PLIANT_FUZZ_SECONDS:-10}
JOBS=2 SEED=1 "$PLIANT_SOURCE_DIR/tools/fuzz.sh" "$folder" "${PLIANT_FUZZ_SECONDS:-60}"
