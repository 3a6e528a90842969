#!/usr/bin/env bash
# From Blender and back, as docs/programs/cape.md has it: a keyed character comes out as glTF, MDD and PC2, its cape is simulated, and Blender plays it.
. "$(dirname "${BASH_SOURCE[0]}")/../shell.sh"
command -v blender >/dev/null || skip_all "no Blender"
here=$PLIANT_SOURCE_DIR/tests/clients pliant=$PLIANT_BINARY
cd "$scratch" || exit 1
inside() { timeout 300 blender -b --factory-startup --python-exit-code 1 --python "$@" </dev/null; }
mkdir -p meshes
script() { inside "$PLIANT_SOURCE_DIR/docs/programs/cape.py" -- "$@"; }
expect "the script of the docs makes a character" script make "$scratch/meshes"
for name in rider.obj cape.obj rider.glb; do
    expect "$name is as large as the scene's, within a tenth" test $(($(stat -c %s "meshes/$name") * 10)) -gt $(($(stat -c %s "$PLIANT_SOURCE_DIR/scenes/meshes/$name") * 9))
done
cp "$PLIANT_SOURCE_DIR/scenes/cape.json" .
expect "which is a scene without a note" test -z "$("$pliant" check cape.json 2>&1 >/dev/null)"
expect "it runs" "$pliant" run cape.json -q -o cape.pc2 -o cape.csv
checks() { # NAME ARGUMENT...
    inside "$here/cape.py" -- "${@:2}" >"$1.log" 2>&1
    grep -E '^(ok|not ok) ' "$1.log"
    failures=$((failures + $(grep -c '^not ok ' "$1.log")))
    grep -q '^done$' "$1.log" || { not_ok "Blender came to its end: $1"; tail -n 20 "$1.log"; }
}
checks play check "$scratch/meshes" "$scratch/cape.csv" "$scratch/cape.cape.pc2"
checks caches caches "$scratch/meshes"

# The same body by Blender's exporters of point caches: z is up in the one, which is guessed aloud, and y in the other.
for cache in mdd pc2; do
    sed 's|meshes/rider.glb", "object": "\([a-z]*\)"|meshes/\1.'$cache'"|g' cape.json >other.json
    "$pliant" run other.json -q --force -o other.csv
    "$pliant" check other.json >/dev/null 2>err
    expect ".$cache: $([ $cache = mdd ] && echo 'z is guessed to be up' || echo 'nothing is guessed')" test "$(grep -c 'taken with "up": "z"' err)" -eq "$([ $cache = mdd ] && echo 2 || echo 0)"
    expect ".$cache: the body is where it is as glTF" awk -F, 'NR == FNR { for (k = 5; k <= 7; k++) x[$1, $3, $4, k] = $k; next }
        $3 == "rider" { n++; for (k = 5; k <= 7; k++) if (($k - x[$1, $3, $4, k]) ^ 2 > 1e-8) bad++ } END { exit !(n > 50000 && !bad) }' cape.csv other.csv
done
finish
