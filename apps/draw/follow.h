/* A camera that goes with a body: it keeps its direction and distance, and moves as the mean of the body's vertices does. */
#ifndef DRAW_FOLLOW_H
#define DRAW_FOLLOW_H

#include "draw/camera.h"
#include "draw/subject.h"

typedef struct draw_follow {
    const draw_body *body;
    const char      *rest;       /* of the words: where from, as a camera that does not follow has it; empty: auto */
    bool             begun;      /* it was seen before */
    f3               first, now; /* the mean of its vertices, when it was first seen and when it was last */
    f3               half;       /* how far vertices were from their mean at most, along each axis */
} draw_follow;

/* Whether words of a camera are "follow:...". */
bool draw_follow_asked(const char *words);

/* "follow:NAME" or "follow:NAME:VIEW". False where no body has that name. */
bool draw_follow_parse(const char *words, const draw_subject *subject, draw_follow *out);

/* Goes with that body; it is one of the subject's. */
void draw_follow_body(draw_follow *f, const draw_subject *subject, pliant_body body);

/* Looks where the body is. False if memory runs out. */
bool draw_follow_see(draw_follow *f, const pliant_state *state);

/* The box that shows all of the body as it was seen, about where it was first. */
draw_bounds draw_follow_bounds(const draw_follow *f);

/* A camera of the first time, moved to the last. */
draw_camera draw_follow_moved(const draw_follow *f, const draw_camera *first);

#endif
