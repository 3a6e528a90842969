/* The inside of a pliant_state: a handle, and one flat block that holds offsets and no pointers. */
#ifndef PLIANT_STATE_STATE_H
#define PLIANT_STATE_STATE_H

#include "compile/model.h"
#include "pliant/state.h"

/* What came before is kept where the integration needs it: history.c. */
static inline size_t pliant__history_count(const pliant_model *model)
{
    return pliant__is_bdf2(model) ? pliant__slot_numbers(model->header->slot_count) : 0;
}

/* The place in which each particle has been for long is kept in models that may sleep: step/sleep.c. */
static inline size_t pliant__rest_count(const pliant_model *model)
{
    return pliant__may_sleep(model) ? pliant__slot_numbers(model->header->slot_count) : 0;
}

/* What tearing changes is kept in states of models that may tear: tear.c. */
static inline size_t pliant__torn_count(const pliant_model *model, size_t count) { return pliant__may_tear(model) ? count : 0; }

static inline size_t pliant__pinned_bytes(const pliant_model *model) { return ((size_t)model->header->slot_count + 7) / 8; }

/* A skinned target. */
typedef struct pliant__skin_now {
    pliant_vec3 x, normal; /* of length 1, or 0: it has none */
} pliant__skin_now;

/* X(type, name, count, meaning) */
#define STATE_ARRAYS(X)                                                                                                              \
    X(pliant_real, x, pliant__slot_numbers(model->header->slot_count), "4 per slot: position, inverse mass as it is now")            \
    X(pliant_real, v, pliant__slot_numbers(model->header->slot_count), "4 per slot: velocity, 0")                                    \
    X(uint16_t, active, pliant__active_words(model), "a bit per packed row, then one per user's constraint; 1 for padding")          \
    X(uint16_t, broken, pliant__breaks(model) ? pliant__active_words(model) : 0, "likewise; 1: it is broken")                        \
    X(pliant_pose, colliders, model_count(model, colliders), "where each collider is")                                               \
    X(pliant__skin_now, skins, model_count(model, skins), "where each skinned target is")                                            \
    X(pliant_real, previous_x, pliant__history_count(model), "4 per slot: position a substep ago; 1, or 0: no history")              \
    X(pliant_real, previous_v, pliant__history_count(model), "4 per slot: velocity a substep ago, 0")                                \
    X(pliant_real, rest, pliant__rest_count(model), "4 per slot: where it was put down last, and for how long, s")                   \
    X(uint64_t, inputs_hash, pliant__may_sleep(model) ? 1 : 0, "hash of the inputs of the last step")                                \
    X(double, carried, pliant__may_carry(model) ? 1 : 0, "s that steps have asked for beyond the last substep")                      \
    X(pliant_real, flow, (size_t)model->header->flow_count, "parameters of batches that flow, as they are now")                      \
    X(double, group_number, model_count(model, groups), "per group: its first number, as it is now")                                 \
    X(pliant_real, match_rotation, 4 * model_count(model, matches), "4 per cluster of shape matching: its quaternion x y z w")       \
    X(pliant_real, match_plastic, 9 * (size_t)model->header->match_flow_count, "9 per cluster that flows: its plastic map, by rows") \
    X(uint64_t, topology, pliant__may_tear(model) ? 1 : 0, "hash of all splits of particles, in their order; 0: none")               \
    X(uint64_t, unsplit, pliant__may_tear(model) ? 1 : 0, "how often a particle was to be split and no slot stood by")               \
    X(uint16_t, row_index, pliant__torn_count(model, model_count(model, row_index)), "as the model's, as it is now")                 \
    X(uint32_t, triangles, pliant__torn_count(model, model_count(model, triangles)), "as the model's, as they are now")              \
    X(uint32_t, face_indices, pliant__torn_count(model, model_count(model, face_indices)), "as the model's, likewise")               \
    X(uint32_t, origin, pliant__torn_count(model, model->header->slot_count),                                                        \
      "per slot: itself, or the one that it was split from; none: it stands by")                                                     \
    X(pliant_real, free_w, pliant__torn_count(model, model->header->slot_count), "per slot: as the model's, as it is now")           \
    X(uint32_t, torn_faces, model_count(model, torn_faces), "as the model's, as they are now")                                       \
    X(uint32_t, open_faces, model_count(model, torn_faces) ? model_count(model, bodies) : 0, "faces that stood by and are open")     \
    X(double, stitch_start, model_count(model, each_stitch), "m, per stitch: how long it was when it began; below 0: it has not")    \
    X(uint8_t, stitch_broken, model_count(model, each_stitch), "1: it is broken")                                                    \
    X(uint8_t, body_off, model_count(model, bodies), "1: it takes no part. From here on: pliant_state_hash")                         \
    X(uint8_t, off_pinned, pliant__pinned_bytes(model), "a bit per slot of bodies that are off: it was pinned; else 0")              \
    X(uint8_t, collider_off, model_count(model, colliders), "1: nothing meets it")

typedef struct pliant__state_header {
    char     magic[8]; /* "PLIANTS" */
    uint64_t model, bytes;
    double   longest_substep; /* s, from which what stands violated may stem: ease.c; not of the hash */
    uint64_t steps;
    double   time, time_lost; /* what rounding took from the sum, given back in the next step */
    double   spectral_radius; /* as chebyshev found it */
    double   history_step;    /* s, how long ago `previous_x` was; 0: nothing has been yet */
} pliant__state_header;

struct pliant_state {
    pliant_allocator      allocator;
    const pliant_model   *model;
    pliant__state_header *header; /* the block begins here */
#define X(type, name, count, meaning) type *name;
    STATE_ARRAYS(X)
#undef X
};

/* m, how long a stitch of a call is at `time`, when it was `start` long as it began. */
double pliant__stitch_length(const pliant__model_stitches *of, double start, double time);

/* Whether stitches of a call pull at `time`. */
static inline bool pliant__stitches_pull(const pliant__model_stitches *of, double time) { return time > of->from && !(time > of->until); }

/* From the point among a stitch's other slots to its first slot. */
pliant_vec3 pliant__across_stitch(const pliant_real *x, const pliant__model_stitch *stitch);
/* What tearing changes, as it is now: the state's own, or the model's where nothing tears. */
static inline const uint16_t *pliant__row_index_of(const pliant_state *s)
{
    return pliant__may_tear(s->model) ? s->row_index : s->model->row_index;
}
static inline const uint32_t *pliant__triangles_of(const pliant_state *s)
{
    return pliant__may_tear(s->model) ? s->triangles : s->model->triangles;
}
static inline const uint32_t *pliant__face_indices_of(const pliant_state *s)
{
    return pliant__may_tear(s->model) ? s->face_indices : s->model->face_indices;
}
static inline const pliant_real *pliant__free_w_of(const pliant_state *s)
{
    return pliant__may_tear(s->model) ? s->free_w : s->model->free_w;
}

/* Whether a mouth is open at `time`. */
static inline bool pliant__mouth_is_open(const pliant__model_mouth *m, double time)
{
    return time >= m->from && !(m->until > 0 && time >= m->until);
}

/* m^2, the area vector of a face of a mouth; and the area of all of them: group.c. */
pliant_vec3 pliant__mouth_face(const pliant_state *state, uint32_t face);
double      pliant__mouth_area(const pliant_state *state, const pliant__model_mouth *mouth);

/* What keys say that a group's first number is at `time`; `now` if it has none. */
double pliant__group_at(const pliant_model *model, const pliant__model_group *group, double time, double now);

/* Fills the normals of a body's skinned targets, from its triangles: skin_normals.c. */
void pliant__skin_normals(const pliant_model *model, const pliant__model_body *body, pliant__skin_now *skins);

/* 16-bit words of active bits. */
static inline size_t pliant__active_words(const pliant_model *model)
{
    return model->header->packed_rows / PLIANT__BLOCK + (model_count(model, users) + PLIANT__BLOCK - 1) / PLIANT__BLOCK;
}

static inline bool pliant__is_active(const uint16_t *active, uint32_t row) { return active[row / 16] >> (row % 16) & 1; }

/* Whether nothing meets a collider, by the model's number. */
static inline bool pliant__is_off(const pliant_state *state, size_t collider) { return state->collider_off[collider] != 0; }

/* Whether a slot of a body that is off was pinned before, and will be again. */
static inline bool pliant__off_pinned(const pliant_state *state, uint32_t slot) { return state->off_pinned[slot / 8] >> slot % 8 & 1; }
static inline void pliant__set_off_pinned(pliant_state *state, uint32_t slot, bool pinned)
{
    const uint8_t bit = (uint8_t)(1u << slot % 8), was = state->off_pinned[slot / 8];
    state->off_pinned[slot / 8] = (uint8_t)(pinned ? was | bit : was & ~bit);
}

/* Position or velocity of this slot jumps: what was before tells nothing of what comes. */
static inline void pliant__forget_history(pliant_state *state, uint32_t slot)
{
    if (pliant__is_bdf2(state->model)) PLIANT__SLOT(state->previous_x, slot)[3] = 0;
}

/* Parameters of a block of a batch that flows. */
static inline pliant_real *pliant__flowing(pliant_state *state, const pliant__batch *b, uint32_t block)
{
    return state->flow + (b->flow - 1) + (size_t)block * b->parameter_step;
}

/* A caller changes the state between two steps: particles that sleep wake in the next one, since its inputs are others than these. */
static inline void pliant__disturb(pliant_state *state)
{
    if (pliant__may_sleep(state->model)) *state->inputs_hash = 0;
}

static inline pliant_vec3 pliant__slot_x(const pliant_real *x, uint32_t slot)
{
    return v3(PLIANT__SLOT(x, slot)[0], PLIANT__SLOT(x, slot)[1], PLIANT__SLOT(x, slot)[2]);
}

static inline void pliant__set_slot_x(pliant_real *x, uint32_t slot, pliant_vec3 p)
{
    PLIANT__SLOT(x, slot)[0] = p.x;
    PLIANT__SLOT(x, slot)[1] = p.y;
    PLIANT__SLOT(x, slot)[2] = p.z;
}

/* Where it is now is its place from now on, and it is awake. Only where something may sleep. */
static inline void pliant__put_down(pliant_state *state, uint32_t slot)
{
    pliant__set_slot_x(state->rest, slot, pliant__slot_x(state->x, slot));
    PLIANT__SLOT(state->rest, slot)[3] = 0;
}

#endif
