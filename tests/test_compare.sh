#!/usr/bin/env bash
# Laws of pliant compare: the table, the JSON, the CSV and the picture say the same; the fastest is the one with the least time; iterations are
# the same in every run, times alone are not; bad input is one line, exit 2, and nothing is written.
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
# Compares: exit STATUS; what it said in out and err.
compares() { # WHAT STATUS ARGUMENTS...
    local what=$1 want=$2
    shift 2
    run compare "$@"
    if [ "$status" -eq "$want" ]; then ok "$what"; else not_ok "$what: exit $status, not $want: $(head -n 3 err)"; fi
}
# Refused: exit 2, one line with TEXT in it, and nothing written.
refused() { # WHAT TEXT ARGUMENTS...
    local what=$1 text=$2 problem=
    shift 2
    run compare "$@"
    [ "$status" -eq 2 ] || problem="exit $status"
    [ "$(wc -l <err)" -eq 1 ] || problem+=" $(wc -l <err) lines"
    grep -qF -- "$text" err || problem+=" without \"$text\""
    [ -s out ] && problem+=" spoke on standard output"
    compgen -G 'new*' >/dev/null && problem+=" wrote something"
    if [ -z "$problem" ]; then ok "refused: $what"; else not_ok "refused: $what:$problem: $(head -n 2 err)"; fi
}

cat >chain.json <<'J'
{"pliant": 1, "frames": 30, "solver": {"substeps": 4}, "bodies": [{"type": "rope", "name": "chain", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 12,
 "bend": "none", "stretch": {"compliance": 0}, "pins": [0]}]}
J
cat >one.json <<'J'
{"pliant": 1, "frames": 10, "bodies": [{"type": "particles", "particles": [{"x": [0, 0, 0], "w": 0}, {"x": [1, 0, 0]}],
 "constraints": [{"kind": "distance", "ids": [0, 1]}]}]}
J
sed 's/"compliance": 0/"compliance": 1e-6/' chain.json >soft.json
some=gauss_seidel,gauss_seidel:relaxation=1.5,jacobi,jacobi:averaging=classic:relaxation=1.1

# ---- one comparison, said in four ways ----

compares "a comparison" 0 chain.json --methods $some --iterations 300 --until 1e-2 --json -q -o curves.csv -o curves.svg
cp out chain.out
cat >check.py <<'P'
"""check.py OUT CSV SVG: what the laws say of one comparison."""
import csv, json, math, re, sys, xml.etree.ElementTree as xml
drawn = []
said = json.load(open(sys.argv[1]))
assert open(sys.argv[1]).read().count("\n") == 1
rows = {}
for r in csv.DictReader(open(sys.argv[2])):
    rows.setdefault(r["method"], []).append({k: float(v) for k, v in r.items() if k != "method"})
assert list(rows) == [m["method"] for m in said["methods"] if m["status"] != "cannot"], "methods"
first = max(r[0]["constraint"] for r in rows.values())
assert first == said["first"] > 0, "first residual"
for m in said["methods"]:
    if m["status"] == "cannot": continue
    c = rows[m["method"]]
    assert [r["iteration"] for r in c] == list(range(len(c))), "iterations"
    assert all(a["ms"] <= b["ms"] for a, b in zip(c, c[1:])), "time goes on"
    for k in ("constraint", "primal", "primal_max", "ms"): assert c[-1][k] == m[k], (m["method"], k)
    for r in c:
        assert abs(r["constraint_relative"] * first - r["constraint"]) <= 1e-7 * r["constraint"], "relative"
        assert abs(r["primal_relative"] * first - r["primal"]) <= 1e-7 * r["primal"], "relative"
    assert abs(m["ms_per_iteration"] * c[-1]["iteration"] - m["ms"]) <= 1e-6 * m["ms"], "ms per iteration"
    assert c[0]["primal"] <= 1e-6 * first, "nothing is moved before the first iteration"
    there = [r for r in c if r["constraint"] <= said["until"] * first]
    assert (m["status"] == "reached") == bool(there) or m["status"] == "diverged", "status"
    assert (m["iterations_to"], m["ms_to"]) == ((there[0]["iteration"], there[0]["ms"]) if m["status"] == "reached" else (None, None)), "to"
reached = [m for m in said["methods"] if m["status"] == "reached"]
assert said["fastest"] == (min(reached, key=lambda m: m["ms_to"])["method"] if reached else None), "fastest"
svg = xml.parse(sys.argv[3]).getroot()
assert svg.tag.endswith("}svg")
text = "\n".join(t.text or "" for t in svg.iter() if t.tag.endswith("}text"))
for want in list(rows) + ["iterations", "time, ms", "constraint residual, in R₀", "primal residual, in R₀", "m √kg"]: assert want in text, want
numbers = [float(n) for p in svg.iter() if p.tag.endswith("}path") for n in
           p.get("d").replace("M", " ").replace("L", " ").replace("h", " ").replace("v", " ").replace("V", " ").replace("H", " ").split()]
assert all(n == n and -1 <= n <= 1000 for n in numbers), "inside the page"
assert len(numbers) > 100

# No point is further from its curve than half a pixel. Where the axes lie is read from the ends of the curve.
def far(line, p):
    def from_piece(a, b):
        dx, dy = b[0] - a[0], b[1] - a[1]
        t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy or 1)
        return math.dist(p, (a[0] + min(max(t, 0), 1) * dx, a[1] + min(max(t, 0), 1) * dy))
    return min(map(from_piece, line, line[1:]))
panels = [g for g in svg.iter() if g.tag.endswith("}g")]
for g, (across, up) in zip(panels, [(a, u) for u in ("constraint_relative", "primal_relative") for a in ("iteration", "ms")]):
    for path in g.iter():
        number = re.fullmatch(r"c(\d+)", path.get("class") or "")
        if not number or path.get("d").count("M") != 1: continue
        curve = list(rows.values())[int(number[1])][1:]
        line = [tuple(map(float, n.split())) for n in re.split("[ML]", path.get("d").replace("h0", ""))[1:]]
        ends = [[math.log10(r[k]) if r[k] > 0 else None for k in (across, up)] for r in curve]
        if len(curve) < 10 or any(None in e for e in ends) or any(abs(line[-1][k] - line[0][k]) < 20 for k in (0, 1)): continue
        drawn.append(max(far(line, [line[0][k] + (line[-1][k] - line[0][k]) * (e[k] - ends[0][k]) / (ends[-1][k] - ends[0][k]) for k in (0, 1)])
                         for e in ends))
        if across == "iteration": assert len(line) < len(curve) * 0.6, ("as few pieces as look the same", len(line), len(curve))
assert all(d < 0.5 for d in drawn), drawn
print(len(drawn), "curves with their points on them")
P
is "JSON, CSV and SVG say the same, and name the fastest" python3 check.py chain.out curves.csv curves.svg
cp log drawn
is "points lie on their curves" grep -qE "^(8|9|1[0-6]) curves with" drawn
is "Gauss-Seidel comes there" grep -q '"method": "gauss_seidel", .*"status": "reached", "iterations_to"' chain.out
is "the files are named" grep -q '"files": \["curves.csv", "curves.svg"\]' chain.out

compares "a table" 0 chain.json --methods $some --iterations 300 --until 1e-2 -o table.csv
cat >table.py <<'P'
"""table.py OUT CSV UNTIL: the table's numbers are those of the CSV, to the digits it prints."""
import csv, sys
rows = {}
for r in csv.DictReader(open(sys.argv[2])): rows.setdefault(r["method"], []).append(r)
near = lambda a, b: abs(float(a) - float(b)) <= 1e-3 * abs(float(b)) + 1e-300
lines, best, seen = open(sys.argv[1]).read().split("\n"), None, 0
for words in (l.split() for l in lines):
    if not words or words[0] not in rows: continue
    c, seen = rows[words[0]], seen + 1
    there = [r for r in c if float(r["constraint_relative"]) <= float(sys.argv[3])]
    if there:
        assert near(words[1], there[0]["iteration"]) and near(words[2], there[0]["ms"]), words
        if best is None or float(there[0]["ms"]) < best[1]: best = words[0], float(there[0]["ms"])
    else:
        assert words[1:3] == ["-", "-"], words
    last = c[-1]
    assert near(words[3], last["iteration"]) and near(words[4], last["constraint_relative"]) and near(words[5], last["primal_relative"]), words
    assert near(float(words[6]) * float(last["iteration"]), last["ms"]), words
assert seen == len(rows)
assert any(l.startswith(f"fastest to {float(sys.argv[3]):g} R0: {best[0]}, ") for l in lines), best
P
is "the table's numbers are those of the CSV" python3 table.py out table.csv 1e-2
is "it is said what was written" grep -qx 'wrote table.csv' out

# ---- iterations are the same, times alone are not ----

for threads in 1 2 4; do
    run compare chain.json --methods $some --iterations 300 --threads $threads --repeat 2 -q -o "threads$threads.csv"
    cut -d, -f1,2,4- "threads$threads.csv" >"threads$threads.txt"
done
cut -d, -f1,2,4- curves.csv >again.txt
is "residuals are the same in every run" cmp again.txt threads1.txt
is "and for any number of threads" bash -c 'cmp threads1.txt threads2.txt && cmp threads1.txt threads4.txt'
PLIANT_WIDTH=1 "$pliant" compare chain.json --methods gauss_seidel,jacobi --iterations 50 --repeat 1 -q -o width1.csv
run compare chain.json --methods jacobi,gauss_seidel --iterations 50 --repeat 1 -q -o order.csv
is "and for any lane width" bash -c 'cut -d, -f1,2,4- width1.csv | sort | cmp - <(cut -d, -f1,2,4- order.csv | sort)'
run compare chain.json --methods gauss_seidel --iterations 20 --frame 7 --repeat 1 -q -o seven.csv
is "another frame is another state" bash -c '! cmp -s <(cut -d, -f1,2,4- seven.csv | head -n 3) <(head -n 3 again.txt)'
run compare chain.json --methods gauss_seidel --iterations 20 --substeps 8 --repeat 1 --json -q
is "--substeps is the length of the substep" grep -q '"substep": 0.00208333333' out

# ---- how far from a reference ----

# A substep so long that gradients turn: methods of XPBD end elsewhere than implicit Euler does, however far they go.
exact=newton:gradients=implicit
compares "errors from a reference" 0 chain.json --substeps 1 --iterations 1000 --repeat 2 --methods gauss_seidel,jacobi,$exact --reference $exact \
    --json -q -o errors.csv -o errors.svg
cp out errors.out
cat >errors.py <<'P'
"""errors.py OUT CSV SVG: what the laws say of errors."""
import csv, json, sys, xml.etree.ElementTree as xml
said, rows = json.load(open(sys.argv[1])), {}
first = said["reference"]["error_first"]
for r in csv.DictReader(open(sys.argv[2])): rows.setdefault(r["method"], []).append(r)
assert first > 0 and said["reference"]["constraint"] < 1e-2 * said["first"], "the reference is solved"
for m in said["methods"]:
    c = rows[m["method"]]
    assert float(c[0]["error"]) == first, "before the first iteration each is at the prediction"
    assert float(c[-1]["error"]) == m["error"], "the last iteration is looked at"
    looked = [int(r["iteration"]) for r in c if r["error"]]
    assert all(b - a <= 1 + 0.26 * a for a, b in zip(looked, looked[1:])), "ten for each decade"
own = {m["method"]: m for m in said["methods"]}
assert own[said["reference"]["method"]]["error"] == 0, "the reference is 0 from itself"
sweeps = own["gauss_seidel"]
assert sweeps["constraint"] < 1e-2 * said["first"] and 1e-3 * first < sweeps["error"] < first, ("solved, and biased", sweeps)
text = "\n".join(t.text or "" for t in xml.parse(sys.argv[3]).iter() if t.tag.endswith("}text"))
for want in list(rows) + ["distance from the reference, in E₀", "; E₀ = "]: assert want in text, want
P
is "are those of the reference, from the prediction on" python3 errors.py errors.out errors.csv errors.svg
run compare chain.json --substeps 1 --iterations 1000 --repeat 1 --methods gauss_seidel,jacobi,$exact -q -o plain.csv
is "residuals are the same without one" bash -c 'cmp <(cut -d, -f1,2,4-8 errors.csv) <(cut -d, -f1,2,4- plain.csv)'
run compare chain.json --substeps 1 --iterations 1000 --repeat 1 --threads 4 --methods gauss_seidel,jacobi,$exact --reference $exact -q -o threads.csv
is "errors are the same for any number of threads" bash -c 'cmp <(cut -d, -f1,2,4- errors.csv) <(cut -d, -f1,2,4- threads.csv)'
compares "a table with errors" 0 chain.json --substeps 1 --iterations 1000 --repeat 1 --methods gauss_seidel,$exact --reference $exact
cat >column.py <<'P'
import json, sys
words = {l.split()[0]: l.split() for l in open("out") if l.strip()}
said = json.load(open("errors.out"))
for m in said["methods"]:
    if m["method"] != "jacobi":
        want = m["error"] / said["reference"]["error_first"]
        assert len(words[m["method"]]) == 8 and abs(float(words[m["method"]][-1]) - want) <= 1e-3 * want, words[m["method"]]
P
is "its last column is the error" python3 column.py
compares "multigrid, which sweeps at the end, begins at the prediction too" 0 soft.json --substeps 1 --iterations 3 --repeat 1 --methods multigrid \
    --reference $exact --json -q -o begin.csv
is "as far as all" python3 -c '
import csv, json
assert float(next(csv.DictReader(open("begin.csv")))["error"]) == json.load(open("out"))["reference"]["error_first"] > 0'
refused "an unknown reference" "unknown method simplex" chain.json --reference simplex -o new.csv
refused "a reference that cannot take the scene" '--reference: jacobi with averaging "classic" knows no compliance' soft.json --methods gauss_seidel \
    --reference jacobi:averaging=classic -o new.csv
cat >rod.json <<'J'
{"pliant": 1, "frames": 10, "bodies": [{"type": "particles", "particles": [{"x": [0, 0, 0], "w": 0}, {"x": [0.001, 0.001, 0]}], "constraints": [{"kind": "distance", "ids": [0, 1]}]}]}
J
refused "a reference that finds no solution" "the reference newton:fallback=none found no solution" rod.json --frame 0 --substeps 1 --methods gauss_seidel \
    --reference newton:fallback=none --iterations 20 -q -o new.csv
refused "a reference that is too long" "too long" chain.json --reference "jacobi:$(printf 'x%.0s' {1..200})" -o new.csv

# ---- small cases ----

compares "one constraint" 0 one.json --json -q --iterations 20
is "it is met after one iteration, by every method that takes it" bash -c '! grep -oE "\"iterations_to\": [^,]+" out | grep -vqx "\"iterations_to\": 1"'
is "the default is the last frame before a second is over" grep -q '"frame": 10' out
compares "one iteration" 0 one.json --json -q --iterations 1 --repeat 1 -o tiny.svg -o tiny.csv
is "JSON, CSV and SVG say the same of it" python3 check.py out tiny.csv tiny.svg
compares "all methods" 0 chain.json --iterations 5 --repeat 1 --json -q
is "all of them are there" bash -c '"$1" info --json | python3 -c "
import json, sys
assert [m[\"name\"] for m in json.load(sys.stdin)[\"methods\"]] == [m[\"method\"] for m in json.load(open(\"out\"))[\"methods\"]]"' _ "$pliant"
compares "a method that cannot take the scene does not stop it" 0 soft.json --methods jacobi:averaging=classic,gauss_seidel --iterations 20 -o cannot.csv
is "its reason is said" grep -qE '^jacobi:averaging=classic +cannot: .*compliance' out
is "it has no curve" bash -c '! grep -q classic cannot.csv'
compares "none that can" 1 soft.json --methods jacobi:averaging=classic --json -o none.csv
is "the reason is said in JSON too" python3 -c 'import json; m = json.load(open("out")); assert m["methods"][0]["status"] == "cannot" and m["methods"][0]["reason"] and m["fastest"] is None'
is "nothing is written" bash -c '! compgen -G "none*"'
sed 's/"solver": {/"solver": {"method": "jacobi", "relaxation": 0.5, /' chain.json >own.json
compares "a scene with a method of its own" 0 own.json --methods jacobi,gauss_seidel,jacobi:relaxation=1.5 --iterations 2 --repeat 1 --json -q
is "its settings hold where nothing else is said" python3 -c '
import json
assert [m["settings"]["relaxation"] for m in json.load(open("out"))["methods"]] == [0.5, 1, 1.5]'
cp chain.json '<a&"b>.json'
compares "a name with what XML marks by" 0 '<a&"b>.json' --methods jacobi --iterations 3 --repeat 1 -q --json -o 'marks.svg' -o marks.csv
is "is text in the picture" python3 check.py out marks.csv marks.svg
odd=$(printf 'a\377\001\303.json'); cp chain.json "$odd"
compares "a name that is no text" 0 "$odd" --methods jacobi --iterations 3 --repeat 1 -q -o odd.svg
is "does not spoil the picture" python3 -c 'import xml.etree.ElementTree as x; x.parse("odd.svg")'

# ---- bad input ----

refused "an unknown method" "unknown method simplex (known are gauss_seidel, jacobi" chain.json --methods simplex -o new.csv
refused "a misspelt method" "unknown method jakobi (did you mean jacobi?)" chain.json --methods gauss_seidel,jakobi -o new.csv
refused "an empty method" "unknown method" chain.json --methods gauss_seidel, -o new.csv
refused "an unknown setting" "jacobi has no setting averages" chain.json --methods jacobi:averages=1 -o new.csv
refused "a misspelt setting" "did you mean relaxation?" chain.json --methods jacobi:relaxaton=1 -o new.csv
refused "another method's setting" "gauss_seidel has no setting averaging (known are relaxation" chain.json --methods gauss_seidel:averaging=row -o new.csv
refused "a setting out of range" "above 0 and below 2" chain.json --methods jacobi:relaxation=2 -o new.csv
refused "a setting that is no number" "takes a number, not fast" chain.json --methods jacobi:relaxation=fast -o new.csv
refused "a setting that is no word" "known are row, classic" chain.json --methods jacobi:averaging=all -o new.csv
refused "a method twice" "jacobi is given twice" chain.json --methods jacobi,jacobi -o new.csv
refused "a method that is too long" "too long" chain.json --methods "jacobi:$(printf 'x%.0s' {1..200})" -o new.csv
refused "more methods than there is room for" "too many" chain.json --methods "$(seq -s, -f 'jacobi:relaxation=0.%02g' 1 40)" -o new.csv
refused "a frame that is none" "--frame takes a whole number" chain.json --frame -1 -o new.csv
refused "no repetition" "--repeat takes" chain.json --repeat 0 -o new.csv
refused "no iteration" "--iterations takes" chain.json --iterations 0 -o new.csv
for until in 0 1 -1 nan inf x ''; do refused "until $until" "--until takes a number above 0 and below 1" chain.json --until "$until" -o new.csv; done
refused "an output of another kind" "FILE.csv and FILE.svg, not new.png" chain.json -o new.csv -o new.png
refused "an output without a name" "FILE.csv and FILE.svg, not .svg" chain.json -o .svg
refused "an output twice" "given twice" chain.json -o new.svg -o ./new.svg
sed 's/, "w": 0//' one.json >falling.json
refused "a frame where nothing is to be done" "in frame 0 the constraints are met before the first iteration" falling.json --frame 0 -q -o new.csv
refused "a scene that is not there" "nowhere.json" nowhere.json -o new.csv
sed 's/"constraints": .*/"constraints": []}]}/' one.json >nothing.json
refused "a scene without constraints" "nothing to compare" nothing.json -q -o new.csv
sed 's/"pins"/"velocity": [1e8, 0, 0], "pins"/' chain.json >runaway.json
compares "a scene that diverges on the way" 4 runaway.json -q -o new.csv
compares "an output in a folder that is not there" 3 chain.json -q -o new.csv -o nowhere/new.csv
is "its name is said" grep -q '^nowhere/new.csv: ' err
mkdir folder.csv
compares "an output that is a folder" 3 chain.json -q --iterations 2 -o folder.csv
is "nothing is left of all these" bash -c '! compgen -G "new*" && ! compgen -G "*.tmp"'
(ulimit -f 1; exec "$pliant" compare chain.json -q --iterations 300 --repeat 1 -o new.csv -o new.svg) >out 2>err
[ $? -eq 3 ] && ok "files that may not grow" || not_ok "files that may not grow: $(head -n 2 err)"
is "are not left half-written" bash -c '! compgen -G "new*" && ! compgen -G "*.tmp"'
cp curves.svg before.svg
(ulimit -f 1; exec "$pliant" compare chain.json -q --iterations 300 --repeat 1 -o curves.csv -o curves.svg) >out 2>err
is "what was there before stays" cmp before.svg curves.svg

# Ctrl-C ends it, and nothing is written.
"$pliant" compare "$PLIANT_SOURCE_DIR/scenes/curtain.json" -q --iterations 10000 --repeat 9 -o ended.csv >out 2>err &
child=$!
for _ in $(seq 600); do compgen -G "ended*" >/dev/null && break; sleep 0.1; done
kill -INT "$child"; wait "$child"; status=$?
[ "$status" -eq 130 ] && ok "Ctrl-C ends a comparison with 130" || not_ok "Ctrl-C ends a comparison with 130, not $status"
is "and nothing is left of it" bash -c '! compgen -G "ended*"'
finish
