/* The check of a collider's field. */
#ifndef PLIANT_SCENE_FIELD_H
#define PLIANT_SCENE_FIELD_H

#include "base/error.h"
#include "pliant/scene.h"

/* False with the error filled where it is none. */
bool pliant__check_field(const pliant_field_view *field, pliant_error *error);

static inline size_t pliant__field_values(const pliant_field_view *f) { return (size_t)f->count[0] * f->count[1] * f->count[2]; }

/* The least of the outermost values: a surface grown by less stays inside the grid. */
double pliant__field_border(const pliant_field_view *field);

#endif
