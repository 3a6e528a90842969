/* The cycle of the method multigrid and the conjugate gradients that it goes before: one text for displacements and multipliers. What levels do in
 * a cycle is in multigrid_levels.c and, of rows, in multigrid_multipliers.c. */
#include "methods/multigrid.h"
#include "solver/solver.h"
#include "solver/tasks.h"

#define DEGREE 2
#define SMOOTHED 8.0 /* the smoother works on the highest eighth of the spectrum's range and up */
#define VISITS 2     /* of a coarse level from the one below, but for level 1 */

/* ---- the cycle ---- */

/* A Chebyshev polynomial on [highest / SMOOTHED, highest] (Saad 2003, algorithm 12.1). `fresh`: x counts as 0. */
static void smooth(pliant_solver *s, pliant__mg_level *l, bool fresh)
{
    pliant__mg  *g = s->method_data;
    const double middle = (l->highest + l->highest / SMOOTHED) / 2, radius = (l->highest - l->highest / SMOOTHED) / 2,
                 sigma = middle / radius;
    double rho = 1 / sigma;
    for (uint32_t i = 0; i < DEGREE; i++) {
        const double next = 1 / (2 * sigma - rho);
        g->fresh = fresh && i == 0;
        g->before = i ? (pliant_real)(next * rho) : 0;
        g->now = i ? (pliant_real)(2 * next / radius) : (pliant_real)(1 / middle);
        if (!g->fresh) l->steps->find_residual(s, l);
        pliant__mg_run(s, l, l->steps->smooth);
        if (i) rho = next;
    }
}

/* On level `number`, l. */
static void cycle(pliant_solver *s, pliant__mg_level *l, uint32_t number)
{
    pliant__mg *g = s->method_data;
    if (number + 1 == g->levels && g->factor) {
        pliant__mg_solve_last(g);
        return;
    }
    smooth(s, l, true);
    for (uint32_t i = 0; i < (number ? VISITS : 1) && number + 1 < g->levels; i++) {
        l->steps->find_residual(s, l);
        l->steps->restrict_residual(g, l);
        cycle(s, &g->level[number + 1], number + 1);
        pliant__mg_run(s, l, l->steps->prolong);
        smooth(s, l, false);
    }
}

void pliant__mg_cycle(pliant_solver *s) { cycle(s, &((pliant__mg *)s->method_data)->level[0], 0); }

void pliant__mg_cycle_rows(pliant_solver *s) { cycle(s, &((pliant__mg *)s->method_data)->multipliers->rows, 0); }

/* ---- conjugate gradients ---- */

double pliant__mg_sum(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count, const double *partial)
{
    double sum = 0;
    pliant__run_light(s, task, count);
    for (uint32_t i = 0; i < count; i++) sum += partial[i];
    return sum;
}

/* Hestenes, Stiefel 1952, with a preconditioner. Whenever it stops, what it has found goes downhill. */
void pliant__mg_conjugate_gradients(pliant_solver *s, pliant__mg_level *l, const pliant__mg_space *space)
{
    pliant__mg *g = s->method_data;
    double      before = 0, begin = 0, bad = 1;
    g->stale = false;
    for (uint32_t i = 0; i < s->method.cycles; i++) {
        cycle(s, l, 0);
        const double along = space->along_residual(s);
        if (!i) begin = along;
        if (!(along > space->solved * begin)) return; /* numbers have no more digits; or there is nothing to do */
        g->stale = along >= bad * begin;
        bad *= PLIANT__MG_BAD;
        g->before = i ? (pliant_real)(along / before) : 0;
        before = along;
        pliant__mg_run(s, l, space->turn);
        space->multiply(s);
        const double curvature = space->curvature(s);
        if (!(curvature > 0)) return;
        g->now = (pliant_real)(along / curvature);
        pliant__mg_run(s, l, space->advance);
    }
}
