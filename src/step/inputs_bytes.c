/* Inputs as bytes, for recordings. What is loaded goes through what a user would call, so it is checked as that is. */
#include "step/inputs.h"

#include "base/error.h"
#include "base/float_env.h"

#include <string.h>

typedef struct saved {
    char     magic[8]; /* "PLIANTI" */
    uint64_t model, bytes;
    double   dt;
    uint32_t substeps, iterations, grab_count, unused;
} saved;

typedef struct saved_grab {
    uint64_t    slot; /* 8 bytes: nothing lies between */
    pliant_vec3 target;
    pliant_real compliance;
} saved_grab;

static const char magic[8] = "PLIANTI";

/* X(type, name, count): what comes behind, in this order. */
#define PARTS(X)                                        \
    X(pliant_vec3, gravity, 1)                          \
    X(pliant_vec3, force, model_count(m, forces))       \
    X(pliant_vec3, target, model_count(m, targets))     \
    X(uint8_t, target_set, model_count(m, targets))     \
    X(pliant_pose, collider, model_count(m, colliders)) \
    X(uint8_t, collider_set, model_count(m, colliders)) \
    X(pliant_real, law, 3 * model_count(m, laws))       \
    X(saved_grab, grab, PLIANT__MAX_GRABS)

static size_t size_of(const pliant_model *m)
{
    size_t size = sizeof(saved);
#define X(type, name, count) size += sizeof(type) * (count);
    PARTS(X)
#undef X
    return size;
}

static void put(unsigned char **to, const void *from, size_t size)
{
    memcpy(*to, from, size);
    *to += size;
}

/* What was not set, or is no grab, is 0: the same inputs are the same bytes. */
static void save(const pliant_inputs *in, unsigned char *to)
{
    const pliant_model *m = in->model;
    saved               h = {.model = m->header->hash, .bytes = size_of(m), .dt = in->dt};
    memcpy(h.magic, magic, sizeof magic);
    h.substeps = in->substeps;
    h.iterations = in->iterations;
    h.grab_count = in->grab_count;
    memset(to, 0, (size_t)h.bytes);
    put(&to, &h, sizeof h);
    put(&to, &in->gravity, sizeof in->gravity);
    put(&to, in->force, model_count(m, forces) * sizeof *in->force);
    for (size_t i = 0; i < model_count(m, targets); i++, to += sizeof *in->target)
        if (in->target_set[i]) memcpy(to, &in->target[i], sizeof *in->target);
    put(&to, in->target_set, model_count(m, targets));
    for (size_t i = 0; i < model_count(m, colliders); i++, to += sizeof *in->collider)
        if (in->collider_set[i]) memcpy(to, &in->collider[i], sizeof *in->collider);
    put(&to, in->collider_set, model_count(m, colliders));
    for (size_t i = 0; i < model_count(m, laws); i++) {
        const pliant_real law[3] = {in->law[i].compliance, in->law[i].damping, in->law[i].stiffness};
        put(&to, law, sizeof law);
    }
    for (uint32_t i = 0; i < in->grab_count; i++) {
        const saved_grab g = {in->grab[i].slot, in->grab[i].target, in->grab[i].compliance};
        put(&to, &g, sizeof g);
    }
}

size_t pliant_inputs_save(const pliant_inputs *inputs, void *out, size_t size)
{
    if (!inputs || !(inputs->dt > 0)) return 0;
    const size_t whole = size_of(inputs->model);
    if (out && size >= whole) save(inputs, out);
    return whole;
}

/* ---- loading ---- */

typedef struct parts {
#define X(type, name, count) const unsigned char *name;
    PARTS(X)
#undef X
} parts;

static bool load_targets(pliant_inputs *in, const parts *p)
{
    for (size_t i = 0; i < model_count(in->model, targets); i++) {
        if (p->target_set[i] > 1) return false;
        if (!p->target_set[i]) continue;
        memcpy(&in->target[i], p->target + i * sizeof *in->target, sizeof *in->target);
        in->target_set[i] = 1;
        if (!v3_finite(in->target[i])) return false;
    }
    return true;
}

/* A rotation is of length 1 already, and would not be the same number if it were made so once more. */
static bool load_colliders(pliant_inputs *in, const parts *p)
{
    for (size_t i = 0; i < model_count(in->model, colliders); i++) {
        pliant_pose pose;
        if (p->collider_set[i] > 1) return false;
        if (!p->collider_set[i]) continue;
        memcpy(&pose, p->collider + i * sizeof pose, sizeof pose);
        if (pliant_inputs_collider(in, (pliant_collider){(uint32_t)i + 1}, &pose) != PLIANT_OK) return false;
        in->collider[i] = pose;
    }
    return true;
}

static bool load_laws(pliant_inputs *in, const parts *p)
{
    for (size_t i = 0; i < model_count(in->model, laws); i++) {
        pliant_real number[3];
        pliant_law  law = pliant_law_default();
        memcpy(number, p->law + i * sizeof number, sizeof number);
        law.compliance = number[0];
        law.damping = number[1];
        law.stiffness = number[2];
        if (pliant_inputs_law(in, (uint32_t)i, &law) != PLIANT_OK) return false;
    }
    return true;
}

static bool load_grabs(pliant_inputs *in, const parts *p, uint32_t count)
{
    if (count > PLIANT__MAX_GRABS) return false;
    for (uint32_t i = 0; i < count; i++) {
        saved_grab g;
        memcpy(&g, p->grab + i * sizeof g, sizeof g);
        if (g.slot >= in->model->header->particle_count || !v3_finite(g.target) || !(g.compliance >= 0) || !r_finite(g.compliance))
            return false;
        in->grab[i] = (pliant__grab){(uint32_t)g.slot, g.target, g.compliance};
    }
    in->grab_count = count;
    return true;
}

static bool load(pliant_inputs *in, const unsigned char *bytes)
{
    const pliant_model *m = in->model;
    saved               h;
    parts               p;
    pliant_vec3         vector;
    memcpy(&h, bytes, sizeof h);
    bytes += sizeof h;
#define X(type, name, count) \
    p.name = bytes;          \
    bytes += sizeof(type) * (count);
    PARTS(X)
#undef X
    if (pliant_inputs_reset(in, h.dt) != PLIANT_OK || !h.substeps || !h.iterations) return false;
    if (pliant_inputs_substeps(in, h.substeps, h.iterations) != PLIANT_OK) return false;
    memcpy(&vector, p.gravity, sizeof vector);
    bool good = pliant_inputs_gravity(in, vector) == PLIANT_OK;
    for (size_t i = 0; good && i < model_count(m, forces); i++) {
        memcpy(&vector, p.force + i * sizeof vector, sizeof vector);
        good = pliant_inputs_force(in, (uint32_t)i, vector) == PLIANT_OK;
    }
    return good && load_targets(in, &p) && load_colliders(in, &p) && load_laws(in, &p) && load_grabs(in, &p, h.grab_count);
}

pliant_code pliant_inputs_load(pliant_inputs *inputs, const void *data, size_t size, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    saved       h;
    pliant_code bad = PLIANT_ERROR_INPUT;
    if (!inputs) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "no inputs to load into"), PLIANT_ERROR_ARGUMENT;
    if (!data || size < sizeof h) return pliant__fail(error, bad, "%zu bytes are too few for inputs", size), bad;
    memcpy(&h, data, sizeof h);
    if (memcmp(h.magic, magic, sizeof magic) != 0) return pliant__fail(error, bad, "these bytes are not inputs"), bad;
    if (h.model != inputs->model->header->hash) return pliant__fail(error, bad, "these inputs belong to another model"), bad;
    if (h.bytes != size || size != size_of(inputs->model))
        return pliant__fail(error, bad, "inputs of %zu bytes where the model's have %zu", size, size_of(inputs->model)), bad;
    const double dt = inputs->dt;
    if (load(inputs, data)) return PLIANT_OK;
    if (dt > 0) pliant_inputs_reset(inputs, dt);
    return pliant__fail(error, bad, "a number of these inputs is out of range"), bad;
}
