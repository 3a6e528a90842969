/* Rows into batches of blocks of 16, batches into waves, waves into segments of the size of a task.
 *
 * Rows are sorted by what a kernel call must share: colour, kind, limit, which slots are anchors, whether laws are compliant or damped, and
 * law; ties keep the order of the scene. Where a law has few rows (constraints added one by one, each with a compliance of its own),
 * rows of several laws share a batch and each reads its own. */
#include "compile/compile.h"

#include <stdlib.h>

#define FEW_ROWS 32 /* rows per law below which laws share a batch */

typedef struct sorted_row {
    uint64_t key; /* everything but the law */
    uint32_t law, row;
} sorted_row;

static int by_key(const void *a, const void *b)
{
    const sorted_row *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    if (p->law != q->law) return p->law < q->law ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

/* kind 16 bits, colour 16, anchors 8, limit 2, compliant 1, damped 1 */
static uint64_t key_of(const pliant__compiler *c, const pliant__row *row)
{
    const pliant__model_law *law = &c->laws.data[row->law];
    uint64_t                 soft = (uint64_t)(law->compliance > 0) << 1 | (uint64_t)(law->compliance > 0 && law->damping > 0);
    return (uint64_t)row->kind << 32 | (uint64_t)row->colour << 16 | (uint64_t)row->anchors << 8 | (uint64_t)law->limit << 2 | soft;
}

/* Appends one batch holding `count` rows; `law` PLIANT__NONE: each its own. */
static bool add_batch(pliant__compiler *c, const sorted_row *sorted, uint32_t count, uint32_t law, bool serial)
{
    const pliant__row            *first = &c->rows.data[sorted[0].row];
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)first->kind);
    uint32_t                      padded = (count + PLIANT__BLOCK - 1) / PLIANT__BLOCK * PLIANT__BLOCK;
    pliant__batch                 b;
    memset(&b, 0, sizeof b);
    b.kind = first->kind;
    b.limit = c->laws.data[first->law].limit;
    b.law = law;
    b.anchors = first->anchors;
    b.count = count;
    b.first_row = c->header.packed_rows;
    b.index = (uint32_t)c->row_index.count;
    b.parameter = (uint32_t)c->row_parameter.count;
    b.lambda = c->header.lambda_count;
    b.serial = serial;
    b.damped = (uint32_t)(sorted[0].key & 1);
    b.compliant = (uint32_t)(sorted[0].key >> 1 & 1);
    b.wave = (uint32_t)c->waves.count;
    b.first_solved =
        c->batches.count ? c->batches.data[c->batches.count - 1].first_solved + c->batches.data[c->batches.count - 1].count : 0;
    if (c->row_index.count + (size_t)padded * info->slots > UINT32_MAX || (size_t)b.lambda + (size_t)padded * info->rows > UINT32_MAX)
        return pliant__fail(c->error, PLIANT_ERROR_INPUT, "too many constraints for 32-bit offsets");

    uint32_t    *index = array_extend(c->allocator, &c->row_index, (size_t)padded * info->slots);
    pliant_real *parameter = array_extend(c->allocator, &c->row_parameter, (size_t)padded * info->parameter_count);
    uint32_t    *row_law = array_extend(c->allocator, &c->row_law, padded), *id = array_extend(c->allocator, &c->row_constraint, padded);
    if (!index || !parameter || !row_law || !id || !array_push(c->allocator, &c->batches, b)) return pliant__compile_memory(c);
    for (uint32_t r = 0; r < padded; r++) {
        const pliant__row *row = r < count ? &c->rows.data[sorted[r].row] : NULL;
        uint32_t           block = r / PLIANT__BLOCK, lane = r % PLIANT__BLOCK;
        for (uint32_t s = 0; s < info->slots; s++)
            index[(block * info->slots + s) * PLIANT__BLOCK + lane] = row ? row->slots[s] : c->header.inert;
        for (uint32_t p = 0; p < info->parameter_count; p++)
            parameter[(block * info->parameter_count + p) * PLIANT__BLOCK + lane] = row ? row->parameters[p] : 0;
        row_law[r] = row ? row->law : 0;
        id[r] = row ? row->id : 0;
        if (row) c->constraint_row.data[row->id - 1] = c->header.packed_rows + r;
    }
    c->header.packed_rows += padded;
    c->header.lambda_count += padded * info->rows;
    return true;
}

static bool add_segments(pliant__compiler *c, uint32_t first_batch)
{
    for (uint32_t b = first_batch; b < c->batches.count; b++) {
        uint32_t blocks = (c->batches.data[b].count + PLIANT__BLOCK - 1) / PLIANT__BLOCK;
        uint32_t step = c->batches.data[b].serial ? blocks : PLIANT__SEGMENT_BLOCKS;
        for (uint32_t first = 0; first < blocks; first += step) {
            uint32_t left = blocks - first;
            if (!array_push(c->allocator, &c->segments, (pliant__segment){b, first, left < step ? left : step}))
                return pliant__compile_memory(c);
        }
    }
    return true;
}

/* Ends the wave whose batches begin at `first_batch`. */
static bool add_wave(pliant__compiler *c, uint32_t first_batch, bool serial, uint32_t rows)
{
    pliant__wave w = {(uint32_t)c->segments.count, 0, serial, rows};
    if (!add_segments(c, first_batch)) return false;
    w.segment_count = (uint32_t)c->segments.count - w.first_segment;
    return array_push(c->allocator, &c->waves, w) || pliant__compile_memory(c);
}

/* Rows that share a key: one batch per law, or one for all where laws have few rows each. Serial ones keep the order of the scene. */
static bool pack_group(pliant__compiler *c, const sorted_row *sorted, uint32_t count)
{
    uint32_t laws = 1;
    for (uint32_t i = 1; i < count; i++) laws += sorted[i].law != sorted[i - 1].law;
    if (laws > 1 && count / laws < FEW_ROWS) return add_batch(c, sorted, count, PLIANT__NONE, false);
    for (uint32_t first = 0, i = 1; i <= count; i++)
        if (i == count || sorted[i].law != sorted[first].law) {
            if (!add_batch(c, sorted + first, i - first, sorted[first].law, false)) return false;
            first = i;
        }
    return true;
}

static bool pack_colours(pliant__compiler *c, const sorted_row *sorted, uint32_t count)
{
    for (uint32_t first = 0; first < count;) {
        uint64_t wave = sorted[first].key >> 16;
        bool     serial = (wave & UINT16_MAX) == PLIANT__SERIAL_COLOUR;
        uint32_t first_batch = (uint32_t)c->batches.count, end = first;
        while (end < count && sorted[end].key >> 16 == wave) {
            uint32_t group = end;
            while (end < count && sorted[end].key == sorted[group].key && (!serial || sorted[end].law == sorted[group].law)) end++;
            if (serial ? !add_batch(c, sorted + group, end - group, sorted[group].law, true) : !pack_group(c, sorted + group, end - group))
                return false;
        }
        if (!add_wave(c, first_batch, serial, end - first)) return false;
        first = end;
    }
    return true;
}

/* Everything in one serial wave, as the scene lists it; a batch ends where something that a kernel call shares changes. */
static bool pack_given(pliant__compiler *c, const sorted_row *sorted, uint32_t count)
{
    bool one_law = true;
    for (uint32_t first = 0, i = 1; i <= count; i++) {
        if (i < count && sorted[i].key == sorted[first].key) {
            one_law = one_law && sorted[i].law == sorted[first].law;
            continue;
        }
        if (!add_batch(c, sorted + first, i - first, one_law ? sorted[first].law : PLIANT__NONE, true)) return false;
        first = i;
        one_law = true;
    }
    return !count || add_wave(c, 0, true, count);
}

/* Users' constraints have their active bits behind the rows, and their multipliers behind the rows' multipliers. */
static void place_users(pliant__compiler *c)
{
    for (size_t i = 0; i < c->users.count; i++) {
        c->users.data[i].lambda = c->header.lambda_count;
        c->header.lambda_count += PLIANT_MAX_ROWS;
        c->constraint_row.data[c->users.data[i].id - 1] = c->header.packed_rows + (uint32_t)i;
    }
}

bool pliant__pack(pliant__compiler *c)
{
    uint32_t    count = (uint32_t)c->rows.count;
    bool        given = c->scene->settings.order == PLIANT_ORDER_GIVEN;
    sorted_row *sorted = pliant__alloc_array(c->allocator, count + 1, sizeof *sorted);
    if (!sorted) return pliant__compile_memory(c);
    for (uint32_t i = 0; i < count; i++) sorted[i] = (sorted_row){key_of(c, &c->rows.data[i]), c->rows.data[i].law, i};
    if (!given) qsort(sorted, count, sizeof *sorted, by_key);
    bool ok = given ? pack_given(c, sorted, count) : pack_colours(c, sorted, count);
    pliant__free(c->allocator, sorted);
    if (ok) place_users(c);
    return ok;
}
