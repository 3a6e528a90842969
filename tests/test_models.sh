#!/usr/bin/env bash
# Law: what docs/models.md says that a method takes, the command takes, and what it does not it refuses in one line, exit 2; every model of a scene file has
# its row there.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
page=$PLIANT_SOURCE_DIR/docs/models.md
cp "$PLIANT_SOURCE_DIR/scenes/meshes/ball.obj" "$scratch" && cd "$scratch" || exit 1

# WHAT, a scene of it
scene() { # NAME BODIES [MORE]
    echo "{\"pliant\": 1, \"frames\": 1, \"solver\": {\"substeps\": 2}, \"bodies\": [$2]${3:-}}" >"$1.json"
}
cube='"type": "soft", "cells": [1, 1, 1], "size": [0.2, 0.2, 0.2]'
sheet='"type": "cloth", "cells": [2, 2], "size": [1, 1]'
scene yields "{$sheet, \"bend\": \"none\", \"material\": {\"stretch\": {\"compliance\": 1e-6, \"yield\": 0.1}}}"
scene pressure "{$cube, \"model\": \"distance\", \"pressure\": {\"gas\": 10}}"
scene shapes "{$cube, \"model\": \"shape_matching\", \"shape\": {\"linear\": {}}}"
scene stitches "{$sheet, \"name\": \"a\"}, {$sheet, \"name\": \"b\", \"position\": [0, 0.1, 0]}" ', "stitches": [{"a": {"body": "a", "vertices": [0, 1]}, "b": {"body": "b", "vertices": [0, 1]}}]'
scene tearing "{\"type\": \"cloth\", \"mesh\": \"ball.obj\", \"model\": \"strain\", \"warp\": [1, 0, 0], \"bend\": \"none\", \"material\": \"cotton\", \"tear\": {\"stretch\": 2}}"
scene breaking "{\"type\": \"rope\", \"from\": [0, 1, 0], \"to\": [1, 1, 0], \"segments\": 4, \"stretch\": {\"compliance\": 1e-5, \"break\": 100}}"
scene stiffness "{$sheet, \"bend\": \"none\", \"material\": {\"stretch\": {\"stiffness\": 0.5}}}"
scene limits "{$sheet, \"tether\": 1, \"pins\": [0]}"
scene solids "{$cube, \"model\": \"corotated\", \"material\": {\"young\": 1e4}}"

rows=$(sed -n '/^<!-- takes:/,/^<!-- end of takes/p' "$page" | grep '^|')
mapfile -t methods < <(head -n 1 <<<"$rows" | grep -oE '\[[a-z_]+\]' | tr -d '[]')
expect "the page has every method" test "${methods[*]}" = "$("$PLIANT_BINARY" info --json |
    python3 -c 'import json, sys; print(*(m["name"] for m in json.load(sys.stdin)["methods"]))')"
takes() { # SCENE METHOD: 0, or 2 of what is refused; 6 is a want of sparse factors, not a refusal
    "$PLIANT_BINARY" run "$1.json" --method "$2" -q >out 2>err
    local status=$?
    [ $status -eq 6 ] && status=0
    echo "$status $(wc -l <err)"
}
names=(yields pressure shapes stitches tearing breaking stiffness limits solids)
expect "each row of the table is tried" test "$(tail -n +3 <<<"$rows" | wc -l)" -eq ${#names[@]}
for i in "${!names[@]}"; do
    row=$(sed -n "$((i + 3))p" <<<"$rows")
    expect "row $((i + 1)) is of ${names[i]}" grep -q "${names[i]}" <<<"$(cut -d'|' -f2 <<<"$row")"
    for m in "${!methods[@]}"; do
        said=$(cut -d'|' -f$((m + 3)) <<<"$row" | xargs)
        case $said in
        yes) expect "${methods[m]} takes ${names[i]}" test "$(takes "${names[i]}" "${methods[m]}" | cut -d' ' -f1)" = 0 ;;
        no) expect "${methods[m]} refuses ${names[i]} in a line" test "$(takes "${names[i]}" "${methods[m]}")" = "2 1" ;;
        "over jacobi")
            expect "${methods[m]} refuses ${names[i]} in a line" test "$(takes "${names[i]}" "${methods[m]}")" = "2 1"
            expect "${methods[m]} over jacobi takes ${names[i]}" test "$(takes "${names[i]}" "${methods[m]}:base=jacobi" | cut -d' ' -f1)" = 0
            ;;
        *) not_ok "${methods[m]} and ${names[i]}: \"$said\"" ;;
        esac
    done
done
while read -r model; do expect "the page has the model $model" grep -q "\`\"model\": \"$model\"\`\|^| \`$model\`" "$page"; done < <(
    "$PLIANT_BINARY" info --schema | python3 -c '
import json, sys
d = json.load(sys.stdin)["$defs"]
print("\n".join(sorted(set(d["soft"]["properties"]["model"]["enum"] + d["cloth"]["properties"]["model"]["enum"]))))')
# Warp runs along u of a mesh's texture coordinates, with a texture or without; a mesh that has none is told so.
printf 'v 0 0 0\nv 1 0 0\nv 1 0 1\nvt 0 0\nvt 1 0\nvt 1 1\nf 1/1 3/3 2/2\n' >laid.obj
grep -v vt laid.obj | sed 's|/.||g' >bare.obj
for mesh in laid bare; do scene $mesh "{\"type\": \"cloth\", \"mesh\": \"$mesh.obj\", \"model\": \"strain\", \"material\": \"cotton\"}"; done
expect "a mesh with texture coordinates has a warp" "$PLIANT_BINARY" run laid.json -q
expect "a mesh without any has none" test "$(takes bare gauss_seidel)" = "2 1"
expect "and is told what to say" grep -q "give warp" err
finish
