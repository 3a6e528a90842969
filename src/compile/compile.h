/* What the passes of compile share. The order of the passes is in compile.c. */
#ifndef PLIANT_COMPILE_COMPILE_H
#define PLIANT_COMPILE_COMPILE_H

#include "base/array.h"
#include "compile/model.h"
#include "scene/draft.h"

/* A constraint on its way: slots instead of draft particles, and where the passes put it. */
typedef struct pliant__row {
    uint32_t    id;  /* public id */
    uint32_t    law; /* merged */
    uint16_t    kind;
    uint16_t    colour;
    uint32_t    anchors;
    uint32_t    slots[4];
    pliant_real parameters[2];
} pliant__row;

typedef struct pliant__compiler {
    const pliant_scene     *scene;
    const pliant_allocator *allocator;
    pliant_error           *error;
    pliant__model_header    header;
    uint32_t               *slot;        /* draft particle to slot, PLIANT__NONE for removed bodies */
    uint32_t               *target_slot; /* target to the slot that moves */
    uint32_t               *body;        /* draft body to model's body */
    uint32_t               *law;         /* draft law to merged law */
    pliant__tethers         tethers;
    uint32_t                tether_law;
    ARRAY(pliant__row) rows; /* in the order of the scene */
    ARRAY(uint32_t) merged;  /* hash table over laws */
#define X(type, name, meaning) ARRAY(type) name;
    MODEL_ARRAYS(X)
#undef X
} pliant__compiler;

/* Passes; each returns false with the error filled. */
bool pliant__number(pliant__compiler *c);         /* number.c: particles to slots */
bool pliant__lay_out_bodies(pliant__compiler *c); /* bodies.c: bodies, surfaces, targets, colliders, forces */
bool pliant__collect_rows(pliant__compiler *c);   /* rows.c: constraints to rows, laws merged */
bool pliant__colour(pliant__compiler *c);         /* colour.c: rows of one colour share no particle that moves */
bool pliant__pack(pliant__compiler *c);           /* pack.c: rows to batches, waves and segments */

/* Asserts what all of them together promise to the step; nothing where asserts are off. */
void pliant__check_promises(const pliant__compiler *c); /* promises.c */

/* Says "out of memory" once for all passes. */
bool pliant__compile_memory(pliant__compiler *c);

/* Colour of rows that found none: they are solved one after another, last. */
#define PLIANT__SERIAL_COLOUR UINT16_MAX

#endif
