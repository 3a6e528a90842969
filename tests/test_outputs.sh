#!/usr/bin/env bash
# Law: --start, --every and --subframes say which states an output gets and under which numbers, and change no bit of the simulation; a bake
# that was stopped goes on to the same bytes with any of them.
. "$(dirname "$0")/shell.sh"
pliant=$PLIANT_BINARY
cd "$scratch" || exit 1
sed -E 's/"substeps": [0-9]+/"substeps": 12/' "$PLIANT_SOURCE_DIR/scenes/net.json" >net.json
refuses() { # WHAT SAYS ARGUMENT...
    local what=$1 says=$2
    shift 2
    "$pliant" run "$@" >out 2>err
    local status=$?
    expect "$what: refused with a line" test $status -eq 2 -a "$(wc -l <err)" -eq 1 -a "$(grep -c -- "$says" err)" -eq 1 || cat err
}
hash() { sed -n 's/.*"hash": "\([0-9a-f]*\)".*/\1/p'; }
numbers() { tail -n +2 "$1" | cut -d, -f1 | uniq | tr '\n' ' '; } # of the frames in a .csv
i32() { od -An -td4 -j"$2" -N4 "$1" | tr -d ' '; }
f32() { od -An -tf4 -j"$2" -N4 "$1" | tr -d ' '; }
run() { "$pliant" run net.json -q --frames 12 "$@"; }

want=$(run --json -o plain.pc2 -o plain.csv -o plain/ -o plain.ply/ | hash)
bodies=$(find plain -name '*.0000.obj' | wc -l)
expect "there is something to compare with" test -n "$want" -a "$bodies" -ge 1

# ---- numbers ----
run --start 1001 -o start.csv -o start.pc2 -o start/ -o start.ply/ || not_ok "--start"
expect "--start: numbers of a .csv" test "$(numbers start.csv)" = "$(seq -s ' ' 1001 1013) "
expect "--start: all else is the same" diff <(cut -d, -f2- plain.csv) <(cut -d, -f2- start.csv)
for file in start*.pc2; do
    expect "$file: the first frame, and frame by frame" test "$(f32 "$file" 20) $(f32 "$file" 24) $(i32 "$file" 28)" = "1001 1 13"
    expect "$file: the points are the same" cmp <(tail -c +33 "$file") <(tail -c +33 "plain${file#start}")
done
for format in obj ply; do
    folder=start/ other=plain/
    [ $format = ply ] && folder=start.ply other=plain.ply
    expect "$format: names" test "$(find $folder -type f -name "*.$format" | sed -E 's/.*\.([0-9]+)\.[a-z]+$/\1/' | sort -u | tr '\n' ' ')" = "$(seq -s ' ' 1001 1013) "
    first=$(find $folder -type f -name "*.1005.$format" | head -n 1)
    expect "$format: frame 4 is called 1005" cmp "$first" "$other/$(basename "${first/.1005./.0004.}")"
done

# ---- every Nth ----
got=$(run --json --start 10 -o e.csv --every 5 -o e.pc2 --every 3 -o e/ --every 4 -o e.ply/ --checkpoint e.check --every 2 | hash)
expect "--every: the same simulation" test "$got" = "$want"
expect "every fifth frame, in the .csv" test "$(numbers e.csv)" = "10 15 20 "
expect "the frames in it are the frames" diff <(cut -d, -f2- e.csv) <(awk -F, 'NR == 1 || $1 % 5 == 0' plain.csv | cut -d, -f2-)
for file in e*.pc2; do
    points=$(i32 "$file" 16)
    expect "$file: every third frame" test "$(f32 "$file" 20) $(f32 "$file" 24) $(i32 "$file" 28)" = "10 3 5"
    expect "$file: the second is frame 3" cmp <(tail -c +$((33 + points * 12)) "$file" | head -c $((points * 12))) \
        <(tail -c +$((33 + 3 * points * 12)) "plain${file#e}" | head -c $((points * 12)))
done
expect "every fourth, in the folder" test "$(find e -name '*.obj' | sed -E 's/.*\.([0-9]+)\.obj$/\1/' | sort -u | tr '\n' ' ')" = "0010 0014 0018 0022 "
expect "no --every, all of them" test "$(find e.ply -type f -name '*.ply' | wc -l)" -eq $((13 * bodies))
for cache in e.csv e.pc2 e/; do
    if "$pliant" help render >/dev/null 2>&1 && without=1 "$pliant" render $cache --scene net.json -q --size 32x32 -o e.png 2>err; then
        ok "$cache is read back"
    else
        [ $? -eq 6 ] && ok "$cache: nothing to draw with" || not_ok "$cache is read back: $(cat err)"
    fi
done
refuses "--every that belongs to nothing" "belongs to" net.json --every 3 -o x.csv
expect "and nothing was written" test ! -e x.csv
run --every 7 --checkpoint f.check || not_ok "--every before the only --checkpoint"

# A folder that had other numbers has only the new ones.
run -o e/ --every 6 || not_ok "once more into a folder"
expect "frames of the cache before are gone" test "$(find e -name '*.obj' | sed -E 's/.*\.([0-9]+)\.obj$/\1/' | sort -u | tr '\n' ' ')" = "0000 0006 0012 "

# Numbers and times in the files of all formats, at 60 numbers per second: 1001, 1005, 1009, 1013.
outputs=(mdd glb usda pvd abc)
"$pliant" info | grep -q '(HDF5): yes' && outputs+=(vtkhdf)
args=()
for o in "${outputs[@]}"; do args+=(-o "n.$o" --every 4); done
run --start 1001 "${args[@]}" || not_ok "--every of all formats"
for o in "${outputs[@]}"; do
    "$pliant" help render >/dev/null 2>&1 || continue
    "$pliant" render "n.$o" --scene net.json -q --size 32x32 -o e.png 2>err
    status=$?
    expect "n.$o is read back" test $status -eq 0 -o $status -eq 6 || cat err
done
# As they should be, with seconds from $1 on.
times() { awk -v from="$1" 'BEGIN { for (k = 0; k < 4; k++) printf "%.5f ", (from + 4 * k) / 60 }'; }
big() { od -An -tx1 -v -j"$2" -N"$3" "$1" | tr -d '\n' | sed -E 's/ (..) (..) (..) (..)/ \4 \3 \2 \1/g; s/ (..)/\\x\1/g'; }
# shellcheck disable=SC2059
expect ".mdd: times" test "$(printf "$(big n.mdd 8 16)" | od -An -tf4 -w4 -v | awk '{ printf "%.5f ", $1 }')" = "$(times 1001)"
expect ".glb: numbers" grep -aqF '"extras":{"first_frame":1001,"every":4,"frames":4,"fps":15}' n.glb
expect ".glb: the last time, from 0 on" grep -aqF '"min":[0],"max":[0.2]' n.glb
expect ".usda: time codes" test "$(sed -n '/points.timeSamples/,/}/s/^ *\([0-9]*\): .*/\1/p' n.usda | tr '\n' ' ')" = "1001 1005 1009 1013 "
expect ".usda: how many of them a second has" test "$(grep -cE '^    (timeCodesPerSecond = 60|startTimeCode = 1001|endTimeCode = 1013)$' n.usda)" -eq 3
expect ".pvd: times" test "$(sed -nE 's/^<DataSet timestep="([^"]*)".*/\1/p' n.pvd | uniq | awk '{ printf "%.5f ", $1 }')" = "$(times 1001)"
expect ".pvd: files" test "$(find n -name '*.vtp' | sed -E 's/.*\.([0-9]+)\.vtp$/\1/' | sort -u | tr '\n' ' ')" = "1001 1005 1009 1013 "
if [ -e n.xmf ]; then
    expect ".xmf: times" test "$(grep -o 'Time Value="[^"]*"' n.xmf | tr -d 'a-zA-Z="' | awk '{ printf "%.5f ", $1 }')" = "$(times 1001)"
    expect ".xmf: numbers" test "$(grep -o 'Name="frame [0-9]*"' n.xmf | tr -cd '0-9\n' | tr '\n' ' ')" = "1001 1005 1009 1013 "
fi
expect ".abc: numbers per second" grep -aqF '_ai_DCC_FPS=6e+01' n.abc

# ---- subframes ----
for n in 2 3 4; do
    got=$(run --json --threads 2 --subframes $n -o s$n.csv -o s$n.pc2 -o s$n/ --every $n | hash)
    expect "--subframes $n: the same simulation" test "$got" = "$want"
    expect "its states are counted through" test "$(numbers s$n.csv)" = "$(seq -s ' ' 0 $((12 * n))) "
    expect "every ${n}th of them is a frame" diff <(cut -d, -f2- plain.csv) <(awk -F, -v n=$n 'NR == 1 || $1 % n == 0' s$n.csv | cut -d, -f2-)
    expect "they are equally far apart in time" awk -F, -v n=$n 'NR > 1 { d = $2 - $1 / (60 * n); if (d > 1e-9 || d < -1e-9) bad = 1 } END { exit bad }' s$n.csv
    expect "whole frames only, by --every $n" test "$(find s$n -name '*.obj' | wc -l)" -eq $((13 * bodies))
done
expect "the state halfway is the same whoever asks" diff <(awk -F, '$1 % 2 == 1' s2.csv | cut -d, -f2-) <(awk -F, '$1 % 4 == 2' s4.csv | cut -d, -f2-)
awk -F, 'NR > 1 && $1 == 7' s2.csv | cut -d, -f3- >half
awk -F, 'NR > 1 && $1 == 6' s2.csv | cut -d, -f3- >full
expect "it is not the frame before" test "$(cmp half full 2>&1 | wc -l)" -eq 1
refuses "substeps that are no multiple" "the 12 substeps of a frame are no multiple" net.json --subframes 5 -o x.csv
refuses "a number past the last" "the highest is 4294967295" net.json --subframes 1000 --substeps 1000 --frames 5000000 -o x.csv
expect "and nothing was written either" test ! -e x.csv

# ---- going on ----
long=(--start 1001 --subframes 3 -o NAME.csv --every 2 -o NAME.pc2 -o NAME/ --every 4 -o NAME.ply/ --every 9)
for o in mdd glb usda abc; do long+=(-o "NAME.$o" --every 7); done
run "${long[@]/NAME/whole}" || not_ok "a bake with all of it"
for stop in 1 4 7; do
    rm -rf part*
    run --frames $stop "${long[@]/NAME/part}" --checkpoint part.check --every 1 || not_ok "its first $stop frames"
    run "${long[@]/NAME/part}" --resume part.check --every 5 || not_ok "going on"
    for o in csv pc2 ply mdd glb usda abc; do
        for file in whole*."$o"; do
            expect "stopped after $stop: $file" diff -r "$file" "part${file#whole}"
        done
    done
    expect "stopped after $stop: the folder" diff -r whole part
done
run --frames 5 "${long[@]/NAME/part}" --checkpoint part.check
refuses "other --subframes" "made with --subframes 3" net.json --frames 12 -q --resume part.check --subframes 2 -o part.csv --every 2 --start 1001
refuses "another --start" "not what was written before" net.json --frames 12 -q --resume part.check -o part.csv --every 2
refuses "another --every" "not what was written before" net.json --frames 12 -q --resume part.check --start 1001 -o part.csv --every 3
refuses "another --every, of a .pc2" "not what was written before" net.json --frames 12 -q --resume part.check --start 1001 -o part.pc2 --every 3
for o in mdd glb usda abc; do
    refuses "another --every, of a .$o" "not what was written before" net.json --frames 12 -q --resume part.check --start 1001 -o part.$o --every 3
done
refuses "another --every, of a folder" "not what was written before" net.json --frames 12 -q --resume part.check --start 1001 -o part/ --every 2
refuses "--start that a .pc2 has no number for" "float32, which has no 16777217" net.json -q --frames 2 -o odd.pc2 --start 16777217
refuses "--every, too" "float32, which has no 16777217" net.json -q --frames 2 -o odd.pc2 --every 16777217 --force
expect "one that it has: 16777218" "$pliant" run net.json -q --frames 2 -o even.pc2 --start 16777218
expect "--subframes need not be said again" "$pliant" run net.json --frames 12 -q --resume part.check --start 1001 -o part.csv --every 2
expect "and it is what it would have been" cmp part.csv whole.csv

# Stopped while it took away frames behind the checkpoint's: some of those are there, and others not.
rm -rf part*
run --frames 4 "${long[@]/NAME/part}" --checkpoint old.check --every 1
cp old.check part.check
run --frames 10 "${long[@]/NAME/part}" --resume part.check
rm part/*.1017.obj
run "${long[@]/NAME/part}" --resume old.check || not_ok "going on where a frame that is not needed is missing"
expect "what was missing behind the checkpoint is there again" diff -r whole part

# ---- killed ----
sed 's/"substeps": 12/"substeps": 60/' net.json >slow.json
many=(slow.json -q --frames 40 "${long[@]}")
"$pliant" run "${many[@]/NAME/all}" || not_ok "a longer bake"
kills=0
while :; do
    "$pliant" run "${many[@]/NAME/shot}" --resume shot.check --every 3 2>err &
    pid=$!
    if [ $kills -lt 6 ]; then
        sleep "0.$((RANDOM % 3))$((RANDOM % 10))"
        kill -9 $pid 2>/dev/null
    fi
    wait $pid 2>/dev/null
    status=$?
    [ $status -eq 137 ] && kills=$((kills + 1))
    [ $status -eq 137 ] && continue
    expect "after $kills kills it comes to its end" test $status -eq 0 || cat err
    break
done
for o in csv pc2 ply; do expect "killed and gone on with: the same .$o" diff -r "all.$o" "shot.$o"; done
expect "killed and gone on with: the same folder" diff -r all shot

# ---- looks ----
cat >look.json <<'J'
{"pliant": 1, "bodies": [{"type": "cloth", "name": "plain", "cells": [2, 2]},
 {"type": "cloth", "name": "red", "cells": [2, 2], "look": {"color": "#f00", "roughness": 0.25, "pattern": "dots"}},
 {"type": "rope", "name": "grey", "from": [0, 2, 0], "to": [1, 2, 0], "segments": 2, "look": {"color": "#808080"}}]}
J
sed 's/, "look": {[^}]*}//' look.json >bare.json
for scene in look bare; do "$pliant" run $scene.json -q --json --frames 2 -o $scene.glb -o $scene.usda -o $scene.csv | hash >$scene.hash; done
expect "a look changes no bit of the simulation" bash -c 'cmp look.hash bare.hash && cmp look.csv bare.csv'
expect "a .glb has a material of each look that is said" python3 - look.glb bare.glb <<'P'
import json, struct, sys
look, bare = (json.loads(b[20:20 + struct.unpack("<I", b[12:16])[0]]) for b in (open(f, "rb").read() for f in sys.argv[1:]))
of = [m["primitives"][0].get("material") for m in look["meshes"]]
assert of == [0, 1, 2] and [m["primitives"][0].get("material") for m in bare["meshes"]] == [0, 0, None]
red, grey = (look["materials"][i]["pbrMetallicRoughness"] for i in (1, 2))
assert red["baseColorFactor"] == [1, 0, 0, 1] and red["roughnessFactor"] == 0.25
assert grey["baseColorFactor"] == [0.216, 0.216, 0.216, 1] and len(bare["materials"]) == 1
P
expect "a .usda has the colours that are said" test "$(grep -c displayColor look.usda) $(grep -c displayColor bare.usda)" = "2 0"
expect "red is red" grep -q 'displayColor = \[(1, 0, 0)\]' look.usda

# ---- textures ----
python3 - <<'P'
import struct, zlib
def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
rows = b"".join(b"\0" + bytes(c for x in range(4) for c in (60 * x, 60 * y, 99)) for y in range(4))
for name, level in (("a.png", 9), ("b.png", 1)):
    open(name, "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows, level)) + chunk(b"IEND", b""))
P
# Two quads and a triangle, with a seam between each and the next, and one corner that is the same on both sides.
printf '%s\n' 'v -1 0 0' 'v 0 0 0' 'v 1 0 0' 'v -1 1 0' 'v 0 1 0' 'v 1 1 0' 'v 2 0 0' 'vt 0 0' 'vt 1 0' 'vt 1 1' 'vt 0 1' 'vt 0.25 0.125' \
    'f 1/1 2/2 5/3 4/4' 'f 2/1 3/2 6/3 5/4' 'f 3/2 7/5 6/5' >seam.obj
cat >tex.json <<'J'
{"pliant": 1, "bodies": [{"type": "cloth", "name": "seam", "mesh": "seam.obj", "pins": [3], "look": {"texture": "a.png", "color": "#fff"}},
 {"type": "rope", "name": "rope", "from": [0, 2, 0], "to": [1, 2, 0], "segments": 2},
 {"type": "cloth", "name": "grid", "cells": [2, 1], "look": {"texture": "b.png"}},
 {"type": "cloth", "name": "again", "cells": [1, 1], "position": [0, 1, 0], "look": {"texture": "a.png", "roughness": 0.5}}]}
J
sed 's/"texture": "..png"\(, \)*//' tex.json >untex.json
for scene in tex untex; do "$pliant" run $scene.json -q --json --frames 5 -o $scene.glb -o $scene.usda -o $scene.csv | hash >$scene.hash; done
expect "a texture changes no bit of the simulation" bash -c 'cmp tex.hash untex.hash && cmp tex.csv untex.csv'
cat >textures.py <<'P'
import json, struct, sys
def glb(path):
    b = open(path, "rb").read()
    n = struct.unpack("<I", b[12:16])[0]
    return json.loads(b[20:20 + n]), b[28 + n:]
g, data = glb("tex.glb")
def view(i): return data[g["bufferViews"][i].get("byteOffset", 0):][:g["bufferViews"][i]["byteLength"]]
def values(i):
    a = g["accessors"][i]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[a["type"]]
    kind = {5125: "I", 5126: "f"}[a["componentType"]]
    at = a["byteOffset"]
    raw = view(a["bufferView"])[at:at + 4 * width * a["count"]]
    flat = struct.unpack("<%d%s" % (width * a["count"], kind), raw)
    return [flat[k:k + width] for k in range(0, len(flat), width)]
mesh = {m["name"]: m for m in g["meshes"]}
def material(name): return g["materials"][mesh[name]["primitives"][0]["material"]]["pbrMetallicRoughness"]
def picture(name):
    t = g["textures"][material(name)["baseColorTexture"]["index"]]
    image = g["images"][t["source"]]
    assert image["mimeType"] == "image/png"
    return view(image["bufferView"])
frames = {}
for line in open("tex.csv").read().split("\n")[1:]:
    if line:
        f, _, body, v, x, y, z = line.split(",")[:7]
        frames[int(f), body, int(v)] = (float(x), float(y), float(z))
def near(a, b): return all(abs(p - q) < 2e-6 for p, q in zip(a, b))
P
expect "a .glb has the files of the textures as they are, each once" python3 - <<'P'
exec(open("textures.py").read())
a, b = open("a.png", "rb").read(), open("b.png", "rb").read()
assert a != b and picture("seam") == picture("again") == a and picture("grid") == b and len(g["images"]) == 2
assert "baseColorTexture" not in json.dumps(glb("untex.glb")[0])
assert all("TEXCOORD_0" in mesh[m]["primitives"][0]["attributes"] for m in ("seam", "grid", "again"))
assert "TEXCOORD_0" not in json.dumps([m["primitives"][0].get("targets", []) for m in g["meshes"]])
P
expect "a corner of a .glb has its place on the texture, and is where it is in every frame" python3 - <<'P'
exec(open("textures.py").read())
corners = [(1, 1), (2, 2), (5, 3), (1, 1), (5, 3), (4, 4), (2, 1), (3, 2), (6, 3), (2, 1), (6, 3), (5, 4), (3, 2), (7, 5), (6, 5)]
uvs = {1: (0, 0), 2: (1, 0), 3: (1, 1), 4: (0, 1), 5: (0.25, 0.125)}
p = mesh["seam"]["primitives"][0]
indices, places = [i[0] for i in values(p["indices"])], values(p["attributes"]["TEXCOORD_0"])
quads = [corners[k] for k in (12, 13, 14, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)] # triangles come first
base = values(p["attributes"]["POSITION"])
assert len(base) == 10 and len(indices) == 15 # vertices 2, 5 and 6 twice
for f in range(6):
    delta = values(p["targets"][f - 1]["POSITION"]) if f else [(0, 0, 0)] * len(base)
    normal = values((p["targets"][f - 1] if f else p["attributes"])["NORMAL"])
    for index, (vertex, vt) in zip(indices, quads):
        u, v = uvs[vt]
        assert near(places[index], (u, 1 - v))
        assert near([a + b for a, b in zip(base[index], delta[index])], frames[f, "seam", vertex - 1])
        assert normal[index] == normal[vertex - 1]
P
expect "a .usda has a material with the texture, beside it, and places for each corner" python3 - <<'P'
import re
text = open("tex.usda").read()
files = re.findall(r"asset inputs:file = @\./([^@]*)@", text)
assert len(files) == 3 and files[0] == files[2] != files[1]
assert open(files[0], "rb").read() == open("a.png", "rb").read() and open(files[1], "rb").read() == open("b.png", "rb").read()
st = re.findall(r"texCoord2f\[\] primvars:st = \[(.*)\] \(\n *interpolation = \"faceVarying\"", text)
assert st[0] == "(1, 0), (0.25, 0.125), (0.25, 0.125), (0, 0), (1, 0), (1, 1), (0, 1), (0, 0), (1, 0), (1, 1), (0, 1)"
assert text.count("rel material:binding = </pliant/seam/look>") == 1 and text.count('prepend apiSchemas = ["MaterialBindingAPI"]') == 3
for path in set(re.findall(r"connect = <([^>]*)>", text)): # what is connected is there
    name, output = path.rsplit("/", 1)[1].split(".")
    assert re.search(r'def Shader "%s"\s*\{[^}]*%s\n' % (name, output), text)
assert "texCoord" not in open("untex.usda").read()
P
finish
