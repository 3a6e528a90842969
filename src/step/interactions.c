/* The table of interactions, and what a step does with all of its rows. */
#include "step/interactions.h"

#include "step/solver.h"

#define X(NAME, name, text) extern const pliant__interaction pliant__interaction_##name;
INTERACTIONS(X)
#undef X

const pliant__interaction *const pliant__interactions[PLIANT__INTERACTION_COUNT] = {
#define X(NAME, name, text) [PLIANT__INTERACTION_##NAME] = &pliant__interaction_##name,
    INTERACTIONS(X)
#undef X
};

const char *const pliant__interaction_names[PLIANT__INTERACTION_COUNT] = {
#define X(NAME, name, text) [PLIANT__INTERACTION_##NAME] = #name,
    INTERACTIONS(X)
#undef X
};

bool pliant__make_interactions(pliant_solver *s)
{
    for (int i = 0; i < PLIANT__INTERACTION_COUNT; i++)
        if (pliant__interactions[i]->create && !pliant__interactions[i]->create(s)) return false;
    return true;
}

void pliant__free_interactions(pliant_solver *s)
{
    for (int i = 0; i < PLIANT__INTERACTION_COUNT; i++)
        if (pliant__interactions[i]->destroy) pliant__interactions[i]->destroy(s);
}

void pliant__choose_interactions(pliant_solver *s)
{
    s->interacting = 0;
    for (int i = 0; i < PLIANT__INTERACTION_COUNT; i++)
        if (pliant__interactions[i]->wanted(s)) s->interacting |= 1u << i;
}

bool pliant__interacts(const pliant_solver *s, enum pliant__interaction_number number) { return s->interacting >> number & 1; }

bool pliant__lambda_is_needed(const pliant_solver *s)
{
    bool needed = false;
    for (int i = 0; i < PLIANT__INTERACTION_COUNT; i++)
        needed = needed || (pliant__interactions[i]->needs_lambda && pliant__interactions[i]->wanted(s));
    return needed;
}

/* Calls a function of each that is wanted and has one. */
#define EACH(s, function, ...)                             \
    for (int i_ = 0; i_ < PLIANT__INTERACTION_COUNT; i_++) \
        if ((s)->interacting >> i_ & 1 && pliant__interactions[i_]->function) pliant__interactions[i_]->function(__VA_ARGS__)

void pliant__begin_interactions(pliant_solver *s) { EACH(s, begin, s); }
void pliant__move_interactions(pliant_solver *s) { EACH(s, move, s); }
void pliant__gather_interactions(pliant_solver *s) { EACH(s, gather, s); }
void pliant__end_interactions(pliant_solver *s) { EACH(s, end, s); }
void pliant__count_interactions(pliant_solver *s) { EACH(s, count, s); }
void pliant__work_of_interactions(pliant_solver *s) { EACH(s, work, s); }
void pliant__project_interactions(pliant_solver *s, bool first) { EACH(s, project, s, first); }
