/* Which keys of a material act on which bodies. What a body says itself, or in a material of its own, acts on it or is refused. A material of the file may
 * be that of bodies of several types: of a key that acts on none of them there is a notice. */
#include "io/scene/keys.h"

#include <string.h>

/* Bodies as keys tell them apart: types, and those that do not bend apart. */
enum { CLOTH = 1, SOFT = 2, ROPE = 4, PARTICLES = 8, FLAT_CLOTH = 16, FLAT_ROPE = 32, ALL = 63 };

static const struct acting {
    const char *key;
    uint32_t    on; /* bits of the bodies that it acts on */
    const char *of; /* those, in words */
    bool        stiffness;
} acting[] = {
#define EVERY_CLOTH (CLOTH | FLAT_CLOTH)
#define EVERY_ROPE (ROPE | FLAT_ROPE)
    {"preset", ALL, "", false},
    {"density", ALL, "", false},
    {"stretch", EVERY_CLOTH | SOFT | EVERY_ROPE, "cloth, soft bodies and ropes", true},
    {"shear", EVERY_CLOTH, "cloth", true},
    {"bend", CLOTH | ROPE, "cloth and ropes that bend", true},
    {"area", EVERY_CLOTH, "cloth", true},
    {"volume", SOFT, "soft bodies", true},
    {"young", SOFT, "soft bodies", true},
    {"poisson", SOFT, "soft bodies", true},
    {"stretch_warp", EVERY_CLOTH, "cloth", true},
    {"stretch_weft", EVERY_CLOTH, "cloth", true},
    {"stretch_stiffness", EVERY_CLOTH, "cloth", true},
    {"shear_stiffness", EVERY_CLOTH, "cloth", true},
    {"bending_rigidity", CLOTH, "cloth that bends", true},
    {"plane_poisson", EVERY_CLOTH, "cloth", true},
    {"yield", ALL, "", false}, /* these four are refused of all but soft bodies as they are added */
    {"creep", ALL, "", false},
    {"hardening", ALL, "", false},
    {"most", ALL, "", false},
    {"thickness", ALL, "", false},
    {"friction", ALL, "", false},
    {"restitution", ALL, "", false},
    {"rolling_friction", EVERY_ROPE, "ropes", false},
    {"damping", ALL, "", false},
    {"damping_time", EVERY_CLOTH | SOFT | EVERY_ROPE, "cloth, soft bodies and ropes", false},
    {"damping_ratio", EVERY_CLOTH | SOFT | EVERY_ROPE, "cloth, soft bodies and ropes", false},
    {"drag", ALL, "", false},
    {"air_drag", EVERY_CLOTH | SOFT, "cloth and soft bodies, which have triangles", false},
    {"air_lift", EVERY_CLOTH | SOFT, "cloth and soft bodies, which have triangles", false},
};

/* What says how stiff a body of each type is: cloth, soft bodies, ropes, particles. */
static const char *const instead[] = {"stretch_warp, shear_stiffness and bending_rigidity", "young and poisson",
                                      "its laws stretch and bend", "its constraints"};
static const char *const nouns[] = {"a cloth", "a soft body", "a rope", "loose particles"};

static const struct acting *find(const char *key)
{
    for (size_t i = 0; i < sizeof acting / sizeof *acting; i++)
        if (strcmp(acting[i].key, key) == 0) return &acting[i];
    return NULL;
}

bool pliant__acts_somewhere(const char *key) { return find(key) != NULL; }

static uint32_t bit_of(uint32_t type, bool bends)
{
    if (bends || type > 2 || type == 1) return 1u << type;
    return type == 0 ? FLAT_CLOTH : FLAT_ROPE;
}

/* `object`: a material, or the body itself, in which "bend" says how it bends. */
static bool check_object(pliant__reader *r, const pliant__node *object, uint32_t type, bool bends, bool itself)
{
    for (const pliant__node *n = object->first; n; n = n->next) {
        const struct acting *a = find(n->key);
        if (!a || a->on & bit_of(type, bends) || (itself && type != 1 && type != 3 && strcmp(n->key, "bend") == 0)) continue;
        if (a->on & bit_of(type, true))
            return pliant__complain(r, n, "has no effect, as the body says that it has no bending; leave it out");
        if (!a->stiffness) return pliant__complain(r, n, "is of %s, and has no effect on %s; leave it out", a->of, nouns[type]);
        return pliant__complain(r, n, "is of %s, and has no effect on %s; leave it out, and say %s", a->of, nouns[type], instead[type]);
    }
    return true;
}

bool pliant__check_acting(pliant__reader *r, const pliant__node *body, uint32_t type, bool bends)
{
    const pliant__node *material = pliant__node_get(body, "material");
    r->body_kinds[r->body_count - 1] = bit_of(type, bends);
    return check_object(r, body, type, bends, true) &&
           (!material || material->type != PLIANT__NODE_MAP || check_object(r, material, type, bends, false));
}

/* Bits of the bodies that have a material of the file. */
static uint32_t kinds_with(const pliant__reader *r, const char *material)
{
    uint32_t kinds = 0, i = 0;
    for (const pliant__node *b = r->body_nodes->first; b && i < r->body_count; b = b->next, i++) {
        const pliant__node *own = pliant__node_get(b, "material");
        if (own && own->type == PLIANT__NODE_TEXT && strcmp(own->text, material) == 0) kinds |= r->body_kinds[i];
    }
    return kinds;
}

void pliant__notice_idle(pliant__reader *r)
{
    const pliant__node *all = pliant__node_get(r->root, "materials");
    for (const pliant__node *m = all ? all->first : NULL; m; m = m->next) {
        const uint32_t kinds = kinds_with(r, m->key);
        for (const pliant__node *n = m->first; n && kinds; n = n->next) {
            const struct acting *a = find(n->key);
            if (a && !(a->on & kinds)) pliant__notice(r, n, "is of %s, and no body of this material is one: it has no effect", a->of);
        }
    }
}
