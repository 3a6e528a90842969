/* Caches that are read: opened, and frame by frame. */
#include "io/cache/parts.h"

#include "base/float_env.h"

#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

static bool make_room(pliant_cache *c, pliant_error *error)
{
    uint32_t bodies = c->place.body_count;
    c->offset = pliant__alloc_array(NULL, bodies + 1u, sizeof *c->offset);
    c->corner_at = pliant__alloc_array(NULL, bodies + 1u, sizeof *c->corner_at);
    if (!c->offset || !c->corner_at) return pliant__fail_memory(error, 2 * bodies * sizeof *c->offset, "a cache");
    for (uint32_t i = 0; i < bodies; i++) {
        const pliant_body_info b = pliant__place_body(&c->place, i);
        c->offset[i + 1] = c->offset[i] + pliant__cache_vertices(c, i);
        c->corner_at[i + 1] = c->corner_at[i] + (pliant__tears(&b) ? b.face_index_count : 0);
    }
    size_t count = c->offset[bodies], corners = c->corner_at[bodies];
    if (count == 0)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->place.path, 0, "the model has no bodies: there is nothing to read");
    c->x = pliant__alloc_array(NULL, count, sizeof *c->x);
    c->v = pliant__alloc_array(NULL, count, sizeof *c->v);
    if (corners) c->corners = pliant__alloc_array(NULL, corners, sizeof *c->corners);
    if (!c->x || !c->v || (corners && !c->corners)) return pliant__fail_memory(error, 2 * count * sizeof *c->x, "a frame");
    if (c->place.format->simulated) c->state = pliant_state_create(c->place.model, error);
    return c->state || !c->place.format->simulated;
}

/* The first body that tears, or one without an id. */
static pliant_body_info find_tearing(const pliant_model *model)
{
    for (uint32_t i = 0; model && i < pliant_model_body_count(model); i++) {
        const pliant_body_info b = pliant_model_body_at(model, i);
        if (pliant__tears(&b)) return b;
    }
    return (pliant_body_info){0};
}

/* Files do not say whether they are exploded: those that are have other counts. */
pliant_cache *pliant_cache_open(const char *path, const pliant_model *model, pliant_error *error)
{
    const pliant_body_info torn = find_tearing(model);
    pliant_error           why = {PLIANT_OK, 0, "", ""};
    pliant_cache          *c = pliant__cache_open(path, model, false, UINT32_MAX, &why);
    if (!c && torn.spare_count && why.code == PLIANT_ERROR_INPUT) c = pliant__cache_open(path, model, true, UINT32_MAX, NULL);
    if (c && torn.spare_count && c->place.format->simulated) {
        pliant__fail_at(&why, PLIANT_ERROR_ARGUMENT, path, 0,
                        "%s tears, and a %s file does not say which faces it has; take a format with faces", torn.name,
                        c->place.format->info.ending);
        pliant_cache_close(c);
        c = NULL;
    }
    if (!c && error) *error = why;
    return c;
}

pliant_cache *pliant__cache_open(const char *path, const pliant_model *model, bool exploded, uint32_t most, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!path || !*path || !model) {
        pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a cache needs a path and a model");
        return NULL;
    }
    pliant_cache *c = calloc(1, sizeof *c);
    if (!c) {
        pliant__fail_memory(error, sizeof *c, "a cache");
        return NULL;
    }
    c->most = most;
    if (pliant__place_make(&c->place, path, model, exploded, error) && make_room(c, error) && c->place.format->open(c, error) &&
        pliant_cache_read(c, 0, error) == PLIANT_OK)
        return c;
    pliant_cache_close(c);
    return NULL;
}

void pliant_cache_close(pliant_cache *cache)
{
    if (!cache) return;
    for (uint32_t i = 0; i < cache->file_count; i++) pliant__source_close(&cache->files[i]);
    pliant__parts_close(cache);
    pliant__place_free(&cache->place);
    pliant_state_destroy(cache->state);
    free(cache->own);
    pliant__free(NULL, cache->files);
    pliant__free(NULL, cache->offset);
    pliant__free(NULL, cache->corner_at);
    pliant__free(NULL, cache->corners);
    pliant__free(NULL, cache->x);
    pliant__free(NULL, cache->v);
    array_free(NULL, &cache->begins);
    array_free(NULL, &cache->text);
    array_free(NULL, &cache->head);
    free(cache);
}

/* ---- frames ---- */

uint32_t pliant_cache_frames(const pliant_cache *cache) { return cache ? cache->frames : 0; }

uint32_t pliant_cache_first(const pliant_cache *cache) { return cache ? cache->first : 0; }

/* Puts the vertices of body number `index` in the frame into a state. */
static bool set_body(const pliant_cache *c, uint32_t index, pliant_state *state)
{
    pliant_body body = pliant_model_body_at(c->place.model, index).body;
    uint32_t    count = pliant__cache_vertices(c, index);
    return pliant_state_set_positions(state, body, 0, count, c->x + c->offset[index]) == PLIANT_OK &&
           pliant_state_set_velocities(state, body, 0, count, c->v + c->offset[index]) == PLIANT_OK;
}

/* A corner of an exploded body, and its place. */
typedef struct corner_place {
    pliant_vec3 x;
    uint32_t    corner;
} corner_place;

static int by_place(const void *a, const void *b)
{
    const corner_place *p = a, *q = b;
    const int           order = memcmp(&p->x, &q->x, sizeof p->x);
    return order ? order : (p->corner > q->corner) - (p->corner < q->corner);
}

/* Corners of an exploded body that are at one place, to the bit, are taken for the first of them. */
static bool join_corners(pliant_cache *c, uint32_t body, pliant_error *error)
{
    const size_t  count = c->corner_at[body + 1] - c->corner_at[body];
    uint32_t     *to = c->corners + c->corner_at[body];
    corner_place *all = calloc(count + 1, sizeof *all);
    if (!all) return pliant__fail_memory(error, count * sizeof *all, "corners of faces");
    for (size_t i = 0; i < count; i++) all[i].x = c->x[c->offset[body] + i];
    for (size_t i = 0; i < count; i++) all[i].corner = (uint32_t)i;
    qsort(all, count, sizeof *all, by_place);
    for (size_t i = 0, first = 0; i < count; i++) {
        if (memcmp(&all[i].x, &all[first].x, sizeof all->x) != 0) first = i;
        to[all[i].corner] = all[first].corner;
    }
    free(all);
    return true;
}

static bool join_all(pliant_cache *c, pliant_error *error)
{
    bool ok = true;
    for (uint32_t i = 0; ok && c->place.exploded && i < c->place.body_count; i++)
        if (c->corner_at[i + 1] > c->corner_at[i]) ok = join_corners(c, i, error);
    return ok;
}

static bool read_frame(pliant_cache *cache, uint32_t index, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!cache || index >= cache->frames)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "there is no frame %u: the cache has %u", index, pliant_cache_frames(cache));
    cache->holds = false;
    bool ok = cache->place.format->read(cache, index, error) && join_all(cache, error);
    for (uint32_t i = 0; ok && cache->state && i < cache->place.body_count; i++)
        if (!set_body(cache, i, cache->state)) ok = pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the state does not take frame %u", index);
    return cache->holds = ok;
}

pliant_code pliant_cache_read(pliant_cache *cache, uint32_t index, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(read_frame(cache, index, &why), &why, error);
}

/* Number of a body, or body_count. */
static uint32_t find_body(const pliant_cache *c, pliant_body body)
{
    uint32_t i = 0;
    while (i < c->place.body_count && pliant_model_body_at(c->place.model, i).body.id != body.id) i++;
    return i;
}

pliant_code pliant_cache_write_positions(const pliant_cache *cache, pliant_body body, void *out, size_t stride)
{
    if (!cache || !cache->holds) return PLIANT_ERROR_ARGUMENT;
    if (cache->state) return pliant_state_write_positions(cache->state, body, out, stride);
    uint32_t index = find_body(cache, body);
    if (index == cache->place.body_count || !out || stride < sizeof *cache->x) return PLIANT_ERROR_ARGUMENT;
    unsigned char *to = out;
    for (size_t i = cache->offset[index]; i < cache->offset[index + 1]; i++, to += stride) memcpy(to, &cache->x[i], sizeof *cache->x);
    return PLIANT_OK;
}

bool pliant_cache_has_velocities(const pliant_cache *cache) { return cache && cache->place.format->velocities; }

bool pliant_cache_has_vertices(const pliant_cache *cache, pliant_body body)
{
    pliant_body_info b = pliant_model_body(cache ? cache->place.model : NULL, body);
    return b.body.id && !b.spare_count && (cache->place.format->simulated || !b.visual);
}

uint32_t pliant_cache_vertex_count(const pliant_cache *cache, pliant_body body)
{
    const uint32_t index = cache ? find_body(cache, body) : 0;
    return cache && index < cache->place.body_count ? pliant__place_body(&cache->place, index).surface_vertex_count : 0;
}

const uint32_t *pliant_cache_faces(const pliant_cache *cache, pliant_body body)
{
    if (!cache || !cache->holds) return NULL;
    const uint32_t  index = find_body(cache, body);
    const uint32_t *corners = NULL;
    if (index == cache->place.body_count) return NULL;
    if (cache->corner_at[index + 1] > cache->corner_at[index]) return cache->corners + cache->corner_at[index];
    pliant_model_faces(cache->place.model, body, NULL, &corners);
    return corners;
}

pliant_code pliant_cache_to_state(const pliant_cache *cache, pliant_state *state)
{
    if (!cache || !cache->holds || !state || pliant_state_model(state) != cache->place.model) return PLIANT_ERROR_ARGUMENT;
    for (uint32_t i = 0; i < cache->place.body_count; i++)
        if (pliant_cache_has_vertices(cache, pliant_model_body_at(cache->place.model, i).body) && !set_body(cache, i, state))
            return PLIANT_ERROR_ARGUMENT;
    return PLIANT_OK;
}
