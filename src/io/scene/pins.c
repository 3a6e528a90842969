/* Pins and attachments of vertices that a scene file chooses. */
#include "base/keys.h"
#include "base/vec.h"
#include "io/scene/keys.h"
#include "scene/draft.h"

#include <string.h>

/* ---- pins ---- */

typedef struct pin_spec {
    bool releasable;
} pin_spec;

static const pliant__key pin_keys[] = {
    {.name = "releasable",
     .type = PLIANT__KEY_BOOL,
     .offset = offsetof(pin_spec, releasable),
     .text = "Whether they can be let go while it runs"},
};
const pliant__object pliant__pin_object = {"pin", "Vertices that stay where they are", PLIANT__KEYS(pin_keys), &pliant__selection_object,
                                           0};

static bool pin(pliant__reader *r, const pliant__node *node, pliant_body body, const pliant__chosen *c, bool releasable)
{
    pliant_error inner = {0};
    inner.code = pliant_scene_pin(r->scene, body, c->ids, c->count, releasable, &inner);
    return inner.code == PLIANT_OK || pliant__blame(r, node, &inner);
}

static bool read_pin(pliant__reader *r, const pliant__node *node, pliant_body body)
{
    pin_spec       p = {.releasable = false};
    pliant__chosen c;
    return pliant__read_object(r, node, &pliant__pin_object, &p) && pliant__choose(r, node, body, &c) &&
           pin(r, node, body, &c, p.releasable);
}

bool pliant__read_pins(pliant__reader *r, const pliant__node *list, pliant_body body, uint32_t vertex_count)
{
    if (list->type == PLIANT__NODE_MAP) return read_pin(r, list, body);
    if (list->type != PLIANT__NODE_LIST) return pliant__expected(r, list, "a list of vertices and selections");
    for (const pliant__node *n = list->first; n; n = n->next) {
        if (n->type == PLIANT__NODE_MAP) {
            if (!read_pin(r, n, body)) return false;
            continue;
        }
        uint32_t id;
        if (!pliant__read_vertex(r, n, vertex_count, &id)) return false;
        if (!pin(r, n, body, &(pliant__chosen){&id, 1}, false)) return false;
    }
    return true;
}

/* ---- keys of targets ---- */

typedef struct target_key_spec {
    double              time;
    const pliant__node *positions;
    pliant_vec3         translate;
} target_key_spec;

static const pliant__key target_key_keys[] = {
    {.name = "time",
     .type = PLIANT__KEY_DOUBLE,
     .low = -1e9,
     .high = 1e9,
     .offset = offsetof(target_key_spec, time),
     .required = true,
     .text = "s"},
    {.name = "positions",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/vec3\"}}",
     .offset = offsetof(target_key_spec, positions),
     .text = "Where each target is then, m"},
    {.name = "translate",
     .type = PLIANT__KEY_VEC3,
     .offset = offsetof(target_key_spec, translate),
     .text = "Or how far all are from where they began, m"},
};
const pliant__object pliant__target_key_object = {"target_key", "Where targets are at a time", PLIANT__KEYS(target_key_keys), NULL, 0};

/* Where the keys of target `number` of a body have it at time 0; false for a soft one. */
static bool hard_target_start(const pliant_scene *scene, pliant_body body, uint32_t number, pliant_vec3 *at)
{
    const pliant__draft_target *t = &scene->targets.data[scene->bodies.data[body.id - 1].targets.data[number]];
    if (t->soft) return false;
    *at = pliant__position_key(scene->target_key_times.data + t->time_first, scene->target_key_positions.data + t->key_first, t->key_count,
                               0);
    return true;
}

static bool read_positions(pliant__reader *r, const pliant__node *list, uint32_t count, pliant_vec3 *out)
{
    if (!pliant__read_list(r, list, 0, "points")) return false;
    if (list->count != count) return pliant__complain(r, list, "needs a point for each of the %u targets, has %u", count, list->count);
    for (const pliant__node *n = list->first; n; n = n->next)
        if (!pliant__read_vec3(r, n, out++)) return false;
    return true;
}

/* Notes keys of a hard target that begin away from its vertex: they drag the vertex there in the first frame. */
static void notice_jumps(pliant__reader *r, const pliant__node *list, const pliant__followers *f)
{
    uint32_t away = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        pliant_vec3 at = f->start[i];
        if (!hard_target_start(r->scene, f->body, f->first + i, &at)) continue;
        away += v3_length(v3_sub(at, f->start[i])) > (pliant_real)1e-5 * (1 + v3_length(f->start[i]));
    }
    if (away) pliant__notice(r, list, "%u of %u vertices are not where these keys begin; the first frame takes them there", away, f->count);
}

bool pliant__read_target_keys(pliant__reader *r, const pliant__node *list, const pliant__followers *f)
{
    if (!pliant__read_list(r, list, 1, "keys")) return false;
    double      *times = pliant__read_memory(r, list->count, sizeof *times);
    pliant_vec3 *positions = pliant__read_memory(r, (size_t)list->count * f->count, sizeof *positions);
    if (!times || !positions) return false;
    uint32_t k = 0;
    for (const pliant__node *n = list->first; n; n = n->next, k++) {
        target_key_spec s = {.time = 0};
        if (!pliant__read_object(r, n, &pliant__target_key_object, &s)) return false;
        const pliant__node *translate = pliant__node_get(n, "translate");
        if ((translate != NULL) == (s.positions != NULL)) return pliant__complain(r, n, "needs \"positions\" or \"translate\"");
        if (k && s.time <= times[k - 1]) return pliant__complain(r, n, "times of keys ascend");
        times[k] = s.time;
        pliant_vec3 *to = positions + (size_t)k * f->count;
        if (s.positions && !read_positions(r, s.positions, f->count, to)) return false;
        for (uint32_t i = 0; translate && i < f->count; i++) to[i] = v3_add(f->start[i], s.translate);
    }
    return pliant__key_followers(r, list, f, times, k, positions);
}

/* ---- attachments ---- */

typedef struct attach_spec {
    const pliant__node *soft, *targets, *keys;
} attach_spec;

static const pliant__key attach_keys[] = {
    {.name = "soft",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"oneOf\": [{\"type\": \"boolean\"}, {\"$ref\": \"#/$defs/law\"}]}",
     .offset = offsetof(attach_spec, soft),
     .text = "By springs with this law; else hard: the vertices are where the targets are"},
    {.name = "targets",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/vec3\"}}",
     .offset = offsetof(attach_spec, targets),
     .text = "Where the targets of a soft attachment begin; default: where the vertices are"},
    {.name = "keys",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"oneOf\": [{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/target_key\"}}, {\"$ref\": \"#/$defs/baked_targets\"}]}",
     .offset = offsetof(attach_spec, keys),
     .text = "How the targets move: where they are at times, or the baked mesh that they follow"},
};
const pliant__object pliant__attachment_object = {"attachment", "Vertices that follow targets", PLIANT__KEYS(attach_keys),
                                                  &pliant__selection_object, 0};

static bool is_soft(const attach_spec *s) { return s->soft && !(s->soft->type == PLIANT__NODE_BOOL && !s->soft->truth); }

static bool add_attachment(pliant__reader *r, const pliant__node *node, const attach_spec *s, pliant_body body, const pliant__chosen *c,
                           const pliant_vec3 *targets)
{
    pliant_error inner = {0};
    const bool   soft = is_soft(s);
    pliant_law   law = pliant_law_default();
    if (soft && s->soft->type != PLIANT__NODE_BOOL && !pliant__read_law(r, s->soft, NULL, &law)) return false;
    if (targets && !soft)
        return pliant__complain(r, s->targets, "targets of their own are for soft attachments; move a hard one with \"keys\"");
    if (soft)
        inner.code = pliant_scene_attach_soft(r->scene, body, c->ids, c->count, &law, targets, &inner);
    else
        inner.code = pliant_scene_attach(r->scene, body, c->ids, c->count, &inner);
    return inner.code == PLIANT_OK || pliant__blame(r, node, &inner);
}

/* Attachments so far, by particle of the body: welded vertices are one. */
typedef struct attached {
    const pliant__node *by; /* the attachment; NULL: none */
    uint32_t            vertex;
    bool                soft;
} attached;

static uint32_t particle_of(const pliant_scene *scene, pliant_body body, uint32_t vertex)
{
    const pliant__draft_body *b = &scene->bodies.data[body.id - 1];
    return scene->vertex_particle.data[b->first_vertex + vertex] - b->first_particle;
}

/* Refuses a second hard target for a particle: of two attachments the later one would count, in silence. `seen` has a mark for each vertex. */
static bool check_attachable(pliant__reader *r, const pliant__node *node, pliant_body body, const pliant__chosen *c, bool soft, bool *seen,
                             attached *particles)
{
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t v = c->ids[i];
        attached      *p = &particles[particle_of(r->scene, body, v)];
        if (pliant__is_pinned_for_ever(r->scene, body, v))
            return pliant__complain(r, node, "vertex %u is pinned for ever; pin it \"releasable\", or attach it, not both", v);
        if (seen[v]) return pliant__complain(r, node, "vertex %u is attached already", v);
        if (p->by && p->by != node && !(p->soft && soft))
            return pliant__complain(r, node,
                                    "vertex %u is one particle with vertex %u, which is attached already in line %d; leave one of them out",
                                    v, p->vertex, p->by->line);
        seen[v] = true;
        if (!p->by) *p = (attached){node, v, soft};
    }
    return true;
}

/* Notes hard targets of one particle that keys or a baked mesh lead to different places. */
static void notice_parted(pliant__reader *r, const pliant__node *list, const pliant__followers *f, attached *particles)
{
    const pliant__draft_body *b = &r->scene->bodies.data[f->body.id - 1];
    uint32_t                  parted = 0;
    double                    most = 0;
    for (uint32_t i = 0; i < f->count; i++) particles[particle_of(r->scene, f->body, f->ids[i])].vertex = i;
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t              other = particles[particle_of(r->scene, f->body, f->ids[i])].vertex;
        const pliant__draft_target *s = &r->scene->targets.data[b->targets.data[f->first + i]],
                                   *t = &r->scene->targets.data[b->targets.data[f->first + other]];
        double apart = 0;
        for (uint32_t k = 0; other != i && !s->soft && k < s->key_count; k++) {
            const pliant_vec3 *x = r->scene->target_key_positions.data;
            const double       d = (double)v3_length(v3_sub(x[s->key_first + k], x[t->key_first + k]));
            if (d > 1e-5 * (1 + (double)v3_length(x[s->key_first + k])) && d > apart) apart = d;
        }
        parted += apart > 0;
        most = apart > most ? apart : most;
    }
    for (uint32_t i = 0; i < f->count; i++) particles[particle_of(r->scene, f->body, f->ids[i])].vertex = f->ids[i];
    if (parted)
        pliant__notice(
            r, list,
            "%u of %u vertices are led up to %.3g m away from another one that is one particle with them, and the target of that one "
            "counts; lead both alike, or say \"weld\": false",
            parted, f->count, most);
}

static bool read_attachment(pliant__reader *r, const pliant__node *node, pliant_body body, uint32_t vertex_count, bool *seen,
                            attached *particles)
{
    attach_spec    s = {.soft = NULL};
    pliant__chosen c;
    if (!pliant__read_object(r, node, &pliant__attachment_object, &s) || !pliant__choose(r, node, body, &c) ||
        !check_attachable(r, node, body, &c, is_soft(&s), seen, particles))
        return false;
    uint32_t     count = (uint32_t)c.count, first = pliant__target_count(r->scene, body);
    pliant_vec3 *start = pliant__read_memory(r, c.count, sizeof *start);
    if (!start) return false;
    for (uint32_t i = 0; i < count; i++) start[i] = pliant__vertex_position(r->scene, body, c.ids[i]);
    if (s.targets && !read_positions(r, s.targets, count, start)) return false;
    if (!add_attachment(r, node, &s, body, &c, s.targets ? start : NULL)) return false;
    const pliant__followers f = {body, first, count, vertex_count, c.ids, start, false};
    if (!s.keys) return true;
    if (!(s.keys->type == PLIANT__NODE_MAP ? pliant__read_baked_targets : pliant__read_target_keys)(r, s.keys, &f)) return false;
    notice_jumps(r, s.keys, &f);
    notice_parted(r, s.keys, &f, particles);
    return true;
}

bool pliant__read_attachments(pliant__reader *r, const pliant__node *list, pliant_body body, uint32_t vertex_count)
{
    if (list->type != PLIANT__NODE_LIST) return pliant__expected(r, list, "a list of attachments");
    bool     *seen = pliant__read_memory(r, vertex_count, sizeof *seen);
    attached *particles = pliant__read_memory(r, vertex_count, sizeof *particles);
    if (!seen || !particles) return false;
    for (const pliant__node *n = list->first; n; n = n->next)
        if (!read_attachment(r, n, body, vertex_count, seen, particles)) return false;
    return true;
}
