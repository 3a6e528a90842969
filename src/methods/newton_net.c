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
#include "methods/newton.h"

#include "base/alloc.h"
#include "methods/net.h"
#include "state/state.h"

#include <string.h>

#define MOST_STEPS 400u
#define WHOLE_STEPS 25u  /* without a loan, first */
#define LAST_STEPS 30u   /* without a loan, last */
#define LENT_STEPS 15u   /* of one loan */
#define LENT_ENOUGH 1e-4 /* of the squares of what is left when it begins */
#define TOO_FAR 1e8      /* of the squares of what is left: whole steps go nowhere */
#ifdef PLIANT_DOUBLE
#define LOANS 9u
#define LAST_LOAN 1e-8
#define MOST_PULL 1e6
#define NEARLY 1e-6
#else
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

typedef struct net {
    pliant__newton newton;
    pliant__net    graph;
    /* Gradients fixed: the same net with gradients at the end, for islands without a solution; NULL: they have none then. It borrows the rows of
     * this one. */
    struct net *rescue;
    bool        borrows;
} net;

static net *net_of(pliant__newton *n) { return (net *)n; }

static bool is_implicit(const pliant__newton *n) { return ((const net *)n)->graph.curved; }

/* ---- a substep begins ---- */

/* Loops over what an island has. */
#define EACH_VERTEX(g, island, v) \
    for (pliant__vertex *v = (g)->vertices + (island)->first_vertex, *end_##v = v + (island)->vertex_count; v < end_##v; v++)
#define EACH_STRAND(g, island, k) \
    for (pliant__strand *k = (g)->strands + (island)->first_strand, *end_##k = k + (island)->strand_count; k < end_##k; k++)
#define EACH_MEMBER(g, island, e) \
    for (const pliant__member *e = (g)->members + (island)->first_member, *end_##e = e + (island)->member_count; e < end_##e; e++)

/* A member's gradients, as the kernels left them; 0 where it is idle. */
static void take_gradients(const pliant__newton *n, const pliant__member *e, bool idle, double *out)
{
    const pliant_real *from = n->rows.gradient + e->gradient;
    out += e->coefficient;
    for (uint32_t i = 0; i < e->rows * e->slots * 3; i++) out[i] = idle ? 0 : (double)from[(size_t)i * PLIANT__BLOCK];
}

/* Whether a member takes part, and how its strands answer to a force. */
static void begin_member(pliant_solver *s, pliant__newton *n, const pliant__member *e)
{
    pliant__net *g = &net_of(n)->graph;
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

static void begin(pliant_solver *s, pliant__newton *n, uint32_t number)
{
    pliant__net          *g = &net_of(n)->graph;
    const pliant__island *island = &g->islands[number];
    EACH_VERTEX(g, island, v)
    {
        const pliant_real *x = PLIANT__SLOT(s->state->x, v->slot);
        v->w = (double)x[3];
        v->root = sqrt(v->w);
        for (int c = 0; c < 3; c++) v->base[c] = v->x[c] = v->from[c] = (double)x[c];
        memset(v->step, 0, sizeof v->step);
    }
    EACH_MEMBER(g, island, e) begin_member(s, n, e);
    n->courses[number] = (pliant__course){.is = PLIANT__COURSE_OPEN};
}

/* Back to the prediction, for islands that whole steps have not solved. */
static void restart(pliant_solver *s, pliant__newton *n, uint32_t number)
{
    (void)s;
    pliant__net          *g = &net_of(n)->graph;
    const pliant__island *island = &g->islands[number];
    pliant__course       *c = &n->courses[number];
    if (!c->anew) return;
    EACH_VERTEX(g, island, v)
    {
        memcpy(v->from, v->base, sizeof v->from);
        memset(v->step, 0, sizeof v->step);
    }
    EACH_STRAND(g, island, k) k->lambda = k->change = 0;
    *c = (pliant__course){.is = PLIANT__COURSE_OPEN, .loan = 1, .lent = 1};
}

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

static void put(pliant_solver *s, pliant__newton *n, uint32_t number)
{
    pliant__net          *g = &net_of(n)->graph;
    const pliant__island *island = &g->islands[number];
    const pliant__course *c = &n->courses[number];
    if (c->is != PLIANT__COURSE_OPEN || c->accepted) return;
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

/* ---- what is left ---- */

/* What is left of one strand, and its force. */
static void look_at_strand(const pliant_solver *s, pliant__net *g, const pliant__member *e, uint32_t r, pliant__course *c)
{
    pliant__strand *k = &g->strands[e->first_strand + r];
    const double    lambda = k->lambda + c->t * k->change, soft = k->alpha + c->lent * k->response;
    const double   *gradient = g->jacobian + e->coefficient + (size_t)r * e->slots * 3;
    double          scale = e->rest;
    for (uint32_t a = 0; a < e->slots; a++) {
        const pliant_real *still = PLIANT__SLOT(s->state->x, e->slot[a]);
        pliant__vertex    *v = e->vertex[a] == PLIANT__NONE ? NULL : &g->vertices[e->vertex[a]];
        const double       at[3] = {(double)still[0], (double)still[1], (double)still[2]};
        const double       far = pliant__largest_of(v ? v->x : at), steep = pliant__largest_of(gradient + 3 * (size_t)a);
        scale += steep * (far + e->size);
        if (v) v->noise += fabs(lambda) * steep * (1 + far / e->size);
        for (uint32_t i = 0; i < 3 && v; i++) v->force[i] += lambda * gradient[3 * (size_t)a + i];
    }
    scale += fmin(k->response * fabs(lambda), MOST_PULL * scale);
    k->left = k->C + soft * lambda;
    c->now += k->C * k->C / (soft > 0 ? 2 * soft : 1);
    pliant__count_left(c, k->left, 1 / k->response, e->unit, scale);
}

/* What is left of the motion, M (x - base) - J^T lambda. */
static void look_at_motion(pliant__vertex *v, double size, pliant__course *c)
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        const double d = v->x[i] - v->base[i];
        v->force[i] = v->w > 0 ? v->force[i] - d / v->w : 0;
        square += v->force[i] * v->force[i];
        if (v->w > 0) c->now += d * d / (2 * v->w);
    }
    if (v->w > 0) pliant__count_left(c, v->w * sqrt(square), 1 / v->w, size, pliant__largest_of(v->x) + v->w * v->noise);
}

/* What is left of an island at x, from C and the gradients there. */
static void look_at_island(const pliant_solver *s, pliant__net *g, const pliant__island *island, pliant__course *c)
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

static void look(pliant_solver *s, pliant__newton *n, uint32_t number)
{
    pliant__net          *g = &net_of(n)->graph;
    const pliant__island *island = &g->islands[number];
    pliant__course       *c = &n->courses[number];
    if (c->is != PLIANT__COURSE_OPEN || c->accepted) return;
    EACH_MEMBER(g, island, e)
    {
        const bool idle = g->strands[e->first_strand].idle;
        take_gradients(n, e, idle, g->jacobian);
        for (uint32_t r = 0; r < e->rows; r++)
            g->strands[e->first_strand + r].C = idle ? 0 : (double)n->rows.C[e->value + (size_t)r * PLIANT__BLOCK];
    }
    look_at_island(s, g, island, c);
}

/* ---- a step ---- */

/* The derivative of the energy along the step. */
static double slope_of(pliant__net *g, const pliant__island *island, const pliant__course *c)
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
static bool factor_implicit(pliant_solver *s, pliant__net *g, const pliant__island *island, pliant__course *c)
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
static void lend(pliant_solver *s, pliant__net *g, const pliant__island *island, pliant__course *c)
{
    c->loan++;
    c->lent = c->loan > LOANS ? 0 : c->lent / 10;
    c->taken = 0;
    c->t = 0;
    look_at_island(s, g, island, c);
    c->first = c->sum;
}

/* The last loan is for good: whether it leaves little enough. */
static void resign(pliant_solver *s, pliant__net *g, const pliant__island *island, pliant__course *c)
{
    c->lent = 0;
    c->t = 0;
    look_at_island(s, g, island, c);
    c->rough = c->largest > NEARLY && c->largest <= ROUGHLY && s->method.fallback == PLIANT_FALLBACK_IMPLICIT;
    c->is = c->largest <= NEARLY || c->rough ? PLIANT__COURSE_SOLVED : PLIANT__COURSE_UNSOLVED;
}

static bool has_loan(const pliant__course *c) { return c->loan > 0 && c->loan <= LOANS; }

static void borrow_for_good(pliant_solver *s, pliant__net *g, const pliant__island *island, pliant__course *c)
{
    c->loan = LOANS;
    c->lent = LAST_LOAN;
    c->taken = 0;
    c->t = 0;
    look_at_island(s, g, island, c);
}

static bool is_repaid(const pliant__course *c)
{
    if (c->taken == 0) return false;
    if (c->resigned) return c->taken >= LENT_STEPS || c->tried == 0;
    return c->taken >= LENT_STEPS || c->sum <= LENT_ENOUGH * c->first || c->tried == 0;
}

static void aim(pliant_solver *s, pliant__newton *n, uint32_t number)
{
    pliant__net          *g = &net_of(n)->graph;
    const pliant__island *island = &g->islands[number];
    pliant__course       *c = &n->courses[number];
    if (c->is != PLIANT__COURSE_OPEN) return;
    if (c->taken == 0) c->first = c->sum;
    if (c->resigned && !has_loan(c)) borrow_for_good(s, g, island, c);
    if (c->resigned && is_repaid(c)) resign(s, g, island, c);
    while (has_loan(c) && is_repaid(c) && c->is == PLIANT__COURSE_OPEN) lend(s, g, island, c);
    if (c->is != PLIANT__COURSE_OPEN) return;
    if (!has_loan(c) && (c->largest <= (double)s->method.tolerance || (c->stalls >= STALLS && c->largest <= NEARLY)))
        c->is = PLIANT__COURSE_SOLVED;
    if (c->is != PLIANT__COURSE_OPEN) return;
    pliant__begin_search(c);
    c->least = c->largest;
    c->energy = c->now;
    bool good = false;
    if (is_implicit(n))
        good = factor_implicit(s, g, island, c) && pliant__island_solve(g, island);
    else
        good = (c->factored = c->factored || pliant__island_factor(s, g, island, 0, PLIANT__FIXED)) &&
               pliant__island_solve_fixed(g, island, c->merit == 0, &c->depends);
    if (!good) c->is = PLIANT__COURSE_UNSOLVED;
    if (has_loan(c)) c->slope = slope_of(g, island, c);
}

/* ---- the search along a step ---- */

/* With a loan: whether the energy has fallen. Where it cannot fall any more, the loan has done what it can. */
static bool settle_loan(pliant__course *c)
{
    if (c->t == 0) {
        c->taken = LENT_STEPS;
        return c->accepted = true;
    }
    if (c->now <= c->energy + PLIANT__ARMIJO * c->t * c->slope && c->slope < 0) return c->accepted = true;
    c->t = c->slope < 0 && c->t > PLIANT__SHORTEST ? c->t / 2 : 0;
    return false;
}

/* Without a loan, implicit: whole steps, until they rest, or get nowhere. */
static bool settle_by_steps(pliant__course *c)
{
    const bool finite = c->sum - c->sum == 0;
    if (c->t == 0 || (c->merit == 0 && c->sum < c->sum_before)) {
        c->is = PLIANT__COURSE_SOLVED;
        return c->accepted = true;
    }
    if (pliant__rests(c, true)) {
        c->t = 0;
        return false;
    }
    const bool slow = c->stalls >= 2 * STALLS && c->least <= SLOW;
    const bool lost = !finite || (c->taken > 0 && c->sum > TOO_FAR * c->first) || c->taken >= (c->loan ? LAST_STEPS : WHOLE_STEPS) || slow;
    c->anew = lost && !c->loan;
    c->resigned = lost && c->loan && finite;
    if (lost && c->loan && !finite) c->is = PLIANT__COURSE_UNSOLVED;
    return c->accepted = true;
}

static bool settle(const pliant__newton *n, pliant__course *c)
{
    return !is_implicit(n) ? pliant__settle_halved(c, c->least <= NEARLY) : has_loan(c) ? settle_loan(c) : settle_by_steps(c);
}

static void keep(pliant_solver *s, pliant__newton *n, uint32_t number)
{
    (void)s;
    pliant__net          *g = &net_of(n)->graph;
    const pliant__island *island = &g->islands[number];
    pliant__course       *c = &n->courses[number];
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

static bool begin_again(pliant_solver *s, pliant__newton *n, uint32_t step)
{
    bool any = false;
    (void)step;
    for (uint32_t i = 0; i < n->count; i++) any = any || n->courses[i].anew;
    if (any) pliant__newton_each(s, restart);
    return any;
}

/* ---- what has no solution ---- */

/* How far a distance has turned against the gradient along which its force acts: below 0 it is a mirror image. */
static double turned(const pliant__net *g, const pliant__member *e)
{
    const double *a = g->jacobian + e->coefficient, *b = g->fixed + e->coefficient;
    return e->edge ? a[0] * b[0] + a[1] * b[1] + a[2] * b[2] : 1;
}

static double turned_of(const net *n, uint32_t number, const pliant__member *e)
{
    return n->graph.curved || n->newton.courses[number].fell ? 1 : turned(&n->graph, e);
}

static bool has_no_solution(const net *n, uint32_t number)
{
    const pliant__net    *g = &n->graph;
    const pliant__island *island = &g->islands[number];
    const pliant__outcome is = n->newton.courses[number].is;
    if (is != PLIANT__COURSE_SOLVED) return is == PLIANT__COURSE_UNSOLVED;
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

static uint32_t give_up(pliant_solver *s, pliant__newton *n, uint32_t number)
{
    pliant__net          *g = &net_of(n)->graph;
    const pliant__island *island = &g->islands[number];
    uint32_t              worst = PLIANT__NONE;
    double                most = -1;
    EACH_MEMBER(g, island, e)
    {
        const double against = turned_of(net_of(n), number, e);
        double       left = fabs(g->strands[e->first_strand].left) / e->unit;
        if (n->courses[number].is != PLIANT__COURSE_UNSOLVED && !(against < 0)) continue;
        if (n->courses[number].is != PLIANT__COURSE_UNSOLVED) left = -against;
        if (left > most) most = left, worst = moving_slot(e);
    }
    if (n->courses[number].is == PLIANT__COURSE_UNSOLVED && worst == PLIANT__NONE) worst = g->vertices[island->first_vertex].slot;
    if (worst == PLIANT__NONE) return worst;
    n->courses[number].is = PLIANT__COURSE_UNSOLVED;
    EACH_VERTEX(g, island, v)
    if (v->w > 0) pliant__set_slot_x(s->state->x, v->slot, pliant__slot_x(s->start, v->slot));
    EACH_MEMBER(g, island, e)
    for (uint32_t r = 0; r < e->rows; r++) s->lambda[e->value + (size_t)r * PLIANT__BLOCK] = 0;
    return worst;
}

/* ---- with gradients at the end instead ---- */

/* An island that has fallen begins at the prediction, which sweeps over grabs and contacts may have moved. */
static void begin_rescue(pliant_solver *s, pliant__newton *n, uint32_t number)
{
    net                  *rescue = net_of(n)->rescue;
    pliant__net          *g = &rescue->graph;
    const pliant__island *island = &g->islands[number];
    pliant__course       *c = &rescue->newton.courses[number];
    *c = (pliant__course){.is = pliant__waits_for_rescue(&n->courses[number]) ? PLIANT__COURSE_OPEN : PLIANT__COURSE_SOLVED};
    if (c->is != PLIANT__COURSE_OPEN) return;
    EACH_VERTEX(g, island, v)
    {
        const pliant__vertex *from = &net_of(n)->graph.vertices[v - g->vertices];
        v->w = from->w, v->root = from->root;
        memcpy(v->base, from->base, sizeof v->base);
        memcpy(v->x, from->base, sizeof v->x);
        memcpy(v->from, from->base, sizeof v->from);
        memset(v->step, 0, sizeof v->step);
        if (v->w > 0) pliant__set_slot_x(s->state->x, v->slot, v3((pliant_real)v->x[0], (pliant_real)v->x[1], (pliant_real)v->x[2]));
    }
}

static void begin_rescued_members(pliant_solver *s, pliant__newton *n, uint32_t number)
{
    pliant__net          *g = &net_of(n)->graph;
    const pliant__island *island = &g->islands[number];
    if (n->courses[number].is != PLIANT__COURSE_OPEN) return;
    EACH_MEMBER(g, island, e) begin_member(s, n, e);
}

/* Where an island that has fallen is now is where sweeps find it. */
static void end_rescue(pliant_solver *s, pliant__newton *n, uint32_t number)
{
    (void)s;
    pliant__net          *g = &net_of(n)->graph;
    const net            *rescue = net_of(n)->rescue;
    const pliant__island *island = &g->islands[number];
    const pliant__course *c = &rescue->newton.courses[number];
    if (!pliant__waits_for_rescue(&n->courses[number])) return;
    n->courses[number].is = c->is;
    n->courses[number].lost = c->is == PLIANT__COURSE_UNSOLVED;
    for (uint32_t i = island->first_vertex; i < island->first_vertex + island->vertex_count; i++)
        memcpy(g->vertices[i].x, rescue->graph.vertices[i].x, sizeof g->vertices[i].x);
}

static bool fall_back(pliant_solver *s, pliant__newton *n, uint32_t *done)
{
    net *rescue = net_of(n)->rescue;
    bool any = false;
    for (uint32_t i = 0; rescue && i < n->count; i++) {
        pliant__course *c = &n->courses[i];
        if (c->lost || !has_no_solution(net_of(n), i)) continue;
        *c = (pliant__course){.is = PLIANT__COURSE_UNSOLVED, .fell = true, .factored = c->factored, .depends = c->depends};
        any = true;
    }
    if (!any) return false;
    pliant__newton_each(s, begin_rescue);
    s->method_data = &rescue->newton;
    pliant__newton_linearize(s, s->state->x);
    pliant__newton_each(s, begin_rescued_members);
    pliant__newton_try(s);
    pliant__newton_steps(s, &rescue->newton, done);
    s->method_data = n;
    pliant__newton_each(s, end_rescue);
    return true;
}

static void follow(pliant_solver *s, pliant__newton *n, uint32_t number)
{
    pliant__net          *g = &net_of(n)->graph;
    const pliant__island *island = &g->islands[number];
    pliant__course       *c = &n->courses[number];
    bool                  moved = false;
    EACH_VERTEX(g, island, v) moved = pliant__follow_slot(s, v->slot, v->x, v->base, v->from) || moved;
    if (!moved || c->is != PLIANT__COURSE_SOLVED) return;
    if (c->fell)
        c->is = PLIANT__COURSE_UNSOLVED; /* it falls back again */
    else
        *c = (pliant__course){.is = PLIANT__COURSE_OPEN, .factored = c->factored, .depends = c->depends};
}

/* ---- memory ---- */

static uint32_t size_of(const pliant__newton *n, uint32_t number) { return ((const net *)n)->graph.islands[number].strand_count; }

static void destroy(pliant_solver *s, pliant__newton *newton)
{
    net *n = net_of(newton);
    if (n->rescue) destroy(s, &n->rescue->newton);
    if (!n->borrows) pliant__linear_rows_free(&s->allocator, &newton->rows);
    pliant__newton_free(&s->allocator, newton);
    pliant__net_free(s, &n->graph);
    pliant__free(&s->allocator, n);
}

static const pliant__newton_kind kind = {.most_steps = MOST_STEPS,
                                         .begin = begin,
                                         .put = put,
                                         .look = look,
                                         .aim = aim,
                                         .keep = keep,
                                         .follow = follow,
                                         .size_of = size_of,
                                         .begin_again = begin_again,
                                         .settle = settle,
                                         .fall_back = fall_back,
                                         .give_up = give_up,
                                         .destroy = destroy};

/* A net on these rows, or, NULL, on rows of its own; NULL with an error. */
static net *make(pliant_solver *s, bool implicit, const pliant__linear_rows *rows, pliant_error *error)
{
    const pliant_allocator *a = &s->allocator;
    net                    *n = pliant__alloc(a, sizeof *n);
    if (n && rows) n->newton.rows = *rows, n->borrows = true;
    if (n && (rows || pliant__linear_rows_make(a, s->model, &n->newton.rows))) {
        if (!pliant__net_make(s, &n->graph, &n->newton.rows, implicit, error)) {
            destroy(s, &n->newton);
            return NULL;
        }
        if (pliant__newton_make(a, &n->newton, &kind, n->graph.island_count)) return n;
    }
    if (n) destroy(s, &n->newton);
    pliant__fail_memory(error, s->model->header->packed_rows * sizeof *n->graph.members, "Newton's method");
    return NULL;
}

pliant__newton *pliant__newton_net_create(pliant_solver *s, pliant_error *error)
{
    const bool implicit = s->method.gradients == PLIANT_GRADIENTS_IMPLICIT;
    net       *n = make(s, implicit, NULL, error);
    if (!n) return NULL;
    if (implicit || s->method.fallback != PLIANT_FALLBACK_IMPLICIT) return &n->newton;
    if ((n->rescue = make(s, true, &n->newton.rows, error))) return &n->newton;
    destroy(s, &n->newton);
    return NULL;
}
