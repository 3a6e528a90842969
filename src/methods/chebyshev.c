/* Chebyshev semi-iterative acceleration of Gauss-Seidel's or Jacobi's sweeps (Golub, Varga 1961; for projective dynamics Wang 2015, A Chebyshev
 * Semi-Iterative Approach for Accelerating Projective and Position-Based Dynamics).
 *
 * With y^ what one sweep makes of y_k, and eigenvalues of the sweep's matrix in [a, rho],
 *   y_{k+1} = omega_{k+1} (gamma (y^ - y_k) + y_k - y_{k-1}) + y_{k-1},
 *   gamma = 2 / (2 - a - rho),  sigma = (rho - a) / (2 - a - rho),
 *   omega_1 = 1,  omega_2 = 2 / (2 - sigma^2),  omega_{k+1} = 4 / (4 - sigma^2 omega_k),
 * after which an error is at most 1 / T_k(1 / sigma) of what it was. y is positions and multipliers together: extrapolating positions alone
 * would leave C + alpha~ lambda of a compliant constraint with a lambda that is not theirs. A multiplier of an inequality may thereby get the
 * wrong sign for a while; the next sweep clamps it, and moves the particles back by as much. The last iterations are plain sweeps.
 *
 * rho is given, or found on the way (Hageman, Young 1981, Applied Iterative Methods, section 5.5): where the changes that sweeps make shrink
 * more slowly than the bound says, an eigenvalue lies above rho, and the ratio tells where. It is kept in the state.
 *
 * The nearer rho is to 1, the thinner is the ellipse around [a, rho] in which eigenvalues shrink, half as high as sqrt((1 - a) (1 - rho)); those of
 * sweeps by colours, of limits and of contacts lie beside the real line. What they leave, and what an extrapolation of too few iterations leaves of
 * rough errors, would be speed: a beam threw itself about. So rho stays below what a substep's iterations are enough for, and where the changes
 * grow, which linear theory excludes, plain sweeps take over, which smooth, until their ratio tells rho anew; it is trusted less from then on. */
#include "base/alloc.h"
#include "base/trig.h"
#include "contact/contacts.h"
#include "solver/grabs.h"
#include "solver/groups.h"
#include "solver/method.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"

#include <math.h>
#include <string.h>

/* What is extrapolated with positions and multipliers, beside what contacts keep. */
typedef struct earlier {
    pliant_real *x, *lambda;
    double      *group; /* multipliers of groups */
    pliant_real  grab[PLIANT__MAX_GRABS][3];
} earlier;

typedef struct chebyshev {
    earlier     y[2];              /* y_k and y_{k-1} */
    uint32_t    now;               /* which of them is y_k */
    pliant_real omega, gamma;      /* of this iteration */
    double      rho, sigma;        /* of this cycle */
    double      first_norm, least; /* of the first change of this cycle, and of the smallest */
    double      most;              /* rho is not trusted beyond */
    uint32_t    age;               /* iterations of this cycle */
    double      norm;              /* of the last change: sqrt(sum of m |d|^2) */
} chebyshev;

#define LOWEST (-0.5)      /* a */
#define HIGHEST (1 - 1e-6) /* of rho */
#define FORGET 1.02        /* 1 - rho grows so much per substep, so that rho can fall again */
#define LEAST_AGE 5u       /* iterations after which a ratio says something */
#define GROWTH 1.3         /* changes that are so much larger than the smallest one are no convergence */
#define RETREAT 4.0        /* 1 - rho must be so many times larger from then on */
#define CALM 8u            /* one in so many of a substep's iterations comes last, as a plain sweep */
#define ENOUGH 100.0       /* the iterations of a substep shall be able to make each error smaller by so much */

/* ---- extrapolating ---- */

static pliant_real extrapolate(const chebyshev *c, pliant_real swept, pliant_real now, pliant_real before)
{
    return c->omega * (c->gamma * (swept - now) + (now - before)) + before;
}

static void extrapolate_touches(pliant_solver *s, pliant__chunk_now *chunk)
{
    const chebyshev *c = s->method_data;
    for (uint32_t i = 0; i < chunk->touch_count; i++) {
        pliant__touch *t = &s->contacts->touches[chunk->first_touch + i];
        pliant__push  *push = s->contacts->earlier + 2 * (size_t)(chunk->first_touch + i), *now = &push[c->now], *before = &push[!c->now];
        pliant_real    lambda = extrapolate(c, t->lambda, now->lambda, before->lambda);
        pliant_vec3    friction = {extrapolate(c, t->friction.x, now->friction.x, before->friction.x),
                                   extrapolate(c, t->friction.y, now->friction.y, before->friction.y),
                                   extrapolate(c, t->friction.z, now->friction.z, before->friction.z)};
        *before = (pliant__push){lambda, friction};
        t->lambda = lambda;
        t->friction = friction;
    }
}

/* y_{k-1} becomes y_{k+1}, so that y_k need not be moved. */
static void extrapolate_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const chebyshev     *c = s->method_data;
    const pliant__chunk *chunk = &s->model->chunks[index];
    pliant_real         *x = s->state->x, *now = c->y[c->now].x, *before = c->y[!c->now].x;
    double               sum = 0;
    for (size_t i = pliant__slot_numbers(chunk->first); i < pliant__slot_numbers(chunk->first + chunk->count); i += 4) {
        if (x[i + 3] == 0) continue;
        double square = 0;
        for (size_t k = i; k < i + 3; k++) {
            double d = (double)x[k] - (double)now[k];
            square += d * d;
            x[k] = before[k] = extrapolate(c, x[k], now[k], before[k]);
        }
        sum += square / (double)x[i + 3];
    }
    extrapolate_touches(s, &s->chunks[index]);
    s->chunks[index].sums[0] = sum;
}

#define LAMBDAS 4096u /* per task */

static void extrapolate_lambdas(void *solver, uint32_t index)
{
    pliant_solver   *s = solver;
    const chebyshev *c = s->method_data;
    pliant_real     *lambda = s->lambda, *now = c->y[c->now].lambda, *before = c->y[!c->now].lambda;
    size_t           end = s->model->header->lambda_count, first = (size_t)index * LAMBDAS;
    if (end > first + LAMBDAS) end = first + LAMBDAS;
    for (size_t i = first; i < end; i++) lambda[i] = before[i] = extrapolate(c, lambda[i], now[i], before[i]);
}

static void extrapolate_grabs(pliant_solver *s)
{
    chebyshev *c = s->method_data;
    for (uint32_t i = 0; i < s->inputs->grab_count; i++)
        for (int k = 0; k < 3; k++)
            s->grabs->lambda[i][k] = c->y[!c->now].grab[i][k] =
                extrapolate(c, s->grabs->lambda[i][k], c->y[c->now].grab[i][k], c->y[!c->now].grab[i][k]);
}

static void extrapolate_groups(pliant_solver *s)
{
    chebyshev *c = s->method_data;
    for (size_t i = 0; i < model_count(s->model, groups); i++) {
        double *lambda = &s->groups->of[i].lambda, *before = &c->y[!c->now].group[i], now = c->y[c->now].group[i];
        *lambda = *before = (double)c->omega * ((double)c->gamma * (*lambda - now) + (now - *before)) + *before;
    }
}

static void extrapolate_all(pliant_solver *s)
{
    chebyshev     *c = s->method_data;
    const uint32_t count = (uint32_t)model_count(s->model, chunks);
    double         sum = 0;
    pliant__run_light(s, extrapolate_chunk, count);
    for (uint32_t i = 0; i < count; i++) sum += s->chunks[i].sums[0];
    c->norm = sqrt(sum);
    if (s->keep_lambda) pliant__run_light(s, extrapolate_lambdas, (s->model->header->lambda_count + LAMBDAS - 1) / LAMBDAS);
    extrapolate_grabs(s);
    extrapolate_groups(s);
    c->now = !c->now;
}

/* ---- rho ---- */

static double smaller(double a, double b) { return a < b ? a : b; }

/* Begins a cycle with y_{k-1} = y_k; as omega_1 is 1, what y_{k-1} is does not enter. */
static void begin_cycle(chebyshev *c, double rho)
{
    c->rho = rho < 0 ? 0 : rho > HIGHEST ? HIGHEST : rho;
    double low = c->rho > 0 ? LOWEST : 0; /* rho 0 is plain sweeps */
    c->sigma = (c->rho - low) / (2 - low - c->rho);
    c->gamma = (pliant_real)(2 / (2 - low - c->rho));
    c->omega = 1;
    c->age = 0;
}

static void next_omega(chebyshev *c)
{
    double square = c->sigma * c->sigma;
    c->omega = c->age == 1 ? (pliant_real)(2 / (2 - square)) : (pliant_real)(4 / (4 - square * (double)c->omega));
}

/* The rho for which T_iterations(1 / sigma) is ENOUGH. */
static double rho_by_iterations(uint32_t iterations)
{
    const double z = pliant__pow(ENOUGH + sqrt(ENOUGH * ENOUGH - 1), 1 / (double)iterations), sigma = 2 / (z + 1 / z);
    return ((2 - LOWEST) * sigma + LOWEST) / (1 + sigma);
}

/* What rho must have been for changes to shrink to `ratio` in `count` iterations: T_count(1 / sigma) ratio = T_count(t / sigma). */
static double rho_by_ratio(const chebyshev *c, double ratio, uint32_t count)
{
    double low = c->rho > 0 ? LOWEST : 0, p = count;
    if (c->sigma == 0) return pliant__pow(ratio, 1 / p);
    double r = c->sigma / (1 + sqrt(1 - c->sigma * c->sigma));                /* T_p(1 / sigma) = (r^-p + r^p) / 2 */
    double grown = ratio * 0.5 * (pliant__pow(1 / r, p) + pliant__pow(r, p)); /* T_p(t / sigma) */
    if (!(grown > 1)) return c->rho;
    double z = pliant__pow(grown + sqrt(grown * grown - 1), 1 / p), t = c->sigma * 0.5 * (z + 1 / z);
    return (t * (2 - low - c->rho) + low + c->rho) / 2;
}

/* Looks at how changes shrink, and begins anew where they do not as rho says. */
static void watch(chebyshev *c, bool given)
{
    if (c->age == 0) c->first_norm = c->least = c->norm;
    if (c->norm < c->least) c->least = c->norm;
    const double   ratio = c->norm / c->first_norm;
    const uint32_t count = c->age++;
    if (!(c->norm > 0) || count == 0) {
        next_omega(c);
        return;
    }
    if (c->norm > GROWTH * c->least) {
        c->most = 1 - RETREAT * (1 - c->rho);
        begin_cycle(c, given ? c->rho : 0);
        return;
    }
    double r = c->sigma / (1 + sqrt(1 - c->sigma * c->sigma)), bound = 2 * pliant__pow(r, count) / (1 + pliant__pow(r, 2.0 * count));
    if (!given && count >= LEAST_AGE && ratio < 1 && ratio > pliant__pow(bound, 0.75)) {
        double rho = rho_by_ratio(c, ratio, count);
        rho = smaller(rho, c->most);
        if (rho > c->rho) {
            begin_cycle(c, rho);
            return;
        }
    }
    next_omega(c);
}

/* ---- the method ---- */

static void sweep(pliant_solver *s, bool first)
{
    if (s->method.base == PLIANT_BASE_JACOBI)
        pliant__sweep_jacobi(s, first);
    else
        pliant__sweep_gauss_seidel(s, first);
}

static void remember_start(pliant_solver *s)
{
    chebyshev   *c = s->method_data;
    const size_t slots = s->model->header->slot_count;
    for (int i = 0; i < 2; i++) {
        memcpy(c->y[i].x, s->state->x, 4 * slots * sizeof *c->y[i].x);
        if (s->keep_lambda) memset(c->y[i].lambda, 0, s->model->header->lambda_count * sizeof *c->y[i].lambda);
        memset(c->y[i].grab, 0, sizeof c->y[i].grab);
        memset(c->y[i].group, 0, model_count(s->model, groups) * sizeof *c->y[i].group);
    }
}

static void solve(pliant_solver *s)
{
    chebyshev *c = s->method_data;
    double    *kept = &s->state->header->spectral_radius;
    const bool given = s->method.spectral_radius > 0;
    c->most = rho_by_iterations(s->iterations);
    if (s->iterations > 1) remember_start(s);
    begin_cycle(c, given ? (double)s->method.spectral_radius : smaller(1 - FORGET * (1 - *kept), c->most));
    const uint32_t plain = s->iterations - s->iterations / CALM; /* and from here on */
    bool           more = pliant__go_on(s, 0);
    for (uint32_t i = 0; i < s->iterations && more; i++) {
        sweep(s, i == 0);
        more = pliant__go_on(s, i + 1);
        if (!more || i + 1 == s->iterations) break;
        if (i + 1 >= plain) continue;
        extrapolate_all(s);
        watch(c, given);
    }
    if (!given) *kept = c->rho;
}

static void destroy(pliant_solver *s)
{
    chebyshev *c = s->method_data;
    for (int i = 0; c && i < 2; i++) {
        pliant__free(&s->allocator, c->y[i].x);
        pliant__free(&s->allocator, c->y[i].lambda);
        pliant__free(&s->allocator, c->y[i].group);
    }
    pliant__free(&s->allocator, c);
}

static bool takes(const pliant_model *m, const pliant_method_def *def, pliant_error *error)
{
    for (size_t i = 0; i < model_count(m, laws); i++)
        if (m->laws[i].stiffness < 1)
            return pliant__fail(
                error, PLIANT_ERROR_INPUT,
                "chebyshev goes where sweeps converge to, and PBD stiffness less than 1 means not to converge%s%s; take compliance "
                "instead, or another method",
                *m->laws[i].material ? "; it is in material " : "", m->laws[i].material);
    for (size_t i = 0; def->base == PLIANT_BASE_GAUSS_SEIDEL && i < model_count(m, batches); i++) {
        const pliant_constraint_info *kind = pliant_constraint_describe((pliant_constraint_kind)m->batches[i].kind);
        if (kind->flags & PLIANT_ROW_SOLID)
            return pliant__fail(error, PLIANT_ERROR_INPUT,
                                "chebyshev over sweeps of gauss_seidel made solids gain energy where they were pressed hard, and refuses "
                                "%s; take \"base\": \"jacobi\", or "
                                "another method",
                                kind->name);
    }
    return true;
}

static bool create(pliant_solver *s, pliant_error *error)
{
    const size_t slots = s->model->header->slot_count;
    chebyshev   *c = s->method_data = pliant__alloc(&s->allocator, sizeof *c);
    for (int i = 0; c && i < 2; i++) {
        c->y[i].x = pliant__alloc_array(&s->allocator, slots, 4 * sizeof *c->y[i].x);
        c->y[i].lambda = pliant__alloc_untouched(&s->allocator, s->model->header->lambda_count, sizeof *c->y[i].lambda);
        c->y[i].group = pliant__alloc_array(&s->allocator, model_count(s->model, groups), sizeof *c->y[i].group);
    }
    return (c && c->y[0].x && c->y[0].lambda && c->y[0].group && c->y[1].x && c->y[1].lambda && c->y[1].group) ||
           pliant__fail_memory(error, slots * 8 * sizeof(pliant_real), "chebyshev's earlier iterates");
}

const pliant__method pliant__method_chebyshev = {.needs = PLIANT__NEEDS_SUM,
                                                 .takes_groups = PLIANT__TAKES_FACES,
                                                 .takes_flow = true,
                                                 .extrapolates = true,
                                                 .takes = takes,
                                                 .create = create,
                                                 .destroy = destroy,
                                                 .solve = solve};
