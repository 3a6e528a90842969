#!/usr/bin/env bash
# Law: pliant mesh makes of a surface, torn or whole, tetrahedra that a scene runs with; the doctor's exit code says whether a mesh is good, and
# what was mended is; other programs that it calls leave nothing behind, whatever they do.
. "$(dirname "$0")/shell.sh"
. "$(dirname "$0")/meshes.sh"
[ -x "$PLIANT_BINARY" ] || { not_ok "$PLIANT_BINARY is there"; finish; }
cd "$scratch" || exit 1
mkdir tmp && export TMPDIR=$scratch/tmp
pliant() { "$PLIANT_BINARY" "$@"; }

# A ball of 512 triangles, a torn one, a sheet.
python3 - <<'PY'
import math
v = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
f = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
for _ in range(3):
    seen, finer = {}, []
    def middle(a, b):
        key = (min(a, b), max(a, b))
        if key not in seen:
            p = [(v[a][i] + v[b][i]) / 2 for i in range(3)]
            l = math.sqrt(sum(c * c for c in p))
            v.append(tuple(c / l for c in p))
            seen[key] = len(v) - 1
        return seen[key]
    for a, b, c in f:
        x, y, z = middle(a, b), middle(b, c), middle(c, a)
        finer += [(a, x, z), (x, b, y), (z, y, c), (x, y, z)]
    f = finer
def write(name, faces, more=()):
    with open(name, "w") as out:
        out.writelines("v %.9g %.9g %.9g\n" % p for p in [*v, *more])
        out.writelines("f %d %d %d\n" % tuple(i + 1 for i in t) for t in faces)
write("ball.obj", f)
write("torn.obj", [t[::-1] if i % 7 == 0 else t for i, t in enumerate(f) if i % 11])
write("loose.obj", f, [(9, 9, 9)])
write("crossed.obj", f + [(t[0], t[2], 200) for t in f[:1]])
PY

printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n' >sheet.obj

# ends WHAT STATUS COMMAND...: exits so; output in out, errors in err.
ends() {
    local what=$1 status=$2 got
    shift 2
    "$@" >out 2>err
    got=$?
    if [ "$got" -eq "$status" ]; then ok "$what"; else not_ok "$what: exit $got, not $status: $(head -n 2 err)"; fi
}
# refused WHAT STATUS WORDS COMMAND...: one line on standard error with these words, nothing else.
refused() {
    local what=$1 status=$2 words=$3 got
    shift 3
    "$@" >out 2>err
    got=$?
    if [ "$got" -eq "$status" ] && [ "$(wc -l <err)" -eq 1 ] && grep -q -- "$words" err && [ ! -s out ]; then
        ok "$what"
    else
        not_ok "$what: exit $got, $(head -n 3 err)"
    fi
}
lowest() { awk '$1 == "v" && (n++ == 0 || $3 < m) {m = $3} END {printf "%d", 1000 * m}' "$1"; }
height() { awk '$1 == "v" {if (n++ == 0) {a = b = $3} if ($3 < a) a = $3; if ($3 > b) b = $3} END {printf "%d", 1000 * (b - a)}' "$1"; }

# ---- cages ----

ends "a ball gets a cage and a scene" 0 pliant mesh ball.obj -o ball.node --cells 8 --scene ball.json
expect "it says how many" grep -q "^wrote ball.node: [0-9]* vertices, [0-9]* tetrahedra$" out
ends "again, the same bytes" 0 pliant mesh ball.obj -o again.ele --cells 8
expect "of both files" eval "cmp ball.node again.node && cmp ball.ele again.ele"
ends "the scene is good" 0 pliant check ball.json

# ---- what is there ----

while read -r option file words; do
    echo "hours of work" >"$file"
    # shellcheck disable=SC2086
    refused "$option $file: what is there stays" 2 "is not written over (--force does)" pliant mesh $words
    expect "$file: untouched" grep -qx "hours of work" "$file"
    # shellcheck disable=SC2086
    ends "$file: --force writes over it" 0 pliant mesh $words --force
    # shellcheck disable=SC2086
    ends "$file: over its own it writes without" 0 pliant mesh $words
done <<'WAYS'
-o there.node ball.obj -o there.node --cells 4
-o there.ele ball.obj -o there.node --cells 4
-o THERE.ELE ball.obj -o THERE.NODE --cells 4
-o there.msh ball.obj -o there.msh --cells 4
-o there.vtk ball.obj -o there.vtk --cells 4
-o there.obj --mend ball.obj -o there.obj
-o there.ply --mend ball.obj -o there.ply
--scene there.json ball.obj -o there.msh --cells 4 --scene there.json
WAYS
cp ball.obj same.obj
refused "a mesh of other programs is not mended in its place" 2 "is not written over" pliant mesh --mend same.obj -o same.obj
expect "it is as it was" cmp ball.obj same.obj
mkdir folder.ele
refused "a folder beside the .node: nothing is written" 3 "folder.ele: " pliant mesh ball.obj -o folder.node --cells 4
expect "no .node without its .ele" test ! -e folder.node

ends "and runs" 0 pliant run ball.json --frames 90 --quiet -o ball/
expect "the ball has come down" test "$(lowest ball/body.0087.obj)" -ge -20 -a "$(lowest ball/body.0087.obj)" -le 60
expect "and stands by itself" test "$(height ball/body.0090.obj)" -ge 1600 -a "$(height ball/body.0090.obj)" -le 2150
refused "what is tetrahedra already gets no cage" 2 "ball.node has tetrahedra already" pliant mesh ball.node -o twice.node
ends "the doctor finds nothing in it" 0 pliant mesh --doctor ball.node
ends "cells by size" 0 pliant mesh ball.obj -o sized.vtk --size 0.25 --json
expect "as JSON" python3 -c 'import json; j = json.load(open("out")); assert j["cell"] == 0.25 and j["parts"] == 1 and j["open_edges"] == 0 and j["volume"] > j["surface_volume"]'
ends "a margin" 0 pliant mesh ball.obj -o wide.vtk --size 0.25 --margin 0.5 --whole --json
expect "makes it larger: a ball of 1.5 m at least" python3 -c 'import json; assert json.load(open("out"))["volume"] > 14.13'
ends "a torn ball gets one too" 0 pliant mesh torn.obj -o torn.node --cells 8
expect "with a note" grep -q "^pliant: note: the surface has [0-9]* open edges" err
ends "a sheet gets a layer" 0 pliant mesh sheet.obj -o sheet.node
expect "with a note" grep -q "the cage is a layer" err
ends "quietly" 0 pliant mesh sheet.obj -o sheet.node --quiet
expect "means no word" test ! -s out -a ! -s err
refused "a silly resolution" 2 "bytes" pliant mesh ball.obj -o silly.node --cells 60000
expect "and nothing is written" test ! -e silly.node
refused "no output" 2 "say where to" pliant mesh ball.obj
refused "cells twice" 2 "give one" pliant mesh ball.obj -o a.node --cells 4 --size 1
refused "a margin inwards" 2 "from 0" pliant mesh ball.obj -o a.node --margin -1
refused "holes where none are filled" 2 "--holes is for --mend" pliant mesh ball.obj -o a.node --holes 3
refused "a scale of nothing" 2 "--scale is for --mend and --scene" pliant mesh ball.obj -o a.node --scale 2
refused "time for no program" 2 "--seconds is for --with" pliant mesh ball.obj -o a.node --seconds 3
refused "an ending that is none" 2 ".node and .ele, .msh or .vtk" pliant mesh ball.obj -o a.stl
refused "no such surface" 2 "nowhere.obj" pliant mesh nowhere.obj -o a.node
refused "no such folder" 3 "nowhere/a.node" pliant mesh ball.obj -o nowhere/a.node
mkdir -p sub
refused "a scene that could not name its mesh" 2 "beside it or below" pliant mesh ball.obj -o sub/a.node --scene sub/a.json
expect "and nothing is written" test ! -e sub/a.node
awk '$1 == "v" {$2 *= 1e-30; $3 *= 1e-30; $4 *= 1e-30} {print}' ball.obj >speck.obj
refused "a body that no scene has numbers for" 2 "speck.json: a body" pliant mesh speck.obj -o speck.node --scene speck.json
expect "leaves neither" test ! -e speck.node -a ! -e speck.json
ends "but a cage it gets" 0 pliant mesh speck.obj -o speck.node
expect "without a word of its size" test ! -s err
{ cat ball.obj; awk -v n="$(grep -c '^v ' ball.obj)" '$1 == "v" {$2 += 1e4} $1 == "f" {$2 += n; $3 += n; $4 += n} {print}' ball.obj; } >apart.obj
ends "two balls far apart" 0 pliant mesh apart.obj -o apart.node
expect "a note that the cage is too large" grep -q "^pliant: note: the cage is .* times as large" err
ends "a scene above its files" 0 pliant mesh ball.obj -o sub/a.node --scene above.json
ends "is good" 0 pliant check above.json
full() { (ulimit -f 16 && LLVM_PROFILE_FILE=/dev/null pliant mesh ball.obj -o full.node --cells 24); }
refused "a disk that is full" 3 "full.node: No space" full
expect "leaves nothing" test -z "$(ls full* 2>/dev/null)"
if command -v gmsh >/dev/null; then
    pliant mesh ball.obj -o ball.msh --cells 8 -q
    expect "Gmsh reads a .msh and finds no fault" gmsh -check ball.msh
    expect "and it has no error or warning" eval 'gmsh -check ball.msh 2>&1 | (! grep -qE "^(Error|Warning)")'
fi

# ---- units ----

# The ball in centimetres, z up, as an FBX says it: the cage is around the ball that the scene has.
if [ -x "$PLIANT_BUILD_DIR/pliant-import" ]; then
    python3 - <<'PY'
v = [[float(a) for a in l.split()[1:]] for l in open("ball.obj") if l[0] == "v"]
f = [[int(a) - 1 for a in l.split()[1:]] for l in open("ball.obj") if l[0] == "f"]
points = ",".join("%.9g,%.9g,%.9g" % (100 * x, -100 * z, 100 * y) for x, y, z in v)
corners = ",".join("%d,%d,%d" % (a, b, -1 - c) for a, b, c in f)
open("ball.fbx", "w").write("""; FBX 7.4.0 project file
FBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}
GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {
\t\tP: "UpAxis", "int", "Integer", "",2\n\t\tP: "UpAxisSign", "int", "Integer", "",1
\t\tP: "UnitScaleFactor", "double", "Number", "",1\n\t}\n}
Definitions:  {\n\tVersion: 100\n\tCount: 2\n}
Objects:  {\n\tGeometry: 10, "Geometry::g", "Mesh" {
\t\tVertices: *%d {\n\t\t\ta: %s\n\t\t}\n\t\tPolygonVertexIndex: *%d {\n\t\t\ta: %s\n\t\t}
\t\tGeometryVersion: 124\n\t}\n\tModel: 20, "Model::m", "Mesh" {\n\t\tVersion: 232\n\t}\n}
Connections:  {\n\tC: "OO",20,0\n\tC: "OO",10,20\n}
""" % (3 * len(v), points, 3 * len(f), corners))
PY
    ends "a ball in centimetres gets a cage" 0 pliant mesh ball.fbx -o cm.node --cells 8 --scene cm.json
    expect "what its file says is noted" eval "grep -q 'its unit is 0.01 m, as the file says; what is made of it is in metres' err && grep -q 'z is up, as the file says; it is turned' err"
    ends "its scene runs" 0 pliant run cm.json --frames 90 --quiet -o cm/
    expect "the ball is in the cage: it comes down" test "$(lowest cm/body.0087.obj)" -ge -20 -a "$(lowest cm/body.0087.obj)" -le 60
    expect "and stands by itself" test "$(height cm/body.0090.obj)" -ge 1600 -a "$(height cm/body.0090.obj)" -le 2150
    expect "it is around the ball, so nobody is asked" eval '! "$PLIANT_BINARY" check cm.json 2>&1 >out | grep -q "tetrahedra"'
    ends "the doctor finds a ball that its reader has split good" 0 pliant mesh --doctor ball.fbx
    expect "and measures it in metres" grep -q "2 x 2 x 2 m" out
    expect "with a word on what was split" grep -q "  duplicate vertices: [0-9]*, .*, as the format has them, and a scene welds them; --mend welds them" out
    ends "as JSON" 0 pliant mesh --doctor ball.fbx --json
    expect "it is good too" python3 -c 'import json; j = json.load(open("out")); assert j["good"] and [f["note"] for f in j["findings"]] == [True]'
    python3 - <<'PY'
v = [l.split()[1:] for l in open("torn.obj") if l[0] == "v"]
f = [[int(a) - 1 for a in l.split()[1:]] for l in open("torn.obj") if l[0] == "f"]
with open("torn.stl", "w") as out:
    out.write("solid s\n")
    for t in f: out.write("facet normal 0 0 0\nouter loop\n%sendloop\nendfacet\n" % "".join("vertex %s %s %s\n" % tuple(v[i]) for i in t))
    out.write("endsolid s\n")
PY
    ends "a torn STL is bad for its holes" 1 pliant mesh --doctor torn.stl
    ends "and good once it is mended, its vertices shared" 0 pliant mesh --mend torn.stl -o whole.obj
    expect "they are" test "$(grep -c ^v whole.obj)" -eq 258
fi

pliant mesh ball.obj -o asked.node --cells 4 -q
awk '$1 == "v" { $2 += 3 } 1' ball.obj >aside.obj
awk '$1 == "v" { $2 /= 9; $3 /= 9; $4 /= 9 } 1' ball.obj >lost.obj
while read -r visual asked; do
    printf '{"pliant": 1, "bodies": [{"type": "soft", "mesh": "asked.node", "visual": "%s"}]}' "$visual" >asked.json
    ends "$visual as visual of a cage" 0 pliant check asked.json
    expect "$visual: asked about $asked times" test "$(grep -c "$visual: .* m outside the tetrahedra, .* the same unit" err)" -eq "$asked"
done <<<"ball.obj 0
aside.obj 1
lost.obj 1"

# ---- the doctor ----

ends "a ball is good" 0 pliant mesh --doctor ball.obj
expect "which is said" grep -q "nothing is wrong" out
ends "a torn one is not" 1 pliant mesh --doctor torn.obj
expect "edges, where, and what to do" grep -q "open edges: [0-9]* around [0-9]* holes, the first at vertices [0-9]* [0-9]* (.*--mend fills" out
expect "turned faces too" grep -q "turned faces: [0-9]*" out
ends "as JSON" 1 pliant mesh --doctor torn.obj --json
expect "which can be read" python3 -c 'import json; j = json.load(open("out")); assert not j["good"] and {f["name"] for f in j["findings"]} >= {"open edges", "turned faces"}'
ends "it is mended" 0 pliant mesh --mend torn.obj -o mended.obj
expect "it says what was done" grep -q "mended: holes filled: [0-9]" out
ends "and is good then" 0 pliant mesh --doctor mended.obj
expect "vertices as they were" eval 'cmp <(grep ^v torn.obj | wc -l) <(grep ^v mended.obj | wc -l)'
ends "a loose vertex is taken out" 0 pliant mesh --mend loose.obj -o tight.ply
expect "with a word on the others' numbers" grep -q "1 vertices are gone, so those behind them have other numbers" out
ends "a ball in millimetres" 0 pliant mesh --mend ball.obj -o mm.obj --scale 1000
expect "is asked about" grep -q "in another unit?" out
ends "what cannot be mended" 1 pliant mesh --mend crossed.obj -o crossed2.obj
printf '5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 9 9 9\n' >spare.node
printf '1 4 0\n0 0 1 2 3\n' >spare.ele
ends "a vertex of no tetrahedron" 1 pliant mesh --doctor spare.node
expect "is found, and nobody is sent to --mend, which is for surfaces" eval "grep -q '^  unused vertices: 1, ' out && ! grep -q -e --mend out"
refused "the doctor writes nothing" 2 "writes nothing" pliant mesh --doctor ball.obj -o a.obj
refused "mending needs a place" 2 "say where" pliant mesh --mend ball.obj
refused "tetrahedra are not mended" 2 "is for surfaces" pliant mesh --mend ball.node -o a.obj
refused "one thing at a time" 2 "do not go with" pliant mesh --doctor ball.obj --cells 4
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\nf 1 2 3\n' >twice.obj
ends "a vertex twice in a face is a finding, not a refusal" 1 pliant mesh --doctor twice.obj
expect "degenerate" grep -q "degenerate faces: 1" out
ends "and can be mended" 1 pliant mesh --mend twice.obj -o once.obj
expect "the rim of a single triangle is no hole" grep -q "open edges: 3" out

# ---- other programs ----

for program in tetgen gmsh; do
    if command -v "$program" >/dev/null; then
        ends "$program fills a ball" 0 pliant mesh ball.obj -o "$program.node" --with "$program" --size 0.3 --scene "$program.json"
        expect "$program: its vertices come first" eval "grep -q 'vertices 0 to 257 are the 258 of the surface, in its order' out &&
            diff <(awk '\$1 == \"v\" {print \$2, \$3, \$4}' ball.obj | head -n 258 | awk '{printf \"%.6f %.6f %.6f\n\", \$1 + 0, \$2 + 0, \$3 + 0}' | sed 's/-0.000000/0.000000/g') \
                 <(sed -n 3,260p $program.node | awk '{printf \"%.6f %.6f %.6f\n\", \$2 + 0, \$3 + 0, \$4 + 0}' | sed 's/-0.000000/0.000000/g')"
        ends "$program: they are good" 0 pliant mesh --doctor "$program.node"
        ends "$program: the scene is good" 0 pliant check "$program.json"
    fi
    refused "without $program" 6 "apt-get install $program" env PATH=/nonexistent "$PLIANT_BINARY" mesh ball.obj -o a.node --with "$program"
    mkdir -p "bin-$program"
    printf '#!/bin/sh\nexec sleep 60\n' >"bin-$program/$program"
    chmod +x "bin-$program/$program"
    refused "$program does not end" 2 "not done after 1 s" env PATH="$scratch/bin-$program:$PATH" "$PLIANT_BINARY" mesh ball.obj -o a.node --with "$program" --seconds 1
    printf '#!/bin/sh\necho I am not well\nexit 3\n' >"bin-$program/$program"
    refused "$program fails, and is quoted" 2 "I am not well" env PATH="$scratch/bin-$program:$PATH" "$PLIANT_BINARY" mesh ball.obj -o a.node --with "$program"
    printf '#!/bin/sh\necho done\n' >"bin-$program/$program"
    refused "$program does nothing" 2 "$program" env PATH="$scratch/bin-$program:$PATH" "$PLIANT_BINARY" mesh ball.obj -o a.node --with "$program"
    refused "$program gets no torn ball" 2 "mend it" pliant mesh torn.obj -o a.node --with "$program"
done
expect "nothing of theirs is left" test -z "$(ls tmp)" -a ! -e a.node

# ---- the bunny ----

if [ -f "$models/bunny.obj" ]; then
    cp "$models/bunny.obj" .
    ends "the bunny" 0 pliant mesh bunny.obj -o bunny.node --scene bunny.json
    ends "falls" 0 pliant run bunny.json --frames 60 --quiet -o bunny/
    expect "onto the floor" test "$(lowest bunny/body.0060.obj)" -ge -60 -a "$(lowest bunny/body.0060.obj)" -le 60
    expect "and is still as tall, about" test "$(height bunny/body.0060.obj)" -ge 1600
fi
finish
