/* Forces that differ from place to place, and from time to time: fields.c. */
#ifndef PLIANT_STEP_FIELDS_H
#define PLIANT_STEP_FIELDS_H

#include "compile/model.h"
#include "state/inputs.h"

/* A force as it is during a step. */
typedef struct pliant__force_now {
    pliant_vec3 vector;
    pliant_real share;    /* of swirl, pull and gusts */
    double      drift[3]; /* m that its eddies have gone since time 0 */
    double      time;     /* s: the middle of the step */
} pliant__force_now;

/* Force number `force` at `time`: its vector as the inputs have set it, or else as its keys or the model say. */
pliant__force_now pliant__force_at(const pliant_model *model, const pliant_inputs *inputs, size_t force, double time);

/* What a force is at x, in the unit of its vector: m/s^2, N, or, of a wind, m/s. */
pliant_vec3 pliant__force_field(const pliant__model_force *force, const pliant__force_now *now, pliant_vec3 x);

/* The velocity of turbulence at a place and a time, its root mean square being 1. `x` is in sizes of an eddy, `time` in the times that one lasts; nothing drifts. */
pliant_vec3 pliant__curl_noise(const double x[3], double time, uint64_t seed);

/* Whether a force acts on a body. */
static inline bool pliant__acts_on(const pliant__model_force *f, uint32_t body) { return f->body == PLIANT__NONE || f->body == body; }

/* Whether a force is an acceleration that differs from place to place. */
static inline bool pliant__pulls_locally(const pliant__model_force *f)
{
    return f->type == PLIANT_FORCE_ACCELERATION && pliant__is_local(f);
}

bool pliant__has_local_pull(const pliant_model *model);
bool pliant__has_local_wind(const pliant_model *model);

#endif
