#!/usr/bin/env bash
# Law: the gallery is whole. Each row of the table in tools/gallery.sh has its scene, its section in docs/gallery.md, a picture of the size
# and a film; every picture that a page names is there, and every picture that is there is named; the numbers in the text are those of a run.
. "$(dirname "$0")/shell.sh"
cd "$PLIANT_SOURCE_DIR" || exit 1
rows() { sed -n "/^$1='/,/^'/p" tools/gallery.sh | grep '|'; }
size_of() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'; } # of a PNG below 65536
size_of_gif() { od -An -tu1 -j6 -N4 "$1" | awk '{ print $2 * 256 + $1 "x" $4 * 256 + $3 }'; }
size_said() { sed -nE "s/.*$1_size=([0-9x]+).*/\1/p" tools/gallery.sh; }

while IFS='|' read -r name scene _ _ camera _ more; do
    expect "$name: its scene" test -s "scenes/$scene"
    expect "$name: its section" grep -qx "## $name" docs/gallery.md
    expect "$name: its picture has the size" test "$(size_of "docs/gallery/$name.png")" = "$(size_said picture)"
    expect "$name: its film has the size" test "$(size_of_gif "docs/gallery/$name.gif")" = "$(size_said gif)"
    expect "$name: its film is small" test "$(wc -c <"docs/gallery/$name.gif")" -le 614400
    expect "$name: the command in its section has its camera" grep -q -- "render .*$(basename "$scene") ${more:+$more }${camera:+--camera $camera }-o $name.mp4" docs/gallery.md
done < <(rows table)
while IFS='|' read -r what scene _; do
    expect "--show $what: its scene" test -s "scenes/$scene"
    expect "--show $what: its picture has the size" test "$(size_of "docs/gallery/show-$what.png")" = "$(size_said overlay)"
done < <(rows overlays)

named=$(grep -ohE '\((docs/)?gallery/[^)]*\)' README.md docs/*.md | sed -E 's/[()]//g; s/^docs\///' | sort -u)
there=$(cd docs && ls gallery/* | sort -u)
expect "every picture that is named is there, and the other way round" diff <(echo "$named") <(echo "$there")
expect "sections are rows" test "$(grep '^## ' docs/gallery.md | cut -c4- | sort | tr '\n' ' ')" = "$(rows table | cut -d'|' -f1 | sort | tr '\n' ' ')"

# The chains on their catenaries.
expect "scenes/catenary.json is what tools/catenary.py makes" cmp scenes/catenary.json <(python3 tools/catenary.py)
mkdir -p "$scratch/tools" "$scratch/scenes/meshes" && cp tools/skirt.py tools/shirt.py tools/round.py tools/contact_scenes.py tools/contact_cases.py "$scratch/tools"
for tool in skirt shirt round contact_scenes contact_cases; do python3 "$scratch/tools/$tool.py"; done
for made in skirt.json meshes/skirt.ply meshes/skirt.pc2; do
    expect "scenes/$made is what tools/skirt.py makes" cmp "scenes/$made" "$scratch/scenes/$made"
done
for made in shirt.json meshes/shirt.obj; do
    expect "scenes/$made is what tools/shirt.py makes" cmp "scenes/$made" "$scratch/scenes/$made"
done
for made in ball.obj tyre.obj; do
    expect "scenes/meshes/$made is what tools/round.py makes" cmp "scenes/meshes/$made" "$scratch/scenes/meshes/$made"
done
python3 tools/flag.py "$scratch/flag.png"
expect "scenes/meshes/flag.png has the pixels that tools/flag.py draws" python3 - scenes/meshes/flag.png "$scratch/flag.png" <<'P'
import struct, sys, zlib
def pixels(path): # which libraries pack in ways of their own
    data, at, packed, head = open(path, "rb").read(), 8, b"", b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        head += data[at + 8:at + 8 + size] if kind == b"IHDR" else b""
        at += 12 + size
    return head, zlib.decompress(packed)
assert pixels(sys.argv[1]) == pixels(sys.argv[2])
P
for made in knot.json funnel.json jellies.json dress.json meshes/dress.ply meshes/figure.ply meshes/figure.pc2; do
    expect "scenes/$made is what tools/contact_scenes.py makes" cmp "scenes/$made" "$scratch/scenes/$made"
done
for made in scenes/contact/*.json; do
    expect "$made is what tools/contact_cases.py makes" cmp "$made" "$scratch/$made"
    expect "$made is a scene" "$PLIANT_BINARY" check "$made"
done
"$PLIANT_BINARY" run scenes/catenary.json -q -o "$scratch/catenary.csv"
python3 tools/catenary.py "$scratch/catenary.csv" >"$scratch/far" 2>&1
said=$(tr '\n' ' ' <docs/gallery.md | sed -nE "s/.*no vertex is farther than ([0-9.]+) mm from its curve in float32, and ([0-9.]+) mm +in float64.*/\\$([ "$PLIANT_REAL" = double ] && echo 2 || echo 1)/p")
expect "no chain is farther from its catenary than is said, $said mm" awk -v said="$said" '{ n++; if ($4 + 0 > said + 0) bad = 1 } END { exit bad || n != 3 || said == "" }' "$scratch/far"
finish
