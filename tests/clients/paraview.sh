#!/usr/bin/env bash
# Laws of what ParaView reads: .pvd, and .vtkhdf by its .xmf (by itself too, where ParaView can: 5.12 and later), have every vertex, normal,
# velocity, face and time of every frame; also while they are being written, and after the writer was killed.
. "$(dirname "${BASH_SOURCE[0]}")/../shell.sh"
command -v pvbatch >/dev/null || skip_all "no ParaView (pvbatch) here"
command -v xvfb-run >/dev/null || skip_all "no xvfb-run here"
pliant=$PLIANT_BINARY here=$PLIANT_SOURCE_DIR/tests/clients
cd "$scratch" || exit 1
version=$(pvbatch --version 2>&1 | grep -o '[0-9]*\.[0-9]*' | head -n 1)
hdf5=no
"$pliant" info | grep -q '(HDF5): yes' && hdf5=yes

same() { # CACHE NAME: with NAME.csv and NAME.ply/
    timeout 300 xvfb-run -a pvbatch "$here/paraview_check.py" "$1" "$2.csv" "$2.ply" >out 2>&1 && [ "$(tail -n 1 out)" = good ] && return
    tail -n 5 out
    return 1
}
quiet() { ! grep -qiE 'error|warn|ERR\|' out || { grep -iE 'error|warn|ERR\|' out | head -n 5; return 1; }; }

cat >scene.json <<'J'
{"pliant": 1, "frames": 12, "bodies": [
  {"type": "cloth", "name": "sheet", "cells": [12, 9], "size": [1, 1], "position": [0, 1, 0], "pins": [{"side": "+x"}]},
  {"type": "soft", "name": "jelly & co", "cells": [2, 2, 2], "size": [0.4, 0.4, 0.4], "position": [1, 1, 0], "spin": [1, 2, 3]},
  {"type": "rope", "name": "rope", "from": [0, 2, 0], "to": [1, 2, 0], "segments": 9},
  {"type": "particles", "name": "dust", "particles": [{"x": [0, 1, 2]}, {"x": [0, 2, 2]}, {"x": [1, 2, 2]}]}],
 "colliders": [{"type": "plane", "friction": 0.4}]}
J
outputs=(-o a.csv -o a.ply/ -o a.pvd)
[ $hdf5 = yes ] && outputs+=(-o a.vtkhdf)
"$pliant" run scene.json -q "${outputs[@]}" || not_ok "a run"
printf '%s\n' sheet 'jelly_&_co' rope dust >a.ply/names
expect "ParaView $version reads .pvd: every vertex, normal, velocity, face and time" same a.pvd a
expect "without a word" quiet
if [ $hdf5 = yes ]; then
    expect "ParaView $version reads .xmf with .vtkhdf: the same" same a.xmf a
    expect "without a word" quiet
    if [ "$(printf '%s\n' 5.12 "$version" | sort -V | head -n 1)" = 5.12 ]; then
        expect "ParaView $version reads .vtkhdf by itself: the same" same a.vtkhdf a
    else
        echo "skipped: .vtkhdf by itself (ParaView $version does not read polygons that move from it; 5.12 does)"
    fi
fi

# While a bake goes on, and after it was killed: what is there so far.
"$pliant" run scene.json -q --frames 20000 "${outputs[@]//a./b.}" 2>err &
pid=$!
trap 'kill -9 $pid 2>/dev/null; rm -rf "$scratch"' EXIT
wait_until test -s b.ply/dust.0040.ply || not_ok "a long run: $(cat err)"
count() { # CACHE: how many frames ParaView finds
    xvfb-run -a pvbatch "$here/paraview_count.py" "$1" 2>err | tail -n 1
}
growing=$(count b.pvd)
expect "a .pvd that grows can be opened: $growing frames" test "${growing:-0}" -gt 30
if [ $hdf5 = yes ]; then
    growing=$(count b.xmf)
    expect "a .xmf that grows can be opened: $growing frames" test "${growing:-0}" -gt 30
fi
kill -9 $pid
wait $pid 2>/dev/null
[ $hdf5 = yes ] && expect "and one whose writer was killed" test "$(count b.xmf)" -gt 30
expect "a .pvd too" test "$(count b.pvd)" -gt 30

# An independent reader of HDF5.
if [ $hdf5 = yes ] && command -v h5dump >/dev/null; then
    expect "h5dump reads a .vtkhdf" h5dump -H a.vtkhdf
    expect "and one whose writer was killed" h5dump -H b.vtkhdf
fi
finish
