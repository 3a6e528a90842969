#!/usr/bin/env bash
# Laws of .mdd, .glb and .usda as files: a reader that shares nothing with Pliant finds in them what a .csv of the same run has; they can be
# drawn and gone on with; what does not fit is one line.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
cd "$scratch" || exit 1
command -v python3 >/dev/null || skip_all "no python3"
cat >all.json <<'J'
{"pliant": 1, "fps": 50, "colliders": [{"type": "plane"}], "bodies": [
 {"type": "cloth", "name": "sheet \"1\"", "cells": [5, 4], "size": [1, 1], "position": [0, 1, 0], "pins": [0]},
 {"type": "soft", "name": "jelly", "cells": [2, 2, 2], "size": [0.3, 0.3, 0.3], "position": [1, 0.5, 0], "spin": [1, 2, 3]},
 {"type": "rope", "name": "rope", "from": [0, 1, 1], "to": [1, 1.5, 1], "segments": 7, "thickness": 0.01, "pins": [0]},
 {"type": "particles", "name": "2 dots", "particles": [{"x": [0, 1, 2]}, {"x": [0.1, 2, 2], "v": [1, 0, 0]}]}]}
J
outputs() { local o; for o in csv obj/ mdd glb usda; do printf -- '-o %s.%s ' "$1" "$o"; done; }
# shellcheck disable=SC2046
run() { "$PLIANT_BINARY" run "$1" -q $(outputs "$2") "${@:3}"; }
checked() { # WHAT NAME
    local line
    python3 "$PLIANT_SOURCE_DIR/tests/read_caches.py" "$2" >read.log 2>&1 || echo "not ok its reader" >>read.log
    while read -r line; do
        case $line in
        ok\ *) ok "$1: ${line#ok }" ;;
        not\ ok*) not_ok "$1: $(cat read.log)" ;;
        esac
    done <read.log
}
run all.json all --frames 30 || not_ok "a run"
checked "all kinds of bodies" all
run "$PLIANT_SOURCE_DIR/scenes/flag.json" flag --frames 8 || not_ok "a run"
checked "the flag" flag
run "$PLIANT_SOURCE_DIR/scenes/net.json" still --frames 1 || not_ok "a run"
checked "two frames" still

for o in mdd glb usda; do
    "$PLIANT_BINARY" run all.json -q --frames 3 -o few."$o"
    run=("$PLIANT_BINARY" render few."$o" --scene all.json -o few."$o".png -q)
    "${run[@]}" 2>err && ok "a .$o can be drawn" || { grep -q "not available\|pictures" err && ok "no pictures here" || not_ok "a .$o can be drawn: $(cat err)"; }
done
expect "no work file is left" test -z "$(find . -name '*.part' -o -name '*.tmp')"

"$PLIANT_BINARY" run all.json -q --frames 100000 -o big.glb 2>err
expect "a .glb of too many frames is refused" test $? -eq 2 -a "$(wc -l <err)" -eq 1 -a -z "$(find . -name 'big*')"
expect "with the number" grep -q "65536" err

# Ctrl-C puts together what there is.
"$PLIANT_BINARY" run "$PLIANT_SOURCE_DIR/scenes/drape.json" -q --frames 4000 -o stop.usda -o stop.glb -o stop.mdd 2>err &
pid=$!
wait_until test -s stop.mdd.part
kill -INT $pid
wait $pid
expect "Ctrl-C ends with 130" test $? -eq 130
expect "and puts together what there is" test -s stop.usda -a -s stop.glb -a -s stop.mdd -a ! -e stop.mdd.part

# Where a checkpoint is kept, that is left to the run that goes on.
"$PLIANT_BINARY" run "$PLIANT_SOURCE_DIR/scenes/drape.json" -q --frames 4000 -o late.usda -o late.glb -o late.mdd --checkpoint late.check 2>err &
pid=$!
wait_until test -s late.mdd.part
sleep 0.5
kill -INT $pid
wait $pid
expect "with a checkpoint, Ctrl-C ends with 130 too" test $? -eq 130
expect "and leaves work files" test -s late.usda.part -a -s late.glb.part -a -s late.mdd.part -a ! -e late.usda -a ! -e late.glb -a ! -e late.mdd
frames=$(($(sed -nE 's/.*interrupted after frame ([0-9]+) of.*/\1/p' err) + 5))
expect "from which it goes on" "$PLIANT_BINARY" run "$PLIANT_SOURCE_DIR/scenes/drape.json" -q --frames $frames -o late.usda -o late.glb -o late.mdd --resume late.check
"$PLIANT_BINARY" run "$PLIANT_SOURCE_DIR/scenes/drape.json" -q --frames $frames -o once.usda -o once.glb -o once.mdd
for o in usda glb mdd; do expect "to the same bytes: .$o" cmp late.$o once.$o; done
expect "and no work file is left" test -z "$(find . -name 'late*.part')"
finish
