/* Shape matching: an interaction.
 *
 * A cluster of particles has the places q at rest, from its centre of mass. It is fitted anew in each sweep: the centre c of mass; the linear map
 * F = (sum m (x - c) q^T) (sum m q q^T)^-1 that leaves least, d = x - c - F q; the rotation R of F, or of sum m (x - c) q^T where the cluster is rigid;
 * of d the part H s that a quadratic map fits. Its rows are 0 at rest, and are projected one after another (constraints/groups/match.h); none moves c, and none turns
 * the cluster, for sum m q = sum m d = 0, sum m d q^T = 0, and R^T F is symmetric.
 *
 * Where q all lie in a plane, on a line or in a point, F is of these directions alone, and 0 in others; the strain is R^T F less the projection on them.
 *
 * A row asks for S = sum w |grad C|^2 as if no member were pinned. With the places of all members as they are now, the energy is the least of all such energies with
 * places that are turned and moved otherwise: a step towards them, as far as these alone allow, never goes too far in any direction, whatever pins
 * do; with the smaller S of pinned members it would along the gradient, and be explicit across it, where tension is large.
 *
 * A cluster that has yielded has other places at rest, A q: A, its plastic map, is a part of the state, and F maps these. A quadratic map of q is one of A q as
 * well, so H s stays as it is.
 *
 * Clusters overlap. All are solved from the same positions, each as if it had an n-th of a particle that n clusters have (mass splitting, Tonge et al. 2012):
 * so the particle goes where they put it on the average, momentum is kept, and no order of clusters is preferred. What clusters do to their members is noted
 * member by member, and gathered particle by particle: nothing is scattered, and the order of the sums is that of the model. */
#include "solver/matches.h"

#include "base/alloc.h"
#include "constraints/groups.h"
#include "constraints/match_yield.h"
#include "constraints/matching.h"
#include "solver/energies.h"
#include "solver/groups.h"
#include "solver/interactions.h"
#include "solver/laws.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/state.h"

#include <math.h>
#include <string.h>

#define MATCH_WORK 24u /* a member that is fitted and moved, in the count of tasks.h */

static bool is_off(const pliant_solver *s, const pliant__model_match *m) { return s->off.bodies[s->model->groups[m->group].body] != 0; }

/* ---- what it keeps ---- */

static bool create(pliant_solver *s)
{
    const pliant_model *m = s->model;
    pliant__matches    *k = s->matches = pliant__alloc(&s->allocator, sizeof *k);
    if (!k || !model_count(m, matches)) return k != NULL;
    k->of = pliant__alloc_array(&s->allocator, model_count(m, matches), sizeof *k->of);
    k->at = pliant__alloc_array(&s->allocator, model_count(m, match_slots), sizeof *k->at);
    k->push = pliant__alloc_array(&s->allocator, model_count(m, match_slots), sizeof *k->push);
    k->impulse = pliant__alloc_array(&s->allocator, model_count(m, matched_slots), sizeof *k->impulse);
    k->of_group = pliant__alloc_array(&s->allocator, model_count(m, groups), sizeof *k->of_group);
    k->led = pliant__alloc_array(&s->allocator, model_count(m, groups), sizeof *k->led);
    return k->of && k->at && k->push && k->impulse && k->of_group && k->led;
}

static void destroy(pliant_solver *s)
{
    if (!s->matches) return;
    pliant__free(&s->allocator, s->matches->of);
    pliant__free(&s->allocator, s->matches->at);
    pliant__free(&s->allocator, s->matches->push);
    pliant__free(&s->allocator, s->matches->impulse);
    pliant__free(&s->allocator, s->matches->of_group);
    pliant__free(&s->allocator, s->matches->led);
    pliant__free(&s->allocator, s->matches);
}

static bool wanted(const pliant_solver *s) { return model_count(s->model, matches) > 0; }

/* ---- a cluster ---- */

typedef struct fit {
    const pliant__model_match     *m;
    const pliant__model_quadratic *quadratic; /* NULL: none */
    const pliant_real             *offset;    /* 4 per member */
    const pliant_real             *plastic;   /* A by rows, or NULL: places at rest are as in the scene */
    const uint32_t                *slot;
    double (*at)[3];
    match_order    order;
    bool           held;       /* some member is pinned */
    pliant__square map, turn;  /* F, of a rigid cluster R; R */
    pliant__square inverse;    /* of sum m q q^T, q the places at rest now */
    double         bend[3][6]; /* H */
    double         stiffness[MATCH_ROWS];
} fit;

/* Where a member is at rest in the scene. Returns its share of the mass. */
__attribute__((always_inline)) static inline double place_of(const fit *f, uint32_t i, double q[3])
{
    const pliant_real *o = f->offset + 4 * (size_t)i;
    for (int k = 0; k < 3; k++) q[k] = (double)o[k] - f->m->centre[k];
    return (double)o[3];
}

typedef struct place {
    double x, y, z;
} place;

/* Apart from the loops that ask for it, which stay as they are without a yield. */
static place yielded(const pliant_real *a, double x, double y, double z)
{
    return (place){(double)a[0] * x + (double)a[1] * y + (double)a[2] * z, (double)a[3] * x + (double)a[4] * y + (double)a[5] * z,
                   (double)a[6] * x + (double)a[7] * y + (double)a[8] * z};
}

/* Where it is at rest now. `yields`: the fit has a plastic map; loops are compiled for either, so that one without pays nothing. */
__attribute__((always_inline)) static inline double rest_of(const fit *f, bool yields, uint32_t i, double q[3])
{
    const double mass = place_of(f, i, q);
    if (!yields) return mass;
    const place to = yielded(f->plastic, q[0], q[1], q[2]);
    q[0] = to.x, q[1] = to.y, q[2] = to.z;
    return mass;
}

__attribute__((always_inline)) static inline void apply(const pliant__square *a, const double q[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = a->m[k][0] * q[0] + a->m[k][1] * q[1] + a->m[k][2] * q[2];
}

static void quadratic_of(const fit *f, const double q[3], double s[6])
{
    const pliant__model_quadratic *h = f->quadratic;
    for (int k = 0; k < 3; k++) {
        s[k] = q[k] * q[k];
        s[3 + k] = q[k] * q[(k + 1) % 3];
    }
    for (int k = 0; k < 6; k++) s[k] -= h->mean[k] + h->slope[k][0] * q[0] + h->slope[k][1] * q[1] + h->slope[k][2] * q[2];
}

/* Members as they are, from their centre of mass. Their differences from the first one are taken in pliant_real, as those at rest were: at rest both are equal,
 * to the bit. */
static void gather_members(const pliant_solver *s, fit *f)
{
    const pliant_real *x = s->state->x;
    const pliant_vec3  from = pliant__slot_x(x, f->slot[0]);
    double             sum[3] = {0, 0, 0};
    f->held = false;
    for (uint32_t i = 0; i < f->m->member_count; i++) {
        const pliant_vec3 d = v3_sub(pliant__slot_x(x, f->slot[i]), from);
        double            q[3];
        const double      mass = place_of(f, i, q), at[3] = {(double)d.x, (double)d.y, (double)d.z};
        for (int k = 0; k < 3; k++) {
            f->at[i][k] = at[k];
            sum[k] += mass * at[k];
        }
        f->held = f->held || PLIANT__SLOT(x, f->slot[i])[3] == 0;
    }
    for (int k = 0; k < 3; k++) sum[k] /= f->m->mass;
    for (uint32_t i = 0; i < f->m->member_count; i++)
        for (int k = 0; k < 3; k++) f->at[i][k] -= sum[k];
}

/* sum m (x - c - R q) q^T, R a rotation, or 0 where it is NULL. */
__attribute__((always_inline)) static inline pliant__square sum_moments(const fit *f, bool yields, const pliant__square *turn)
{
    pliant__square a;
    memset(&a, 0, sizeof a);
    for (uint32_t i = 0; i < f->m->member_count; i++) {
        double       q[3], mapped[3] = {0, 0, 0};
        const double mass = rest_of(f, yields, i, q);
        if (turn) apply(turn, q, mapped);
        for (int k = 0; k < 9; k++) a.m[k / 3][k % 3] += mass * (f->at[i][k / 3] - mapped[k / 3]) * q[k % 3];
    }
    return a;
}

static pliant__square moments_of(const fit *f, const pliant__square *turn)
{
    return f->plastic ? sum_moments(f, true, turn) : sum_moments(f, false, turn);
}

/* F, as what a rotation that is near leaves to be added to it: the inverse makes much of rounding in a sum over places that are long one way and thin the other. */
static pliant__square linear_map(const fit *f, const pliant__square *turn)
{
    const pliant__square a = moments_of(f, turn), range = pliant__of_symmetric(f->m->range), rest = pliant__product(&a, &f->inverse);
    pliant__square       map = pliant__product(turn, &range);
    for (int k = 0; k < 9; k++) map.m[k / 3][k % 3] += rest.m[k / 3][k % 3];
    return map;
}

#define NEAR 0.1 /* rad, or what of it the quaternion has */

/* The rotation is that of the map, and it is fitted once more where it was far off. */
static void fit_map(const pliant_solver *s, fit *f, uint32_t cluster)
{
    pliant_real   *kept = s->state->match_rotation + 4 * (size_t)cluster;
    double         q[4] = {(double)kept[0], (double)kept[1], (double)kept[2], (double)kept[3]}, off = 0;
    const bool     rigid = f->order == MATCH_RIGID;
    pliant__square before;
    pliant__make_unit(q);
    before = pliant__square_of_quaternion(q);
    f->map = rigid ? moments_of(f, NULL) : linear_map(f, &before);
    pliant__nearest_rotation(&f->map, q);
    f->turn = pliant__square_of_quaternion(q);
    for (int k = 0; k < 9; k++) off = fmax(off, fabs(f->turn.m[k / 3][k % 3] - before.m[k / 3][k % 3]));
    if (!rigid && off > NEAR) {
        f->map = linear_map(f, &f->turn);
        pliant__nearest_rotation(&f->map, q);
        f->turn = pliant__square_of_quaternion(q);
    }
    if (rigid) f->map = f->turn;
    for (int k = 0; k < 4; k++) kept[k] = (pliant_real)q[k];
}

/* Turns places into what the map leaves of them, d. */
__attribute__((always_inline)) static inline void leave_map_of(const fit *f, bool yields)
{
    for (uint32_t i = 0; i < f->m->member_count; i++) {
        double q[3], mapped[3];
        rest_of(f, yields, i, q);
        apply(&f->map, q, mapped);
        for (int k = 0; k < 3; k++) f->at[i][k] -= mapped[k];
    }
}

static void leave_map(const fit *f)
{
    if (f->plastic)
        leave_map_of(f, true);
    else
        leave_map_of(f, false);
}

static void fit_bend(fit *f)
{
    double with[3][6] = {{0}};
    for (uint32_t i = 0; i < f->m->member_count; i++) {
        double       q[3], s[6];
        const double mass = place_of(f, i, q);
        quadratic_of(f, q, s);
        for (int k = 0; k < 18; k++) with[k / 6][k % 6] += mass * f->at[i][k / 6] * s[k % 6];
    }
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 6; j++) {
            f->bend[k][j] = 0;
            for (int l = 0; l < 6; l++) f->bend[k][j] += with[k][l] * f->quadratic->inverse[l][j];
        }
}

static void bent(const fit *f, const double q[3], double out[3])
{
    double s[6];
    quadratic_of(f, q, s);
    for (int k = 0; k < 3; k++) {
        out[k] = 0;
        for (int j = 0; j < 6; j++) out[k] += f->bend[k][j] * s[j];
    }
}

/* Squares of what the quadratic map adds, and of what is left. */
static void squares_of(const fit *f, double square[2])
{
    square[0] = square[1] = 0;
    for (uint32_t i = 0; i < f->m->member_count; i++) {
        double       q[3], by[3] = {0, 0, 0};
        const double mass = place_of(f, i, q);
        if (f->quadratic) bent(f, q, by);
        for (int k = 0; k < 3; k++) {
            square[0] += mass * by[k] * by[k];
            square[1] += mass * (f->at[i][k] - by[k]) * (f->at[i][k] - by[k]);
        }
    }
}

/* The strain R^T F less the projection on the directions that q have. */
static void strain_of(const fit *f, pliant__square *strain)
{
    double         e[6];
    pliant__square product = pliant__transposed_product(&f->turn, &f->map);
    pliant__to_symmetric(&product, e);
    for (int k = 0; k < 6; k++) e[k] -= f->m->range[k];
    *strain = pliant__of_symmetric(e);
}

static double trace_of(const pliant__square *a) { return a->m[0][0] + a->m[1][1] + a->m[2][2]; }

static double length_of(const pliant__square *a)
{
    double sum = 0;
    for (int k = 0; k < 9; k++) sum += a->m[k / 3][k % 3] * a->m[k / 3][k % 3];
    return sqrt(sum);
}

static double inner(const pliant__square *a, const pliant__square *b)
{
    double sum = 0;
    for (int k = 0; k < 9; k++) sum += a->m[k / 3][k % 3] * b->m[k / 3][k % 3];
    return sum;
}

static pliant__square plastic_of(const fit *f)
{
    pliant__square a;
    for (int k = 0; k < 9; k++) a.m[k / 3][k % 3] = (double)f->plastic[k];
    return a;
}

/* (A (sum m q q^T) A^T)^-1 = A^-T (sum m q q^T)^-1 A^-1 */
static void yield_inverse(fit *f)
{
    const pliant__square a = plastic_of(f), away = pliant__inverse(&a), part = pliant__transposed_product(&away, &f->inverse);
    f->inverse = pliant__product(&part, &away);
}

static void start(const pliant_solver *s, fit *f, uint32_t cluster)
{
    const pliant__model_match *m = &s->model->matches[cluster];
    const pliant__model_group *g = &s->model->groups[m->group];
    const match_size           size = {m->volume, m->mass / m->volume, m->spacing2, m->reach2};
    double                     number[PLIANT_GROUP_NUMBERS];
    f->m = m;
    f->quadratic = m->quadratic == PLIANT__NONE ? NULL : &s->model->match_quadratics[m->quadratic];
    f->offset = s->model->match_offsets + 4 * (size_t)m->first_member;
    f->slot = s->model->match_slots + m->first_member;
    f->at = s->matches->at + m->first_member;
    f->order = pliant__match_order((pliant_group_kind)g->kind);
    f->inverse = pliant__of_symmetric(m->inverse);
    f->plastic = m->flow ? s->state->match_plastic + 9 * (size_t)(m->flow - 1) : NULL;
    if (f->plastic) yield_inverse(f);
    memcpy(number, g->number, sizeof number);
    number[0] = s->state->group_number[m->group];
    pliant__match_stiffness((pliant_group_kind)g->kind, number, &size, f->stiffness);
    gather_members(s, f);
}

/* ---- a sweep ---- */

/* By how much the multiplier of a row changes; and it does. */
static double change(const pliant_solver *s, const fit *f, double *lambda, match_row row, double value, double response)
{
    if (!(f->stiffness[row] > 0)) return 0;
    const double alpha = 1 / (f->stiffness[row] * (s->h * s->h)), below = pliant__ease_of_groups(s) * response + alpha;
    if (!(response > 0)) return 0;
    const double by = -(value + alpha * lambda[row]) / below;
    lambda[row] += by;
    return by;
}

/* Rows of the strain: the map T by which members are moved, T q. */
static pliant__square strain_rows(const pliant_solver *s, const fit *f, double *lambda)
{
    pliant__square strain, along, moved, turned;
    double         of_length = 0, of_trace;
    strain_of(f, &strain);
    const double length = length_of(&strain);
    if (length > 0) {
        for (int k = 0; k < 9; k++) along.m[k / 3][k % 3] = strain.m[k / 3][k % 3] / length;
        moved = pliant__product(&along, &f->inverse);
        of_length = change(s, f, lambda, MATCH_LENGTH, length, inner(&moved, &along));
        for (int k = 0; k < 9; k++) {
            strain.m[k / 3][k % 3] += of_length * moved.m[k / 3][k % 3];
            along.m[k / 3][k % 3] *= of_length;
        }
    } else
        memset(&along, 0, sizeof along);
    of_trace = change(s, f, lambda, MATCH_TRACE, trace_of(&strain), trace_of(&f->inverse));
    for (int k = 0; k < 3; k++) along.m[k][k] += of_trace;
    turned = pliant__product(&f->turn, &along);
    return pliant__product(&turned, &f->inverse);
}

/* Moves what members moves by the map, and fits anew. */
static void move_by(const pliant_solver *s, fit *f, const pliant__square *by)
{
    double sum[3] = {0, 0, 0};
    for (uint32_t i = 0; i < f->m->member_count; i++) {
        double       q[3], d[3];
        const double mass = rest_of(f, f->plastic != NULL, i, q);
        pliant_vec3 *push = &s->matches->push[f->m->first_member + i];
        apply(by, q, d);
        *push = v3((pliant_real)(mass * d[0]), (pliant_real)(mass * d[1]), (pliant_real)(mass * d[2]));
        if (PLIANT__SLOT(s->state->x, f->slot[i])[3] == 0) continue;
        for (int k = 0; k < 3; k++) {
            f->at[i][k] += d[k];
            sum[k] += mass * d[k] / f->m->mass;
        }
    }
    if (!f->held) { /* the map has changed by T, and nothing else has */
        for (int k = 0; k < 9; k++) f->map.m[k / 3][k % 3] += by->m[k / 3][k % 3];
        return;
    }
    for (uint32_t i = 0; i < f->m->member_count; i++)
        for (int k = 0; k < 3; k++) f->at[i][k] -= sum[k];
    f->map = linear_map(f, &f->turn);
}

static void solve_cluster(void *solver, uint32_t cluster)
{
    pliant_solver *s = solver;
    double        *lambda = s->matches->of[cluster].lambda, square[2], share[2] = {0, 0};
    fit            f;
    if (is_off(s, &s->model->matches[cluster])) {
        const pliant__model_match *m = &s->model->matches[cluster];
        if (s->matches->first) memset(s->matches->push + m->first_member, 0, m->member_count * sizeof *s->matches->push);
        return;
    }
    if (s->matches->first) memset(lambda, 0, MATCH_ROWS * sizeof *lambda);
    start(s, &f, cluster);
    fit_map(s, &f, cluster);
    if (f.order == MATCH_RIGID)
        memset(s->matches->push + f.m->first_member, 0, f.m->member_count * sizeof *s->matches->push);
    else {
        const pliant__square by = strain_rows(s, &f, lambda);
        move_by(s, &f, &by);
    }
    leave_map(&f);
    if (f.quadratic) fit_bend(&f);
    squares_of(&f, square);
    for (int r = 0; r < 2; r++) {
        const double value = sqrt(square[r]);
        if (value > 0) share[r] = change(s, &f, lambda, r ? MATCH_REST : MATCH_BEND, value, 1) / value;
    }
    for (uint32_t i = 0; i < f.m->member_count; i++) {
        double       q[3], by[3] = {0, 0, 0}, d[3];
        const double mass = place_of(&f, i, q);
        pliant_vec3 *push = &s->matches->push[f.m->first_member + i];
        if (f.quadratic) bent(&f, q, by);
        for (int k = 0; k < 3; k++) d[k] = mass * (share[0] * by[k] + share[1] * (f.at[i][k] - by[k]));
        *push = v3_add(*push, v3((pliant_real)d[0], (pliant_real)d[1], (pliant_real)d[2]));
    }
}

#define SLOTS_PIECE 256u

static void move_piece(void *solver, uint32_t piece)
{
    pliant_solver      *s = solver;
    const pliant_model *m = s->model;
    const uint32_t      count = (uint32_t)model_count(m, matched_slots), first = piece * SLOTS_PIECE;
    for (uint32_t i = first; i < count && i < first + SLOTS_PIECE; i++) {
        pliant_real *x = PLIANT__SLOT(s->state->x, m->matched_slots[i]);
        pliant_vec3  sum = v3(0, 0, 0);
        for (uint32_t k = m->matched_first[i]; k < m->matched_first[i + 1]; k++) sum = v3_add(sum, s->matches->push[m->matched_members[k]]);
        s->matches->impulse[i] = s->matches->first ? sum : v3_add(s->matches->impulse[i], sum);
        if (x[3] != 0) pliant__set_slot_x(x, 0, v3_madd(pliant__slot_x(x, 0), sum, x[3]));
    }
}

static uint64_t work_of_members(const pliant_solver *s) { return MATCH_WORK * (uint64_t)model_count(s->model, match_slots); }

static void project(pliant_solver *s, bool first)
{
    const size_t slots = model_count(s->model, matched_slots);
    s->matches->first = first;
    pliant__run_light_counted(s, solve_cluster, (uint32_t)model_count(s->model, matches), work_of_members(s));
    pliant__run_light_counted(s, move_piece, (uint32_t)((slots + SLOTS_PIECE - 1) / SLOTS_PIECE), work_of_members(s) / 4);
}

/* ---- flow ---- */

/* Fits a cluster and leaves the rotation in the state as it is. */
static void look_at(const pliant_solver *s, fit *f, uint32_t cluster)
{
    pliant_real kept[4];
    memcpy(kept, s->state->match_rotation + 4 * (size_t)cluster, sizeof kept);
    start(s, f, cluster);
    fit_map(s, f, cluster);
    memcpy(s->state->match_rotation + 4 * (size_t)cluster, kept, sizeof kept);
}

static void flow_cluster(void *solver, uint32_t cluster)
{
    pliant_solver             *s = solver;
    const pliant__model_match *m = &s->model->matches[cluster];
    const pliant__model_group *g = &s->model->groups[m->group];
    if (!m->flow || is_off(s, m)) return;
    fit               f;
    pliant__square    stretch, plastic;
    double            symmetric[6];
    const match_yield law = pliant__match_yield((pliant_group_kind)g->kind, g->number);
    look_at(s, &f, cluster);
    const match_strained strained = {&stretch, m->range, {f.stiffness[MATCH_LENGTH], f.stiffness[MATCH_TRACE], 0, 0}};
    stretch = pliant__transposed_product(&f.turn, &f.map);
    pliant__to_symmetric(&stretch, symmetric);
    stretch = pliant__of_symmetric(symmetric);
    plastic = plastic_of(&f);
    if (!pliant__match_flow(&law, &strained, s->substep_h, &plastic)) return;
    pliant_real *to = s->state->match_plastic + 9 * (size_t)(m->flow - 1);
    for (int k = 0; k < 9; k++) to[k] = (pliant_real)plastic.m[k / 3][k % 3];
}

static void flow(pliant_solver *s)
{
    if (s->model->header->match_flow_count)
        pliant__run_light_counted(s, flow_cluster, (uint32_t)model_count(s->model, matches), work_of_members(s));
}

/* ---- reports ---- */

/* J, what a row of value C holds, in series with what a sweep is to it (ease.c); and by how much that grows with its stiffness, times the stiffness. */
static void add_energy(const pliant_solver *s, const fit *f, match_row row, double value, double response, pliant__match_now *now)
{
    if (!(f->stiffness[row] > 0)) return;
    const double soft = f->stiffness[row] * pliant__spring_of_groups(s) * response,
                 held = 0.5 * f->stiffness[row] * value * value / (1 + soft);
    now->held += held;
}

static void weigh_cluster(void *solver, uint32_t cluster)
{
    pliant_solver     *s = solver;
    pliant__match_now *now = &s->matches->of[cluster];
    double             square[2];
    fit                f;
    now->held = 0;
    if (is_off(s, &s->model->matches[cluster])) return;
    look_at(s, &f, cluster);
    if (f.order != MATCH_RIGID) {
        pliant__square strain, moved;
        strain_of(&f, &strain);
        const double length = length_of(&strain);
        moved = pliant__product(&strain, &f.inverse);
        if (length > 0) add_energy(s, &f, MATCH_LENGTH, length, inner(&moved, &strain) / (length * length), now);
        add_energy(s, &f, MATCH_TRACE, trace_of(&strain), trace_of(&f.inverse), now);
    }
    leave_map(&f);
    if (f.quadratic) fit_bend(&f);
    squares_of(&f, square);
    for (int r = 0; r < 2; r++)
        if (square[r] > 0) add_energy(s, &f, r ? MATCH_REST : MATCH_BEND, sqrt(square[r]), 1, now);
}

static void weigh(pliant_solver *s)
{
    pliant__run_light_counted(s, weigh_cluster, (uint32_t)model_count(s->model, matches), work_of_members(s));
}

static void energy(pliant_solver *s)
{
    weigh(s);
    for (size_t i = 0; i < model_count(s->model, matches); i++) {
        pliant_energy *body = &s->energies->bodies[s->model->groups[s->model->matches[i].group].body];
        body->elastic += s->matches->of[i].held;
        body->unresolved -= s->matches->of[i].held; /* which is reckoned as elastic, less the least that rows hold */
    }
}

/* Adds what clusters hold at the shape that the substep begins with, `sign` times, to their groups. */
static void add_held(pliant_solver *s, double sign)
{
    weigh(s);
    for (size_t i = 0; i < model_count(s->model, matches); i++)
        s->matches->of_group[s->model->matches[i].group] += sign * s->matches->of[i].held;
}

/* What leads a number works as much as clusters hold more at the new one than at the old one, in the same shape. */
static void move(pliant_solver *s)
{
    bool any = false;
    for (size_t i = 0; i < model_count(s->model, groups); i++) {
        s->matches->of_group[i] = 0;
        any = any || s->groups->of[i].pumped < 0 || s->groups->of[i].pumped > 0;
    }
    if (!any || !s->energies) return;
    add_held(s, 1);
    memcpy(s->matches->led, s->state->group_number, model_count(s->model, groups) * sizeof *s->matches->led);
    for (size_t i = 0; i < model_count(s->model, groups); i++) s->state->group_number[i] -= s->groups->of[i].pumped;
    add_held(s, -1);
    memcpy(s->state->group_number, s->matches->led, model_count(s->model, groups) * sizeof *s->matches->led);
}

static void gather(pliant_solver *s)
{
    const pliant_model *m = s->model;
    for (size_t i = 0; i < model_count(m, matched_slots); i++) {
        const uint32_t slot = m->matched_slots[i];
        if (PLIANT__SLOT(s->state->x, slot)[3] != 0)
            pliant__set_slot_x(s->sum, slot, v3_add(pliant__slot_x(s->sum, slot), s->matches->impulse[i]));
    }
}

/* What is led works against the clusters that hold it. */
static void work_of_led(pliant_solver *s)
{
    const pliant_model *m = s->model;
    for (size_t i = 0; i < model_count(m, matched_slots); i++) {
        const uint32_t slot = m->matched_slots[i];
        if (PLIANT__SLOT(s->state->x, slot)[3] != 0) continue;
        const double along = pliant__dot(s->matches->impulse[i], pliant__way_of(s, slot));
        s->energies->bodies[s->energies->slot_body[slot]].work -= along / (s->h * s->h);
    }
}

static void work(pliant_solver *s)
{
    if (s->energies->leads) work_of_led(s);
    for (size_t i = 0; i < model_count(s->model, groups); i++)
        if (fabs(s->groups->of[i].pumped) > 0) s->energies->bodies[s->model->groups[i].body].work += s->matches->of_group[i];
}

const pliant__interaction pliant__interaction_matches = {.create = create,
                                                         .destroy = destroy,
                                                         .wanted = wanted,
                                                         .move = move,
                                                         .project = project,
                                                         .flow = flow,
                                                         .gather = gather,
                                                         .energy = energy,
                                                         .work = work};
