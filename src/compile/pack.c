/* Patch by patch: rows get colours and become batches of blocks of 16.
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

/* The patch that is being packed. */
typedef struct packer {
    pliant__compiler *c;
    uint32_t          patch, wave; /* its number; the wave of its next batches */
    uint32_t         *by_patch;    /* rows by patch, in the order of the scene */
    uint32_t         *by_kind;     /* rows of one patch and kind */
    sorted_row       *sorted;      /* rows of one patch */
    pliant__colours  *used;
    uint32_t          solved;
} packer;

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

/* What rows of several laws share a batch with: their laws, one for each. */
static bool add_own_laws(pliant__compiler *c, const sorted_row *sorted, uint32_t count, uint32_t padded, pliant__batch *b)
{
    b->own_laws = (uint32_t)c->row_law.count;
    if (b->law != PLIANT__NONE) return true;
    uint32_t *law = array_extend(c->allocator, &c->row_law, padded);
    for (uint32_t r = 0; law && r < count; r++) law[r] = sorted[r].law;
    return law != NULL;
}

/* Appends one batch holding `count` rows; `law` PLIANT__NONE: each its own. */
static bool add_batch(packer *k, const sorted_row *sorted, uint32_t count, uint32_t law, bool serial)
{
    pliant__compiler             *c = k->c;
    const pliant__patch          *patch = &c->patches.data[k->patch];
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
    b.patch = k->patch;
    b.wave = k->wave;
    b.first_solved = k->solved;
    if (c->row_index.count + (size_t)padded * info->slots > UINT32_MAX || (size_t)b.lambda + (size_t)padded * info->rows > UINT32_MAX)
        return pliant__fail(c->error, PLIANT_ERROR_INPUT, "too many constraints for 32-bit offsets");

    uint16_t    *index = array_extend(c->allocator, &c->row_index, (size_t)padded * info->slots);
    pliant_real *parameter = array_extend(c->allocator, &c->row_parameter, (size_t)padded * info->parameter_count);
    uint32_t    *id = array_extend(c->allocator, &c->row_constraint, padded);
    if (!index || !parameter || !id || !add_own_laws(c, sorted, count, padded, &b) || !array_push(c->allocator, &c->batches, b))
        return pliant__compile_memory(c);
    for (uint32_t r = 0; r < padded; r++) {
        const pliant__row *row = &c->rows.data[sorted[r < count ? r : 0].row];
        uint32_t           block = r / PLIANT__BLOCK, lane = r % PLIANT__BLOCK;
        for (uint32_t s = 0; s < info->slots; s++)
            index[(block * info->slots + s) * PLIANT__BLOCK + lane] = (uint16_t)pliant__local(c, patch, row->slots[s]);
        for (uint32_t p = 0; p < info->parameter_count; p++)
            parameter[(block * info->parameter_count + p) * PLIANT__BLOCK + lane] = row->parameters[p];
        if (r >= count) continue;
        id[r] = row->id;
        c->constraint_row.data[row->id - 1] = c->header.packed_rows + r;
    }
    c->header.packed_rows += padded;
    c->header.lambda_count += padded * info->rows;
    k->solved += count;
    return true;
}

/* Rows that share a key: one batch per law, or one for all where laws have few rows each. Serial ones keep the order of the scene. */
static bool pack_group(packer *k, const sorted_row *sorted, uint32_t count)
{
    uint32_t laws = 1;
    for (uint32_t i = 1; i < count; i++) laws += sorted[i].law != sorted[i - 1].law;
    if (laws > 1 && count / laws < FEW_ROWS) return add_batch(k, sorted, count, PLIANT__NONE, false);
    for (uint32_t first = 0, i = 1; i <= count; i++)
        if (i == count || sorted[i].law != sorted[first].law) {
            if (!add_batch(k, sorted + first, i - first, sorted[first].law, false)) return false;
            first = i;
        }
    return true;
}

/* A wave per kind and colour. */
static bool pack_colours(packer *k, const sorted_row *sorted, uint32_t count)
{
    for (uint32_t first = 0; first < count; k->wave++) {
        uint64_t wave = sorted[first].key >> 16;
        bool     serial = (wave & UINT16_MAX) == PLIANT__SERIAL_COLOUR;
        uint32_t end = first;
        while (end < count && sorted[end].key >> 16 == wave) {
            uint32_t group = end;
            while (end < count && sorted[end].key == sorted[group].key && (!serial || sorted[end].law == sorted[group].law)) end++;
            if (serial ? !add_batch(k, sorted + group, end - group, sorted[group].law, true) : !pack_group(k, sorted + group, end - group))
                return false;
        }
        first = end;
    }
    return true;
}

/* One row after another, as the scene lists them; a batch ends where something that a kernel call shares changes. */
static bool pack_given(packer *k, const sorted_row *sorted, uint32_t count)
{
    bool one_law = true;
    for (uint32_t first = 0, i = 1; i <= count; i++) {
        if (i < count && sorted[i].key == sorted[first].key) {
            one_law = one_law && sorted[i].law == sorted[first].law;
            continue;
        }
        if (!add_batch(k, sorted + first, i - first, one_law ? sorted[first].law : PLIANT__NONE, true)) return false;
        first = i;
        one_law = true;
    }
    k->wave += count > 0;
    return true;
}

static void colour_kinds(packer *k, const uint32_t *rows, uint32_t count)
{
    for (uint32_t kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        uint32_t of_kind = 0;
        for (uint32_t i = 0; i < count && k->c->header.constraint_count[kind]; i++)
            if (k->c->rows.data[rows[i]].kind == kind) k->by_kind[of_kind++] = rows[i];
        pliant__colour_rows(k->c, k->by_kind, of_kind, k->used);
    }
}

static bool pack_patch(packer *k, uint32_t number, const uint32_t *rows, uint32_t count)
{
    pliant__compiler *c = k->c;
    pliant__patch    *p = &c->patches.data[number];
    const bool        given = c->scene->settings.order == PLIANT_ORDER_GIVEN;
    k->patch = number;
    for (uint32_t i = 0; p->first_listed != PLIANT__NONE && i < p->slot_count; i++)
        c->local[c->patch_slots.data[p->first_listed + i]] = (uint16_t)i;
    if (!given) colour_kinds(k, rows, count);
    for (uint32_t i = 0; i < count; i++) k->sorted[i] = (sorted_row){key_of(c, &c->rows.data[rows[i]]), c->rows.data[rows[i]].law, rows[i]};
    if (!given) qsort(k->sorted, count, sizeof *k->sorted, by_key);
    p->first_batch = (uint32_t)c->batches.count;
    if (!(given ? pack_given : pack_colours)(k, k->sorted, count)) return false;
    p->batch_count = (uint32_t)c->batches.count - p->first_batch;
    return true;
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

/* Rows by patch: those of patch i are [first[i], first[i + 1]). Returns the most that a patch has. */
static uint32_t sort_by_patch(const pliant__compiler *c, uint32_t *first, uint32_t *rows)
{
    uint32_t most = 0;
    for (size_t i = 0; i < c->rows.count; i++) first[c->rows.data[i].patch + 1]++;
    for (size_t i = 0; i < c->patches.count; i++) {
        most = first[i + 1] > most ? first[i + 1] : most;
        first[i + 1] += first[i];
    }
    for (size_t i = c->rows.count; i-- > 0;) rows[--first[c->rows.data[i].patch + 1]] = (uint32_t)i;
    for (size_t i = 0; i < c->patches.count; i++) first[i] = first[i + 1];
    first[c->patches.count] = (uint32_t)c->rows.count;
    return most;
}

/* Waves of a round's patches run side by side; those of the next round come after all of them. */
static bool pack_rounds(packer *k, const uint32_t *first)
{
    for (size_t r = 0; r < k->c->rounds.count; r++) {
        const pliant__round round = k->c->rounds.data[r];
        uint32_t            begin = k->c->header.wave_count;
        for (uint32_t p = round.first_patch; p < round.first_patch + round.patch_count; p++) {
            k->wave = begin;
            if (!pack_patch(k, p, k->by_patch + first[p], first[p + 1] - first[p])) return false;
            if (k->wave > k->c->header.wave_count) k->c->header.wave_count = k->wave;
        }
    }
    return true;
}

bool pliant__pack(pliant__compiler *c)
{
    packer    k = {.c = c};
    uint32_t *first = pliant__alloc_array(c->allocator, c->patches.count + 2, sizeof *first), most = 0, slots = 0;
    k.by_patch = pliant__alloc_array(c->allocator, c->rows.count + 1, sizeof *k.by_patch);
    c->local = pliant__alloc_array(c->allocator, c->header.slot_count, sizeof *c->local);
    bool ok = first && k.by_patch && c->local;
    if (ok) most = sort_by_patch(c, first, k.by_patch);
    for (size_t i = 0; i < c->patches.count; i++) slots = c->patches.data[i].slot_count > slots ? c->patches.data[i].slot_count : slots;
    k.by_kind = pliant__alloc_array(c->allocator, (size_t)most + 1, sizeof *k.by_kind);
    k.sorted = pliant__alloc_array(c->allocator, (size_t)most + 1, sizeof *k.sorted);
    k.used = pliant__alloc_array(c->allocator, (size_t)slots + 1, sizeof *k.used);
    if (!ok || !k.by_kind || !k.sorted || !k.used)
        ok = pliant__compile_memory(c);
    else
        ok = pack_rounds(&k, first);
    if (ok) place_users(c);
    void *all[] = {first, k.by_patch, k.by_kind, k.sorted, k.used};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(c->allocator, all[i]);
    return ok;
}
