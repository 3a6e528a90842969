/* Alembic archives (Ogawa) put together by hand, by the layout that Alembic's library reads: what Pliant's own do not have is in them, too. */
#ifndef PLIANT_TESTS_ABC_MAKER_H
#define PLIANT_TESTS_ABC_MAKER_H

#include <stddef.h>
#include <stdint.h>

typedef struct abc_maker {
    unsigned char bytes[1 << 16];
    size_t        size;
} abc_maker;

void abc_begin(abc_maker *m);

/* Each is the child that its parent has to name. */
uint64_t abc_data(abc_maker *m, const void *data, size_t size);
uint64_t abc_group(abc_maker *m, const uint64_t *children, size_t count);

/* A sample with a key in front, which readers need not look at. */
uint64_t abc_floats(abc_maker *m, const float *values, size_t count);
uint64_t abc_doubles(abc_maker *m, const double *values, size_t count);

/* A property: its head, and the group with its samples. type: 0 a compound, 1 scalars, 2 arrays. first and last as the library counts what changes:
 * 0 and 0: it stays; 1 and samples - 1: every sample; else both are written. */
typedef struct abc_property {
    const char *name;
    unsigned    type, pod, extent;
    uint32_t    samples, first, last, times;
    uint64_t    group;
} abc_property;

uint64_t abc_compound(abc_maker *m, const abc_property *properties, size_t count);

typedef struct abc_object {
    const char *name;
    uint64_t    group;
} abc_object;

uint64_t abc_put_object(abc_maker *m, uint64_t properties, const abc_object *children, size_t count);

/* Writes what is about the archive: `about` words, `times` as bytes (abc_times), and its top object. */
void   abc_end(abc_maker *m, const char *about, const void *times, size_t times_size, uint64_t top);
size_t abc_times(unsigned char *out, double cycle, const double *times, uint32_t count);

/* A row of samples, arrays (with room for their dimensions) or scalars. */
uint64_t abc_samples(abc_maker *m, const uint64_t *samples, size_t count, unsigned type);

#endif
