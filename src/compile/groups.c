/* Groups over faces: of each closed surface its particles by slot, and around each the edges of its triangles that are opposite to it. Groups over members:
 * matches.c. */
#include "base/alloc.h"
#include "base/sort.h"
#include "compile/compile.h"
#include "scene/closed.h"

/* Corners of a shell's triangles by their slot. */
typedef struct corners {
    pliant__key *keys, *spare, *sorted;
    size_t       count;
} corners;

static bool sort_corners(pliant__compiler *c, const pliant__shells *shells, const pliant__shell *shell, corners *out)
{
    out->count = 3 * (size_t)shell->count;
    out->keys = pliant__alloc_array(c->allocator, out->count, sizeof *out->keys);
    out->spare = pliant__alloc_array(c->allocator, out->count, sizeof *out->spare);
    if (!out->keys || !out->spare) return false;
    for (size_t i = 0; i < out->count; i++)
        out->keys[i] = (pliant__key){c->slot[shells->corners[3 * (size_t)shell->first + i]], (uint32_t)i};
    out->sorted = pliant__sort_keys(out->keys, out->spare, out->count);
    return true;
}

/* Members, and their edges: x of a triangle x a b has the edge a b. */
static bool add_members(pliant__compiler *c, const pliant__shells *shells, const pliant__shell *shell, const corners *of,
                        pliant__model_group *m)
{
    for (size_t i = 0; i < of->count;) {
        const size_t end = pliant__run_end(of->sorted, i, of->count);
        if (!array_push(c->allocator, &c->group_members, (uint32_t)of->sorted[i].key) ||
            !array_push(c->allocator, &c->group_first_edge, (uint32_t)(c->group_edges.count / 2)))
            return false;
        for (; i < end; i++) {
            const uint32_t  corner = of->sorted[i].value, in = corner % 3;
            const uint32_t *triangle = shells->corners + 3 * ((size_t)shell->first + corner / 3);
            for (uint32_t k = 1; k < 3; k++)
                if (!array_push(c->allocator, &c->group_edges, c->slot[triangle[(in + k) % 3]])) return false;
        }
        m->member_count++;
    }
    return true;
}

static bool add_group(pliant__compiler *c, const pliant__draft_group *d, const pliant__shells *shells, const pliant__shell *shell,
                      uint32_t first_key)
{
    corners             of = {NULL, NULL, NULL, 0};
    pliant__model_group m;
    memset(&m, 0, sizeof m);
    m.kind = d->kind;
    m.body = c->body[d->body];
    m.first_member = (uint32_t)c->group_members.count;
    m.first_key = first_key;
    m.key_count = d->key_count;
    const double said = pliant__volume_said(pliant_group_describe((pliant_group_kind)d->kind), d->number);
    m.rest = said > 0 ? said : shell->volume;
    memcpy(m.number, d->number, sizeof m.number);
    const bool ok =
        sort_corners(c, shells, shell, &of) && add_members(c, shells, shell, &of, &m) && array_push(c->allocator, &c->groups, m);
    pliant__free(c->allocator, of.keys);
    pliant__free(c->allocator, of.spare);
    return ok;
}

/* Adds the mouth that a draft's group has in a shell, if any, to the last group. */
static bool add_mouth(pliant__compiler *c, const pliant__draft_group *d, const pliant__shells *shells, const pliant__shell *shell,
                      const uint8_t *in)
{
    pliant__model_mouth m = {.group = (uint32_t)c->groups.count - 1,
                             .first_face = (uint32_t)(c->mouth_faces.count / 3),
                             .from = d->from,
                             .until = d->until,
                             .discharge = d->discharge,
                             .density = d->density};
    for (uint32_t i = 0; i < shell->count; i++) {
        if (!pliant__is_of_mouth(shells, shell, i, in)) continue;
        for (uint32_t k = 0; k < 3; k++)
            if (!array_push(c->allocator, &c->mouth_faces, c->slot[shells->corners[3 * ((size_t)shell->first + i) + k]])) return false;
        m.face_count++;
    }
    return !m.face_count || array_push(c->allocator, &c->mouths, m);
}

static bool lay_out_faces(pliant__compiler *c, const pliant__draft_group *d, uint32_t first_key)
{
    const pliant_scene *s = c->scene;
    pliant__shells      shells;
    bool                ok = pliant__find_shells(s, &s->bodies.data[d->body], &shells, c->error);
    uint8_t            *in = ok && d->mouth_count ? pliant__alloc_array(c->allocator, s->particles.count, 1) : NULL;
    ok = ok && (in || !d->mouth_count);
    for (uint32_t i = 0; in && i < d->mouth_count; i++) in[s->group_mouths.data[d->mouth_first + i]] = 1;
    for (uint32_t i = 0; ok && i < shells.count; i++)
        ok = add_group(c, d, &shells, &shells.shells[i], first_key) && (!in || add_mouth(c, d, &shells, &shells.shells[i], in));
    pliant__free(c->allocator, in);
    pliant__free_shells(c->allocator, &shells);
    return ok;
}

static bool lay_out_group(pliant__compiler *c, const pliant__draft_group *d)
{
    const pliant_scene *s = c->scene;
    const uint32_t      first_key = (uint32_t)c->group_time.count;
    bool                ok = true;
    for (uint32_t k = 0; ok && k < d->key_count; k++)
        ok = array_push(c->allocator, &c->group_time, s->group_key_times.data[d->key_first + k]) &&
             array_push(c->allocator, &c->group_value, s->group_key_values.data[d->key_first + k]);
    if (pliant_group_describe((pliant_group_kind)d->kind)->over == PLIANT_OVER_FACES) return ok && lay_out_faces(c, d, first_key);
    return ok && pliant__lay_out_matches(c, d, first_key);
}

/* What has no constraints of its own, since clusters are to hold it in shape, has such. */
static bool are_held(pliant__compiler *c)
{
    for (size_t i = 0; i < c->scene->bodies.count; i++) {
        const pliant__draft_body *b = &c->scene->bodies.data[i];
        const bool                shape = (b->type == PLIANT_BODY_SOFT && b->model == PLIANT_SOLID_SHAPE) ||
                           (b->type == PLIANT_BODY_CLOTH && b->cloth_model == PLIANT_CLOTH_SHAPE);
        if (shape && !b->removed && !(b->has_groups & 1u << PLIANT_OVER_MEMBERS))
            return pliant__fail(c->error, PLIANT_ERROR_INPUT,
                                "body \"%s\" is of the model shape_matching and has no clusters: give it a \"shape\" "
                                "(pliant_scene_group)",
                                b->name);
    }
    return true;
}

/* Groups are by body: of one that has several, in the order in which it got them. */
bool pliant__lay_out_groups(pliant__compiler *c)
{
    const pliant_scene *s = c->scene;
    bool                ok = true;
    if (!are_held(c)) return false;
    for (size_t b = 0; ok && s->groups.count && b < s->bodies.count; b++)
        for (size_t i = 0; ok && i < s->groups.count && c->body[b] != PLIANT__NONE; i++)
            if (s->groups.data[i].body == b) ok = lay_out_group(c, &s->groups.data[i]);
    if (ok && c->group_members.count) ok = array_push(c->allocator, &c->group_first_edge, (uint32_t)(c->group_edges.count / 2));
    if (ok && c->matches.count) ok = pliant__lay_out_matched(c);
    return ok || pliant__compile_memory(c);
}
