#!/usr/bin/env bash
# Law: every example is built, runs to its end, and is C++ as well as C; touch tells of begins and ends by turns, and finds what is there; pool throws more bodies than it has; host comes to the same bits with
# rollback, on threads of its own.
. "$(dirname "$0")/shell.sh"
cd "$scratch" || exit 1
for source in "$PLIANT_SOURCE_DIR"/examples/*.c; do
    name=$(basename "$source" .c)
    expect "$name runs" bash -c '"$1" >"$2.out" 2>"$2.err"' _ "$PLIANT_BUILD_DIR/example_$name" "$name"
    expect "$name says nothing of errors" test ! -s "$name.err"
    command -v c++ >/dev/null && expect "$name is C++" c++ -std=c++17 -fsyntax-only -Wall -I "$PLIANT_SOURCE_DIR/include" -x c++ "$source"
done
# host.cpp is C++ alone, so CMake, which needs none for the library, does not build it.
if command -v c++ >/dev/null; then
    library=("$PLIANT_BUILD_DIR/libpliant.a")
    [ -s "$PLIANT_BUILD_DIR/libpliant_double.a" ] && library=(-DPLIANT_DOUBLE "$PLIANT_BUILD_DIR/libpliant_double.a")
    expect "host is built" c++ -std=c++17 -Wall -Wextra -Werror -O1 -I "$PLIANT_SOURCE_DIR/include" "$PLIANT_SOURCE_DIR/examples/host.cpp" "${library[@]}" -lm -lpthread -o host
    expect "host runs" bash -c './host >host.out'
    expect "rollback comes to the same bits" grep -q "the same bits" host.out
fi
[ -s touch.out ] || { not_ok "touch tells something"; finish; }
expect "the jelly comes down first" bash -c 'head -1 touch.out | grep -q "jelly touches floor"'
expect "touching and leaving come by turns" awk '/ touches | leaves / { who = $3 " " $5; on = $4 == "touches"; if (on == (who in now)) bad = 1; if (on) now[who] = 1; else delete now[who]; n++ }
    END { exit bad || n < 3 }' touch.out
expect "pairs push" grep -Eq '^[1-9][0-9]* pairs .* with [0-9.]+ N' touch.out
expect "the ray meets the sheet" grep -q "from above meets the sheet" touch.out
expect "bodies of the pool are thrown again" grep -q '49 thrown, 15 of 32 there' pool.out
expect "the jelly is in the room" grep -q "in the room: the jelly" touch.out
finish
