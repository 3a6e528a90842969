#!/usr/bin/env bash
# Law: a new constraint is one file and one row, and so is a new interaction. In a copy of the tree, adds one of each and nothing else; then the tests
# that hold for every constraint of the table must cover it and pass, and the command must know it; and the interaction must act.
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
    [ "$(wc -l <"$scratch/changed")" -eq 4 ] && grep -q 'kinds: edge_squares.h' "$scratch/changed" && grep -q 'constraints.h differ' "$scratch/changed" &&
        grep -q 'step: magnets.c' "$scratch/changed" && grep -q 'interactions.h differ' "$scratch/changed"
}
expect "a file and a row were added for each" one_and_one

build=$scratch/build
# Without drawing, as where its headers are missing: it has nothing to do with constraints. Two lane widths, since all are one text.
configure() {
    cmake -S "$tree" -B "$build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 -DCMAKE_CXX_FLAGS=-O0 -DPLIANT_WERROR=ON -DPLIANT_SHARED_LIBRARIES=OFF \
        -DEPOXY_INCLUDE=OFF -DPLIANT_CHOLMOD=OFF -DPLIANT_ONLY_WIDTHS=4
}
expect "the tree configures" configure || finish
targets=(pliant_cli)
[ -f "$tree/tests/test_constraints.c" ] && targets+=(test_constraints)
expect "it builds without a warning" cmake --build "$build" -j 2 --target "${targets[@]}" || finish
if [ -f "$tree/tests/test_constraints.c" ]; then
    (cd "$build" && ./tests/test_constraints) >"$scratch/table.log" 2>&1
    status=$?
    if [ "$status" -eq 0 ]; then ok "the tests of the table hold for it"; else not_ok "the tests of the table hold for it"; tail -n 40 "$scratch/table.log"; fi
fi
listed() { "$build/pliant" info | grep -q edge_squares; }
expect "pliant info lists it" listed
echo '{"pliant": 1, "frames": 5, "bodies": [{"type": "particles", "name": "three",
  "particles": [{"x": [0, 0, 0], "mass": 1}, {"x": [1, 0, 0], "mass": 1}, {"x": [0, 1, 0], "mass": 1}],
  "constraints": [{"kind": "edge_squares", "ids": [0, 1, 2], "rest": 3}]}]}' >"$scratch/scene.json"
expect "a scene file can use it" "$build/pliant" run "$scratch/scene.json" --quiet
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
