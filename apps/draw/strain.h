/* How far bodies are strained, point by point: of distances by their length, of triangles and tetrahedra with laws of their own by their principal strain. */
#ifndef DRAW_STRAIN_H
#define DRAW_STRAIN_H

#include "draw/subject.h"

typedef struct draw_strains {
    float *of_point; /* per point of the subject: the mean over what has it; 0 where nothing has */
    float  least, most;
} draw_strains;

/* Strain of a distance at these points; 0 of one that is off. `points`: where the subject's points are, in the order of the subject. */
float draw_link_strain(const draw_link *link, const pliant_state *state, const pliant_vec3 *points);

/* false if memory runs out. `to->of_point` is the caller's to free. */
bool draw_strains_make(draw_strains *to, const draw_subject *subject, const pliant_state *state, const pliant_vec3 *points);

#endif
