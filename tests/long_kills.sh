#!/usr/bin/env bash
# A bake that is killed at each single call that changes a file, before the call or within what it writes: whichever it is, --resume goes on to
# the same bytes, and leaves nothing lying about. And what a checkpoint counts is on the disk before it: outputs, its bytes, its name.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
. "$(dirname "${BASH_SOURCE[0]}")/bakes.sh"
[ "$PLIANT_REAL" = float ] || skip_all "killed in float32 already"
cd "$scratch" || exit 1
cat >scene.json <<'S'
{"pliant": 1, "solver": {"substeps": 1}, "bodies": [
  {"type": "cloth", "name": "c", "cells": [2, 2], "position": [0, 1, 0]}, {"type": "rope", "name": "r", "points": [[0, 2, 0], [1, 2, 0]]}]}
S
cc -shared -fPIC -o kill.so -x c - -ldl <<'C' || skip_all "no library that counts calls"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int calls;
static int comes(void) /* the call to die at; KILL_HALF: within it */
{
    const char *at = getenv("KILL_AT");
    const int   dies = at && ++calls == atoi(at);
    if (dies && !getenv("KILL_HALF")) raise(SIGKILL);
    return dies;
}
static void tell(const char *what, int handle, const char *name)
{
    char        link[64], path[4096] = "";
    const char *file = getenv("KILL_LOG");
    FILE       *log = file ? fopen(file, "a") : NULL;
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    if (!name && readlink(link, path, sizeof path - 1) < 0) return;
    if (log) fprintf(log, "%s %s\n", what, name ? name : strrchr(path, '/') + 1), fclose(log);
}
#define REAL(type, name, ...) type (*real)(__VA_ARGS__) = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)
#define ONE(name, declared, used, ...) int name declared { REAL(int, #name, __VA_ARGS__); if (comes()) raise(SIGKILL); return real used; }
static ssize_t put(const char *name, int handle, const void *data, size_t size, off_t at)
{
    REAL(ssize_t, name, int, const void *, size_t, off_t);
    if (!comes()) return real(handle, data, size, at);
    real(handle, data, size / 2, at);
    return raise(SIGKILL);
}
ssize_t pwrite(int handle, const void *data, size_t size, off_t at) { return put("pwrite", handle, data, size, at); }
ssize_t pwrite64(int handle, const void *data, size_t size, off_t at) { return put("pwrite64", handle, data, size, at); }
ONE(unlink, (const char *a), (a), const char *)
ONE(mkdir, (const char *a, mode_t m), (a, m), const char *, mode_t)
ONE(ftruncate, (int h, off_t s), (h, s), int, off_t)
ONE(ftruncate64, (int h, off_t s), (h, s), int, off_t)
int fsync(int handle)
{
    REAL(int, "fsync", int);
    tell("sync", handle, NULL);
    if (comes()) raise(SIGKILL);
    return real(handle);
}
int rename(const char *a, const char *b)
{
    REAL(int, "rename", const char *, const char *);
    tell("name", -1, b);
    if (comes()) raise(SIGKILL);
    return real(a, b);
}
C
LD_PRELOAD=$PWD/kill.so "$pliant" info >/dev/null 2>&1 || skip_all "no library goes before this build's own" # a sanitizer's
same() {
    case ${outputs[0]} in
    pc2 | mdd) cmp "whole.c.${outputs[0]}" "killed.c.${outputs[0]}" && cmp "whole.r.${outputs[0]}" "killed.r.${outputs[0]}" ;;
    *) same_bake whole killed ;;
    esac
}
for output in "${outputs[@]}"; do
    "$pliant" run scene.json -q --frames 5 -o whole."$output" --checkpoint whole.check --every 2
    outputs=("$output")
    points=0 wrong=
    for half in '' 1; do
        for ((at = 1; ; at++)); do
            rm -rf killed killed.*
            env LD_PRELOAD="$PWD/kill.so" KILL_AT=$at ${half:+KILL_HALF=1} "$pliant" run scene.json -q --frames 5 -o killed."$output" --resume killed.check --every 2 2>err &
            wait $! 2>/dev/null
            status=$?
            [ $status -eq 137 ] || break
            points=$((points + 1))
            "$pliant" run scene.json -q --frames 5 -o killed."$output" --resume killed.check --every 2 2>err || wrong+=" call $at${half:+, half}: $(tail -n 1 err);"
            same >log 2>&1 && cmp -s whole.check killed.check && [ -z "$(find . -name 'killed*' \( -name '*.tmp' -o -name '*.part' \))" ] || wrong+=" call $at${half:+, half}: other bytes;"
        done
        [ $status -eq 0 ] || wrong+=" it ends with $status: $(tail -n 1 err);"
    done
    expect "$output: killed at $points calls, it goes on to the same bytes" test -z "$wrong" -a $points -gt 40 || echo "$wrong" | head -c 2000
done
# What was last done to each, before the checkpoint of frame 4 has its name.
rm -rf whole* log
LD_PRELOAD=$PWD/kill.so KILL_LOG=$PWD/log "$pliant" run scene.json -q --frames 5 -o o.csv -o o.obj --checkpoint o.check --every 4
awk '/^name o.check/ && ++n == 2 { exit } { print }' log >before
for path in o.csv c.0004.obj r.0004.obj; do expect "$path is on the disk before the checkpoint that counts it" grep -qx "sync $path" before; done
expect "and so are the checkpoint's own bytes" bash -c 'tail -n 1 before | grep -q "^sync o.check.*tmp"'
expect "and then its name" bash -c 'grep -A 1 "^name o.check" log | tail -n 1 | grep -qx "sync $(basename "$PWD")"'
finish
