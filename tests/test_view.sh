#!/usr/bin/env bash
# Laws of `pliant view`, driven by mouse and keys on a display of its own: what is stepped through is the run, going back and on again changes
# no bit, a drag changes what it should, a screenshot shows the scene, a scene that is written again is read again, and all ends in good order.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
pliant=$PLIANT_BINARY
cd "$scratch" || exit 1
"$pliant" info | grep -q "viewer: yes" || skip_all "this build has no viewer"
for tool in Xvfb xdotool ffmpeg; do command -v $tool >/dev/null || skip_all "$tool is not here"; done

# How many pixels beside the panel are red in a screenshot of 800 by 600.
red_in() { # FILE
    ffmpeg -v error -i "$1" -f rawvideo -pix_fmt rgb24 - | python3 -c '
import sys
raw, found = sys.stdin.buffer.read(), 0
assert len(raw) == 800 * 600 * 3
for y in range(600):
    row = raw[2400 * y + 900:2400 * (y + 1)]
    found += sum(red > 60 and red > 1.5 * green for red, green in zip(row[::3], row[1::3]))
print(found)'
}
cp "$PLIANT_SOURCE_DIR/scenes/flag.json" flag.json
hash_after() { "$pliant" run "$1" --frames "$2" --json -q | sed -E 's/.*"hash": "([0-9a-f]+)".*/\1/'; }
wanted5=$(hash_after flag.json 5) wanted8=$(hash_after flag.json 8)

env -u DISPLAY -u WAYLAND_DISPLAY "$pliant" view flag.json >out 2>err
status=$?
expect "no display: exit 6 and one sentence" test $status -eq 6 -a "$(wc -l <err)" -eq 1

unset WAYLAND_DISPLAY
start_display 1000x700
trap 'kill $xvfb 2>/dev/null; rm -rf "$scratch"' EXIT

"$pliant" view nothing.json >out 2>err
status=$?
expect "no scene: exit 2 and one sentence" test $status -eq 2 -a "$(wc -l <err)" -eq 1

"$pliant" view flag.json --width 800 --height 600 >out 2>err &
viewer=$!
window=
title() { xdotool getwindowname "$window" 2>/dev/null; }
title_is() { title | grep -q -- "$1"; }
# Waits until the title says so. Everything is slow under a sanitizer, and on a busy machine.
until_title() { # PATTERN
    wait_until title_is "$1" && return 0
    echo "the title is $(title)"
    return 1
}
found_window() {
    window=$(xdotool search --onlyvisible --name '^pliant' 2>/dev/null | head -n 1)
    [ -n "$window" ]
}
wait_until found_window
expect "a window" test -n "$window"
[ -n "$window" ] || { cat err; finish; }
hash_shown() { title | grep -o '[0-9a-f]\{16\}'; }
key() { xdotool key --window "$window" "$@" 2>/dev/null; }
# Keys one by one, each when the title says that the one before has been seen to.
step_to() { # FRAME
    local now
    now=$(title | sed -E 's/.*frame ([0-9]+).*/\1/')
    while [ "$now" -lt "$1" ]; do
        key Right
        now=$((now + 1))
        until_title "frame $now " || return 1
    done
}

expect "it opens at the start" until_title "flag.json   frame 0 "
expect "and steps" step_to 5
expect "to where a run comes" test "$(hash_shown)" = "$wanted5"
key Left
until_title "frame 4 " >/dev/null
key Left
expect "it goes back" until_title "frame 3 "
expect "and on again" step_to 5
expect "to the same bits" test "$(hash_shown)" = "$wanted5"

# Waits until a picture was drawn, by a screenshot. Where the mouse is, the viewer asks when it sees a button or draws the panel, which may be
# later than the next thing done here.
pictures() { grep -c '^wrote' out; }
more_pictures() { [ "$(pictures)" -gt "$1" ]; }
drawn() {
    local before
    before=$(pictures)
    key F12
    wait_until more_pictures "$before"
}
xdotool mousemove --window "$window" 600 200
xdotool mousedown 1
drawn
xdotool mousemove --window "$window" 680 60
expect "a drag while it steps" step_to 8
xdotool mouseup 1
dragged=$(hash_shown)
expect "makes another run of it" test -n "$dragged" -a "$dragged" != "$wanted8"
key Left Left Left
expect "three frames back" until_title "frame 5 "
expect "without it" step_to 8
expect "it is the run again" test "$(hash_shown)" = "$wanted8"

key F12
expect "a screenshot" wait_until grep -q "wrote flag.0008.png" out
expect "of the window, with the flag's colour in it" test "$(red_in flag.0008.png)" -gt 5000
key space
expect "it plays" until_title "playing"
expect "and goes on" until_title "frame [1-9][0-9]"
key space
pauses() { title | grep -q "frame" && ! title_is playing; }
expect "and pauses" wait_until pauses

# The panel: a line for the notice of the screenshot, then rows that lie 23 pixels apart.
click() { # X Y
    xdotool mousemove --window "$window" "$1" "$2"
    drawn
    xdotool mousedown 1
    drawn
    xdotool mouseup 1
    drawn
}
key R
expect "back to the start" until_title "frame 0 "
click 120 85
expect "the button Step steps" until_title "frame 1 "
expect "as a run does" test "$(hash_shown)" = "$(hash_after flag.json 1)"
click 100 470
expect "the part Materials opens" step_to 2
expect "and by itself changes nothing" test "$(hash_shown)" = "$(hash_after flag.json 2)"
click 120 511
expect "a compliance that is moved" step_to 3
expect "makes another run of it" test "$(hash_shown)" != "$(hash_after flag.json 3)"

# Written at one stroke, or half of it might be read.
rewrite() { cat >new.json && mv new.json flag.json; }
sed 's/"cells": \[36, 24\]/"cells": [12, 8]/' "$PLIANT_SOURCE_DIR/scenes/flag.json" | rewrite
expect "a scene that is written again is read again" until_title "frame 0 "
coarse=$(hash_after flag.json 2)
step_to 2
expect "as it is now" test "$(hash_shown)" = "$coarse"
echo '{"pliant": 1, "bodies": [{"type": "soft", "model": "neo_hookean", "cells": [3, 3, 3], "size": [1, 1, 1]}], "colliders": [{"type": "plane"}]}' | rewrite
expect "a jelly is read in its place" until_title "frame 0 "
step_to 1
click 120 557
expect "Poisson's ratio that is moved" step_to 2
expect "makes another run of it, too" test "$(hash_shown)" != "$(hash_after flag.json 2)"
echo '{"pliant": 1, "bodies": 3}' | rewrite
sleep 1
expect "a wrong one leaves what there is" until_title "frame 2 "
rewrite <"$PLIANT_SOURCE_DIR/scenes/net.json"
expect "until it is mended" until_title "frame 0 "

key R
gone() { ! kill -0 $viewer 2>/dev/null; }
told_to_end() { # a key may come before the window takes keys
    key ctrl+q
    sleep 0.5
    gone
}
ends_well() {
    wait_until told_to_end || kill $viewer
    wait $viewer
    status=$?
    [ $status -eq 0 ] && [ ! -s err ] || { head -n 30 err; return 1; }
}
expect "it ends well, and frees all" ends_well

# A sheet that falls, in a scene that says from where it is seen, or that it is to be followed.
for follow in '' ', "follow": "sheet"'; do
    printf '{"pliant": 1, "bodies": [{"type": "cloth", "name": "sheet", "cells": [4, 4], "look": {"color": "#d22"}}], "camera": {"eye": [0, 2, 4], "target": [0, 0, 0]%s}}' "$follow" >falls.json
    rm -f falls.*.png
    "$pliant" view falls.json --width 800 --height 600 >out 2>err &
    viewer=$!
    wait_until found_window
    until_title "frame 0 " && drawn && step_to 55 && drawn || not_ok "the sheet falls"
    expect "seen from the scene's camera" test "$(red_in falls.0000.png)" -gt 2000
    if [ -n "$follow" ]; then
        expect "what is followed stays in the picture" test "$(red_in falls.0055.png)" -gt 2000
    else
        expect "what is not falls out of it" test "$(red_in falls.0055.png)" -eq 0
    fi
    expect "it ends well" ends_well
done
finish
