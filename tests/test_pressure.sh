#!/usr/bin/env bash
# Laws of filled surfaces as the command has them: no energy comes from nowhere, what presses, is pumped or leaks included; comparing methods repeats itself; and what cannot
# be is one line with its place.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
cd "$scratch" || exit 1
cp "$PLIANT_SOURCE_DIR/scenes/meshes/ball.obj" . || exit 1

# A ball of cloth with this pressure, and more of the body or the scene.
ball() { # PRESSURE [BODY [SCENE]]
    printf '{"pliant": 1, "frames": 40, "solver": {"substeps": 20},\n"bodies": [{"type": "cloth", "mesh": "ball.obj", "scale": 0.2, "bend": "none", "position": [0, 0.3, 0],
"material": {"density": 1.5, "stretch": {"compliance": 1e-4}, "shear": {"compliance": 1e-3}},%s\n"pressure": %s}]%s}' "${2:-}" "$1" "${3:-}" >ball.json
}
keeps_the_law() { "$PLIANT_BINARY" run "$@" -q --on-energy stop; }

floor=', "colliders": [{"type": "plane"}]'
for pressure in '{"gas": 0}' '{"gas": 5000}' '{"gas": -2000}' '{"volume": 1}' '{"gas": {"pressure": 2000, "leak": 3}}' \
    '{"gas": {"keys": [{"time": 0, "pressure": 0}, {"time": 0.5, "pressure": 4000}]}}' \
    '{"volume": {"keys": [{"time": 0, "volume": 1}, {"time": 0.5, "volume": 1.1}]}}'; do
    ball "$pressure" "" "$floor"
    expect "a ball with $pressure that falls gains no energy" keeps_the_law ball.json
done
for mouth in '{"sphere": {"center": [0, 0.5, 0], "radius": 0.05}}' '{"sphere": {"center": [0, 0.5, 0], "radius": 0.08}, "from": 0.2, "discharge": 1, "density": 20}' \
    '{"sphere": {"center": [0.2, 0.3, 0], "radius": 0.1}, "until": 0.1}'; do
    for substeps in 3 20 60; do
        ball '{"gas": {"pressure": 6000}, "mouth": '"$mouth"'}' "" "$floor"
        sed -i "s/\"substeps\": 20/\"substeps\": $substeps/" ball.json
        expect "a ball with the mouth $mouth and $substeps substeps gains no energy but its jet's work" keeps_the_law ball.json
    done
done
expect "nor does the tyre, with a rim that is a rigid cluster" keeps_the_law "$PLIANT_SOURCE_DIR/scenes/tyre.json" --frames 60
expect "nor does the balloon that is let fly" keeps_the_law "$PLIANT_SOURCE_DIR/scenes/let_fly.json"
for model in distance neo_hookean corotated stvk strain; do
    echo '{"pliant": 1, "frames": 30, "solver": {"gravity": [0, 0, 0], "substeps": 20}, "bodies": [{"type": "soft", "cells": [2, 2, 2], "size": [0.3, 0.3, 0.3],
        "model": "'"$model"'", "material": {"young": 1e5}, "pressure": {"gas": 1000}}]}' >soft.json
    expect "a soft body of the model $model under pressure gains no energy" keeps_the_law soft.json
done
expect "nor does the cushion that begins flat" keeps_the_law "$PLIANT_SOURCE_DIR/scenes/cushion.json" --frames 140
expect "nor do the balloons" keeps_the_law "$PLIANT_SOURCE_DIR/scenes/balloons.json" --frames 120
ball '{"gas": 3000}'
expect "comparing methods on a filled body repeats itself" "$PLIANT_BINARY" compare ball.json --methods gauss_seidel,jacobi --iterations 20 --repeat 2 -q -o out.csv

# What is filled.
says() { # WORDS COMMAND...
    local words=$1
    shift
    "$@" >out 2>&1
    grep -qF -- "$words" out
}
ball '{"gas": 3000}'
expect "check says what is filled" says "filled: 1 closed part, of 0.03317 m3 (gas)" "$PLIANT_BINARY" check ball.json
expect "and in JSON" says '"filled": [{"body": "body1", "kind": "gas", "volume": 0.0331' "$PLIANT_BINARY" check --json ball.json
awk '{print} /^v/ {x[++n] = $2; y[n] = $3; z[n] = $4} /^f/ {f[++m] = $0}
    END {for (i = 1; i <= n; i++) print "v", x[i] / 2 + 3, y[i] / 2, z[i] / 2; for (i = 1; i <= m; i++) {split(f[i], c, " "); print "f", c[2] + n, c[3] + n, c[4] + n, c[5] + n}}' \
    ball.obj >two.obj
sed 's/ball.obj/two.obj/' ball.json >two.json
expect "each part has its volume" says "filled: 2 closed parts, of 0.03317 m3 (gas), 0.004147 m3 (gas)" "$PLIANT_BINARY" check two.json
echo '{"pliant": 1, "bodies": [{"type": "cloth", "cells": [2, 2], "size": [1, 1]}]}' >none.json
expect "and of what is not filled nothing is said" says '"filled": []' "$PLIANT_BINARY" check --json none.json
sed '$d' ball.obj >open.obj
expect "the doctor says where a surface is open" says "open edges: 4 around 1 hole, the first at vertices" "$PLIANT_BINARY" mesh open.obj --doctor

# Refusals.
bad() { # WORDS PRESSURE [BODY]
    ball "$2" "${3:-}"
    "$PLIANT_BINARY" run ball.json -q >out 2>err
    local status=$?
    if [ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^ball.json:[0-9]*: " err && grep -q "$1" err && [ ! -s out ]; then
        ok "refused: $2"
    else
        not_ok "refused with \"$1\": $2: status $status, $(head -n 2 err)"
    fi
}
bad "an object" '5000'
bad "exactly one" '{}'
bad "exactly one" '{"gas": 1, "volume": 1}'
bad "unknown key" '{"steam": 1}'
bad "unknown key" '{"gas": {"presure": 1}}'
bad "a number" '{"gas": {"pressure": "high"}}'
bad "twice" '{"gas": {"pressure": 1, "keys": [{"time": 0, "pressure": 1}]}}'
bad "not after" '{"gas": {"keys": [{"time": 1, "pressure": 1}, {"time": 1, "pressure": 2}]}}'
bad "missing" '{"gas": {"keys": [{"time": 1}]}}'
bad "0" '{"volume": -1}'
bad "needs one of" '{"gas": 1, "mouth": {}}'
bad "an object" '{"gas": 1, "mouth": 5}'
bad "needs exactly one of" '{"mouth": {"side": "+y"}}'
bad "unknown key" '{"gas": 1, "mouth": {"side": "+y", "with": 3}}'
bad "at most a quarter" '{"gas": 1, "mouth": {"all": true}}'
bad "no face" '{"gas": 1, "mouth": {"vertices": [3, 4]}}'
bad "starts in this" '{"gas": 1, "mouth": {"box": [[5, 5, 5], [6, 6, 6]]}}'
bad "a gas" '{"volume": 1, "mouth": {"side": "+y"}}'
bad "shuts at" '{"gas": 1, "mouth": {"sphere": {"center": [0, 0.5, 0], "radius": 0.1}, "from": 2, "until": 1}}'
bad "at most 1" '{"gas": 1, "mouth": {"side": "+y", "discharge": 1.5}}'
sed '$d' ball.obj >open.obj && cp open.obj ball.obj
bad "not closed" '{"gas": 1}'
finish
