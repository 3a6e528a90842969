#!/usr/bin/env bash
# Law: what the plots of docs/plots show is so: volumes of balloons are those where gas and membrane balance, what stays of a bent hinge is what its yield and hardening leave. Each
# plot has its picture, and a page that shows it and names the command.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
cd "$PLIANT_SOURCE_DIR" || exit 1
mapfile -t plots < <(sed -n 's/^PLOTS = {//p' tools/plots.py | grep -oE '"[a-z-]+"' | tr -d '"')
expect "there are some" test ${#plots[@]} -gt 3
expect "every picture is of one" test "$(cd docs/plots && ls | sed 's/\.svg$//' | sort | tr '\n' ' ')" = "$(printf '%s\n' "${plots[@]}" | sort | tr '\n' ' ')"
for plot in "${plots[@]}"; do
    expect "$plot: a page shows it" grep -q "](plots/$plot.svg)" docs/*.md
    expect "$plot: and says how it is made" grep -qE "tools/plots.py ([a-z-]+ )*$plot" docs/*.md
    expect "$plot: it is a picture" python3 -c 'import sys, xml.etree.ElementTree as x; assert x.parse(sys.argv[1]).getroot().tag.endswith("}svg")' "docs/plots/$plot.svg"
done
python3 tools/plots.py --to "$scratch" balloon plastic >"$scratch/out" 2>&1
expect "they are made" test $? -eq 0 -a -s "$scratch/balloon.svg" -a -s "$scratch/plastic.svg"
cat >"$scratch/check.py" <<'P'
"""check.py OUT: the tables' numbers are those of theory."""
import re, sys
seen = 0
for line in open(sys.argv[1]):
    cells = [c.strip() for c in line.strip().strip("|").split("|")]
    if re.fullmatch(r"[0-9,]{5,}", cells[0]):  # gas, volume, by theory, %, product
        assert abs(float(cells[1]) / float(cells[2]) - 1) < 2e-3 and abs(float(cells[4]) - 1) < 2e-3, cells
        seen += 1
    for found, said in re.findall(r"([0-9.]+) of ([0-9.]+)", line):
        assert abs(float(found) - float(said)) < 2e-3, line
        seen += 1
assert seen == 6 + 24, seen
P
expect "and agree with theory" python3 "$scratch/check.py" "$scratch/out"
finish
