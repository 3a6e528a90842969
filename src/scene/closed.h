/* Closed surfaces of a body: triangles of which every edge has two. */
#ifndef PLIANT_SCENE_CLOSED_H
#define PLIANT_SCENE_CLOSED_H

#include "scene/draft.h"

/* A part of a surface that shares no edge with others. */
typedef struct pliant__shell {
    uint32_t first, count; /* triangles */
    double   volume;       /* m^3, inside it; above 0 */
} pliant__shell;

/* Shells by their lowest triangle. */
typedef struct pliant__shells {
    uint32_t      *corners; /* 3 draft particles per triangle, shell after shell, turned outwards */
    pliant__shell *shells;
    uint32_t       count;
} pliant__shells;

/* Finds the shells of a body; false, and says where, if its surface is open, one-sided or flat, or there is no memory. To be freed either way. */
bool pliant__find_shells(const pliant_scene *scene, const pliant__draft_body *body, pliant__shells *out, pliant_error *error);
void pliant__free_shells(const pliant_allocator *allocator, pliant__shells *shells);

/* Whether all corners of triangle number `triangle` of a shell are marked; `in`: per draft particle. */
static inline bool pliant__is_of_mouth(const pliant__shells *shells, const pliant__shell *shell, uint32_t triangle, const uint8_t *in)
{
    const uint32_t *corner = shells->corners + 3 * ((size_t)shell->first + triangle);
    return in[corner[0]] && in[corner[1]] && in[corner[2]];
}

#endif
