#!/usr/bin/env bash
# Laws of bodies that tear as the command has them: no energy comes from nowhere; files of a frame have the faces of that frame, and formats that cannot have them say
# so; one hash whatever runs it; and what cannot be is one line with its place.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
cd "$scratch" || exit 1

# A sheet that hangs from one side, with these cells and this "tear", and more of the body.
sheet() { # CELLS TEAR [BODY]
    printf '{"pliant": 1, "frames": 40, "solver": {"substeps": 20},\n"bodies": [{"type": "cloth", "model": "strain", "cells": [%s, %s], "size": [1, 1], "position": [0, 2, 0],
"material": {"density": 0.3, "stretch_warp": 20, "stretch_weft": 20, "shear_stiffness": 5, "bending_rigidity": [1e-6, 1e-6]}, "pins": {"side": "-x"},%s\n"tear": %s}]}' \
        "$1" "$1" "${3:-}" "$2" >sheet.json
}
keeps_the_law() { "$PLIANT_BINARY" run "$@" -q --on-energy stop; }
faces_of() { grep '^f ' "$1" | sort; }
run_hash() { "$PLIANT_BINARY" run "$@" -q --json 2>/dev/null | sed -nE 's/.*"hash": *"([0-9a-f]+)".*/\1/p'; }

for substeps in 1 5 20; do
    sheet 16 '{"stretch": 1.05, "spare": 1}'
    sed -i "s/\"substeps\": 20/\"substeps\": $substeps/" sheet.json
    expect "a sheet that tears gains no energy with $substeps substeps" keeps_the_law sheet.json
done
expect "nor does the torn flag, with the work of its wind" keeps_the_law "$PLIANT_SOURCE_DIR/scenes/torn_flag.json" --frames 90

sheet 12 '{"stretch": 1.05, "spare": 1}'
expect "frames of a torn sheet are written as .obj" "$PLIANT_BINARY" run sheet.json -o torn/ -q
first=$(ls torn/*.obj 2>/dev/null | head -n 1) last=$(ls torn/*.obj 2>/dev/null | tail -n 1)
if [ -n "$last" ] && [ "$(grep -c '^v ' "$first")" -eq "$(grep -c '^v ' "$last")" ] && [ "$(grep -c '^f ' "$first")" -eq "$(grep -c '^f ' "$last")" ] &&
    [ "$(faces_of "$first")" != "$(faces_of "$last")" ]; then
    ok "they have as many vertices and faces each, and other corners at the end"
else
    not_ok "vertices and faces of $first and $last: $(grep -c '^v ' "$first") $(grep -c '^v ' "$last") $(grep -c '^f ' "$first") $(grep -c '^f ' "$last")"
fi
expect "as .ply, too" "$PLIANT_BINARY" run sheet.json -o torn.ply -q
expect "as .pvd, .usda and .abc" "$PLIANT_BINARY" run sheet.json -o torn.pvd -o torn.usda -o torn.abc -q
hdf5=no
"$PLIANT_BINARY" info | grep -q '(HDF5): yes' && hdf5=yes
[ $hdf5 = no ] || expect "and as .vtkhdf" "$PLIANT_BINARY" run sheet.json -o torn.vtkhdf -q
if command -v python3 >/dev/null; then
    python3 "$PLIANT_SOURCE_DIR/tests/read_torn.py" torn >read.log 2>&1 || echo "not ok readers of its own: $(tail -n 1 read.log)" >>read.log
    while read -r line; do
        case $line in
        ok\ *) ok "${line#ok }" ;;
        not\ ok*) not_ok "${line#not ok }" ;;
        esac
    done <read.log
fi
for ending in pc2 mdd glb; do
    "$PLIANT_BINARY" run sheet.json -o "torn.$ending" -q >out 2>err
    status=$?
    if [ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "take .obj, .ply, .*--exploded" err && ! ls torn."$ending"* >/dev/null 2>&1; then
        ok ".$ending is refused in one line, and nothing is written"
    else
        not_ok ".$ending is refused: status $status, $(head -n 2 err)"
    fi
done

# Exploded: a vertex per corner of a face, in all formats with faces.
exploded=() also=(usda abc)
[ $hdf5 = no ] || also+=(vtkhdf)
for ending in pc2 mdd glb "${also[@]}"; do exploded+=(-o "ex.$ending" --exploded); done
expect "exploded, every format takes it" "$PLIANT_BINARY" run sheet.json -q "${exploded[@]}" -o ex.obj --exploded
if command -v python3 >/dev/null; then
    expect "a .pc2 then has where the corners of each frame's faces are, and its mesh is the .obj that is written likewise" python3 - <<'P'
import glob, struct
def read(path):
    v, f = [], []
    for line in open(path):
        if line.startswith("v "): v.append(tuple(struct.unpack("f", struct.pack("f", float(k)))[0] for k in line.split()[1:]))
        if line.startswith("f "): f += [int(k) - 1 for k in line.split()[1:]]
    return v, f
data = open("ex.pc2", "rb").read()
points, samples = struct.unpack("<i", data[16:20])[0], struct.unpack("<i", data[28:32])[0]
plain, mesh = sorted(glob.glob("torn/*.obj")), sorted(glob.glob("ex.obj/*.obj"))
assert len(plain) == len(mesh) == samples > 10
for n in range(samples):
    v, f = read(plain[n])
    x = list(struct.iter_unpack("<3f", data[32 + 12 * points * n : 32 + 12 * points * (n + 1)]))
    assert x == [v[i] for i in f], n
    assert read(mesh[n]) == (x, list(range(points))), n
P
fi
"$PLIANT_BINARY" run sheet.json -q -o ex.csv --exploded >out 2>err
expect "but a .csv, which has no faces, in one line" test $? -eq 2 -a "$(wc -l <err)" -eq 1
grep -q "no faces" err && ok "that says so" || not_ok "that says so: $(cat err)"
"$PLIANT_BINARY" run sheet.json -q --exploded -o ex.obj 2>err
expect "an --exploded of no output is a line" test $? -eq 2 -a "$(wc -l <err)" -eq 1
"$PLIANT_BINARY" run sheet.json -q --frames 20 -o on.pc2 --exploded -o on.glb --exploded -o on/ -o on.usda -o on.abc --checkpoint on.check
"$PLIANT_BINARY" run sheet.json -q -o on.pc2 --exploded -o on.glb --exploded -o on/ -o on.usda -o on.abc --resume on.check
expect "stopped and gone on with: the same .pc2" cmp on.pc2 ex.pc2
expect "the same .glb" cmp on.glb ex.glb
expect "the same .usda" cmp on.usda torn.usda
expect "the same .abc" cmp on.abc torn.abc
expect "and the same .obj files" diff -r -x "*.vtp" on torn
sed -i '0,/^f .*/s//f 1 2 99999/' "on/$(basename "$(ls on/*.obj | sed -n 5p)")"
"$PLIANT_BINARY" run sheet.json -q -o on/ --resume on.check >out 2>err
expect "a face with a corner that is no vertex is not gone on with" test $? -eq 2 -a "$(wc -l <err)" -eq 1
grep -q "on/.*obj:[0-9]*: a face has a corner that is no vertex" err && ok "and its file and line are said" || not_ok "and its file and line are said: $(cat err)"
for cache in torn/ torn.ply torn.pvd torn.usda torn.abc ex.pc2 ex.mdd ex.glb ex.obj; do
    "$PLIANT_BINARY" render "$cache" --scene sheet.json --frames 40 --size 96x64 -q --force -o drawn.png 2>err ||
        { grep -q "not available\|pictures" err && continue || { not_ok "a torn $cache is drawn: $(cat err)" && continue; }; }
    [ -e scene.png ] || "$PLIANT_BINARY" render sheet.json --frames 40 --size 96x64 -q -o scene.png
    case $cache in
    *.glb) expect "a torn $cache is drawn" test -s drawn.png ;; # its points are differences, rounded
    *) expect "a torn $cache is drawn as the scene is" cmp drawn.png scene.png ;;
    esac
done

expected=$(run_hash sheet.json --threads 1)
for threads in 2 3; do
    [ -n "$expected" ] && [ "$(PLIANT_HAND_OUT=all run_hash sheet.json --threads $threads)" = "$expected" ] && ok "one hash with $threads threads" || not_ok "one hash with $threads threads"
done
[ "$(PLIANT_WIDTH=1 run_hash sheet.json)" = "$expected" ] && ok "one hash with one lane" || not_ok "one hash with one lane"

# What stands by, and that there was too little of it.
sheet 12 '{"stretch": 1.05, "spare": 0.01}'
expect "check says how many vertices stand by" grep -q ", [1-9][0-9]* of the vertices stand by for tears" <("$PLIANT_BINARY" check sheet.json)
expect "and in JSON, too" grep -q '"spare_vertices": [1-9]' <("$PLIANT_BINARY" check --json sheet.json)
"$PLIANT_BINARY" run sheet.json -q --json >out 2>err
expect "one line says that a sheet with too few spares tore no further" test "$(grep -c "sheet.json: a tear found no spare vertex [1-9][0-9]* times*, and went no further there" err)" -eq 1
expect "and how often in JSON" grep -q '"unsplit": [1-9]' out
sheet 12 '{"stretch": 1.05, "spare": 1}'
"$PLIANT_BINARY" run sheet.json -q --json >out 2>err
[ ! -s err ] && grep -q '"unsplit": 0,' out && ok "one with enough says nothing" || not_ok "one with enough says nothing: $(head -n 2 err)"
sheet 12 '{"stretch": 1.2, "weak": {"side": "+x", "strength": 0.9}}'
weak_one=$(run_hash sheet.json)
sheet 12 '{"stretch": 1.2, "weak": [{"side": "+x", "strength": 0.9}]}'
[ -n "$weak_one" ] && [ "$(run_hash sheet.json)" = "$weak_one" ] && ok "one weak place is a list of one" || not_ok "one weak place is a list of one"

# Refusals.
bad() { # WORDS TEAR [BODY]
    sheet 4 "$2" "${3:-}"
    "$PLIANT_BINARY" run sheet.json -q >out 2>err
    local status=$?
    if [ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^sheet.json:[0-9]*: " err && grep -q -e "$1" err && [ ! -s out ]; then
        ok "refused: $2 ${3:-}"
    else
        not_ok "refused with \"$1\": $2 ${3:-}: status $status, $(head -n 2 err)"
    fi
}
bad "an object" '1.2'
bad "missing" '{}'
bad "above 1" '{"stretch": 1}'
bad "above 0" '{"stretch": 1.2, "spare": 0}'
bad "unknown key" '{"stretch": 1.2, "strong": 1}'
bad "missing" '{"stretch": 1.2, "weak": [{"all": true}]}'
bad "needs one of" '{"stretch": 1.2, "weak": [{"strength": 0.9}]}'
bad "above 0" '{"stretch": 1.2, "weak": [{"all": true, "strength": 0}]}'
bad "tether" '{"stretch": 1.2}' '"tether": 1,'
bad "self_contact" '{"stretch": 1.2}' '"self_contact": true, "thickness": 0.01,'
bad "pressure" '{"stretch": 1.2}' '"pressure": {"gas": 1},'
bad "shape" '{"stretch": 1.2}' '"shape": {"rigid": {}},'
sheet 4 '{"stretch": 1.2}'
sed -i 's/"model": "strain", //; s/"material": {[^}]*}/"material": "cotton"/' sheet.json
"$PLIANT_BINARY" run sheet.json -q >out 2>err
[ $? -eq 2 ] && grep -q "strain or stvk" err && ok "refused of cloth of distances" || not_ok "refused of cloth of distances: $(head -n 2 err)"

# A bar of tetrahedra that hangs from its upper end, with this model and this "tear", and more of the body.
bar() { # MODEL TEAR [BODY]
    printf '{"pliant": 1, "frames": 40, "solver": {"substeps": 20},\n"bodies": [{"type": "soft", "model": "%s", "cells": [3, 12, 3], "size": [0.25, 1, 0.25], "position": [0, 2, 0],
"material": {"density": 1000, "young": 20000, "poisson": 0.4}, "pins": {"side": "+y"},%s\n"tear": %s}]}' "$1" "${3:-}" "$2" >bar.json
}
for model in neo_hookean corotated stvk strain; do
    bar $model '{"stretch": 1.1, "spare": 1}'
    expect "a bar of $model that tears gains no energy" keeps_the_law bar.json
done
bar neo_hookean '{"stretch": 1.1, "spare": 1}'
expect "frames of a torn bar are written as .obj" "$PLIANT_BINARY" run bar.json -o bar/ -q
open_faces() { grep '^f ' "$1" | grep -cvE '^f ([0-9]+) \1 \1$'; } # others stand by: they have one corner
first=$(ls bar/*.obj 2>/dev/null | head -n 1) last=$(ls bar/*.obj 2>/dev/null | tail -n 1)
if [ -n "$last" ] && [ "$(open_faces "$first")" -eq 324 ] && [ "$(open_faces "$last")" -gt 324 ] && [ "$(grep -c '^f ' "$first")" -eq "$(grep -c '^f ' "$last")" ]; then
    ok "the last one has more faces, of those that stood by"
else
    not_ok "faces of $first and $last: $(open_faces "$first") $(open_faces "$last")"
fi
for ending in ply pvd; do
    expect "as .$ending, too" "$PLIANT_BINARY" run bar.json -o "bar.$ending" -q
done
expected=$(run_hash bar.json --threads 1)
[ -n "$expected" ] && [ "$(PLIANT_HAND_OUT=all run_hash bar.json --threads 3)" = "$expected" ] && [ "$(PLIANT_WIDTH=1 run_hash bar.json)" = "$expected" ] &&
    ok "one hash of a torn bar with threads and lanes" || not_ok "one hash of a torn bar with threads and lanes"

# A bar that lies in the air and is cut, by these "cuts".
cut() { # CUTS [TEAR]
    printf '{"pliant": 1, "frames": 40, "solver": {"substeps": 5},\n"bodies": [{"type": "soft", "name": "bar", "model": "neo_hookean", "cells": [3, 12, 3], "size": [0.25, 1, 0.25], "position": [0, 2, 0],
"material": {"density": 1000, "young": 50000, "poisson": 0.4}, "pins": {"side": "+y"}%s}],\n"cuts": [%s]}' "${2-, "tear": {"stretch": 3, "spare": 1\}}" "$1" >cut.json
}
down='{"keys": [{"time": 0.1, "edge": [[-0.3, 2.01, -0.3], [0.3, 2.01, -0.3]]}, {"time": 0.4, "edge": [[-0.3, 1.97, 0.3], [0.3, 1.97, 0.3]]}]}'
cut "$down"
expect "a bar that is cut gains no energy" keeps_the_law cut.json
expected=$(run_hash cut.json --threads 1)
[ -n "$expected" ] && [ "$(PLIANT_HAND_OUT=all run_hash cut.json --threads 3)" = "$expected" ] && [ "$(PLIANT_WIDTH=1 run_hash cut.json)" = "$expected" ] &&
    ok "one hash of a bar that is cut with threads and lanes" || not_ok "one hash of a bar that is cut with threads and lanes"
"$PLIANT_BINARY" run cut.json -q -o cut/
for frames in 5 12 20 30; do
    rm -rf gone cut.check
    "$PLIANT_BINARY" run cut.json -q --frames $frames -o gone/ --checkpoint cut.check
    "$PLIANT_BINARY" run cut.json -q -o gone/ --resume cut.check
    expect "stopped after $frames frames and gone on with, a cut is the same" diff -r gone cut
done
"$PLIANT_BINARY" cook cut.json -o cut.pliant -q && [ "$(run_hash cut.pliant --frames 40)" = "$expected" ] && ok "and from a cooked model" || not_ok "and from a cooked model"
no_cut() { # WORDS CUTS [TEAR]
    cut "$2" ${3+"$3"}
    "$PLIANT_BINARY" run cut.json -q >out 2>err
    local status=$?
    [ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^cut.json:[0-9]*: cuts" err && grep -q -e "$1" err && ok "refused: a cut $2" ||
        not_ok "refused with \"$1\": a cut $2: status $status, $(head -n 2 err)"
}
no_cut "corners.*or.*keys" '{}'
no_cut "leave this one out" "{\"time\": 1, ${down#\{}"
no_cut "3 or 4 points, not 2" '{"corners": [[0, 0, 0], [1, 0, 0]]}'
no_cut "off one line" '{"corners": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}'
no_cut "not along itself" '{"keys": [{"time": 0, "edge": [[0, 0, 0], [1, 0, 0]]}, {"time": 1, "edge": [[1, 0, 0], [2, 0, 0]]}]}'
no_cut "at least 2" '{"keys": [{"time": 0, "edge": [[0, 0, 0], [1, 0, 0]]}]}'
no_cut "2 points, not 1" '{"keys": [{"time": 0, "edge": [[0, 0, 0]]}, {"time": 1, "edge": [[1, 1, 0], [2, 0, 0]]}]}'
no_cut "times of keys ascend" '{"keys": [{"time": 1, "edge": [[0, 0, 0], [1, 0, 0]]}, {"time": 1, "edge": [[1, 1, 0], [2, 0, 0]]}]}'
no_cut "out of range" '{"time": -1, "corners": [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}'
no_cut "no body is called" '{"body": "bat", "corners": [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}'
no_cut "body \"bar\" does not tear.*give it \"tear\"" '{"body": "bar", "corners": [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}' ''
no_cut "no body tears" '{"corners": [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}' ''

refused() { # WORDS MODEL [BODY]
    bar "$2" '{"stretch": 1.1}' "${3:-}"
    "$PLIANT_BINARY" run bar.json -q >out 2>err
    local status=$?
    [ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^bar.json:[0-9]*: " err && grep -q -e "$1" err && ok "refused of a bar: $2 ${3:-}" ||
        not_ok "refused of a bar with \"$1\": $2 ${3:-}: status $status, $(head -n 2 err)"
}
refused "neo_hookean, corotated" distance
refused "self_contact" neo_hookean '"self_contact": true, "thickness": 0.01,'
refused "pressure" neo_hookean '"pressure": {"gas": 1},'
finish
