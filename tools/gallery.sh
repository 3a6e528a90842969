#!/usr/bin/env bash
# Makes the pictures of docs/gallery.md and docs/pictures.md: make gallery, or tools/gallery.sh [--no-films] [NAME...]
# A picture and a short film of each row go to docs/gallery/, a film of full size to build/gallery/.
set -u
cd "$(dirname "$0")/.." || exit 1

# name | scene, in scenes/ | frames of the film | every how many a GIF has one | camera, if the scene has none | frame of the picture | more switches
# docs/gallery.md has a section of each name; tests/test_gallery.sh checks that. Scenes in contact/ are large: they are simulated once, as far as their
# film goes, and drawn from what was written.
table='
drape|drape.json|0:200|5|0.5,0.8,1.9:0,0.6,0|200|
fabrics|fabrics.json|0:180|5|0.15,0.88,1.42:0,0.49,0|180|
drape_fabrics|drape_fabrics.json|0:90|3||150|
flag|flag.json|60:220|4|1.7,1.75,3.6:0.6,1.42,0.1|150|
torn_flag|torn_flag.json|0:120|3||60|
curtain|curtain.json|0:200|7||110|
catenary|catenary.json|0:200|4|0.35,-0.75,3.5:0,-0.91,0|240|
asteroid|meshes/asteroid.json|0:170|4|1.6,1.05,2.15:0.6,0.42,0|72|
rubbers|rubbers.json|0:160|4||88|
balloons|balloons.json|0:200|5||130|
cushion|cushion.json|0:236|6||204|
let_fly|let_fly.json|24:144|3||100|
tyre|tyre.json|18:168|5||108|
steak|steak.json|0:138|6||80|
tray|tray.json|0:110|3||70|
can|can.json|0:240|5||170|
seam|seam.json|0:220|10||220|
shirt|shirt.json|0:180|4||180|
rabbits|rabbits.json|0:150|6||62|
beams|beams.json|0:160|4|1.3,1.2,2.1:0.32,0.64,0|240|
net|net.json|0:180|8|1.4,2.6,2.4:0,1.05,0|150|--show wireframe,strain --strain-range 0.1
swing|swing.json|0:360|6|1.5,0.95,1.15:0,0.72,0.02|100|
knot|knot.json|0:150|4|0.1,0.9,1.5:0,0.68,0|60|
cards|cards.json|0:40|8|0.5,0.6,1.2:0,0.28,0|40|
funnel|funnel.json|0:120|3|0.7,1.35,1.9:0,0.66,0|30|
jellies|jellies.json|0:105|3|0.95,1.35,1.2:0,0.1,0|300|
press|press.json|0:170|5|0.85,0.6,1.45:0.02,0.26,0|114|
folds|contact/folds.json|0:200|7|0.75,0.75,1.15:0,0.14,0|200|
sheets|contact/sheets.json|0:60|3|1.25,1.05,1.55:0,0.28,0|60|
layers|contact/layers.json|0:15|1|1.25,0.75,1.5:0,0.12,0|15|
twist|contact/twist.json|0:360|9|0.9,0.9,0.5:0,0.5,0|360|
shot|contact/shot.json|24:90|3|1.2,1.2,1.6:0,0.8,0|60|
incline|contact/incline.json|0:330|11|0.2,2.7,2.9:0,0.95,0|280|
heap|contact/heap.json|0:100|9|0.46,0.4,0.68:0,0.04,0|60|
dress|dress.json|0:120|3|1.4,0.85,2:0,0.75,0|80|
cape|cape.json|0:70|2||40|
gusts|gusts.json|60:420|9|2.2,2.3,3.6:0.7,1.55,0|270|
whirl|whirl.json|0:420|10|1.45,1.35,2.05:0,0.72,0|240|
drum|drum.json|0:420|10|1.9,1.75,3.1:0,1.25,0|300|
furniture|furniture.json|0:330|11|1.9,1.45,2:0.35,0.5,0|70|
marbles|marbles.json|0:300|7|1,1.15,1.45:0,0.42,0|135|
tower|tower.json|0:90|3|0.65,0.6,0.9:0,0.24,0|300|
demo|demo.json|0:140|5||120|
'
# Overlays, one small picture each: what is shown | scene | frame | camera. docs/pictures.md shows them.
overlays='
wireframe|drape.json|200|0.5,0.8,1.9:0,0.6,0
strain|flag.json|150|1.2,2.1,2.6:0.75,1.95,0.1
contacts|demo.json|110|0.75,0.75,1.35:0.15,0.25,0.05
velocities|flag.json|100|1.2,2.1,2.6:0.75,1.95,0.1
colours|beams.json|240|1.3,1.2,2.1:0.32,0.64,0
normals|folded.json|120|0.35,0.38,1.0:0,0.07,0.05
pairs|stack.json|120|0.65,0.85,1.2:0.05,0.14,-0.05
'
picture_size=640x360 film_size=1280x720 gif_size=384x216 overlay_size=400x225

films=1
[ "${1:-}" = --no-films ] && films= && shift
wanted=" $* "
pliant=${PLIANT_BINARY:-build/pliant}
made=build/gallery
mkdir -p docs/gallery "$made"

# Scenes with meshes are drawn from a copy beside the meshes, which are made here.
scene_of() { # SCENE
    case "$1" in
    meshes/*)
        cp "scenes/$1" "$made/" && echo "$made/$(basename "$1")"
        [ -s "$made/low.1.ele" ] && return
        # shellcheck source=tests/meshes.sh
        (scratch=$PWD/$made && . tests/meshes.sh && asteroid low >"$made/meshes.log" 2>&1)
        ;;
    *) echo "scenes/$1" ;;
    esac
}
failed=0
draw() { # FILE SWITCHES...
    local file=$1
    shift
    "$pliant" render "$@" -q -o "$file" || { failed=1 && echo "$file could not be drawn" >&2 && return; }
    echo "$file $(($(wc -c <"$file") / 1024)) KB"
}

while IFS='|' read -r name scene frames every camera frame more; do
    [ -n "$name" ] && [[ $wanted = "  " || $wanted = *" $name "* ]] || continue
    file=$(scene_of "$scene") || { failed=1 && echo "$scene: no meshes, see $made/meshes.log" >&2 && continue; }
    case "$scene" in
    contact/*)
        "$pliant" run "$file" -q --frames "${frames#*:}" -o "$made/$name.pc2" --force || { failed=1 && continue; }
        more="--scene $file $more" file=$made/$name.pc2
        ;;
    esac
    # shellcheck disable=SC2086 # the last column is several words
    {
        draw "docs/gallery/$name.png" "$file" --frames "$frame" ${camera:+--camera "$camera"} --size $picture_size $more
        draw "docs/gallery/$name.gif" "$file" --frames "$frames" --every "$every" ${camera:+--camera "$camera"} --size $gif_size $more
        [ -z "$films" ] || draw "$made/$name.mp4" "$file" --every 2 ${camera:+--camera "$camera"} --size $film_size $more
    }
done <<<"$table"
while IFS='|' read -r what scene frame camera; do
    [ -n "$what" ] && [[ $wanted = "  " || $wanted = *" $what "* ]] || continue
    draw "docs/gallery/show-$what.png" "scenes/$scene" --frames "$frame" --camera "$camera" --size $overlay_size --show "$what"
done <<<"$overlays"
exit $failed
