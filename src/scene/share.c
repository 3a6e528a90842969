/* Shares of rows and the laws that follow from them: what soft bodies (elastic.c) and cloth (fabric.c) have in common.
 *
 * Rows are sorted by the size of their share. A mesh has as many sizes as rows, and a law for each would be too many to keep; so those that differ
 * by less than STEP have one, with the mean of their shares. */
#include "scene/share.h"

#define MOST_EXACT 16u /* different shares up to which each has a law of its own */
#define STEP 1.5       /* beyond that, shares of one class differ by no more than this factor */

double pliant__square_length(const pliant__builder *b, uint32_t p, uint32_t q)
{
    const double d[3] = {(double)b->x[q].x - (double)b->x[p].x, (double)b->x[q].y - (double)b->x[p].y,
                         (double)b->x[q].z - (double)b->x[p].z};
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

size_t pliant__pair_at(const pliant__list *pairs, uint32_t p, uint32_t q)
{
    const uint64_t key = p < q ? (uint64_t)p << 32 | q : (uint64_t)q << 32 | p;
    size_t         low = 0, high = pairs->count;
    while (low < high) {
        const size_t   middle = low + (high - low) / 2;
        const uint64_t there = (uint64_t)pairs->data[2 * middle] << 32 | pairs->data[2 * middle + 1];
        if (there == key) return middle;
        if (there < key)
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}

uint32_t pliant__build_shared_law(pliant__builder *b, pliant_constraint_kind kind, const char *role, const pliant__share *share)
{
    const pliant__draft_law of = {.kind = kind, .role = role, .share = *share};
    const pliant_law        law = pliant__shared_law(&b->body.material, b->body.type, &of);
    return pliant__build_law(b, kind, role, &law, share);
}

bool pliant__take_shares(pliant__builder *b, pliant__shared_rows *rows, pliant_constraint_kind kind, const char *role, const uint32_t *ids,
                         size_t count)
{
    *rows = (pliant__shared_rows){.kind = kind, .role = role, .ids = ids, .count = count};
    rows->share = pliant__take(b, count, sizeof *rows->share, "shares");
    rows->square = pliant__take(b, count, sizeof *rows->square, "shares");
    return rows->share && rows->square;
}

/* Where the class of sorted row `from` ends. */
static size_t class_end(const pliant__shared_rows *r, const pliant__key *sorted, size_t from, bool exact)
{
    const double most = STEP * r->share[sorted[from].value].size;
    size_t       end = pliant__run_end(sorted, from, r->count);
    while (!exact && end < r->count && r->share[sorted[end].value].size <= most) end++;
    return end;
}

/* The share of sorted rows [from, end): of compliance that which stores the same energy where all are stretched by the same ratio, of stiffness the
 * mean by their squares. */
static pliant__share common_share(const pliant__shared_rows *r, const pliant__key *sorted, size_t from, size_t end)
{
    double        squares = 0, energy = 0;
    pliant__share sum = {0};
    if (sorted[from].key == sorted[end - 1].key) return r->share[sorted[from].value];
    for (size_t i = from; i < end; i++) {
        const pliant__share *s = &r->share[sorted[i].value];
        const double         square = r->square[sorted[i].value];
        squares += square;
        energy += square / s->size;
        for (int k = 0; k < PLIANT__PARTS; k++) sum.part[k] += square * s->part[k];
    }
    sum.size = squares / energy;
    for (int k = 0; k < PLIANT__PARTS; k++) sum.part[k] /= squares;
    return sum;
}

static bool make_classes(pliant__builder *b, const pliant__shared_rows *r, const pliant__key *sorted, uint32_t *law)
{
    size_t different = 0;
    for (size_t i = 0; i < r->count; i = pliant__run_end(sorted, i, r->count)) different++;
    for (size_t i = 0, end; i < r->count; i = end) {
        end = class_end(r, sorted, i, different <= MOST_EXACT);
        const pliant__share share = common_share(r, sorted, i, end);
        const uint32_t      number = pliant__build_shared_law(b, r->kind, r->role, &share);
        if (number == PLIANT__NONE) return false;
        for (size_t k = i; k < end; k++) law[sorted[k].value] = number;
    }
    return true;
}

/* Puts rows by the size of their share: positive doubles are in the order of their bits. */
bool pliant__build_shared(pliant__builder *b, const pliant__shared_rows *r)
{
    if (!r->count) return true;
    pliant__key *keys = pliant__take(b, r->count, sizeof *keys, "shares"), *scratch = pliant__take(b, r->count, sizeof *keys, "shares");
    uint32_t    *law = pliant__take(b, r->count, sizeof *law, "laws of rows");
    if (!keys || !scratch || !law) return false;
    for (size_t i = 0; i < r->count; i++) {
        memcpy(&keys[i].key, &r->share[i].size, sizeof keys[i].key);
        keys[i].value = (uint32_t)i;
    }
    const bool ok = make_classes(b, r, pliant__sort_keys(keys, scratch, r->count), law);
    pliant__give_back(b, keys);
    pliant__give_back(b, scratch);
    return ok && pliant__build_constraints_of(b, r->kind, law, r->ids, r->count);
}
