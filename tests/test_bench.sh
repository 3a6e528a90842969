#!/usr/bin/env bash
# Laws of pliant bench: the tables, the JSON and the CSV say the same; a ratio is a figure over its limit; runs are kept one after another and
# never written over what is something else; a figure that is slower than the kept one is found, one that is faster is not; bad input is one
# line, exit 2, and nothing is written.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
pliant=$PLIANT_BINARY
[ -x "$pliant" ] || { not_ok "$pliant is there"; finish; }
cd "$scratch" || exit 1

run() { # ARGUMENTS...
    "$pliant" "$@" >out 2>err
    status=$?
}
is() { # WHAT COMMAND...
    local what=$1
    shift
    if "$@" >log 2>&1; then ok "$what"; else not_ok "$what"; tail -n 5 log; fi
}
benches() { # WHAT STATUS ARGUMENTS...
    local what=$1 want=$2
    shift 2
    run bench "$@"
    if [ "$status" -eq "$want" ]; then ok "$what"; else not_ok "$what: exit $status, not $want: $(head -n 3 err)"; fi
}
# Refused: exit STATUS (2), one line with TEXT in it, and nothing written.
refused() { # WHAT TEXT ARGUMENTS...
    local what=$1 text=$2 problem=
    shift 2
    run bench "$@"
    [ "$status" -eq "${want:-2}" ] || problem="exit $status"
    [ "$(wc -l <err)" -eq 1 ] || problem+=" $(wc -l <err) lines"
    grep -qF -- "$text" err || problem+=" without \"$text\""
    [ -s out ] && problem+=" spoke on standard output"
    compgen -G 'new*' >/dev/null && problem+=" wrote something"
    if [ -z "$problem" ]; then ok "refused: $what"; else not_ok "refused: $what:$problem: $(head -n 2 err)"; fi
}
small=(--cases "grid_cloth,mesh_cloth" --sizes 8,12 --widths 1 --threads 1 --repeat 5 --quick --quiet)

# ---- one run, said in three ways ----

cat >check.py <<'P'
"""check.py CSV JSON|TEXT: what the laws say of one run."""
import csv, json, math, sys
rows = list(csv.DictReader(open(sys.argv[1])))
key = lambda r: (r["case"], int(r["size"]), int(r["width"]), int(r["threads"]), r["unit"])
by_key = {key(r): r for r in rows}
assert len(by_key) == len(rows), "a figure is there twice"
for r in rows:
    assert float(r["value"]) > 0 and float(r["spread"]) >= 0 and int(r["rounds"]) > 0, r
    limit = float(r["limit"])
    assert math.isclose(float(r["ratio"]), float(r["value"]) / limit if limit else 0, rel_tol=1e-3), r
    assert bool(limit) == bool(r["limit_name"]), r
for case in ("grid_cloth", "mesh_cloth"):
    for size in (8, 12):
        r = by_key[case, size, 1, 1, "ns"]
        n = 6 * size * size - 10 * size + 2 if case == "grid_cloth" else None
        assert n is None or int(r["constraints"]) == n, r
        assert int(r["particles"]) == size * size and limit is not None and float(r["limit"]) > 0, r
limits = {r["case"] for r in rows if r["case"].startswith("limit_")}
assert limits == {"limit_slot", "limit_sqrt", "limit_divide", "limit_strip", "limit_volume"} | {"limit_triad_" + l for l in ("L1", "L2", "L3", "DRAM")}, limits
if sys.argv[2].endswith("json"):
    said = json.load(open(sys.argv[2]))
    assert open(sys.argv[2]).read().count("\n") == 1
    assert [key(r) for r in said["rows"]] == [key(r) for r in rows], "figures"
    for a, b in zip(said["rows"], rows):
        assert a["value"] == float(b["value"]) and a["spread"] == float(b["spread"]) and a["rounds"] == int(b["rounds"]), (a, b)
        assert (a["limit"] or 0) == float(b["limit"]) and (a["ratio"] or 0) == float(b["ratio"]) and (a["limit_name"] or "") == b["limit_name"], (a, b)
    assert said["revision"] == rows[0]["revision"] == "a revision" and said["date"] == rows[0]["date"]
else:
    lines = open(sys.argv[2]).read().splitlines()
    for (case, size, width, threads, unit), r in by_key.items():
        if unit != "ns" or case.startswith("limit_"): continue
        at = next(i for i, l in enumerate(lines) if l.split()[:3] == [case, str(size), r["constraints"]])
        assert abs(float(lines[at].split()[3]) - float(r["value"])) <= 0.0005001 + 5e-6 * float(r["value"]), (lines[at], r)
        assert abs(float(lines[at + 1].split()[3]) - float(r["ratio"])) <= 0.006 and lines[at + 1].endswith(r["limit_name"]), (lines[at + 1], r)
    for r in rows:
        if r["unit"] != "B": continue
        assert any(l.split()[:2] == [r["case"], r["size"]] and "%.4g" % float(r["value"]) in l.split() and "B" in l.split() for l in lines), r
P
benches "a run as JSON and CSV" 0 "${small[@]}" --json --csv a.csv --revision "a revision"
cp out a.json
is "they say the same" python3 check.py a.csv a.json
is "and there is nothing on standard error" test ! -s err
benches "a run as tables and CSV" 0 "${small[@]/--quiet/--mend}" --csv b.csv
cp out b.txt
is "they say the same too" python3 check.py b.csv b.txt
is "what comes is said on standard error" grep -qx 'mesh_cloth 12' err

# ---- steps without a clock ----

run bench --steps 3 --cases lattice --sizes 2 --widths 1 --threads 1
three=$(cat out)
run bench --steps 6 --cases lattice --sizes 2 --widths 1 --threads 1
is "twice the steps solve twice as much" test "$(cat out)" -eq $((2 * three)) -a "$three" -gt 0
run bench --steps 0 --cases mesh_cloth --widths 1 --threads 1
is "no steps solve nothing" test "$status $(cat out)" = "0 0"

# ---- what patches, clusters and tiles leave ----

# Mean stretch of a cloth of 64 x 64 after 2 s, against a tenth more than what one colouring of the whole left: 0.253 and 0.0175 % as a grid with 20
# and 80 substeps, 0.340 and 0.0203 % as a mesh. Nothing here is timed.
benches "the stretch that is left" 0 --cases accuracy --threads 1 --csv stretch.csv --quiet
is "is no more than that of one colouring" awk -F, -v ok=4 '
    $4 == "accuracy_grid_20" && $11 <= 0.253 * 1.1 || $4 == "accuracy_grid_80" && $11 <= 0.0175 * 1.1 { ok-- }
    $4 == "accuracy_mesh_20" && $11 <= 0.340 * 1.1 || $4 == "accuracy_mesh_80" && $11 <= 0.0203 * 1.1 { ok-- }
    END { exit ok }' stretch.csv

# Substeps for a mean stretch of 0.1 % with tethers to both pins; without, 15 and 22 leave 0.25 %.
benches "the substeps that tethers take" 0 --cases tethered --widths 1 --threads 1 --repeat 1 --quick --csv tethered.csv --quiet
is "are two as a grid and three as a mesh" awk -F, -v ok=2 '
    $10 == "substeps" && ($4 == "tethered_grid" && $11 <= 2 || $4 == "tethered_mesh" && $11 <= 3) { ok-- }
    END { exit ok }' tethered.csv

# ---- scenes ----

cat >rope.json <<'J'
{"pliant": 1, "frames": 20, "solver": {"substeps": 4, "iterations": 3}, "bodies": [{"type": "rope", "name": "chain", "from": [0, 0, 0], "to": [1, 0, 0],
 "segments": 12, "pins": [0]}]}
J
benches "a scene file" 0 --scene rope.json --widths 1 --threads 1,2 --repeat 5 --quick --json --quiet
is "per constraint and sweep, and per frame" python3 - <<'P'
import json
rows = {(r["case"], r["threads"], r["unit"]): r for r in json.load(open("out"))["rows"]}
for threads in (1, 2):
    ns, ms = rows["scene:rope.json", threads, "ns"], rows["scene:rope.json", threads, "ms"]
    assert abs(ns["value"] * 12 * ns["constraints"] * 1e-6 / ms["value"] - 1) < 1e-4, (ns, ms)
P
sed 's/"frames": 20/"frames": 20, "nonsense": 1/' rope.json >odd.json
refused "a scene that is wrong" "odd.json:1: nonsense" --quiet --scene odd.json
refused "a scene that is not there" "none.json" --quiet --scene none.json

# ---- kept runs ----

benches "a run is kept" 0 "${small[@]}" --keep kept.csv
cp kept.csv first.csv
benches "and another" 0 "${small[@]}" --keep kept.csv
is "behind the first, which stays as it was" cmp -n "$(wc -c <first.csv)" first.csv kept.csv
is "as run 2" test "$(tail -n 1 kept.csv | cut -d, -f1)" = 2
is "and nothing else is left" test "$(compgen -G 'kept.csv*')" = kept.csv

# Figures of the last run that are fifty times as bad as now, and spread little: nothing can be slower, whatever else the machine does. And one that was
# five hundred times as good: a spread is at most as large as its median, so no noise hides that.
awk -F, -v OFS=, '$10 == "ns" || $10 == "s/M" { $11 *= 50; $12 = $11 / 1000 } $10 == "s/M" { $11 *= 100 } 1' kept.csv >slow.csv
benches "nothing is slower than what was slow" 0 "${small[@]}" --compare slow.csv
is "and that is said" grep -qE '^slow.csv: run 2 of .*: [0-9]+ figures compared, 0 slower$' out
awk -F, -v OFS=, '$1 == 2 && $4 == "mesh_cloth" && $5 == 12 && $10 == "ns" { $11 /= 25000; $12 /= 25000 } 1' slow.csv >fast.csv
benches "a figure that was faster is found" 1 "${small[@]}" --compare fast.csv
is "it alone" test "$(grep -c '^slower: ' out) $(grep -c '^slower: mesh_cloth 12, width 1, threads 1: ' out)" = "1 1"
awk -F, -v OFS=, '$1 == 2 && $4 == "grid_cloth" && $5 == 8 && $10 == "B" { $11 *= 0.99 } 1' slow.csv >small.csv
benches "a model that has grown is found" 1 "${small[@]}" --compare small.csv
is "it alone too" test "$(grep '^slower: ' out | cut -d: -f2 | tr -d '\n')" = " grid_cloth 8, width 0, threads 0"
awk -F, -v OFS=, '$1 == 1 && $10 == "ns" { $11 /= 25000; $12 /= 25000 } 1' slow.csv >older.csv
benches "runs before the last do not count" 0 "${small[@]}" --compare older.csv
awk -F, -v OFS=, 'NR == 1 || $4 == "grid_cloth" { if (NR > 1) { $4 = "another"; $11 = 7 } print }' kept.csv >another.csv
benches "figures of another program come with it" 0 "${small[@]}" --with another.csv --csv with.csv
is "all of them" test "$(grep -c ',another,' with.csv)" = "$(awk -F, '$1 == 2 && $4 == "another"' another.csv | wc -l)"

# ---- what is refused ----

echo text >text.csv
refused "an unknown case" "unknown case grid_cloths" --cases grid_cloths
refused "an empty list of cases" 'unknown case ""' --cases ""
want=6 refused "a width that nobody has" "there is no width 3" --widths 3
want=6 refused "a width that is not here" "there is no width 64" --widths 64
refused "no threads" "--threads takes whole numbers from 1 to 64" --threads 0
refused "threads that are no number" "not two" --threads two
refused "repetitions out of range" "--repeat" --repeat 0
refused "more tetrahedra than there can be" "at most 700 cells" --cases tet_mesh --sizes 8192 --widths 1 --threads 1 --quick --quiet
refused "an operand" "bench takes no rope.json" rope.json
refused "a scene and cases" "do not go together" --scene rope.json --cases lattice
refused "steps without a case" "--steps needs --cases" --steps 3
refused "steps of what is no steps" "--steps needs --cases" --steps 3 --cases drop
refused "a comparison with nothing" "has no run to compare with" --compare new.csv
refused "a comparison with what is no run" "text.csv:1: is not a file of figures" --compare text.csv
refused "keeping in what is no run" "text.csv:1: is not a file of figures" --keep text.csv
refused "writing over what is no run" "text.csv:1: is not a file of figures" --csv text.csv
refused "one file twice" "given twice" --csv kept.csv --keep ./kept.csv
refused "a revision with a comma" "--revision takes no commas" --revision a,b
for damage in '$11 = "x"' '$11 = "nan"' '$9 = -1' '$4 = ""; $0 = substr($0, 1, 20)' '$0 = $0 ",1"'; do
    awk -F, -v OFS=, "NR == 5 { $damage } 1" kept.csv >damaged.csv
    refused "a damaged line: $damage" "damaged.csv:5: is not a figure" --compare damaged.csv
done
is "what was no run is as it was" test "$(cat text.csv)" = text
mkdir folder
want=3 refused "figures in a folder that is not there, before anything is measured" "nowhere/new.csv" --csv nowhere/new.csv
want=3 refused "a kept run in a folder that is not there" "nowhere/new.csv" --keep nowhere/new.csv
want=3 refused "figures in what is a folder" "folder: a folder" --csv folder

# ---- a pile ----

pile() { "$PLIANT_BUILD_DIR/pliant_bench" --quick --pile; } # it ends with an error unless all pairs are found anew where they are to be, and nowhere else
expect "a pile is sought anew, and kept" pile
layers() { "$PLIANT_BUILD_DIR/pliant_bench" --quick --layers; } # likewise; and unless two threads do what one does
expect "so are layers, on two threads as on one" layers

# ---- whole frames ----

frames() { "$PLIANT_BUILD_DIR/pliant_bench" --csv frames.csv --frames --least >frames.txt; }
expect "whole frames are measured" frames
cat >frames.py <<'P'
"""frames.py CSV TEXT: each figure is there, once, and the table says the same."""
import csv, itertools, math, sys
rows = list(csv.DictReader(open(sys.argv[1])))
small = {(r["case"], int(r["size"])) for r in rows if "_small_" in r["case"]}
assert small == {("frame_small_sheet", n) for n in (32, 45, 71)} | {("frame_small_capes", n) for n in (2, 4, 9)} | {("frame_small_fold_" + n, 64) for n in ("falls", "lies")}, small
assert all((r["threads"], r["unit"]) == ("2", "times") and 1000 < int(r["particles"]) < 10000 and float(r["value"]) > 0 for r in rows if "_small_" in r["case"])
rows = [r for r in rows if "_small_" not in r["case"]]
by_key = {(r["case"], int(r["threads"]), r["unit"]): r for r in rows}
assert len(by_key) == len(rows), "a figure is there twice"
alone = ["frame_sheet_grid", "frame_sheet_mesh"] + ["frame_capes_%s_%s" % c for c in itertools.product(("states", "scene"), ("grid", "mesh"))]
itself = ["%s_%s" % c for c in itertools.product(("frame_fold", "frame_towel_5mm", "frame_towel_15mm"), ("falls", "lies"))]
equal = [n + "_equal" for n in alone if n.endswith("mesh")]
alone += equal + [n + "_alone" for n in itself]
want = {(n, 1, u) for n in alone + itself for u in ("ms", "%", "mm")} | {(n, 1, u) for n in itself for u in ("crossings", "x")}
want |= {(n, 1, "substeps") for n in equal}
want |= {(n, 2, "times") for n in alone[:2] + [i for i in itself if "fold" in i]} | {("frame_bytes_" + n, 1, "B/particle") for n in ("grid", "grid_lean", "mesh", "mesh_lean")}
assert set(by_key) == want, set(by_key) ^ want
for (case, threads, unit), r in by_key.items():
    value, limit = float(r["value"]), float(r["limit"])
    assert value >= 0 and (value > 0 or unit in ("mm", "crossings")), r
    assert (limit > 0) == (unit in ("ms", "times")) == bool(r["limit_name"]), r
    assert math.isclose(float(r["ratio"]), value / limit if limit else 0, rel_tol=1e-3), r
    if unit == "%": assert value < 5, r
    if unit == "crossings": assert value == 0, r
grid, mesh = (by_key[f"frame_sheet_{n}", 1, "ms"] for n in ("grid", "mesh"))
assert abs(int(mesh["constraints"]) / int(grid["constraints"]) - 1) < 0.02, (grid, mesh)  # six per particle, both
for name in equal:  # the least substeps that leave no more stretch than the grid has
    stretch = {n: float(by_key[n, 1, "%"]["value"]) for n in (name, name.removesuffix("_equal"), name.replace("mesh_equal", "grid"))}
    substeps = int(float(by_key[name, 1, "substeps"]["value"]))
    assert substeps >= 10 and stretch[name] <= stretch[name.replace("mesh_equal", "grid")], stretch
    assert (substeps == 10) == (stretch[name.removesuffix("_equal")] == stretch[name]), stretch
lines = [l.split() for l in open(sys.argv[2])]
for case in alone + itself:
    line = next(l for l in lines if l and l[0] == case)
    ms = float(by_key[case, 1, "ms"]["value"])
    assert abs(float(line[2]) - ms) <= 6e-4 and (line[-2] == "-") == (case in alone), line
    if "capes" in case or "15mm" in case and case in itself: assert float(line[6]) + float(line[7]) > 0, line  # there are contacts
P
is "each has its figures, beside a bound" python3 frames.py frames.csv frames.txt
benches "they are kept with the others" 0 "${small[@]}" --with frames.csv --keep frames_kept.csv
is "all of them" test "$(grep -c ',frame_' frames_kept.csv)" = "$(grep -c ',frame_' frames.csv)"
awk -F, -v OFS=, '$4 !~ /^frame_/ && ($10 == "ns" || $10 == "s/M") { $11 *= 5000; $12 = $11 / 1000 } 1' frames_kept.csv >frames_slow.csv
benches "no crossing, as before, is not slower" 0 "${small[@]}" --with frames.csv --compare frames_slow.csv
awk -F, -v OFS=, '$4 == "frame_fold_falls" && $10 == "crossings" { $11 = 2 } 1' frames.csv >crossed.csv
benches "a crossing where none was is found" 1 "${small[@]}" --with crossed.csv --compare frames_slow.csv
is "it alone" test "$(grep '^slower: ' out | cut -d, -f1)" = "slower: frame_fold_falls 24"
awk -F, -v OFS=, '$4 == "frame_fold_falls" && $10 == "%" { $11 = 0 } 1' frames.csv >none.csv
refused "a stretch of nothing" "none.csv:" "${small[@]}" --with none.csv
rm none.csv

nowhere() { ! timeout 60 "$PLIANT_BUILD_DIR/pliant_bench" --frames --csv nowhere/frames.csv >said 2>wrong && [ ! -s said ] && grep -qF nowhere/frames.csv wrong; }
expect "a file of frames in a folder that is not there is refused before anything is measured" nowhere

# ---- the machine's name, and what make calls ----

run bench --machine
is "a machine's name is one for a file" grep -qxE '[a-z0-9]+(-[a-z0-9]+)*' out
expect "the scripts are whole" bash -n "$PLIANT_SOURCE_DIR/bench/run.sh" "$PLIANT_SOURCE_DIR/bench/contract.sh"
finish
