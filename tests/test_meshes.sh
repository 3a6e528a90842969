#!/usr/bin/env bash
# Law: real meshes go in and come out. A shell of 35,000 vertices falls on colliders, an asteroid of tetrahedra is dropped; what comes
# out has the file's vertices, as many, in the file's order, with its faces.
. "$(dirname "$0")/shell.sh"
. "$(dirname "$0")/meshes.sh"
[ -f "$models/bunny.obj" ] && command -v assimp >/dev/null && command -v tetgen >/dev/null || skip_all "no glmark2-data, assimp-utils or tetgen"
cd "$scratch" || exit 1

cp "$models/bunny.obj" bunny.obj
cat >bunny.json <<'J'
{"pliant": 1, "frames": 40, "solver": {"substeps": 8},
 "bodies": [{"type": "cloth", "name": "bunny", "mesh": "bunny.obj", "scale": 0.25, "position": [0, 0.5, 0], "material": "cotton", "thickness": 0.004}],
 "colliders": [{"type": "plane", "friction": 0.5}, {"type": "sphere", "radius": 0.2, "position": [0.1, 0.1, 0]}]}
J
expect "the bunny's shell is simulated" "$PLIANT_BINARY" run bunny.json --quiet -o bunny/ -o bunny.pc2
expect "frame 0 is the file: vertices, order, faces" same_obj bunny.obj bunny/bunny.0000.obj 0.25 0.5
expect "41 frames were written" test -f bunny/bunny.0040.obj
lowest() { # FILE: the least y of an OBJ, in thousandths
    awk '$1 == "v" && (n++ == 0 || $3 < m) {m = $3} END {printf "%d", 1000 * m}' "$1"
}
expect "it fell onto the floor and not through it" test "$(lowest bunny/bunny.0040.obj)" -ge 3 -a "$(lowest bunny/bunny.0040.obj)" -le 60

# Every vertex twice, as exporters leave texture seams: welded inside, kept outside.
python3 - <<'PY'
lines = open("bunny.obj").read().split("\n")
v = [l for l in lines if l.startswith("v ")][:2000]
f = [[int(w.split("/")[0]) for w in l.split()[1:]] for l in lines if l.startswith("f ")]
f = [t for t in f if max(t) <= 2000][:1500]
used = sorted({i for t in f for i in t})
name = {i: k + 1 for k, i in enumerate(used)}
out = [v[i - 1] for i in used] * 2
n = len(used)
out += ["f " + " ".join(str(name[i] + (n if k % 2 else 0)) for i in t) for k, t in enumerate(f)]
open("seams.obj", "w").write("\n".join(out) + "\n")
PY
cat >seams.json <<'J'
{"pliant": 1, "frames": 3, "bodies": [{"type": "cloth", "name": "c", "mesh": "seams.obj"}]}
J
expect "a mesh with seams is welded inside" "$PLIANT_BINARY" run seams.json --quiet -o seams/
expect "and comes out with all its vertices" same_obj seams.obj seams/c.0000.obj 1 0

expect "the asteroid is cut into tetrahedra" asteroid low
cat >asteroid.json <<'J'
{"pliant": 1, "frames": 60, "solver": {"substeps": 10},
 "bodies": [{"type": "soft", "name": "rock", "mesh": "low.1.node", "visual": "low.obj", "scale": 0.3, "position": [0, 0.6, 0], "material": "rubber"}],
 "colliders": [{"type": "plane", "friction": 0.5}]}
J
expect "the asteroid is dropped" "$PLIANT_BINARY" run asteroid.json --quiet -o rock/
expect "its surface rides along, vertex for vertex" same_obj low.obj rock/rock.0000.obj 0.3 0.6
bounces() { # it touches the floor in some frame and is never below it
    local f low least=1000
    for f in rock/rock.*.obj; do
        low=$(lowest "$f")
        [ "$low" -lt "$least" ] && least=$low
    done
    [ "$least" -ge -5 ] && [ "$least" -le 5 ]
}
expect "it falls onto the floor and not through it" bounces
cp "$PLIANT_SOURCE_DIR/scenes/meshes/asteroid.json" steps.json
expect "the gallery's asteroid falls down its steps" "$PLIANT_BINARY" run steps.json --quiet -o steps/
last=$(ls steps/rock.*.obj | tail -n 1)
expect "and lies on the floor" test "$(lowest "$last")" -ge -5 -a "$(lowest "$last")" -le 20
finish
