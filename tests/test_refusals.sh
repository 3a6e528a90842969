#!/usr/bin/env bash
# Law: a method takes a scene, or says at load why not: exit 2, or 6 where a part of Pliant is missing that could; one line that begins with the
# command's name, and nothing written.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
[ -x "$PLIANT_BINARY" ] || { not_ok "$PLIANT_BINARY is there"; finish; }

methods=(gauss_seidel jacobi jacobi:averaging=classic chebyshev chebyshev:base=jacobi hierarchical multigrid newton newton:gradients=predicted
    newton:gradients=implicit)
# Sparse factors, which newton takes for nets, are left out: tests/test_cholmod.c has them.
export PLIANT_LINEAR=none
# Refusals of a run: methods that cannot take a scene.
ends() { # METHOD SCENE
    case "$1:$2" in
    newton*:balloons | multigrid*:balloons | newton*:cushion | multigrid*:cushion) echo 2 ;;
    newton*:can | multigrid*:can | hierarchical*:can) echo 2 ;;
    gauss_seidel:seam | gauss_seidel:shirt | hierarchical*:seam | hierarchical*:shirt) echo 0 ;;
    *:seam | *:shirt) echo 2 ;;
    gauss_seidel:let_fly | gauss_seidel:tyre | hierarchical*:let_fly | hierarchical*:tyre) echo 0 ;;
    *:let_fly | *:tyre) echo 2 ;;
    gauss_seidel:torn_flag) echo 0 ;;
    gauss_seidel:tray | gauss_seidel:steak) echo 0 ;;
    *:torn_flag | *:tray | *:steak) echo 2 ;;
    newton*:rabbits | multigrid*:rabbits | chebyshev*:rabbits) echo 2 ;;
    chebyshev:demo | chebyshev:jellies | chebyshev:jelly | chebyshev:rubbers | chebyshev:stack | chebyshev:terrain | chebyshev:tower) echo 2 ;; # elastic solids
    newton:swing) echo 2 ;;
    newton*:swing | newton*:catenary | newton*:chain) echo 0 ;;
    newton*:curtain | newton*:net | newton*:skirt | newton*:torture) echo 2 ;;
    newton*) echo 6 ;;
    jacobi:averaging=classic:rabbits | jacobi:averaging=classic:catenary | jacobi:averaging=classic:chain | jacobi:averaging=classic:swing) echo 0 ;;
    jacobi:averaging=classic:* | chebyshev*:torture | multigrid:torture) echo 2 ;;
    *) echo 0 ;;
    esac
}

# What a method cannot take is tried of all scenes; of what is taken, or misses a part, a seventh in turn, and all with PLIANT_LONG=1: test_methods.c asks
# all methods of all scenes without the command. 7 and the number of methods share no factor, so that each method has its turn.
turn=0
for scene in "$PLIANT_SOURCE_DIR"/scenes/*.json; do
    name=$(basename "$scene" .json) wrong=() tried=0
    for method in "${methods[@]}"; do
        turn=$((turn + 1))
        [ "$(ends "$method" "$name")" -eq 2 ] || [ $((turn % 7)) -eq 0 ] || [ -n "${PLIANT_LONG:-}" ] || continue
        tried=$((tried + 1))
        rm -rf "$scratch/out.csv"
        "$PLIANT_BINARY" run "$scene" --frames 1 -q --method "$method" -o "$scratch/out.csv" >"$scratch/out" 2>"$scratch/err"
        status=$?
        expected=$(ends "$method" "$name")
        if [ "$expected" -ne 0 ]; then
            [ "$status" -eq "$expected" ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] && grep -q '^pliant: ' "$scratch/err" && [ ! -s "$scratch/out" ] &&
                [ ! -e "$scratch/out.csv" ] || wrong+=("$method should be refused with $expected: exit $status, $(head -n 2 "$scratch/err")")
        else
            [ "$status" -eq 0 ] && [ -s "$scratch/out.csv" ] || wrong+=("$method should be taken: exit $status, $(head -n 2 "$scratch/err")")
        fi
    done
    if [ ${#wrong[@]} -eq 0 ]; then
        ok "$name: $tried methods take it or say why not"
    else
        not_ok "$name"
        printf '    %s\n' "${wrong[@]}"
    fi
done

# Said by the scene itself, a method that does not take it is refused with the file and the line that says it, by every verb that would solve it.
cd "$scratch" || exit 1
for name in torture curtain flag; do
    wrong=() count=0
    for method in "${methods[@]}"; do
        expected=$(ends "$method" "$name")
        [ "$expected" -ne 0 ] || continue
        line=$(python3 - "$PLIANT_SOURCE_DIR/scenes/$name.json" "$method" 2>&1 <<'P'
import json, sys
scene = json.load(open(sys.argv[1]))
name, *settings = sys.argv[2].split(":")
scene["solver"] = {"substeps": 4, "iterations": 1, "method": name, **dict(s.split("=") for s in settings)}
text = json.dumps(scene, indent=1)
open("own.json", "w").write(text)
print(1 + [l.strip().startswith('"method"') for l in text.splitlines()].index(True))
P
)
        for verb in "check own.json" "run -q own.json" "cook -q own.json -o own.pliant" "record -q own.json -o own.rec" "render -q own.json -o own.png" \
            "bench --scene own.json"; do
            # shellcheck disable=SC2086
            "$PLIANT_BINARY" $verb >out 2>err
            status=$?
            if [[ $verb = render* ]] && grep -q 'built without\|no OpenGL\|EGL' err; then continue; fi
            count=$((count + 1))
            [ "$status" -eq "$expected" ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^own.json:$line: " err ||
                wrong+=("$method: ${verb%% *}: exit $status, not $expected at line $line: $(head -n 2 err)")
        done
    done
    if [ ${#wrong[@]} -eq 0 ] && [ $count -gt 0 ]; then
        ok "$name: what its own method refuses is said with its line, $count times"
    else
        not_ok "$name: the line of the method"
        printf '    %s\n' "${wrong[@]}"
    fi
done
finish
