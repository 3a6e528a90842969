#!/usr/bin/env bash
# Law: a method takes a scene, or says at load why not: exit 2, one line that begins with the command's name, and nothing written.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
[ -x "$PLIANT_BINARY" ] || { not_ok "$PLIANT_BINARY is there"; finish; }

methods=(gauss_seidel jacobi jacobi:averaging=classic chebyshev chebyshev:base=jacobi hierarchical multigrid newton newton:gradients=predicted
    newton:gradients=implicit)
# Who cannot take what; everything else is taken.
refused() { # METHOD SCENE
    case "$1:$2" in
    newton:gradients=*:swing) false ;;
    jacobi:averaging=classic:catenary | jacobi:averaging=classic:chain | jacobi:averaging=classic:swing) false ;;
    newton:catenary | newton:chain | newton:gradients=*:catenary | newton:gradients=*:chain) false ;;
    jacobi:averaging=classic:* | newton*) true ;;
    chebyshev*:torture | multigrid:torture) true ;;
    *) false ;;
    esac
}

for scene in "$PLIANT_SOURCE_DIR"/scenes/*.json; do
    name=$(basename "$scene" .json) wrong=()
    for method in "${methods[@]}"; do
        rm -rf "$scratch/out.csv"
        "$PLIANT_BINARY" run "$scene" --frames 1 -q --method "$method" -o "$scratch/out.csv" >"$scratch/out" 2>"$scratch/err"
        status=$?
        if refused "$method" "$name"; then
            [ "$status" -eq 2 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] && grep -q '^pliant: ' "$scratch/err" && [ ! -s "$scratch/out" ] &&
                [ ! -e "$scratch/out.csv" ] || wrong+=("$method should be refused: exit $status, $(head -n 2 "$scratch/err")")
        else
            [ "$status" -eq 0 ] && [ -s "$scratch/out.csv" ] || wrong+=("$method should be taken: exit $status, $(head -n 2 "$scratch/err")")
        fi
    done
    if [ ${#wrong[@]} -eq 0 ]; then
        ok "$name: ${#methods[@]} methods take it or say why not"
    else
        not_ok "$name"
        printf '    %s\n' "${wrong[@]}"
    fi
done
finish
