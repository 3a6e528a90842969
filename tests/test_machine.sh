#!/usr/bin/env bash
# Laws on machines that fail: on a full disk, or where files may not grow, every output says so with its path and the reason, exit 3; it leaves no half
# frame and nothing lying about, and goes on to the same bytes once there is room. A reader that goes away, a folder that does, and standard
# streams that are closed do no harm to any file. Formats are those of `pliant info`.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
pliant=$PLIANT_BINARY
[ -x "$pliant" ] || { not_ok "$pliant is there"; finish; }
cd "$scratch" || exit 1
cat >scene.json <<'E2'
{"pliant": 1, "frames": 24, "solver": {"substeps": 2}, "bodies": [{"type": "cloth", "name": "c", "cells": [6, 6], "size": [1, 1], "pins": [0, 6]}]}
E2
read -ra formats < <("$pliant" info | awk '/^formats/ { on = 1 } /^$/ { on = 0 } on && /^  \./ { printf "%s ", $1 }')
expect "formats are listed" test ${#formats[@]} -ge 4

# What is written, in words of the command. Each is made in a folder of its own, with the scene one above.
outputs=("${formats[@]/#/out}" check cooked.pliant tape.rec)
"$pliant" render scene.json -q --frames 0 --size 64x64 -o try.png 2>/dev/null && outputs+=(picture.png)
force=
make_output() { # WHAT [RUN'S ARGUMENT...]; with $force
    local what=$1
    shift
    case $what in
    out.*) "$pliant" run ../scene.json -q -o "$what" $force "$@" ;;
    check) "$pliant" run ../scene.json -q --checkpoint check $force ;;
    *.pliant) "$pliant" cook ../scene.json -q -o "$what" ;;
    *.rec) "$pliant" record ../scene.json -q -o "$what" ;;
    *.png) "$pliant" render ../scene.json -q --frames 3 --size 640x480 -o "$what" ;;
    esac
}
for what in "${outputs[@]}"; do
    mkdir "whole.$what"
    (cd "whole.$what" && make_output "$what") || not_ok "$what is written"
done

# Makes an output in folder `try` with a limit or on a disk that is too small: the same bytes, or a failure as it should be. Then, with room, it
# comes to its end, to the same bytes. `failed` counts failures.
problem= failed=0
complain() { [ -n "$problem" ] || problem="$*"; }
tried() { # WHAT STATUS MESSAGE REASON
    local what=$1 status=$2 message=$3 reason=$4 checkpoint=--checkpoint
    if [ "$status" -ne 0 ]; then
        failed=$((failed + 1))
        message=$(grep -v '^LLVM Profile Error' <<<"$message") # of a build that counts lines, which has a file of its own
        [ "$status" -eq 3 ] || complain "exit $status: $message"
        [ "$(wc -l <<<"$message")" -eq 1 ] || complain "more than a line: $message"
        [[ $message == *"${what%.*}"*": $reason" || $message == *"check: $reason" ]] || complain "says: $message"
    fi
    [ -z "$(find try -name '*.tmp*')" ] || complain "left lying: $(find try -name '*.tmp*')"
    case $what in
    out.*)
        [ ! -e try/check ] || checkpoint=--resume
        (cd try && "$pliant" run ../scene.json -q -o "$what" $checkpoint check 2>../err) || complain "does not go on: $(cat err)"
        rm -f try/check
        ;;
    check) # the last good one, if there is one, and it goes on
        if [ "$status" -ne 0 ]; then
            (cd try && "$pliant" run ../scene.json -q --resume check 2>../err) || complain "does not go on: $(cat err)"
        fi
        ;;
    *) # whole, or not there
        [ "$status" -eq 0 ] || [ -z "$(ls -A try)" ] || complain "left: $(ls try)"
        [ "$status" -eq 0 ] || (cd try && make_output "$what")
        ;;
    esac
    diff -r "whole.$what" try >/dev/null || complain "other bytes"
}
with_checkpoint() { [[ $1 != out.* ]] || echo "--checkpoint check --every 4"; }

# ---- files that may not grow ----

limits='0 1 4096 16384 65536'
[ "${PLIANT_SANITIZE:-}" != thread ] || limits='4096 16384 65536' # that sanitizer writes a file of its own before the program begins
if command -v prlimit >/dev/null; then
    for what in "${outputs[@]}"; do
        problem= failed=0
        for limit in $limits; do
            rm -rf try
            mkdir try
            # shellcheck disable=SC2046
            message=$(cd try && prlimit --fsize="$limit" bash -c '"$@"' _ "${BASH:-bash}" -c "$(declare -f make_output); pliant=$pliant force=; make_output \"\$@\"" _ \
                "$what" $(with_checkpoint "$what") 2>&1 >/dev/null)
            tried "$what" $? "$message" "No space: a file may not be larger here (ulimit -f, or the disk's format)"
        done
        [ "$failed" -gt 0 ] || complain "never failed"
        if [ -z "$problem" ]; then ok "$what: $failed limits are reported, and it goes on"; else not_ok "$what that may not grow: $problem"; fi
    done
else
    echo "skipped: no prlimit"
fi

# ---- a disk that is full ----

# A disk of a mebibyte, of which so many KiB are free.
if unshare -rm true 2>/dev/null && unshare -rm mount -t tmpfs none "$scratch" 2>/dev/null; then
    cat >full.sh <<'E2'
set -u
mkdir -p disk
mount -t tmpfs -o size=1M none disk || exit 99
mkdir disk/try
ln -s disk/try try
head -c $(((1024 - $2) * 1024)) /dev/zero >disk/filler 2>/dev/null
E2
    declare -f make_output tried complain with_checkpoint >functions.sh
    for what in "${outputs[@]}"; do
        problem= failed=0
        for free in 4 8 20; do
            rm -rf try disk
            result=$(scratch=$scratch pliant=$pliant unshare -rm "${BASH:-bash}" -c '
                . ./full.sh; . ./functions.sh; problem= failed=0
                force=--force # it looks for room first, and this is about what happens without
                cp scene.json disk/
                message=$(cd disk/try && make_output "$1" $(with_checkpoint "$1") 2>&1 >/dev/null)
                status=$?
                rm disk/filler
                tried "$1" $status "$message" "No space left on device"
                echo "$failed $problem"' _ "$what" "$free")
            failed=$((failed + ${result%% *}))
            [ -z "${result#* }" ] || complain "$free KiB: ${result#* }"
        done
        [ "$failed" -gt 0 ] || complain "never failed"
        if [ -z "$problem" ]; then ok "$what: $failed full disks are reported, and it goes on"; else not_ok "$what on a full disk: $problem"; fi
    done
    rm -rf try disk
else
    echo "skipped: no disk of one's own (unshare -rm)"
fi

# ---- memory that ends ----

if command -v prlimit >/dev/null && [ -z "${PLIANT_SANITIZE:-}" ]; then # a sanitizer takes terabytes of addresses
    sed 's/"cells": \[6, 6\]/"cells": [250, 250]/; s/"frames": 24/"frames": 1/' scene.json >large.json
    for words in "run large.json -q --threads 1 -o large.pc2" "check large.json" "cook large.json -q -o large.pliant"; do
        problem= failed=0
        for limit in 20 30 40 50 60 70 2000; do
            rm -f large.p*
            # shellcheck disable=SC2086
            prlimit --as=$((limit * 1000000)) "$pliant" $words >out 2>err
            status=$?
            [ $status -eq 0 ] && continue
            failed=$((failed + 1))
            [ $status -eq 5 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "memory" err || complain "$limit MB: exit $status: $(head -n 2 err)"
            ! compgen -G "large.p*" >/dev/null || complain "$limit MB: left $(compgen -G "large.p*")"
        done
        [ $failed -gt 0 ] && [ $status -eq 0 ] || complain "$failed failures, and $status with room"
        if [ -z "$problem" ]; then ok "memory that ends: ${words%% *}, $failed times"; else not_ok "memory that ends: $words: $problem"; fi
    done
fi

# ---- the reader of the output goes away ----

# With SIGPIPE as a shell leaves it, and ignored; the command ignores it itself, and says that what it printed is lost.
for words in "info" "info --json" "info --schema" "check scene.json" "check scene.json --json" "run scene.json --json" "run scene.json --hash-every 1" \
    "run scene.json --dump-order" "help run" "help --man" "version" "compare scene.json --json"; do
    # shellcheck disable=SC2086
    { "$pliant" $words 2>err; echo $? >status; } | true
    status=$(cat status)
    if [ "$status" -eq 3 ] && [ "$(wc -l <err)" -ge 1 ] || [ "$status" -eq 0 ]; then
        ok "nobody reads: $words"
    else
        not_ok "nobody reads: $words: exit $status: $(head -n 3 err)"
    fi
done
rm -f gone.pc2
{ sleep 0.2; "$pliant" run scene.json --hash-every 1 -o gone.pc2 2>err; echo $? >status; } | true
expect "what is lost is said" test "$(cat status)" -eq 3 -a "$(grep -c 'standard output' err)" -eq 1
expect "and the cache is whole" cmp gone.pc2 whole.out.pc2/out.pc2

# ---- streams that are closed ----

# No file gets a descriptor that messages are written to.
for closed in "<&-" ">&-" "2>&-" "<&- >&-" "<&- >&- 2>&-" "<&- 2>&-"; do
    rm -f closed.*
    eval "\"\$pliant\" run scene.json --hash-every 1 -o closed.pc2 -o closed.csv --checkpoint closed.check $closed" >log 2>log
    status=$?
    wanted=0
    [[ $closed != *" >&-"* && $closed != ">&-"* ]] || wanted=3 # what was to be printed is lost
    if [ $status -eq $wanted ] && cmp closed.pc2 whole.out.pc2/out.pc2 && cmp closed.csv whole.out.csv/out.csv &&
        "$pliant" run scene.json -q --resume closed.check; then
        ok "closed: $closed"
    else
        not_ok "closed: $closed: exit $status"
    fi
done

# ---- what is written to is taken away ----

sed 's/"frames": 24/"frames": 60000/; s/"substeps": 2/"substeps": 20/' scene.json >long.json # some seconds, which no machine is through with in half of one
for format in "${formats[@]}"; do
    rm -rf away
    mkdir away
    "$pliant" run long.json -q --threads 1 -o "away/in$format" 2>err &
    pid=$!
    wait_until compgen -G "away/in*" >/dev/null
    sleep 0.5
    mv away elsewhere
    rm -rf elsewhere
    start=$SECONDS
    while kill -0 $pid 2>/dev/null && [ $((SECONDS - start)) -lt 20 ]; do sleep 0.05; done
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    status=$?
    if [ $status -eq 3 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^away/in" err; then
        ok "a folder that vanishes stops a run: $format"
    else
        not_ok "a folder that vanishes: $format: exit $status: $(head -n 2 err)"
    fi
done

# ---- two at once ----

mkdir both
(cd both && "$pliant" run ../scene.json -q -o one.pc2 -o one.csv -o one.obj/) &
first=$!
(cd both && "$pliant" run ../scene.json -q -o two.pc2 -o two.csv -o two.obj/)
status=$?
wait $first
expect "two runs in one folder" test $? -eq 0 -a $status -eq 0
same_two() { for what in pc2 csv obj; do diff -r "both/one.$what" "both/two.$what" && diff -r "both/one.$what" "whole.out.$what/out.$what" || return 1; done; }
expect "write what one does" same_two

# From any folder: a scene is the same wherever one stands.
mkdir -p else/where
(cd else/where && "$pliant" run ../../scene.json -q -o here.pc2)
(cd / && "$pliant" run "$scratch/scene.json" -q -o "$scratch/there.pc2")
expect "from any folder" cmp else/where/here.pc2 there.pc2
expect "it is the same" cmp there.pc2 whole.out.pc2/out.pc2
finish
