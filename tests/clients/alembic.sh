#!/usr/bin/env bash
# Alembic's own library reads what pliant wrote. Debian has no package of it; npm's `alembic` is it, built for Windows as a library for Node. So it
# runs under Wine, and alembic_host.c stands for Node.
. "$(dirname "${BASH_SOURCE[0]}")/../shell.sh"
for program in npm wine x86_64-w64-mingw32-gcc python3; do command -v $program >/dev/null || skip_all "no $program"; done
here=$PLIANT_SOURCE_DIR/tests/clients pliant=$PLIANT_BINARY
cd "$scratch" || exit 1
export WINEPREFIX=$scratch/wine WINEDEBUG=-all
trap 'wineserver -k >/dev/null 2>&1; wineserver -w >/dev/null 2>&1; rm -rf "$scratch"' EXIT

timeout 60 npm pack alembic@0.0.3 --silent >/dev/null 2>&1 || skip_all "npm cannot fetch alembic@0.0.3"
tar xzf alembic-0.0.3.tgz && mv package/build/win/umabcio.node . || skip_all "the package is another one"
expect "the package is the one that is known" sha256sum -c --quiet - <<<"$(cat "$here/alembic.sha256")" || finish
x86_64-w64-mingw32-gcc -std=c17 -O1 -Wall -Wextra -shared -o node.dll "$here/alembic_host.c" "$here/alembic_host.def" &&
    x86_64-w64-mingw32-gcc -std=c17 -O1 -Wall -Wextra -o main.exe "$here/alembic_main.c" || { not_ok "the host compiles"; finish; }

cat >all.json <<'J'
{"pliant": 1, "fps": 25, "frames": 8,
 "bodies": [{"type": "cloth", "name": "sheet", "mesh": "faces.obj", "pins": [0]},
            {"type": "rope", "name": "rope", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 5, "pins": [0]},
            {"type": "soft", "name": "jelly", "cells": [1, 2, 1], "size": [0.5, 0.5, 0.5], "spin": [1, 2, 3]},
            {"type": "particles", "name": "one", "particles": [{"x": [0, 1, 0]}]},
            {"type": "particles", "name": "dust", "particles": [{"x": [3, 1, 0]}, {"x": [4, 2, 0]}, {"x": [5, 2, 1]}]}]}
J
printf '%s\n' 'v 0 0 0' 'v 1 0 0' 'v 1 0 1' 'v 0 0 1' 'v 2 0 0' 'v 2.5 0 0.5' 'v 2 0 1' 'f 1 2 3 4' 'f 2 5 6 7 3' >faces.obj
"$pliant" run all.json -q -o all.abc -o all.csv -o all.ply/
read_all() { # ARCHIVE FRAMES [more]
    timeout 150 wine ./main.exe "$1" "$2" 40 2>err | tr -d '\r' >lines
    python3 "$here/alembic.py" lines all.csv all.ply "$2" 25 ${3:+"$3"} >log 2>&1 || { cat err log; return 1; }
}
expect "Alembic's library reads an archive" read_all all.abc 9
grep -E '^(ok|not ok) ' log
failures=$((failures + $(grep -c '^not ok ' log)))

# One that is followed in tests, put together by hand: of its six samples, from frame 1 on, only the third and the fourth are stored, since the others are as those before.
vertices() { timeout 150 wine ./main.exe "$PLIANT_SOURCE_DIR/tests/animated/listed.abc" 7 41.6666667 2>err | tr -d '\r' | sed -n 's|.*"/body/bodyShape", "frame": \([0-9]*\), "is": {"vertex": .\([0-9]*\), .*|\1:\2|p' | tr '\n' ' '; }
expect "what is stored once, the library has where the tests of following have it" test "$(vertices)" = "0:1 1:1 2:1 3:2 4:4 5:4 6:4 "

# One that a killed process left, with its room for frames to come.
sed 's/"frames": 8/"frames": 100000000/' all.json >endless.json
"$pliant" run endless.json -q --force -o killed.abc &
pid=$!
wait_until test -s killed.abc
sleep 0.2
kill -9 $pid
wait $pid 2>/dev/null
expect "and one whose run was killed" read_all killed.abc 9 more
expect "all of it" test "$(grep -c '^ok ' log)" -ge 10 -a "$(grep -c '^not ok ' log)" -eq 0
finish
