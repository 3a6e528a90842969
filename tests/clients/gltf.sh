#!/usr/bin/env bash
# Khronos' glTF validator has nothing to say of a .glb: no error, no warning, no information.
. "$(dirname "${BASH_SOURCE[0]}")/../shell.sh"
. "$(dirname "${BASH_SOURCE[0]}")/npm.bash"
cd "$scratch" || exit 1
bodies='
cloth {"type": "cloth", "cells": [6, 6], "size": [1, 1], "pins": [0]}
soft {"type": "soft", "cells": [2, 2, 2], "size": [0.3, 0.3, 0.3]}
rope {"type": "rope", "from": [0, 1, 0], "to": [1, 1, 0], "segments": 8, "pins": [0]}
particles {"type": "particles", "particles": [{"x": [0, 1, 0]}, {"x": [1, 1, 0]}]}'
while read -r name body; do
    [ -n "$name" ] || continue
    echo "{\"pliant\": 1, \"bodies\": [$body]}" >"$name.json"
    "$PLIANT_BINARY" run "$name.json" -q --frames 20 -o "$name.glb" || not_ok "a run of $name"
done <<<"$bodies"
"$PLIANT_BINARY" run all.json -q --frames 20 -o all.glb || not_ok "a run of all"
# A mesh with a vertex that no face uses, and a face without area.
printf 'v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 5 5 5\nv 2 0 0\nf 1 2 3 4\nf 2 6 3\n' >odd.obj
echo '{"pliant": 1, "bodies": [{"type": "cloth", "name": "é \"q\" \\ z", "mesh": "odd.obj"}]}' >odd.json
"$PLIANT_BINARY" run odd.json -q --frames 5 -o odd.glb || not_ok "a run of odd"
# A texture on a mesh with a seam, and on a grid; nothing without a look of its own.
python3 - <<'P'
import struct, zlib
def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
rows = b"".join(b"\0" + bytes(c for x in range(8) for c in (30 * x, 30 * y, 99)) for y in range(8))
open("t.png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
P
printf 'v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 2 0 0\nv 2 0 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\nf 2/1 5/2 6/3 3/4\n' >seam.obj
echo '{"pliant": 1, "bodies": [{"type": "cloth", "mesh": "seam.obj", "look": {"texture": "t.png", "color": "#fc8"}},
 {"type": "cloth", "cells": [3, 3], "position": [0, 1, 0], "look": {"texture": "t.png"}}]}' >texture.json
"$PLIANT_BINARY" run texture.json -q --frames 5 -o texture.glb || not_ok "a run of texture"
"$PLIANT_BINARY" run "$PLIANT_SOURCE_DIR/scenes/drape.json" -q --frames 3 -o drape.glb || not_ok "a run of drape"
node_checks gltf.mjs cloth.glb soft.glb rope.glb particles.glb all.glb odd.glb texture.glb drape.glb
# It does find what is wrong: a byte of a triangle's corner.
python3 - <<'P'
data = bytearray(open("cloth.glb", "rb").read())
length = int.from_bytes(data[12:16], "little")
data[20 + length + 8] = 255
open("bad.glb", "wb").write(data)
P
expect "what is damaged is found" eval '! node "$clients/gltf.mjs" bad.glb'
finish
