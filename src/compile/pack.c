/* Patch by patch: rows get colours and become batches of blocks of 16.
 *
 * Rows are sorted by the properties that the rows of one kernel call share: colour, kind, limit, which slots are anchors, whether laws are compliant
 * or damped, and law; ties keep the order of the scene. Where a law has few rows (constraints added one by one, each with a compliance of its own),
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
    pliant__compiler     *c;
    uint32_t              patch, wave;              /* its number; the wave of its next batches */
    uint32_t             *by_patch;                 /* rows by patch, in the order of the scene */
    uint32_t             *by_kind, *of_law, *alike; /* rows of one patch and kind; and one or some laws; and the same anchors */
    sorted_row           *sorted;                   /* rows of one patch */
    pliant__colours      *used;
    pliant__finder       *finder;
    struct regular_block *blocks;         /* of a family */
    pliant__key          *held, *scratch; /* held rows of a patch; the other buffer */
    pliant__held_block   *held_blocks;    /* of a batch */
    pliant__strips        strips;         /* of a tile */
    uint32_t              solved;
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

/* Appends the laws of a batch with rows of several laws, one for each row. */
static bool add_own_laws(pliant__compiler *c, const sorted_row *sorted, uint32_t count, uint32_t padded, pliant__batch *b)
{
    b->own_laws = (uint32_t)c->row_law.count;
    if (b->law != PLIANT__NONE) return true;
    uint32_t *law = array_extend(c->allocator, &c->row_law, padded);
    for (uint32_t r = 0; law && r < count; r++) law[r] = sorted[r].law;
    return law != NULL;
}

static uint32_t padded_count(uint32_t count) { return (count + PLIANT__BLOCK - 1) / PLIANT__BLOCK * PLIANT__BLOCK; }

/* Room for the index of a batch; NULL with the error filled. */
static uint16_t *add_index(pliant__compiler *c, uint32_t padded, uint32_t slots)
{
    if (c->row_index.count + (size_t)padded * slots > UINT32_MAX ||
        (size_t)c->header.lambda_count + (size_t)padded * PLIANT_MAX_ROWS > UINT32_MAX) {
        pliant__fail(c->error, PLIANT_ERROR_INPUT, "too many constraints for 32-bit offsets");
        return NULL;
    }
    uint16_t *index = array_extend(c->allocator, &c->row_index, (size_t)padded * slots);
    if (!index) pliant__compile_memory(c);
    return index;
}

/* A batch of `count` rows like `first`; its index is appended next. */
static pliant__batch new_batch(const packer *k, const pliant__row *first, uint32_t count, uint32_t law)
{
    const pliant__compiler *c = k->c;
    return (pliant__batch){.kind = first->kind,
                           .limit = c->laws.data[first->law].limit,
                           .law = law,
                           .anchors = first->anchors,
                           .count = count,
                           .first_row = c->header.packed_rows,
                           .index = (uint32_t)c->row_index.count,
                           .lambda = c->header.lambda_count,
                           .patch = k->patch,
                           .wave = k->wave,
                           .index_slots = (uint8_t)pliant__kind_slots(first->kind),
                           .place = {0, 1, 2, 3, 4, 5, 6, 7},
                           .first_solved = k->solved};
}

/* A way to the rows of a batch: number r, or PLIANT__NONE where there is a gap. */
typedef struct row_list {
    uint32_t (*row_of)(const void *of, uint32_t r);
    const void *of;
} row_list;

static uint32_t row_at(const row_list *l, uint32_t r) { return l->row_of(l->of, r); }

static uint32_t first_row(const row_list *l)
{
    uint32_t r = 0;
    while (row_at(l, r) == PLIANT__NONE) r++;
    return row_at(l, r);
}

/* Whether all rows have the same parameters. */
static bool is_uniform(const pliant__compiler *c, const row_list *l, uint32_t count)
{
    const pliant__row *first = &c->rows.data[first_row(l)];
    const pliant_real *parameters = pliant__row_parameters(c, first);
    const size_t       bytes = pliant_constraint_describe((pliant_constraint_kind)first->kind)->parameter_count * sizeof *parameters;
    for (uint32_t r = 0; r < count; r++) {
        const uint32_t row = row_at(l, r);
        if (row != PLIANT__NONE && memcmp(pliant__row_parameters(c, &c->rows.data[row]), parameters, bytes) != 0) return false;
    }
    return true;
}

/* Whether some row's law has a yield: its parameters are the state's. */
static bool has_yield(const pliant__compiler *c, const row_list *l, uint32_t count)
{
    bool has = false;
    for (uint32_t r = 0; r < count && !has; r++) {
        const uint32_t row = row_at(l, r);
        has = row != PLIANT__NONE && c->laws.data[c->rows.data[row].law].yield > 0;
    }
    return has;
}

/* Room for so many numbers in states; where they begin, or UINT32_MAX with the error filled. */
static uint32_t take_flow(pliant__compiler *c, size_t numbers)
{
    const uint32_t first = c->header.flow_count;
    if (first + numbers >= UINT32_MAX) {
        pliant__fail(c->error, PLIANT_ERROR_INPUT, "too many parameters of constraints that yield for 32-bit offsets");
        return UINT32_MAX;
    }
    c->header.flow_count += (uint32_t)numbers;
    return first;
}

/* Writes parameters of a batch to its place for them; lanes without a row repeat some row's. */
static void fill_parameters(pliant__compiler *c, const pliant__batch *b, const row_list *l)
{
    const uint32_t parameters = pliant_constraint_describe((pliant_constraint_kind)b->kind)->parameter_count;
    uint32_t       last = first_row(l);
    for (uint32_t r = 0; r < (b->parameter_step ? padded_count(b->count) : PLIANT__BLOCK); r++) {
        const uint32_t row = b->parameter_step && r < b->count ? row_at(l, r) : PLIANT__NONE;
        pliant_real   *to = c->row_parameter.data + b->parameter + r / PLIANT__BLOCK * b->parameter_step + r % PLIANT__BLOCK;
        if (row != PLIANT__NONE) last = row;
        const pliant_real *from = pliant__row_parameters(c, &c->rows.data[last]);
        for (uint32_t p = 0; p < parameters; p++) to[p * PLIANT__BLOCK] = from[p];
    }
}

/* Room for the parameters of a batch alone. */
static bool add_parameters(pliant__compiler *c, pliant__batch *b, const row_list *l)
{
    const uint32_t parameters = pliant__kind_parameters(b->kind);
    const bool     yields = has_yield(c, l, b->count), uniform = !yields && is_uniform(c, l, b->count);
    const size_t   numbers = (uniform ? PLIANT__BLOCK : padded_count(b->count)) * (size_t)parameters;
    b->parameter = (uint32_t)c->row_parameter.count;
    b->parameter_step = uniform ? 0 : parameters * PLIANT__BLOCK;
    if (c->row_parameter.count + numbers > UINT32_MAX)
        return pliant__fail(c->error, PLIANT_ERROR_INPUT, "too many parameters of constraints for 32-bit offsets");
    if (!array_extend(c->allocator, &c->row_parameter, numbers)) return pliant__compile_memory(c);
    fill_parameters(c, b, l);
    if (!yields) return true;
    const uint32_t flow = take_flow(c, numbers);
    if (flow == UINT32_MAX) return false;
    b->flow = flow + 1;
    return true;
}

/* Appends a batch that has its index and its parameters. */
static bool append(packer *k, pliant__batch b, const row_list *l)
{
    pliant__compiler             *c = k->c;
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)b.kind);
    const uint32_t                padded = padded_count(b.count);
    uint32_t                     *id = array_extend(c->allocator, &c->row_id, padded);
    if (!id || !array_push(c->allocator, &c->batches, b)) return pliant__compile_memory(c);
    for (uint32_t r = 0; r < b.count; r++) {
        const uint32_t row = row_at(l, r);
        if (row == PLIANT__NONE) continue;
        k->solved++;
        id[r] = c->rows.data[row].id;
    }
    c->header.packed_rows += padded;
    c->header.lambda_count += padded * info->rows;
    return true;
}

/* A batch with parameters of its own. */
static bool add_rows(packer *k, pliant__batch b, uint32_t (*row_of)(const void *of, uint32_t r), const void *of)
{
    const row_list l = {row_of, of};
    return add_parameters(k->c, &b, &l) && append(k, b, &l);
}

static uint32_t sorted_row_of(const void *of, uint32_t r) { return ((const sorted_row *)of)[r].row; }

/* Appends one batch holding `count` rows; `law` PLIANT__NONE: each its own. */
static bool add_batch(packer *k, const sorted_row *sorted, uint32_t count, uint32_t law, bool serial)
{
    pliant__compiler    *c = k->c;
    const pliant__patch *patch = &c->patches.data[k->patch];
    const uint32_t       padded = padded_count(count);
    pliant__batch        b = new_batch(k, &c->rows.data[sorted[0].row], count, law);
    uint16_t            *index = add_index(c, padded, b.index_slots);
    b.serial = serial;
    b.damped = (uint32_t)(sorted[0].key & 1);
    b.compliant = (uint32_t)(sorted[0].key >> 1 & 1);
    if (!index) return false;
    if (!add_own_laws(c, sorted, count, padded, &b)) return pliant__compile_memory(c);
    for (uint32_t r = 0; r < padded; r++) {
        const uint32_t *slots = pliant__slots_of_row(c, &c->rows.data[sorted[r < count ? r : 0].row]);
        for (uint32_t s = 0; s < b.index_slots; s++)
            index[(r / PLIANT__BLOCK * b.index_slots + s) * PLIANT__BLOCK + r % PLIANT__BLOCK] =
                (uint16_t)(pliant__local(c, patch, slots[s]) * PLIANT__NUMBER);
    }
    return add_rows(k, b, sorted_row_of, sorted);
}

/* ---- clusters ---- */

/* A member of clusters that lie side by side. */
typedef struct member {
    const pliant__cluster *clusters;
    uint32_t               number;
} member;

static uint32_t member_row_of(const void *of, uint32_t r) { return ((const member *)of)->clusters[r].rows[((const member *)of)->number]; }

/* Clusters of one shape, colour and laws: a batch per member, and one index for all. */
static bool add_clusters(packer *k, const pliant__cluster *clusters, uint32_t count)
{
    pliant__compiler         *c = k->c;
    const pliant__shape_info *shape = &pliant__shapes[clusters[0].shape];
    const uint32_t            padded = padded_count(count), at = (uint32_t)c->row_index.count;
    uint16_t                 *index = add_index(c, padded, shape->slots);
    if (!index) return false;
    for (uint32_t r = 0; r < padded; r++)
        for (uint32_t s = 0; s < shape->slots; s++)
            index[(r / PLIANT__BLOCK * shape->slots + s) * PLIANT__BLOCK + r % PLIANT__BLOCK] =
                (uint16_t)(clusters[r < count ? r : 0].slots[s] * PLIANT__NUMBER);
    pliant__batch members[PLIANT__MOST_MEMBERS];
    uint32_t      own = 0; /* members with parameters that differ; these lie side by side, block by block */
    bool          yields = false;
    for (uint32_t m = 0; m < shape->members; m++)
        yields = yields || has_yield(c, &(row_list){member_row_of, &(member){clusters, m}}, count);
    for (uint32_t m = 0; m < shape->members; m++) {
        const uint32_t law = c->member_laws.data[clusters[0].laws].law[m];
        members[m] = new_batch(k, &c->rows.data[clusters[0].rows[m]], count, law);
        members[m].index = at;
        members[m].shape = (uint8_t)clusters[0].shape;
        members[m].member = (uint8_t)m;
        members[m].index_slots = (uint8_t)shape->slots;
        const uint32_t distances = shape->members - shape->volumes;
        if (m < distances)
            memcpy(members[m].place, shape->pair[m], sizeof shape->pair[m]);
        else
            memcpy(members[m].place, shape->volume[m - distances], sizeof shape->volume[0]);
        members[m].compliant = c->laws.data[law].compliance > 0;
        members[m].wave += m;
        members[m].parameter_step = yields || !is_uniform(c, &(row_list){member_row_of, &(member){clusters, m}}, count);
        own += members[m].parameter_step;
    }
    uint32_t       parameter = (uint32_t)c->row_parameter.count;
    const uint32_t flow = yields ? take_flow(c, (size_t)padded * own) : 0;
    if (flow == UINT32_MAX) return false;
    if (!array_extend(c->allocator, &c->row_parameter, (size_t)padded * own)) return pliant__compile_memory(c);
    for (uint32_t m = 0; m < shape->members; m++) {
        const row_list l = {member_row_of, &(member){clusters, m}};
        members[m].first_row = c->header.packed_rows;
        members[m].lambda = c->header.lambda_count;
        members[m].first_solved = k->solved;
        if (members[m].parameter_step) {
            members[m].parameter = parameter;
            members[m].flow = yields ? 1 + flow + m * PLIANT__BLOCK : 0; /* all are `own` */
            members[m].parameter_step = own * PLIANT__BLOCK;
            parameter += PLIANT__BLOCK;
            fill_parameters(c, &members[m], &l);
        } else if (!add_parameters(c, &members[m], &l))
            return false;
        if (!append(k, members[m], &l)) return false;
    }
    return true;
}

static bool has_volumes(const pliant__compiler *c, const uint32_t *rows, uint32_t count)
{
    bool has = false;
    for (uint32_t i = 0; i < count && !has; i++) has = pliant__kind_has(c->rows.data[rows[i]].kind, PLIANT_ROW_VOLUME);
    return has;
}

static int by_cluster(const void *a, const void *b)
{
    const pliant__cluster *p = a, *q = b;
    if (p->colour != q->colour) return p->colour < q->colour ? -1 : 1;
    if (p->laws != q->laws) return p->laws < q->laws ? -1 : 1;
    return p->rows[0] < q->rows[0] ? -1 : p->rows[0] > q->rows[0];
}

/* Shape by shape, those that were found last first: of a sheet, those with the most rows come last. A cluster that found no colour is a batch of its own. */
static bool pack_clusters(packer *k)
{
    pliant__compiler *c = k->c;
    pliant__cluster  *all = c->clusters.data;
    for (size_t end = c->clusters.count, first; end; end = first) {
        for (first = end; first && all[first - 1].shape == all[end - 1].shape;) first--;
        if (pliant__shapes[all[first].shape].volumes) { /* others have been grouped */
            pliant__colour_clusters(all + first, end - first, k->used);
            qsort(all + first, end - first, sizeof *all, by_cluster);
        }
        for (size_t i = first, next; i < end; i = next) {
            next = i + 1;
            while (next < end && all[next].colour == all[i].colour && all[next].laws == all[i].laws &&
                   all[i].colour != PLIANT__SERIAL_COLOUR)
                next++;
            if (!add_clusters(k, all + i, (uint32_t)(next - i))) return false;
            k->wave += pliant__shapes[all[i].shape].members;
        }
    }
    return true;
}

/* ---- regular rows ---- */

/* A block of a family that is being packed. */
typedef struct regular_block {
    pliant__groups groups;
    uint32_t       colour, lanes; /* bits: which of them have a row */
    uint32_t       strip;
    uint32_t       row[PLIANT__BLOCK], any; /* of each lane; of one that has a row */
} regular_block;

static uint32_t regular_row_of(const void *of, uint32_t r)
{
    const regular_block *b = &((const regular_block *)of)[r / PLIANT__BLOCK];
    return b->lanes >> r % PLIANT__BLOCK & 1 ? b->row[r % PLIANT__BLOCK] : PLIANT__NONE;
}

static int by_family(const void *a, const void *b)
{
    const sorted_row *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

static int by_colour(const void *a, const void *b)
{
    const regular_block *p = a, *q = b;
    const bool           full = p->lanes == UINT16_MAX, other = q->lanes == UINT16_MAX;
    if (p->colour != q->colour) return p->colour < q->colour ? -1 : 1;
    if (full != other) return full ? -1 : 1;
    return p->groups.group[0] < q->groups.group[0] ? -1 : p->groups.group[0] > q->groups.group[0];
}

static int by_strip(const void *a, const void *b)
{
    const regular_block *p = a, *q = b;
    if (p->strip != q->strip) return p->strip < q->strip ? -1 : 1;
    return p->groups.group[0] < q->groups.group[0] ? -1 : p->groups.group[0] > q->groups.group[0];
}

/* Sorts the blocks of the next batch into strips, and notes a block run for each. */
static bool cut_into_block_runs(packer *k, regular_block *blocks, uint32_t count, uint32_t slots)
{
    for (uint32_t i = 0; i < count; i++) blocks[i].strip = pliant__move_in_strip(&k->strips, blocks[i].groups.group, slots);
    qsort(blocks, count, sizeof *blocks, by_strip);
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && blocks[end].strip == blocks[first].strip;) end++;
        const pliant__block_run block_run = {(uint32_t)k->c->batches.count, first, end - first};
        if (!pliant__add_block_run(k->c->allocator, &k->strips, blocks[first].strip, block_run)) return pliant__compile_memory(k->c);
    }
    return true;
}

/* Blocks of one family and colour. */
static bool add_regular(packer *k, regular_block *blocks, uint32_t count)
{
    pliant__compiler  *c = k->c;
    const pliant__row *first = &c->rows.data[blocks[0].any]; /* all are of one law */
    const uint32_t     slots = pliant_constraint_describe((pliant_constraint_kind)first->kind)->slots, numbers = 2 * slots;
    pliant__batch      b = new_batch(k, first, count * PLIANT__BLOCK, first->law);
    uint16_t          *index = add_index(c, count, numbers);
    uint16_t          *bits = index ? array_extend(c->allocator, &c->block_rows, count) : NULL;
    if (!index || !cut_into_block_runs(k, blocks, count, slots)) return false;
    if (!bits) return pliant__compile_memory(c);
    b.own_laws = (uint32_t)c->block_rows.count - count;
    b.shape = PLIANT__REGULAR;
    b.index_slots = (uint8_t)numbers;
    b.anchors = 0; /* they are written as they are */
    b.compliant = c->laws.data[first->law].compliance > 0;
    for (uint32_t i = 0; i < count; i++, index += numbers) {
        bits[i] = (uint16_t)blocks[i].lanes;
        for (uint32_t s = 0; s < slots; s++) {
            const uint32_t at = blocks[i].groups.group[s] * 4 * PLIANT__BLOCK + blocks[i].groups.shift[s];
            index[2 * s] = (uint16_t)at;
            index[2 * s + 1] = (uint16_t)(at >> 16);
        }
    }
    return add_rows(k, b, regular_row_of, blocks);
}

/* Rows of one family, which begin in order of their groups. */
static bool pack_family(packer *k, const sorted_row *sorted, uint32_t count)
{
    pliant__compiler *c = k->c;
    const uint32_t    slots = pliant_constraint_describe((pliant_constraint_kind)c->rows.data[sorted[0].row].kind)->slots;
    uint32_t          blocks = 0, number[PLIANT_MAX_SLOTS];
    for (uint32_t i = 0; i < count; i++) {
        pliant__groups groups = {{0}, {0}};
        uint32_t       lane;
        pliant__regular_block(c, &c->rows.data[sorted[i].row], &lane, &groups);
        if (!i || memcmp(&groups, &k->blocks[blocks - 1].groups, sizeof groups) != 0)
            k->blocks[blocks++] = (regular_block){.groups = groups, .any = sorted[i].row};
        k->blocks[blocks - 1].lanes |= 1u << lane;
        k->blocks[blocks - 1].row[lane] = sorted[i].row;
    }
    for (uint32_t i = 0; i < blocks; i++) {
        for (uint32_t s = 0; s < slots; s++) number[s] = k->blocks[i].groups.group[s];
        k->blocks[i].colour = pliant__colour_numbers(k->used, number, slots);
    }
    memset(k->used, 0, c->patches.data[k->patch].slot_count * sizeof *k->used);
    qsort(k->blocks, blocks, sizeof *k->blocks, by_colour);
    for (uint32_t first = 0, end; first < blocks; first = end, k->wave++) {
        uint32_t full = first;
        for (end = first; end < blocks && k->blocks[end].colour == k->blocks[first].colour; end++)
            full += k->blocks[end].lanes == UINT16_MAX;
        if (full > first && !add_regular(k, k->blocks + first, full - first)) return false; /* a kernel need not look at their lanes */
        if (end > full && !add_regular(k, k->blocks + full, end - full)) return false;
    }
    return true;
}

#define LATER_LAWS 255u /* keep no order */

static bool has_role(const pliant__compiler *c, uint32_t row, const char *role)
{
    const pliant__row *r = &c->rows.data[row];
    return pliant__kind_has(r->kind, PLIANT_ROW_EDGE) && strcmp(c->laws.data[r->law].role, role) == 0;
}

/* The order of laws in a tile: where distances bend it, diagonals come after these and before threads, which then stretch a quarter less, diagonals a
 * fifth more, and all together a little less. Where none do, diagonals come last: before threads they would stretch twice as much. */
static uint32_t rank_in_tile(const pliant__compiler *c, uint32_t row, bool bends)
{
    const uint32_t rank = pliant__rank_of_law(c, c->rows.data[row].law);
    return !rank ? 0 : bends && has_role(c, row, "shear") ? 1 : rank < LATER_LAWS ? rank + 1 : LATER_LAWS;
}

static bool pack_held(packer *k, uint32_t count);

static bool pack_tile(packer *k, const uint32_t *rows, uint32_t count, uint32_t held)
{
    pliant__compiler *c = k->c;
    bool              bends = false;
    for (uint32_t i = 0; i < count && !bends; i++) bends = has_role(c, rows[i], "bend");
    for (uint32_t i = 0; i < count; i++) {
        const pliant__row *r = &c->rows.data[rows[i]];
        pliant__groups     groups;
        uint32_t           lane;
        const uint32_t     first = pliant__regular_block(c, r, &lane, &groups);
        const uint64_t     law = rank_in_tile(c, rows[i], bends);
        k->sorted[i] = (sorted_row){(uint64_t)r->kind << 56 | law << 48 | (uint64_t)r->family << 16 | first, r->law, rows[i]};
    }
    qsort(k->sorted, count, sizeof *k->sorted, by_family);
    pliant__begin_strips(&k->strips, &c->patches.data[k->patch]);
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && k->sorted[end].key >> 16 == k->sorted[first].key >> 16;) end++;
        if (!pack_family(k, k->sorted + first, end - first)) return false;
    }
    return pack_held(k, held) && (pliant__end_strips(c, &k->strips, &c->patches.data[k->patch]) || pliant__compile_memory(c));
}

/* ---- held rows ---- */

static uint32_t held_row_of(const void *of, uint32_t r)
{
    const pliant__held_block *b = &((const pliant__held_block *)of)[r / PLIANT__BLOCK];
    return b->lanes >> r % PLIANT__BLOCK & 1 ? b->row[r % PLIANT__BLOCK] : PLIANT__NONE;
}

static int by_strip_of_held(const void *a, const void *b)
{
    const pliant__held_block *p = a, *q = b;
    if (p->strip != q->strip) return p->strip < q->strip ? -1 : 1;
    return p->place < q->place ? -1 : p->place > q->place;
}

/* As block runs of a tile, each block moves one group. */
static bool add_held_block_runs(packer *k, pliant__held_block *blocks, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint16_t group = (uint16_t)(blocks[i].place / (4 * PLIANT__BLOCK));
        blocks[i].strip = pliant__move_in_strip(&k->strips, &group, 1);
    }
    qsort(blocks, count, sizeof *blocks, by_strip_of_held);
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && blocks[end].strip == blocks[first].strip;) end++;
        const pliant__block_run block_run = {(uint32_t)k->c->batches.count, first, end - first};
        if (!pliant__add_block_run(k->c->allocator, &k->strips, blocks[first].strip, block_run)) return pliant__compile_memory(k->c);
    }
    return true;
}

static bool add_held(packer *k, pliant__held_block *blocks, uint32_t count)
{
    pliant__compiler *c = k->c;
    uint32_t          any = 0;
    while (!(blocks[0].lanes >> any & 1)) any++;
    const pliant__row *first = &c->rows.data[blocks[0].row[any]]; /* all are of one law */
    pliant__batch      b = new_batch(k, first, count * PLIANT__BLOCK, first->law);
    uint16_t          *index = add_index(c, count, PLIANT__HELD_NUMBERS);
    uint16_t          *bits = index ? array_extend(c->allocator, &c->block_rows, count) : NULL;
    if (!index || (c->patches.data[k->patch].groups && !add_held_block_runs(k, blocks, count))) return false;
    if (!bits) return pliant__compile_memory(c);
    b.own_laws = (uint32_t)c->block_rows.count - count;
    b.shape = PLIANT__HELD;
    b.index_slots = PLIANT__HELD_NUMBERS;
    for (uint32_t i = 0; i < count; i++, index += PLIANT__HELD_NUMBERS) {
        bits[i] = (uint16_t)blocks[i].lanes;
        index[0] = (uint16_t)blocks[i].place;
        index[1] = (uint16_t)(blocks[i].place >> 16);
        memcpy(index + 2, blocks[i].anchor, sizeof blocks[i].anchor);
    }
    return add_rows(k, b, held_row_of, blocks);
}

/* Takes held rows out of those of a patch, which keep their order; a particle's are side by side. Returns how many are left. */
static uint32_t take_held(packer *k, uint32_t *rows, uint32_t count, uint32_t *held)
{
    const pliant__compiler *c = k->c;
    const pliant__patch    *p = &c->patches.data[k->patch];
    uint32_t                left = 0, slot = PLIANT__NONE, earlier = 0;
    *held = 0;
    for (uint32_t i = 0; i < count; i++) {
        const pliant__row *row = &c->rows.data[rows[i]];
        if (!pliant__is_held(c, row)) {
            rows[left++] = rows[i];
            continue;
        }
        earlier = row->slots[0] == slot ? earlier + 1 : 0;
        slot = row->slots[0];
        k->held[(*held)++] = (pliant__key){pliant__held_key(p, row, earlier), rows[i]};
    }
    return left;
}

/* A batch and a wave per column of held rows. They are solved last: the rows solved last are nearest to being satisfied. */
static bool pack_held(packer *k, uint32_t count)
{
    const pliant__patch *p = &k->c->patches.data[k->patch];
    const pliant__key   *rows = pliant__sort_keys(k->held, k->scratch, count);
    for (uint32_t first = 0, end; first < count; first = end, k->wave++) {
        for (end = first; end < count && rows[end].key >> 48 == rows[first].key >> 48;) end++;
        if (!add_held(k, k->held_blocks, pliant__held_blocks(k->c, p, rows + first, end - first, k->held_blocks))) return false;
    }
    return true;
}

/* ---- single rows ---- */

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

/* One row after another, as the scene lists them; a batch ends where a property changes that the rows of one kernel call share. */
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

#define LARGE_LAW 8u /* a law with at least one of so many rows of a kind is solved apart from the others */

/* Laws of `count` rows that are large, in the order that they are solved in; returns how many. */
static uint32_t large_laws(packer *k, const uint32_t *rows, uint32_t count, uint32_t *laws)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        k->sorted[i] = (sorted_row){pliant__rank_of_law(k->c, k->c->rows.data[rows[i]].law), k->c->rows.data[rows[i]].law, i};
    qsort(k->sorted, count, sizeof *k->sorted, by_key);
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && k->sorted[end].law == k->sorted[first].law;) end++;
        if ((end - first) * LARGE_LAW >= count) laws[found++] = k->sorted[first].law;
    }
    return found;
}

/* Colours rows of one kind and some laws: those without anchors, then those with the same ones. Returns the next colour. */
static uint32_t colour_anchored(packer *k, const uint32_t *rows, uint32_t count, uint32_t next)
{
    bool     there[1u << PLIANT_MAX_SLOTS] = {false}; /* per mask of anchors: rows have it */
    uint32_t end = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t anchors = k->c->rows.data[rows[i]].anchors;
        there[anchors] = true;
        end = anchors >= end ? anchors + 1 : end;
    }
    for (uint32_t anchors = 0; anchors < end; anchors++) {
        uint32_t found = 0;
        if (!there[anchors]) continue;
        for (uint32_t i = 0; i < count; i++)
            if (k->c->rows.data[rows[i]].anchors == anchors) k->alike[found++] = rows[i];
        next = pliant__colour_rows(k->c, k->alike, found, next, k->used);
    }
    return next;
}

/* Rows of each kind: small laws, and then each large one by itself. */
static void colour_kinds(packer *k, const uint32_t *rows, uint32_t count)
{
    for (uint32_t kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        uint32_t of_kind = 0, laws[LARGE_LAW + 1], next = 0;
        for (uint32_t i = 0; i < count && k->c->header.constraint_count[kind]; i++)
            if (k->c->rows.data[rows[i]].kind == kind) k->by_kind[of_kind++] = rows[i];
        const uint32_t large = large_laws(k, k->by_kind, of_kind, laws);
        for (uint32_t l = 0; l <= large; l++) {
            uint32_t found = 0;
            for (uint32_t i = 0; i < of_kind; i++) {
                const uint32_t law = k->c->rows.data[k->by_kind[i]].law;
                bool           own = false;
                for (uint32_t j = 0; j < large; j++) own = own || laws[j] == law;
                if (l ? law == laws[l - 1] : !own) k->of_law[found++] = k->by_kind[i];
            }
            next = colour_anchored(k, k->of_law, found, next);
        }
    }
}

static bool pack_patch(packer *k, uint32_t number, uint32_t *rows, uint32_t count)
{
    pliant__compiler *c = k->c;
    pliant__patch    *p = &c->patches.data[number];
    const bool        given = c->scene->settings.order == PLIANT_ORDER_GIVEN;
    k->patch = number;
    for (uint32_t i = 0; p->first_listed != PLIANT__NONE && i < p->slot_count; i++)
        c->local[c->patch_slots.data[p->first_listed + i]] = (uint16_t)i;
    p->first_batch = (uint32_t)c->batches.count;
    uint32_t held;
    count = take_held(k, rows, count, &held);
    if (p->groups) {
        if (!pack_tile(k, rows, count, held)) return false;
        p = &c->patches.data[number];
        p->batch_count = (uint32_t)c->batches.count - p->first_batch;
        return true;
    }
    if (!given)
        count = has_volumes(c, rows, count) ? pliant__find_tetrahedra(c, p, rows, count)
                                            : pliant__find_clusters(c, k->finder, p, rows, count, k->used);
    if (count == PLIANT__NONE) return pliant__compile_memory(c);
    if (!given) colour_kinds(k, rows, count);
    for (uint32_t i = 0; i < count; i++) k->sorted[i] = (sorted_row){key_of(c, &c->rows.data[rows[i]]), c->rows.data[rows[i]].law, rows[i]};
    if (given) {
        if (!pack_given(k, k->sorted, count)) return false;
    } else {
        uint32_t distances = 0; /* the first kind: single ones, clusters, and then the others */
        qsort(k->sorted, count, sizeof *k->sorted, by_key);
        while (distances < count && pliant__kind_has(c->rows.data[k->sorted[distances].row].kind, PLIANT_ROW_EDGE)) distances++;
        if (!pack_colours(k, k->sorted, distances) || !pack_clusters(k) || !pack_colours(k, k->sorted + distances, count - distances) ||
            !pack_held(k, held))
            return false;
    }
    p = &c->patches.data[number];
    p->batch_count = (uint32_t)c->batches.count - p->first_batch;
    return true;
}

/* Users' constraints have their active bits behind the rows, and their multipliers behind the rows' multipliers. */
static void place_users(pliant__compiler *c)
{
    for (size_t i = 0; i < c->users.count; i++) {
        c->users.data[i].lambda = c->header.lambda_count;
        c->header.lambda_count += PLIANT_MAX_ROWS;
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
    for (size_t i = c->rows.count; i > 0; i--) rows[--first[c->rows.data[i - 1].patch + 1]] = (uint32_t)i - 1;
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
    uint32_t *first = pliant__alloc_array(c->allocator, c->patches.count + 2, sizeof *first), most = 0, slots = 0, groups = 0;
    k.by_patch = pliant__alloc_array(c->allocator, c->rows.count + 1, sizeof *k.by_patch);
    c->local = pliant__alloc_array(c->allocator, c->header.slot_count, sizeof *c->local);
    bool ok = first && k.by_patch && c->local && array_reserve(c->allocator, &c->row_id, c->rows.count + c->rows.count / 16);
    if (ok) most = sort_by_patch(c, first, k.by_patch);
    for (size_t i = 0; i < c->patches.count; i++) slots = c->patches.data[i].slot_count > slots ? c->patches.data[i].slot_count : slots;
    k.by_kind = pliant__alloc_array(c->allocator, (size_t)most + 1, sizeof *k.by_kind);
    k.of_law = pliant__alloc_array(c->allocator, (size_t)most + 1, sizeof *k.of_law);
    k.alike = pliant__alloc_array(c->allocator, (size_t)most + 1, sizeof *k.alike);
    k.sorted = pliant__alloc_array(c->allocator, (size_t)most + 1, sizeof *k.sorted);
    k.used = pliant__alloc_array(c->allocator, (size_t)slots + 1, sizeof *k.used);
    for (size_t i = 0; i < c->patches.count; i++) groups = c->patches.data[i].groups > groups ? c->patches.data[i].groups : groups;
    k.blocks = pliant__alloc_array(c->allocator, (size_t)groups + 1, sizeof *k.blocks);
    k.held = pliant__alloc_array(c->allocator, (size_t)most + 1, sizeof *k.held);
    k.scratch = pliant__alloc_array(c->allocator, (size_t)most + 1, sizeof *k.scratch);
    k.held_blocks = pliant__alloc_array(c->allocator, c->anchors.count ? (size_t)slots + 1 : 1, sizeof *k.held_blocks);
    k.finder = pliant__finder_create(c->allocator, slots, most);
    const bool strips = pliant__strips_create(c->allocator, groups, &k.strips);
    if (!ok || !strips || !k.by_kind || !k.of_law || !k.alike || !k.sorted || !k.used || !k.finder || !k.blocks || !k.held || !k.scratch ||
        !k.held_blocks)
        ok = pliant__compile_memory(c);
    else
        ok = pack_rounds(&k, first);
    if (ok) place_users(c);
    pliant__finder_destroy(c->allocator, k.finder);
    pliant__strips_destroy(c->allocator, &k.strips);
    void *all[] = {first, k.by_patch, k.by_kind, k.of_law, k.alike, k.sorted, k.used, k.blocks, k.held, k.scratch, k.held_blocks};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(c->allocator, all[i]);
    return ok;
}
