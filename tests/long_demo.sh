#!/usr/bin/env bash
# Law: the demo draws a picture and a film.
. "$(dirname "$0")/shell.sh"
cd "$scratch" || exit 1
unset DISPLAY WAYLAND_DISPLAY PLIANT_GL
"$PLIANT_BINARY" render "$PLIANT_SOURCE_DIR/scenes/chain.json" -q --frames 0 --size 32x32 -o try.png 2>err
[ $? -ne 6 ] || skip_all "this build or this machine cannot draw: $(cat err)"
expect "the demo runs" "$PLIANT_BINARY" demo -q -o demo
expect "the demo draws a picture and a film" test "$(size_of demo/demo.png)" = 1280x720 -a "$(frames_of demo/demo.mp4)" -eq 121
finish
