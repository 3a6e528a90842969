/* Mouths of filled surfaces, through which a gas flows while they are open.
 *
 * The gas that leaves at the speed u takes the momentum 2 C A p a second with it (rho u^2 times the jet's cross section C A, rho u^2 = 2 p by Bernoulli), and as much
 * pushes the body. Were the gas at rest everywhere behind the other faces, it would push with A p: that is the case of Borda's mouthpiece, for which C is 1/2
 * (Batchelor 1967, section 5.4). With another C the rest is where the gas takes up its speed, around the mouth. So a face of the mouth is pushed along its area
 * vector a with
 *
 *   p (1 - 2 C) a:   with C = 0 as any other face, with C = 1/2 not at all, with C = 1 inwards.
 *
 * The interaction of groups pushes all faces with p a, and here -2 C p a is added, a third at each corner. The sum of a is that of the rim alone: faces within it may
 * lie as they like. Air that is sucked in comes from all sides, and takes no momentum with it: then nothing is added. */
#include "step/mouths.h"

#include "base/alloc.h"
#include "constraints/groups.h"
#include "solver/energies.h"
#include "solver/groups.h"
#include "solver/legs.h"

#include <math.h>

bool pliant__create_mouths(pliant_solver *s)
{
    pliant__groups *g = s->groups;
    g->mouths = pliant__alloc_array(&s->allocator, model_count(s->model, mouths), sizeof *g->mouths);
    g->push = pliant__alloc_array(&s->allocator, model_count(s->model, mouth_faces) / 3, sizeof *g->push);
    if (!g->mouths || !g->push) return false;
    for (size_t i = 0; i < model_count(s->model, groups); i++) g->of[i].mouth = PLIANT__NONE;
    for (uint32_t i = 0; i < model_count(s->model, mouths); i++) g->of[s->model->mouths[i].group].mouth = i;
    return true;
}

void pliant__destroy_mouths(pliant_solver *s)
{
    pliant__free(&s->allocator, s->groups->mouths);
    pliant__free(&s->allocator, s->groups->push);
}

static bool is_off(const pliant_solver *s, const pliant__model_mouth *m) { return s->off.bodies[s->model->groups[m->group].body] != 0; }

bool pliant__open_mouths(pliant_solver *s)
{
    const double time = pliant__time_after(s, s->substep);
    bool         any = false;
    for (size_t i = 0; i < model_count(s->model, mouths); i++) {
        pliant__mouth_now *now = &s->groups->mouths[i];
        now->open = pliant__mouth_is_open(&s->model->mouths[i], time) && !is_off(s, &s->model->mouths[i]);
        now->share = 0;
        any = any || now->open;
    }
    return any;
}

double pliant__flow_through_mouth(pliant_solver *s, uint32_t group, const double *number, double volume)
{
    const uint32_t             index = s->groups->of[group].mouth;
    const pliant__model_group *g = &s->model->groups[group];
    press                      now;
    if (index == PLIANT__NONE || !s->groups->mouths[index].open) return 0;
    const pliant__model_mouth *m = &s->model->mouths[index];
    const opening              of = {m->discharge * pliant__mouth_area(s->state, m), m->density, s->substep_h};
    pliant__press((pliant_group_kind)g->kind, number, g->rest, volume, &now);
    s->groups->mouths[index].share = now.pressure > 0 ? 2 * m->discharge : 0;
    return pliant__blown((pliant_group_kind)g->kind, number, g->rest, volume, &of);
}

void pliant__aim_mouths(pliant_solver *s)
{
    for (size_t i = 0; i < model_count(s->model, mouths); i++) {
        const pliant__model_mouth *m = &s->model->mouths[i];
        const pliant_real          third = (pliant_real)(s->groups->mouths[i].share / -3);
        for (uint32_t f = m->first_face; s->groups->mouths[i].share > 0 && f < m->first_face + m->face_count; f++)
            s->groups->push[f] = v3_scale(pliant__mouth_face(s->state, f), third);
    }
}

void pliant__push_at_mouths(pliant_solver *s)
{
    for (size_t i = 0; i < model_count(s->model, mouths); i++) {
        const pliant__model_mouth *m = &s->model->mouths[i];
        const pliant_real          change = (pliant_real)s->groups->of[m->group].change;
        if (!(s->groups->mouths[i].share > 0)) continue;
        for (uint32_t f = m->first_face; f < m->first_face + m->face_count; f++)
            for (uint32_t k = 0; k < 3; k++) {
                pliant_real *x = PLIANT__SLOT(s->state->x, s->model->mouth_faces[3 * (size_t)f + k]);
                pliant__set_slot_x(x, 0, v3_madd(pliant__slot_x(x, 0), s->groups->push[f], x[3] * change));
            }
    }
}

void pliant__gather_mouths(pliant_solver *s)
{
    for (size_t i = 0; i < model_count(s->model, mouths); i++) {
        const pliant__model_mouth *m = &s->model->mouths[i];
        const pliant_real          lambda = (pliant_real)s->groups->of[m->group].lambda;
        if (!(s->groups->mouths[i].share > 0)) continue;
        for (uint32_t f = m->first_face; f < m->first_face + m->face_count; f++)
            for (uint32_t k = 0; k < 3; k++) {
                const uint32_t slot = s->model->mouth_faces[3 * (size_t)f + k];
                if (PLIANT__SLOT(s->state->x, slot)[3] != 0)
                    pliant__set_slot_x(s->sum, slot, v3_madd(pliant__slot_x(s->sum, slot), s->groups->push[f], lambda));
            }
    }
}

/* Of what is led the interaction of groups counts the pressure on all faces, and the jet's push acts on it by the gas: free particles alone get work of it. */
void pliant__work_of_mouths(pliant_solver *s)
{
    for (size_t i = 0; i < model_count(s->model, mouths); i++) {
        const pliant__model_mouth *m = &s->model->mouths[i];
        double                     along = 0;
        if (!(s->groups->mouths[i].share > 0)) continue;
        for (uint32_t f = m->first_face; f < m->first_face + m->face_count; f++)
            for (uint32_t k = 0; k < 3; k++) {
                const uint32_t slot = s->model->mouth_faces[3 * (size_t)f + k];
                if (PLIANT__SLOT(s->state->x, slot)[3] != 0) along += pliant__dot(s->groups->push[f], pliant__way_of(s, slot));
            }
        s->energies->bodies[s->model->groups[m->group].body].work += s->groups->of[m->group].lambda * along / (s->h * s->h);
    }
}
