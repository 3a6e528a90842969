#!/usr/bin/env bash
# Law: meshes that other programs write go in: the same body from every format, said aloud what is not the file's own; and without
# pliant-import one line and code 6.
. "$(dirname "$0")/shell.sh"
. "$(dirname "$0")/meshes.sh"
cd "$scratch" || exit 1

scene() { # TYPE MESH MORE
    printf '{"pliant": 1, "bodies": [{"type": "%s", "name": "b", "mesh": "%s"%s}]}\n' "$1" "$2" "${3:+, $3}" >scene.json
}
check() { "$PLIANT_BINARY" check scene.json "$@" >said.txt 2>notes.txt; }
says() { grep -qF -- "$1" notes.txt || { cat said.txt notes.txt; return 1; }; }
number() { sed -n 's/.*"'"$1"'": "\{0,1\}\([0-9a-f.e+-]*\).*/\1/p' said.txt; } # KEY: of the last check --json

printf 'solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n' >one.stl
scene cloth one.stl
unavailable() { PLIANT_IMPORT=/nowhere/pliant-import check; [ $? -eq 6 ] && [ "$(wc -l <notes.txt)" -eq 1 ] && says "install libassimp-dev"; }
expect "without pliant-import it is code 6, and the package's name" unavailable
expect "info names the formats" sh -c "'$PLIANT_BINARY' info | grep -q '^  .msh '"
if [ ! -x "$PLIANT_BUILD_DIR/pliant-import" ]; then
    echo "skipped: what pliant-import reads (not built here)"
else
    found() { check && ! grep welded notes.txt; }
    expect "the command finds pliant-import beside itself" found
    expect "it says how it is run, by hand" sh -c "! '$PLIANT_BUILD_DIR/pliant-import' 2>&1 >/dev/null | grep -v -e '^usage' -e '^libpliant_io'"
    expect "it writes its mesh to a pipe" eval '[ "$("$PLIANT_BUILD_DIR/pliant-import" one.stl . 5 4000000000 | head -c 8)" = PLIANTM1 ]'
    expect "and to no file" eval '! "$PLIANT_BUILD_DIR/pliant-import" one.stl . 5 4000000000 >out.bin && [ ! -s out.bin ]'
fi

if [ -x "$PLIANT_BUILD_DIR/pliant-import" ] && [ -f "$models/asteroid-low.3ds" ] && command -v assimp >/dev/null; then
    cp "$models/asteroid-low.3ds" a.3ds
    for format in stl:stl stlb:b.stl gltf2:gltf glb2:glb collada:dae fbxa:fbx x:x obj:obj; do
        assimp export a.3ds "a.${format#*:}" "-f${format%%:*}" >/dev/null 2>&1
    done
    same_body() { # FILE: as many particles and faces as the OBJ, of the same weight
        scene cloth "$1" "\"units\": 1"
        check --json || { cat notes.txt; return 1; }
        [ "$(number particles)" = "$particles" ] && [ "$(number constraints)" = "$constraints" ] &&
            awk -v a="$(number mass)" -v b="$mass" 'BEGIN { exit !(a / b > 0.99999 && a / b < 1.00001) }' || { cat said.txt; return 1; }
    }
    scene cloth a.obj
    expect "an asteroid as OBJ" check --json
    particles=$(number particles) constraints=$(number constraints) mass=$(number mass)
    for file in a.3ds a.stl a.b.stl a.gltf a.glb a.dae a.fbx a.x; do expect "the same asteroid, ${file#a}" same_body "$file"; done
    first_frame() { # of an STL: every triangle's three vertices, in the file's order, as the file says them
        scene cloth a.stl '"fixed": true'
        "$PLIANT_BINARY" run scene.json --quiet --frames 1 -o out/ || return 1
        grep '^ *vertex' a.stl | awk '{ print $2 + 0, $3 + 0, $4 + 0 }' >in.txt
        grep '^v ' out/b.0000.obj | awk '{ print $2 + 0, $3 + 0, $4 + 0 }' >out.txt
        paste -d' ' in.txt out.txt | awk '{ for (i = 1; i < 4; i++) if (($i - $(i + 3))^2 > 1e-10) exit 1 } END { exit NR != 1440 }'
    }
    expect "what is written has every triangle's three vertices, in the file's order" first_frame
    scene cloth a.glb
    expect "another order is said" eval 'check; says "a.glb: its vertices are numbered as its reader numbers them"'
    moved() { # it falls as one piece: no crack opens between triangles
        scene cloth a.stl '"scale": 0.2, "position": [0, 0.3, 0], "material": "cotton"'
        sed -i 's/]}$/], "colliders": [{"type": "plane"}]}/' scene.json
        "$PLIANT_BINARY" run scene.json --quiet --frames 30 -o moved/ || return 1
        [ "$(grep '^v ' moved/b.0030.obj | sort -u | wc -l)" -eq "$particles" ]
    }
    expect "a welded STL falls in one piece" moved
else
    echo "skipped: asteroids in every format (pliant-import, glmark2-data or assimp-utils is not here)"
fi

if command -v gmsh >/dev/null; then
    printf 'SetFactory("OpenCASCADE");\nBox(1) = {0, 0, 0, 1, 2, 3};\nMesh.CharacteristicLengthMax = 1.5;\n' >box.geo
    hash=
    for format in "msh22" "msh41" "vtk" "msh22 -bin" "msh41 -bin" "vtk -bin"; do
        # Its texts have 16 digits, which float64 tells from its bytes.
        [ "$format" = "msh22 -bin" ] && [ "$PLIANT_REAL" = double ] && hash=
        # shellcheck disable=SC2086
        box() {
            local file=${1% *}
            file=box.${file%%[0-9]*}
            rm -f "$file"
            gmsh -3 box.geo -format $1 -o "$file" -v 0 >/dev/null || return 1
            scene soft "$file"
            check --json || { cat notes.txt; return 1; }
            [ -n "$hash" ] || hash=$(number model_hash)
            [ "$(number model_hash)" = "$hash" ] && says "elements that are no tetrahedra are left out"
        }
        expect "gmsh's box, -format $format" box "$format"
    done
    expect "it weighs what a box weighs" eval "awk -v m=\$(number mass) 'BEGIN { exit !(m > 5999.9 / 1000 && m < 6000.1 / 1000) }'"
    second_order() {
        gmsh -3 box.geo -order 2 -format msh41 -o two.msh -v 0 >/dev/null && scene soft two.msh && check &&
            says "tetrahedra of higher order the corners are taken" && says "are used by no tetrahedron; they stay where they are"
    }
    expect "of second order the corners" second_order
else
    echo "skipped: gmsh is not here"
fi

if command -v tetgen >/dev/null; then
    printf '8 3 0 0\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n6 0\n1\n4 1 2 3 4\n1\n4 5 6 7 8\n1\n4 1 2 6 5\n1\n4 2 3 7 6\n1\n4 3 4 8 7\n1\n4 4 1 5 8\n0\n0\n' >cube.poly
    cube() {
        tetgen -pq1.4a0.05Q cube.poly && scene soft cube.1.ele && check && scene cloth cube.1.face && check --json &&
            awk -v m="$(number mass)" 'BEGIN { exit !(m > 0) }'
    }
    expect "tetgen's cube: tetrahedra, and its surface from .face" cube
else
    echo "skipped: tetgen is not here"
fi
finish
