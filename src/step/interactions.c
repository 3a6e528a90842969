/* The table of interactions. */
#include "solver/interactions.h"

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
