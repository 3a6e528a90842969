#!/usr/bin/env bash
# Runs the tests of one or more build folders and ends with the line `N passed, N failed`: the CMocka tests and test scripts that really
# ran. Usage: tools/run_tests.sh short|most|long|all BUILD... Exit 1 if anything failed or nothing ran.
set -u
which=$1
shift
case "$which" in
short) labels=(-LE '^(long|each)$') ;;
most) labels=(-LE '^long$') ;;
long) labels=(-L '^(long|each)$') ;;
*) labels=() ;;
esac
jobs=$(nproc 2>/dev/null || echo 2)
passed=0 failed=0 bad=0

# Counts in CTest's log. A CMocka program counts by its `[       OK ]` and `[  FAILED  ]` lines; one that crashed has one failure more; a
# script counts by its `ok` and `not ok` lines; without any it is one test, or none if it says `skipped: WHY`.
count() { # LOG
    awk '
    function flush() {
        if (name == "" || state == "") return
        if (state == "pass") { if (!ok && !bad && !cmocka && !skipped) ok = 1 }
        else if (!bad) bad = 1
        passed += ok; failed += bad
    }
    /^[0-9]+\/[0-9]+ Test(ing)?: / { if (!($0 in seen) && $2 == "Testing:") { flush(); name = $3; state = ""; ok = bad = cmocka = skipped = 0 } }
    /^\[==========\] /   { cmocka = 1; summary = /run\.$/ }
    /^\[       OK \] /   { ok++ }
    /^\[  FAILED  \] /   { if (!summary) bad++ }
    /^ok /               { ok++ }
    /^not ok /           { bad++ }
    /^Test Passed\.$/    { state = "pass" }
    /^Test Failed\.$/    { state = "fail" }
    /^skipped: /         { skipped = 1 }
    /^\[==========\] .* Running/ { summary = 0 }
    END { flush(); print passed + 0, failed + 0 }' "$1"
}

add() { # LOG
    local p f
    [ -f "$1" ] || return
    read -r p f < <(count "$1")
    passed=$((passed + p)) failed=$((failed + f))
}

if [ "$which" = long ] && [ -n "${PLIANT_UNTIL:-}" ]; then # on a slow machine some are left out, and named
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    python3 "$(dirname "$0")/run_until.py" "$PLIANT_UNTIL" "$jobs" "$log" "$@" || bad=1
    add "$log"
else
    for build in "$@"; do
        log=$build/Testing/Temporary/LastTest.log
        rm -f "$log"
        (cd "$build" && ctest --output-on-failure --test-output-size-passed 100000000 --test-output-size-failed 100000000 \
            -j "$jobs" "${labels[@]}") || bad=1
        add "$log"
    done
fi
[ "$bad" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
