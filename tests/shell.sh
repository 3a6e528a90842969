# What the test scripts share. Each `ok` or `not_ok` line is one test of the sum that `make test` prints.
# shellcheck shell=bash
set -u
: "${PLIANT_SOURCE_DIR:=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}"
: "${PLIANT_BUILD_DIR:=$PLIANT_SOURCE_DIR/build}"
: "${PLIANT_BINARY:=$PLIANT_BUILD_DIR/pliant}"
: "${PLIANT_REAL:=float}"
failures=0
scratch=$(mktemp -d "${TMPDIR:-/tmp}/pliant-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

ok() { echo "ok $*"; }
not_ok() {
    echo "not ok $*"
    failures=$((failures + 1))
}
# Runs a command; its output is shown only if it fails.
expect() { # WHAT COMMAND...
    local what=$1
    shift
    if "$@" >"$scratch/expect.log" 2>&1; then
        ok "$what"
    else
        not_ok "$what (status $?)"
        tail -n 40 "$scratch/expect.log"
        return 1
    fi
}
skip_all() { # WHY
    echo "skipped: $*"
    exit 77
}
# Starts a display of its own, of the size given: its number goes to DISPLAY, its process to $xvfb.
start_display() { # WIDTHxHEIGHT
    Xvfb -displayfd 3 -screen 0 "$1x24" 3>"$scratch/display" >/dev/null 2>&1 &
    xvfb=$!
    for _ in $(seq 150); do [ -s "$scratch/display" ] && break; sleep 0.2; done
    DISPLAY=:$(cat "$scratch/display")
    export DISPLAY
}
finish() { [ "$failures" -eq 0 ]; exit; }
