/* Files of animated meshes, as other programs write them: every vertex goes straight, `delta` further in each sample, `rate` samples per second. */
#ifndef PLIANT_TESTS_MOVING_H
#define PLIANT_TESTS_MOVING_H

#include <stdint.h>

typedef struct moving {
    uint32_t      vertices, samples;
    const double *base, *delta; /* three numbers per vertex */
    double        rate;
} moving;

/* glTF: a morph target with the weights 0, 1, 2, ... */
void write_moving_glb(const char *path, const moving *m);

/* USD: points by time, without a word about units or axes. */
void write_moving_usda(const char *path, const moving *m);

/* Alembic: a shape in a transform that moves nothing, a sample for every time; without a word about units or axes. 32 samples at the most. */
void write_moving_abc(const char *path, const moving *m);

#endif
