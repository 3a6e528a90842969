/* What a state has of closed surfaces that are filled. */
#include "base/float_env.h"
#include "constraints/groups.h"
#include "state/state.h"

#include <string.h>

/* Six times the volume, as sums around particles (step/groups.c), in double. */
static double six_volumes(const pliant_state *state, const pliant__model_group *g)
{
    const pliant_model *m = state->model;
    const pliant_vec3   from = pliant__slot_x(state->x, m->group_members[g->first_member]);
    double              sum = 0;
    for (uint32_t i = g->first_member; i < g->first_member + g->member_count; i++) {
        const pliant_vec3 at = v3_sub(pliant__slot_x(state->x, m->group_members[i]), from);
        for (uint32_t e = m->group_first_edge[i]; e < m->group_first_edge[i + 1]; e++) {
            const pliant_vec3 a = v3_sub(pliant__slot_x(state->x, m->group_edges[2 * (size_t)e]), from),
                              b = v3_sub(pliant__slot_x(state->x, m->group_edges[2 * (size_t)e + 1]), from);
            sum += (double)at.x * ((double)a.y * (double)b.z - (double)a.z * (double)b.y) +
                   (double)at.y * ((double)a.z * (double)b.x - (double)a.x * (double)b.z) +
                   (double)at.z * ((double)a.x * (double)b.y - (double)a.y * (double)b.x);
        }
    }
    return sum / 3;
}

pliant_vec3 pliant__mouth_face(const pliant_state *state, uint32_t face)
{
    const uint32_t   *slot = state->model->mouth_faces + 3 * (size_t)face;
    const pliant_vec3 a = pliant__slot_x(state->x, slot[0]);
    return v3_scale(v3_cross(v3_sub(pliant__slot_x(state->x, slot[1]), a), v3_sub(pliant__slot_x(state->x, slot[2]), a)), (pliant_real)0.5);
}

double pliant__mouth_area(const pliant_state *state, const pliant__model_mouth *mouth)
{
    double sum = 0;
    for (uint32_t f = mouth->first_face; f < mouth->first_face + mouth->face_count; f++)
        sum += (double)v3_length(pliant__mouth_face(state, f));
    return sum;
}

/* m^2, the mouth of a group, if it has one that is open. */
static double open_mouth(const pliant_state *state, size_t group)
{
    for (size_t i = 0; i < model_count(state->model, mouths); i++) {
        const pliant__model_mouth *m = &state->model->mouths[i];
        if (m->group == group && pliant__mouth_is_open(m, state->header->time)) return pliant__mouth_area(state, m);
    }
    return 0;
}

pliant_code pliant_state_group(const pliant_state *state, pliant_body body, uint32_t part, pliant_group_now *out)
{
    PLIANT_FLOAT_SCOPE;
    const pliant__model_body *b = state && out ? pliant__model_body_of(state->model, body) : NULL;
    uint32_t                  seen = 0;
    for (size_t i = 0; b && i < model_count(state->model, groups); i++) {
        const pliant__model_group *g = &state->model->groups[i];
        double                     number[PLIANT_GROUP_NUMBERS];
        press                      now;
        if (&state->model->bodies[g->body] != b || pliant__group_over((pliant_group_kind)g->kind) != PLIANT_OVER_FACES || seen++ != part)
            continue;
        memcpy(number, g->number, sizeof number);
        number[0] = state->group_number[i];
        const double volume = six_volumes(state, g) / 6;
        pliant__press((pliant_group_kind)g->kind, number, g->rest, volume, &now);
        *out = (pliant_group_now){(pliant_group_kind)g->kind, number[0], g->rest, volume, now.pressure, open_mouth(state, i)};
        return PLIANT_OK;
    }
    return PLIANT_ERROR_ARGUMENT;
}
