/* Skins of garments: the distances that vertices may leave an animated mesh by, and backstops that they stay out of. */
#include "base/vec.h"
#include "io/scene/keys.h"

#include <float.h>

typedef struct skin_spec {
    const pliant__node *max_distance, *backstop, *keys;
} skin_spec;

typedef struct backstop_spec {
    const pliant__node *radius, *offset;
} backstop_spec;

static const char number_schema[] = "{\"oneOf\": [{\"type\": \"number\", \"minimum\": 0}, "
                                    "{\"type\": \"array\", \"items\": {\"type\": \"number\", \"minimum\": 0}}, "
                                    "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/vertex_value\"}, \"minItems\": 1}]}";

static const pliant__key backstop_keys[] = {
    {.name = "radius",
     .type = PLIANT__KEY_NODE,
     .schema = number_schema,
     .offset = offsetof(backstop_spec, radius),
     .required = true,
     .text = "m, of the sphere: one number, one per vertex, or selections with a value; 0: none"},
    {.name = "offset",
     .type = PLIANT__KEY_NODE,
     .schema = number_schema,
     .offset = offsetof(backstop_spec, offset),
     .text = "m, from the target to the sphere: one number, one per vertex, or selections with a value; default 0"},
};
const pliant__object pliant__backstop_object = {"backstop", "A sphere behind each target, against its normal, that the vertex stays out of",
                                                PLIANT__KEYS(backstop_keys), NULL, 0};

#define FIELD(f) .offset = offsetof(skin_spec, f)
static const pliant__key skin_keys[] = {
    {.name = "max_distance",
     .type = PLIANT__KEY_NODE,
     .schema = number_schema,
     FIELD(max_distance),
     .text = "m from the target: one number, one per vertex, or selections with a value; 0: the vertex is where the target is; default: "
             "any distance"},
    {.name = "backstop",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"$ref\": \"#/$defs/backstop\"}",
     FIELD(backstop),
     .text = "What lies behind"},
    {.name = "keys",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"oneOf\": [{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/target_key\"}}, {\"$ref\": \"#/$defs/baked_targets\"}]}",
     FIELD(keys),
     .text =
         "How the targets move: where they are at times, or the baked mesh that they follow; default: they stay where the vertices begin"},
};
const pliant__object pliant__skin_object = {"skin", "How far vertices may leave an animated mesh; default: every vertex",
                                            PLIANT__KEYS(skin_keys), &pliant__selection_object, 0};

typedef struct skinned {
    pliant_body           body;
    const pliant__chosen *chosen;
} skinned;

/* Of the chosen vertices those that selections have a value for; the others have what `all` is by default. */
static bool read_values(pliant__reader *r, const pliant__node *node, const skinned *of, pliant_real all, pliant_real *numbers)
{
    const uint32_t vertices = r->body_sizes[of->body.id - 1];
    pliant_real   *of_vertex = pliant__read_memory(r, vertices + 1u, sizeof *of_vertex);
    if (!of_vertex) return false;
    for (uint32_t v = 0; v < vertices; v++) of_vertex[v] = all;
    if (!pliant__read_values(r, node, of->body, false, of_vertex)) return false;
    for (size_t i = 0; i < of->chosen->count; i++) numbers[i] = of_vertex[of->chosen->ids[i]];
    return true;
}

/* A number for all, or a list of one per vertex or of selections with a value, which goes to `each`. */
static bool read_numbers(pliant__reader *r, const pliant__node *node, const skinned *of, pliant_real *all, const pliant_real **each)
{
    const size_t count = of->chosen->count;
    if (!node) return true;
    if (node->type != PLIANT__NODE_LIST) return pliant__read_real(r, node, 0, DBL_MAX, false, all);
    if (!pliant__are_values(node) && node->count != count)
        return pliant__complain(r, node, "needs a number for each of the %zu vertices, has %u", count, node->count);
    pliant_real *numbers = pliant__read_memory(r, count, sizeof *numbers);
    if (!numbers) return false;
    *each = numbers;
    if (pliant__are_values(node)) return read_values(r, node, of, *all, numbers);
    for (const pliant__node *n = node->first; n; n = n->next)
        if (!pliant__read_real(r, n, 0, DBL_MAX, false, numbers++)) return false;
    return true;
}

static bool read_limits(pliant__reader *r, const pliant__node *node, const skin_spec *s, const skinned *of, pliant_skin_def *def)
{
    backstop_spec b = {NULL, NULL};
    if (!s->max_distance && !s->backstop) return pliant__complain(r, node, "needs \"max_distance\", or a \"backstop\", or both");
    if (s->backstop && !pliant__read_object(r, s->backstop, &pliant__backstop_object, &b)) return false;
    return read_numbers(r, s->max_distance, of, &def->max_distance, &def->max_distance_of) &&
           read_numbers(r, b.radius, of, &def->backstop_radius, &def->backstop_radius_of) &&
           read_numbers(r, b.offset, of, &def->backstop_offset, &def->backstop_offset_of);
}

/* Vertices that the first step has to fetch. */
static void notice_jumps(pliant__reader *r, const pliant__node *keys, const pliant__followers *f)
{
    uint32_t away = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        pliant_real       most;
        const pliant_vec3 at = pliant__skin_start(r->scene, f->body, i, &most);
        away += most >= 0 && v3_length(v3_sub(at, f->start[i])) > most + (pliant_real)1e-5 * (1 + v3_length(at));
    }
    if (away)
        pliant__notice(r, keys,
                       "%u of %u vertices are further than max_distance from where these keys begin; the first frame takes them there",
                       away, f->count);
}

bool pliant__read_skin(pliant__reader *r, const pliant__node *node, pliant_body body, uint32_t vertex_count)
{
    skin_spec       s = {.keys = NULL};
    pliant__chosen  c;
    pliant_skin_def def = pliant_skin_def_default();
    pliant_error    inner = {0};
    if (!pliant__read_object(r, node, &pliant__skin_object, &s)) return false;
    if (!(pliant__says_choice(node) ? pliant__choose(r, node, body, &c) : pliant__choose_all(r, body, &c))) return false;
    def.vertices = c.ids;
    def.vertex_count = c.count;
    if (!read_limits(r, node, &s, &(skinned){body, &c}, &def)) return false;
    pliant_vec3 *start = pliant__read_memory(r, c.count, sizeof *start);
    if (!start) return false;
    for (size_t i = 0; i < c.count; i++) start[i] = pliant__vertex_position(r->scene, body, c.ids[i]);
    inner.code = pliant_scene_skin(r->scene, body, &def, &inner);
    if (inner.code != PLIANT_OK) return pliant__blame(r, node, &inner);
    const pliant__followers f = {body, 0, (uint32_t)c.count, vertex_count, c.ids, start, true};
    if (!s.keys) return true;
    if (!(s.keys->type == PLIANT__NODE_MAP ? pliant__read_baked_targets : pliant__read_target_keys)(r, s.keys, &f)) return false;
    notice_jumps(r, s.keys, &f);
    return true;
}
