/* Bodies that are simulated as seen from a moving frame: of its motion they feel a share.
 *
 * In each substep a frame goes from origin p and orientation Q to p + d and S Q. What a body does not feel of that is done to it as a whole,
 * before anything else: with shares l of the translation and a of the rotation, and S^(1 - a) the rotation about S's axis by so much of its angle,
 *   x <- p + (1 - l) d + S^(1 - a) (x - p),   v <- S^(1 - a) v.
 * So velocities are those in a frame that moves with what is not felt; in it, what has world coordinates goes l d and turns by S^a:
 * inertial forces come of that by themselves, l times those of the translation. With shares of 1 nothing is done. (As the inertia scales of
 * NvCloth; there the cloth lives in the frame, and the share that is felt is done to it.)
 *
 * Of a rotation at w per second that is felt as a w, a^2 of the centrifugal acceleration is felt. To feel c times it, particles get the rest,
 * (c - a^2) (w^2 r - w (w . r)) with r the way from the frame's origin, as an acceleration. Coriolis' and Euler's go with a.
 *
 * Colliders stay in the world: for a body they begin the substep where they were, moved as the body was (touches.c). */
#include "step/frames.h"

#include "base/keys.h"
#include "base/trig.h"
#include "solver/legs.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"

static bool same_pose(const pliant_pose *a, const pliant_pose *b)
{
    return a->position.x == b->position.x && a->position.y == b->position.y && a->position.z == b->position.z &&
           a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y && a->rotation.z == b->rotation.z &&
           a->rotation.w == b->rotation.w;
}

static void begin_frame(pliant__frame_now *f, const pliant_pose *before, const pliant_pose *after, pliant_inertia felt)
{
    f->from = *before;
    f->to = *after;
    f->felt = felt;
    f->moves = (felt.linear != 1 || felt.angular != 1 || felt.centrifugal != 1) && !same_pose(before, after);
}

void pliant__begin_frames(pliant_solver *s)
{
    const pliant_model  *m = s->model;
    const pliant_inputs *in = s->inputs;
    const double         time = s->state->header->time;
    s->framed = false;
    for (size_t b = 0; b < model_count(m, bodies); b++) s->frames[b].moves = false;
    for (size_t i = 0; i < model_count(m, frames); i++) {
        const pliant__model_frame *k = &m->frames[i];
        const double              *times = m->frame_time + k->first_key;
        const pliant_pose         *poses = m->frame_pose + k->first_key;
        const pliant_pose          before = pliant__pose_key(times, poses, k->key_count, time);
        const pliant_pose          after = pliant__pose_key(times, poses, k->key_count, pliant__leg_end(s));
        begin_frame(&s->frames[k->body], &before, &after, k->felt);
    }
    for (size_t b = 0; b < model_count(m, bodies) && in->framed; b++)
        if (in->frame_set[b]) begin_frame(&s->frames[b], &in->frame[b].before, &in->frame[b].after, in->frame[b].felt);
    for (size_t b = 0; b < model_count(m, bodies); b++) {
        s->frames[b].moves = s->frames[b].moves && !s->off.bodies[b];
        s->framed = s->framed || s->frames[b].moves;
    }
}

/* Where a frame is when `done` substeps of its way are over. */
static pliant_pose frame_after(const pliant_solver *s, const pliant__frame_now *f, uint32_t done)
{
    if (!done) return f->from;
    return done == pliant__leg(s) ? f->to : pose_lerp(f->from, f->to, (pliant_real)((double)done / pliant__leg(s)));
}

/* The rotation of a substep: what of it is done to the body, and how fast the frame turns. */
static void turn_frame(const pliant_solver *s, pliant__frame_now *f, pliant_quat before, pliant_quat after)
{
    const pliant_quat d = quat_multiply(after, quat_conjugate(before));
    const double      sign = d.w < 0 ? -1 : 1, x = sign * (double)d.x, y = sign * (double)d.y, z = sign * (double)d.z;
    const double      sine = sqrt(x * x + y * y + z * z), half = pliant__atan2(sine, sign * (double)d.w);
    f->turns = sine > 0;
    f->rotation = (pliant_quat){0, 0, 0, 1};
    f->rate = v3(0, 0, 0);
    if (!f->turns) return;
    const double done = half * (1 - (double)f->felt.angular), turned = pliant__sin(done) / sine, rate = 2 * half / (sine * s->substep_h);
    f->rotation =
        (pliant_quat){(pliant_real)(x * turned), (pliant_real)(y * turned), (pliant_real)(z * turned), (pliant_real)pliant__cos(done)};
    f->rate = v3((pliant_real)(x * rate), (pliant_real)(y * rate), (pliant_real)(z * rate));
}

static void move_frame(const pliant_solver *s, pliant__frame_now *f)
{
    const uint32_t    done = pliant__leg_done(s);
    const pliant_pose before = frame_after(s, f, done - 1), after = frame_after(s, f, done);
    f->origin = before.position;
    f->by = v3_scale(v3_sub(after.position, before.position), 1 - f->felt.linear);
    f->centre = after.position;
    turn_frame(s, f, before.rotation, after.rotation);
}

static void carry_chunk(void *solver, uint32_t index)
{
    pliant_solver           *s = solver;
    const pliant__chunk     *chunk = &s->model->chunks[index];
    const pliant__frame_now *f = &s->frames[chunk->body];
    const bool               history = pliant__is_bdf2(s->model);
    for (uint32_t slot = chunk->first; f->moves && slot < chunk->first + chunk->count; slot++) {
        if (PLIANT__SLOT(s->state->x, slot)[3] == 0) continue;
        pliant__set_slot_x(s->state->x, slot, pliant__carried(f, pliant__slot_x(s->state->x, slot)));
        pliant__set_slot_x(s->state->v, slot, pliant__turned(f, pliant__slot_x(s->state->v, slot)));
        if (!history) continue;
        pliant__set_slot_x(s->state->previous_x, slot, pliant__carried(f, pliant__slot_x(s->state->previous_x, slot)));
        pliant__set_slot_x(s->state->previous_v, slot, pliant__turned(f, pliant__slot_x(s->state->previous_v, slot)));
    }
}

void pliant__move_frames(pliant_solver *s)
{
    for (size_t b = 0; b < model_count(s->model, bodies); b++)
        if (s->frames[b].moves) move_frame(s, &s->frames[b]);
    pliant__run_light(s, carry_chunk, (uint32_t)model_count(s->model, chunks));
}

static void push_chunk(void *solver, uint32_t index)
{
    pliant_solver           *s = solver;
    const pliant__chunk     *chunk = &s->model->chunks[index];
    const pliant__frame_now *f = &s->frames[chunk->body];
    const pliant_real        more = (f->felt.centrifugal - f->felt.angular * f->felt.angular) * s->rh, square = v3_dot(f->rate, f->rate);
    if (!f->moves || !f->turns || more == 0) return;
    for (uint32_t slot = chunk->first; slot < chunk->first + chunk->count; slot++) {
        if (PLIANT__SLOT(s->state->x, slot)[3] == 0) continue;
        const pliant_vec3 r = v3_sub(pliant__slot_x(s->state->x, slot), f->centre);
        const pliant_vec3 out = v3_madd(v3_scale(r, square), f->rate, -v3_dot(f->rate, r));
        pliant__set_slot_x(s->state->v, slot, v3_madd(pliant__slot_x(s->state->v, slot), out, more));
    }
}

void pliant__push_frames(pliant_solver *s) { pliant__run_light(s, push_chunk, (uint32_t)model_count(s->model, chunks)); }
