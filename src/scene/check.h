/* Checks of the numbers and names in defs. Each returns false with a message of one clause: what is wrong, and what to do. */
#ifndef PLIANT_SCENE_CHECK_H
#define PLIANT_SCENE_CHECK_H

#include "base/error.h"
#include "pliant/model.h"
#include "pliant/scene.h"

/* `size` is what a default function left in a def. */
bool pliant__check_size(size_t size, size_t want, const char *def, const char *function, pliant_error *error);

/* Finite, and > 0. */
bool pliant__check_positive(pliant_real value, const char *what, pliant_error *error);

/* Finite, and >= 0. */
bool pliant__check_not_negative(pliant_real value, const char *what, pliant_error *error);

/* Finite, and from `low` to `high`. */
bool pliant__check_between(pliant_real value, double low, double high, const char *what, pliant_error *error);
bool pliant__check_share(pliant_real value, const char *what, pliant_error *error); /* from 0 to 1 */

bool pliant__check_vector(pliant_vec3 value, const char *what, pliant_error *error);

/* Finite and not zero; it need not have unit length. */
bool pliant__check_rotation(pliant_quat value, const char *what, pliant_error *error);

/* Ends within `size` bytes and has no control characters. */
bool pliant__check_name(const char *name, size_t size, const char *what, pliant_error *error);

/* An enumerator below `count`. */
bool pliant__check_choice(int value, int count, const char *what, pliant_error *error);

/* `kind` PLIANT_CONSTRAINT_COUNT: the law of a user's own constraint. `what` may be empty. */
bool pliant__check_law(const pliant_law *law, pliant_constraint_kind kind, const char *what, pliant_error *error);

/* A method and those of its settings that have a range. */
bool pliant__check_method(const pliant_method_def *def, pliant_error *error);

/* All but the laws, which are checked where they are used. */
bool pliant__check_material(const pliant_material *material, pliant_error *error);

/* Whether a cloth of a model can be made of a material that is checked. */
bool pliant__check_cloth(const pliant_material *material, pliant_cloth_model model, pliant_error *error);

/* Whether a soft body of a model can be made of a material that is checked. */
bool pliant__check_solid(const pliant_material *material, pliant_solid_model model, pliant_error *error);

/* Whether a body of a type may be made of what breaks as a material's laws say. */
bool pliant__check_break(const pliant_material *material, pliant_body_type type, pliant_error *error);

/* Whether a body of a type is a rope that snaps. */
bool pliant__snaps(pliant_body_type type, const pliant_material *material);

/* Whether a body that snaps has no tethers of a factor of its own. */
bool pliant__check_snap_tether(pliant_body_type type, const pliant_material *material, pliant_real tether, pliant_error *error);

/* Whether a law of a material is said: it is not the default one, or has to count. */
bool pliant__says_law(const pliant_law *law, bool has);

/* Whether a material says something of the laws of a soft body's distances and volumes. */
bool pliant__says_distances(const pliant_material *material);

/* Whether a body of a type has what a material's own yield is of. */
bool pliant__check_yield(const pliant_material *material, pliant_body_type type, pliant_error *error);

/* A body that `meets` bodies, or itself, has a thickness. */
bool pliant__check_impact(bool meets, const pliant_material *material, pliant_error *error);

/* `count` finite numbers, each larger than the one before. */
bool pliant__check_times(const double *times, size_t count, pliant_error *error);

#endif
