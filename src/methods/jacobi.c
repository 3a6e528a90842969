/* Jacobi: all constraints from the same positions, so no order biases the result.
 *
 * Taken as they are, corrections overshoot where many constraints touch a particle. Two ways to make them one:
 *
 * row       Each row is solved as if each of its particles had been split into as many as there are rows that touch it (mass splitting, Tonge
 *           2012): dlambda_j = omega k (-C_j - alpha~ lambda_j) / (sum_i n_i w_i |grad_i C_j|^2 + alpha~), and x_i moves by the sum of
 *           w_i grad_i C_j dlambda_j. Momentum is kept, since each row's impulse is, and lambda means what it does in Gauss-Seidel. By
 *           Cauchy and Schwarz lambda^T J W J^T lambda <= sum_j lambda_j^2 sum_i n_i w_i |grad_i C_j|^2, so with omega <= 1 no error grows.
 * classic   x = (omega_0 x + sum of x_e) / (omega_0 + n) with omega_0 = 0.2, where x_e is where constraint e wants x, all masses being
 *           equal; pins are held back when x is written. Linear momentum is lost where neighbours have different n. What published teaching
 *           codes do.
 *
 * Users' constraints, grabs and contacts follow one after another, as in Gauss-Seidel. */
#include "solver/interactions.h"
#include "solver/method.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "solver/tasks.h"
#include "state/state.h"

static void apply_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__chunk *chunk = &s->model->chunks[index];
    pliant_real         *x = PLIANT__SLOT(s->state->x, chunk->first), *sum = PLIANT__SLOT(s->sum, chunk->first);
    const bool           classic = s->method.averaging == PLIANT_AVERAGING_CLASSIC;
    const pliant_real    old = (pliant_real)0.2;
    for (uint32_t i = 0; i < 4 * chunk->count; i += 4) {
        pliant_real part = classic ? s->method.relaxation / (old + sum[i + 3]) : 1;
        if (x[i + 3] != 0)
            for (uint32_t k = 0; k < 3; k++) x[i + k] += part * sum[i + k];
        sum[i] = sum[i + 1] = sum[i + 2] = 0;
    }
}

void pliant__sweep_jacobi(pliant_solver *s, bool first)
{
    pliant__begin_sweep(s, first);
    pliant__walk_gathering(s, s->method.averaging == PLIANT_AVERAGING_CLASSIC ? PLIANT__AVERAGE : PLIANT__SPLIT);
    pliant__run_light(s, apply_chunk, (uint32_t)model_count(s->model, chunks));
    pliant__project_interactions(s, first);
}

static bool takes(const pliant_model *m, const pliant_method_def *def, pliant_error *error)
{
    for (size_t i = 0; def->averaging == PLIANT_AVERAGING_CLASSIC && i < model_count(m, laws); i++)
        if (m->laws[i].compliance > 0)
            return pliant__fail(
                error, PLIANT_ERROR_INPUT,
                "jacobi with averaging \"classic\" knows no compliance, and this scene has some%s%s; take averaging \"row\", or "
                "stiffness instead of compliance",
                *m->laws[i].material ? " in material " : "", m->laws[i].material);
    return true;
}

static void solve(pliant_solver *s)
{
    for (uint32_t i = 0; i < s->iterations && pliant__go_on(s, i); i++) pliant__sweep_jacobi(s, i == 0);
    pliant__go_on(s, s->iterations);
}

const pliant__method pliant__method_jacobi = {.needs = PLIANT__NEEDS_SUM,
                                              .takes_groups = PLIANT__TAKES_FACES | PLIANT__TAKES_MEMBERS,
                                              .takes_flow = true,
                                              .takes = takes,
                                              .solve = solve};
