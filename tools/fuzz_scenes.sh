#!/usr/bin/env bash
# Draws scenes at random for so many seconds and tries each against the laws of tests/scene_laws.h, two processes at a time. What breaks a law is shrunk
# and lies in BUILD/fuzz-scenes/scene-NUMBER/, with the files that it names; the log says the command that repeats it. Exit 1 if anything is found.
# Usage: tools/fuzz_scenes.sh BUILD SECONDS      SEED: the scenes of that number, where each run has others; JOBS: so many at a time
set -u
[ $# -eq 2 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd) || exit 2
seconds=$2
program=$build/tests/test_random_scenes
[ -x "$program" ] || { echo "fuzz_scenes.sh: $program is not there" >&2; exit 2; }
seed=${SEED:-$(date +%s)}
export SCENES_OUT=$build/fuzz-scenes SCENES_SECONDS=$seconds PLIANT_BUILD_DIR=$build
mkdir -p "$SCENES_OUT"
bad=0
pids=()
for ((job = 0; job < ${JOBS:-2}; job++)); do
    SCENES_FIRST=$((seed * 1000000 + job * 500000)) "$program" >"$SCENES_OUT/$job.log" 2>&1 &
    pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid" || bad=1; done
for ((job = 0; job < ${JOBS:-2}; job++)); do
    grep -E '^(scene [0-9]|[0-9]+ scenes,|  SCENE_FILE=)' "$SCENES_OUT/$job.log"
done
[ $bad -eq 0 ] && echo "ok random scenes" || echo "not ok random scenes: see $SCENES_OUT"
exit $bad
