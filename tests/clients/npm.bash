# What the tests of programs of npm's share: they are installed as package-lock.json has them, in the build's folder.
# shellcheck shell=bash
here=$PLIANT_SOURCE_DIR/tests/clients
clients=$PLIANT_BUILD_DIR/clients
command -v node >/dev/null && command -v npm >/dev/null || skip_all "no node and npm"
mkdir -p "$clients" && cp "$here"/*.mjs "$clients"
if ! cmp -s "$here/package-lock.json" "$clients/package-lock.json" || [ ! -d "$clients/node_modules" ]; then
    cp "$here/package.json" "$clients"
    cp "$here/package-lock.json" "$clients/lock.new"
    rm -f "$clients/package-lock.json"
    (cd "$clients" && cp lock.new package-lock.json && npm ci --no-audit --no-fund --loglevel=error) >"$scratch/npm.log" 2>&1 || {
        rm -f "$clients/package-lock.json"
        skip_all "npm ci failed: $(tail -n 1 "$scratch/npm.log")"
    }
fi
# A line `ok ...` or `not ok ...` of a script is a check.
node_checks() { # SCRIPT ARGUMENT...
    local line status
    node "$clients/$1" "${@:2}" >"$scratch/node.log" 2>&1
    status=$?
    while read -r line; do
        case $line in
        ok\ *) ok "${line#ok }" ;;
        not\ ok\ *) not_ok "${line#not ok }" ;;
        esac
    done <"$scratch/node.log"
    [ $status -eq 0 ] || { not_ok "$1 ended with $status"; grep -v '^ok ' "$scratch/node.log" | tail -n 20; }
}
cat >"$scratch/all.json" <<'J'
{"pliant": 1, "fps": 60, "colliders": [{"type": "plane", "friction": 0.5}], "bodies": [
 {"type": "cloth", "name": "sheet", "cells": [12, 10], "size": [1, 1], "position": [0, 1, 0], "pins": [0]},
 {"type": "soft", "name": "jelly", "cells": [3, 3, 3], "size": [0.3, 0.3, 0.3], "position": [1, 0.5, 0], "spin": [1, 2, 3]},
 {"type": "rope", "name": "rope", "from": [0, 1, 1], "to": [1, 1.5, 1], "segments": 16, "thickness": 0.01, "pins": [0]},
 {"type": "particles", "name": "dots", "particles": [{"x": [0, 1, 2]}, {"x": [0.1, 2, 2], "v": [1, 0, 0]}]}]}
J
