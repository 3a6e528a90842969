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
# Waits until a command is true; two minutes at most, since a machine may be slow or busy.
wait_until() { # COMMAND...
    local end=$((SECONDS + 120))
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.05
    done
}
# Runs a command as on a machine that lacks libraries. Not with a sanitizer, which wants to be the first library.
without_opengl() { without_libraries "EGL OSMesa libGL" "$@"; } # COMMAND...
without_libraries() { # PARTS-OF-NAMES COMMAND...
    local names=$1
    shift
    [ -e "$scratch/hide.so" ] || cc -shared -fPIC -o "$scratch/hide.so" -x c - <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int hides(const char *name)
{
    char names[256], *at = NULL;
    snprintf(names, sizeof names, "%s", getenv("HIDDEN"));
    for (char *part = strtok_r(names, " ", &at); part; part = strtok_r(NULL, " ", &at))
        if (strstr(name, part)) return 1;
    return 0;
}
void *dlopen(const char *name, int flags)
{
    void *(*real)(const char *, int);
    void *found = dlsym(RTLD_NEXT, "dlopen");
    memcpy(&real, &found, sizeof real);
    return real(name && hides(name) ? "/nowhere" : name, flags);
}
C
    HIDDEN=$names LD_PRELOAD=$scratch/hide.so "$@"
}
# Of pictures and films.
size_of() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'; } # of a PNG below 65536
frames_of() { ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames -of csv=p=0 "$1" | tr -d ','; }
# Starts a display of its own, of the size given: its number goes to DISPLAY, its process to $xvfb.
start_display() { # WIDTHxHEIGHT
    # A number that no other test has: a display that is just ending takes away the socket of one that begins with the same number. And one
    # that never resets: else it does so whenever the last client leaves, and whoever connects meanwhile is turned away.
    local number=$((1000 + $$ % 50000))
    Xvfb ":$number" -displayfd 3 -noreset -screen 0 "$1x24" 3>"$scratch/display" >/dev/null 2>&1 &
    xvfb=$!
    wait_until test -s "$scratch/display"
    DISPLAY=:$(cat "$scratch/display")
    export DISPLAY
}
finish() { [ "$failures" -eq 0 ]; exit; }
