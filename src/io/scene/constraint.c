/* Constraints that a scene file lists one by one. The keys of a kind follow from its numbers in the table of constraints: a new kind can be written
 * in scene files without a line here. */
#include "base/array.h"
#include "base/hash.h"
#include "io/files/words.h"
#include "io/scene/keys.h"
#include "io/scene/nearest.h"
#include "scene/draft.h"
#include "scene/tetrahedron.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct constraint_spec {
    pliant__law_spec    law;
    const pliant__node *ids, *particles, *keys;
    const pliant__node *a, *b;
    uint32_t            pair; /* number in pair_words */
    pliant_vec3         target;
    pliant_real         parameters[PLIANT_MAX_PARAMETERS + PLIANT_MAX_NUMBERS];
} constraint_spec;

static const char *const pair_words[] = {"nearest", "order", NULL};
enum { NEAREST, ORDER };

/* Two selections, for kinds of two particles: many constraints at once. */
#define PAIRS(object)                                                                                                           \
    {.name = "a",                                                                                                               \
     .type = PLIANT__KEY_NODE,                                                                                                  \
     .schema = "{\"$ref\": \"#/$defs/" object "\"}",                                                                            \
     FIELD(a),                                                                                                                  \
     .text = "Instead of numbers, one vertex of each: these"},                                                                  \
        {.name = "b", .type = PLIANT__KEY_NODE, .schema = "{\"$ref\": \"#/$defs/" object "\"}", FIELD(b), .text = "And these"}, \
    {                                                                                                                           \
        .name = "pair", .type = PLIANT__KEY_WORD, .words = pair_words, FIELD(pair),                                             \
        .text = "Each of a with the nearest of b (default), or the first with the first, the second with the second, and so on" \
    }

#define FIELD(f) .offset = offsetof(constraint_spec, f)
static const pliant__key own_keys[] = {
    {.name = "kind", .type = PLIANT__KEY_LATER, .schema = "{\"type\": \"string\"}", .required = true, .text = "A kind of constraint"},
    {.name = "ids",
     .type = PLIANT__KEY_NODE,
     .schema =
         "{\"type\": \"array\", \"items\": {\"oneOf\": [{\"type\": \"integer\", \"minimum\": 0}, {\"$ref\": \"#/$defs/selection\"}]}}",
     FIELD(ids),
     .text = "Vertices of the body, by numbers or by selections of one each"},
    PAIRS("selection"),
    {.name = "target", .type = PLIANT__KEY_VEC3, FIELD(target), .text = "Of an attachment with one vertex: the point that it is tied to"},
    {.name = "keys", .type = PLIANT__KEY_LIST, .object = &pliant__target_key_object, FIELD(keys), .text = "How that point moves"},
};
static const pliant__key between_keys[] = {
    {.name = "kind", .type = PLIANT__KEY_LATER, .schema = "{\"type\": \"string\"}", .required = true, .text = "A kind of constraint"},
    {.name = "particles",
     .type = PLIANT__KEY_NODE,
     FIELD(particles),
     .text = "Vertices, each as [body, vertex], the vertex by its number or by a selection of one",
     .schema =
         "{\"type\": \"array\", \"items\": {\"type\": \"array\", \"prefixItems\": [{\"type\": [\"string\", \"integer\"]}, "
         "{\"oneOf\": [{\"type\": \"integer\", \"minimum\": 0}, {\"$ref\": \"#/$defs/selection\"}]}], \"minItems\": 2, \"maxItems\": 2}}"},
    PAIRS("selection_of_body"),
};

typedef struct of_body_spec {
    const pliant__node *body;
} of_body_spec;

static const pliant__key of_body_keys[] = {
    {.name = "body",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"type\": [\"string\", \"integer\"]}",
     .offset = offsetof(of_body_spec, body),
     .required = true,
     .text = "By name or number"},
};
const pliant__object pliant__of_body_object = {"selection_of_body", "Vertices of one body", PLIANT__KEYS(of_body_keys),
                                               &pliant__selection_object, 0};
const pliant__object pliant__constraint_object = {"constraint", "A constraint between vertices of a body", PLIANT__KEYS(own_keys),
                                                  &pliant__law_object, offsetof(constraint_spec, law)};
const pliant__object pliant__between_object = {"constraint_between", "A constraint between vertices of any bodies",
                                               PLIANT__KEYS(between_keys), &pliant__law_object, offsetof(constraint_spec, law)};

/* Whether a key is for kinds of two only. */
static bool is_pairing(const pliant__key *key)
{
    return key->offset == offsetof(constraint_spec, a) || key->offset == offsetof(constraint_spec, b) ||
           key->offset == offsetof(constraint_spec, pair);
}

size_t pliant__constraint_keys(const pliant_constraint_info *info, const pliant__object *object, pliant__key keys[PLIANT__CONSTRAINT_KEYS])
{
    size_t count = 0;
    for (size_t i = 0; i < object->count; i++)
        if (info->slots == 2 || !is_pairing(&object->keys[i])) keys[count++] = object->keys[i];
    for (uint32_t i = 0; i < info->parameter_count + info->number_count; i++) {
        const pliant_parameter_info *p = &info->parameters[i];
        keys[count++] = (pliant__key){.name = p->name,
                                      .type = PLIANT__KEY_REAL,
                                      .low = p->low,
                                      .high = p->high,
                                      .text = p->text,
                                      .offset = offsetof(constraint_spec, parameters) + i * sizeof(pliant_real)};
    }
    return count;
}

static bool read_kind(pliant__reader *r, const pliant__node *node, const pliant_constraint_info **info)
{
    const pliant__node *kind = pliant__node_get(node, "kind");
    const char         *words[PLIANT_CONSTRAINT_COUNT + 1] = {NULL};
    uint32_t            number;
    if (node->type != PLIANT__NODE_MAP) return pliant__expected(r, node, "an object");
    if (!kind) return pliant__complain(r, node, "\"kind\" is missing");
    for (int k = 0; k < PLIANT_CONSTRAINT_COUNT; k++) words[k] = pliant_constraint_describe((pliant_constraint_kind)k)->name;
    if (!pliant__read_word(r, kind, words, &number)) return false;
    *info = pliant_constraint_describe((pliant_constraint_kind)number);
    return true;
}

/* ---- which particles ---- */

static bool check_distinct(pliant__reader *r, const pliant__node *list, const pliant_constraint_def *def, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (def->particles[i].vertex == def->particles[j].vertex && def->particles[i].body.id == def->particles[j].body.id)
                return pliant__complain(r, list, "the same vertex twice");
    return true;
}

/* From a number that counts the vertices of all bodies through to body and vertex. */
static void find_body(const pliant_scene *scene, pliant_particle *p)
{
    uint32_t b = 0;
    while (p->vertex >= scene->bodies.data[b].first_vertex + scene->bodies.data[b].vertex_count) b++;
    p->vertex -= scene->bodies.data[b].first_vertex;
    p->body.id = b + 1;
}

static bool read_own_ids(pliant__reader *r, const pliant__node *list, pliant_body body, uint32_t vertex_count, uint32_t count,
                         const char *kind, pliant_constraint_def *def)
{
    if (list->type != PLIANT__NODE_LIST || list->count != count)
        return pliant__complain(r, list, "%s takes a list of %u vertices", kind, count);
    uint32_t i = 0;
    for (const pliant__node *n = list->first; n; n = n->next, i++) {
        def->particles[i].body = body;
        if (body.id) {
            if (!pliant__read_one(r, n, body, &def->particles[i].vertex)) return false;
            continue;
        }
        if (!pliant__read_count(r, n, 0, UINT32_MAX, &def->particles[i].vertex)) return false;
        if (def->particles[i].vertex >= vertex_count)
            return pliant__complain(r, n, "%s is not a vertex: the bodies have %u", n->text, vertex_count);
        find_body(r->scene, &def->particles[i]);
    }
    return check_distinct(r, list, def, count);
}

bool pliant__read_body_name(pliant__reader *r, const pliant__node *node, uint32_t *index)
{
    if (node->type == PLIANT__NODE_NUMBER) {
        if (!pliant__read_count(r, node, 0, UINT32_MAX, index)) return false;
        return *index < r->body_count || pliant__complain(r, node, "%s is not a body: there are %u, from 0", node->text, r->body_count);
    }
    const char *name;
    if (!pliant__read_text(r, node, &name)) return false;
    for (*index = 0; *index < r->body_count; (*index)++)
        if (strcmp(r->body_names[*index], name) == 0) return true;
    const char **words = pliant__read_memory(r, r->body_count + 1u, sizeof *words);
    if (!words) return false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->body_count; i++)
        if (*r->body_names[i]) words[count++] = r->body_names[i];
    const char *near = pliant__nearest_word(name, words);
    if (near) return pliant__complain(r, node, "no body is called %.40s (did you mean %s?)", name, near);
    return pliant__complain(r, node, "no body is called %.40s", name);
}

static bool read_between_ids(pliant__reader *r, const pliant__node *list, uint32_t count, const char *kind, pliant_constraint_def *def)
{
    if (list->type != PLIANT__NODE_LIST || list->count != count)
        return pliant__complain(r, list, "%s takes a list of %u vertices, each [body, vertex]", kind, count);
    uint32_t i = 0;
    for (const pliant__node *n = list->first; n; n = n->next, i++) {
        uint32_t body;
        if (n->type != PLIANT__NODE_LIST || n->count != 2) return pliant__complain(r, n, "must be [body, vertex]");
        if (!pliant__read_body_name(r, n->first, &body) || !pliant__read_one(r, n->last, r->bodies[body], &def->particles[i].vertex))
            return false;
        def->particles[i].body = r->bodies[body];
    }
    return check_distinct(r, list, def, count);
}

/* ---- adding ---- */

static uint32_t particle_of(const pliant_scene *scene, pliant_body body, uint32_t vertex)
{
    return scene->vertex_particle.data[scene->bodies.data[body.id - 1].first_vertex + vertex];
}

/* An attachment to a point that is no particle. */
static bool add_to_target(pliant__reader *r, const pliant__node *node, const constraint_spec *s, const pliant_constraint_def *def)
{
    pliant_error inner = {0};
    pliant_body  body = def->particles[0].body;
    uint32_t     first = pliant__target_count(r->scene, body);
    pliant_law   law = def->law;
    if (pliant__node_get(node, "damping_ratio")) {
        const uint32_t particle = particle_of(r->scene, body, def->particles[0].vertex);
        if (!pliant__damping_of(r, node, &particle, 1, s->law.damping_ratio, &law)) return false;
    }
    inner.code = pliant_scene_attach_soft(r->scene, body, &def->particles[0].vertex, 1, &law, &s->target, &inner);
    if (inner.code != PLIANT_OK) return pliant__blame(r, node, &inner);
    return !s->keys ||
           pliant__read_target_keys(r, s->keys, &(pliant__followers){.body = body, .first = first, .count = 1, .start = &s->target});
}

/* Refuses to measure the rest volume of a tetrahedron that is flat or inside out: such a volume needs a "rest". */
static bool check_tetrahedron(pliant__reader *r, const pliant__node *node, pliant_constraint_def *def)
{
    pliant_vec3 x[4];
    for (int i = 0; i < 4; i++) x[i] = pliant__vertex_position(r->scene, def->particles[i].body, def->particles[i].vertex);
    const double volume = pliant__volume6(x);
    if (volume == 0) return pliant__complain(r, node, "a flat tetrahedron has no volume to measure; leave it out, or say \"rest\"");
    if (volume > 0) return true;
    if (!r->def->mend)
        return pliant__complain(r, node, "an inverted tetrahedron; swap two of its vertices, say \"rest\", or let it be mended");
    const pliant_particle last = def->particles[3];
    def->particles[3] = def->particles[2];
    def->particles[2] = last;
    return true;
}

static bool add(pliant__reader *r, const pliant__node *node, const pliant_constraint_info *info, const constraint_spec *s,
                pliant_constraint_def *def)
{
    pliant_error inner = {0};
    uint32_t     unsaid = 0;
    for (uint32_t i = 0; i < info->number_count; i++) {
        const uint32_t behind = info->parameter_count + i;
        if (!pliant__node_get(node, info->parameters[behind].name)) continue;
        def->law.numbers[i] = s->parameters[behind];
        def->law.given |= 1u << i;
    }
    for (uint32_t i = 0; i < info->parameter_count; i++)
        if (pliant__node_get(node, info->parameters[i].name))
            def->parameters[i] = s->parameters[i];
        else if (i == 0 && (info->flags & PLIANT_ROW_MEASURED))
            def->measure = true;
        else if (info->flags & PLIANT_ROW_SHAPED)
            unsaid++;
    if (unsaid && unsaid < info->parameter_count)
        return pliant__complain(r, node, "%s has all of its parameters, or none, which are then measured", info->name);
    if (unsaid) def->measure = true;
    if (pliant__node_get(node, "damping_ratio")) {
        const uint32_t ends[2] = {particle_of(r->scene, def->particles[0].body, def->particles[0].vertex),
                                  particle_of(r->scene, def->particles[1].body, def->particles[1].vertex)};
        if (!pliant__damping_of(r, node, ends, 2, s->law.damping_ratio, &def->law)) return false;
    }
    if (def->measure && info->flags & PLIANT_ROW_VOLUME && !check_tetrahedron(r, node, def)) return false;
    return pliant_scene_add_constraint(r->scene, def, &inner).id || pliant__blame(r, node, &inner);
}

/* A fingerprint of a constraint: kind and particles, in any order; welded vertices are one. */
static uint64_t fingerprint(const pliant_scene *scene, const pliant_constraint_info *info, const pliant_constraint_def *def)
{
    uint64_t sum = 0, product = 1;
    for (uint32_t i = 0; i < info->slots; i++) {
        const pliant_particle p = def->particles[i]; /* without a body where a list is replayed: numbers of particles */
        const uint32_t        particle = p.body.id ? particle_of(scene, p.body, p.vertex) : p.vertex;
        const uint64_t        one = pliant__hash(&particle, sizeof particle, (uint64_t)info->kind);
        sum += one;
        product *= one | 1;
    }
    return sum ^ product;
}

/* Fingerprints of constraints; from malloc. */
typedef ARRAY(uint64_t) marks;

static bool add_mark(pliant__reader *r, marks *m, const pliant_constraint_info *info, const pliant_constraint_def *def)
{
    return array_push(NULL, m, fingerprint(r->scene, info, def)) ||
           pliant__fail_memory(r->error, m->count * sizeof(uint64_t), "constraints");
}

/* ---- pairs of two selections ---- */

typedef struct side {
    pliant_body    body;
    pliant__chosen chosen;
} side;

static bool read_side(pliant__reader *r, const pliant__node *node, const pliant_body *own, side *out)
{
    uint32_t     body;
    of_body_spec of = {NULL};
    if (own) {
        out->body = *own;
        return pliant__read_object(r, node, &pliant__selection_object, NULL) && pliant__choose(r, node, out->body, &out->chosen);
    }
    if (!pliant__read_object(r, node, &pliant__of_body_object, &of) || !pliant__read_body_name(r, of.body, &body)) return false;
    out->body = r->bodies[body];
    return pliant__choose(r, node, out->body, &out->chosen);
}

/* The partner in `b` of each of `a`; UINT32_MAX: its pair is there already. */
static bool pair_nearest(pliant__reader *r, const pliant__node *node, const side *a, const side *b, uint32_t *partner)
{
    const uint32_t        particles = (uint32_t)r->scene->particles.count;
    uint32_t             *with = pliant__read_memory(r, particles + 1u, sizeof *with); /* per particle: its partner */
    uint32_t             *group = pliant__read_memory(r, b->chosen.count, sizeof *group);
    pliant_vec3          *x = pliant__read_memory(r, b->chosen.count, sizeof *x);
    pliant__points_sorted sorted = {
        .x = x, .group = group, .count = (uint32_t)b->chosen.count, .order = pliant__read_memory(r, b->chosen.count, sizeof *sorted.order)};
    if (!with || !group || !x || !sorted.order) return false;
    for (uint32_t i = 0; i < particles; i++) with[i] = UINT32_MAX;
    for (uint32_t i = 0; i < sorted.count; i++) {
        x[i] = pliant__vertex_position(r->scene, b->body, b->chosen.ids[i]);
        group[i] = particle_of(r->scene, b->body, b->chosen.ids[i]);
    }
    pliant__points_sort(&sorted);
    for (size_t i = 0; i < a->chosen.count; i++) {
        const uint32_t v = a->chosen.ids[i], own = particle_of(r->scene, a->body, v),
                       n = pliant__points_nearest(&sorted, pliant__vertex_position(r->scene, a->body, v), own);
        if (n == UINT32_MAX) return pliant__complain(r, node, "vertex %u of a has none in b to be paired with but itself", v);
        const bool again = with[own] == group[n] || with[group[n]] == own;
        with[own] = group[n];
        partner[i] = again ? UINT32_MAX : b->chosen.ids[n];
    }
    return true;
}

static bool pair_in_order(pliant__reader *r, const pliant__node *node, const side *a, const side *b, uint32_t *partner)
{
    if (a->chosen.count != b->chosen.count)
        return pliant__complain(r, node, "a chooses %zu vertices and b %zu; in order as many are paired with as many", a->chosen.count,
                                b->chosen.count);
    for (size_t i = 0; i < a->chosen.count; i++) {
        if (particle_of(r->scene, a->body, a->chosen.ids[i]) == particle_of(r->scene, b->body, b->chosen.ids[i]))
            return pliant__complain(r, node, "vertex %u would be paired with itself", a->chosen.ids[i]);
        partner[i] = b->chosen.ids[i];
    }
    return true;
}

static bool add_pairs(pliant__reader *r, const pliant__node *node, const pliant_constraint_info *info, const constraint_spec *s,
                      const pliant_constraint_def *def, const pliant_body *own, marks *m)
{
    side a, b;
    if (own && !own->id) return pliant__complain(r, node, "a list that is replayed says its vertices by number");
    if (!s->a || !s->b) return pliant__complain(r, node, "\"%s\" is missing", s->a ? "b" : "a");
    if (!read_side(r, s->a, own, &a) || !read_side(r, s->b, own, &b)) return false;
    uint32_t *partner = pliant__read_memory(r, a.chosen.count, sizeof *partner);
    if (!partner || !(s->pair == ORDER ? pair_in_order : pair_nearest)(r, node, &a, &b, partner)) return false;
    for (size_t i = 0; i < a.chosen.count; i++) {
        pliant_constraint_def one = *def;
        if (partner[i] == UINT32_MAX) continue;
        one.particles[0] = (pliant_particle){a.body, a.chosen.ids[i]};
        one.particles[1] = (pliant_particle){b.body, partner[i]};
        if (!add_mark(r, m, info, &one) || !add(r, node, info, s, &one)) return false;
    }
    return true;
}

/* ---- one entry ---- */

static bool read_numbered(pliant__reader *r, const pliant__node *node, const pliant_constraint_info *info, const constraint_spec *s,
                          pliant_constraint_def *def, const pliant_body *body, uint32_t vertex_count, bool to_target, marks *m)
{
    const pliant__node *list = body ? s->ids : s->particles;
    if (!list)
        return pliant__complain(r, node, "\"%s\" is missing%s", body ? "ids" : "particles", info->slots == 2 ? ", or \"a\" and \"b\"" : "");
    if (!(body ? read_own_ids(r, list, *body, vertex_count, to_target ? 1 : info->slots, info->name, def)
               : read_between_ids(r, list, info->slots, info->name, def)))
        return false;
    return add_mark(r, m, info, def) && (to_target ? add_to_target(r, node, s, def) : add(r, node, info, s, def));
}

static bool read_constraint(pliant__reader *r, const pliant__node *node, const pliant_body *body, uint32_t vertex_count, marks *m)
{
    const pliant_constraint_info *info = NULL;
    if (!read_kind(r, node, &info)) return false;
    if (info->slots != 2 && (pliant__node_get(node, "a") || pliant__node_get(node, "b")))
        return pliant__complain(r, node, "%s is between %u vertices; \"a\" and \"b\" are for kinds of two", info->name, info->slots);
    pliant_constraint_def def = pliant_constraint_def_default(info->kind);
    constraint_spec       s = {.ids = NULL};
    pliant__law_start(&s.law, &def.law);
    s.law.takes_ratio = info->slots == 2;
    pliant__key    keys[PLIANT__CONSTRAINT_KEYS];
    pliant__object object = body ? pliant__constraint_object : pliant__between_object;
    object.count = pliant__constraint_keys(info, &object, keys);
    object.keys = keys;
    if (!pliant__read_object(r, node, &object, &s) || !pliant__law_finish(r, node, &s.law, &def.law)) return false;
    const pliant__node *target = pliant__node_get(node, "target"), *limit = pliant__node_get(node, "range"),
                       *pair = pliant__node_get(node, "pair");
    bool to_target = target && info->kind == PLIANT_CONSTRAINT_ATTACHMENT;
    if (target && !to_target) return pliant__complain(r, target, "only an attachment has a target");
    if (s.keys && !to_target) return pliant__complain(r, s.keys, "keys go with a target");
    if (limit && !(info->flags & PLIANT_ROW_RATIO)) return pliant__complain(r, limit, "%s has no stretch to limit", info->name);
    if (!s.a && !s.b) {
        if (pair) return pliant__complain(r, pair, "\"a\" and \"b\" are paired, and neither is there");
        return read_numbered(r, node, info, &s, &def, body, vertex_count, to_target, m);
    }
    if (s.ids || s.particles || target)
        return pliant__complain(r, node, "\"a\" and \"b\" stand instead of \"%s\"", target ? "target" : body ? "ids" : "particles");
    return add_pairs(r, node, info, &s, &def, body, m);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The same constraint twice is allowed, and seldom meant: twice projected, it is stiffer than it says. */
static void notice_doubles(pliant__reader *r, const pliant__node *list, marks *m)
{
    size_t doubles = 0;
    if (!r->def->notice || !m->count) return;
    qsort(m->data, m->count, sizeof *m->data, by_value);
    for (size_t i = 1; i < m->count; i++) doubles += m->data[i] == m->data[i - 1];
    if (doubles)
        pliant__notice(r, list, "%zu of %zu constraints are between vertices that have one of the kind already", doubles, m->count);
}

bool pliant__read_constraints(pliant__reader *r, const pliant__node *list, const pliant_body *body, uint32_t vertex_count)
{
    if (list->type != PLIANT__NODE_LIST) return pliant__expected(r, list, "a list of constraints");
    marks m = {0};
    bool  ok = true;
    for (const pliant__node *n = list->first; ok && n; n = n->next) ok = read_constraint(r, n, body, vertex_count, &m);
    if (ok) notice_doubles(r, list, &m);
    array_free(NULL, &m);
    return ok;
}
