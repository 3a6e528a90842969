#!/usr/bin/env bash
# Runs the tests with other programs, tests/clients/*.sh, one after another, and ends with the line `N passed, N failed`: what their `ok` and
# `not ok` lines count. One that says `skipped: WHY` counts nothing; one that ends badly without a `not ok` is one failure.
# Usage: tools/run_clients.sh BUILD [NAME...]. Exit 1 if anything failed or nothing ran.
set -u
source=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:?usage: $0 BUILD [NAME...]}" && pwd) || exit 2
shift
: "${PLIANT_CLIENT_SECONDS:=240}" # that one of them may take
export PLIANT_SOURCE_DIR=$source PLIANT_BUILD_DIR=$build PLIANT_BINARY=$build/pliant
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

run_client() { # SCRIPT
    local name status p f
    name=$(basename "$1" .sh)
    echo "-- $name"
    timeout -k 10 "$PLIANT_CLIENT_SECONDS" bash "$1" </dev/null 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
    p=$(grep -c '^ok ' "$log") f=$(grep -c '^not ok ' "$log")
    if [ "$status" -eq 77 ] && [ "$f" -eq 0 ]; then
        skipped=$((skipped + 1))
    elif [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then
        [ "$status" -eq 124 ] && echo "not ok $name: not done after $PLIANT_CLIENT_SECONDS s" || echo "not ok $name: status $status"
        f=1
    elif [ "$status" -eq 0 ] && [ $((p + f)) -eq 0 ]; then
        echo "not ok $name: it checked nothing"
        f=1
    fi
    passed=$((passed + p)) failed=$((failed + f))
}

if [ $# -gt 0 ]; then
    for name in "$@"; do run_client "$source/tests/clients/$name.sh"; done
else
    for script in "$source"/tests/clients/*.sh; do run_client "$script"; done
fi
[ $skipped -eq 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
