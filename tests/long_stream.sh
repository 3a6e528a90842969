#!/usr/bin/env bash
# Law: a bake streams: ten times as many frames take no more memory, in any format. And a scene that the memory has no room for is refused
# with a line that says how many bytes, not killed.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
cd "$scratch" || exit 1
scene='{"pliant": 1, "solver": {"substeps": 1}, "bodies": [{"type": "cloth", "name": "sheet", "cells": [99, 99], "size": [1, 1]}]}'
echo "$scene" >sheet.json

# What is freed goes back to the system: else how much stays depends on the order of sizes, up to a twentieth.
export MALLOC_MMAP_THRESHOLD_=65536
peak() { # COMMAND...: kilobytes
    python3 -c 'import resource, subprocess, sys
status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(status)' "$@"
}
for format in $("$PLIANT_BINARY" info --json | sed -nE 's/.*"formats": \[([^]]*)\].*/\1/p' | tr -d '",'); do
    case "$format" in .obj | .ply) output=frames$format/ ;; *) output=frames$format ;; esac
    few=0 many=0
    for try in 1 2 3; do # the least counts
        kb=$(peak "$PLIANT_BINARY" run sheet.json -q --threads 2 --frames 50 -o "$output") || not_ok "50 frames to $format"
        rm -rf frames*
        if [ "$try" = 1 ] || [ "$kb" -lt "$few" ]; then few=$kb; fi
        kb=$(peak "$PLIANT_BINARY" run sheet.json -q --threads 2 --frames 500 -o "$output") || not_ok "500 frames to $format"
        rm -rf frames*
        if [ "$try" = 1 ] || [ "$kb" -lt "$many" ]; then many=$kb; fi
        [ $((many * 100)) -gt $((few * 105)) ] || break
    done
    if [ $((many * 100)) -le $((few * 105)) ]; then
        ok "$format: 500 frames of 10,000 vertices take $many kB, 50 take $few kB"
    else
        not_ok "$format: 500 frames take $many kB, 50 take $few kB"
    fi
done

# Ten million vertices, before any of them is made; and a rope that is only a little too large.
sed 's/\[99, 99\]/[3162, 3162]/' <<<"$scene" >large.json
refused() {
    (ulimit -v 4000000 && peak "$PLIANT_BINARY" run large.json -q) 2>err >kilobytes
    [ $? -eq 5 ] && [ "$(wc -l <err)" -eq 1 ] && [ "$(cat kilobytes)" -lt 100000 ] &&
        grep -qE '^large\.json: out of memory: [0-9]{10} bytes for 9998244 particles and [0-9]{8} constraints, at the least \([0-9]{10} bytes in all, and there are 4096000000\)' err
}
# A rope of which the least that it takes is a twentieth less than what there is; compiling it takes more. What there is is said where it is less than what is asked.
bytes_per_segment() {
    echo '{"pliant": 1, "bodies": [{"type": "rope", "name": "r", "segments": 10000000, "from": [0, 0, 0], "to": [100, 0, 0]}]}' >rope.json
    (ulimit -v 1000000 && "$PLIANT_BINARY" run rope.json -q) 2>&1 | sed -nE 's/^rope\.json: out of memory: ([0-9]+)[0-9]{7} bytes for 10000001 particles and .*/\1/p'
}
refused_later() {
    sed -i "s/10000000/$((95 * 10240000 / $(bytes_per_segment)))/" rope.json
    (ulimit -v 1000000 && "$PLIANT_BINARY" run rope.json -q) 2>err
    [ $? -eq 5 ] && [ "$(wc -l <err)" -eq 1 ] &&
        [[ $(cat err) =~ ^rope\.json:\ out\ of\ memory\ while\ compiling\ the\ scene\ \(([0-9]{9,})\ bytes\ in\ all(,\ and\ there\ are\ 1024000000)?\)$ ]] &&
        [ "$([ "${BASH_REMATCH[1]}" -gt 1024000000 ] && echo said)" = "${BASH_REMATCH[2]:+said}" ]
}
[ -n "${PLIANT_SANITIZE:-}" ] || expect "ten million vertices in four gigabytes: one line with the bytes, exit code 5, at once" refused || cat err
[ -n "${PLIANT_SANITIZE:-}" ] || expect "a scene that runs out on the way: the same, of what it was at" refused_later || cat err
finish
