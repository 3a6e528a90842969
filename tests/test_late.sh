#!/usr/bin/env bash
# Law: the command loads HDF5, CHOLMOD, GLFW and OpenGL when it needs them, and not to say its version; where one of them is missing, what needs it says so
# in one line, and all else works.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
pliant=$PLIANT_BINARY
[ -x "$pliant" ] || { not_ok "$pliant is there"; finish; }
[ -z "${PLIANT_SANITIZE:-}" ] || skip_all "a sanitizer wants to be the first library"
grep -q '^PLIANT_LATE:BOOL=ON' "$PLIANT_BUILD_DIR/CMakeCache.txt" || skip_all "this build links its libraries"
cd "$scratch" || exit 1

loads() { LD_TRACE_LOADED_OBJECTS=1 "$pliant" | awk '{print $1}'; } # the dynamic linker lists what it loads, and runs nothing
loads >loaded
if grep -E 'hdf5|cholmod|glfw|libGL|libEGL|epoxy|OSMesa|X11|curl|lapack' loaded >wrong; then
    not_ok "nothing is loaded that a version needs not: $(tr '\n' ' ' <wrong)"
else
    ok "nothing is loaded that a version needs not"
fi
count=$(wc -l <loaded)
if [ "$count" -le 12 ]; then ok "$count libraries are loaded"; else not_ok "$count libraries are loaded, more than 12: $(tr '\n' ' ' <loaded)"; fi

has() { "$pliant" info | grep -qF "$1: yes"; } # PART
refuses() { # WHAT TEXT COMMAND...
    local what=$1 text=$2 code
    shift 2
    "$@" >out 2>err
    code=$?
    if [ $code -ne 0 ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$text" err; then ok "$what"; else not_ok "$what: exit $code, $(cat err)"; fi
}
works() { # WHAT COMMAND...
    local what=$1
    shift
    if "$@" >out 2>err; then ok "$what"; else not_ok "$what: $(cat err)"; fi
}
cat >s.json <<'END'
{"pliant": 1, "frames": 2, "bodies": [{"type": "cloth", "cells": [4, 4], "pins": [{"side": "+z"}]}]}
END
cat >n.json <<'END'
{"pliant": 1, "frames": 2, "solver": {"method": "newton"}, "bodies": [{"type": "cloth", "cells": [4, 4], "pins": [{"side": "+z"}]}]}
END

if has "writing .vtkhdf (HDF5)"; then
    refuses "without HDF5 no .vtkhdf" "is not found" without_libraries libhdf5 "$pliant" run s.json -o s.vtkhdf
    if [ ! -e s.vtkhdf ]; then ok "and nothing is left of it"; else not_ok "a file is left"; fi
    works "without HDF5 other formats" without_libraries libhdf5 "$pliant" run s.json -o s.pc2
    works "with it, .vtkhdf" "$pliant" run s.json -o s.vtkhdf
fi
if has "sparse factors (CHOLMOD)"; then
    refuses "without CHOLMOD no newton for cloth" "sparse factors" without_libraries libcholmod "$pliant" run n.json
    works "without CHOLMOD info" without_libraries libcholmod "$pliant" info
    if grep -q "CHOLMOD): libcholmod is not found" out; then ok "info says so"; else not_ok "info says nothing of it"; fi
    works "without CHOLMOD all else" without_libraries libcholmod "$pliant" run s.json
    works "with it, newton" "$pliant" run n.json
fi
if has "viewer"; then refuses "without GLFW no viewer" "GLFW, which is not found" without_libraries libglfw "$pliant" view s.json; fi
finish
