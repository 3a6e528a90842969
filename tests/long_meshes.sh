#!/usr/bin/env bash
# Law: a body of 79,000 tetrahedra is dropped and comes to lie on the floor, its surface riding along.
. "$(dirname "$0")/shell.sh"
. "$(dirname "$0")/meshes.sh"
[ -f "$models/bunny.obj" ] && command -v assimp >/dev/null && command -v tetgen >/dev/null || skip_all "no glmark2-data, assimp-utils or tetgen"
cd "$scratch" || exit 1
expect "the large asteroid is cut into tetrahedra" asteroid high
cat >asteroid.json <<'J'
{"pliant": 1, "frames": 60, "solver": {"substeps": 10},
 "bodies": [{"type": "soft", "name": "rock", "mesh": "high.1.node", "visual": "high.obj", "scale": 0.3, "position": [0, 0.6, 0], "material": "rubber"}],
 "colliders": [{"type": "plane", "friction": 0.5}]}
J
expect "it is dropped" "$PLIANT_BINARY" run asteroid.json --quiet -o rock/
expect "its surface rides along, vertex for vertex" same_obj high.obj rock/rock.0000.obj 0.3 0.6
finish
