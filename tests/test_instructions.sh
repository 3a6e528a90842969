#!/usr/bin/env bash
# Stepping takes no more instructions than it did, to 3 %: a guard against slower code that no noise can fool.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
[ -z "${PLIANT_SANITIZE:-}" ] || skip_all "a sanitizer adds instructions of its own"
[ "$PLIANT_REAL" = float ] || skip_all "the figures are of float32"
cd "$scratch" || exit 1

# A valgrind in front of the other one, which keeps what each call counted; gone through a second time, the calls are answered from there.
if VALGRIND=$(command -v valgrind); then
    mkdir bin counted
    export VALGRIND COUNTED=$scratch/counted
    cat >bin/valgrind <<'V'
#!/usr/bin/env bash
call=$COUNTED/$(($(cat "$COUNTED/calls" 2>/dev/null || echo 0) + 1))
echo "${call##*/}" >"$COUNTED/calls"
for word; do [[ $word != --callgrind-out-file=* ]] || out=${word#*=}; done
if [ ! -e "$call.out" ]; then
    "$VALGRIND" "$@" >"$call.said" || exit
    cp "$out" "$call.out"
fi
cp "$call.out" "$out"
cat "$call.said"
V
    chmod +x bin/valgrind
    PATH=$scratch/bin:$PATH
fi
"$PLIANT_SOURCE_DIR/bench/instructions.sh" "$PLIANT_BUILD_DIR" | tee out
status=${PIPESTATUS[0]}
[ "$status" -ne 77 ] || exit 77

# That it would notice: against figures a twentieth lower in a copy of what it reads.
mkdir -p copy/bench/results
cp "$PLIANT_SOURCE_DIR/bench/instructions.sh" copy/bench/
awk -F, -v OFS=, 'NR > 1 { $4 = $4 / 1.05 } 1' "$PLIANT_SOURCE_DIR/bench/results/instructions.csv" >copy/bench/results/instructions.csv
rm -f counted/calls
if copy/bench/instructions.sh "$PLIANT_BUILD_DIR" >slower 2>&1; then not_ok "5 % more are noticed"; else ok "5 % more are noticed"; fi
scenes=$(($(wc -l <copy/bench/results/instructions.csv) - 1))
[ "$(grep -c '^not ok' slower)" -eq "$scenes" ] || not_ok "of all $scenes scenes: $(head -n 3 slower)"
[ "$status" -eq 0 ] && finish
exit "$status"
