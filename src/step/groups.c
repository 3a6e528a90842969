/* Groups over faces, closed surfaces that are filled: an interaction. The numbers of all groups change here; those over members: matches.c.
 *
 * Inside a closed surface is V = sum over triangles a b c of (a x b) . c / 6, whatever the origin, so a particle has the gradient grad_i V = sum over its triangles
 * i a b of a x b / 6, and V = sum of x_i . grad_i V / 3. Edges around a particle are listed with it: members are gathered in parallel, in one order.
 *
 * A group presses with p(V), and its row is implicit like any other's (XPBD, Macklin 2016, with a law that is not linear): the multiplier lambda = h^2 p
 * changes by (h^2 p(V) - lambda) / (1 + h^2 (-dp/dV) S), S = sum of w |grad V|^2, and particles by w grad V of that. Where p falls with V, as all laws
 * have it, the denominator is at least 1. Where substeps become shorter S counts more (ease.c).
 *
 * The first number of a group changes by keys or inputs, by what its law loses, and by what flows through its mouth (mouths.c), at the start of each substep. */
#include "solver/groups.h"

#include "base/alloc.h"
#include "constraints/groups.h"
#include "solver/energies.h"
#include "solver/interactions.h"
#include "solver/laws.h"
#include "solver/legs.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"
#include "step/mouths.h"

#include <math.h>
#include <string.h>

#define GROUP_WORK 8u /* a member that is gathered or moved, in the count of tasks.h */

static bool is_over_faces(const pliant_solver *s, uint32_t group)
{
    return pliant__group_over((pliant_group_kind)s->model->groups[group].kind) == PLIANT_OVER_FACES;
}

static bool is_off(const pliant_solver *s, uint32_t group) { return s->off.bodies[s->model->groups[group].body] != 0; }

/* ---- what it keeps ---- */

static uint32_t pieces_of(const pliant__model_group *g)
{
    if (pliant__group_over((pliant_group_kind)g->kind) != PLIANT_OVER_FACES) return 0;
    return (g->member_count + PLIANT__GROUP_PIECE - 1) / PLIANT__GROUP_PIECE;
}

static bool create(pliant_solver *s)
{
    const pliant_model *m = s->model;
    pliant__groups     *g = s->groups = pliant__alloc(&s->allocator, sizeof *g);
    if (!g) return false;
    for (size_t i = 0; i < model_count(m, groups); i++) g->piece_count += pieces_of(&m->groups[i]);
    g->of = pliant__alloc_array(&s->allocator, model_count(m, groups), sizeof *g->of);
    g->gradient = pliant__alloc_array(&s->allocator, model_count(m, group_members), sizeof *g->gradient);
    g->pieces = pliant__alloc_array(&s->allocator, g->piece_count, sizeof *g->pieces);
    if (!g->of || !g->gradient || !g->pieces || !pliant__create_mouths(s)) return false;
    pliant__group_piece *piece = g->pieces;
    for (uint32_t i = 0; i < model_count(m, groups); i++) {
        const uint32_t first = m->groups[i].first_member, end = first + m->groups[i].member_count;
        if (!pieces_of(&m->groups[i])) continue;
        for (uint32_t at = first; at < end; at += PLIANT__GROUP_PIECE)
            *piece++ = (pliant__group_piece){i, at, end - at < PLIANT__GROUP_PIECE ? end - at : PLIANT__GROUP_PIECE, 0, 0, 0};
    }
    return true;
}

static void destroy(pliant_solver *s)
{
    if (!s->groups) return;
    pliant__destroy_mouths(s);
    pliant__free(&s->allocator, s->groups->of);
    pliant__free(&s->allocator, s->groups->gradient);
    pliant__free(&s->allocator, s->groups->pieces);
    pliant__free(&s->allocator, s->groups);
}

static bool wanted(const pliant_solver *s) { return model_count(s->model, groups) > 0; }

/* ---- volumes ---- */

static pliant_vec3 cross_of(const pliant_real *x, const uint32_t *edge, pliant_vec3 from)
{
    return v3_cross(v3_sub(pliant__slot_x(x, edge[0]), from), v3_sub(pliant__slot_x(x, edge[1]), from));
}

/* Measured from the first member, since a body may be far from the origin. */
static void gather_piece(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant_model  *m = s->model;
    pliant__group_piece *p = &s->groups->pieces[index];
    const pliant_real   *x = s->state->x;
    const pliant_vec3    from = pliant__slot_x(x, m->group_members[m->groups[p->group].first_member]);
    double               volume = 0, response = 0;
    if (is_off(s, p->group)) return;
    for (uint32_t i = p->first; i < p->first + p->count; i++) {
        const uint32_t slot = m->group_members[i];
        pliant_vec3    sum = v3(0, 0, 0);
        for (uint32_t e = m->group_first_edge[i]; e < m->group_first_edge[i + 1]; e++)
            sum = v3_add(sum, cross_of(x, m->group_edges + 2 * (size_t)e, from));
        const pliant_vec3 gradient = v3_scale(sum, (pliant_real)1 / 6), at = v3_sub(pliant__slot_x(x, slot), from);
        s->groups->gradient[i] = gradient;
        volume += (double)v3_dot(at, gradient);
        response += (double)(PLIANT__SLOT(x, slot)[3] * v3_dot(gradient, gradient));
    }
    p->volume = volume / 3;
    p->response = response;
}

static void gather_all(pliant_solver *s)
{
    pliant__run_light_counted(s, gather_piece, s->groups->piece_count, GROUP_WORK * (uint64_t)model_count(s->model, group_members));
    pliant__aim_mouths(s);
}

/* Sums up the pieces of a group, of which number `*piece` is the first; it is then the first of the next. */
static double volume_of(const pliant_solver *s, uint32_t group, uint32_t *piece, double *response)
{
    double volume = 0;
    *response = 0;
    for (; *piece < s->groups->piece_count && s->groups->pieces[*piece].group == group; ++*piece) {
        volume += s->groups->pieces[*piece].volume;
        *response += s->groups->pieces[*piece].response;
    }
    return volume;
}

/* Numbers as a group has them now, for its law. */
static void numbers_of(const pliant_solver *s, uint32_t group, double number[PLIANT_GROUP_NUMBERS])
{
    memcpy(number, s->model->groups[group].number, PLIANT_GROUP_NUMBERS * sizeof *number);
    number[0] = s->state->group_number[group];
}

/* J. A sweep does no more to a surface than a spring of compliance spring S in series with the law would, however stiff that is, and so the surface holds no
 * more than both do together (row_energy.h): at the volume V' at which they press alike, p(V') spring S = V' - V. p falls with V', so there is one, which
 * Newton's method finds. */
static double energy_at(const pliant_solver *s, uint32_t group, double volume, double response)
{
    const pliant__model_group *g = &s->model->groups[group];
    const double               compliance = pliant__spring_of_groups(s) * response;
    double                     number[PLIANT_GROUP_NUMBERS], at = volume;
    press                      now;
    numbers_of(s, group, number);
    for (int i = 0; i < 60; i++) {
        pliant__press((pliant_group_kind)g->kind, number, g->rest, at, &now);
        const double by = (now.pressure * compliance - (at - volume)) / (1 + now.slope * compliance);
        if (!(fabs(by) > 1e-12 * g->rest)) break;
        at += by;
    }
    pliant__press((pliant_group_kind)g->kind, number, g->rest, at, &now);
    return now.energy + (compliance > 0 ? 0.5 * (at - volume) * (at - volume) / compliance : 0);
}

/* ---- a substep ---- */

static void begin(pliant_solver *s)
{
    const pliant_model *m = s->model;
    const double        start = s->state->header->time, end = pliant__leg_end(s), share = (double)pliant__leg_share(s);
    for (size_t i = 0; i < model_count(m, groups); i++) {
        const double now = s->state->group_number[i];
        s->groups->of[i].gone = 0;
        if (s->inputs->group_set[i])
            s->groups->of[i].way = share * (s->inputs->group[i] - now);
        else
            s->groups->of[i].way = pliant__group_at(m, &m->groups[i], end, now) - pliant__group_at(m, &m->groups[i], start, now);
    }
}

/* What a group loses by leaks and by its mouth; `volume` and `response`: at the start of the substep. What it holds at that volume changes with it, which is neither work of
 * the surface nor a loss of it: it is counted as work. */
static void lose(pliant_solver *s, uint32_t group, double volume, double response)
{
    const pliant__model_group *g = &s->model->groups[group];
    pliant__group_now         *now = &s->groups->of[group];
    double                     number[PLIANT_GROUP_NUMBERS], *of_state = &s->state->group_number[group];
    const double               held = s->energies ? energy_at(s, group, volume, response) : 0;
    numbers_of(s, group, number);
    const double leaked = pliant__lost((pliant_group_kind)g->kind, number, g->rest, volume, s->substep_h);
    *of_state -= leaked;
    numbers_of(s, group, number);
    const double blown = pliant__flow_through_mouth(s, group, number, volume);
    *of_state -= blown;
    if (!(fabs(leaked) > 0) && !(fabs(blown) > 0)) return;
    now->changes = true;
    if (s->energies) now->lost = energy_at(s, group, volume, response) - held;
}

/* Changes the first number of a group; `volume` and `response`: at the start of the substep. A body that is off loses nothing. */
static void change(pliant_solver *s, uint32_t group, double volume, double response)
{
    pliant__group_now *now = &s->groups->of[group];
    const double       gone = now->way * ((double)pliant__leg_done(s) / pliant__leg(s));
    double            *of_state = &s->state->group_number[group];
    const double       before = *of_state;
    if (s->inputs->group_set[group] && pliant__leg_done(s) == pliant__leg(s) && pliant__leg_share(s) == 1)
        *of_state = s->inputs->group[group];
    else
        *of_state += gone - now->gone;
    now->gone = gone;
    now->volume = volume;
    now->pumped = *of_state - before;
    if (is_over_faces(s, group) && !is_off(s, group)) lose(s, group, volume, response);
}

static void move(pliant_solver *s)
{
    bool any = pliant__open_mouths(s);
    for (uint32_t i = 0; i < model_count(s->model, groups); i++) {
        pliant__group_now *now = &s->groups->of[i];
        now->pumped = now->lost = 0;
        now->change = 0;
        now->lambda = 0; /* a method may ask for forces before its first sweep */
        now->changes = !is_off(s, i) && (now->way < 0 || now->way > 0);
        any = any || now->way < 0 || now->way > 0 ||
              pliant__may_lose((pliant_group_kind)s->model->groups[i].kind, s->model->groups[i].number);
    }
    if (!any) return;
    gather_all(s);
    for (uint32_t i = 0, piece = 0; i < model_count(s->model, groups); i++) {
        double       response;
        const double volume = volume_of(s, i, &piece, &response);
        change(s, i, volume, response);
    }
}

/* The change of each group's multiplier goes to its particles. */
static void move_piece(void *solver, uint32_t index)
{
    pliant_solver             *s = solver;
    const pliant__group_piece *p = &s->groups->pieces[index];
    const pliant_real          change = (pliant_real)p->change;
    if (is_off(s, p->group)) return;
    for (uint32_t i = p->first; i < p->first + p->count; i++) {
        pliant_real *x = PLIANT__SLOT(s->state->x, s->model->group_members[i]);
        pliant__set_slot_x(x, 0, v3_madd(pliant__slot_x(x, 0), s->groups->gradient[i], x[3] * change));
    }
}

/* A sweep changes the volume by no more than half, and that of what is inside out by a sixteenth: the gradient that it goes along is no longer that of the surface further on. */
static double change_of(pliant_solver *s, uint32_t group, double volume, double response)
{
    const pliant__model_group *g = &s->model->groups[group];
    const double               h2 = s->h * s->h, size = fabs(volume) > g->rest / 8 ? fabs(volume) : g->rest / 8;
    double                     number[PLIANT_GROUP_NUMBERS];
    press                      now;
    numbers_of(s, group, number);
    pliant__press((pliant_group_kind)g->kind, number, g->rest, volume, &now);
    const double by = (h2 * now.pressure - s->groups->of[group].lambda) / (1 + pliant__ease_of_groups(s) * h2 * now.slope * response);
    const double most = volume > 0 ? size / 2 : size / 16;
    if (fabs(by) * response > most) return (by < 0 ? -most : most) / response;
    return by;
}

static void project(pliant_solver *s, bool first)
{
    gather_all(s);
    for (uint32_t i = 0, piece = 0; i < model_count(s->model, groups); i++) {
        const uint32_t     begins = piece;
        pliant__group_now *now = &s->groups->of[i];
        double             response, volume = volume_of(s, i, &piece, &response);
        if (!is_over_faces(s, i) || is_off(s, i)) continue;
        if (first) now->lambda = 0;
        const double by = change_of(s, i, volume, response);
        now->lambda += by;
        now->change = by;
        for (uint32_t k = begins; k < piece; k++) s->groups->pieces[k].change = by;
    }
    pliant__run_light_counted(s, move_piece, s->groups->piece_count, GROUP_WORK * (uint64_t)model_count(s->model, group_members));
    pliant__push_at_mouths(s);
}

/* ---- reports ---- */

static void gather(pliant_solver *s)
{
    for (uint32_t i = 0; i < s->groups->piece_count; i++) {
        const pliant__group_piece *p = &s->groups->pieces[i];
        if (is_off(s, p->group)) continue;
        for (uint32_t k = p->first; k < p->first + p->count; k++) {
            const uint32_t    slot = s->model->group_members[k];
            const pliant_vec3 force = v3_scale(s->groups->gradient[k], (pliant_real)s->groups->of[p->group].lambda);
            if (PLIANT__SLOT(s->state->x, slot)[3] != 0) pliant__set_slot_x(s->sum, slot, v3_add(pliant__slot_x(s->sum, slot), force));
        }
    }
}

static void gather_with_mouths(pliant_solver *s)
{
    gather(s);
    pliant__gather_mouths(s);
}

static void energy(pliant_solver *s)
{
    gather_all(s);
    for (uint32_t i = 0, piece = 0; i < model_count(s->model, groups); i++) {
        double       response;
        const double volume = volume_of(s, i, &piece, &response);
        if (!is_over_faces(s, i) || is_off(s, i)) continue;
        pliant_energy *body = &s->energies->bodies[s->model->groups[i].body];
        const double   held = energy_at(s, i, volume, response);
        body->elastic += held;
        body->unresolved -= held; /* which is reckoned as elastic, less the least that rows hold */
    }
}

/* What is led works against the pressure. */
static void work_of_led(pliant_solver *s)
{
    for (uint32_t i = 0; i < s->groups->piece_count; i++) {
        const pliant__group_piece *p = &s->groups->pieces[i];
        if (is_off(s, p->group)) continue;
        for (uint32_t k = p->first; k < p->first + p->count; k++) {
            const uint32_t slot = s->model->group_members[k];
            if (PLIANT__SLOT(s->state->x, slot)[3] != 0) continue;
            const double along = pliant__dot(s->groups->gradient[k], pliant__way_of(s, slot));
            s->energies->bodies[s->model->groups[p->group].body].work -= s->groups->of[p->group].lambda * along / (s->h * s->h);
        }
    }
}

/* What is pumped in, at the volume that the substep began with, works against the pressure that acted in it. */
static void work_of_pumps(pliant_solver *s)
{
    for (uint32_t i = 0; i < model_count(s->model, groups); i++) {
        const pliant__model_group *g = &s->model->groups[i];
        const pliant__group_now   *now = &s->groups->of[i];
        if (!is_over_faces(s, i) || is_off(s, i)) continue;
        s->energies->bodies[g->body].work += now->lost;
        if (!(fabs(now->pumped) > 0)) continue;
        s->energies->bodies[g->body].work +=
            now->pumped * pliant__pumped((pliant_group_kind)g->kind, g->rest, now->volume, now->lambda / (s->h * s->h));
    }
}

static void work(pliant_solver *s)
{
    if (s->energies->leads) work_of_led(s);
    work_of_pumps(s);
    pliant__work_of_mouths(s);
}

const pliant__interaction pliant__interaction_groups = {.create = create,
                                                        .destroy = destroy,
                                                        .wanted = wanted,
                                                        .begin = begin,
                                                        .move = move,
                                                        .project = project,
                                                        .gather = gather_with_mouths,
                                                        .energy = energy,
                                                        .work = work};
