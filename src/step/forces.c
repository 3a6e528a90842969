/* Drag, then forces: v <- exp(-d h) v, v += h (g + F / m). In this order drag takes nothing of what a body at rest weighs.
 *
 * Wind acts on triangles (Keckeisen, Kimmerle, Thomaszewski, Wacker 2004, Modelling Effects of Wind Fields in Cloth Animations). With
 * u = velocity of the triangle relative to the air, n its unit normal turned along u, A its area and rho the density of the air:
 *   drag = -(rho / 2) A C_D (n.u) u,   lift = -(rho / 2) A C_L |u| (n |u| - u (n.u) / |u|) (n.u) / |u|,
 * a third of which goes to each corner. Drag alone would turn a light triangle's relative velocity round within a long step, so both are
 * divided by 1 + h s, with s the largest rate at which this triangle would make a corner's speed decay; and by h n s, where that is more, with n
 * the triangles that the corner has: all of them together then take no more than all of the relative velocity. Each particle gathers from its
 * triangles, in a fixed order.
 *
 * BDF2 (history.c) has taken the drag into the velocities already. Its wind is that of positions and velocities extrapolated to the end of
 * the substep, which is of second order; the divisor is sqrt(1 + 4 h^2 n^2 s^2), which is 1 to second order and never lets more than half of
 * the relative velocity of a particle go at once: an extrapolated force may not take more than 8/9. */
#include "step/forces.h"

#include "base/trig.h"
#include "solver/energies.h"
#include "solver/history.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"
#include "step/damping.h"
#include "step/fields.h"
#include "step/frames.h"

/* x or v of a slot as the wind meets it: as it is, or extrapolated over the last substep. */
static pliant_vec3 met(const pliant_solver *s, const pliant_real *now, const pliant_real *previous, uint32_t slot)
{
    pliant_vec3 a = pliant__slot_x(now, slot);
    if (!pliant__has_history(s) || PLIANT__SLOT(s->state->x, slot)[3] == 0) return a;
    return v3_add(a, v3_sub(a, pliant__slot_x(previous, slot)));
}

/* The corners that a particle has among triangles: some of those that it had before it was split. */
static uint32_t from_of(const pliant_solver *s, uint32_t slot) { return pliant__may_tear(s->model) ? s->state->origin[slot] : slot; }

static bool has_corner(const pliant_solver *s, uint32_t triangle, uint32_t slot)
{
    const uint32_t *at = s->state->triangles + 3 * (size_t)triangle;
    return !pliant__may_tear(s->model) || at[0] == slot || at[1] == slot || at[2] == slot;
}

static uint32_t corner_count(const pliant_solver *s, uint32_t slot)
{
    const pliant_model *m = s->model;
    const uint32_t      from = from_of(s, slot);
    uint32_t            count = 0;
    if (!pliant__may_tear(m)) return m->corner_first[slot + 1] - m->corner_first[slot];
    for (uint32_t c = m->corner_first[from]; c < m->corner_first[from + 1]; c++) count += has_corner(s, m->corners[c], slot);
    return count;
}

/* Inlined where it is called: a call costs 2 % of a flag. */
static inline __attribute__((always_inline)) pliant_vec3 triangle_wind(const pliant_solver *s, uint32_t triangle, pliant_vec3 air,
                                                                       pliant_real density)
{
    const pliant_model       *m = s->model;
    const pliant__model_body *b = &m->bodies[m->triangle_body[triangle]];
    const uint32_t           *slot = pliant__triangles_of(s->state) + 3 * (size_t)triangle;
    pliant_vec3               p[3], v = {0, 0, 0}, zero = {0, 0, 0};
    pliant_real               w = 0, shared = 0;
    for (int k = 0; k < 3; k++) {
        p[k] = met(s, s->state->x, s->state->previous_x, slot[k]);
        v = v3_add(v, met(s, s->state->v, s->state->previous_v, slot[k]));
        const pliant_real one = PLIANT__SLOT(s->state->x, slot[k])[3];
        w = r_max(w, one);
        shared = r_max(shared, one * (pliant_real)corner_count(s, slot[k]));
    }
    pliant_vec3 u = v3_sub(v3_scale(v, (pliant_real)(1.0 / 3)), air);
    pliant_vec3 normal = v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]));
    pliant_real twice = v3_length(normal), speed = v3_length(u);
    if (!(twice > 0) || !(speed > 0)) return zero;
    pliant_vec3 n = v3_scale(normal, 1 / twice);
    pliant_real through = v3_dot(n, u);
    if (through < 0) {
        n = v3_scale(n, -1);
        through = -through;
    }
    pliant_real half = (pliant_real)0.25 * density * twice * through; /* rho / 2 A (n.u) */
    pliant_vec3 drag = v3_scale(u, -half * b->air_drag);
    pliant_vec3 across = v3_sub(v3_scale(n, speed), v3_scale(u, through / speed));
    pliant_vec3 lift = v3_scale(across, -half * b->air_lift);
    pliant_real of_mass = half * (b->air_drag + b->air_lift), third = (pliant_real)(1.0 / 3);
    pliant_real turned = s->rh * (of_mass * w * third), all = s->rh * (of_mass * shared * third);
    pliant_real most = pliant__has_history(s) ? r_sqrt(1 + 4 * all * all) : r_max(1 + turned, all);
    return v3_scale(v3_add(drag, lift), (pliant_real)(1.0 / 3) / most);
}

/* The air about a body: winds are not airs beside each other, and what bounds drag in a long step holds for all of them together. Air is as dense as
 * the densest, and moves with the sum of velocities, each by its share of that density. One wind is taken to the bit. Winds that are the same everywhere are
 * summed once for a body; the others are asked for each triangle, once a step (where substeps are of one length, once a substep), at its middle. */
typedef struct air {
    pliant_vec3 velocity;
    pliant_real density;
    bool        varies; /* from place to place */
} air;

static bool blows_at(const pliant__model_force *f, uint32_t body)
{
    return f->type == PLIANT_FORCE_WIND && pliant__acts_on(f, body) && f->air_density > 0;
}

static air air_of(const pliant_solver *s, uint32_t body)
{
    const pliant_model *m = s->model;
    air                 all = {{0, 0, 0}, 0, false};
    bool                any = false;
    for (size_t f = 0; f < model_count(m, forces); f++)
        if (blows_at(&m->forces[f], body)) all.density = r_max(all.density, m->forces[f].air_density);
    for (size_t f = 0; f < model_count(m, forces); f++) {
        if (!blows_at(&m->forces[f], body)) continue;
        all.varies = all.varies || pliant__is_local(&m->forces[f]);
        if (pliant__is_local(&m->forces[f])) continue;
        const pliant_vec3 by = v3_scale(s->forces[f].vector, m->forces[f].air_density / all.density);
        all.velocity = any ? v3_add(all.velocity, by) : by;
        any = true;
    }
    return all;
}

/* What winds that differ from place to place add at a triangle. */
static pliant_vec3 local_air(const pliant_solver *s, uint32_t triangle, const air *all)
{
    const pliant_model *m = s->model;
    const uint32_t     *slot = pliant__triangles_of(s->state) + 3 * (size_t)triangle;
    pliant_vec3         middle = {0, 0, 0}, sum = {0, 0, 0};
    for (int k = 0; k < 3; k++) middle = v3_add(middle, pliant__slot_x(s->state->x, slot[k]));
    middle = v3_scale(middle, (pliant_real)(1.0 / 3));
    for (size_t f = 0; f < model_count(m, forces); f++)
        if (blows_at(&m->forces[f], m->triangle_body[triangle]) && pliant__is_local(&m->forces[f]))
            sum = v3_madd(sum, pliant__force_field(&m->forces[f], &s->forces[f], middle), m->forces[f].air_density / all->density);
    return sum;
}

static bool begins_leg(const pliant_solver *s) { return s->carries || !s->substep; }

/* With `power` what the air gives at each corner, too: its force times how fast it blows. */
static inline __attribute__((always_inline)) void blow(pliant_solver *s, uint32_t index, bool power)
{
    const pliant_model *m = s->model;
    uint32_t            first = index * PLIANT__CHUNK, end = first + PLIANT__CHUNK, count = (uint32_t)model_count(m, triangle_body);
    uint32_t            body = PLIANT__NONE;
    air                 all = {{0, 0, 0}, 0, false};
    for (uint32_t t = first; t < end && t < count; t++) {
        const pliant_vec3 zero = {0, 0, 0};
        if (s->off.bodies[m->triangle_body[t]]) {
            s->triangle_force[t] = zero;
            if (power) s->triangle_power[t] = 0;
            continue;
        }
        if (m->triangle_body[t] != body) all = air_of(s, body = m->triangle_body[t]);
        if (all.varies && begins_leg(s)) s->triangle_air[t] = local_air(s, t, &all);
        const pliant_vec3 velocity = all.varies ? v3_add(all.velocity, s->triangle_air[t]) : all.velocity;
        const pliant_vec3 by = all.density > 0 ? triangle_wind(s, t, velocity, all.density) : zero;
        s->triangle_force[t] = v3_add(zero, by);
        if (power) s->triangle_power[t] = 0 + (double)v3_dot(by, velocity);
    }
}

static void wind_on_triangles(void *solver, uint32_t index) { blow(solver, index, false); }
static void wind_and_power(void *solver, uint32_t index) { blow(solver, index, true); }

/* ---- other forces ---- */

double pliant__drag_rate(const pliant_model *model, uint32_t body)
{
    return (double)model->header->drag + (double)model->bodies[body].drag;
}

static pliant_vec3 local_pull(const pliant_solver *s, uint32_t body, pliant_vec3 x)
{
    const pliant_model *m = s->model;
    pliant_vec3         sum = {0, 0, 0};
    for (size_t f = 0; f < model_count(m, forces); f++)
        if (pliant__pulls_locally(&m->forces[f]) && pliant__acts_on(&m->forces[f], body))
            sum = v3_add(sum, pliant__force_field(&m->forces[f], &s->forces[f], x));
    return sum;
}

static void pull_chunk(pliant_solver *s, const pliant__chunk *chunk)
{
    for (uint32_t slot = chunk->first; slot < chunk->first + chunk->count; slot++) {
        if (PLIANT__SLOT(s->state->x, slot)[3] == 0) continue;
        const pliant_vec3 a = local_pull(s, chunk->body, met(s, s->state->x, s->state->previous_x, slot));
        s->pull[slot] = a;
        pliant__set_slot_x(s->state->v, slot, v3_madd(pliant__slot_x(s->state->v, slot), a, s->rh));
    }
}

static void forces_on_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant_model  *m = s->model;
    const pliant__chunk *chunk = &m->chunks[index];
    const size_t         first = pliant__slot_numbers(chunk->first);
    if (s->off.bodies[chunk->body]) return;
    s->backend.kernels->forces(s->state->x + first, s->state->v + first, chunk->count, &s->motion[chunk->body]);
    if (s->pull) pull_chunk(s, chunk);
    if (!model_count(m, corner_first)) return;
    for (uint32_t slot = chunk->first; slot < chunk->first + chunk->count; slot++) {
        pliant_real w = PLIANT__SLOT(s->state->x, slot)[3], *v = PLIANT__SLOT(s->state->v, slot);
        pliant_vec3 sum = {0, 0, 0};
        if (w == 0) continue;
        const uint32_t from = from_of(s, slot);
        for (uint32_t c = m->corner_first[from]; c < m->corner_first[from + 1]; c++)
            if (has_corner(s, m->corners[c], slot)) sum = v3_add(sum, s->triangle_force[m->corners[c]]);
        v[0] += s->rh * w * sum.x;
        v[1] += s->rh * w * sum.y;
        v[2] += s->rh * w * sum.z;
    }
}

/* Whether something looks at velocities between forces and prediction: then forces are a stage of their own. */
bool pliant__are_velocities_seen(const pliant_model *m)
{
    return pliant__is_damped(m) || model_count(m, corner_first) || pliant__has_local_pull(m);
}

bool pliant__is_timed(const pliant_model *m) { return model_count(m, frames) || model_count(m, force_time); }

double pliant__force_time(const pliant_solver *s) { return s->state->header->time + 0.5 * (s->carries ? s->substep_h : s->inputs->dt); }

pliant_vec3 pliant__acceleration_of(const pliant_model *m, const pliant_inputs *inputs, uint32_t b, double time, bool keyed)
{
    pliant_vec3 a = keyed ? inputs->gravity : v3(0, 0, 0);
    for (size_t f = 0; f < model_count(m, forces); f++) {
        const pliant__model_force *force = &m->forces[f];
        if (!pliant__acts_on(force, b) || pliant__is_local(force) || (force->key_count && !keyed)) continue;
        const bool        asks = force->type == PLIANT_FORCE_ACCELERATION || force->type == PLIANT_FORCE_BODY;
        const pliant_vec3 by = asks && force->key_count ? pliant__force_at(m, inputs, f, time).vector : inputs->force[f];
        if (force->type == PLIANT_FORCE_ACCELERATION) a = v3_add(a, by);
        if (force->type == PLIANT_FORCE_BODY && m->bodies[b].mass > 0) a = v3_madd(a, by, (pliant_real)(1.0 / m->bodies[b].mass));
    }
    return a;
}

/* Gravity, accelerations, forces on whole bodies, and drag. */
pliant__motion pliant__motion_of(const pliant_solver *s, const pliant_inputs *inputs, uint32_t b, double time)
{
    const pliant_model *m = s->model;
    const pliant_real   limit = m->header->max_speed;
    const double        rate = pliant__is_bdf2(m) ? 0 : pliant__drag_rate(m, b);
    const pliant_vec3   a = pliant__acceleration_of(m, inputs, b, time, true);
    return (pliant__motion){.keep = rate > 0 ? (pliant_real)pliant__exp(-rate * s->h) : 1,
                            .h = s->rh,
                            .per_h = 1 / s->rh,
                            .limit2 = limit * limit,
                            .dv = v3_scale(a, s->rh),
                            .acceleration = a};
}

void pliant__ready_motion(pliant_solver *s)
{
    const double time = pliant__force_time(s);
    /* The first body has a motion also if it is off: walks over patches take h and the speed limit from it. */
    for (uint32_t b = 0; b < model_count(s->model, bodies); b++)
        if (!b || !s->off.bodies[b]) s->motion[b] = pliant__motion_of(s, s->inputs, b, time);
    for (size_t f = 0; f < model_count(s->model, forces); f++) s->forces[f] = pliant__force_at(s->model, s->inputs, f, time);
}

void pliant__wind(pliant_solver *s)
{
    const uint32_t triangles = model_count(s->model, corner_first) ? (uint32_t)model_count(s->model, triangle_body) : 0;
    pliant__run_light(s, s->triangle_power ? wind_and_power : wind_on_triangles, (triangles + PLIANT__CHUNK - 1) / PLIANT__CHUNK);
}

void pliant__apply_forces(pliant_solver *s) { pliant__run_chunks_light(s, forces_on_chunk, PLIANT__MOVE_WORK); }

/* Where a walk over patches opens them with forces, velocities that something looks at before have them already. */
static void apply_ahead(pliant_solver *s)
{
    if (!pliant__are_velocities_seen(s->model)) return;
    pliant__apply_forces(s);
    for (size_t b = 0; b < model_count(s->model, bodies); b++) { /* v <- 1 v + (-0) is v, to the sign of a zero */
        s->motion[b].keep = 1;
        s->motion[b].dv = v3(-(pliant_real)0, -(pliant_real)0, -(pliant_real)0);
    }
}

/* What the wind has done to each body in this substep. */
static void add_wind_work(pliant_solver *s)
{
    const pliant_model *m = s->model;
    if (!model_count(m, corner_first)) return;
    for (size_t t = 0; t < model_count(m, triangle_body); t++)
        for (int k = 0; k < 3; k++)
            if (PLIANT__SLOT(s->state->x, pliant__triangles_of(s->state)[3 * t + (size_t)k])[3] > 0)
                s->energies->bodies[m->triangle_body[t]].work += s->substep_h * s->triangle_power[t];
}

void pliant__stage_forces(pliant_solver *s)
{
    if (!pliant__is_bdf2(s->model) && !s->part) { /* else the history has asked already, or all parts were made ready at once */
        pliant__ready_motion(s);
        pliant__wind(s);
    }
    if (s->framed) pliant__push_frames(s);
    if (s->way == PLIANT__WAY_SUBSTEPS)
        apply_ahead(s);
    else
        pliant__apply_forces(s);
    if (s->energies) add_wind_work(s);
}
