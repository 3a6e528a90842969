#!/usr/bin/env bash
# Laws of runs that diverge: one ends in the very frame, with 4, says which particle and how fast, and keeps what was good before: its outputs up to
# the frame before, and the last checkpoint, from which it goes on to the same end. No example diverges, nor puts a body back.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
pliant=$PLIANT_BINARY
[ -x "$pliant" ] || { not_ok "$pliant is there"; finish; }
cd "$scratch" || exit 1

# Falls freely from rest: 10 m/s^2 at 60 frames a second pass 2.04 m/s in frame 13, and vertex 1, which is thrown down at 1 m/s, in frame 7.
cat >fall.json <<'E2'
{"pliant": 1, "frames": 40, "solver": {"substeps": 1, "gravity": [0, -10, 0], "max_speed": 2.04}, "bodies": [{"type": "particles", "name": "two",
"particles": [{"x": [0, 0, 0]}, {"x": [1, 0, 0], "v": [0, -1, 0]}]}]}
E2
for format in csv pc2; do
    rm -f out.* check
    "$pliant" run fall.json -q -o out.$format --checkpoint check --every 1 2>err
    expect "$format: it ends with 4" test $? -eq 4
    expect "$format: in its frame, naming the particle" grep -qE '^fall.json: .*frame 7\b.*particle 1 of two' err
    expect "$format: in one line" test "$(wc -l <err)" -eq 1
    "$pliant" run fall.json -q -o good.$format --frames 6
    expect "$format: the frames before are whole" cmp out.$format good.$format
    cp check kept
    "$pliant" run fall.json -q -o out.$format --resume check 2>again
    expect "$format: the checkpoint goes on to the same end" test $? -eq 4 -a "$(cat err)" = "$(cat again)"
    expect "$format: and stays the last good one" cmp check kept
done
sed 's/2.04/2000/' fall.json >other.json
"$pliant" run other.json -q --resume check 2>err
expect "it is not another scene's" test $? -eq 2

# What overlaps is pushed apart at 0.24 m/s each, and that push is taken back when velocities settle: it is too fast for a moment.
cat >push.json <<'E2'
{"pliant": 1, "frames": 5, "solver": {"substeps": 1, "gravity": [0, 0, 0], "max_speed": 0.1}, "bodies": [
 {"type": "particles", "name": "a", "thickness": 0.05, "contact_mask": 1, "particles": [{"x": [0, 0, 0]}]},
 {"type": "particles", "name": "b", "thickness": 0.05, "contact_mask": 1, "particles": [{"x": [0, 0.02, 0]}]}]}
E2
"$pliant" run push.json -q 2>err
expect "the speed that is said is the one that was too fast" test $? -eq 4 -a "$(sed -nE 's/.* moves at ([0-9.]+) m\/s .*/\1/p' err | awk '{print ($1 > 0.1)}')" = 1
expect "and the place where it was" grep -qE 'moves at [0-9.]+ m/s at \(0, -0\.00[0-9]+, 0\)' err

alarms=$failures
for scene in "$PLIANT_SOURCE_DIR"/scenes/*.json "$PLIANT_SOURCE_DIR"/scenes/lessons/*.json; do
    "$pliant" run "$scene" -q --frames 15 --json >out 2>err
    status=$?
    [ $status -eq 0 ] && grep -q '"diverged": false' out && grep -q '"restored_bodies": 0' out || not_ok "$(basename "$scene"): exit $status, $(head -n 1 err)"
done
[ "$failures" -ne "$alarms" ] || ok "no example raises a false alarm"
finish
