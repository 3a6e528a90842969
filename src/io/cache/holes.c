/* A file without its largest parts. */
#include "io/cache/holes.h"

bool pliant__holes_sort(pliant__hole *holes, size_t count, uint64_t end)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k && holes[k].offset < holes[k - 1].offset; k--) {
            pliant__hole other = holes[k];
            holes[k] = holes[k - 1];
            holes[k - 1] = other;
        }
    uint64_t at = 0;
    for (size_t i = 0; i < count; i++) {
        if (holes[i].offset < at || holes[i].offset > end || holes[i].size > end - holes[i].offset) return false;
        at = holes[i].offset + holes[i].size;
    }
    return true;
}

static bool load(const pliant__source *file, uint64_t offset, uint64_t size, pliant__bytes *to, pliant_error *error)
{
    if (size == 0) return true;
    char *at = size > SIZE_MAX / 2 ? NULL : array_extend(NULL, to, (size_t)size);
    return at ? pliant__source_read(file, offset, at, (size_t)size, error) : pliant__fail_memory(error, (size_t)size, file->path);
}

bool pliant__holes_load(const pliant__source *file, const pliant__hole *holes, size_t count, uint64_t end, pliant__bytes *to,
                        pliant_error *error)
{
    uint64_t at = 0;
    bool     ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = load(file, at, holes[i].offset - at, to, error);
        at = holes[i].offset + holes[i].size;
    }
    return ok && load(file, at, end - at, to, error);
}

bool pliant__holes_miss(const pliant__hole *holes, size_t count, uint64_t offset, uint64_t size)
{
    bool miss = true;
    for (size_t i = 0; i < count; i++)
        miss = miss && (!holes[i].size || offset + size <= holes[i].offset || offset >= holes[i].offset + holes[i].size);
    return miss;
}

uint64_t pliant__holes_index(const pliant__hole *holes, size_t count, uint64_t offset)
{
    uint64_t index = offset;
    for (size_t i = 0; i < count && holes[i].offset < offset; i++) index -= holes[i].size;
    return index;
}
