/* What the files of the bench share. */
#ifndef PLIANT_BENCH_H
#define PLIANT_BENCH_H

#include "pliant/pliant.h"

#include <stdio.h>

void stop(const pliant_error *error);

/* From 0 to 1; the same from one seed on. */
static inline double chance(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) * 0x1p-53;
}

/* chains.c: Newton on long chains, and Gauss-Seidel on the same. `csv` may be NULL. */
void measure_chains(bool quick, FILE *csv);

/* multigrid.c: a beam of a hundred thousand tetrahedra, by multigrid and by Gauss-Seidel. */
void bench_multigrid(bool quick);

/* folded.c: sheets in folds that meet themselves. */
void bench_folded(bool quick);

/* pile.c: the search for pairs in a dense pile of up to a million loose particles. */
void bench_pile(bool quick);

/* layers.c: contacts between sheets that lie on one another. */
void bench_layers(bool quick);

/* frames.c: whole frames with contacts. Figures go to a file too, as pliant bench takes it by --with; `csv` may be NULL. */
typedef enum frames_scale {
    FRAMES_FULL,
    FRAMES_QUICK,
    FRAMES_LEAST /* a few frames of small cloths: for what reads the figures */
} frames_scale;
void bench_frames(frames_scale scale, const char *csv);

/* pools.c: what bodies that are switched off cost. */
void bench_pools(bool quick);

#endif
