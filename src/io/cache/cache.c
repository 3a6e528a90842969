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
    if (!c->offset) return pliant__fail_memory(error, bodies * sizeof *c->offset, "a cache");
    for (uint32_t i = 0; i < bodies; i++) c->offset[i + 1] = c->offset[i] + pliant__cache_vertices(c, i);
    size_t count = c->offset[bodies];
    if (count == 0)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->place.path, 0, "the model has no bodies: there is nothing to read");
    c->x = pliant__alloc_array(NULL, count, sizeof *c->x);
    c->v = pliant__alloc_array(NULL, count, sizeof *c->v);
    if (!c->x || !c->v) return pliant__fail_memory(error, 2 * count * sizeof *c->x, "a frame");
    if (c->place.format->simulated) c->state = pliant_state_create(c->place.model, error);
    return c->state || !c->place.format->simulated;
}

pliant_cache *pliant_cache_open(const char *path, const pliant_model *model, pliant_error *error)
{
    for (uint32_t i = 0; i < pliant_model_body_count(model); i++) {
        const pliant_body_info b = pliant_model_body_at(model, i);
        if (b.spare_count) {
            pliant__fail_at(error, PLIANT_ERROR_ARGUMENT, path, 0,
                            "%s tears, and from a cache only vertices are read, not which faces they have; take the scene itself", b.name);
            return NULL;
        }
    }
    return pliant__cache_open(path, model, UINT32_MAX, error);
}

pliant_cache *pliant__cache_open(const char *path, const pliant_model *model, uint32_t most, pliant_error *error)
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
    if (pliant__place_make(&c->place, path, model, error) && make_room(c, error) && c->place.format->open(c, error) &&
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

static bool read_frame(pliant_cache *cache, uint32_t index, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!cache || index >= cache->frames)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "there is no frame %u: the cache has %u", index, pliant_cache_frames(cache));
    cache->holds = false;
    bool ok = cache->place.format->read(cache, index, error);
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
    return b.body.id && (cache->place.format->simulated || !b.visual);
}

pliant_code pliant_cache_to_state(const pliant_cache *cache, pliant_state *state)
{
    if (!cache || !cache->holds || !state || pliant_state_model(state) != cache->place.model) return PLIANT_ERROR_ARGUMENT;
    for (uint32_t i = 0; i < cache->place.body_count; i++)
        if (pliant_cache_has_vertices(cache, pliant_model_body_at(cache->place.model, i).body) && !set_body(cache, i, state))
            return PLIANT_ERROR_ARGUMENT;
    return PLIANT_OK;
}
