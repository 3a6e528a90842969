#!/usr/bin/env bash
# Measures the curves of docs/compare.md and docs/methods/: make curves, or tools/curves.sh [NAME...]
# Pictures go to docs/, what pliant compare says of them to build/curves/NAME.txt; the tables in the pages are from there.
set -u
cd "$(dirname "$0")/.." || exit 1

# name | scene, in scenes/ | more switches. A row of a method is docs/methods/NAME.svg, of others docs/NAME.svg; tests/test_curves.sh checks
# that the page has the picture and the very command.
table='
compare|beams.json|--substeps 1
compare-chains|catenary.json|--frame 20 --substeps 2
gauss_seidel|curtain.json|--methods gauss_seidel,gauss_seidel:relaxation=1.5,jacobi
jacobi|lessons/substeps.json|--substeps 1 --methods gauss_seidel,jacobi,jacobi:relaxation=1.5,jacobi:averaging=classic
chebyshev|beams.json|--substeps 1 --methods gauss_seidel,chebyshev,jacobi,chebyshev:base=jacobi
hierarchical|lessons/sweeps.json|--frame 30 --methods gauss_seidel,hierarchical,hierarchical:coarse_iterations=3
newton|catenary.json|--frame 20 --substeps 2 --methods gauss_seidel,newton,newton:gradients=predicted,newton:gradients=implicit
multigrid|beams.json|--substeps 1 --methods gauss_seidel,chebyshev,multigrid
'

wanted=" $* "
pliant=${PLIANT_BINARY:-build/pliant}
made=build/curves
mkdir -p "$made"
failed=0
while IFS='|' read -r name scene more; do
    [ -n "$name" ] && [[ $wanted = "  " || $wanted = *" $name "* ]] || continue
    folder=docs
    [ ! -e "docs/methods/$name.md" ] || folder=docs/methods
    # shellcheck disable=SC2086 # the last column is several words
    "$pliant" compare "scenes/$scene" $more -o "$folder/$name.svg" >"$made/$name.txt" 2>"$made/$name.log" ||
        { failed=1 && tail -n 1 "$made/$name.log" >&2 && continue; }
    echo "$folder/$name.svg $(($(wc -c <"$folder/$name.svg") / 1024)) KB"
done <<<"$table"
exit $failed
