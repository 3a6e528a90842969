/* States: made from the model's start, copied, saved, hashed, read and changed. */
#include "state/state.h"
#include "state/tear.h"

#include "base/alloc.h"
#include "base/bounds.h"
#include "base/error.h"
#include "base/float_env.h"
#include "base/hash.h"
#include "constraints/matching.h"
#include "scene/draft.h"

static size_t rounded(size_t bytes) { return (bytes + PLIANT_ALIGN - 1) / PLIANT_ALIGN * PLIANT_ALIGN; }

size_t pliant_model_state_size(const pliant_model *model)
{
    if (!model) return 0;
    size_t end = rounded(sizeof(pliant__state_header));
#define X(type, name, count, meaning) end += rounded((count) * sizeof(type));
    STATE_ARRAYS(X)
#undef X
    return end;
}

pliant_state *pliant_state_create(const pliant_model *model, pliant_error *error)
{
    if (!model) {
        pliant__fail(error, PLIANT_ERROR_ARGUMENT, "no model to make a state of");
        return NULL;
    }
    size_t        bytes = pliant_model_state_size(model);
    pliant_state *s = pliant__alloc(&model->allocator, sizeof *s);
    if (s) s->header = pliant__alloc(&model->allocator, bytes);
    if (!s || !s->header) {
        pliant__free(&model->allocator, s);
        pliant__fail_memory(error, bytes, "a state");
        return NULL;
    }
    s->allocator = model->allocator;
    s->model = model;
    unsigned char *at = (unsigned char *)s->header + rounded(sizeof(pliant__state_header));
#define X(type, name, count, meaning) \
    s->name = (type *)(void *)at;     \
    at += rounded((count) * sizeof(type));
    STATE_ARRAYS(X)
#undef X
    pliant_state_reset(s);
    return s;
}

void pliant_state_destroy(pliant_state *state)
{
    if (!state) return;
    pliant_allocator allocator = state->allocator;
    pliant__free(&allocator, state->header);
    pliant__free(&allocator, state);
}

/* Rows rest as they do in the model. */
static void reset_flow(pliant_state *state, const pliant__batch *b)
{
    const size_t numbers = (size_t)pliant__kind_parameters(b->kind) * PLIANT__BLOCK;
    for (uint32_t k = 0; k < pliant__blocks(b); k++)
        memcpy(pliant__flowing(state, b, k), pliant__parameters(state->model, b, k), numbers * sizeof *state->flow);
}

void pliant_state_reset(pliant_state *state)
{
    if (!state) return;
    const pliant_model *m = state->model;
    memset(state->header, 0, pliant_model_state_size(m));
    memcpy(state->header->magic, "PLIANTS", 8);
    state->header->model = m->header->hash;
    state->header->bytes = pliant_model_state_size(m);
    memcpy(state->x, m->x, model_count(m, x) * sizeof *m->x);
    if (model_count(m, v)) memcpy(state->v, m->v, model_count(m, v) * sizeof *m->v);
    memset(state->active, 0xff, pliant__active_words(m) * sizeof *state->active);
    for (size_t i = 0; i < model_count(m, batches); i++) { /* where there is no row, nothing is active */
        const pliant__batch *b = &m->batches[i];
        for (uint32_t k = 0; pliant__has_gaps(b) && k < pliant__blocks(b); k++)
            state->active[b->first_row / PLIANT__BLOCK + k] = (uint16_t)pliant__block_rows(m, b, k);
    }
    for (size_t i = 0; i < model_count(m, batches) && m->header->flow_count; i++)
        if (m->batches[i].flow) reset_flow(state, &m->batches[i]);
    for (size_t i = 0; i < model_count(m, colliders); i++) state->colliders[i] = m->colliders[i].pose;
    for (size_t i = 0; i < model_count(m, groups); i++)
        state->group_number[i] = pliant__group_at(m, &m->groups[i], 0, m->groups[i].number[0]);
    for (size_t i = 0; i < model_count(m, each_stitch); i++) state->stitch_start[i] = -1;
    pliant__mend(state);
    for (size_t i = 0; i < model_count(m, matches); i++) state->match_rotation[4 * i + 3] = 1;
    for (size_t i = 0; i < m->header->match_flow_count; i++)
        for (size_t k = 0; k < 3; k++) state->match_plastic[9 * i + 4 * k] = 1;
    for (size_t i = 0; i < model_count(m, skins); i++) state->skins[i].x = m->skins[i].x;
    for (size_t i = 0; i < model_count(m, bodies); i++) pliant__skin_normals(m, &m->bodies[i], state->skins);
}

pliant_code pliant_state_copy(pliant_state *to, const pliant_state *from)
{
    if (!to || !from || to->header->model != from->header->model || to->header->bytes != from->header->bytes) return PLIANT_ERROR_ARGUMENT;
    if (to != from) memcpy(to->header, from->header, (size_t)from->header->bytes);
    return PLIANT_OK;
}

const void *pliant_state_data(const pliant_state *state, size_t *size)
{
    if (size) *size = state ? (size_t)state->header->bytes : 0;
    return state ? state->header : NULL;
}

/* Whether the positions, velocities and poses in a state's bytes are numbers. They may lie at any address, so they are copied out. */
static bool all_finite(const pliant_state *layout, const unsigned char *bytes)
{
    const unsigned char *base = (const unsigned char *)layout->header;
    const size_t         slots = layout->model->header->slot_count, colliders = model_count(layout->model, colliders);
    const struct {
        const void *array;
        size_t      count;
    } parts[] = {{layout->x, 4 * slots},
                 {layout->v, 4 * slots},
                 {layout->colliders, colliders * (sizeof(pliant_pose) / sizeof(pliant_real))},
                 {layout->skins, model_count(layout->model, skins) * (sizeof(pliant__skin_now) / sizeof(pliant_real))},
                 {layout->match_rotation, 4 * model_count(layout->model, matches)},
                 {layout->match_plastic, 9 * (size_t)layout->model->header->match_flow_count},
                 {layout->previous_x, pliant__history_count(layout->model)},
                 {layout->previous_v, pliant__history_count(layout->model)},
                 {layout->rest, pliant__rest_count(layout->model)},
                 {layout->flow, layout->model->header->flow_count}};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        const unsigned char *from = bytes + ((const unsigned char *)parts[p].array - base);
        for (size_t i = 0; i < parts[p].count; i++) {
            pliant_real value;
            memcpy(&value, from + i * sizeof value, sizeof value);
            if (!r_finite(value)) return false;
        }
    }
    return true;
}

/* Whether plastic maps of clusters keep a volume. */
static bool are_plastic(const pliant_state *layout, const unsigned char *bytes)
{
    const unsigned char *from = bytes + ((const unsigned char *)layout->match_plastic - (const unsigned char *)layout->header);
    for (size_t i = 0; i < layout->model->header->match_flow_count; i++) {
        pliant_real    a[9];
        pliant__square map;
        memcpy(a, from + i * sizeof a, sizeof a);
        for (int k = 0; k < 9; k++) map.m[k / 3][k % 3] = (double)a[k];
        const double volume = pliant__determinant(&map);
        if (!(volume > 0.5 && volume < 2)) return false;
    }
    return true;
}

/* Whether lengths of stitches are numbers. */
static bool are_lengths(const pliant_state *layout, const unsigned char *bytes)
{
    for (size_t i = 0; i < model_count(layout->model, each_stitch); i++) {
        double value;
        memcpy(&value, bytes + ((const unsigned char *)(layout->stitch_start + i) - (const unsigned char *)layout->header), sizeof value);
        if (value - value != 0) return false;
    }
    return true;
}

/* Whether numbers of groups are numbers. */
static bool are_group_numbers(const pliant_state *layout, const unsigned char *bytes)
{
    for (size_t i = 0; i < model_count(layout->model, groups); i++) {
        double value;
        memcpy(&value, bytes + ((const unsigned char *)(layout->group_number + i) - (const unsigned char *)layout->header), sizeof value);
        if (value - value != 0) return false; /* leaks may have led it out of what a scene may say */
    }
    return true;
}

/* Whether what is carried over, if anything, is less than a substep. */
static bool carries_rest(const pliant_state *layout, const unsigned char *bytes)
{
    double carried;
    if (!pliant__may_carry(layout->model)) return true;
    memcpy(&carried, bytes + ((const unsigned char *)layout->carried - (const unsigned char *)layout->header), sizeof carried);
    return carried >= -2 * PLIANT__SUBSTEP_FUZZ && carried <= layout->model->header->substep;
}

/* Whether each is on or off, and nothing else. */
static bool are_switches(const pliant_state *layout, const uint8_t *array, size_t count, const unsigned char *bytes)
{
    const unsigned char *off = bytes + (array - (const unsigned char *)layout->header);
    for (size_t i = 0; i < count; i++)
        if (off[i] > 1) return false;
    return true;
}

/* Whether all particles of bodies that are off are held, and only such are noted as pinned before. */
static bool lie_still(const pliant_state *layout, const unsigned char *bytes)
{
    const pliant_model  *m = layout->model;
    const unsigned char *base = (const unsigned char *)layout->header, *off = bytes + (layout->body_off - base),
                        *noted = bytes + (layout->off_pinned - base), *x = bytes + ((const unsigned char *)layout->x - base);
    for (size_t b = 0; b < model_count(m, bodies); b++)
        for (uint32_t i = m->bodies[b].first_slot; i < m->bodies[b].first_slot + m->bodies[b].slot_count; i++) {
            pliant_real w;
            memcpy(&w, x + (4 * (size_t)i + 3) * sizeof w, sizeof w);
            if (off[b] ? w != 0 : noted[i / 8] >> i % 8 & 1) return false;
        }
    return true;
}

pliant_code pliant_state_load(pliant_state *state, const void *data, size_t size, pliant_error *error)
{
    pliant__state_header h;
    pliant_code          bad = PLIANT_ERROR_INPUT;
    if (!state) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "no state to load into"), PLIANT_ERROR_ARGUMENT;
    if (!data || size < sizeof h) return pliant__fail(error, bad, "%zu bytes are too few for a state", size), bad;
    memcpy(&h, data, sizeof h);
    if (memcmp(h.magic, "PLIANTS", 8) != 0) return pliant__fail(error, bad, "these bytes are not a state"), bad;
    if (h.model != state->header->model) return pliant__fail(error, bad, "this state belongs to another model"), bad;
    if (h.bytes != state->header->bytes || size != h.bytes)
        return pliant__fail(error, bad, "state of %zu bytes where the model has %zu", size, (size_t)state->header->bytes), bad;
    if (h.time - h.time != 0 || h.time_lost - h.time_lost != 0 || h.history_step - h.history_step != 0 ||
        h.longest_substep - h.longest_substep != 0 || !all_finite(state, data) || !are_group_numbers(state, data) ||
        !are_lengths(state, data))
        return pliant__fail(error, bad, "a number of this state is not finite: what diverged cannot go on"), bad;
    if (!carries_rest(state, data)) return pliant__fail(error, bad, "this state carries over what is no part of a substep"), bad;
    if (!are_switches(state, state->stitch_broken, model_count(state->model, each_stitch), data))
        return pliant__fail(error, bad, "this state has a stitch that is neither broken nor whole"), bad;
    if (!are_switches(state, state->collider_off, model_count(state->model, colliders), data))
        return pliant__fail(error, bad, "this state has a collider that is neither on nor off"), bad;
    if (!are_switches(state, state->body_off, model_count(state->model, bodies), data) || !lie_still(state, data))
        return pliant__fail(error, bad, "this state has a body that is neither on nor off"), bad;
    if (!are_plastic(state, data)) return pliant__fail(error, bad, "this state has a cluster with a plastic map that keeps no volume"), bad;
    if (!pliant__is_topology(state, data))
        return pliant__fail(error, bad, "this state is torn in a way in which its model does not tear"), bad;
    memcpy(state->header, data, size);
    return PLIANT_OK;
}

/* Not of the model's hash and what else names the block: a model laid out otherwise, with the same results, has the same hash. That nothing is off adds
 * nothing. */
uint64_t pliant_state_hash(const pliant_state *state)
{
    const size_t named = offsetof(pliant__state_header, steps);
    if (!state) return 0;
    const size_t colliders = model_count(state->model, colliders), bodies = model_count(state->model, bodies);
    const size_t last = (size_t)(state->body_off - (const uint8_t *)state->header);
    uint64_t     h = pliant__hash(&state->header->steps, last - named, 0);
    bool         any = false, any_body = false;
    for (size_t i = 0; i < colliders; i++) any = any || pliant__is_off(state, i);
    for (size_t i = 0; i < bodies; i++) any_body = any_body || state->body_off[i];
    if (any) h = pliant__hash(state->collider_off, colliders, h);
    if (any_body) h = pliant__hash(state->off_pinned, pliant__pinned_bytes(state->model), pliant__hash(state->body_off, bodies, h));
    return h;
}

const pliant_model *pliant_state_model(const pliant_state *state) { return state ? state->model : NULL; }

double pliant_state_time(const pliant_state *state) { return state ? state->header->time : 0; }

double pliant_state_carried(const pliant_state *state) { return state && pliant__may_carry(state->model) ? *state->carried : 0; }

uint64_t pliant_state_steps(const pliant_state *state) { return state ? state->header->steps : 0; }

/* ---- vertices ---- */

/* Where a vertex is read: its slot, or of one that stands by the one beside which it was put. */
static uint32_t seen_slot(const pliant_state *s, const pliant__model_body *b, uint32_t slot)
{
    if (!b->spare_count || s->origin[slot] != PLIANT__NONE) return slot;
    return s->model->spares[pliant__first_spare(s->model, b, slot)].home;
}

/* Of a vertex that is written out: `of` is the state's x, or its v. */
static pliant_vec3 surface_value(const pliant_state *s, const pliant_real *of, const pliant__model_body *b, uint32_t vertex)
{
    const pliant_model *m = s->model;
    if (!b->embedding_count) return pliant__slot_x(of, seen_slot(s, b, m->vertex_slot[b->first_vertex + vertex]));
    const pliant__model_embedding *e = &m->embeddings[b->first_embedding + vertex];
    pliant_vec3                    sum = v3_scale(pliant__slot_x(of, e->slots[0]), e->weights[0]);
    for (int k = 1; k < 4; k++) sum = v3_madd(sum, pliant__slot_x(of, e->slots[k]), e->weights[k]);
    return sum;
}

static uint32_t surface_count(const pliant__model_body *b) { return b->embedding_count ? b->embedding_count : b->vertex_count; }

static pliant_code write_values(const pliant_state *state, const pliant_real *of, pliant_body body, void *out, size_t stride)
{
    const pliant__model_body *b = pliant__model_body_of(state->model, body);
    if (!b || !out || stride < sizeof(pliant_vec3)) return PLIANT_ERROR_ARGUMENT;
    for (uint32_t v = 0; v < surface_count(b); v++) {
        pliant_vec3 p = surface_value(state, of, b, v);
        memcpy((unsigned char *)out + v * stride, &p, sizeof p);
    }
    return PLIANT_OK;
}

pliant_code pliant_state_write_positions(const pliant_state *state, pliant_body body, void *out, size_t stride)
{
    PLIANT_FLOAT_SCOPE;
    return state ? write_values(state, state->x, body, out, stride) : PLIANT_ERROR_ARGUMENT;
}

pliant_code pliant_state_write_velocities(const pliant_state *state, pliant_body body, void *out, size_t stride)
{
    PLIANT_FLOAT_SCOPE;
    return state ? write_values(state, state->v, body, out, stride) : PLIANT_ERROR_ARGUMENT;
}

static void add_normal(unsigned char *vertex, pliant_vec3 n)
{
    pliant_vec3 sum;
    memcpy(&sum, vertex + sizeof sum, sizeof sum);
    sum = v3_add(sum, n);
    memcpy(vertex + sizeof sum, &sum, sizeof sum);
}

/* Vertices that were welded share a normal: it is summed up at the first of them, so that no seam shows. */
static size_t first_alike(const pliant_state *s, const pliant__model_body *b, uint32_t vertex)
{
    return b->embedding_count ? vertex : s->model->slot_vertex[s->model->vertex_slot[b->first_vertex + vertex]];
}

/* The normal of one of a face's triangles, from place `first` of its cut, to its vertices. */
static void add_normals(const pliant_state *s, const pliant__model_body *b, const uint32_t *corner, bool second, uint32_t first,
                        unsigned char *bytes, size_t stride)
{
    uint32_t    vertex[3];
    pliant_vec3 p[3];
    for (uint32_t k = 0; k < 3; k++) {
        vertex[k] = corner[pliant__cut_corner(second, first + k)];
        memcpy(&p[k], bytes + vertex[k] * stride, sizeof *p);
    }
    const pliant_vec3 n = v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]));
    for (uint32_t k = 0; k < 3; k++) add_normal(bytes + first_alike(s, b, vertex[k]) * stride, n);
}

pliant_code pliant_state_write_vertices(const pliant_state *state, pliant_body body, void *out, size_t stride)
{
    PLIANT_FLOAT_SCOPE;
    if (!state) return PLIANT_ERROR_ARGUMENT;
    const pliant__model_body *b = pliant__model_body_of(state->model, body);
    if (!b || !out || stride < 2 * sizeof(pliant_vec3)) return PLIANT_ERROR_ARGUMENT;
    unsigned char    *bytes = out;
    const pliant_vec3 zero = {0, 0, 0};
    for (uint32_t v = 0; v < surface_count(b); v++) {
        pliant_vec3 p = surface_value(state, state->x, b, v);
        memcpy(bytes + v * stride, &p, sizeof p);
        memcpy(bytes + v * stride + sizeof p, &zero, sizeof zero);
    }
    const uint32_t *corner = pliant__face_indices_of(state) + b->first_face_index;
    for (uint32_t f = b->first_face; f < b->first_face + b->face_count; corner += state->model->face_sizes[f++]) {
        const bool second = state->model->face_cuts[f / 8] >> f % 8 & 1;
        for (uint32_t t = 0; t + 2 < state->model->face_sizes[f]; t++) add_normals(state, b, corner, second, 3 * t, bytes, stride);
    }
    for (uint32_t v = surface_count(b); v-- > 0;) { /* from the end: a vertex's first alike comes before it, and is made unit last */
        pliant_vec3 n;
        memcpy(&n, bytes + first_alike(state, b, v) * stride + sizeof n, sizeof n);
        pliant_real l = v3_length(n);
        n = l > 0 ? v3_scale(n, 1 / l) : zero;
        if (!v3_finite(n)) n = zero;
        memcpy(bytes + v * stride + sizeof n, &n, sizeof n);
    }
    return PLIANT_OK;
}

/* The slots of vertices [first, first + count) of a body, or NULL if it has not so many. */
static const uint32_t *slots_of(const pliant_state *state, pliant_body body, uint32_t first, uint32_t count)
{
    const pliant__model_body *b = pliant__model_body_of(state->model, body);
    if (!b || first > b->vertex_count || count > b->vertex_count - first) return NULL;
    return state->model->vertex_slot + b->first_vertex + first;
}

pliant_code pliant_state_positions(const pliant_state *state, pliant_body body, uint32_t first, uint32_t count, pliant_vec3 *out)
{
    if (!state) return PLIANT_ERROR_ARGUMENT;
    const uint32_t *slot = slots_of(state, body, first, count);
    if (!slot || (count && !out)) return PLIANT_ERROR_ARGUMENT;
    const pliant__model_body *b = pliant__model_body_of(state->model, body);
    for (uint32_t i = 0; i < count; i++) out[i] = pliant__slot_x(state->x, seen_slot(state, b, slot[i]));
    return PLIANT_OK;
}

pliant_code pliant_state_velocities(const pliant_state *state, pliant_body body, uint32_t first, uint32_t count, pliant_vec3 *out)
{
    if (!state) return PLIANT_ERROR_ARGUMENT;
    const uint32_t *slot = slots_of(state, body, first, count);
    if (!slot || (count && !out)) return PLIANT_ERROR_ARGUMENT;
    const pliant__model_body *b = pliant__model_body_of(state->model, body);
    for (uint32_t i = 0; i < count; i++) out[i] = pliant__slot_x(state->v, seen_slot(state, b, slot[i]));
    return PLIANT_OK;
}

pliant_code pliant_state_inverse_masses(const pliant_state *state, pliant_body body, uint32_t first, uint32_t count, pliant_real *out)
{
    if (!state) return PLIANT_ERROR_ARGUMENT;
    const uint32_t *slot = slots_of(state, body, first, count);
    if (!slot || (count && !out)) return PLIANT_ERROR_ARGUMENT;
    for (uint32_t i = 0; i < count; i++) out[i] = PLIANT__SLOT(state->x, slot[i])[3];
    return PLIANT_OK;
}

static pliant_code set_vectors(pliant_state *state, pliant_real *array, pliant_body body, uint32_t first, uint32_t count,
                               const pliant_vec3 *in)
{
    const uint32_t *slot = slots_of(state, body, first, count);
    if (!slot || (count && !in)) return PLIANT_ERROR_ARGUMENT;
    for (uint32_t i = 0; i < count; i++)
        if (!v3_finite(in[i])) return PLIANT_ERROR_ARGUMENT;
    pliant__disturb(state);
    for (uint32_t i = 0; i < count; i++) {
        pliant__set_slot_x(array, slot[i], in[i]);
        pliant__forget_history(state, slot[i]);
    }
    return PLIANT_OK;
}

pliant_code pliant_state_set_positions(pliant_state *state, pliant_body body, uint32_t first, uint32_t count, const pliant_vec3 *positions)
{
    if (!state) return PLIANT_ERROR_ARGUMENT;
    return set_vectors(state, state->x, body, first, count, positions);
}

pliant_code pliant_state_set_velocities(pliant_state *state, pliant_body body, uint32_t first, uint32_t count,
                                        const pliant_vec3 *velocities)
{
    if (!state) return PLIANT_ERROR_ARGUMENT;
    return set_vectors(state, state->v, body, first, count, velocities);
}

pliant_code pliant_state_set_previous(pliant_state *state, pliant_body body, uint32_t first, uint32_t count, double h,
                                      const pliant_vec3 *positions, const pliant_vec3 *velocities)
{
    if (!state || !pliant__is_bdf2(state->model) || !(h > 0 && h <= 1)) return PLIANT_ERROR_ARGUMENT;
    const uint32_t *slot = slots_of(state, body, first, count);
    if (!slot || (count && (!positions || !velocities))) return PLIANT_ERROR_ARGUMENT;
    for (uint32_t i = 0; i < count; i++)
        if (!v3_finite(positions[i]) || !v3_finite(velocities[i])) return PLIANT_ERROR_ARGUMENT;
    if (state->header->history_step != h) /* that of the others is of another length */
        for (uint32_t i = 0; i < state->model->header->slot_count; i++) pliant__forget_history(state, i);
    state->header->history_step = h;
    for (uint32_t i = 0; i < count; i++) {
        pliant__set_slot_x(state->previous_x, slot[i], positions[i]);
        pliant__set_slot_x(state->previous_v, slot[i], velocities[i]);
        PLIANT__SLOT(state->previous_x, slot[i])[3] = 1;
    }
    return PLIANT_OK;
}

static bool is_body_off(const pliant_state *state, pliant_body body)
{
    return state->body_off[pliant__model_body_of(state->model, body) - state->model->bodies] != 0;
}

pliant_code pliant_state_set_pinned(pliant_state *state, pliant_body body, uint32_t vertex, bool pinned)
{
    if (!state) return PLIANT_ERROR_ARGUMENT;
    const uint32_t *slot = slots_of(state, body, vertex, 1);
    if (!slot || state->model->pin[*slot] != PLIANT__RELEASABLE) return PLIANT_ERROR_ARGUMENT;
    if (is_body_off(state, body))
        pliant__set_off_pinned(state, *slot, pinned);
    else
        PLIANT__SLOT(state->x, *slot)[3] = pinned ? 0 : pliant__free_w_of(state)[*slot];
    if (pinned) pliant__set_slot_x(state->v, *slot, v3(0, 0, 0));
    pliant__forget_history(state, *slot);
    pliant__disturb(state);
    return PLIANT_OK;
}

bool pliant_state_pinned(const pliant_state *state, pliant_body body, uint32_t vertex)
{
    if (!state) return false;
    const uint32_t *slots = slots_of(state, body, vertex, 1);
    if (!slots) return false;
    const uint32_t slot = seen_slot(state, pliant__model_body_of(state->model, body), *slots);
    return is_body_off(state, body) ? pliant__off_pinned(state, slot) : PLIANT__SLOT(state->x, slot)[3] == 0;
}

/* ---- constraints and colliders ---- */

static void mend_rope(pliant_state *s, uint32_t row);

pliant_code pliant_state_set_active(pliant_state *state, pliant_constraint constraint, bool active)
{
    if (!state) return PLIANT_ERROR_ARGUMENT;
    uint32_t row = pliant__row_of(state->model, constraint);
    if (row == PLIANT__NONE) return PLIANT_ERROR_ARGUMENT;
    uint16_t bit = (uint16_t)(1u << row % 16), *word = &state->active[row / 16];
    *word = (uint16_t)(active ? *word | bit : *word & ~bit);
    if (active && pliant__breaks(state->model) && pliant__is_active(state->broken, row)) {
        state->broken[row / 16] &= (uint16_t)~bit;
        mend_rope(state, row);
    }
    pliant__disturb(state);
    return PLIANT_OK;
}

bool pliant_state_active(const pliant_state *state, pliant_constraint constraint)
{
    if (!state) return false;
    uint32_t row = pliant__row_of(state->model, constraint);
    return row != PLIANT__NONE && pliant__is_active(state->active, row);
}

bool pliant_state_broken(const pliant_state *state, pliant_constraint constraint)
{
    if (!state || !pliant__breaks(state->model)) return false;
    const uint32_t row = pliant__row_of(state->model, constraint);
    return row != PLIANT__NONE && pliant__is_active(state->broken, row);
}

bool pliant_state_snapped(const pliant_state *state, pliant_body body, uint32_t vertex)
{
    const pliant__model_body *b = state && pliant__breaks(state->model) ? pliant__model_body_of(state->model, body) : NULL;
    if (!b || b->first_segment == PLIANT__NONE || vertex >= b->vertex_count) return false;
    const uint32_t row = state->model->segments[b->first_segment + vertex].row;
    return row != PLIANT__NONE && pliant__is_active(state->broken, row);
}

pliant_solved_constraint pliant_state_solved(const pliant_state *state, uint32_t position)
{
    pliant_solved_constraint c = pliant_model_solved(state ? state->model : NULL, position);
    if (!c.constraint.id || !pliant__may_tear(state->model)) return c;
    const uint32_t       packed = pliant__row_of(state->model, c.constraint), count = pliant__kind_slots((uint32_t)c.kind);
    const pliant__batch *b = pliant__batch_of(state->model, packed);
    uint32_t             slots[PLIANT_MAX_SLOTS];
    pliant__row_slots_by(state->model, state->row_index, b, packed - b->first_row, count, slots);
    for (uint32_t k = 0; k < count; k++) c.particles[k] = pliant__model_particle(state->model, slots[k]);
    return c;
}

/* Turns on what bends a rope across a segment that is whole again, where the segment beside it is whole, too. */
static void mend_rope(pliant_state *s, uint32_t row)
{
    const pliant__model_segment *all = s->model->segments;
    uint32_t                     before = PLIANT__NONE;
    for (size_t b = 0; b < model_count(s->model, bodies); b++) {
        const pliant__model_body *rope = &s->model->bodies[b];
        if (rope->first_segment == PLIANT__NONE) continue;
        for (uint32_t i = rope->first_segment; i < rope->first_segment + rope->vertex_count; i++) {
            if (all[i].row == PLIANT__NONE) continue;
            const bool pair = i > rope->first_segment && before != PLIANT__NONE && (all[i].row == row || all[before].row == row);
            if (pair && all[before].bend != PLIANT__NONE && !pliant__is_active(s->broken, all[i].row) &&
                !pliant__is_active(s->broken, all[before].row))
                s->active[all[before].bend / PLIANT__BLOCK] |= (uint16_t)(1u << all[before].bend % PLIANT__BLOCK);
            before = i;
        }
        before = PLIANT__NONE;
    }
}

/* The batch of a constraint and the place of its row there; NULL of a user's, or where there is none. */
static const pliant__batch *batch_with(const pliant_state *state, pliant_constraint constraint, uint32_t *row)
{
    const uint32_t packed = state ? pliant__row_of(state->model, constraint) : PLIANT__NONE;
    if (packed == PLIANT__NONE || packed >= state->model->header->packed_rows) return NULL;
    const pliant__batch *b = pliant__batch_of(state->model, packed);
    *row = packed - b->first_row;
    return b;
}

pliant_code pliant_state_rest(const pliant_state *state, pliant_constraint constraint, pliant_real *parameters)
{
    uint32_t             row;
    const pliant__batch *b = batch_with(state, constraint, &row);
    if (!b || !parameters) return PLIANT_ERROR_ARGUMENT;
    const pliant_real *from = pliant__parameters_now(state->model, state->flow, b, row / PLIANT__BLOCK) + row % PLIANT__BLOCK;
    for (uint32_t i = 0; i < pliant__kind_parameters(b->kind); i++) parameters[i] = from[i * PLIANT__BLOCK];
    return PLIANT_OK;
}

pliant_code pliant_state_set_rest(pliant_state *state, pliant_constraint constraint, const pliant_real *parameters)
{
    uint32_t             row;
    const pliant__batch *b = batch_with(state, constraint, &row);
    if (!b || !(state->model->laws[pliant__row_law(state->model, b, row)].yield > 0)) return PLIANT_ERROR_ARGUMENT;
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)b->kind);
    const pliant_real            *rest = pliant__parameters(state->model, b, row / PLIANT__BLOCK) + row % PLIANT__BLOCK;
    for (uint32_t i = 0; parameters && i < info->parameter_count; i++)
        if (!pliant__is_within(&info->parameters[i], parameters[i])) return PLIANT_ERROR_ARGUMENT;
    pliant_real *to = pliant__flowing(state, b, row / PLIANT__BLOCK) + row % PLIANT__BLOCK;
    for (uint32_t i = 0; i < info->parameter_count; i++) to[i * PLIANT__BLOCK] = parameters ? parameters[i] : rest[i * PLIANT__BLOCK];
    pliant__disturb(state);
    return PLIANT_OK;
}

pliant_pose pliant_state_collider_pose(const pliant_state *state, pliant_collider collider)
{
    if (!state) return pliant_pose_identity();
    if (!collider.id || collider.id > model_count(state->model, colliders)) return pliant_pose_identity();
    return state->colliders[collider.id - 1];
}

bool pliant_state_collider_active(const pliant_state *state, pliant_collider collider)
{
    return state && collider.id && collider.id <= model_count(state->model, colliders) && !pliant__is_off(state, collider.id - 1);
}

bool pliant_state_body_active(const pliant_state *state, pliant_body body)
{
    return state && pliant__model_body_of(state->model, body) && !is_body_off(state, body);
}

pliant_code pliant_state_skin(const pliant_state *state, pliant_body body, uint32_t first, uint32_t count, pliant_vec3 *positions,
                              pliant_vec3 *normals)
{
    const pliant__model_body *b = state ? pliant__model_body_of(state->model, body) : NULL;
    if (!b || first > b->listed_skin_count || count > b->listed_skin_count - first) return PLIANT_ERROR_ARGUMENT;
    for (uint32_t i = 0; i < count; i++) {
        const pliant__skin_now *at = &state->skins[state->model->listed_skins[b->first_listed_skin + first + i]];
        if (positions) positions[i] = at->x;
        if (normals) normals[i] = at->normal;
    }
    return PLIANT_OK;
}

pliant_strain pliant_state_strain(const pliant_state *state)
{
    PLIANT_FLOAT_SCOPE;
    pliant_strain strain = {.largest = 0};
    if (!state) return strain;
    const pliant_model *m = state->model;
    double              sum = 0;
    uint64_t            count = 0;
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch *b = &m->batches[i];
        if (!pliant__kind_has(b->kind, PLIANT_ROW_EDGE)) continue;
        for (uint32_t r = 0; r < b->count; r++) {
            uint32_t block = r / PLIANT__BLOCK, lane = r % PLIANT__BLOCK;
            double   rest = (double)pliant__parameters_now(m, state->flow, b, block)[lane];
            if (!(rest > 0) || !pliant__has_row(m, b, r) || !pliant__is_active(state->active, b->first_row + r)) continue;
            uint32_t slot[2];
            pliant__row_slots_by(m, pliant__row_index_of(state), b, r, 2, slot);
            if (PLIANT__SLOT(state->x, slot[0])[3] == 0 && PLIANT__SLOT(state->x, slot[1])[3] == 0) continue;
            pliant_vec3 d = v3_sub(pliant__slot_x(state->x, slot[0]), pliant__slot_x(state->x, slot[1]));
            double      stretch = (double)v3_length(d) / rest - 1;
            sum += stretch < 0 ? -stretch : stretch;
            if (!count++ || stretch > strain.largest) {
                strain.largest = stretch;
                strain.constraint.id = pliant__constraint_of(m, b->first_row + r);
                strain.rest = rest;
                strain.law = pliant__row_law(m, b, r);
                for (int k = 0; k < 2; k++) strain.particles[k] = pliant__model_particle(m, slot[k]);
            }
        }
    }
    if (count) strain.mean = sum / (double)count;
    return strain;
}
