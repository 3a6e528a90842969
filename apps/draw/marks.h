/* Contacts, their forces, and pairs, as lines. */
#ifndef DRAW_MARKS_H
#define DRAW_MARKS_H

#include "draw/frame.h"

/* Contacts and pairs of a solver; start with a zeroed one. */
typedef struct draw_marks {
    pliant_contact      *contacts;
    pliant_pair_contact *pushing;
    pliant_near_pair    *pairs;
    uint32_t             contact_count, pushing_count, pair_count;
    uint32_t             show;
    float                force_most; /* N */
} draw_marks;

/* Reads the marks that the source's overlays show; false if memory runs out. */
bool draw_marks_read(draw_marks *marks, const draw_source *source);
void draw_marks_free(draw_marks *marks);

/* Ends of lines that they take; writes them where there is room for so many, and returns how many. `scale` is the size of the scene, m. */
uint64_t draw_marks_line_ends(const draw_marks *marks);
uint32_t draw_marks_put(const draw_marks *marks, float scale, draw_line_end *out, uint32_t room);

#endif
