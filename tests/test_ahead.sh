#!/usr/bin/env bash
# Law: before anything is written the command looks at what is there and at what is free: a file that Pliant did not write stays as it is (2), a bake that
# does not fit does not begin (3), each with one line; --force goes on regardless. What Pliant wrote itself is written over without a word.
. "$(dirname "$0")/shell.sh"
pliant=$PLIANT_BINARY
cd "$scratch" || exit 1
cat >s.json <<'S'
{"pliant": 1, "frames": 4, "bodies": [{"type": "cloth", "name": "c", "cells": [3, 3], "position": [0, 2, 0], "pins": [0]}]}
S
can_draw=
"$pliant" render s.json -q --size 32x32 -o probe.png 2>/dev/null && can_draw=1

# Each way of writing, as the arguments before the path | the path | what is behind it.
ways='run s.json -q -o|x.csv|
run s.json -q -o|x.pc2|
run s.json -q -o|x.obj/|c.0003.obj
run s.json -q -o|x.ply|c.0001.ply
run s.json -q -o|x.mdd|
run s.json -q -o|x.glb|
run s.json -q -o|x.usda|
run s.json -q -o|x.abc|
run s.json -q -o|x.pvd|
run s.json -q -o|x.pvd|../x/c.0002.vtp
run s.json -q --checkpoint|x.check|
run s.json -q --resume|y.check|
cook s.json -q -o|x.pliant|
record s.json -q -o|x.rec|
run s.json -q --profile|x.json|
compare s.json -q --iterations 2 --repeat 1 -o|x.csv|
compare s.json -q --iterations 2 --repeat 1 -o|x.svg|'
"$pliant" info | grep -q '(HDF5): yes' && ways="$ways
run s.json -q -o|x.vtkhdf|
run s.json -q -o|x.vtkhdf|../x.xmf"
[ -n "$can_draw" ] && ways="$ways
render s.json -q --size 32x32 -o|x.png|
render s.json -q --size 32x32 -o|x%03d.png|002
render s.json -q --size 32x32 -o|x.gif|"
command -v ffmpeg >/dev/null && [ -n "$can_draw" ] && ways="$ways
render s.json -q --size 32x32 -o|x.mp4|"
while IFS='|' read -r before path inside; do
    rm -rf x* y*
    what="pliant $before $path"
    # shellcheck disable=SC2086
    "$pliant" $before $path >out 2>err || not_ok "$what: $(cat err)"
    if [[ $path != *.check ]] || [[ $before != *--resume* ]]; then
        # shellcheck disable=SC2086
        expect "$what: twice" "$pliant" $before $path
    fi
    case $path in
    *%*) file=${path/\%03d/$inside} ;;
    *) case $inside in ../*) file=${inside#../} ;; *) file=${path%/}${inside:+/$inside} ;; esac ;;
    esac
    expect "$what: $file is there" test -s "$file"
    echo "notes" >"$file"
    find x* y* -type f -exec cksum {} + 2>/dev/null | sort >was
    # shellcheck disable=SC2086
    "$pliant" $before $path >out 2>err
    status=$?
    find x* y* -type f -exec cksum {} + 2>/dev/null | sort >is
    expect "$what: notes of mine stay" test $status -eq 2 -a "$(wc -l <err)" -eq 1 -a "$(tr -d "\0" <"$file")" = notes || cat err
    expect "$what: and everything else" cmp was is
    [[ $before == *--resume* ]] && continue # what is no checkpoint cannot be gone on from
    # shellcheck disable=SC2086
    expect "$what: --force" "$pliant" $before $path --force
    expect "$what: then they are gone" test "$(head -c 5 "$file" 2>/dev/null | tr -d "\0")" != notes
done <<<"$ways"

# The demo writes several files; each of them is looked at before the first.
for name in demo.json demo.png demo.mp4 demo.sheet.pc2; do
    rm -rf d
    mkdir d
    echo "notes" >d/$name
    "$pliant" demo -q -o d >out 2>err
    expect "pliant demo: notes of mine in $name stay, and nothing is written" test $? -eq 2 -a "$(wc -l <err)" -eq 1 -a "$(cat d/*)" = notes
done

# A disk that is too small: of all outputs together.
rm -rf x*
"$pliant" run s.json -q --frames 100000000 -o x.csv -o x.pc2 --checkpoint x.check >out 2>err
expect "too large for the disk" test $? -eq 3 -a "$(wc -l <err)" -eq 1 -a "$(grep -cE '^x.csv: no space: about [0-9.]+ [kMGTPE]?B are to be written, and [0-9.]+ [kMGTPE]?B are free there' err)" -eq 1 || cat err
expect "and nothing was written" test -z "$(ls | grep '^x')"
sed 's/"cells": .3, 3./"cells": [199, 199]/' s.json >large.json
free=$(df -Pk . | awk 'NR == 2 { print $4 * 1024 }')
part=$(awk -v f="$free" 'BEGIN { printf "%d", 0.7 * f / (200 * 200 * 12) }')
"$pliant" run large.json -q --frames "$part" -o a.pc2 -o b.pc2 2>err
expect "two that fit alone and not together" test $? -eq 3 -a "$(grep -c 'are free there' err)" -eq 1
expect "neither is begun" test ! -e a.pc2 -a ! -e b.pc2
(
    ulimit -f 2000
    "$pliant" run s.json -q --frames 100000000 --force -o x.pc2 2>err
    [ $? -eq 3 ] && [ -s x.pc2 ]
) && ok "--force begins, and ends where the disk does" || not_ok "--force begins, and ends where the disk does: $(cat err)"

# What the scene reads stays, --force or not; and so does what is no file.
cat >follow.json <<'S'
{"pliant": 1, "frames": 4, "bodies": [
  {"type": "cloth", "name": "c", "cells": [3, 3], "attach": [{"vertices": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], "keys": {"cache": "motion.pc2"}}]},
  {"type": "cloth", "name": "d", "cells": [3, 3], "attach": [{"vertices": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], "keys": {"cache": "e.d.pc2"}}]}]}
S
"$pliant" run s.json -q -o motion.pc2 && cp motion.pc2 e.d.pc2 && "$pliant" check follow.json >out 2>err || not_ok "a scene that follows a cache: $(cat err)"
"$pliant" cook s.json -q -o s.pliant || not_ok "a cooked scene"
stays() { # FILE ARGUMENTS...
    local file=$1 status was
    shift
    was=$(cksum "$file")
    "$pliant" "$@" >out 2>err
    status=$?
    expect "$*: $file stays" test $status -eq 2 -a "$(wc -l <err)" -eq 1 -a "$(cksum "$file")" = "$was" || cat err
}
ln -s motion.pc2 link.pc2
# A frame of an earlier run is a mesh like any other, also one that a new run would take away; and a name that no file has as it is.
for frame in frames/c.0000.obj frames/c.0004.obj frames.ply/c.0000.ply frames.ply/c.0004.ply; do
    rm -rf "$(dirname $frame)"
    "$pliant" run s.json -q -o "$(dirname $frame)/" || not_ok "frames to begin from"
    printf '{"pliant": 1, "frames": 2, "bodies": [{"type": "cloth", "name": "c", "mesh": "%s", "position": [0, 1, 0]}]}' $frame >again.json
    stays $frame run again.json -q -o "$(dirname $frame)/"
    stays $frame run again.json -q -o "$(dirname $frame)/" --force
    stays $frame run again.json -q --checkpoint $frame --force
    stays $frame cook again.json -q -o $frame --force
done
"$pliant" run again.json -q -o frames/ || not_ok "where the mesh is not, frames are replaced"
sed 's/"d"/"d e"/' follow.json >name.json
cp motion.pc2 n.d_e.pc2
sed -i 's/e.d.pc2/n.d_e.pc2/' name.json
for force in '' --force; do
    stays motion.pc2 run follow.json -q -o motion.pc2 $force
    stays motion.pc2 run follow.json -q -o link.pc2 $force
    stays e.d.pc2 run follow.json -q -o e.pc2 $force
    stays n.d_e.pc2 run name.json -q -o n.pc2 $force
    stays motion.pc2 run follow.json -q --checkpoint motion.pc2 $force
    stays follow.json run follow.json -q --checkpoint follow.json $force
    stays s.json cook s.json -q -o s.json $force
    stays s.json record s.json -q -o s.json $force
    stays motion.pc2 record follow.json -q -o motion.pc2 $force
    stays s.pliant run s.pliant -q --checkpoint s.pliant $force
done
# A .pc2 and an .mdd do not name their writer: as many points are taken for an earlier bake.
for other in other.pc2 other.mdd; do
    "$pliant" run s.json -q -o $other
    sed 's/"cells": .3, 3./"cells": [3, 4]/' s.json >wider.json
    stays $other run wider.json -q -o $other
    expect "$other: --force" "$pliant" run wider.json -q -o $other --force
done
mkfifo pipe.check pipe.csv
expect "a pipe is not replaced" bash -c '"$1" run s.json -q --checkpoint pipe.check --force 2>err; [ $? -eq 3 ] && [ -p pipe.check ]' _ "$pliant"
expect "nor by a table" bash -c '"$1" compare s.json -q --iterations 2 --repeat 1 -o pipe.csv --force 2>err; [ $? -eq 3 ] && [ -p pipe.csv ]' _ "$pliant"
expect "nor by a cache" bash -c '"$1" run s.json -q -o pipe.csv --force 2>err; [ $? -eq 3 ] && [ -p pipe.csv ]' _ "$pliant"
finish
