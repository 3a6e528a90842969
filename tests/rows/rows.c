/* What bounds rows of one kind: rows of a shuffled mesh in lanes as a sweep takes them, their loads and stores without arithmetic, their arithmetic without an
 * index, and multiplications and additions that wait for nothing. Takes turns, and prints of each the least and the median in ns per row; of the last, per
 * vector operation. bench/rows.sh compiles it, once for each kind. */
#include "constraints/project.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
/* clang-format off */
#include TEXT(constraints/kinds/KIND.h)
/* clang-format on */
#include "backends/kind_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* 32 blocks: what they read lies in the second cache at most. */
enum { BLOCKS = 32, PARTICLES = BLOCKS * PLIANT__BLOCK * SLOTS, PASSES = 4, ROUNDS = 4001, LOOSE = 2000 };

static pliant_real at_start[PARTICLES * 4], x[PARTICLES * 4] __attribute__((aligned(64))); /* x y z w of each particle, m and 1/kg */
static pliant_real side[PARTICLES * 4] __attribute__((aligned(64)));                       /* the same, slot by slot in lanes */
static pliant_real shapes[BLOCKS * PLIANT__BLOCK * PARAMETERS] __attribute__((aligned(64)));
static uint16_t    places[PARTICLES];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint32_t next(void)
{
    static uint64_t seed = 12345;
    seed = (seed * 48271) % 2147483647;
    return (uint32_t)seed;
}

static const uint16_t *slots_of(uint32_t block, uint32_t slot) { return places + (block * SLOTS + slot) * PLIANT__BLOCK; }

/* Elements of one shape, each pushed out of it by up to 2.5 %, with their particles in no order. */
static void fill(void)
{
    static const rest_vec corner[4] = {{0, 0, 0}, {1, 0, 0}, {0.3, 1, 0}, {0.2, 0.3, 1}};
    double                rest[PARAMETERS_ROOM];
    for (uint32_t i = 0; i < PARTICLES; i++) places[i] = (uint16_t)(i * PLIANT__NUMBER);
    for (uint32_t i = PARTICLES; i-- > 1;) {
        const uint32_t other = next() % (i + 1);
        const uint16_t kept = places[i];
        places[i] = places[other];
        places[other] = kept;
    }
    OF_KIND_(KIND, _rest)(corner, rest);
    for (uint32_t i = 0; i < BLOCKS * PARAMETERS * PLIANT__BLOCK; i++) shapes[i] = (pliant_real)rest[i / PLIANT__BLOCK % PARAMETERS];
    for (uint32_t i = 0; i < PARTICLES; i++) {
        const uint32_t group = i / PLIANT__BLOCK, lane_of = i % PLIANT__BLOCK;
        const rest_vec c = corner[group % SLOTS];
        const double   from[4] = {c.x, c.y, c.z, 1};
        for (uint32_t d = 0; d < 4; d++) {
            const pliant_real v = (pliant_real)(from[d] + (d < 3 ? 0.05 * (next() / 2147483647.0 - 0.5) : 0));
            at_start[places[i] / PLIANT__NUMBER * 4 + d] = side[(group * 4 + d) * PLIANT__BLOCK + lane_of] = v;
        }
    }
}

__attribute__((noinline)) static void whole(const rows_of *of, const pliant__model_law *given)
{
    static const uint8_t in_order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const vlaw           law = plain_law(of->alpha, of->stiffness, of->ease);
    for (uint32_t row = 0; row < BLOCKS * PLIANT__BLOCK; row += W)
        move_plain_rows(x, of, given, law, row, (vrows){true, 0, EVERY_LANE}, SLOTS, in_order, 0, true, false, NULL);
}

__attribute__((noinline)) static void moved_only(const rows_of *of)
{
    for (uint32_t row = 0; row < BLOCKS * PLIANT__BLOCK; row += W) {
        const uint32_t block = row / PLIANT__BLOCK, part = row % PLIANT__BLOCK;
        vvec           at[SLOTS];
        vreal          w[SLOTS], parameter[PARAMETERS_ROOM], sum = vsplat(0);
        load_parameters(of->parameter + block * of->step + part, parameter);
        UNROLL
        for (int i = 0; i < PARAMETERS; i++) sum = sum + parameter[i];
        UNROLL
        for (uint32_t s = 0; s < SLOTS; s++) load_slots(x, (vslots){slots_of(block, s) + part, NULL, NULL}, &at[s], &w[s]);
        UNROLL
        for (uint32_t s = 0; s < SLOTS; s++) {
            at[s].x = at[s].x + sum * w[s]; /* so that parameters are read */
            store_slots_here(x, (vslots){slots_of(block, s) + part, NULL, NULL}, EVERY_LANE, at[s], w[s]);
        }
    }
}

__attribute__((noinline)) static void arithmetic_only(const rows_of *of, const pliant__model_law *given)
{
    const vlaw law = plain_law(of->alpha, of->stiffness, of->ease);
    for (uint32_t row = 0; row < BLOCKS * PLIANT__BLOCK; row += W) {
        const uint32_t block = row / PLIANT__BLOCK, part = row % PLIANT__BLOCK;
        vvec           at[SLOTS], gradient[ROWS * SLOTS];
        vreal          w[SLOTS], parameter[PARAMETERS_ROOM], lambda[ROWS], change[ROWS];
        load_parameters(of->parameter + block * of->step + part, parameter);
        load_numbers(given, 0, NULL, parameter);
        UNROLL
        for (uint32_t s = 0; s < SLOTS; s++) {
            at[s] = load_place(side + (block * SLOTS + s) * 4 * PLIANT__BLOCK + part);
            w[s] = mass_at(side + (block * SLOTS + s) * 4 * PLIANT__BLOCK + part);
        }
        UNROLL
        for (uint32_t r = 0; r < ROWS; r++) lambda[r] = vsplat(0);
        plain_changes(at, w, parameter, true, law, lambda, gradient, change);
        UNROLL
        for (uint32_t s = 0; s < SLOTS; s++)
            store_place(side + (block * SLOTS + s) * 4 * PLIANT__BLOCK + part, true, EVERY_LANE,
                        moved_by_rows(s, at[s], w[s], gradient, change));
    }
}

/* Six chains of multiplications and six of additions; returns something that depends on all. */
__attribute__((noinline)) static pliant_real loose(pliant_real one, pliant_real none)
{
    vreal       a[6], b[6], sum = vsplat(0);
    const vreal by = vsplat(one), and = vsplat(none);
    UNROLL
    for (int i = 0; i < 6; i++) a[i] = b[i] = vsplat((pliant_real)i);
    for (int k = 0; k < LOOSE; k++) {
        UNROLL
        for (int i = 0; i < 6; i++) a[i] = a[i] * by, b[i] = b[i] + and;
    }
    UNROLL
    for (int i = 0; i < 6; i++) sum = sum + a[i] + b[i];
    return lane(sum, 0);
}

static int ascending(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

int main(void)
{
    static const char *const names[4] = {"rows", "loads and stores", "arithmetic", "an operation"};
    static double            taken[4][ROUNDS];
    pliant__model_law        given = {0};
    const rows_of            of = {places, NULL, shapes, PARAMETERS * PLIANT__BLOCK, K(1e-3), K(1), K(1), NULL, true};
    volatile pliant_real     one = 1, none = 0, result = 0;
    for (uint32_t i = 0; i < sizeof given.number / sizeof *given.number; i++) given.number[i] = K(0.3);
    fill();
    for (int r = 0; r < ROUNDS; r++) {
        double t[5];
        memcpy(x, at_start, sizeof x);
        t[0] = now();
        for (int i = 0; i < PASSES; i++) whole(&of, &given);
        t[1] = now();
        for (int i = 0; i < PASSES; i++) moved_only(&of);
        t[2] = now();
        for (int i = 0; i < PASSES; i++) arithmetic_only(&of, &given);
        t[3] = now();
        result = result + loose(one, none);
        t[4] = now();
        for (int i = 0; i < 4; i++) taken[i][r] = (t[i + 1] - t[i]) / (i < 3 ? PASSES * BLOCKS * PLIANT__BLOCK : 12 * LOOSE);
    }
    printf("%-16s", TEXT(KIND));
    for (int i = 0; i < 4; i++) {
        qsort(taken[i], ROUNDS, sizeof *taken[i], ascending);
        printf("  %s %.*f, %.*f", names[i], i < 3 ? 2 : 3, taken[i][0], i < 3 ? 2 : 3, taken[i][ROUNDS / 2]);
    }
    printf("\n");
    return !(result <= 0) && !(result > 0); /* no number: something is wrong */
}
