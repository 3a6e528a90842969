# Meshes of Debian's glmark2-data, as test_meshes.sh and long_meshes.sh use them.
# shellcheck shell=bash
models=/usr/share/glmark2/models
asteroid() { # low|high : NAME.obj and NAME.1.node, NAME.1.ele in $scratch
    assimp export "$models/asteroid-$1.3ds" "$scratch/$1.obj" && assimp export "$models/asteroid-$1.3ds" "$scratch/$1.stl" &&
        (cd "$scratch" && tetgen -pq1.4Q "$1.stl") && [ -s "$scratch/$1.1.ele" ]
}
# True if OBJ file $2 has the vertices of $1, as many, in the same order, scaled by $3 and moved up by $4, and the same faces.
same_obj() {
    python3 - "$@" <<'PY'
import sys
def read(path):
    v, f = [], []
    for line in open(path):
        w = line.split()
        if w[:1] == ["v"]: v.append([float(a) for a in w[1:4]])
        if w[:1] == ["f"]: f.append([int(a.split("/")[0]) for a in w[1:]])
    return v, f
(v0, f0), (v1, f1) = read(sys.argv[1]), read(sys.argv[2])
scale, up = float(sys.argv[3]), float(sys.argv[4])
assert len(v0) == len(v1), (len(v0), len(v1))
for a, b in zip(v0, v1):
    for k in range(3):
        assert abs(a[k] * scale + (up if k == 1 else 0) - b[k]) < 1e-6 * max(1, abs(b[k])), (a, b)
assert f0 == f1, "faces"
PY
}
