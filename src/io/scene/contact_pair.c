/* Contact pairs of a scene file: friction, restitution and adhesion between two. */
#include "io/files/words.h"
#include "io/scene/keys.h"

#include "scene/draft.h"

#include <float.h>
#include <string.h>

typedef struct contact_pair_spec {
    pliant_contact_pair_def def;
    const pliant__node     *a, *b, *collider;
} contact_pair_spec;

_Static_assert(offsetof(pliant_contact_pair_def, friction_dynamic) ==
                   offsetof(pliant_contact_pair_def, friction_static) + sizeof(pliant_real),
               "side by side");

static const char name_schema[] = "{\"type\": [\"string\", \"integer\"]}";

#define FIELD(f) .offset = offsetof(contact_pair_spec, f)
static const pliant__key contact_pair_keys[] = {
    {.name = "a", .type = PLIANT__KEY_NODE, .schema = name_schema, FIELD(a), .required = true, .text = "A body, by name or number"},
    {.name = "b", .type = PLIANT__KEY_NODE, .schema = name_schema, FIELD(b), .text = "Another body, or the same: with itself"},
    {.name = "collider", .type = PLIANT__KEY_NODE, .schema = name_schema, FIELD(collider), .text = "A collider, instead of b"},
    {.name = "ignore", .type = PLIANT__KEY_BOOL, FIELD(def.ignore), .text = "true: they do not meet, whatever their groups"},
    {.name = "friction",
     .type = PLIANT__KEY_CUSTOM,
     .read = pliant__read_friction,
     .schema = pliant__friction_schema,
     FIELD(def.friction_static),
     .text = "Friction; default: what both say together"},
    {.name = "restitution",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = 1,
     FIELD(def.restitution),
     .text = "Bounce; default: what both say together"},
    {.name = "adhesion",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = DBL_MAX,
     FIELD(def.adhesion),
     .text = "N that each contact of the two holds on with; default 0"},
};
const pliant__object pliant__contact_pair_object = {"contact_pair", "What two are to each other where they touch",
                                                    PLIANT__KEYS(contact_pair_keys), NULL, 0};

/* A collider by its name, or by its number from 0. */
static bool read_collider_name(pliant__reader *r, const pliant__node *node, pliant_collider *out)
{
    const uint32_t count = (uint32_t)r->scene->colliders.count;
    const char    *name;
    uint32_t       index, named = 0;
    if (node->type == PLIANT__NODE_NUMBER) {
        if (!pliant__read_count(r, node, 0, UINT32_MAX, &index)) return false;
        out->id = index + 1;
        return index < count || pliant__complain(r, node, "%s is not a collider: there are %u, from 0", node->text, count);
    }
    if (!pliant__read_text(r, node, &name)) return false;
    const char **words = pliant__read_memory(r, count + 1u, sizeof *words);
    if (!words) return false;
    for (index = 0; index < count; index++) {
        const char *its = r->scene->colliders.data[index].def.name;
        if (*its) words[named++] = its;
        out->id = index + 1;
        if (strcmp(its, name) == 0) return true;
    }
    const char *near = pliant__nearest_word(name, words);
    if (near) return pliant__complain(r, node, "no collider is called %.40s (did you mean %s?)", name, near);
    return pliant__complain(r, node, "no collider is called %.40s", name);
}

bool pliant__read_contact_pair(pliant__reader *r, const pliant__node *node)
{
    contact_pair_spec s = {.def = pliant_contact_pair_def_default()};
    pliant_error      inner = {0};
    uint32_t          a, b;
    if (!pliant__read_object(r, node, &pliant__contact_pair_object, &s)) return false;
    if (!s.b == !s.collider) return pliant__complain(r, node, "needs \"b\", a body, or \"collider\", and not both");
    if (!pliant__read_body_name(r, s.a, &a)) return false;
    s.def.body = r->bodies[a];
    if (s.b && !pliant__read_body_name(r, s.b, &b)) return false;
    if (s.b) s.def.other = r->bodies[b];
    if (s.collider && !read_collider_name(r, s.collider, &s.def.collider)) return false;
    return pliant_scene_contact_pair(r->scene, &s.def, &inner) == PLIANT_OK || pliant__blame(r, node, &inner);
}
