/* Closed surfaces of a body: triangles of which every edge has two. */
#ifndef PLIANT_SCENE_CLOSED_H
#define PLIANT_SCENE_CLOSED_H

#include "scene/draft.h"

/* A part of a surface that shares no edge with others. */
typedef struct pliant__shell {
    uint32_t first, count; /* triangles */
    double   volume;       /* m^3, inside it */
    uint32_t flat_from;    /* vertex of the body where it begins, if it has no volume inside but for rounding; else PLIANT__NONE */
} pliant__shell;

/* Shells by their lowest triangle. */
typedef struct pliant__shells {
    uint32_t
        *corners; /* 3 draft particles per triangle, shell after shell, turned outwards; those of a flat one as its first triangle is */
    pliant__shell *shells;
    uint32_t       count;
} pliant__shells;

/* Finds the shells of a body; false, and says where, if its surface is open or one-sided, or there is no memory. To be freed either way. */
bool pliant__find_shells(const pliant_scene *scene, const pliant__draft_body *body, pliant__shells *out, pliant_error *error);
void pliant__free_shells(const pliant_allocator *allocator, pliant__shells *shells);

/* m^3, the volume at rest that the numbers of a group say; 0: that at the start. */
double pliant__volume_said(const pliant_group_info *info, const double *numbers);

/* Whether all corners of triangle number `triangle` of a shell are marked; `in`: per draft particle. */
static inline bool pliant__is_of_mouth(const pliant__shells *shells, const pliant__shell *shell, uint32_t triangle, const uint8_t *in)
{
    const uint32_t *corner = shells->corners + 3 * ((size_t)shell->first + triangle);
    return in[corner[0]] && in[corner[1]] && in[corner[2]];
}

#endif
