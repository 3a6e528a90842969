/* Bodies that tear: their spare slots, and which elements and other rows are around each of their particles. */
#include "base/alloc.h"
#include "compile/compile.h"
#include "scene/tetrahedron.h"

#include <stdlib.h>

static bool tears(const pliant__draft_body *b) { return b->tear > 0; }

/* ---- slots that stand by ---- */

static int by_slot(const void *a, const void *b)
{
    const pliant__model_spare *p = a, *q = b;
    return p->slot < q->slot ? -1 : p->slot > q->slot;
}

bool pliant__lay_out_spares(pliant__compiler *c, const pliant__draft_body *b, pliant__model_body *m)
{
    m->first_spare = (uint32_t)c->spares.count;
    m->spare_count = b->spare_count;
    m->tear = (double)b->tear;
    for (uint32_t i = 0; i < b->spare_count; i++) {
        const uint32_t            slot = c->slot[b->first_particle + (b->particle_count - b->spare_count) + i];
        const pliant__model_spare spare = {slot, c->slot[b->first_particle + pliant__spare_home(b, i)], 0};
        if (!array_push(c->allocator, &c->vertex_slot, slot) || !array_push(c->allocator, &c->spares, spare)) return false;
        c->slot_vertex.data[slot] = b->vertex_count + i;
    }
    m->vertex_count += b->spare_count;
    if (b->spare_count) qsort(c->spares.data + m->first_spare, b->spare_count, sizeof *c->spares.data, by_slot);
    return true;
}

/* The range that a slot is of. */
static uint32_t range_of(const pliant__compiler *c, uint32_t slot)
{
    uint32_t low = 0, high = c->rounds.data[0].patch_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (c->patches.data[middle].first_slot <= slot)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Gives particles that lists have, ascending, a spare of their own: the first of their body and range that no particle has yet. `listed`: per slot, whether a list has it;
 * `own`: per slot, PLIANT__NONE before, that spare after. */
static void share_out(pliant__compiler *c, const pliant__model_body *b, const bool *listed, uint32_t *own)
{
    uint32_t next = b->first_spare, range = PLIANT__NONE;
    for (uint32_t slot = b->first_slot; slot < b->first_slot + b->slot_count; slot++) {
        if (!listed[slot] || c->pin.data[slot] == PLIANT__ANCHOR) continue;
        const uint32_t       now = range_of(c, slot), end = b->first_spare + b->spare_count;
        const pliant__patch *p = &c->patches.data[now];
        while (now != range && next < end && c->spares.data[next].slot < p->first_slot) next++;
        range = now;
        if (next == end || c->spares.data[next].slot - p->first_slot >= p->slot_count) continue;
        c->spares.data[next].own = 1;
        c->spares.data[next].home = slot;
        own[slot] = c->spares.data[next++].slot;
    }
}

static int by_number(const void *a, const void *b)
{
    const uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return p < q ? -1 : p > q;
}

bool pliant__list_spares(pliant__compiler *c)
{
    const size_t n = c->header.slot_count, lists = c->patches.count, old_count = c->patch_slots.count;
    if (!c->spares.count || !old_count) return true;
    uint32_t *own = pliant__alloc_array(c->allocator, n, sizeof *own), *old = pliant__alloc_array(c->allocator, old_count, sizeof *old);
    bool     *listed = pliant__alloc_array(c->allocator, n, sizeof *listed), ok = own && old && listed;
    if (ok) {
        memset(own, 0xff, n * sizeof *own);
        memcpy(old, c->patch_slots.data, old_count * sizeof *old);
        for (size_t i = 0; i < old_count; i++) listed[old[i]] = true;
        for (size_t i = 0; i < c->bodies.count; i++)
            if (c->bodies.data[i].spare_count) share_out(c, &c->bodies.data[i], listed, own);
        c->patch_slots.count = 0;
    }
    for (size_t i = c->rounds.data[0].patch_count; ok && i < lists; i++) {
        pliant__patch *p = &c->patches.data[i];
        const uint32_t first = p->first_listed, count = p->slot_count;
        p->first_listed = (uint32_t)c->patch_slots.count;
        for (uint32_t k = first; ok && k < first + count; k++) {
            ok = array_push(c->allocator, &c->patch_slots, old[k]) &&
                 (own[old[k]] == PLIANT__NONE || array_push(c->allocator, &c->patch_slots, own[old[k]]));
            p->slot_count += own[old[k]] != PLIANT__NONE;
        }
        if (ok) qsort(c->patch_slots.data + p->first_listed, p->slot_count, sizeof(uint32_t), by_number);
    }
    pliant__free(c->allocator, listed);
    pliant__free(c->allocator, own);
    pliant__free(c->allocator, old);
    return ok;
}

/* ---- what is around a particle ---- */

/* The draft constraint of a packed row that a body which tears was made with, or NULL. */
static const pliant__draft_constraint *drafted(const pliant__compiler *c, uint32_t row)
{
    const uint32_t id = c->row_id.data[row];
    if (!id || id > c->scene->constraints.count) return NULL;
    const pliant__draft_constraint *d = &c->scene->constraints.data[id - 1];
    bool                            targets = false;
    if (d->body == PLIANT__NONE || d->user || !tears(&c->scene->bodies.data[d->body])) return NULL;
    for (uint32_t k = 0; k < pliant__kind_slots(d->kind); k++)
        targets = targets || (pliant__draft_particles(c->scene, d)[k] & PLIANT__TARGET_SLOT);
    return targets ? NULL : d;
}

static bool is_element(uint32_t kind) { return pliant__kind_has(kind, PLIANT_ROW_TEARS); }

static uint32_t slot_of(const pliant__compiler *c, const pliant__draft_constraint *d, uint32_t k)
{
    return c->slot[pliant__draft_particles(c->scene, d)[k]];
}

static bool add_element(pliant__compiler *c, uint32_t row, uint32_t batch, const pliant__draft_constraint *d)
{
    const pliant__draft_body *b = &c->scene->bodies.data[d->body];
    const uint32_t            number = (uint32_t)(d - c->scene->constraints.data) - b->first_element;
    return array_push(c->allocator, &c->torn_elements, ((pliant__model_torn){row, batch, c->body[d->body], number}));
}

/* Lists numbers by slot: `first` of each slot, `at` the numbers. `row_of`: the packed row of a number. */
static bool list_by_slot(pliant__compiler *c, size_t count, uint32_t (*row_of)(const pliant__compiler *c, size_t number), uint32_t *first,
                         size_t *total)
{
    *total = 0;
    for (size_t i = 0; i < count; i++) {
        const pliant__draft_constraint *d = drafted(c, row_of(c, i));
        for (uint32_t k = 0; k < pliant__kind_slots(d->kind); k++) first[slot_of(c, d, k) + 1]++;
        *total += pliant__kind_slots(d->kind);
    }
    for (uint32_t i = 0; i < c->header.slot_count; i++) first[i + 1] += first[i];
    return true;
}

/* Fills each slot's list from its end, so that numbers ascend; then shifts where they begin. */
static void fill_by_slot(const pliant__compiler *c, size_t count, uint32_t (*row_of)(const pliant__compiler *c, size_t number),
                         uint32_t *first, uint32_t *at, size_t total)
{
    for (size_t left = count; left > 0; left--) {
        const uint32_t                  i = (uint32_t)(left - 1);
        const pliant__draft_constraint *d = drafted(c, row_of(c, i));
        for (uint32_t k = 0; k < pliant__kind_slots(d->kind); k++) at[--first[slot_of(c, d, k) + 1]] = i;
    }
    for (uint32_t i = 0; i < c->header.slot_count; i++) first[i] = first[i + 1];
    first[c->header.slot_count] = (uint32_t)total;
}

static uint32_t element_row(const pliant__compiler *c, size_t i) { return c->torn_elements.data[i].row; }
static uint32_t follower_row(const pliant__compiler *c, size_t i) { return c->followers.data[i].row; }

static bool list_elements(pliant__compiler *c)
{
    size_t    total;
    uint32_t *first = array_extend(c->allocator, &c->torn_first, (size_t)c->header.slot_count + 1);
    if (!first || !list_by_slot(c, c->torn_elements.count, element_row, first, &total)) return false;
    uint32_t *at = array_extend(c->allocator, &c->torn_at, total);
    if (!at) return false;
    fill_by_slot(c, c->torn_elements.count, element_row, first, at, total);
    return true;
}

static bool list_followers(pliant__compiler *c)
{
    size_t    total;
    uint32_t *first = array_extend(c->allocator, &c->follower_first, (size_t)c->header.slot_count + 1);
    if (!first || !list_by_slot(c, c->followers.count, follower_row, first, &total)) return false;
    uint32_t *at = array_extend(c->allocator, &c->follower_at, total);
    if (!at) return false;
    fill_by_slot(c, c->followers.count, follower_row, first, at, total);
    return true;
}

/* Whether all particles of an element are among those of another row. */
static bool goes_with(const pliant__compiler *c, const pliant__draft_constraint *row, const pliant__draft_constraint *element)
{
    bool all = true;
    for (uint32_t k = 0; k < pliant__kind_slots(element->kind); k++) {
        bool found = false;
        for (uint32_t i = 0; i < pliant__kind_slots(row->kind); i++) found = found || slot_of(c, row, i) == slot_of(c, element, k);
        all = all && found;
    }
    return all;
}

/* A row, and the elements that it goes with, if any. */
static bool add_follower(pliant__compiler *c, uint32_t row, uint32_t batch, const pliant__draft_constraint *d)
{
    pliant__model_follower f = {row, batch, {PLIANT__NONE, PLIANT__NONE}};
    uint32_t               count = 0;
    for (uint32_t k = 0; k < pliant__kind_slots(d->kind); k++) {
        const uint32_t slot = slot_of(c, d, k);
        for (uint32_t i = c->torn_first.data[slot]; i < c->torn_first.data[slot + 1] && count < 2; i++) {
            const uint32_t element = c->torn_at.data[i];
            if (element == f.element[0] || !goes_with(c, d, drafted(c, c->torn_elements.data[element].row))) continue;
            f.element[count++] = element;
        }
    }
    return array_push(c->allocator, &c->followers, f);
}

static bool lay_out_rows(pliant__compiler *c, bool elements)
{
    for (uint32_t i = 0; i < c->batches.count; i++) {
        const pliant__batch *b = &c->batches.data[i];
        if (is_element(b->kind) != elements) continue;
        for (uint32_t row = b->first_row; row < b->first_row + b->count; row++) {
            const pliant__draft_constraint *d = drafted(c, row);
            if (d && !(elements ? add_element(c, row, i, d) : add_follower(c, row, i, d))) return false;
        }
    }
    return true;
}

/* ---- faces of solids ---- */

/* Whether a face of a body is the side of a tetrahedron that is opposite to a corner. */
static bool is_side(const pliant__compiler *c, const pliant__draft_body *b, uint32_t face, const uint32_t *tet, uint32_t corner)
{
    const uint32_t *at = c->scene->face_indices.data + b->first_face_index + 3 * (size_t)face;
    bool            same = true;
    for (uint32_t k = 0; k < 3; k++) same = same && b->first_particle + at[k] == tet[pliant__tet_faces[corner][k]];
    return same;
}

/* Gives the sides of a body's tetrahedra that are in its surface their faces: these are in the order of tetrahedra and their corners (topology.c).
 * `element`: per number of a tetrahedron, its number among elements, or PLIANT__NONE. */
static void number_sides(pliant__compiler *c, const pliant__draft_body *b, const uint32_t *element, uint32_t count)
{
    const pliant__model_body *m = &c->bodies.data[c->body[b - c->scene->bodies.data]];
    uint32_t                  face = 0;
    for (uint32_t t = 0; t < count; t++)
        for (uint32_t k = 0; k < 4 && face < b->face_count - b->spare_face_count; k++) {
            const pliant__draft_constraint *d = &c->scene->constraints.data[b->first_element + t];
            if (!is_side(c, b, face, pliant__draft_particles(c->scene, d), k)) continue;
            if (element[t] != PLIANT__NONE) c->torn_faces.data[4 * (size_t)element[t] + k] = m->first_face + face;
            face++;
        }
}

/* How many constraints from a body's first element on it was made with. */
static uint32_t element_count(const pliant_scene *s, const pliant__draft_body *b)
{
    uint32_t count = 0;
    for (size_t i = b->first_element; i < s->constraints.count; i++, count++)
        if (s->constraints.data[i].user || !is_element(s->constraints.data[i].kind) || s->constraints.data[i].body != b - s->bodies.data)
            break;
    return count;
}

static bool lay_out_faces_of(pliant__compiler *c, const pliant__draft_body *b)
{
    const uint32_t count = element_count(c->scene, b);
    uint32_t      *element = pliant__alloc_array(c->allocator, (size_t)count + 1, sizeof *element);
    if (!element) return false;
    memset(element, 0xff, count * sizeof *element);
    for (uint32_t i = 0; i < c->torn_elements.count; i++)
        if (c->torn_elements.data[i].body == c->body[b - c->scene->bodies.data]) element[c->torn_elements.data[i].number] = i;
    number_sides(c, b, element, count);
    pliant__free(c->allocator, element);
    return true;
}

static bool lay_out_faces(pliant__compiler *c)
{
    const pliant_scene *s = c->scene;
    bool                any = false, ok = true;
    for (size_t b = 0; b < s->bodies.count; b++) any = any || (!s->bodies.data[b].removed && s->bodies.data[b].spare_face_count);
    if (!any) return true;
    uint32_t *faces = array_extend(c->allocator, &c->torn_faces, 4 * c->torn_elements.count);
    if (!faces) return false;
    memset(faces, 0xff, 4 * c->torn_elements.count * sizeof *faces);
    for (size_t b = 0; ok && b < s->bodies.count; b++)
        ok = s->bodies.data[b].removed || !s->bodies.data[b].spare_face_count || lay_out_faces_of(c, &s->bodies.data[b]);
    return ok;
}

/* What the weakest corner of each element bears. */
static bool lay_out_limits(pliant__compiler *c)
{
    pliant_real *limit = array_extend(c->allocator, &c->torn_limits, c->header.packed_rows);
    for (size_t i = 0; limit && i < c->torn_elements.count; i++) {
        const pliant__model_torn       *e = &c->torn_elements.data[i];
        const pliant__draft_constraint *d = drafted(c, e->row);
        pliant_real                     weakest = c->strengths.data[slot_of(c, d, 0)];
        for (uint32_t k = 1; k < pliant__kind_slots(d->kind); k++) weakest = r_min(weakest, c->strengths.data[slot_of(c, d, k)]);
        const pliant_real most = (pliant_real)c->bodies.data[e->body].tear * weakest;
        limit[e->row] = most * most;
    }
    return limit != NULL;
}

static bool lay_out_strengths(pliant__compiler *c)
{
    pliant_real *strength = array_extend(c->allocator, &c->strengths, c->header.slot_count);
    if (!strength) return false;
    for (uint32_t i = 0; i < c->header.slot_count; i++) strength[i] = 1;
    for (size_t i = 0; i < c->scene->strengths.count; i++) {
        const uint32_t slot = c->slot[c->scene->strengths.data[i].particle];
        if (slot != PLIANT__NONE) strength[slot] = c->scene->strengths.data[i].strength;
    }
    return true;
}

bool pliant__lay_out_tears(pliant__compiler *c)
{
    if (!c->spares.count) return true;
    return (lay_out_strengths(c) && lay_out_rows(c, true) && lay_out_faces(c) && lay_out_limits(c) && list_elements(c) &&
            lay_out_rows(c, false) && list_followers(c)) ||
           pliant__compile_memory(c);
}
