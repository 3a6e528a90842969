# What the tests of killed bakes share.
# shellcheck shell=bash
pliant=$PLIANT_BINARY
outputs=(pc2 csv obj/ ply/ mdd glb usda pvd abc)
"$pliant" info | grep -q '(HDF5): yes' && outputs+=(vtkhdf)

# Runs a bake to every format, with what else is said: bake NAME ARGUMENT...
bake() {
    local name=$1 args=() o
    shift
    for o in "${outputs[@]}"; do args+=(-o "$name.$o"); done
    $prefix "$pliant" run "$scene" --frames "$frames" -q "${args[@]}" "$@"
}
prefix=
# Whether two files are the same, but for the name of the bake that they have in them.
same_but_names() { # NAME NAME ENDING
    diff <(sed "s|\([\">]\)$1\([/.]\)|\1\2|g; s/ *\$//" "$1.$3") <(sed "s|\([\">]\)$2\([/.]\)|\1\2|g; s/ *\$//" "$2.$3")
}
# Whether two bakes are the same files with the same bytes.
same_bake() { # NAME NAME
    local o
    for o in "${outputs[@]}"; do
        case $o in
        pvd) diff -r "$1" "$2" && same_but_names "$1" "$2" pvd || return 1 ;;
        vtkhdf) cmp "$1.vtkhdf" "$2.vtkhdf" && same_but_names "$1" "$2" xmf || return 1 ;;
        *) diff -r "$1.$o" "$2.$o" || return 1 ;;
        esac
    done
}
# Frames that were written and are done again by going on: those behind the checkpoint (its frame is byte 128 of its file), or behind the first.
repeated_frames() { # NAME
    local frame=0 last
    last=$(find "$1.obj" -name '*.obj' 2>/dev/null | sort | tail -n 1 | sed -E 's/.*\.0*([0-9]+)\.obj$/\1/')
    [ ! -s "$1.check" ] || frame=$(od -An -tu4 -j128 -N4 "$1.check")
    echo $((${last:-0} - frame))
}
# Kills bakes at random moments, each going on where the last one was, now with one thread, now with two, and every width; until so many
# were killed and one has come to its end.
killed_bake() { # NAME KILLS
    local n=0 status widths=(1 4 "") pid
    while :; do
        local width=${widths[n % 3]}
        if [ -n "$width" ]; then export PLIANT_WIDTH=$width; else unset PLIANT_WIDTH; fi
        prefix=exec bake "$1" --resume "$1.check" --every 4 --threads $((1 + n % 2)) 2>err &
        pid=$!
        if [ "$n" -lt "$2" ]; then
            sleep "$(awk -v r=$RANDOM -v most="$longest" 'BEGIN { print most * r / 32768 }')"
            kill -9 $pid 2>/dev/null
        fi
        wait $pid 2>/dev/null
        status=$?
        n=$((n + 1))
        if [ $status -eq 0 ]; then
            [ "$n" -gt "$2" ] && break
            rm -rf "$1" "$1".* # it was quicker than the kills: once more
        elif [ $status -ne 137 ]; then
            echo "bake $n ended with $status:"
            cat err
            return 1
        elif [ "$(repeated_frames "$1")" -gt 4 ]; then
            echo "bake $n: $(repeated_frames "$1") frames are repeated, more than an interval"
            return 1
        fi
    done
    unset PLIANT_WIDTH
    echo "$n bakes"
}
