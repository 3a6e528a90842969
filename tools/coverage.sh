#!/usr/bin/env bash
# Which lines and branches of src/ are reached, per file, the worst first. Exit 1 where the sum is less than is asked for.
# Usage: tools/coverage.sh BUILD           by the short tests; 95 % of lines, 85 % of branches
#        tools/coverage.sh BUILD readers   of every reader, by the files kept in tests/fuzz/corpus/ and what tests/test_corpus.c makes of
#                                          good ones; 90 % of each one's lines
# BUILD is one of the preset "coverage" (make coverage). The tools have to be of the compiler's version.
set -u
[ $# -ge 1 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "$1" && pwd) || exit 2
what=${2:-all}
version=$(clang -dumpversion | cut -d. -f1)
tool() { command -v "$1-$version" || command -v "$1" || { echo "coverage.sh: no $1" >&2; exit 2; }; }
profdata=$(tool llvm-profdata) cov=$(tool llvm-cov)
profiles=$build/profiles
rm -rf "$profiles"
mkdir -p "$profiles"
export LLVM_PROFILE_FILE="$profiles/%m.profraw" # runs of one program are added up
bad=0
if [ "$what" = readers ]; then
    "$build/tests/test_corpus" >/dev/null 2>&1 || bad=1
else
    (cd "$build" && ctest -LE '^long$' -j "${JOBS:-2}" --output-on-failure) || bad=1
fi
"$profdata" merge -sparse "$profiles"/*.profraw -o "$profiles/all.profdata" || exit 2
objects=()
for program in "$build/pliant" "$build"/tests/test_* "$build"/tests/long_*; do
    [ -f "$program" ] && [ -x "$program" ] && objects+=(-object "$program")
done
"$cov" export -summary-only -instr-profile "$profiles/all.profdata" "${objects[@]:1}" "$source/src" >"$profiles/all.json" 2>"$profiles/cov.log" ||
    { cat "$profiles/cov.log" >&2; exit 2; }
python3 - "$source" "$build" "$profiles/all.json" "$what" <<'P'
import json, os, sys
source, build, path, what = sys.argv[1:]
readers = "body cache cache_files checkpoint collider constraint cooked csv eval_text folder keys material mesh surface mesh_obj mesh_ply method node number obj objs pc2 pins plys recording scene_file scene_read text words abc_read cells glb holes import mdd ogawa parts points points_take pvd scan sheet tets tets_add tets_gmsh tets_out tets_tetgen tets_vtk usda vtkhdf vtp".split()
rows = []
for f in json.load(open(path))["data"][0]["files"]:
    name = os.path.relpath(os.path.join(build, f["filename"]), source)
    of = lambda key: (f["summary"][key]["covered"], f["summary"][key]["count"])
    if what == "all" or os.path.splitext(os.path.basename(name))[0] in readers and name.startswith("src/io/"):
        rows.append((name, of("lines"), of("branches")))
share = lambda a: 100.0 * a[0] / a[1] if a[1] else 100.0
print("%-44s %16s %16s" % ("", "lines", "branches"))
for name, lines, branches in sorted(rows, key=lambda r: share(r[1])):
    print("%-44s %6.1f %% of %5d %6.1f %% of %5d" % (name, share(lines), lines[1], share(branches), branches[1]))
total = [tuple(sum(r[k][i] for r in rows) for i in (0, 1)) for k in (1, 2)]
print("%-44s %6.1f %% of %5d %6.1f %% of %5d" % ("all", share(total[0]), total[0][1], share(total[1]), total[1][1]))
sys.exit(share(total[0]) < 95 or share(total[1]) < 85 if what == "all" else any(share(r[1]) < 90 for r in rows))
P
[ $? -eq 0 ] && [ $bad -eq 0 ]
