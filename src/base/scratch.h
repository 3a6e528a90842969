/* Arrays that a struct owns, as a table: fields, making and freeing come from the same rows.
 *
 * X(type, name, fill, when, count, each, text)
 * A field `type *name` of `count` times `each` entries, where `when` holds; else it is NULL. fill: array (zeroed) or untouched, as base/alloc.h has
 * them. Conditions and counts are expressions of what is in scope where SCRATCH_MAKE stands. */
#ifndef PLIANT_BASE_SCRATCH_H
#define PLIANT_BASE_SCRATCH_H

#include "base/alloc.h"

#define SCRATCH_FIELD(type, name, fill, when, count, each, text) type *name; /* text */

/* In a boolean expression, where `a` is an allocator and `own` the struct. */
#define SCRATCH_MAKE(type, name, fill, when, count, each, text) \
    &&(!(when) || (own->name = pliant__alloc_##fill(a, (count), (each) * sizeof *own->name)))

#define SCRATCH_FREE(type, name, fill, when, count, each, text) pliant__free(a, own->name);

#endif
