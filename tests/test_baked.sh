#!/usr/bin/env bash
# Law: a scene that follows a baked mesh is a scene like any other: the same bits with every width, any number of threads, cooked, replayed,
# and gone on with from a checkpoint, when the baked mesh is not there any more.
. "$(dirname "$0")/shell.sh"
pliant=$PLIANT_BINARY
cd "$scratch" || exit 1
cat >arm.json <<'S'
{"pliant": 1, "frames": 30, "fps": 30, "bodies": [{"type": "soft", "name": "arm", "cells": [1, 1, 2], "position": [0, 2, 0], "velocity": [0.5, 3, 0],
 "pins": [0]}]}
S
"$pliant" run arm.json -q -o arm.pc2 || not_ok "a mesh to follow"
cat >cloth.json <<'S'
{"pliant": 1, "frames": 50, "fps": 60, "bodies": [{"type": "cloth", "cells": [20, 20], "position": [0.2, 2.6, 0.3],
 "attach": [{"side": "-x", "keys": {"cache": "arm.pc2", "fps": 30, "map": "nearest", "relative": true}}]}],
 "colliders": [{"type": "sphere", "radius": 0.6, "position": [0.1, 1.8, 0.2], "keys": {"cache": "arm.pc2", "fps": 30, "vertices": [0, 1, 3, 5, 7]}}]}
S
hash() { sed -n 's/.*"hash": "\([0-9a-f]*\)".*/\1/p'; }
expect "it is a good scene" "$pliant" check cloth.json
want=$("$pliant" run cloth.json -q --json --threads 1 -o whole.pc2 -o whole.csv | hash)
sed 's/, "keys": {[^}]*}//g' cloth.json >still.json
[ "$want" != "$("$pliant" run still.json -q --json | hash)" ] && ok "what is followed makes a difference" || not_ok "what is followed makes a difference"
widths=(1)
for width in 4 8 16; do
    PLIANT_WIDTH=$width "$pliant" run arm.json -q --frames 1 2>/dev/null && widths+=($width) || echo "this processor has not got width $width"
done
expect "there is a width to compare with" test ${#widths[@]} -ge 2
for width in "${widths[@]}"; do
    got=$(PLIANT_WIDTH=$width "$pliant" run cloth.json -q --json --threads 3 | hash)
    expect "width $width, three threads: the same bits" test -n "$want" -a "$got" = "$want"
done

# So may a skin, and the frame that a body is seen from: felt as a whole it is not noticed, to the bit.
framed() { sed 's/"attach"/"frame": {"keys": {"cache": "arm.pc2", "fps": 30, "vertices": [0, 1, 3, 5, 7]}'"$1"'}, "attach"/' cloth.json; }
framed '' >felt.json
expect "a frame that is felt is not noticed" test "$("$pliant" run felt.json -q --json | hash)" = "$want"
framed ', "linear_inertia": 0.2, "angular_inertia": 0.4, "centrifugal": 0.6' |
    sed 's/"frame"/"skin": {"max_distance": 0.2, "keys": {"cache": "arm.pc2", "fps": 30, "map": "nearest", "relative": true}}, "frame"/' >worn.json
worn=$("$pliant" run worn.json -q --json --threads 1 | hash)
expect "a skin and a frame make a difference" test -n "$worn" -a "$worn" != "$want"
for width in "${widths[@]}"; do
    expect "worn, width $width, three threads: the same bits" test "$(PLIANT_WIDTH=$width "$pliant" run worn.json -q --json --threads 3 | hash)" = "$worn"
done
"$pliant" cook worn.json -q -o worn.pliant
"$pliant" record worn.json -q -o worn.rec
expect "worn, cooked: the same bits" test "$("$pliant" run worn.pliant -q --json | hash)" = "$worn"
expect "worn, recorded: each frame as it was" "$pliant" replay worn.rec -q

"$pliant" cook cloth.json -q -o cloth.pliant
"$pliant" record cloth.json -q -o cloth.rec
"$pliant" run cloth.json -q --frames 20 -o part.pc2 -o part.csv --checkpoint part.check
mv arm.pc2 kept.pc2
expect "cooked: the same bits, without the file" test "$("$pliant" run cloth.pliant -q --json | hash)" = "$want"
expect "recorded: each frame as it was, without the file" "$pliant" replay cloth.rec -q
"$pliant" run cloth.pliant -q -o part.pc2 -o part.csv --resume part.check
expect "gone on with: the same bytes" cmp part.pc2 whole.pc2
expect "gone on with: the same text" cmp part.csv whole.csv
"$pliant" check cloth.json 2>err
expect "without the file the scene is refused" test $? -eq 2 -a "$(wc -l <err)" -eq 1 -a "$(grep -c 'cloth.json:3: .*arm.pc2: No such file' err)" -eq 1

# What Pliant writes of a motion is followed alike in every format that is read.
mv kept.pc2 arm.pc2
"$pliant" run arm.json -q --force -o arm.pc2 -o arm.mdd -o arm.glb -o arm.usda -o arm.abc
for format in pc2 mdd usda abc; do
    sed "s/arm.pc2/arm.$format/" cloth.json >other.json
    expect "the same motion, as .$format: the same bits" test "$("$pliant" run other.json -q --json --threads 1 | hash)" = "$want"
done
sed "s/arm.pc2/arm.glb/" cloth.json >other.json
"$pliant" run other.json -q --frames 20 -o other.csv
expect "what follows it as .glb is at the same places, within rounding" awk -F, 'NR == FNR { for (k = 5; k <= 7; k++) x[$1, $4, k] = $k; next }
    FNR > 1 && $4 % 21 == 0 { n++; for (k = 5; k <= 7; k++) if (($k - x[$1, $4, k]) ^ 2 > 1e-11) bad++ } END { exit !(n == 21 * 21 && !bad) }' whole.csv other.csv
mv arm.pc2 kept.pc2

# A first frame that the cache does not have is said.
mv kept.pc2 arm.pc2
for first in 29.5 30 1001; do
    sed "s/\"relative\"/\"first_frame\": $first, \"relative\"/" cloth.json >late.json
    "$pliant" check late.json >/dev/null 2>err
    expect "first_frame $first of frames 0 to 30: noted where all are over" test $? -eq 0 -a \
        "$(grep -c 'late.json:2: .*arm.pc2: its frames are 0 to 30, all over at time 0' err)" -eq "$([ "$first" = 29.5 ] && echo 0 || echo 1)"
done
for first in -24 -26; do
    sed "s/\"relative\"/\"first_frame\": $first, \"relative\"/" cloth.json >early.json
    "$pliant" check early.json >/dev/null 2>err
    expect "first_frame $first: noted where the scene ends before the cache begins" test $? -eq 0 -a \
        "$(grep -c 'early.json:2: .*arm.pc2: its frames are 0 to 30, all behind the scene.s end' err)" -eq "$([ "$first" = -24 ] && echo 0 || echo 1)"
done
mv arm.pc2 kept.pc2

# What lies outside is not read, wherever a link leads, unless the root allows it.
mkdir in
sed 's,arm.pc2,../kept.pc2,' cloth.json >in/out.json
"$pliant" check in/out.json 2>err
expect "a cache outside the scene's folder is refused" test $? -eq 2 -a "$(grep -c 'lies outside' err)" -eq 1
expect "--root allows it" "$pliant" check in/out.json --root .
ln -s ../kept.pc2 in/arm.pc2
cp cloth.json in/
"$pliant" check in/cloth.json 2>err
expect "a link that leads out is refused" test $? -eq 2 -a "$(grep -c 'lies outside' err)" -eq 1
finish
