#!/usr/bin/env bash
# Law: what is pinned, attached or fixed on both sides, nearer than it is thick, cannot be parted and is let be: it hangs still, and check says how much
# of it there is.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
pliant=$PLIANT_BINARY
[ -x "$pliant" ] || { not_ok "$pliant is there"; finish; }
cd "$scratch" || exit 1

# Two sheets that hang from their upper sides: GAP apart, CELLS each, pins of the first.
sheets() { # GAP CELLS PINS
    local sheet='"type": "cloth", "thickness": 0.002, "size": [0.6, 0.6], "rotation": {"axis": [1, 0, 0], "angle": 90}, "material": "cotton", "contact_mask": 1'
    cat <<E2
{"pliant": 1, "frames": 30, "solver": {"substeps": 20}, "bodies": [
 {$sheet, "name": "a", "cells": [$2, $2], "position": [0, 1, 0], "pins": [$3]},
 {$sheet, "name": "b", "cells": [$2, $2], "position": [0, 1, $1], "pins": [{"side": "+y"}]}]}
E2
}
hangs() { # FILE
    "$pliant" run "$1" -q --json >out 2>err || return 1
    sed -nE 's/.*"max_speed": ([0-9.e+-]+),.*/\1/p' out | tail -n 1 | awk '{exit !($1 < 0.1)}'
}
above='{"side": "+y"}'
for gap in 0.0005 0.002 0.0039 0.00399; do
    sheets $gap 1 "$above" >near.json
    expect "quads that are pinned $gap m apart hang still" hangs near.json
done
sheets 0.0039 6 "$above" >near.json
expect "so do sheets of six by six cells" hangs near.json
sheets 0.0039 1 "$above, {\"side\": \"-y\"}" >fixed.json
expect "and a sheet beside one that is fixed" hangs fixed.json

"$pliant" check near.json >/dev/null 2>err
expect "check says it in one line, with both names and a number" test "$(grep -cE 'near.json: .*a.* b.* held nearer than they are thick, in [1-9][0-9]* pairs' err)" -eq 1
sheets 0.002 1 "$above" | sed 's/"pins": \[{"side": "+y"}\]/"attach": [{"side": "+y"}]/' >attached.json
sheets 0.002 1 "$above" | sed 's/"side": "+y"}/"side": "+y", "releasable": true}/' >releasable.json
for how in attached releasable; do
    expect "what is $how hangs still" hangs $how.json
    "$pliant" check $how.json >/dev/null 2>err
    expect "and check counts what is $how" grep -qE "$how.json: .* held nearer than they are thick, in [1-9]" err
done
sheets 0.0041 1 "$above" >apart.json
"$pliant" check apart.json >/dev/null 2>err
expect "and nothing of what is held far enough apart" test ! -s err
# Two sheets in one plane have no side of their own: one is chosen, and both commands say it.
cat >plane.json <<E2
{"pliant": 1, "frames": 30, "bodies": [
 {"type": "cloth", "name": "a", "cells": [4, 4], "size": [1, 1], "thickness": 0.01, "contact_mask": 1},
 {"type": "cloth", "name": "b", "cells": [3, 3], "size": [0.5, 0.5], "position": [0.03, 0, 0.02], "thickness": 0.01, "contact_mask": 1}]}
E2
expect "two sheets in one plane come apart, and never cross" "$pliant" run plane.json --quiet --crossings
for verb in check "run --quiet"; do
    # shellcheck disable=SC2086
    "$pliant" $verb plane.json >/dev/null 2>err
    expect "$verb says in one line how many begin aside, and by how much" \
        test "$(grep -cE 'plane.json: 16 particles of .*"b", begin up to 2e-05 m aside.*"a"' err)/$(wc -l <err)" = 1/1
done
finish
