#!/usr/bin/env bash
# Laws of `pliant render`: what is asked for is what is written, whole; what cannot be drawn is one line and its exit code; a cache draws as
# the run that it was written by; a display changes nothing.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
pliant=$PLIANT_BINARY
scenes=$PLIANT_SOURCE_DIR/scenes
cd "$scratch" || exit 1
unset DISPLAY WAYLAND_DISPLAY PLIANT_GL
"$pliant" render "$scenes/chain.json" -q --frames 0 --size 32x32 -o try.png 2>err
[ $? -ne 6 ] || skip_all "this build or this machine cannot draw: $(cat err)"

rate_of() { ffprobe -v error -select_streams v -show_entries stream=r_frame_rate -of csv=p=0 "$1" | tr -d ','; }

# The command ends with STATUS, says one line with TEXT on standard error, and writes nothing.
refuses() { # WHAT STATUS TEXT ARGUMENTS...
    local what=$1 want=$2 text=$3
    shift 3
    rm -rf out
    mkdir out
    (cd out && "$pliant" render "$@" >/dev/null 2>../err)
    local status=$?
    if [ "$status" -eq "$want" ] && [ "$(wc -l <err)" -eq 1 ] && grep -q -- "$text" err && [ -z "$(ls -A out)" ]; then
        ok "refused: $what"
    else
        not_ok "refused: $what: exit $status, left $(ls out | tr '\n' ' '), said $(head -n 3 err)"
    fi
}
chain=$scenes/chain.json

# ---- what is asked for is written ----

expect "one picture" "$pliant" render "$chain" -q --size 160x90 --frames 7 -o one.png
expect "of the size asked for" test "$(size_of one.png)" = 160x90
expect "a picture per frame" "$pliant" render "$chain" -q --size 160x90 --frames 2:9 --every 3 -o "many/f%03d.png"
expect "numbered by the frame" test "$(ls many | tr '\n' ' ')" = "f002.png f005.png f008.png "
expect "a film" "$pliant" render "$chain" -q --size 160x90 --frames 0:20 -o film.mp4 -o film.gif -o last.png
expect "with a frame for each" test "$(frames_of film.mp4)" -eq 21 -a "$(frames_of film.gif)" -ge 16 # a GIF has at most 50 a second
expect "the picture beside it is the last frame" test -s last.png
expect "every other frame keeps the speed" "$pliant" render "$chain" -q --size 160x90 --frames 0:20 --every 2 -o half.mp4
expect "by half the rate" test "$(frames_of half.mp4) $(rate_of half.mp4)" = "11 30/1"
"$pliant" run "$chain" -q --frames 20 -o half.pc2 --every 2 -o half.csv --every 2
for cache in half.pc2 half.csv; do
    expect "a cache of every other frame keeps the speed: $cache" "$pliant" render "$cache" --scene "$chain" -q --size 160x90 -o "$cache.mp4"
    expect "by half the rate too" test "$(frames_of "$cache.mp4") $(rate_of "$cache.mp4")" = "11 30/1"
done
expect "a picture beside a film of every third frame" "$pliant" render "$chain" -q --size 160x90 --frames 0:4 --every 3 -o third.gif -o third.png
"$pliant" render "$chain" -q --size 160x90 --frames 3 --camera 0,0,5:0,0,0 -o plain.png
"$pliant" render "$chain" -q --size 160x90 --frames 0:4 --every 3 --camera 0,0,5:0,0,0 -o third2.gif -o third2.png
expect "is that of the last frame drawn" cmp third2.png plain.png
"$pliant" render "$PLIANT_SOURCE_DIR/scenes/demo.json" -q --size 320x180 --frames 0:30 --every 30 --show contacts -o "c%d.png"
"$pliant" render "$PLIANT_SOURCE_DIR/scenes/demo.json" -q --size 320x180 --frames 0:30 --every 30 -o "n%d.png"
# The words of the legend are below; above them the start has no contacts, and the end has.
above() { ffmpeg -v error -y -i "$1" -vf crop=320:150:0:0 -f rawvideo -pix_fmt rgb24 "$2"; }
for i in 0 30; do above c$i.png c$i.raw; above n$i.png n$i.raw; done
expect "contacts are those of the frame, not of another" bash -c 'cmp -s c0.raw n0.raw && ! cmp -s c30.raw n30.raw'
"$pliant" render "$chain" --size 160x90 --frames 3 -o said.png >out 2>err
expect "it is said what draws" grep -q "drawn with \(EGL\|OSMesa\)" out
camera=$(sed -n 's/^camera //p' out)
expect "and the camera, which gives the same picture" "$pliant" render "$chain" -q --size 160x90 --frames 3 --camera "$camera" -o again.png
"$pliant" render "$chain" --json -q --size 160x90 --frames 3 -o j.png >out 2>err
expect "--json is JSON" python3 -c 'import json, sys; d = json.load(open("out")); assert d["pictures"] == 1 and d["files"] == ["j.png"] and len(d["hash"]) == 16 and d["bodies"][0]["colour"]'
expect "drawn twice, the same bytes" cmp j.png said.png
# A scene's own camera is the same as the switch, in pictures of the scene and of a cache of it; the switch comes before it.
body=chain
asks() { sed "s/\"pliant\": 1,/\"pliant\": 1, \"camera\": $1,/" "$PLIANT_SOURCE_DIR/scenes/chain.json" >asks.json; }
while IFS='|' read -r camera switch; do
    asks "$camera"
    "$pliant" render asks.json -q --size 160x90 --frames 0:12 --every 12 -o "own%d.png"
    "$pliant" render "$chain" -q --size 160x90 --frames 0:12 --every 12 --camera "$switch" -o "told%d.png"
    expect "a scene's camera $camera is --camera $switch" bash -c 'cmp own0.png told0.png && cmp own12.png told12.png'
    "$pliant" run asks.json -q --frames 12 -o own.pc2 --force
    "$pliant" render own.pc2 --scene asks.json -q --size 160x90 --frames 0:12 --every 12 -o "cached%d.png"
    expect "of a cache, too" cmp cached12.png told12.png
    "$pliant" render asks.json -q --size 160x90 --frames 12 --camera 0,0,5:0,0,0 -o over.png
    "$pliant" render "$chain" -q --size 160x90 --frames 12 --camera 0,0,5:0,0,0 -o told.png
    expect "a switch comes before a scene's camera" cmp over.png told.png
    rm -f own*.png told*.png cached*.png over.png
done <<S
{"eye": [1, 1, 4], "target": [0.5, 0, 0], "fov": 40}|1,1,4:0.5,0,0:40
{"from": "side"}|side
{"follow": "$body"}|follow:$body
{"follow": 0, "eye": [1, 1, 4], "target": [0, 0, 0]}|follow:$body:1,1,4:0,0,0
S
# Where it follows a body, its eye is that of frame 0, whichever frames are drawn.
asks '{"follow": 0, "eye": [1, 1, 4], "target": [0, 0, 0]}'
"$pliant" render asks.json -q --size 160x90 --frames 0:12 --every 12 -o "both%d.png"
"$pliant" render asks.json -q --size 160x90 --frames 12 -o later.png
expect "what a scene's camera follows is where it is in a film, in a picture, too" cmp both12.png later.png
for threads in 1 2 5; do
    LP_NUM_THREADS=$threads "$pliant" render "$scenes/demo.json" -q --threads $threads --size 320x180 --frames 4 -o "t$threads.png"
done
expect "a still by one, two and five threads, the same bytes" bash -c 'cmp t1.png t2.png && cmp t1.png t5.png'
for view in front side top; do
    "$pliant" render "$chain" -q --size 160x90 --frames 3 --camera $view -o $view.png 2>err
done
expect "views differ" bash -c '! cmp -s front.png side.png && ! cmp -s side.png top.png'

# A rope that falls for a second, 4.9 m: a camera that goes with it has it where it was, one that stands has lost it.
cat >fall.json <<'J'
{"pliant": 1, "frames": 60, "bodies": [{"type": "rope", "name": "a:b", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 4, "thickness": 0.05},
 {"type": "rope", "name": "a", "from": [9, 0, 0], "to": [9, 1, 0], "segments": 4, "fixed": true}]}
J
middle() { ffmpeg -v error -y -i "$1" -vf crop=40:24:60:33 -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 -w3 | awk '$1 > 1.5 * $3 { n++ } END { print n + 0 }'; }
"$pliant" render fall.json -q --size 160x90 --camera follow:a:b -o "f%03d.png" --frames 0:60 --every 30
expect "a camera that follows has the body in its middle in every frame" test "$(middle f000.png)" -ge 30 -a "$(middle f030.png)" -ge 30 -a "$(middle f060.png)" -ge 30
"$pliant" render fall.json -q --size 160x90 --camera follow:a:b:0.5,0,3:0.5,0,0 -o "g%03d.png" --frames 0:60 --every 60
expect "also from where numbers say" test "$(middle g000.png)" -ge 30 -a "$(middle g060.png)" -ge 30
"$pliant" render fall.json -q --size 160x90 --camera 0.5,0,3:0.5,0,0 -o "h%03d.png" --frames 0:60 --every 60
expect "one that stands has not" test "$(middle h000.png)" -ge 30 -a "$(middle h060.png)" -eq 0
refuses "a body that is not there" 2 "no body of that name" ../fall.json --camera follow:b -o a.png
refuses "a view that is none" 2 "camera takes" ../fall.json --camera follow:a:b:sideways -o a.png
# Two small sheets, one above the other, that have just met a floor.
cat >small.json <<'J'
{"pliant": 1, "frames": 20, "bodies": [
 {"type": "cloth", "name": "low", "cells": [6, 6], "size": [1, 1], "position": [0, 0.05, 0], "thickness": 0.02},
 {"type": "cloth", "name": "high", "cells": [6, 6], "size": [1, 1], "position": [0.2, 0.1, 0.1], "thickness": 0.02}],
 "colliders": [{"type": "plane", "normal": [0, 1, 0]}]}
J
for what in wireframe strain velocities colours contacts normals pairs; do
    expect "--show $what" "$pliant" render small.json -q --size 160x90 --frames 20 --show $what -o "$what.png"
done
"$pliant" render small.json -q --size 160x90 --frames 20 -o bare.png
for what in wireframe strain velocities colours contacts normals pairs; do expect "$what shows" bash -c "! cmp -s $what.png bare.png"; done

# ---- caches ----

caches=(c.pc2 c.csv objs/ c.pvd)
"$pliant" info | grep -q '(HDF5): yes' && caches+=(c.vtkhdf)
for scene in demo jelly curtain; do
    "$pliant" run "$scenes/$scene.json" -q --frames 12 "${caches[@]/#/-o}" 2>err
    "$pliant" render "$scenes/$scene.json" -q --size 160x90 --frames 12 -o run.png
    for cache in "${caches[@]}"; do
        "$pliant" render "$cache" --scene "$scenes/$scene.json" -q --size 160x90 -o cache.png 2>err
        # The digits of .obj, and of .pc2 in float64, are rounded: such pictures may differ at an edge, not more.
        if [ "$cache" = c.csv ] || { [ "$cache" = c.pc2 ] && [ "$PLIANT_REAL" = float ]; }; then
            expect "$scene: a $cache draws as the run" cmp run.png cache.png
        else
            ffmpeg -v error -i run.png -i cache.png -lavfi psnr=stats_file=psnr -f null - 2>err
            expect "$scene: a $cache draws as the run, almost" awk -F'psnr_avg:' '{ split($2, n, " "); exit !(n[1] == "inf" || n[1] > 45) }' psnr
        fi
    done
    rm -rf objs c c.*
done
"$pliant" run "$scenes/demo.json" -q --frames 5 -o d.pc2 -o d.csv
refuses "a cache without its scene" 2 "say --scene" ../d.pc2 -o a.png
refuses "a frame behind a cache's end" 2 "number 5" ../d.pc2 --scene "$scenes/demo.json" --frames 6 -o a.png
for what in contacts normals pairs; do
    refuses "$what of a cache" 2 contacts ../d.csv --scene "$scenes/demo.json" --show $what -o a.png
done
refuses "velocities that a cache has not" 2 velocities ../d.pc2 --scene "$scenes/demo.json" --show velocities -o a.png
expect "velocities that a cache has" "$pliant" render d.csv --scene "$scenes/demo.json" -q --show velocities --size 160x90 -o v.png
refuses "a cache of another scene" 2 "" ../d.csv --scene "$scenes/net.json" -o a.png
refuses "a cache that is not there" 2 "" nothing.csv --scene "$scenes/net.json" -o a.png

# ---- what is refused ----

refuses "no output" 2 "needs an output" "$chain"
refuses "an unknown ending" 2 "unknown format" "$chain" -o a.jpg
refuses "two numbers" 2 "once" "$chain" -o a%d.%d.png
refuses "a number in the folder" 2 "in its name" "$chain" -o "f%d/a.png"
refuses "another letter" 2 "numbered by" "$chain" -o a%s.png
refuses "several frames, one picture" 2 "takes several frames" "$chain" --frames 1:4 -o a.png
refuses "frames backwards" 2 "A not above B" "$chain" --frames 4:1 -o a.mp4
refuses "frames in words" 2 "takes A:B" "$chain" --frames first -o a.mp4
refuses "a size of words" 2 "WIDTHxHEIGHT" "$chain" --size big -o a.png
refuses "a size of nothing" 2 "16 to 16384" "$chain" --size 0x0 -o a.png
refuses "an unknown overlay" 2 "does not know shiny" "$chain" --show wireframe,shiny -o a.png
refuses "a camera in words" 2 "EX,EY,EZ" "$chain" --camera behind -o a.png
refuses "a strain of zero" 2 "above 0" "$chain" --strain-range 0 -o a.png
refuses "no scene" 2 "nothing.json" nothing.json -o a.png
refuses "a folder that is not there" 3 "" "$chain" --frames 1 --size 32x32 -o no/where/a.png
export PLIANT_GL=card
refuses "a way to OpenGL that there is not" 2 "card" "$chain" -o a.png
unset PLIANT_GL
PATH_BEFORE=$PATH
mkdir bin
for tool in bash ls wc grep rm mkdir head tr; do ln -s "$(command -v $tool)" bin/; done
PATH=$scratch/bin
refuses "a film without ffmpeg" 6 "ffmpeg" "$chain" -o a.mp4
PATH=$PATH_BEFORE

# ---- without OpenGL, and with a display ----

if [ -z "${PLIANT_SANITIZE:-}" ]; then
    rm -rf out && mkdir out
    without_opengl "$pliant" render "$chain" -o out/a.png >said 2>err
    status=$?
    expect "no OpenGL: exit 6, one sentence, nothing written" test $status -eq 6 -a "$(wc -l <err)" -eq 1 -a ! -s said -a -z "$(ls -A out)"
fi
if command -v Xvfb >/dev/null; then
    start_display 640x480
    expect "there is a display" kill -0 "$xvfb"
    "$pliant" render "$chain" -q --size 160x90 --frames 3 -o display.png 2>err
    expect "with a display the same picture" cmp display.png said.png
    kill "$xvfb"
    unset DISPLAY
fi
for way in egl-device egl-surfaceless osmesa; do
    PLIANT_GL=$way "$pliant" render "$chain" -q --size 160x90 --frames 3 -o way.png 2>err
    status=$?
    if [ $status -eq 6 ]; then echo "no $way here: $(cat err)"; else expect "PLIANT_GL=$way" test $status -eq 0 -a -s way.png; fi
done

# ---- what ends early ----

cat >wild.json <<'J'
{"pliant": 1, "frames": 60, "solver": {"max_speed": 3}, "bodies": [{"type": "rope", "name": "falling", "from": [0, 3, 0], "to": [1, 3, 0], "segments": 4}]}
J
"$pliant" render wild.json -q --size 160x90 -o wild.mp4 2>err
status=$?
expect "a scene that diverges: exit 4" test $status -eq 4
expect "said where" grep -q "diverged in frame" err
expect "and the film has what came before" test "$(frames_of wild.mp4)" -ge 10
"$pliant" render "$scenes/torture.json" -q --size 640x360 --camera 3,3,6:0,0,0 -o slow.mp4 -o slow%03d.png 2>err &
job=$!
expect "a picture of each frame, as it goes" wait_until test -s slow004.png
kill -INT $job
wait $job
status=$?
expect "Ctrl-C: exit 130" test $status -eq 130
expect "and the film is whole" test "$(frames_of slow.mp4)" -ge 4
expect "nothing is left over" bash -c '! ls -A | grep tmp'
finish
