#!/usr/bin/env bash
# Laws of `pliant run --profile`: the file is whole JSON that says what every thread did; its spans nest, and hold every stage and every constraint of every
# substep; results are the same to the bit with it and without; what stops a run leaves a whole file or none.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
pliant=$PLIANT_BINARY
[ -x "$pliant" ] || { not_ok "$pliant is there"; finish; }
cd "$scratch" || exit 1

cat >check.py <<'P'
"""check.py TRACE NAME=VALUE...: the laws of one trace. Times are compared in whole nanoseconds."""
import json, sys
asked = dict(a.split("=", 1) for a in sys.argv[2:])
def number(text):
    raise ValueError(text + " is no number of JSON")
trace = json.load(open(sys.argv[1], encoding="utf-8"), parse_constant=number)
about, events = trace["otherData"], trace["traceEvents"]
spans = [e for e in events if e["ph"] == "X"]
assert {e["ph"] for e in events} == {"X", "M"} and about["spans"] == len(spans) and about["dropped"] == 0
names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
threads = int(asked.get("threads", 1))
assert names == {1: "main", **{i: f"thread {i}" for i in range(2, threads + 1)}} and about["threads"] == threads, names
for e in spans:
    assert set(e) == {"name", "cat", "ph", "ts", "dur", "pid", "tid", "args"} and e["pid"] == 1 and e["tid"] in names, e
    e["begin"] = round(e["ts"] * 1000)
    e["end"] = e["begin"] + round(e["dur"] * 1000)
    assert 0 <= e["begin"] <= e["end"], e

# Of a thread, in the order of the file: each begins after the last one that has not ended, and ends no later.
order = ["command", "step", "substep", "stage", "patch"]
parent = {}
for tid in names:
    stack = []
    for i, e in enumerate(e for e in spans if e["tid"] == tid):
        while stack and stack[-1]["end"] <= e["begin"]:
            stack.pop()
        if stack:
            assert stack[-1]["begin"] <= e["begin"] and e["end"] <= stack[-1]["end"], (stack[-1], e)
            rank = lambda s: order.index({"tasks": "patch"}.get(s["cat"], s["cat"]))
            assert rank(stack[-1]) < rank(e) or e["cat"] == "command", (stack[-1], e)
            parent[id(e)] = stack[-1]
        stack.append(e)

frames, substeps = about["frames"], about["substeps"]
steps = [e for e in spans if e["cat"] == "step"]
assert len(steps) == frames == int(asked["frames"]), (len(steps), frames)
assert [e["args"]["frame"] for e in steps] == list(range(int(asked.get("first", 1)), int(asked.get("first", 1)) + frames))
assert all(e["args"]["constraints"] == about["constraints"] and parent[id(e)]["name"] == "frame %d" % e["args"]["frame"] for e in steps)

# Every stage that ran, once in each substep; patches and tasks inside it, on whatever thread.
key = lambda e: (e["args"]["frame"], e["args"]["substep"])
of_step = ("measure", "energy") # once or twice in a step, outside of its substeps
each = {key(e) for e in spans if e["cat"] == "substep"}
assert each == {(s["args"]["frame"], k) for s in steps for k in range(substeps)}
stages = {}
for e in spans:
    if e["cat"] == "stage" and e["name"] not in of_step:
        assert key(e) in each and (key(e), e["name"]) not in stages, e
        stages[key(e), e["name"]] = e
ran = {name for _, name in stages}
assert ran == set(asked["stages"].split(",")) and len(stages) == len(ran) * len(each), ran
rows, busy = dict.fromkeys(each, 0), set()
for e in spans:
    if e["cat"] in ("patch", "tasks") and e["args"]["stage"] not in of_step:
        stage = stages[key(e), e["args"]["stage"]]
        assert stage["begin"] <= e["begin"] and e["end"] <= stage["end"], (stage, e)
        if e["cat"] == "patch" and e["args"]["stage"] == "project" and e["args"]["iteration"] < about["iterations"]: # others measure
            assert e["name"] in ("tile", "range", "list") and e["args"]["particles"] > 0
            rows[key(e)] += e["args"]["constraints"]
        busy.add(e["tid"])
assert set(rows.values()) == {about["constraints"] * about["iterations"]}, rows
if asked.get("busy"):
    assert busy == set(names), busy

# What the command did outside of steps.
count = lambda name: sum(e["name"] == name for e in spans if e["cat"] == "command")
assert count("read " + about["scene"]) == 1 and count("prepare") == 1
assert count("compile") == (0 if about["scene"].endswith(".pliant") else 1)
assert count("solver") == int(asked.get("solvers", 1))
for path in filter(None, asked.get("writes", "").split(",")):
    assert count("write " + path) == frames + ("first" not in asked), path
P
traced() { # WHAT TRACE NAME=VALUE...
    expect "$1" python3 check.py "${@:2}"
}
hash_of() { sed -n 's/.*"hash": "\([0-9a-f]*\)".*/\1/p' "$1"; }

cat >sheet.json <<'S'
{"pliant": 1, "frames": 4, "solver": {"substeps": 5}, "bodies": [
  {"type": "cloth", "name": "sheet", "cells": [119, 119], "position": [0, 2, 0], "pins": [0]}]}
S
cat >ball.json <<'S'
{"pliant": 1, "frames": 4, "solver": {"substeps": 3, "iterations": 2}, "bodies": [
  {"type": "cloth", "name": "sheet", "cells": [79, 79], "position": [0, 0.3, 0]}],
  "colliders": [{"type": "sphere", "radius": 0.25}]}
S
plain=forces,predict,project,velocities,guard
all="$plain,kinematic,find contacts,hold contacts,settle contacts"

# ---- what it says, and that nothing else changes ----

for scene in sheet ball; do
    stages=$plain
    [ $scene = ball ] && stages=$all
    "$pliant" run $scene.json -q --json --threads 1 -o $scene.pc2 >bare.out || not_ok "$scene: a run without"
    mv $scene.pc2 bare.pc2
    for threads in 1 2 3; do
        what="$scene, $threads threads"
        expect "$what: it runs" "$pliant" run $scene.json -q --threads $threads -o $scene.pc2 --profile t.json
        expect "$what: and writes the same" cmp bare.pc2 $scene.pc2
        traced "$what: spans nest, and hold all stages and constraints" t.json frames=4 threads=$threads "stages=$stages" "writes=$scene.pc2"
        "$pliant" run $scene.json -q --json --threads $threads --profile t.json >json.out
        expect "$what: measured, the hash is the same" test "$(hash_of json.out)" = "$(hash_of bare.out)" -a -n "$(hash_of bare.out)"
        traced "$what: measured too" t.json frames=4 threads=$threads "stages=$stages,work,residuals"
        expect "$what: its path is in the JSON" grep -q '"profile": "t.json"' json.out
    done
done
expect "nothing is left behind" test -z "$(find . -name '*.tmp')"
"$pliant" run sheet.json --threads 2 --frames 40 --profile t.json >out 2>/dev/null # so long that a busy machine lets each thread run
expect "the summary names it" grep -qE '^wrote t.json: [0-9]+ spans' out
[ "$(nproc)" -gt 1 ] && traced "all threads have work" t.json frames=40 threads=2 stages=$plain busy=1

expect "a new solver in every frame" "$pliant" run ball.json -q --threads 2 --every-frame-new-solver --profile t.json
traced "a new solver in every frame: threads keep their rows" t.json frames=4 threads=2 "stages=$all" solvers=4
expect "--frames 0" "$pliant" run ball.json -q --frames 0 --threads 1 --profile t.json
expect "--frames 0: no steps" python3 -c 'import json; assert not [e for e in json.load(open("t.json"))["traceEvents"] if e.get("cat") == "step"]'
"$pliant" cook ball.json -q -o ball.pliant || not_ok "a cooked model"
expect "a cooked model" "$pliant" run ball.pliant -q --frames 2 --threads 1 --profile t.json
traced "a cooked model is not compiled" t.json frames=2 threads=1 "stages=$all"
"$pliant" run ball.json -q --frames 2 --threads 1 -o b.mdd -o b.csv --checkpoint b.check --every 1 --profile t.json || not_ok "outputs"
traced "each output of each frame" t.json frames=2 threads=1 "stages=$all" writes=b.mdd,b.csv
expect "checkpoints, and what is put together in the end" python3 -c '
import json
names = [e["name"] for e in json.load(open("t.json"))["traceEvents"]]
assert names.count("checkpoint b.check") == 3 and names.count("finish b.mdd") == 1, names'
expect "going on" "$pliant" run ball.json -q --frames 4 --threads 1 -o b.mdd -o b.csv --resume b.check --profile t.json
traced "going on: the frames that were left" t.json frames=2 first=3 threads=1 "stages=$all" writes=b.mdd,b.csv

# A name with everything that text in JSON must not have.
odd=$'a "b"\\c\td\xff\xc3\xa9.json'
cp ball.json "$odd"
expect "an odd name" "$pliant" run "$odd" -q --frames 1 --threads 1 --profile t.json
expect "an odd name: it is told, what is no text apart" python3 -c '
import json
assert json.load(open("t.json", encoding="utf-8"))["otherData"]["scene"] == "a \"b\"\\c\td\ufffd\u00e9.json"'

# More spans than there is room for: said in one line and in the file; the next frame has room for as many.
cat >rope.json <<'S'
{"pliant": 1, "frames": 2, "solver": {"substeps": 14, "iterations": 10000}, "bodies": [{"type": "rope", "name": "r", "from": [0, 1, 0], "to": [1, 1, 0], "segments": 3, "pins": [0]}]}
S
"$pliant" run rope.json -q --threads 1 --profile t.json >out 2>err
status=$?
expect "too many spans: the run is good, and one line says so" test $status -eq 0 -a "$(wc -l <err)" -eq 1 -a "$(grep -cE '^t.json: [0-9]+ spans found no room' err)" -eq 1 || cat err
expect "too many spans: what is missing is counted, and only of the first frame" python3 -c '
import json
t = json.load(open("t.json"))
spans = [e for e in t["traceEvents"] if e["ph"] == "X" and e["cat"] != "command"]
of = lambda frame: sum(e["args"]["frame"] == frame for e in spans)
dropped = t["otherData"]["dropped"]
assert 5000 < dropped < 20000 and abs(of(1) + dropped - of(2)) < 10, (dropped, of(1), of(2))
assert sum(e["cat"] == "patch" and e["args"]["frame"] == 2 for e in spans) == 14 * 10000'
rm -f t.json

# ---- what stops it ----

refused() { # WHAT STATUS TEXT ARGUMENTS...
    local what=$1 want=$2 text=$3 problem=
    shift 3
    "$pliant" run "$@" >out 2>err
    local status=$?
    [ $status -eq "$want" ] || problem="exit $status"
    [ "$(wc -l <err)" -eq 1 ] || problem+=" $(wc -l <err) lines"
    grep -qF -- "$text" err || problem+=" without \"$text\""
    [ -e new.csv ] && problem+=" wrote something"
    [ -n "$(find . -name '*.tmp')" ] && problem+=" left something"
    if [ -z "$problem" ]; then ok "refused: $what"; else not_ok "refused: $what:$problem: $(head -n 2 err)"; fi
}
refused "a folder that is not there" 3 nowhere/t.json ball.json -q -o new.csv --profile nowhere/t.json
mkdir folder && mkfifo pipe
refused "a folder" 3 folder ball.json -q -o new.csv --profile folder
refused "a pipe" 3 pipe ball.json -q -o new.csv --profile pipe
refused "a pipe, --force" 3 pipe ball.json -q -o new.csv --force --profile pipe
expect "the pipe is one still" test -p pipe
cp ball.json mine.json
refused "the scene" 2 mine.json mine.json -q -o new.csv --force --profile mine.json
refused "a file that is no profile" 2 "not a profile" ball.json -q -o new.csv --profile sheet.json
expect "both stay" cmp mine.json ball.json
refused "an output's name" 2 "as an output and as the profile" ball.json -q -o new.csv --profile ./new.csv
refused "the checkpoint's" 2 "as the checkpoint and as the profile" ball.json -q --checkpoint t.json --profile t.json
refused "where nothing is simulated" 2 dump-order ball.json --dump-order --profile t.json
echo notes >notes
expect "--force" "$pliant" run ball.json -q --frames 1 --threads 1 --force --profile notes
traced "--force: then it is one" notes frames=1 threads=1 "stages=$all"

# A run that diverges has one until then: its frames are what one looks for.
cat >wild.json <<'S'
{"pliant": 1, "frames": 90, "solver": {"substeps": 1, "max_speed": 5}, "bodies": [{"type": "cloth", "name": "c", "cells": [1, 1]}]}
S
rm -f t.json
"$pliant" run wild.json -q --threads 1 --profile t.json >out 2>err
status=$?
expect "a run that diverges ends with 4" test $status -eq 4
expect "and with its profile whole" python3 -c 'import json; assert json.load(open("t.json"))["otherData"]["frames"] > 20'

# A disk that is full ends the run, and leaves none.
(
    ulimit -f 200
    "$pliant" run sheet.json -q --frames 100000 --threads 1 --profile full.json >out 2>err
    [ $? -eq 3 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q '^full.json: ' err && [ -z "$(find . -name 'full*')" ]
) && ok "a full disk: 3, one line, and nothing half written" || not_ok "a full disk: $(cat err; ls)"

# Ctrl-C: the frame ends, and the file with it.
written() { [ "$(stat -c %s stop.csv 2>/dev/null || echo 0)" -gt 1000 ]; }
stopped() { # WHAT FRAME-IS-SLOW ARGUMENTS...
    local what=$1
    shift
    rm -f stop.csv stop.json
    "$pliant" run "$@" -q --threads 2 -o stop.csv --profile stop.json >out 2>err &
    local run=$!
    wait_until written
    kill -INT $run
    wait $run
    expect "$what: 130" test $? -eq 130
    expect "$what: the profile is whole" python3 -c 'import json; t = json.load(open("stop.json")); assert t["traceEvents"][-1]["name"] == "process_name"'
    expect "$what: nothing is left behind" test -z "$(find . -name '*.tmp')"
}
stopped "Ctrl-C" sheet.json --frames 1000000 --force
stopped "Ctrl-C in a frame that takes long" sheet.json --frames 1000000 --force --checkpoint stop.check --substeps 10000
finish
