/* The exact constrained step on any net of equalities: nets, cloth, solids. What is sought, and why, is at the head of newton.c; here is how
 * it is found where there is no tree.
 *
 * Gradients at the start or the prediction: J(x) M^-1 J_0^T + alpha~ is not symmetric. With J_0 on both sides it is, and differs by what turns in
 * a substep, so a few steps of GMRES with the factors of that before it are enough (net_system.c): one factorization for a substep. Newton begins
 * at lambda = 0, and each step is halved until the sum of (C + alpha~ lambda)^2 falls.
 *
 * Gradients at the end: the system of a step is symmetric. With the whole of the forces' turning Newton's steps are exact; where that would lead
 * to a saddle, as the signs of the factors tell, what is negative in it is left out for this step. Whole steps are tried first. Where these do
 * not get there the constraints are lent compliance, `lent` times their response, with which the step is the minimum of an energy,
 *
 *   E(x) = (x - x~)^T M (x - x~) / 2 + sum of C^2 / (2 (alpha~ + lent response)),
 *
 * and Newton with a search along each step finds it whatever it is; the loan is taken back by a tenth each time, from where the one before has
 * led, and without any the last steps are whole again. That is the augmented Lagrangian's way to a saddle (Gill, Robinson 2012). */
#include "methods/newton_net.h"

#include "base/alloc.h"
#include "methods/net.h"
#include "solver/guard.h"
#include "solver/interactions.h"
#include "solver/method.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/state.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MOST_STEPS 400u
#define WHOLE_STEPS 25u  /* without a loan, first */
#define LAST_STEPS 30u   /* without a loan, last */
#define LENT_STEPS 15u   /* of one loan */
#define LENT_ENOUGH 1e-4 /* of the squares of what is left when it begins */
#define TOO_FAR 1e8      /* of the squares of what is left: whole steps go nowhere */
#define ARMIJO 1e-4
#define SHORTEST 1e-10       /* share of a step */
#define NEARLY_SHORTEST 1e-2 /* where little is left: see NEARLY */
#define GROUP_STRANDS 512u   /* per task, and whole islands */
#ifdef PLIANT_DOUBLE
#define ROUNDING DBL_EPSILON
#define LOANS 9u
#define LAST_LOAN 1e-8
#define MOST_PULL 1e6
#define NEARLY 1e-6
#else
#define ROUNDING ((double)FLT_EPSILON)
#define LOANS 6u
#define LAST_LOAN 1e-5
#define MOST_PULL 30.0
#define NEARLY 1e-5
#endif
#define ROUGHLY 0.05 /* and so much, where it may fall back */
#define STALLS 4u
#define SLOW 1e-3
/* NEARLY, STALLS: where rows depend on each other only as they just lie (all volumes of a regular grid of tetrahedra rigid), there may be no
 * multipliers for the solution, and what is left falls ever more slowly. After so many steps that have not halved it, this share is enough. If
 * it is not reached either, the last loan is taken for good, where it leaves no more than that. */
/* MOST_PULL: how much larger than places and lengths the movements may be that cancel in them, for their rounding to be forgiven. Where there is
 * no solution multipliers grow without an end, and what is left must not count as their rounding. */
#define ROUNDINGS 16   /* what is no more than so many roundings of the terms of C does not count as left */
#define AT_MOST 1024.0 /* and where nothing falls any more, no more than so many */

typedef enum outcome { OPEN, SOLVED, UNSOLVED } outcome;

/* How far an island is. Sums are of the squares of what is left, weighed by masses and responses: kg m^2. */
typedef struct course {
    outcome  is;
    bool     accepted;       /* in the search along this step */
    bool     factored;       /* gradients fixed: once in a substep */
    bool     depends;        /* gradients fixed: rows depend on others */
    bool     resigned;       /* implicit: the last loan is for good */
    bool     fell;           /* gradients fixed: no solution in this substep, so `rescue` has it */
    bool     lost;           /* and there is none with `rescue` either */
    bool     rough;          /* implicit: the last loan has left more than NEARLY */
    bool     anew;           /* implicit: back to the prediction before the next step */
    uint32_t loan, taken;    /* implicit: 0: none yet; up to LOANS; then none any more. Steps taken with it */
    uint32_t wait, straight; /* implicit: steps until the whole of the turning is tried again, and how many there were last */
    double   lent;
    double   t;              /* share of the step that is tried */
    double   merit, tried;   /* sum over what is more than rounding: where the step begins, and at t */
    double   whole, sum;     /* sum over all: likewise */
    double   before, rounds; /* the largest of what is left, in roundings: likewise */
    double   largest, least; /* as a share of the unit: at t, and where the step begins */
    uint32_t stalls;         /* steps in a row that have hardly lessened it */
    double   first;          /* sum with the loan, where it began */
    double   energy, now;    /* with a loan: where the step begins, and at t */
    double   slope;          /* of the energy */
} course;

struct pliant__newton_net {
    pliant__net  net;
    course      *courses; /* per island */
    uint32_t    *groups;  /* first island of each, and one more */
    uint32_t     group_count;
    size_t      *gradient_first; /* per batch */
    pliant_real *C, *gradient;   /* of all rows, as linearize leaves them */
    /* Gradients fixed: the same net with gradients at the end, for islands without a solution; NULL: they have none then. The three arrays
     * above are one for both. */
    pliant__newton_net *rescue;
};

/* ---- memory ---- */

void pliant__newton_net_destroy(pliant_solver *s, pliant__newton_net *n)
{
    if (!n) return;
    if (n->rescue) n->rescue->C = n->rescue->gradient = NULL, n->rescue->gradient_first = NULL;
    pliant__newton_net_destroy(s, n->rescue);
    pliant__net_free(s, &n->net);
    void *all[] = {n->courses, n->groups, n->gradient_first, n->C, n->gradient, n};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(&s->allocator, all[i]);
}

static void make_groups(pliant__newton_net *n)
{
    uint32_t strands = GROUP_STRANDS;
    for (uint32_t i = 0; i < n->net.island_count; i++) {
        if (strands >= GROUP_STRANDS) {
            n->groups[n->group_count++] = i;
            strands = 0;
        }
        strands += n->net.islands[i].strand_count;
    }
    n->groups[n->group_count] = n->net.island_count;
}

static bool is_implicit(const pliant__newton_net *n) { return n->net.curved; }

/* Room for C and gradients of all rows. */
static bool make_rows(pliant_solver *s, pliant__newton_net *n, size_t *gradients)
{
    const pliant_allocator *a = &s->allocator;
    const pliant_model     *m = s->model;
    n->gradient_first = pliant__alloc_array(a, model_count(m, batches), sizeof *n->gradient_first);
    for (size_t i = 0; n->gradient_first && i < model_count(m, batches); i++) {
        const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)m->batches[i].kind);
        n->gradient_first[i] = *gradients;
        *gradients += (size_t)(m->batches[i].count + PLIANT__BLOCK - 1) / PLIANT__BLOCK * PLIANT__BLOCK * info->rows * info->slots * 3;
    }
    n->C = pliant__alloc_array(a, m->header->lambda_count, sizeof *n->C);
    n->gradient = pliant__alloc_array(a, *gradients, sizeof *n->gradient);
    return n->gradient_first && n->C && n->gradient;
}

/* What a net needs but for these. NULL with an error. */
static pliant__newton_net *make(pliant_solver *s, bool implicit, pliant_error *error)
{
    const pliant_allocator *a = &s->allocator;
    pliant__newton_net     *n = pliant__alloc(a, sizeof *n);
    if (n && !pliant__net_make(s, &n->net, implicit, error)) {
        pliant__newton_net_destroy(s, n);
        return NULL;
    }
    if (n) {
        n->courses = pliant__alloc_array(a, n->net.island_count, sizeof *n->courses);
        n->groups = pliant__alloc_array(a, (size_t)n->net.island_count + 1, sizeof *n->groups);
    }
    if (n && n->courses && n->groups) {
        make_groups(n);
        return n;
    }
    pliant__newton_net_destroy(s, n);
    pliant__fail_memory(error, s->model->header->packed_rows * sizeof *n->net.members, "Newton's method");
    return NULL;
}

static bool make_rescue(pliant_solver *s, pliant__newton_net *n, pliant_error *error)
{
    n->rescue = make(s, true, error);
    if (!n->rescue) return false;
    n->rescue->gradient_first = n->gradient_first;
    n->rescue->C = n->C, n->rescue->gradient = n->gradient;
    return true;
}

pliant__newton_net *pliant__newton_net_create(pliant_solver *s, pliant_error *error)
{
    const bool          implicit = s->method.gradients == PLIANT_GRADIENTS_IMPLICIT;
    size_t              gradients = 0;
    pliant__newton_net *n = make(s, implicit, error);
    if (!n) return NULL;
    if (!make_rows(s, n, &gradients))
        pliant__fail_memory(error, gradients * sizeof *n->gradient, "Newton's method");
    else if (implicit || s->method.fallback != PLIANT_FALLBACK_IMPLICIT || make_rescue(s, n, error))
        return n;
    pliant__newton_net_destroy(s, n);
    return NULL;
}

/* ---- pieces that run as tasks ---- */

/* Runs work(s, n, island) for every island of a group. */
static void each_island(pliant_solver *s, uint32_t group, void (*work)(pliant_solver *s, pliant__newton_net *n, uint32_t island));

#define TASK(name)                                                                               \
    static void name##_group(void *solver, uint32_t group) { each_island(solver, group, name); } \
    static void name##_all(pliant_solver *s) { pliant__run(s, name##_group, net_of(s)->group_count); }

static pliant__newton_net *net_of(const pliant_solver *s) { return *(pliant__newton_net **)s->own; }

static void each_island(pliant_solver *s, uint32_t group, void (*work)(pliant_solver *s, pliant__newton_net *n, uint32_t island))
{
    pliant__newton_net *n = net_of(s);
    for (uint32_t i = n->groups[group]; i < n->groups[group + 1]; i++) work(s, n, i);
}

/* Loops over what an island has. */
#define EACH_VERTEX(g, island, v) \
    for (pliant__vertex *v = (g)->vertices + (island)->first_vertex, *end_##v = v + (island)->vertex_count; v < end_##v; v++)
#define EACH_STRAND(g, island, k) \
    for (pliant__strand *k = (g)->strands + (island)->first_strand, *end_##k = k + (island)->strand_count; k < end_##k; k++)
#define EACH_MEMBER(g, island, e) \
    for (const pliant__member *e = (g)->members + (island)->first_member, *end_##e = e + (island)->member_count; e < end_##e; e++)

static double largest_of(const double a[3]) { return fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2]))); }

/* A member's gradients, as the kernels left them; 0 where it is idle. */
static void take_gradients(const pliant__newton_net *n, const pliant__member *e, bool idle, double *out)
{
    const pliant_real *from = n->gradient + e->gradient;
    out += e->coefficient;
    for (uint32_t i = 0; i < e->rows * e->slots * 3; i++) out[i] = idle ? 0 : (double)from[(size_t)i * PLIANT__BLOCK];
}

/* Whether a member takes part, and how its strands answer to a force. */
static void begin_member(pliant_solver *s, pliant__newton_net *n, const pliant__member *e)
{
    pliant__net *g = &n->net;
    bool         idle = true;
    for (uint32_t a = 0; a < e->slots; a++) idle = idle && (e->vertex[a] == PLIANT__NONE || g->vertices[e->vertex[a]].w == 0);
    idle = idle || !pliant__is_active(s->active, e->row);
    take_gradients(n, e, idle, g->fixed);
    for (uint32_t r = 0; r < e->rows; r++) {
        const double alpha = idle ? 1 : (double)s->laws[e->law].alpha;
        double       response = alpha;
        for (uint32_t a = 0; a < e->slots; a++)
            for (uint32_t c = 0; c < 3 && e->vertex[a] != PLIANT__NONE; c++) {
                const double d = g->fixed[e->coefficient + ((size_t)r * e->slots + a) * 3 + c];
                response += g->vertices[e->vertex[a]].w * d * d;
            }
        g->strands[e->first_strand + r] = (pliant__strand){.alpha = alpha, .response = response > 0 ? response : 1, .idle = idle};
    }
}

/* The substep begins: x~, weights, lambda = 0. */
static void begin(pliant_solver *s, pliant__newton_net *n, uint32_t number)
{
    pliant__net          *g = &n->net;
    const pliant__island *island = &g->islands[number];
    EACH_VERTEX(g, island, v)
    {
        const pliant_real *x = s->state->x + 4 * (size_t)v->slot;
        v->w = (double)x[3];
        v->root = sqrt(v->w);
        for (int c = 0; c < 3; c++) v->base[c] = v->x[c] = v->from[c] = (double)x[c];
        memset(v->step, 0, sizeof v->step);
    }
    EACH_MEMBER(g, island, e) begin_member(s, n, e);
    n->courses[number] = (course){.is = OPEN};
}
TASK(begin)

/* Back to the prediction. */
static void begin_again(pliant_solver *s, pliant__newton_net *n, uint32_t number)
{
    (void)s;
    pliant__net          *g = &n->net;
    const pliant__island *island = &g->islands[number];
    course               *c = &n->courses[number];
    if (!c->anew) return;
    EACH_VERTEX(g, island, v)
    {
        memcpy(v->from, v->base, sizeof v->from);
        memset(v->step, 0, sizeof v->step);
    }
    EACH_STRAND(g, island, k) k->lambda = k->change = 0;
    *c = (course){.is = OPEN, .loan = 1, .lent = 1};
}
TASK(begin_again)

/* What lambda moves the particles with fixed gradients: x = base + M^-1 J^T lambda. */
static void move_by_lambda(pliant__net *g, const pliant__island *island, double t)
{
    EACH_VERTEX(g, island, v) memset(v->x, 0, sizeof v->x);
    EACH_MEMBER(g, island, e)
    for (uint32_t r = 0; r < e->rows; r++) {
        const pliant__strand *k = &g->strands[e->first_strand + r];
        const double          lambda = k->lambda + t * k->change;
        for (uint32_t a = 0; a < e->slots; a++)
            for (uint32_t c = 0; c < 3 && e->vertex[a] != PLIANT__NONE; c++)
                g->vertices[e->vertex[a]].x[c] += lambda * g->fixed[e->coefficient + ((size_t)r * e->slots + a) * 3 + c];
    }
    EACH_VERTEX(g, island, v)
    for (int c = 0; c < 3; c++) v->x[c] = v->base[c] + v->w * v->x[c];
}

/* x and lambda where the step has gone the share t, for kernels and callbacks. */
static void put(pliant_solver *s, pliant__newton_net *n, uint32_t number)
{
    pliant__net          *g = &n->net;
    const pliant__island *island = &g->islands[number];
    const course         *c = &n->courses[number];
    if (c->is != OPEN || c->accepted) return;
    if (is_implicit(n)) EACH_VERTEX(g, island, v)
        {
            for (int i = 0; i < 3; i++) v->x[i] = v->from[i] + c->t * v->step[i];
        }
    else
        move_by_lambda(g, island, c->t);
    EACH_VERTEX(g, island, v)
    if (v->w > 0) pliant__set_slot_x(s->state->x, v->slot, v3((pliant_real)v->x[0], (pliant_real)v->x[1], (pliant_real)v->x[2]));
    EACH_MEMBER(g, island, e)
    for (uint32_t r = 0; r < e->rows; r++) {
        const pliant__strand *k = &g->strands[e->first_strand + r];
        s->lambda[e->value + (size_t)r * PLIANT__BLOCK] = (pliant_real)(k->lambda + c->t * k->change);
    }
}
TASK(put)

/* ---- what is left ---- */

static void count(course *c, double left, double weight, double unit, double scale)
{
    const double square = left * left * weight, rounds = fabs(left) / (ROUNDING * scale);
    c->sum += square;
    c->tried += rounds <= ROUNDINGS ? 0 : square;
    c->largest = fmax(c->largest, fabs(left) / unit);
    c->rounds = fmax(c->rounds, rounds);
}

/* What is left of one strand, and its force. */
static void look_at_strand(const pliant_solver *s, pliant__net *g, const pliant__member *e, uint32_t r, course *c)
{
    pliant__strand *k = &g->strands[e->first_strand + r];
    const double    lambda = k->lambda + c->t * k->change, soft = k->alpha + c->lent * k->response;
    const double   *gradient = g->jacobian + e->coefficient + (size_t)r * e->slots * 3;
    double          scale = e->rest;
    for (uint32_t a = 0; a < e->slots; a++) {
        const pliant_real *still = s->state->x + 4 * (size_t)e->slot[a];
        pliant__vertex    *v = e->vertex[a] == PLIANT__NONE ? NULL : &g->vertices[e->vertex[a]];
        const double       at[3] = {(double)still[0], (double)still[1], (double)still[2]};
        const double       far = largest_of(v ? v->x : at), steep = largest_of(gradient + 3 * (size_t)a);
        scale += steep * (far + e->size);
        if (v) v->noise += fabs(lambda) * steep * (1 + far / e->size);
        for (uint32_t i = 0; i < 3 && v; i++) v->force[i] += lambda * gradient[3 * (size_t)a + i];
    }
    scale += fmin(k->response * fabs(lambda), MOST_PULL * scale);
    k->left = k->C + soft * lambda;
    c->now += k->C * k->C / (soft > 0 ? 2 * soft : 1);
    count(c, k->left, 1 / k->response, e->unit, scale);
}

/* What is left of the motion, M (x - base) - J^T lambda. */
static void look_at_motion(pliant__vertex *v, double size, course *c)
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        const double d = v->x[i] - v->base[i];
        v->force[i] = v->w > 0 ? v->force[i] - d / v->w : 0;
        square += v->force[i] * v->force[i];
        if (v->w > 0) c->now += d * d / (2 * v->w);
    }
    if (v->w > 0) count(c, v->w * sqrt(square), 1 / v->w, size, largest_of(v->x) + v->w * v->noise);
}

/* What is left of an island at x, from C and the gradients there. */
static void look_at_island(const pliant_solver *s, pliant__net *g, const pliant__island *island, course *c)
{
    c->tried = c->sum = c->largest = c->rounds = c->now = 0;
    EACH_VERTEX(g, island, v)
    {
        memset(v->force, 0, sizeof v->force);
        v->noise = 0;
    }
    EACH_MEMBER(g, island, e)
    for (uint32_t r = 0; r < e->rows; r++)
        if (!g->strands[e->first_strand].idle) look_at_strand(s, g, e, r, c);
    if (g->curved) EACH_VERTEX(g, island, v) look_at_motion(v, island->size, c);
}

static void look(pliant_solver *s, pliant__newton_net *n, uint32_t number)
{
    pliant__net          *g = &n->net;
    const pliant__island *island = &g->islands[number];
    course               *c = &n->courses[number];
    if (c->is != OPEN || c->accepted) return;
    EACH_MEMBER(g, island, e)
    {
        const bool idle = g->strands[e->first_strand].idle;
        take_gradients(n, e, idle, g->jacobian);
        for (uint32_t r = 0; r < e->rows; r++)
            g->strands[e->first_strand + r].C = idle ? 0 : (double)n->C[e->value + (size_t)r * PLIANT__BLOCK];
    }
    look_at_island(s, g, island, c);
}
TASK(look)

/* ---- a step ---- */

/* The derivative of the energy along the step. */
static double slope_of(pliant__net *g, const pliant__island *island, const course *c)
{
    double slope = 0;
    EACH_VERTEX(g, island, v)
    for (int i = 0; i < 3 && v->w > 0; i++) slope += (v->x[i] - v->base[i]) / v->w * v->step[i];
    EACH_MEMBER(g, island, e)
    for (uint32_t r = 0; r < e->rows; r++) {
        const pliant__strand *k = &g->strands[e->first_strand + r];
        double                by = 0;
        for (uint32_t a = 0; a < e->slots; a++)
            for (uint32_t i = 0; i < 3 && e->vertex[a] != PLIANT__NONE; i++)
                by += g->jacobian[e->coefficient + ((size_t)r * e->slots + a) * 3 + i] * g->vertices[e->vertex[a]].step[i];
        slope += k->C * by / (k->alpha + c->lent * k->response);
    }
    return slope;
}

/* With the whole of the turning, unless it has lately led uphill; else with what is positive in it. */
static bool factor_implicit(pliant_solver *s, pliant__net *g, const pliant__island *island, course *c)
{
    if (c->wait == 0) {
        if (pliant__island_factor(s, g, island, c->lent, PLIANT__CURVED)) {
            c->straight = 0;
            return true;
        }
        c->straight = c->straight < 8 ? 2 * c->straight + 1 : 8;
        c->wait = c->straight;
    } else
        c->wait--;
    return pliant__island_factor(s, g, island, c->lent, PLIANT__CLAMPED) || pliant__island_factor(s, g, island, c->lent, PLIANT__STRAIGHT);
}

/* Goes on to the next loan, the last of which is none. */
static void lend(pliant_solver *s, pliant__net *g, const pliant__island *island, course *c)
{
    c->loan++;
    c->lent = c->loan > LOANS ? 0 : c->lent / 10;
    c->taken = 0;
    c->t = 0;
    look_at_island(s, g, island, c);
    c->first = c->sum;
}

/* The last loan is for good: whether it leaves little enough. */
static void resign(pliant_solver *s, pliant__net *g, const pliant__island *island, course *c)
{
    c->lent = 0;
    c->t = 0;
    look_at_island(s, g, island, c);
    c->rough = c->largest > NEARLY && c->largest <= ROUGHLY && s->method.fallback == PLIANT_FALLBACK_IMPLICIT;
    c->is = c->largest <= NEARLY || c->rough ? SOLVED : UNSOLVED;
}

static bool has_loan(const course *c) { return c->loan > 0 && c->loan <= LOANS; }

static void borrow_for_good(pliant_solver *s, pliant__net *g, const pliant__island *island, course *c)
{
    c->loan = LOANS;
    c->lent = LAST_LOAN;
    c->taken = 0;
    c->t = 0;
    look_at_island(s, g, island, c);
}

static bool is_repaid(const course *c)
{
    if (c->taken == 0) return false;
    if (c->resigned) return c->taken >= LENT_STEPS || c->tried == 0;
    return c->taken >= LENT_STEPS || c->sum <= LENT_ENOUGH * c->first || c->tried == 0;
}

static void aim(pliant_solver *s, pliant__newton_net *n, uint32_t number)
{
    pliant__net          *g = &n->net;
    const pliant__island *island = &g->islands[number];
    course               *c = &n->courses[number];
    if (c->is != OPEN) return;
    if (c->taken == 0) c->first = c->sum;
    if (c->resigned && !has_loan(c)) borrow_for_good(s, g, island, c);
    if (c->resigned && is_repaid(c)) resign(s, g, island, c);
    while (has_loan(c) && is_repaid(c) && c->is == OPEN) lend(s, g, island, c);
    if (c->is != OPEN) return;
    if (!has_loan(c) && (c->largest <= (double)s->method.tolerance || (c->stalls >= STALLS && c->largest <= NEARLY))) c->is = SOLVED;
    if (c->is != OPEN) return;
    c->merit = c->tried;
    c->whole = c->sum;
    c->before = c->rounds;
    c->least = c->largest;
    c->energy = c->now;
    bool good = false;
    if (is_implicit(n))
        good = factor_implicit(s, g, island, c) && pliant__island_solve(g, island);
    else
        good = (c->factored = c->factored || pliant__island_factor(s, g, island, 0, PLIANT__FIXED)) &&
               pliant__island_solve_fixed(g, island, c->merit == 0, &c->depends);
    if (!good) c->is = UNSOLVED;
    if (has_loan(c)) c->slope = slope_of(g, island, c);
    c->t = 1;
    c->accepted = false;
}
TASK(aim)

/* ---- Newton ---- */

static void linearize_patch(void *solver, uint32_t index)
{
    const pliant_solver      *s = solver;
    const pliant__newton_net *n = net_of(s);
    const pliant__patch      *p = &s->model->patches[index];
    for (uint32_t i = p->first_batch; i < p->first_batch + p->batch_count; i++) {
        const pliant__batch *b = &s->model->batches[i];
        s->backend.kernels->kinds[b->kind]->linearize(&s->sweep, b, 0, pliant__blocks(b), n->C + b->lambda, n->gradient + n->gradient_first[i]);
    }
}

/* C and gradients at `x`, 4 per slot. */
static void linearize(pliant_solver *s, pliant_real *x)
{
    pliant__begin_sweep(s, false);
    s->sweep.x = x;
    pliant__run(s, linearize_patch, (uint32_t)model_count(s->model, patches));
}

static void try_step(pliant_solver *s)
{
    put_all(s);
    linearize(s, s->state->x);
    look_all(s);
}

/* With a loan: whether the energy has fallen. Where it cannot fall any more, the loan has done what it can. */
static bool settle_loan(course *c)
{
    if (c->t == 0) {
        c->taken = LENT_STEPS;
        return c->accepted = true;
    }
    if (c->now <= c->energy + ARMIJO * c->t * c->slope && c->slope < 0) return c->accepted = true;
    c->t = c->slope < 0 && c->t > SHORTEST ? c->t / 2 : 0;
    return false;
}

/* Without a loan, implicit: whole steps, until they rest, or get nowhere. */
static bool settle_whole(course *c)
{
    const bool finite = c->sum - c->sum == 0;
    const bool rests = c->merit == 0 || (c->before <= AT_MOST && !(c->sum < c->whole));
    if (c->t == 0 || (c->merit == 0 && c->sum < c->whole)) {
        c->is = SOLVED;
        return c->accepted = true;
    }
    if (rests) {
        c->t = 0;
        return false;
    }
    const bool slow = c->stalls >= 2 * STALLS && c->least <= SLOW;
    const bool lost = !finite || (c->taken > 0 && c->sum > TOO_FAR * c->first) || c->taken >= (c->loan ? LAST_STEPS : WHOLE_STEPS) || slow;
    c->anew = lost && !c->loan;
    c->resigned = lost && c->loan && finite;
    if (lost && c->loan && !finite) c->is = UNSOLVED;
    return c->accepted = true;
}

/* Gradients fixed: the step is halved until what is left falls. */
static bool settle_fixed(course *c)
{
    const bool falls = c->tried <= (1 - ARMIJO * c->t) * c->merit, rests = c->merit == 0;
    if (c->t == 0 || (rests && c->sum < c->whole)) c->is = SOLVED;
    if (c->is == SOLVED || (!rests && falls)) return c->accepted = true;
    const bool nearly = c->least <= NEARLY;
    c->t = rests || c->t < (nearly ? NEARLY_SHORTEST : SHORTEST) ? 0 : c->t / 2;
    if (c->t == 0 && !rests && !nearly && c->before > AT_MOST) c->is = UNSOLVED;
    return c->is != OPEN;
}

/* Whether an island's step is settled; else a part of it is tried. Where only rounding is left, one step more is taken for as much of it
 * as that may mend. */
static bool settle(const pliant__newton_net *n, course *c)
{
    if (c->is != OPEN || c->accepted) return true;
    return !is_implicit(n) ? settle_fixed(c) : has_loan(c) ? settle_loan(c) : settle_whole(c);
}

/* Where a step has gone is where the next one begins. */
static void keep(pliant_solver *s, pliant__newton_net *n, uint32_t number)
{
    (void)s;
    pliant__net          *g = &n->net;
    const pliant__island *island = &g->islands[number];
    course               *c = &n->courses[number];
    if (!c->accepted) return;
    c->taken++;
    c->stalls = c->tried > c->merit / 2 ? c->stalls + 1 : 0;
    EACH_STRAND(g, island, k)
    {
        k->lambda += c->t * k->change;
        k->change = 0;
    }
    EACH_VERTEX(g, island, v)
    {
        memcpy(v->from, v->x, sizeof v->from);
        memset(v->step, 0, sizeof v->step);
    }
}
TASK(keep)

static bool any_open(const pliant__newton_net *n)
{
    for (uint32_t i = 0; i < n->net.island_count; i++)
        if (n->courses[i].is == OPEN) return true;
    return false;
}

/* Begins those anew that whole steps have not solved. */
static void restart(pliant_solver *s, pliant__newton_net *n)
{
    bool any = false;
    for (uint32_t i = 0; i < n->net.island_count; i++) any = any || n->courses[i].anew;
    if (!any) return;
    begin_again_all(s);
    try_step(s);
}

/* Newton steps until every island is settled. x and what is left there are known when it begins. */
static void solve_islands(pliant_solver *s, pliant__newton_net *n, uint32_t *done)
{
    for (uint32_t step = 0; step < MOST_STEPS && !s->enough; step++) {
        restart(s, n);
        aim_all(s);
        if (!any_open(n)) return;
        for (bool settled = false; !settled;) {
            try_step(s);
            settled = true;
            for (uint32_t i = 0; i < n->net.island_count; i++) settled = settle(n, &n->courses[i]) && settled;
        }
        keep_all(s);
        pliant__go_on(s, ++*done);
    }
    for (uint32_t i = 0; i < n->net.island_count && !s->enough; i++)
        if (n->courses[i].is == OPEN) n->courses[i].is = UNSOLVED;
}

/* ---- what has no solution ---- */

/* How far a distance has turned against the gradient along which its force acts: below 0 it is a mirror image. */
static double turned(const pliant__net *g, const pliant__member *e)
{
    const double *a = g->jacobian + e->coefficient, *b = g->fixed + e->coefficient;
    return e->kind == PLIANT_CONSTRAINT_DISTANCE ? a[0] * b[0] + a[1] * b[1] + a[2] * b[2] : 1;
}

static double turned_of(const pliant__newton_net *n, uint32_t number, const pliant__member *e)
{
    return is_implicit(n) || n->courses[number].fell ? 1 : turned(&n->net, e);
}

static bool has_no_solution(const pliant__newton_net *n, uint32_t number)
{
    const pliant__net    *g = &n->net;
    const pliant__island *island = &g->islands[number];
    if (n->courses[number].is != SOLVED) return n->courses[number].is == UNSOLVED;
    EACH_MEMBER(g, island, e)
    if (turned_of(n, number, e) < 0) return true;
    return false;
}

static uint32_t moving_slot(const pliant__member *e)
{
    for (uint32_t a = 0; a < e->slots; a++)
        if (e->vertex[a] != PLIANT__NONE) return e->slot[a];
    return e->slot[0];
}

/* An island without a solution, or with a mirrored one, goes back to where the substep began. Returns a slot in it, or PLIANT__NONE. */
static uint32_t give_up(pliant_solver *s, pliant__newton_net *n, uint32_t number)
{
    pliant__net          *g = &n->net;
    const pliant__island *island = &g->islands[number];
    uint32_t              worst = PLIANT__NONE;
    double                most = -1;
    EACH_MEMBER(g, island, e)
    {
        const double against = turned_of(n, number, e);
        double       left = fabs(g->strands[e->first_strand].left) / e->unit;
        if (n->courses[number].is != UNSOLVED && !(against < 0)) continue;
        if (n->courses[number].is != UNSOLVED) left = -against;
        if (left > most) most = left, worst = moving_slot(e);
    }
    if (n->courses[number].is == UNSOLVED && worst == PLIANT__NONE) worst = g->vertices[island->first_vertex].slot;
    if (worst == PLIANT__NONE) return worst;
    n->courses[number].is = UNSOLVED;
    EACH_VERTEX(g, island, v)
    if (v->w > 0) pliant__set_slot_x(s->state->x, v->slot, pliant__slot_x(s->start, v->slot));
    EACH_MEMBER(g, island, e)
    for (uint32_t r = 0; r < e->rows; r++) s->lambda[e->value + (size_t)r * PLIANT__BLOCK] = 0;
    return worst;
}

/* ---- with gradients at the end instead ---- */

/* Whether an island waits for gradients at the end. */
static bool falls(const course *c) { return c->is == UNSOLVED && c->fell && !c->lost; }

/* An island that has fallen begins at the prediction, which sweeps over grabs and contacts may have moved. */
static void begin_rescue(pliant_solver *s, pliant__newton_net *n, uint32_t number)
{
    pliant__net          *g = &n->rescue->net;
    const pliant__island *island = &g->islands[number];
    course               *c = &n->rescue->courses[number];
    *c = (course){.is = falls(&n->courses[number]) ? OPEN : SOLVED};
    if (c->is != OPEN) return;
    EACH_VERTEX(g, island, v)
    {
        const pliant__vertex *from = &n->net.vertices[v - g->vertices];
        v->w = from->w, v->root = from->root;
        memcpy(v->base, from->base, sizeof v->base);
        memcpy(v->x, from->base, sizeof v->x);
        memcpy(v->from, from->base, sizeof v->from);
        memset(v->step, 0, sizeof v->step);
        if (v->w > 0) pliant__set_slot_x(s->state->x, v->slot, v3((pliant_real)v->x[0], (pliant_real)v->x[1], (pliant_real)v->x[2]));
    }
}
TASK(begin_rescue)

static void begin_rescued_members(pliant_solver *s, pliant__newton_net *n, uint32_t number)
{
    pliant__net          *g = &n->net;
    const pliant__island *island = &g->islands[number];
    if (n->courses[number].is != OPEN) return;
    EACH_MEMBER(g, island, e) begin_member(s, n, e);
}
TASK(begin_rescued_members)

/* Where an island that has fallen is now is where sweeps find it. */
static void end_rescue(pliant_solver *s, pliant__newton_net *n, uint32_t number)
{
    (void)s;
    const pliant__island *island = &n->net.islands[number];
    const course         *c = &n->rescue->courses[number];
    if (!falls(&n->courses[number])) return;
    n->courses[number].is = c->is;
    n->courses[number].lost = c->is == UNSOLVED;
    for (uint32_t i = island->first_vertex; i < island->first_vertex + island->vertex_count; i++)
        memcpy(n->net.vertices[i].x, n->rescue->net.vertices[i].x, sizeof n->net.vertices[i].x);
}
TASK(end_rescue)

/* Islands that have no solution with gradients of the start or the prediction are solved with those of the end. Whether there are any. */
static bool fall_back(pliant_solver *s, pliant__newton_net *n, uint32_t *done)
{
    bool any = false;
    for (uint32_t i = 0; n->rescue && i < n->net.island_count; i++) {
        course *c = &n->courses[i];
        if (c->lost || !has_no_solution(n, i)) continue;
        *c = (course){.is = UNSOLVED, .fell = true, .factored = c->factored, .depends = c->depends};
        any = true;
    }
    if (!any) return false;
    begin_rescue_all(s);
    *(pliant__newton_net **)s->own = n->rescue; /* what tasks and steps are of */
    linearize(s, s->state->x);
    begin_rescued_members_all(s);
    try_step(s);
    solve_islands(s, n->rescue, done);
    *(pliant__newton_net **)s->own = n;
    end_rescue_all(s);
    return true;
}

/* ---- the iterations ---- */

/* What a sweep over grabs and contacts has moved is as if it had been predicted so. */
static void follow(pliant_solver *s, pliant__newton_net *n, uint32_t number)
{
    pliant__net          *g = &n->net;
    const pliant__island *island = &g->islands[number];
    bool                  moved = false;
    EACH_VERTEX(g, island, v)
    {
        const pliant_vec3 x = pliant__slot_x(s->state->x, v->slot);
        const double      now[3] = {(double)x.x, (double)x.y, (double)x.z};
        for (int c = 0; c < 3; c++) {
            const double by = now[c] - (double)(pliant_real)v->x[c];
            v->base[c] += by;
            v->from[c] += by;
            moved = moved || by != 0;
        }
    }
    if (moved && n->courses[number].is == SOLVED && n->courses[number].fell)
        n->courses[number].is = UNSOLVED; /* it falls back again */
    else if (moved && n->courses[number].is == SOLVED)
        n->courses[number] = (course){.is = OPEN, .factored = n->courses[number].factored, .depends = n->courses[number].depends};
}
TASK(follow)

static bool any_rough(const pliant__newton_net *n)
{
    for (uint32_t i = 0; i < n->net.island_count; i++)
        if (n->courses[i].rough) return true;
    return false;
}

/* Whether an island is still to be solved in this substep. */
static bool any_left(const pliant__newton_net *n)
{
    for (uint32_t i = 0; i < n->net.island_count; i++)
        if (n->courses[i].is == OPEN || falls(&n->courses[i])) return true;
    return false;
}

void pliant__newton_net_solve(pliant_solver *s, pliant__newton_net *n)
{
    bool     fell = false;
    uint32_t done = 0;
    linearize(s, s->method.gradients == PLIANT_GRADIENTS_START ? s->start : s->state->x);
    begin_all(s);
    if (!pliant__go_on(s, 0)) return;
    for (uint32_t i = 0; i < s->iterations && !s->enough && (i == 0 || any_left(n)); i++) {
        try_step(s);
        solve_islands(s, n, &done);
        fell = fall_back(s, n, &done) || any_rough(n) || fell;
        for (uint32_t k = 0; k < n->net.island_count; k++) {
            const uint32_t slot = n->courses[k].is != OPEN ? give_up(s, n, k) : PLIANT__NONE;
            if (slot != PLIANT__NONE) pliant__note_unsolved(s, slot);
        }
        if (!s->interacting) break;
        pliant__project_interactions(s, i == 0);
        follow_all(s);
    }
    s->statistics.fallback_substeps += fell;
}
