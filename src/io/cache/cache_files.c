/* Reading caches: functions that the formats share. */
#include "io/cache/cache.h"

#include <limits.h>
#include <stdlib.h>

bool pliant__cache_open_files(pliant_cache *cache, uint32_t count, char *(*path_of)(const pliant__place *, uint32_t), pliant_error *error)
{
    cache->files = pliant__alloc_array(NULL, count, sizeof *cache->files);
    if (!cache->files) return pliant__fail_memory(error, count * sizeof *cache->files, "files");
    for (uint32_t i = 0; i < count; i++) cache->files[i].handle = -1;
    cache->file_count = count;
    for (uint32_t i = 0; i < count; i++) {
        char *path = path_of(&cache->place, i);
        bool  ok = path ? pliant__source_open(&cache->files[i], path, error) : pliant__fail_memory(error, 1, "a path");
        free(path);
        if (!ok) return false;
    }
    return true;
}

uint32_t pliant__cache_vertices(const pliant_cache *cache, uint32_t index)
{
    pliant_body_info b = pliant__place_body(&cache->place, index);
    return cache->place.format->simulated ? b.vertex_count : b.surface_vertex_count;
}

bool pliant__cache_set_corner(pliant_cache *cache, uint32_t body, size_t index, uint64_t vertex)
{
    cache->corners[cache->corner_at[body] + index] = (uint32_t)vertex;
    return vertex < cache->offset[body + 1] - cache->offset[body];
}

bool pliant__cache_load(pliant_cache *cache, const pliant__source *file, uint64_t offset, size_t size, pliant_error *error)
{
    cache->text.count = 0;
    if (!array_reserve(NULL, &cache->text, size)) return pliant__fail_memory(error, size, "a frame");
    cache->text.count = size;
    return pliant__source_read(file, offset, cache->text.data, size, error);
}

int pliant__line(uint64_t line) { return line < INT_MAX ? (int)line : INT_MAX; }

uint32_t pliant_cache_every(const pliant_cache *cache) { return cache && cache->every ? cache->every : 1; }

uint64_t pliant__cache_number(const pliant_cache *cache, uint32_t index)
{
    return cache->first + (uint64_t)index * pliant_cache_every(cache);
}
