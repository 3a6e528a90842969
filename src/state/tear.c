/* Splitting particles: what a body that tears is torn into.
 *
 * A row of an element is about that element alone. So where elements come apart at a particle, those of one side get another particle, a slot that stood by, with
 * the share of the mass that their sizes at rest have; it begins with the place and the velocity of the one that it was. Of their rows one number changes: no
 * row is added, none changes its batch, and rows that shared no particle share none now. A row that goes with elements (a follower: bending of an edge)
 * is solved on while all of its elements have the same particles, and never again once they have not.
 *
 * A solid opens where it comes apart: sides of tetrahedra that were between two of them become faces, two by two, each with the corners of its own tetrahedron.
 * They are numbered in the order in which they open, behind the faces that there were.
 *
 * A particle is split by a plane. Elements that then have no edge, of solids no side, in common any more, and hang together in a particle alone, are split
 * there, too.
 *
 * Everything is by slot and by number, so what becomes of a state follows from the state. */
#include "state/tear.h"

#include "base/float_env.h"
#include "base/hash.h"
#include "constraints/element.h"
#include "scene/draft.h"
#include "scene/tetrahedron.h"

#include <string.h>

static const pliant__batch *batch_of(const pliant_state *s, uint32_t number) { return &s->model->batches[number]; }

uint32_t pliant__element_slots(const pliant_state *s, const pliant__model_torn *e, uint32_t slot[4])
{
    const pliant__batch *b = batch_of(s, e->batch);
    const uint32_t       count = pliant__kind_slots(b->kind);
    pliant__row_slots_by(s->model, s->row_index, b, e->row - b->first_row, count, slot);
    return count;
}

static bool is_solid(const pliant_state *s, const pliant__model_torn *e) { return pliant__kind_slots(batch_of(s, e->batch)->kind) == 4; }

static const pliant_real *parameters_of(const pliant_state *s, const pliant__model_torn *e, pliant_real out[PLIANT_MAX_PARAMETERS])
{
    const pliant__batch *b = batch_of(s, e->batch);
    const uint32_t       row = e->row - b->first_row;
    const pliant_real   *p = pliant__parameters_now(s->model, s->flow, b, row / PLIANT__BLOCK) + row % PLIANT__BLOCK;
    for (uint32_t k = 0; k < pliant__kind_parameters(b->kind); k++) out[k] = p[k * PLIANT__BLOCK];
    return out;
}

pliant_real pliant__stretch2(const pliant_state *s, const pliant__model_torn *e, pliant_vec3 *direction)
{
    pliant_real    parameter[PLIANT_MAX_PARAMETERS];
    pliant_vec3    x[4];
    uint32_t       slot[4];
    const uint32_t count = pliant__element_slots(s, e, slot);
    for (uint32_t k = 0; k < count; k++) x[k] = pliant__slot_x(s->x, slot[k]);
    return (count == 3 ? pliant__sheet_stretch2 : pliant__solid_stretch2)(x, parameters_of(s, e, parameter), direction);
}

static double size_of(const pliant_state *s, const pliant__model_torn *e)
{
    pliant_real parameter[PLIANT_MAX_PARAMETERS];
    return (is_solid(s, e) ? pliant__solid_size : pliant__sheet_size)(parameters_of(s, e, parameter));
}

pliant_real pliant__tears_at(const pliant_state *s, const pliant__model_body *body, uint32_t slot)
{
    return (pliant_real)body->tear * s->model->strengths[s->origin[slot]];
}

static bool has(const uint32_t *slot, uint32_t count, uint32_t one)
{
    bool found = false;
    for (uint32_t k = 0; k < count; k++) found = found || slot[k] == one;
    return found;
}

bool pliant__elements_around(const pliant_state *s, uint32_t slot, pliant__fan *out)
{
    const pliant_model *m = s->model;
    const uint32_t      from = s->origin[slot];
    out->count = 0;
    if (from == PLIANT__NONE) return true;
    for (uint32_t i = m->torn_first[from]; i < m->torn_first[from + 1]; i++) {
        uint32_t       at[4];
        const uint32_t count = pliant__element_slots(s, &m->torn_elements[m->torn_at[i]], at);
        if (!has(at, count, slot)) continue;
        if (out->count == PLIANT__MOST_AROUND) return false;
        out->element[out->count++] = m->torn_at[i];
    }
    return true;
}

/* ---- where rows have their slots ---- */

/* The number of a slot in a patch, or PLIANT__NONE. */
static uint32_t number_in(const pliant_model *m, const pliant__patch *p, uint32_t slot)
{
    uint32_t low = 0, high = p->slot_count;
    if (p->first_listed == PLIANT__NONE)
        return slot >= p->first_slot && slot - p->first_slot < p->slot_count ? slot - p->first_slot : PLIANT__NONE;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (m->patch_slots[p->first_listed + middle] < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->slot_count && m->patch_slots[p->first_listed + low] == slot ? low : PLIANT__NONE;
}

static void set_row_slot(pliant_state *s, const pliant__batch *b, uint32_t row, uint32_t place, uint32_t slot)
{
    const uint32_t number = number_in(s->model, &s->model->patches[b->patch], slot);
    const size_t   at = b->index + (size_t)(row / PLIANT__BLOCK) * PLIANT__BLOCK * b->index_slots + row % PLIANT__BLOCK;
    s->row_index[at + (size_t)b->place[place] * PLIANT__BLOCK] = (uint16_t)(number * PLIANT__NUMBER);
}

/* ---- slots that stand by ---- */

static const pliant__model_body *body_of(const pliant_model *m, uint32_t slot)
{
    return pliant__model_body_of(m, pliant__model_particle(m, slot).body);
}

/* The range that a slot is of: the first round has them in the order of their slots. */
static const pliant__patch *range_of(const pliant_model *m, uint32_t slot)
{
    uint32_t low = 0, high = m->rounds[0].patch_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (m->patches[middle].first_slot <= slot)
            low = middle;
        else
            high = middle;
    }
    return &m->patches[low];
}

uint32_t pliant__first_spare(const pliant_model *m, const pliant__model_body *b, uint32_t slot)
{
    uint32_t low = b->first_spare, high = b->first_spare + b->spare_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (m->spares[middle].slot < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The slot that is next to become a part of a particle, or PLIANT__NONE. Of a particle with rows between ranges its own; else of its range. */
static uint32_t next_spare(const pliant_state *s, const pliant__model_body *b, uint32_t slot)
{
    const pliant_model  *m = s->model;
    const uint32_t       from = s->origin[slot];
    const bool           listed = m->later[from / 8] >> from % 8 & 1;
    const pliant__patch *p = range_of(m, from);
    for (uint32_t i = pliant__first_spare(m, b, p->first_slot); i < b->first_spare + b->spare_count; i++) {
        const pliant__model_spare *spare = &m->spares[i];
        if (spare->slot - p->first_slot >= p->slot_count) break;
        if (s->origin[spare->slot] == PLIANT__NONE && (listed ? spare->own && spare->home == from : !spare->own)) return spare->slot;
    }
    return PLIANT__NONE;
}

/* ---- splitting ---- */

/* A particle of a follower by one of its elements: the corner that came from the same particle. */
static uint32_t corner_from(const pliant_state *s, const pliant__model_torn *e, uint32_t from)
{
    uint32_t       slot[4], found = PLIANT__NONE;
    const uint32_t count = pliant__element_slots(s, e, slot);
    for (uint32_t k = 0; k < count; k++)
        if (s->origin[slot[k]] == from) found = slot[k];
    return found;
}

static void end(pliant_state *s, uint32_t row) { s->active[row / 16] = (uint16_t)(s->active[row / 16] & ~(1u << row % 16)); }

/* Lets a follower go with its elements, or be no more. */
static void follow(pliant_state *s, const pliant__model_follower *f)
{
    const pliant__batch *b = batch_of(s, f->batch);
    const uint32_t       row = f->row - b->first_row, count = pliant__kind_slots(b->kind);
    uint32_t             slot[PLIANT_MAX_SLOTS];
    if (f->element[0] == PLIANT__NONE) end(s, f->row);
    if (!pliant__is_active(s->active, f->row)) return;
    pliant__row_slots_by(s->model, s->row_index, b, row, count, slot);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t to = PLIANT__NONE;
        for (int i = 0; i < 2; i++) {
            const uint32_t at =
                f->element[i] == PLIANT__NONE ? PLIANT__NONE : corner_from(s, &s->model->torn_elements[f->element[i]], s->origin[slot[k]]);
            if (at != PLIANT__NONE && to != PLIANT__NONE && at != to) { /* they share it no more */
                end(s, f->row);
                return;
            }
            to = at == PLIANT__NONE ? to : at;
        }
        if (to != PLIANT__NONE) set_row_slot(s, b, row, k, to);
    }
}

/* The faces of an element, of all bodies' faces. Returns how many. */
static uint32_t faces_of(const pliant_state *s, const pliant__model_body *body, const pliant__model_torn *e, uint32_t face[4])
{
    const uint32_t *sides = s->torn_faces + 4 * (size_t)(e - s->model->torn_elements);
    uint32_t        count = 0;
    face[0] = body->first_face + e->number;
    if (!is_solid(s, e)) return 1;
    for (uint32_t k = 0; k < 4; k++)
        if (sides[k] != PLIANT__NONE) face[count++] = sides[k];
    return count;
}

static uint32_t *corners_of(pliant_state *s, const pliant__model_body *body, uint32_t face)
{
    return s->face_indices + body->first_face_index + 3 * (size_t)(face - body->first_face);
}

/* An element, its triangles and its faces have another particle. */
static void give(pliant_state *s, const pliant__model_body *body, const pliant__model_torn *e, uint32_t from, uint32_t to)
{
    const pliant_model  *m = s->model;
    const pliant__batch *b = batch_of(s, e->batch);
    uint32_t             slot[4], face[4];
    const uint32_t       count = pliant__element_slots(s, e, slot), faces = faces_of(s, body, e, face);
    for (uint32_t k = 0; k < count; k++)
        if (slot[k] == from) set_row_slot(s, b, e->row - b->first_row, k, to);
    for (uint32_t i = 0; i < 3 * faces; i++) {
        const uint32_t number = face[i / 3] - body->first_face;
        uint32_t      *corner = corners_of(s, body, face[i / 3]) + i % 3;
        if (m->vertex_slot[body->first_vertex + *corner] == from) *corner = m->slot_vertex[to];
        if (number >= body->triangle_count) continue;
        uint32_t *at = s->triangles + 3 * (size_t)(body->first_triangle + number) + i % 3;
        if (*at == from) *at = to;
    }
}

/* ---- sides that open ---- */

/* The corner of an element that another one does not have, where they have all others in common; else 4. */
static uint32_t corner_without(const uint32_t own[4], const uint32_t other[4])
{
    uint32_t corner = 4, shared = 0;
    for (uint32_t k = 0; k < 4; k++) {
        if (has(other, 4, own[k]))
            shared++;
        else
            corner = k;
    }
    return shared == 3 ? corner : 4;
}

/* Finds sides of tetrahedra between those around a particle that go and those that stay, each as 4 times an element's number and the corner opposite. Returns how many
 * there are; those that do not fit are counted alone. */
static uint32_t find_openings(const pliant_state *s, const pliant__fan *a, const bool *goes, uint32_t *out, uint32_t most)
{
    const pliant__model_torn *all = s->model->torn_elements;
    uint32_t                  count = 0, p[4], q[4];
    for (uint32_t i = 0; i < a->count; i++) {
        if (!goes[i] || !is_solid(s, &all[a->element[i]])) continue;
        pliant__element_slots(s, &all[a->element[i]], p);
        for (uint32_t k = 0; k < a->count; k++) {
            if (goes[k] || pliant__element_slots(s, &all[a->element[k]], q) != 4) continue;
            const uint32_t mine = corner_without(p, q), other = corner_without(q, p);
            if (mine == 4 || other == 4) continue;
            if (count + 2 <= most) {
                out[count] = 4 * a->element[i] + mine;
                out[count + 1] = 4 * a->element[k] + other;
            }
            count += 2;
        }
    }
    return count;
}

/* Makes a side of a tetrahedron a face, unless it is one. */
static void open_side(pliant_state *s, const pliant__model_body *body, uint32_t side)
{
    const pliant_model *m = s->model;
    uint32_t           *open = &s->open_faces[body - m->bodies], slot[4];
    if (s->torn_faces[side] != PLIANT__NONE) return;
    const uint32_t face = body->first_face + (body->face_count - body->spare_face_count) + (*open)++;
    uint32_t      *corner = corners_of(s, body, face);
    s->torn_faces[side] = face;
    pliant__element_slots(s, &m->torn_elements[side / 4], slot);
    for (uint32_t k = 0; k < 3; k++) corner[k] = m->slot_vertex[slot[pliant__tet_faces[side % 4][k]]];
}

/* The share of a particle's mass that goes with the elements that are marked. */
static double share_of(const pliant_state *s, const pliant__fan *a, const bool *goes)
{
    double all = 0, part = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        const double size = size_of(s, &s->model->torn_elements[a->element[i]]);
        all += size;
        part += goes[i] ? size : 0;
    }
    return all > 0 ? part / all : 0;
}

static void copy_slot(pliant_real *array, uint32_t from, uint32_t to)
{
    memcpy(PLIANT__SLOT(array, to), PLIANT__SLOT(array, from), 4 * sizeof *array);
}

#define MOST_OPENINGS (6u * PLIANT__MOST_AROUND) /* a tetrahedron has three sides at a particle */

/* Gives the elements that are marked a particle of their own; PLIANT__NONE: nothing has changed. */
static uint32_t part(pliant_state *s, uint32_t slot, const pliant__fan *a, const bool *goes)
{
    uint32_t                  opening[MOST_OPENINGS];
    const pliant_model       *m = s->model;
    const pliant__model_body *body = body_of(m, slot);
    const double              share = share_of(s, a, goes), mass = 1 / (double)PLIANT__SLOT(s->x, slot)[3];
    if (!(share > 0 && share < 1)) return PLIANT__NONE;
    const pliant_real stays = (pliant_real)(1 / (mass * (1 - share))), leaves = (pliant_real)(1 / (mass * share));
    const uint32_t    to = r_finite(stays) && r_finite(leaves) ? next_spare(s, body, slot) : PLIANT__NONE;
    const uint32_t    openings = to != PLIANT__NONE ? find_openings(s, a, goes, opening, MOST_OPENINGS) : 0;
    if (to == PLIANT__NONE ||
        (openings && (openings > MOST_OPENINGS || openings > body->spare_face_count - s->open_faces[body - m->bodies]))) {
        ++*s->unsplit;
        return PLIANT__NONE;
    }
    copy_slot(s->x, slot, to);
    copy_slot(s->v, slot, to);
    if (pliant__is_bdf2(m)) {
        copy_slot(s->previous_x, slot, to);
        copy_slot(s->previous_v, slot, to);
    }
    if (pliant__may_sleep(m)) {
        pliant__put_down(s, slot);
        pliant__put_down(s, to);
    }
    PLIANT__SLOT(s->x, slot)[3] = s->free_w[slot] = stays;
    PLIANT__SLOT(s->x, to)[3] = s->free_w[to] = leaves;
    s->origin[to] = s->origin[slot];
    uint64_t said[3] = {slot, to, 0};
    for (uint32_t i = 0; i < a->count; i++) {
        if (!goes[i]) continue;
        give(s, body, &m->torn_elements[a->element[i]], slot, to);
        said[2] = pliant__hash(&a->element[i], sizeof a->element[i], said[2]);
    }
    for (uint32_t i = 0; i < openings; i++) open_side(s, body, opening[i]);
    for (uint32_t i = m->follower_first[s->origin[slot]]; i < m->follower_first[s->origin[slot] + 1]; i++)
        follow(s, &m->followers[m->follower_at[i]]);
    *s->topology = pliant__hash(said, sizeof said, *s->topology);
    return to;
}

/* Whether two elements around a particle share a side of it: in a sheet one more particle, in a solid two. */
static bool are_joined(const pliant_state *s, uint32_t slot, const pliant__model_torn *e, const pliant__model_torn *f)
{
    uint32_t       a[4], b[4], shared = 0;
    const uint32_t count = pliant__element_slots(s, e, a);
    pliant__element_slots(s, f, b);
    for (uint32_t k = 0; k < count; k++) shared += a[k] != slot && has(b, count, a[k]);
    return shared + 2 >= count;
}

/* Marks the elements that hang together with the first one. Returns how many do. */
static uint32_t mark_joined(const pliant_state *s, uint32_t slot, const pliant__fan *a, bool *joined)
{
    uint32_t queue[PLIANT__MOST_AROUND] = {0}, count = 1;
    memset(joined, 0, a->count * sizeof *joined);
    joined[0] = true;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < a->count; k++) {
            if (joined[k] || !are_joined(s, slot, &s->model->torn_elements[a->element[queue[i]]], &s->model->torn_elements[a->element[k]]))
                continue;
            joined[k] = true;
            queue[count++] = k;
        }
    return count;
}

/* Splits a particle into as many as its elements hang together in. */
static void loosen(pliant_state *s, uint32_t slot)
{
    pliant__fan a;
    bool        goes[PLIANT__MOST_AROUND];
    while (PLIANT__SLOT(s->x, slot)[3] != 0 && pliant__elements_around(s, slot, &a) && a.count > 1 &&
           mark_joined(s, slot, &a, goes) < a.count) {
        for (uint32_t i = 0; i < a.count; i++) goes[i] = !goes[i];
        const uint32_t to = part(s, slot, &a, goes);
        if (to == PLIANT__NONE) return;
        slot = to; /* of which the rest may be several still */
    }
}

/* How far the corners of an element are beyond the plane through `from`, at right angles to `normal`, together. */
static pliant_real beyond(const pliant_state *s, const pliant__model_torn *e, pliant_vec3 from, pliant_vec3 normal)
{
    uint32_t       at[4];
    const uint32_t count = pliant__element_slots(s, e, at);
    pliant_real    along = 0;
    for (uint32_t k = 0; k < count; k++) along += v3_dot(v3_sub(pliant__slot_x(s->x, at[k]), from), normal);
    return along;
}

/* Splits a particle with the elements `a`: those of which `goes` says so have a new one, or, if the first one is among them, the others. */
static bool split_marked(pliant_state *s, uint32_t slot, const pliant__fan *a, bool *goes)
{
    bool all = true;
    for (uint32_t i = 0; i < a->count; i++) all = all && goes[i] == goes[0];
    if (all) return false;
    const bool first = goes[0];
    for (uint32_t i = 0; i < a->count; i++) goes[i] = goes[i] != first; /* the first one stays */
    if (part(s, slot, a, goes) == PLIANT__NONE) return false;
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t       at[4];
        const uint32_t count = pliant__element_slots(s, &s->model->torn_elements[a->element[i]], at);
        for (uint32_t k = 0; k < count; k++) loosen(s, at[k]);
    }
    return true;
}

bool pliant__split(pliant_state *s, uint32_t slot, pliant_vec3 from, pliant_vec3 normal)
{
    pliant__fan a;
    bool        goes[PLIANT__MOST_AROUND];
    if (PLIANT__SLOT(s->x, slot)[3] == 0 || !pliant__elements_around(s, slot, &a)) return false;
    for (uint32_t i = 0; i < a.count; i++) goes[i] = beyond(s, &s->model->torn_elements[a.element[i]], from, normal) > 0;
    return split_marked(s, slot, &a, goes);
}

/* ---- cutting ---- */

/* The square of the longest side of elements around a particle. */
static pliant_real longest2(const pliant_state *s, uint32_t slot, const pliant__fan *a)
{
    pliant_real longest = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t       at[4];
        const uint32_t count = pliant__element_slots(s, &s->model->torn_elements[a->element[i]], at);
        for (uint32_t k = 0; k < count; k++) {
            const pliant_vec3 d = v3_sub(pliant__slot_x(s->x, at[k]), pliant__slot_x(s->x, slot));
            longest = r_max(longest, v3_dot(d, d));
        }
    }
    return longest;
}

/* A triangle that cuts. */
typedef struct blade {
    pliant_vec3 corner[3], side[3]; /* m; side k goes from corner k to the next */
    pliant_vec3 across, normal;     /* across: m^2, twice its area along the normal */
    pliant_real length[3];          /* m, of the sides */
    pliant_real size;               /* m, the largest of the corners' coordinates */
} blade;

/* False: a corner is no number, or it has no area. */
static bool make_blade(const pliant_vec3 corners[3], blade *out)
{
    out->size = 0;
    for (int k = 0; k < 3; k++) {
        const pliant_vec3 c = out->corner[k] = corners[k];
        if (!v3_finite(c)) return false;
        out->side[k] = v3_sub(corners[(k + 1) % 3], c);
        out->length[k] = v3_length(out->side[k]);
        out->size = r_max(out->size, r_max(r_max(r_abs(c.x), r_abs(c.y)), r_abs(c.z)));
    }
    out->across = v3_cross(out->side[0], v3_sub(corners[2], corners[0]));
    const pliant_real length = v3_length(out->across);
    if (!(length > 0)) return false;
    out->normal = v3_scale(out->across, 1 / length);
    return true;
}

#define ROUNDING (16 * (pliant_real)(sizeof(pliant_real) == 4 ? 0x1p-24 : 0x1p-53)) /* of a coordinate */

/* Whether a point lies in a triangle, or before or behind it, as its normal points. What lies on a side is in it, whatever rounding makes of that, so that nothing
 * passes between two triangles. */
static bool is_before(const blade *b, pliant_vec3 p)
{
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        const pliant_vec3 from = v3_sub(p, b->corner[k]);
        const pliant_real slack = ROUNDING * (b->size + r_max(r_max(r_abs(from.x), r_abs(from.y)), r_abs(from.z)));
        inside = inside && v3_dot(v3_cross(b->side[k], from), b->normal) >= -slack * b->length[k];
    }
    return inside;
}

/* How many of a body's spares are parts of particles. */
static uint32_t born_of(const pliant_state *s, const pliant__model_body *b)
{
    uint32_t born = 0;
    for (uint32_t i = b->first_spare; i < b->first_spare + b->spare_count; i++) born += s->origin[s->model->spares[i].slot] != PLIANT__NONE;
    return born;
}

/* 1 or -1: a particle near the plane was split along it, and its elements lie on this side of those of the other parts; else 0. Seen from the particle itself, so that it
 * does not matter how far the parts have gone. */
static int side_of_part(const pliant_state *s, uint32_t slot, pliant_vec3 from, pliant_vec3 normal)
{
    const uint32_t    was = s->origin[slot];
    const pliant_real off = v3_dot(v3_sub(pliant__slot_x(s->x, slot), from), normal);
    pliant_vec3       sum[2] = {{0, 0, 0}, {0, 0, 0}}; /* m, of ways from it to corners of its elements; of those of the others */
    uint32_t          elements[2] = {0, 0};
    pliant_real       longest = 0;
    for (uint32_t i = s->model->torn_first[was]; i < s->model->torn_first[was + 1]; i++) {
        const pliant__model_torn *e = &s->model->torn_elements[s->model->torn_at[i]];
        const uint32_t            corner = corner_from(s, e, was), other = corner != slot;
        uint32_t                  at[4];
        const uint32_t            count = pliant__element_slots(s, e, at);
        for (uint32_t k = 0; k < count; k++) {
            const pliant_vec3 way = v3_sub(pliant__slot_x(s->x, at[k]), pliant__slot_x(s->x, corner));
            sum[other] = v3_add(sum[other], way);
            longest = r_max(longest, v3_dot(way, way));
        }
        elements[other]++;
    }
    if (!elements[0] || !elements[1] || 4 * off * off > longest) return 0;
    const pliant_vec3 apart = v3_sub(v3_scale(sum[0], 1 / (pliant_real)elements[0]), v3_scale(sum[1], 1 / (pliant_real)elements[1]));
    const pliant_real along = v3_dot(apart, normal);
    return 4 * along * along > v3_dot(apart, apart) ? (along > 0 ? 1 : -1) : 0;
}

/* Whether an element is beyond a blade: by its middle; or, where the blade has been through corners of it already, by the side that it came to there. It may have moved
 * across the plane since, and would be cut out between both sides, or hold them together. */
static bool is_beyond(const pliant_state *s, const pliant__model_torn *e, pliant_vec3 from, pliant_vec3 normal)
{
    uint32_t       at[4];
    const uint32_t count = pliant__element_slots(s, e, at);
    int            side = 0;
    for (uint32_t k = 0; k < count; k++) side += side_of_part(s, at[k], from, normal);
    return side ? side > 0 : beyond(s, e, from, normal) > 0;
}

/* Splits a particle by the plane of a blade. */
static void cut_at(pliant_state *s, uint32_t slot, const pliant__fan *a, pliant_vec3 from, pliant_vec3 normal)
{
    bool goes[PLIANT__MOST_AROUND];
    if (PLIANT__SLOT(s->x, slot)[3] == 0) return;
    for (uint32_t i = 0; i < a->count; i++) goes[i] = is_beyond(s, &s->model->torn_elements[a->element[i]], from, normal);
    split_marked(s, slot, a, goes);
}

uint32_t pliant__cut(pliant_state *s, const pliant__model_body *b, const pliant_vec3 corners[3])
{
    blade          with;
    const uint32_t born = born_of(s, b);
    if (!make_blade(corners, &with)) return 0;
    pliant__disturb(s);
    for (uint32_t slot = b->first_slot; slot < b->first_slot + b->slot_count; slot++) {
        const pliant_vec3 x = pliant__slot_x(s->x, slot);
        const pliant_real off = v3_dot(v3_sub(x, corners[0]), with.normal);
        pliant__fan       a;
        if (s->origin[slot] == PLIANT__NONE || !is_before(&with, x) || !pliant__elements_around(s, slot, &a)) continue;
        if (!(off * off > longest2(s, slot, &a))) cut_at(s, slot, &a, corners[0], with.normal);
    }
    return born_of(s, b) - born;
}

uint32_t pliant_state_cut(pliant_state *state, pliant_body body, const pliant_vec3 corners[3])
{
    PLIANT_FLOAT_SCOPE;
    const pliant__model_body *b = state && corners ? pliant__model_body_of(state->model, body) : NULL;
    return b && b->spare_count ? pliant__cut(state, b, corners) : 0;
}

/* ---- whole, and as bytes ---- */

void pliant__mend(pliant_state *s)
{
    const pliant_model *m = s->model;
    if (!pliant__may_tear(m)) return;
    memcpy(s->row_index, m->row_index, model_count(m, row_index) * sizeof *m->row_index);
    if (model_count(m, triangles)) memcpy(s->triangles, m->triangles, model_count(m, triangles) * sizeof *m->triangles);
    if (model_count(m, face_indices)) memcpy(s->face_indices, m->face_indices, model_count(m, face_indices) * sizeof *m->face_indices);
    memcpy(s->free_w, m->free_w, model_count(m, free_w) * sizeof *m->free_w);
    if (model_count(m, torn_faces)) memcpy(s->torn_faces, m->torn_faces, model_count(m, torn_faces) * sizeof *m->torn_faces);
    for (uint32_t i = 0; i < m->header->slot_count; i++) s->origin[i] = i;
    for (size_t i = 0; i < model_count(m, spares); i++) s->origin[m->spares[i].slot] = PLIANT__NONE;
}

/* ---- in another model ---- */

/* The element of a number around the particle that one was split from, or NULL. */
static const pliant__model_torn *element_of(const pliant_state *s, uint32_t part_of_it, uint32_t number)
{
    const pliant_model       *m = s->model;
    const uint32_t            slot = s->origin[part_of_it];
    const pliant__model_torn *found = NULL;
    for (uint32_t i = m->torn_first[slot]; i < m->torn_first[slot + 1] && !found; i++)
        if (m->torn_elements[m->torn_at[i]].number == number) found = &m->torn_elements[m->torn_at[i]];
    return found;
}

/* Parts one particle as it was parted: `slot` of `fresh` is what is left of it there, and what of `born` in `old` goes with it. */
static void part_as(const pliant_state *old, pliant_state *fresh, uint32_t slot, uint32_t born)
{
    pliant__fan a;
    bool        goes[PLIANT__MOST_AROUND], any = false;
    if (fresh->free_w[slot] == 0 || !pliant__elements_around(fresh, slot, &a)) return;
    for (uint32_t i = 0; i < a.count; i++) {
        const pliant__model_torn *e = element_of(old, born, fresh->model->torn_elements[a.element[i]].number);
        uint32_t                  at[4] = {0};
        goes[i] = e && has(at, pliant__element_slots(old, e, at), born);
        any = any || goes[i];
    }
    pliant_real *w = &PLIANT__SLOT(fresh->x, slot)[3];
    const bool   pinned = *w == 0;
    *w = fresh->free_w[slot];
    const uint32_t part_of_it = any ? part(fresh, slot, &a, goes) : PLIANT__NONE;
    if (pinned) *w = 0; /* its parts are free, as they were */
    if (part_of_it == PLIANT__NONE) return;
    pliant__set_slot_x(fresh->x, part_of_it, pliant__slot_x(old->x, born));
    pliant__set_slot_x(fresh->v, part_of_it, pliant__slot_x(old->v, born));
    pliant__forget_history(fresh, part_of_it);
}

void pliant__carry_tears(const pliant__model_body *from, const pliant__model_body *to, const pliant_state *old, pliant_state *fresh)
{
    const pliant_model *a = old->model, *b = fresh->model;
    const uint32_t      vertices = from->vertex_count - from->spare_count;
    const uint32_t      faces = from->face_count - from->spare_face_count;
    if (!from->spare_count || !to->spare_count || from->type != to->type || faces != to->face_count - to->spare_face_count ||
        vertices != to->vertex_count - to->spare_count ||
        memcmp(a->face_indices + from->first_face_index, b->face_indices + to->first_face_index, 3 * (size_t)faces * sizeof(uint32_t)) != 0)
        return;
    for (uint32_t i = from->first_spare; i < from->first_spare + from->spare_count; i++) {
        const uint32_t born = a->spares[i].slot, origin = old->origin[born];
        if (origin == PLIANT__NONE) continue;
        part_as(old, fresh, b->vertex_slot[to->first_vertex + a->slot_vertex[origin]], born);
    }
}

uint64_t pliant_state_topology(const pliant_state *state) { return state && pliant__may_tear(state->model) ? *state->topology : 0; }

uint64_t pliant_state_unsplit(const pliant_state *state) { return state && pliant__may_tear(state->model) ? *state->unsplit : 0; }

const uint32_t *pliant_state_faces(const pliant_state *state, pliant_body body)
{
    const pliant__model_body *b = state ? pliant__model_body_of(state->model, body) : NULL;
    return b ? pliant__face_indices_of(state) + b->first_face_index : NULL;
}

uint32_t pliant_state_face_count(const pliant_state *state, pliant_body body)
{
    const pliant__model_body *b = state ? pliant__model_body_of(state->model, body) : NULL;
    if (!b) return 0;
    return b->face_count - b->spare_face_count + (b->spare_face_count ? state->open_faces[b - state->model->bodies] : 0);
}

uint32_t pliant_state_origin(const pliant_state *state, pliant_body body, uint32_t vertex)
{
    const pliant__model_body *b = state ? pliant__model_body_of(state->model, body) : NULL;
    if (!b || vertex >= b->vertex_count) return PLIANT__NONE;
    if (!b->spare_count || vertex < b->vertex_count - b->spare_count) return vertex;
    const uint32_t from = state->origin[state->model->vertex_slot[b->first_vertex + vertex]];
    return from == PLIANT__NONE ? from : state->model->slot_vertex[from];
}

/* An array of a state's bytes, which may lie at any address. */
typedef struct bytes_of {
    const unsigned char *at;
} bytes_of;

static uint32_t word(bytes_of b, size_t i)
{
    uint32_t value;
    memcpy(&value, b.at + i * sizeof value, sizeof value);
    return value;
}

static uint16_t half_word(bytes_of b, size_t i)
{
    uint16_t value;
    memcpy(&value, b.at + i * sizeof value, sizeof value);
    return value;
}

static bytes_of array_of(const pliant_state *layout, const unsigned char *bytes, const void *array)
{
    return (bytes_of){bytes + ((const unsigned char *)array - (const unsigned char *)layout->header)};
}

/* Whether slots that stand by are parts of particles that they may become, and all others are themselves. */
static bool are_origins(const pliant_model *m, bytes_of origin)
{
    size_t spare = 0;
    for (uint32_t i = 0; i < m->header->slot_count; i++) {
        const uint32_t from = word(origin, i);
        if (spare == model_count(m, spares) || m->spares[spare].slot != i) {
            if (from != i) return false;
            continue;
        }
        const pliant__model_spare *now = &m->spares[spare++];
        if (from == PLIANT__NONE) continue;
        if (from >= m->header->particle_count || !(m->free_w[from] > 0) || body_of(m, from) != body_of(m, i)) return false;
        const bool listed = m->later[from / 8] >> from % 8 & 1;
        if (listed ? !now->own || now->home != from : now->own || range_of(m, from) != range_of(m, i)) return false;
    }
    return true;
}

/* Whether rows have the particles that they had, or parts of these. */
static bool are_rows(const pliant_model *m, bytes_of index, bytes_of origin)
{
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch *b = &m->batches[i];
        const pliant__patch *p = &m->patches[b->patch];
        const size_t         end = b->index + (size_t)pliant__blocks(b) * b->index_slots *
                                          (b->shape == PLIANT__REGULAR || b->shape == PLIANT__HELD ? 1 : PLIANT__BLOCK);
        for (size_t at = b->index; at < end; at++) {
            const uint16_t value = half_word(index, at);
            if (value == m->row_index[at]) continue;
            if (b->shape != PLIANT__SINGLE || value % PLIANT__NUMBER || value / PLIANT__NUMBER >= p->slot_count) return false;
            if (word(origin, pliant__patch_slot(m, p, value / PLIANT__NUMBER)) !=
                pliant__patch_slot(m, p, m->row_index[at] / PLIANT__NUMBER))
                return false;
        }
    }
    return true;
}

static bool are_faces(const pliant_model *m, bytes_of face, bytes_of origin)
{
    for (size_t i = 0; i < model_count(m, bodies); i++) {
        const pliant__model_body *b = &m->bodies[i];
        for (size_t k = b->first_face_index; k < (size_t)b->first_face_index + b->face_index_count - 3 * (size_t)b->spare_face_count; k++) {
            const uint32_t now = word(face, k), was = m->face_indices[k];
            if (now == was) continue;
            if (!b->spare_count || now < b->vertex_count - b->spare_count || now >= b->vertex_count) return false;
            if (word(origin, m->vertex_slot[b->first_vertex + now]) != m->vertex_slot[b->first_vertex + was]) return false;
        }
    }
    return true;
}

/* Whether the sides of a tetrahedron are faces of its body that have its corners, and those that they were. `opened` gets how many of them stood by. */
static bool are_sides(const pliant_state *layout, const unsigned char *bytes, uint32_t element, uint32_t open, uint32_t *opened)
{
    const pliant_model       *m = layout->model;
    const pliant__model_torn *e = &m->torn_elements[element];
    const pliant__model_body *body = &m->bodies[e->body];
    const pliant__batch      *b = &m->batches[e->batch];
    const bytes_of            index = array_of(layout, bytes, layout->row_index), sides = array_of(layout, bytes, layout->torn_faces),
                   faces = array_of(layout, bytes, layout->face_indices);
    const uint32_t row = e->row - b->first_row, first = body->first_face + (body->face_count - body->spare_face_count);
    const size_t   at = b->index + (size_t)(row / PLIANT__BLOCK) * PLIANT__BLOCK * b->index_slots + row % PLIANT__BLOCK;
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t face = word(sides, 4 * (size_t)element + k), was = m->torn_faces[4 * (size_t)element + k];
        if (was != PLIANT__NONE && face != was) return false;
        if (face == PLIANT__NONE) continue;
        if (was == PLIANT__NONE && (face < first || face - first >= open)) return false;
        *opened += was == PLIANT__NONE;
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t number = half_word(index, at + (size_t)b->place[pliant__tet_faces[k][i]] * PLIANT__BLOCK) / PLIANT__NUMBER;
            const uint32_t slot = pliant__patch_slot(m, &m->patches[b->patch], number);
            if (word(faces, body->first_face_index + 3 * (size_t)(face - body->first_face) + i) != m->slot_vertex[slot]) return false;
        }
    }
    return true;
}

/* Whether the faces of solids are sides of their tetrahedra, those that are open have been opened one after another, and the others stand by. Rows are right. */
static bool are_open(const pliant_state *layout, const unsigned char *bytes)
{
    const pliant_model *m = layout->model;
    const bytes_of      open = array_of(layout, bytes, layout->open_faces), faces = array_of(layout, bytes, layout->face_indices);
    for (uint32_t i = 0; model_count(m, torn_faces) && i < model_count(m, bodies); i++) {
        const pliant__model_body *b = &m->bodies[i];
        const uint32_t            count = word(open, i);
        uint32_t                  opened = 0;
        if (count > b->spare_face_count) return false;
        for (uint32_t e = 0; b->spare_face_count && e < model_count(m, torn_elements); e++)
            if (m->torn_elements[e].body == i && !are_sides(layout, bytes, e, count, &opened)) return false;
        if (opened != count) return false;
        for (size_t k = b->face_index_count - 3 * (size_t)(b->spare_face_count - count); k < b->face_index_count; k++)
            if (word(faces, b->first_face_index + k) != m->face_indices[b->first_face_index + k]) return false;
        for (size_t k = b->face_index_count - 3 * (size_t)b->spare_face_count; k < b->face_index_count; k++)
            if (word(faces, b->first_face_index + k) >= b->vertex_count) return false;
    }
    return true;
}

bool pliant__is_topology(const pliant_state *layout, const unsigned char *bytes)
{
    const pliant_model *m = layout->model;
    if (!pliant__may_tear(m)) return true;
    const bytes_of origin = array_of(layout, bytes, layout->origin), triangle = array_of(layout, bytes, layout->triangles),
                   mass = array_of(layout, bytes, layout->free_w);
    if (!are_origins(m, origin) || !are_rows(m, array_of(layout, bytes, layout->row_index), origin) ||
        !are_faces(m, array_of(layout, bytes, layout->face_indices), origin) || !are_open(layout, bytes))
        return false;
    for (size_t i = 0; i < model_count(m, triangles); i++) {
        const uint32_t now = word(triangle, i);
        if (now != m->triangles[i] && (now >= m->header->particle_count || word(origin, now) != m->triangles[i])) return false;
    }
    for (size_t i = 0; i < m->header->slot_count; i++) {
        pliant_real w;
        memcpy(&w, mass.at + i * sizeof w, sizeof w);
        if (!r_finite(w) || w < 0) return false;
    }
    return true;
}
