#!/usr/bin/env bash
# Law: a new constraint is one file and one row, and so is a new interaction. In a copy of the tree, adds three constraints and an interaction and nothing
# else; then the tests that hold for every constraint of the table must cover them and pass, and the command must know them; and the interaction must act.
# Two of the constraints have as many particles as the table allows, and one of these as many parameters, which a text of its shape at rest gives, and a
# number of its law.
. "$(dirname "$0")/shell.sh"
[ "$PLIANT_REAL" = float ] || skip_all "once is enough"
tree=$scratch/tree
mkdir "$tree"
tar -C "$PLIANT_SOURCE_DIR" --exclude=./build --exclude='./build-*' --exclude=./.git --exclude=./demo -cf - . | tar -C "$tree" -xf -
cp -r "$tree" "$scratch/before"

cat >"$tree/src/constraints/kinds/edge_squares.h" <<'C'
/* Half the sum of a triangle's squared edges.
 *
 * C = (|x0 - x1|^2 + |x1 - x2|^2 + |x2 - x0|^2) / 2 - rest; grad_i C = 3 (x_i - centroid) = 2 x_i - x_j - x_k. */
KERNEL void edge_squares_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    vvec a = vsub(x[0], x[1]), b = vsub(x[1], x[2]), c = vsub(x[2], x[0]);
    gradient[0] = vsub(a, c);
    gradient[1] = vsub(b, a);
    gradient[2] = vsub(c, b);
    C[0] = (vdot(a, a) + vdot(b, b) + vdot(c, c)) * K(0.5) - parameter[0];
}
C
cat >"$tree/src/constraints/kinds/chords.h" <<'C'
/* Half the sum of the squares of four chords.
 *
 * C = (|x0 - x4|^2 + |x1 - x5|^2 + |x2 - x6|^2 + |x3 - x7|^2) / 2 - rest; grad_i C = x_i - x_(i + 4), and its negative at the other end. */
KERNEL void chords_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    vreal sum = vsplat(0);
    UNROLL
    for (uint32_t i = 0; i < 4; i++) {
        gradient[i] = vsub(x[i], x[i + 4]);
        gradient[i + 4] = vneg(gradient[i]);
        sum = sum + vdot(gradient[i], gradient[i]);
    }
    C[0] = sum * K(0.5) - parameter[0];
}
C
cat >"$tree/src/constraints/kinds/centres.h" <<'C'
/* The centres of four particles, and of four others, at a distance, and the last of both at one of their own: two rows.
 *
 * With A = (x0 + a1 x1 + a2 x2 + a3 x3) / a, a = 1 + a1 + a2 + a3, and B likewise of x4 to x7: C0 = (|A - B| - rest) strength, C1 = |x3 - x7| - span. At rest the
 * weight of a particle is how far it is from the first one, over how far the second one is. */
#include "constraints/rest.h"

KERNEL vvec centre_of(const vvec *x, const vreal *weight, vreal *inverse)
{
    vvec sum = x[0];
    UNROLL
    for (uint32_t i = 1; i < 4; i++) sum = vadd(sum, vscale(x[i], weight[i - 1]));
    *inverse = vinverse(K(1) + weight[0] + weight[1] + weight[2]);
    return vscale(sum, *inverse);
}

KERNEL void centres_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    vreal       a, b;
    const vvec  d = vsub(centre_of(x, parameter + 2, &a), centre_of(x + 4, parameter + 5, &b)), e = vsub(x[3], x[7]);
    const vreal length = vlength(d), span = vlength(e), zero = vsplat(0);
    const vreal strength = parameter[8]; /* the law's */
    const vvec  n = vscale(d, vinverse(length) * strength);
    C[0] = (length - parameter[0]) * strength;
    C[1] = span - parameter[1];
    gradient[0] = vscale(n, a);
    gradient[4] = vscale(n, -b);
    UNROLL
    for (uint32_t i = 1; i < 4; i++) {
        gradient[i] = vscale(gradient[0], parameter[1 + i]);
        gradient[4 + i] = vscale(gradient[4], parameter[4 + i]);
    }
    UNROLL
    for (uint32_t i = 0; i < 8; i++) gradient[8 + i] = vvec_of(zero, zero, zero);
    gradient[8 + 3] = vscale(e, vinverse(span));
    gradient[8 + 7] = vneg(gradient[8 + 3]);
}

static inline bool centres_rest(const rest_vec *x, double *parameter)
{
    rest_vec centre[2];
    for (int side = 0; side < 2; side++) {
        const rest_vec *y = x + 4 * side;
        const double    unit = rest_length(rest_from(y[0], y[1]));
        double         *weight = parameter + 2 + 3 * side, sum = 1;
        if (!(unit > 0)) return false;
        centre[side] = y[0];
        for (int i = 1; i < 4; i++) {
            weight[i - 1] = rest_length(rest_from(y[0], y[i])) / unit;
            centre[side] = rest_along(centre[side], y[i], weight[i - 1]);
            sum += weight[i - 1];
        }
        centre[side] = rest_along((rest_vec){0, 0, 0}, centre[side], 1 / sum);
    }
    parameter[0] = rest_length(rest_from(centre[0], centre[1]));
    parameter[1] = rest_length(rest_from(x[3], x[7]));
    return true;
}
#define KIND_REST
C
weights=
for name in a1 a2 a3 b1 b2 b3; do weights+=", PLIANT_P(\"$name\", \"1\", \"weight of a particle\", 0, 100)"; done
sed -i '/^ *X(DISTANCE, distance,/i\
    X(CHORDS, chords, 8, 1, 1, PLIANT_P1(PLIANT_P("rest", "m^2", "rest value", 0, 1e12)), PLIANT_EQUAL, PLIANT_ROW_MEASURED, "m^2", "C = sum of squared chords / 2 - rest", "a test") \\\
    X(CENTRES, centres, 8, 2, 8, PLIANT_PN(PLIANT_P("rest", "m", "distance of the centres", 0, 10), PLIANT_P("span", "m", "distance of the last two", 0, 10)'"$weights"', PLIANT_L("strength", "1", "factor of the first row", 0.5, 2, 1)), PLIANT_EQUAL, PLIANT_ROW_SHAPED, "m", "C = (|A - B| - rest, |x3 - x7| - span)", "a test") \\' \
    "$tree/include/pliant/constraints.h"
sed -i '/^ *X(DISTANCE, distance,/i\
    X(EDGE_SQUARES, edge_squares, 3, 1, 1, PLIANT_P1(PLIANT_P("rest", "m^2", "rest value", 0, 1e12)), PLIANT_EQUAL, PLIANT_ROW_MEASURED, "m^2", "C = sum of squared edges / 2 - rest", "a test") \\' \
    "$tree/include/pliant/constraints.h"
# A toy: where the environment asks for it, the first two particles pull each other nearer by a hundredth of their distance in each sweep. It counts its
# sweeps in memory of its own.
cat >"$tree/src/step/magnets.c" <<'C'
#include "base/alloc.h"
#include "solver/solver.h"

#include <stdlib.h>

struct pliant__magnets {
    uint64_t sweeps;
};

static bool create(pliant_solver *s) { return (s->magnets = pliant__alloc(&s->allocator, sizeof *s->magnets)) != NULL; }
static void destroy(pliant_solver *s) { pliant__free(&s->allocator, s->magnets); }
static bool wanted(const pliant_solver *s) { return s->model->header->particle_count > 1 && getenv("PLIANT_MAGNETS"); }

static void project(pliant_solver *s, bool first)
{
    const pliant_vec3 way = v3_scale(v3_sub(pliant__slot_x(s->state->x, 1), pliant__slot_x(s->state->x, 0)), K(0.005));
    s->magnets->sweeps += first;
    pliant__set_slot_x(s->state->x, 0, v3_add(pliant__slot_x(s->state->x, 0), way));
    pliant__set_slot_x(s->state->x, 1, v3_sub(pliant__slot_x(s->state->x, 1), way));
}

const pliant__interaction pliant__interaction_magnets = {.create = create, .destroy = destroy, .wanted = wanted, .project = project};
C
sed -i '/^ *X(USERS, users,/i\
    X(MAGNETS, magnets, "two particles that pull each other") \\' "$tree/src/solver/interactions.h"
one_and_one() {
    diff -rq "$scratch/before" "$tree" | sed "s|$scratch||g" >"$scratch/changed"
    cat "$scratch/changed"
    [ "$(wc -l <"$scratch/changed")" -eq 6 ] && grep -q 'kinds: edge_squares.h' "$scratch/changed" && grep -q 'kinds: chords.h' "$scratch/changed" &&
        grep -q 'kinds: centres.h' "$scratch/changed" && grep -q 'constraints.h differ' "$scratch/changed" &&
        grep -q 'step: magnets.c' "$scratch/changed" && grep -q 'interactions.h differ' "$scratch/changed"
}
expect "a file and a row were added for each" one_and_one

build=$scratch/build
# Without drawing, as where its headers are missing: it has nothing to do with constraints. Two lane widths, since all are one text.
configure() {
    cmake -S "$tree" -B "$build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 -DCMAKE_CXX_FLAGS=-O0 -DPLIANT_WERROR=ON -DPLIANT_SHARED_LIBRARIES=OFF \
        -DEPOXY_INCLUDE=OFF -DPLIANT_ONLY_WIDTHS=4
}
expect "the tree configures" configure || finish
targets=(pliant_cli)
[ -f "$tree/tests/test_constraints.c" ] && targets+=(test_constraints test_energy_rows test_cholmod)
expect "it builds without a warning" cmake --build "$build" -j 2 --target "${targets[@]}" || finish
if [ -f "$tree/tests/test_constraints.c" ]; then
    (cd "$build" && ./tests/test_constraints) >"$scratch/table.log" 2>&1
    status=$?
    if [ "$status" -eq 0 ]; then ok "the tests of the table hold for it"; else not_ok "the tests of the table hold for it"; tail -n 40 "$scratch/table.log"; fi
    expect "their energy is what their forces say" "$build/tests/test_energy_rows"
    expect "newton's systems take them" "$build/tests/test_cholmod"
fi
listed() { for kind in edge_squares chords centres; do "$build/pliant" info | grep -q "$kind" || return 1; done; }
expect "pliant info lists it" listed
echo '{"pliant": 1, "frames": 5, "bodies": [{"type": "particles", "name": "three",
  "particles": [{"x": [0, 0, 0], "mass": 1}, {"x": [1, 0, 0], "mass": 1}, {"x": [0, 1, 0], "mass": 1}],
  "constraints": [{"kind": "edge_squares", "ids": [0, 1, 2], "rest": 3}]}]}' >"$scratch/scene.json"
expect "a scene file can use it" "$build/pliant" run "$scratch/scene.json" --quiet
# Parameters of a shape at rest are measured of it, and C is 0 there.
corners='[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0.5], [0, 0, 2], [1.5, 0, 2], [0, 1, 2.5], [1, 1, 3]]'
rests() {
    "$build/pliant" eval centres <<<"{\"x\": $corners, \"at_rest\": $corners, \"w\": [1, 1, 1, 1, 1, 1, 1, 1], \"dt\": 0.01}" >"$scratch/case" && cat "$scratch/case" &&
        sed -E 's/^\{"C": \[([^,]*), ([^]]*)\].*/\1 \2/' "$scratch/case" | awk '{ exit !($1 * $1 < 1e-12 && $2 * $2 < 1e-12) }'
}
expect "a shape at rest has the parameters of its text" rests
# A number of a law is a key of the constraint; where it is not said, it is as usual.
scene_with() { # KEYS
    echo '{"pliant": 1, "frames": 3, "solver": {"gravity": [0, 0, 0]}, "bodies": [{"type": "particles", "name": "eight", "particles": ['"$(
        sed -E 's/\], \[/], "mass": 1}, {"x": [/g; s/^\[\[/{"x": [/; s/\]\]$/], "mass": 1}/' <<<"$corners")"'], "constraints": [
        {"kind": "centres", "ids": [0, 1, 2, 3, 4, 5, 6, 7], "rest": 1, "span": 2, "a1": 1, "a2": 2, "a3": 0.5, "b1": 1, "b2": 1, "b3": 1, "compliance": 1e-3'"$1"'}]}]}' >"$scratch/eight.json"
}
ends_as() { scene_with "$1" && "$build/pliant" run "$scratch/eight.json" --quiet --force -o "$scratch/eight.csv" && cat "$scratch/eight.csv"; }
said_as_usual() { ends_as '' >"$scratch/unsaid" && ends_as ', "strength": 1' >"$scratch/usual" && cmp "$scratch/unsaid" "$scratch/usual"; }
said_otherwise() { ends_as ', "strength": 2' >"$scratch/other" && ! cmp -s "$scratch/unsaid" "$scratch/other"; }
refused() { scene_with ', "strength": 3' && ! "$build/pliant" check "$scratch/eight.json" 2>"$scratch/err" && cat "$scratch/err" && grep -q 'strength: 3 is out of range: must be at least 0.5 and at most 2' "$scratch/err"; }
expect "a law has its usual number where none is said" said_as_usual
expect "and another one where a scene file says so" said_otherwise
expect "within its bounds" refused
# All over a sheet, in its lanes and between its patches; without lanes, on two threads and by each method.
net() { # METHOD
    awk -v method="$1" 'BEGIN {
        n = 33
        printf "{\"pliant\": 1, \"frames\": 2, \"solver\": {\"method\": \"%s\", \"substeps\": 3, \"iterations\": 2}, \"bodies\": [{\"type\": \"cloth\", ", method
        printf "\"cells\": [%d, %d], \"size\": [2, 2], \"bend\": \"distance\", \"material\": \"cotton\", \"pins\": [{\"side\": \"-x\"}], \"constraints\": [", n - 1, n - 1
        for (j = 0; j < n - 2; j++)
            for (i = 0; i < n - 4; i++) {
                at = j * n + i
                printf "%s{\"kind\": \"%s\"", (at ? ", " : ""), (at % 7 ? "chords" : "centres")
                if (at % 7) printf ", \"compliance\": %s", (at % 3 ? "1e-6" : "0")
                printf ", \"ids\": [%d, %d, %d, %d, ", at, at + 1, at + 2, at + 3
                at += 2 * n
                printf "%d, %d, %d, %d]}", at, at + 1, at + 2, at + 3
            }
        print "]}]}"
    }'
}
hash_of() { PLIANT_WIDTH=$1 "$build/pliant" run "$scratch/net.json" --json --quiet --threads "$2" | tail -n 1 | sed -E 's/.*"hash": "([0-9a-f]+)".*"diverged": false.*/\1/'; }
moves_alike() { # METHOD
    net "$1" >"$scratch/net.json" && hash_of 1 1 >"$scratch/scalar" && hash_of 4 2 >"$scratch/wide" && cat "$scratch/scalar" "$scratch/wide" &&
        grep -qxE '[0-9a-f]{16}' "$scratch/scalar" && cmp "$scratch/scalar" "$scratch/wide"
}
methods=(gauss_seidel jacobi chebyshev hierarchical multigrid)
"$build/pliant" info | grep -qF 'sparse factors (CHOLMOD): yes' && methods+=(newton)
for method in "${methods[@]}"; do
    expect "$method moves them alike, wide and on two threads" moves_alike "$method"
done
# Without gravity two particles a metre apart stay there, but for the magnets.
echo '{"pliant": 1, "frames": 30, "solver": {"gravity": [0, 0, 0]}, "bodies": [{"type": "particles", "name": "two",
  "particles": [{"x": [0, 0, 0], "mass": 1}, {"x": [1, 0, 0], "mass": 1}]}]}' >"$scratch/two.json"
where() { "$1" run "$scratch/two.json" --quiet --force -o "$scratch/two.csv" && tail -n 1 "$scratch/two.csv"; }
they_meet() {
    PLIANT_MAGNETS=1 where "$build/pliant" >"$scratch/with" && PLIANT_MAGNETS=1 where "$PLIANT_BINARY" >"$scratch/without" &&
        where "$build/pliant" >"$scratch/unasked" && cat "$scratch/with" "$scratch/without" && ! cmp -s "$scratch/with" "$scratch/without"
}
expect "the interaction acts where it is wanted" they_meet
expect "and nowhere else" cmp "$scratch/without" "$scratch/unasked"
expect "the rooms are still in order" python3 "$tree/tools/check_rooms.py"
finish
