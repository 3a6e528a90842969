#!/usr/bin/env bash
# Law: the curves are what the pages say. Each row of the table in tools/curves.sh has its picture, small, of its scene and methods, and a page
# with the picture and the very command; the command runs; what the text reads from the curves is in them, to the digits printed, in float32.
. "$(dirname "$0")/shell.sh"
cd "$PLIANT_SOURCE_DIR" || exit 1
rows() { sed -n "/^table='/,/^'/p" tools/curves.sh | grep '|'; }
every=$("$PLIANT_BINARY" info --json | python3 -c 'import json, sys; print(",".join(m["name"] for m in json.load(sys.stdin)["methods"]))')

shown() { # SVG SCENE METHODS: the picture is of this scene; each method is in its legend, or in the row below among those that cannot
    python3 - "$@" <<'P'
import sys, xml.etree.ElementTree as xml
text = [t.text or "" for t in xml.parse(sys.argv[1]).iter() if t.tag.endswith("}text")]
assert text[0].startswith(sys.argv[2] + ","), text[0]
missing = [m for m in sys.argv[3].split(",") if m not in text]
assert not missing, missing
P
}
while IFS='|' read -r name scene more; do
    folder=docs page=docs/compare.md
    [ -e "docs/methods/$name.md" ] && folder=docs/methods page=docs/methods/$name.md
    [[ $more = *--methods* ]] && methods=${more##*--methods } || methods=$every
    cannot=()
    "$PLIANT_BINARY" compare "scenes/$scene" $more --iterations 2 --repeat 1 -q --json >"$scratch/out" 2>&1
    expect "$name: its command runs" test $? -eq 0
    for method in ${methods//,/ }; do
        expect "$name: $method is compared" grep -qF "\"method\": \"$method\"" "$scratch/out"
        grep -qE "\"method\": \"$method\", [^}]*\}, \"status\": \"cannot\"" "$scratch/out" && cannot+=("$method")
    done
    for method in "${cannot[@]}"; do
        methods=$(sed -E "s/(^|,)$method(,|$)/\1/" <<<"$methods" | sed 's/,$//')
        expect "$name: the page says that $method cannot" grep -qE "^$method +cannot: " "$page"
    done
    expect "$name: its picture is of its scene and methods" shown "$folder/$name.svg" "$(basename "$scene")" "$methods"
    expect "$name: and small" test "$(wc -c <"$folder/$name.svg")" -le 100000
    expect "$name: its page shows it" grep -q "]($name.svg)" "$page"
    expect "$name: by this command" grep -qF -- "build/pliant compare scenes/$scene ${more:+$more }-o $name.svg" "$page"
done < <(rows)
expect "every method has a row" test "$(rows | cut -d'|' -f1 | grep -v ^compare | sort | tr '\n' ,)" = "$(tr , '\n' <<<"$every" | sort | tr '\n' ,)"
expect "every curve that is there has one" test "$(cd docs && ls -- *.svg methods/*.svg | sed 's/.*\///; s/\.svg$//' | sort | tr '\n' ' ')" = "$(rows | cut -d'|' -f1 | sort | tr '\n' ' ')"
[ "$PLIANT_REAL" = float ] || finish

# What the text reads from the curves. NAME | method | what | the text's number: what is the iteration that first comes to a share of R0, or a
# residual after an iteration.
said='
gauss_seidel|gauss_seidel|constraint 1|0.78
gauss_seidel|gauss_seidel|constraint 10|0.55
gauss_seidel|gauss_seidel|constraint 100|0.031
gauss_seidel|gauss_seidel|primal 1000|0.19
gauss_seidel|jacobi|constraint 100|0.48
gauss_seidel|gauss_seidel|to 1e-4|463
gauss_seidel|gauss_seidel:relaxation=1.5|to 1e-4|348
jacobi|jacobi|constraint 1|0.89
jacobi|gauss_seidel|constraint 1|1.02
jacobi|jacobi|constraint 100|0.77
jacobi|gauss_seidel|constraint 1000|0.20
jacobi|jacobi|constraint 1000|0.67
chebyshev|chebyshev|to 1e-1|48
chebyshev|gauss_seidel|to 1e-1|182
chebyshev|chebyshev|to 1e-2|559
chebyshev|chebyshev:base=jacobi|constraint 1000|0.013
chebyshev|jacobi|constraint 1000|0.20
hierarchical|hierarchical|constraint 1|0.93
hierarchical|gauss_seidel|to 0.9277|71
hierarchical|hierarchical:coarse_iterations=3|constraint 1|0.78
hierarchical|hierarchical:coarse_iterations=3|constraint 100|0.39
hierarchical|hierarchical|constraint 100|0.40
newton|gauss_seidel|constraint 1000|0.11
newton|newton|constraint 4|2.4e-4
newton|newton:gradients=predicted|constraint 8|0.05
newton|newton|primal 4|11
multigrid|multigrid|constraint 2|3e-5
compare|gauss_seidel|to 0.2045|71
'
while IFS='|' read -r name scene more; do
    limit=1000
    case $name in multigrid) limit=12 ;; hierarchical) limit=200 ;; esac
    [ "$name" = compare ] && more="$more --methods gauss_seidel"
    grep -q "^$name|" <<<"$said" || continue
    "$PLIANT_BINARY" compare "scenes/$scene" $more --iterations $limit --repeat 1 -q --json -o "$scratch/$name.csv" >/dev/null 2>&1
done < <(rows)
while IFS='|' read -r name method what number; do
    [ -n "$name" ] || continue
    page=docs/compare.md
    [ -e "docs/methods/$name.md" ] && page=docs/methods/$name.md
    found=$(awk -F, -v m="$method" -v what="$what" 'BEGIN { split(what, w, " ") }
        $1 == m && w[1] == "to" && $2 > 0 && $6 <= w[2] { print $2; exit }
        $1 == m && w[1] != "to" && $2 == w[2] { print w[1] == "constraint" ? $6 : $7; exit }' "$scratch/$name.csv")
    expect "$name: $method, $what: $number" python3 -c '
import decimal, sys
found, said = sys.argv[1:]
digits = len(decimal.Decimal(said).as_tuple().digits)
sys.exit(float("%.*g" % (digits, float(found))) != float(said))' "$found" "$number"
    expect "$name: the text has $number" grep -qE "(^|[^0-9.])${number//./\\.}([^0-9]|$)" <(grep -v '^ *|' "$page")
done <<<"$said"
finish
