/* Where a body tears: its "tear". */
#include "io/scene/keys.h"

#include <stddef.h>
#include <string.h>

typedef struct tear_spec {
    pliant_tear         tear;
    const pliant__node *weak;
} tear_spec;

typedef struct weak_spec {
    pliant_real strength;
} weak_spec;

static const pliant__key tear_keys[] = {
    {.name = "stretch",
     .type = PLIANT__KEY_REAL,
     .low = 1,
     .high = 1000,
     .above = true,
     .offset = offsetof(tear_spec, tear) + offsetof(pliant_tear, stretch),
     .required = true,
     .text = "Length over length at rest beyond which a triangle or a tetrahedron comes off its neighbours, in whatever direction it is "
             "stretched"},
    {.name = "spare",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = 4,
     .above = true,
     .offset = offsetof(tear_spec, tear) + offsetof(pliant_tear, spare),
     .text = "Vertices that stand by for splits, as a share of its particles; when they are used up it tears no further; default 0.25"},
    {.name = "weak",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"oneOf\": [{\"$ref\": \"#/$defs/weak\"}, {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/weak\"}}]}",
     .offset = offsetof(tear_spec, weak),
     .text = "Vertices that bear less, or more: a selection with a strength, or a list of such"},
};
const pliant__object pliant__tear_object = {"tear", "Where a body tears", PLIANT__KEYS(tear_keys), NULL, 0};

static const pliant__key weak_keys[] = {
    {.name = "strength",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = 1000,
     .above = true,
     .offset = offsetof(weak_spec, strength),
     .required = true,
     .text = "Times the stretch that the body bears, they bear"},
};
const pliant__object pliant__weak_object = {"weak", "Vertices that bear less than their body does, or more", PLIANT__KEYS(weak_keys),
                                            &pliant__selection_object, 0};

bool pliant__read_tear(pliant__reader *r, const pliant__node *node, pliant_tear *out)
{
    tear_spec s = {*out, NULL};
    if (!pliant__read_object(r, node, &pliant__tear_object, &s)) return false;
    *out = s.tear;
    return true;
}

static bool read_weak(pliant__reader *r, const pliant__node *node, pliant_body body)
{
    weak_spec      w = {0};
    pliant__chosen c;
    pliant_error   inner = {0};
    if (!pliant__read_object(r, node, &pliant__weak_object, &w) || !pliant__choose(r, node, body, &c)) return false;
    pliant_real *strengths = pliant__read_memory(r, c.count, sizeof *strengths);
    if (!strengths) return false;
    for (size_t i = 0; i < c.count; i++) strengths[i] = w.strength;
    inner.code = pliant_scene_set_strengths(r->scene, body, c.ids, strengths, c.count, &inner);
    return inner.code == PLIANT_OK || pliant__blame(r, node, &inner);
}

bool pliant__read_weak(pliant__reader *r, const pliant__node *tear, pliant_body body)
{
    const pliant__node *list = pliant__node_get(tear, "weak");
    if (!list) return true;
    if (list->type == PLIANT__NODE_MAP) return read_weak(r, list, body);
    if (!pliant__read_list(r, list, 0, "weak places")) return false;
    for (const pliant__node *n = list->first; n; n = n->next)
        if (!read_weak(r, n, body)) return false;
    return true;
}
