/* Constraints that the caller defines: an interaction. They come one at a time, on the calling thread. */
#include "constraints/eval.h"
#include "solver/energies.h"
#include "solver/interactions.h"
#include "solver/residuals.h"
#include "solver/solver.h"
#include "state/inputs.h"
#include "state/state.h"

#include <string.h>

/* Adds w gradient dlambda of one row. */
static void move(pliant_solver *s, const uint32_t *slots, uint32_t count, const vvec *gradient, pliant_real change)
{
    for (uint32_t k = 0; k < count; k++) {
        pliant_real *x = PLIANT__SLOT(s->state->x, slots[k]), by = x[3] * change;
        if (x[3] == 0) continue;
        x[0] += gradient[k].x * by;
        x[1] += gradient[k].y * by;
        x[2] += gradient[k].z * by;
    }
}

static void project_user(pliant_solver *s, const pliant__model_user *u, bool first)
{
    const pliant__model_law *m = &s->inputs->law[u->law];
    pliant_vec3              x[PLIANT_MAX_SLOTS], gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS] = {{0, 0, 0}};
    vvec                     at[PLIANT_MAX_SLOTS], start[PLIANT_MAX_SLOTS], g[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
    pliant_real              C[PLIANT_MAX_ROWS] = {0}, w[PLIANT_MAX_SLOTS], change[PLIANT_MAX_ROWS] = {0}, *lambda = s->lambda + u->lambda;
    for (uint32_t k = 0; k < u->particle_count; k++) {
        x[k] = pliant__slot_x(s->state->x, u->slots[k]);
        at[k] = vvec_of(x[k].x, x[k].y, x[k].z);
        pliant_vec3 b = pliant__slot_x(s->start, u->slots[k]);
        start[k] = vvec_of(b.x, b.y, b.z);
        w[k] = PLIANT__SLOT(s->state->x, u->slots[k])[3];
    }
    for (uint32_t r = 0; first && r < u->row_count; r++) lambda[r] = 0;
    s->def.user[u->function](x, u->particle_count, u->row_count, u->tag, C, gradient, s->def.user_context[u->function]);
    for (uint32_t i = 0; i < u->row_count * u->particle_count; i++) g[i] = vvec_of(gradient[i].x, gradient[i].y, gradient[i].z);

    pliant_law law = pliant_law_default();
    law.compliance = m->compliance;
    law.damping = m->damping;
    project_mode mode = pliant__law_mode(&law, (pliant_limit)m->limit);
    pliant_real  k = s->laws[u->law].stiffness;
    if (mode.limit == PLIANT_EQUAL)
        pliant__project_one(NULL, u->row_count > 1 ? u->row_count : 1, u->particle_count, &law, mode, s->h, k, 0, C, g, w, at, start,
                            lambda, change);
    else /* row after row, each seeing what those before it moved */
        for (uint32_t r = 0; r < u->row_count; r++) {
            const vvec *row = g + r * u->particle_count;
            pliant_real moved = C[r];
            for (uint32_t i = 0; i < u->particle_count; i++)
                for (uint32_t q = 0; q < r; q++) moved += w[i] * change[q] * vdot(row[i], g[q * u->particle_count + i]);
            pliant__project_one(NULL, 1, u->particle_count, &law, mode, s->h, k, 0, &moved, row, w, at, start, lambda + r, change + r);
        }
    for (uint32_t r = 0; r < u->row_count; r++) {
        lambda[r] += change[r];
        move(s, u->slots, u->particle_count, g + r * u->particle_count, change[r]);
    }
}

static bool wanted(const pliant_solver *s) { return model_count(s->model, users) > 0; }

static void project(pliant_solver *s, bool first)
{
    const pliant_model *m = s->model;
    for (uint32_t i = 0; i < model_count(m, users); i++)
        if (pliant__is_active(s->active, m->header->packed_rows + i))
            project_user(s, &m->users[i], first);
        else
            memset(s->lambda + m->users[i].lambda, 0, PLIANT_MAX_ROWS * sizeof *s->lambda);
}

static void work(pliant_solver *s)
{
    const pliant_model *m = s->model;
    for (uint32_t i = 0; i < model_count(m, users); i++) {
        const pliant__model_user *u = &m->users[i];
        pliant_vec3               gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
        pliant_real               C[PLIANT_MAX_ROWS];
        bool                      any = false;
        for (uint32_t k = 0; k < u->particle_count; k++)
            any = any || (PLIANT__SLOT(s->state->x, u->slots[k])[3] == 0 && pliant__moves(pliant__way_of(s, u->slots[k])));
        if (!any || !pliant__is_active(s->active, m->header->packed_rows + i)) continue;
        pliant__evaluate_user(s, u, C, gradient);
        for (uint32_t r = 0; r < u->row_count; r++)
            for (uint32_t k = 0; k < u->particle_count; k++) {
                const uint32_t body = s->energies->slot_body[u->slots[k]];
                if (PLIANT__SLOT(s->state->x, u->slots[k])[3] != 0 || body == PLIANT__NONE) continue;
                s->energies->bodies[body].work -= (double)s->lambda[u->lambda + r] / (s->h * s->h) *
                                                  pliant__dot(gradient[r * u->particle_count + k], pliant__way_of(s, u->slots[k]));
            }
    }
}

const pliant__interaction pliant__interaction_users = {
    .needs_lambda = true, .wanted = wanted, .project = project, .gather = pliant__gather_users, .work = work};
