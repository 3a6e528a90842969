/* See abc_tree.h; the layout is that of Alembic's AbcCoreOgawa, as its library reads it. */
#include "io/motion/abc_tree.h"

#include "io/files/bytes.h"
#include "io/files/number.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 1 << 24, HASHES = 32 };

static bool fail(const pliant__abc_tree *t, uint64_t place, const char *what)
{
    return pliant__ogawa_fail(&t->from, place & ~PLIANT__OGAWA_DATA, what);
}

/* Bytes of data into tree->data. */
static bool load(pliant__abc_tree *t, uint64_t group, uint64_t index, uint64_t *data)
{
    return pliant__ogawa_child_data(&t->from, group, index, data) && pliant__ogawa_read(&t->from, *data, MOST_WORDS, &t->data);
}

/* A number of one, two or four bytes. */
static bool take_number(const unsigned char **at, const unsigned char *end, unsigned size, uint32_t *value)
{
    *value = 0;
    if ((size_t)(end - *at) < size) return false;
    for (unsigned i = 0; i < size; i++) *value |= (uint32_t)(*at)[i] << (8 * i);
    *at += size;
    return true;
}

static bool take_text(const unsigned char **at, const unsigned char *end, unsigned size, const char **text, size_t *length)
{
    uint32_t count;
    if (!take_number(at, end, size, &count) || (size_t)(end - *at) < count) return false;
    *text = (const char *)*at;
    *length = count;
    *at += count;
    return true;
}

/* ---- the archive ---- */

static bool take_times(pliant__abc_tree *t, uint64_t data)
{
    const unsigned char *at = (const unsigned char *)t->data.data, *end = at + t->data.count;
    while (end - at >= 16) {
        pliant__abc_times times = {.cycle = pliant__get_double(at + 4), .count = pliant__get_u32(at + 12)};
        at += 16;
        if (!times.count || (size_t)(end - at) / 8 < times.count) return fail(t, data, "damaged: its times are cut off");
        times.stored = malloc(times.count * sizeof *times.stored);
        if (!times.stored || !array_push(NULL, &t->times, times)) {
            free(times.stored);
            return pliant__fail_memory(t->from.error, times.count * sizeof(double), "times");
        }
        for (uint32_t i = 0; i < times.count; i++, at += 8) {
            times.stored[i] = pliant__get_double(at);
            if (!(times.stored[i] >= -1e9 && times.stored[i] <= 1e9)) return fail(t, data, "a time is not a number of seconds");
            if (i && !(times.stored[i] > times.stored[i - 1])) return fail(t, data, "its times do not ascend");
        }
        if (!(times.cycle > 0)) return fail(t, data, "the time of a cycle is not above 0");
    }
    return t->times.count || fail(t, data, "damaged: it has no times");
}

/* The frames per second in the words of a program. */
static void take_fps(pliant__abc_tree *t)
{
    static const char *const words[] = {"DCC_FPS=", "FramesPerTimeUnit="};
    const char *const        text = (const char *)t->data.data;
    for (int i = 0; i < 2; i++)
        for (size_t at = 0; at + strlen(words[i]) < t->data.count; at++) {
            if (memcmp(text + at, words[i], strlen(words[i])) != 0) continue;
            const size_t begin = at + strlen(words[i]);
            size_t       end = begin;
            while (end < t->data.count && text[end] && strchr("0123456789.eE+-", text[end])) end++;
            if (pliant__parse_number(text + begin, end - begin, &t->fps) == PLIANT__NUMBER_OK && t->fps > 1e-3 && t->fps < 1e6) return;
            t->fps = 0;
        }
}

bool pliant__abc_tree_open(pliant__abc_tree *t, pliant__ogawa_file from)
{
    uint64_t root, data;
    *t = (pliant__abc_tree){.from = from, .steps = from.file->size / 16 + 16};
    if (!pliant__ogawa_root(&t->from, &root) || !load(t, root, 0, &data)) return false;
    if (t->data.count != 4 || pliant__get_u32((const unsigned char *)t->data.data) != 0)
        return fail(t, data, "an Alembic archive of an unknown version");
    if (!load(t, root, 3, &data)) return false;
    take_fps(t);
    return load(t, root, 4, &data) && take_times(t, data) && pliant__ogawa_child_group(&t->from, root, 2, &t->top);
}

void pliant__abc_tree_close(pliant__abc_tree *t)
{
    for (size_t i = 0; i < t->times.count; i++) free(t->times.data[i].stored);
    array_free(NULL, &t->times);
    array_free(NULL, &t->data);
}

/* ---- objects ---- */

bool pliant__abc_properties(pliant__abc_tree *t, uint64_t object, uint64_t *compound)
{
    return pliant__ogawa_child_group(&t->from, object, 0, compound);
}

bool pliant__abc_children(pliant__abc_tree *t, uint64_t                                                        object,
                          bool (*visit)(void *context, const char *name, size_t length, uint64_t child), void *context)
{
    uint64_t count, data, child;
    if (!pliant__ogawa_count(&t->from, object, &count)) return false;
    if (count < 3) return true;
    if (!load(t, object, count - 1, &data)) return false;
    if (t->data.count < HASHES) return fail(t, data, "damaged: the names of objects");
    /* Children are read into the same memory. */
    pliant__bytes        words = t->data;
    const unsigned char *at = (const unsigned char *)words.data, *end = at + words.count - HASHES;
    bool                 ok = true;
    t->data = (pliant__bytes){0};
    for (uint64_t i = 1; ok && i + 1 < count; i++) {
        const char *name = NULL, *meta;
        size_t      length = 0, meta_length;
        uint32_t    known;
        if (!t->steps) ok = fail(t, object, "more objects than it has room for: it contains itself");
        if (ok && (!take_text(&at, end, 4, &name, &length) || !take_number(&at, end, 1, &known) ||
                   (known == 255 && !take_text(&at, end, 4, &meta, &meta_length))))
            ok = fail(t, data, "damaged: the names of objects");
        if (!ok) break;
        t->steps--;
        ok = pliant__ogawa_child_group(&t->from, object, i, &child) && visit(context, name, length, child);
    }
    array_free(NULL, &words);
    return ok;
}

/* ---- properties ---- */

enum { HAS_TIMES = 0x100, HAS_SPAN = 0x200, STAYS = 0x800 };

/* The next head of a property. */
static bool take_head(const unsigned char **at, const unsigned char *end, pliant__abc_row *row, const char **name, size_t *length)
{
    uint32_t    info;
    const char *meta;
    size_t      meta_length;
    *row = (pliant__abc_row){.there = true};
    if (!take_number(at, end, 4, &info) || (info >> 2 & 3) > 2) return false;
    const unsigned size = 1u << (info >> 2 & 3);
    row->type = info & 3;
    row->pod = info >> 4 & 15;
    row->extent = info >> 12 & 255;
    if (row->type) {
        if (!take_number(at, end, size, &row->samples)) return false;
        row->first = info & STAYS ? 0 : 1;
        row->last = info & STAYS || !row->samples ? 0 : row->samples - 1;
        if (info & HAS_SPAN && (!take_number(at, end, size, &row->first) || !take_number(at, end, size, &row->last))) return false;
        if (info & HAS_TIMES && !take_number(at, end, size, &row->times)) return false;
    }
    return take_text(at, end, size, name, length) && ((info >> 20 & 255) != 255 || take_text(at, end, size, &meta, &meta_length));
}

bool pliant__abc_find(pliant__abc_tree *t, uint64_t compound, const char *name, pliant__abc_row *out)
{
    uint64_t count, data;
    *out = (pliant__abc_row){0};
    if (!pliant__ogawa_count(&t->from, compound, &count)) return false;
    if (count < 2) return true;
    if (!load(t, compound, count - 1, &data)) return false;
    const unsigned char *at = (const unsigned char *)t->data.data, *end = at + t->data.count;
    for (uint64_t i = 0; i + 1 < count; i++) {
        pliant__abc_row row;
        const char     *text;
        size_t          length;
        if (!take_head(&at, end, &row, &text, &length)) return fail(t, data, "damaged: the heads of properties");
        if (length != strlen(name) || memcmp(text, name, length) != 0) continue;
        if (row.times >= t->times.count) return fail(t, data, "damaged: a property at times that there are not");
        if (row.type && (!row.samples || row.first > row.last + 1 || row.last >= row.samples))
            return fail(t, data, "damaged: the samples of a property");
        *out = row;
        return pliant__ogawa_child_group(&t->from, compound, i, &out->group);
    }
    return true;
}

double pliant__abc_time(const pliant__abc_tree *t, const pliant__abc_row *row, uint32_t index)
{
    const pliant__abc_times *times = &t->times.data[row->times];
    if (index < times->count) return times->stored[index];
    /* A row of times without a cycle has no times beyond those stored. */
    if (times->cycle > 1e9) return times->stored[times->count - 1] + (index - times->count + 1);
    return times->stored[index % times->count] + times->cycle * (index / times->count);
}

bool pliant__abc_moves(const pliant__abc_row *row) { return row->there && row->last > 0; }

/* The stored sample of a sample: only samples that differ from the one before are stored. */
static uint32_t stored_index(const pliant__abc_row *row, uint32_t index)
{
    if (index < row->first || !row->last) return 0;
    return (index >= row->last ? row->last : index) + 1 - row->first;
}

bool pliant__abc_sample(pliant__abc_tree *t, const pliant__abc_row *row, uint32_t index, uint64_t *place, uint64_t *size)
{
    const uint64_t each = row->type == 1 ? 1 : 2;
    uint64_t       data;
    if (!pliant__ogawa_child_data(&t->from, row->group, each * stored_index(row, index), &data) ||
        !pliant__ogawa_size(&t->from, data, size))
        return false;
    *place = (data & ~PLIANT__OGAWA_DATA) + 8 + PLIANT__DIGEST;
    if (*size && *size < PLIANT__DIGEST) return fail(t, data, "damaged: a sample without its key");
    *size = *size ? *size - PLIANT__DIGEST : 0;
    return true;
}

void pliant__abc_at(const pliant__abc_tree *t, const pliant__abc_row *row, double time, uint32_t *index, uint32_t *next, double *share)
{
    uint32_t low = 0, high = row->samples;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (pliant__abc_time(t, row, middle) <= time + 1e-9)
            low = middle;
        else
            high = middle;
    }
    *index = *next = low;
    *share = 0;
    const double before = pliant__abc_time(t, row, low), after = pliant__abc_time(t, row, low + 1 < row->samples ? low + 1 : low);
    if (time <= before + 1e-9 || !(after > before)) return;
    *next = low + 1;
    *share = (time - before) / (after - before);
}
