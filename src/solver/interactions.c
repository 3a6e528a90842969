/* What a step does with all interactions. */
#include "solver/interactions.h"

#include "solver/method.h"

bool pliant__make_interactions(pliant_solver *s)
{
    for (int i = 0; i < PLIANT__INTERACTION_COUNT; i++)
        if (s->interactions[i]->create && !s->interactions[i]->create(s)) return false;
    return true;
}

void pliant__free_interactions(pliant_solver *s)
{
    for (int i = 0; i < PLIANT__INTERACTION_COUNT; i++)
        if (s->interactions[i]->destroy) s->interactions[i]->destroy(s);
}

void pliant__choose_interactions(pliant_solver *s)
{
    s->interacting = 0;
    for (int i = 0; i < PLIANT__INTERACTION_COUNT; i++)
        if (s->interactions[i]->wanted(s)) s->interacting |= 1u << i;
}

bool pliant__lambda_is_needed(const pliant_solver *s)
{
    bool needed = false;
    for (int i = 0; i < PLIANT__INTERACTION_COUNT; i++)
        needed = needed || (s->interactions[i]->needs_lambda && s->interactions[i]->wanted(s));
    return needed;
}

bool pliant__interactions_go_by_parts(const pliant_solver *s)
{
    bool all = true;
    for (int i = 0; i < PLIANT__INTERACTION_COUNT; i++)
        if (s->interacting >> i & 1) all = all && s->interactions[i]->goes_by_parts && s->interactions[i]->goes_by_parts(s);
    return all;
}

/* Calls a function of each that is wanted and has one. */
#define EACH(s, function, ...)                             \
    for (int i_ = 0; i_ < PLIANT__INTERACTION_COUNT; i_++) \
        if ((s)->interacting >> i_ & 1 && (s)->interactions[i_]->function) (s)->interactions[i_]->function(__VA_ARGS__)

void pliant__begin_interactions(pliant_solver *s) { EACH(s, begin, s); }
void pliant__move_interactions(pliant_solver *s) { EACH(s, move, s); }
void pliant__gather_interactions(pliant_solver *s) { EACH(s, gather, s); }
void pliant__flow_interactions(pliant_solver *s) { EACH(s, flow, s); }
void pliant__end_interactions(pliant_solver *s) { EACH(s, end, s); }
void pliant__count_interactions(pliant_solver *s) { EACH(s, count, s); }
void pliant__work_of_interactions(pliant_solver *s) { EACH(s, work, s); }
void pliant__energy_of_interactions(pliant_solver *s) { EACH(s, energy, s); }
void pliant__project_interactions(pliant_solver *s, bool first) { EACH(s, project, s, first); }
