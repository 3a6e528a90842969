#!/usr/bin/env bash
# Laws of shape matching as the command has it: no energy comes from nowhere, a softening body included; a run that is resumed goes on as it would have; points
# alone will do; and what cannot be is one line with its place.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
cd "$scratch" || exit 1
cp "$PLIANT_SOURCE_DIR/scenes/meshes/rabbit.obj" . || exit 1

# A body of this shape that falls, and more of the body.
body() { # SHAPE [BODY]
    printf '{"pliant": 1, "frames": 40, "solver": {"substeps": 5}, "colliders": [{"type": "plane"}],\n"bodies": [{"type": "soft", "cells": [3, 3, 3], "size": [0.3, 0.3, 0.3], "position": [0, 0.4, 0],
"model": "shape_matching", "material": {"density": 1000},%s\n"shape": %s}]}' "${2:-}" "$1" >body.json
}
keeps_the_law() { "$PLIANT_BINARY" run "$@" -q --on-energy stop; }

for shape in '{"rigid": {}}' '{"rigid": 1e5, "cluster": 0.2}' '{"linear": {"young": 2e4, "poisson": 0.3}}' '{"linear": 2e4, "cluster": 0.2}' \
    '{"quadratic": {"hourglass": 0.1}}' '{"linear": 1e4, "clusters": [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [0, 20, 30, 40, 50, 60, 63]]}' \
    '{"linear": {"keys": [{"time": 0, "young": 5e4}, {"time": 0.5, "young": 2e3}]}, "cluster": 0.2}' \
    '{"linear": {"keys": [{"time": 0, "young": 2e3}, {"time": 0.6, "young": 8e4}]}, "cluster": 0.2}'; do
    body "$shape"
    expect "a body of $shape that falls gains no energy" keeps_the_law body.json
done
echo '{"pliant": 1, "frames": 30, "colliders": [{"type": "plane"}], "bodies": [{"type": "cloth", "mesh": "rabbit.obj", "scale": 0.5, "position": [0, 0.3, 0],
    "model": "shape_matching", "material": {"density": 10}, "shape": {"linear": 2e4, "cluster": 0.15}}]}' >rabbit.json
expect "a surface with nothing inside falls, and gains no energy" keeps_the_law rabbit.json
echo '{"pliant": 1, "frames": 30, "colliders": [{"type": "plane"}], "bodies": [{"type": "particles", "shape": {"rigid": {}}, "particles": [{"x": [0, 1, 0]},
    {"x": [0.1, 1, 0]}, {"x": [0, 1.1, 0]}, {"x": [0, 1, 0.1]}, {"x": [0.1, 1.1, 0.1], "mass": 2}]}]}' >points.json
expect "points alone fall, and gain no energy" keeps_the_law points.json

for shape in '{"linear": 3e4, "cluster": 0.2}' '{"rigid": 1e6}'; do
    body "$shape" '"pins": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],'
    expect "a body of $shape that is pinned on a side gains no energy" keeps_the_law body.json
    body "$shape" '"attach": [{"vertices": [0, 3, 12, 15], "keys": [{"time": 0, "translate": [0, 0, 0]}, {"time": 0.3, "translate": [0.2, 0.3, 0]}, {"time": 0.6, "translate": [0, 0, 0.2]}]}],'
    expect "nor does one of $shape that is led by four vertices" keeps_the_law body.json
done
# A body that lies flat and is made stiff within a frame of one substep: what leads its modulus works as much as it holds more.
body '{"linear": {"keys": [{"time": 0, "young": 1}, {"time": 0.3, "young": 1}, {"time": 0.31, "young": 1e5}]}}'
sed -i 's/"substeps": 5/"substeps": 1/' body.json
expect "a body that lies flat and is made stiff at once gains no energy but that" keeps_the_law body.json
body '{"quadratic": {}, "cluster": 0.2}'
hash_of() { "$PLIANT_BINARY" run body.json -q --json "$@" | sed -nE 's/.*"hash": *"?([0-9A-Za-z]+)"?.*/\1/p'; }
whole=$(hash_of)
hash_of --frames 17 --checkpoint kept.check >/dev/null
resumed=$(hash_of --resume kept.check)
expect "a run that is resumed goes on as it would have" test "$whole" = "$resumed"

# Refusals.
bad() { # WORDS SHAPE [BODY]
    body "$2" "${3:-}"
    "$PLIANT_BINARY" run body.json -q >out 2>err
    local status=$?
    if [ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^body.json:[0-9]*: " err && grep -q "$1" err && [ ! -s out ]; then
        ok "refused: $2"
    else
        not_ok "refused with \"$1\": $2: status $status, $(head -n 2 err)"
    fi
}
bad "an object" '5000'
bad "exactly one" '{}'
bad "exactly one" '{"cluster": 0.2}'
bad "exactly one" '{"rigid": {}, "linear": {}}'
bad "unknown key" '{"gas": 1000}'
bad "unknown key" '{"rigid": {"poisson": 0.3}}'
bad "out of range" '{"linear": {"poisson": 0.5}}'
bad "already" '{"linear": {}, "cluster": 0.1, "clusters": [[0, 1, 2]]}'
bad "too small" '{"linear": {}, "cluster": 1e-7}'
bad "above 0\|out of range\|greater" '{"linear": {}, "cluster": 0}'
bad "64" '{"linear": {}, "clusters": [[0, 1, 64]]}'
bad "list\|empty\|at least" '{"linear": {}, "clusters": [[]]}'
bad "nothing holds body .* in shape: each of its 64 clusters has fewer than 4 particles" '{"linear": {}, "cluster": 0.01}'
bad "nothing holds body" '{"linear": {}, "clusters": [[0, 1, 2], [4, 5]]}'
body '{"linear": {}, "clusters": [[0, 1, 2], [4, 5], [0, 1, 4, 16, 21]]}'
"$PLIANT_BINARY" check body.json >out 2>err
expect "one line says how many clusters are small" test "$(grep -c "body.json:4: shape: of the 3 clusters of body .* 2 have fewer than 4 particles and 0 are flat" err)" -eq 1
expect "and the scene is taken" grep -q ", 3 clusters" out
body '{"linear": {}, "cluster": 0.25}'
"$PLIANT_BINARY" check body.json >out 2>err
expect "nothing is said of clusters that hold the body" test ! -s err
body '{"linear": {}}'
expect "check says how many clusters a body has" grep -q '"clusters": 1,' <("$PLIANT_BINARY" check --json body.json)
# Layers of which each has clusters of its own, flat ones.
sed 's/"size": \[0.3, 0.3, 0.3\]/"size": [0.3, 0.3, 9]/; s/"shape": {"linear": {}}/"shape": {"linear": {}, "cluster": 0.4}/' body.json >layers.json
"$PLIANT_BINARY" run layers.json -q >out 2>err
expect "a solid of flat layers with nothing between them is refused" grep -q "^layers.json:[0-9]*: .*nothing holds body" err
# Clusters of two that a length holds together are no more than odd.
pair='"shape": {"rigid": {}, "clusters": [[0, 1], [2, 3]]}, "particles": [{"x": [0, 0, 0]}, {"x": [1, 0, 0]}, {"x": [0, 1, 0]}, {"x": [0, 0, 1]}]'
echo '{"pliant": 1, "bodies": [{"type": "particles", '"$pair"'}]}' >pairs.json
"$PLIANT_BINARY" check pairs.json >out 2>err
expect "points in pairs that nothing joins are refused" grep -q "^pairs.json:1: .*nothing holds body" err
echo '{"pliant": 1, "bodies": [{"type": "particles", "constraints": [{"kind": "distance", "ids": [1, 2]}], '"$pair"'}]}' >pairs.json
"$PLIANT_BINARY" check pairs.json >out 2>err
expect "and not if a constraint is there, too" test "$(grep -c "pairs.json:1: .* 2 have fewer than 4" err)" -eq 1
sed 's/"shape": {"linear": {}}/"name": "x"/' body.json >bare.json
"$PLIANT_BINARY" run bare.json -q >out 2>err
expect "a body with nothing to hold it is refused" grep -q "bare.json:[0-9]*: .*needs a \"shape\"" err
finish
