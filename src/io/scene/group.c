/* Groups of a body: what its closed surface is filled with, "pressure"; and clusters that keep their shape, "shape". */
#include "io/scene/keys.h"
#include "scene/draft.h"

#include <float.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct group_spec {
    double              number[PLIANT_GROUP_NUMBERS];
    const pliant__node *keys;
} group_spec;

typedef struct group_key {
    double time, value;
} group_key;

size_t pliant__group_keys(const pliant_group_info *info, pliant__key keys[PLIANT__GROUP_KEYS])
{
    size_t count = 0;
    for (; count < info->number_count; count++)
        keys[count] = (pliant__key){.name = info->numbers[count].name,
                                    .type = PLIANT__KEY_DOUBLE,
                                    .low = info->numbers[count].low,
                                    .high = info->numbers[count].high,
                                    .offset = offsetof(group_spec, number) + count * sizeof(double),
                                    .text = info->numbers[count].text};
    keys[count++] =
        (pliant__key){.name = "keys",
                      .type = PLIANT__KEY_NODE,
                      .schema = "{\"type\": \"array\", \"items\": {\"type\": \"object\"}, \"minItems\": 1}",
                      .offset = offsetof(group_spec, keys),
                      .text = "The first of these numbers at times: each has a \"time\", s, and it by its name; in between, straight"};
    return count;
}

static bool read_keys(pliant__reader *r, const pliant__node *list, const pliant_group_info *info, pliant_group_def *def)
{
    const pliant_parameter_info *first = info->numbers;
    const pliant__key            rows[] = {
                   {.name = "time",
                    .type = PLIANT__KEY_DOUBLE,
                    .low = -DBL_MAX,
                    .high = DBL_MAX,
                    .offset = offsetof(group_key, time),
                    .required = true},
                   {.name = first->name,
                    .type = PLIANT__KEY_DOUBLE,
                    .low = first->low,
                    .high = first->high,
                    .offset = offsetof(group_key, value),
                    .required = true},
    };
    const pliant__object object = {"group_key", "", PLIANT__KEYS(rows), NULL, 0};
    if (!pliant__read_list(r, list, 1, "keys")) return false;
    double *times = pliant__read_memory(r, list->count, sizeof *times), *values = pliant__read_memory(r, list->count, sizeof *values);
    if (!times || !values) return false;
    def->key_times = times;
    def->key_values = values;
    for (const pliant__node *n = list->first; n; n = n->next) {
        group_key k = {0, 0};
        if (!pliant__read_object(r, n, &object, &k)) return false;
        if (def->key_count && k.time <= times[def->key_count - 1])
            return pliant__complain(r, n, "its time is not after that of the key before");
        times[def->key_count] = k.time;
        values[def->key_count++] = k.value;
    }
    return true;
}

static bool read_group(pliant__reader *r, const pliant__node *node, const pliant_group_info *info, pliant_group_def *def)
{
    const pliant_parameter_info *first = info->numbers;
    group_spec                   s = {.keys = NULL};
    pliant__key                  keys[PLIANT__GROUP_KEYS];
    const pliant__object         object = {info->name, "", keys, pliant__group_keys(info, keys), NULL, 0};
    for (uint32_t i = 0; i < info->number_count; i++) s.number[i] = def->numbers[i];
    if (node->type == PLIANT__NODE_NUMBER) return pliant__read_number(r, node, first->low, first->high, false, &def->numbers[0]);
    if (!pliant__read_object(r, node, &object, &s)) return false;
    for (uint32_t i = 0; i < info->number_count; i++) def->numbers[i] = s.number[i];
    if (s.keys && pliant__node_get(node, first->name))
        return pliant__complain(r, s.keys, "\"%s\" and \"keys\" say the same thing twice", first->name);
    return !s.keys || read_keys(r, s.keys, info, def);
}

/* The one kind over faces, or over members, that an object has; NULL, and it complains. `node`: all of the object; `beside`: keys that are no kinds. */
static const pliant__node *find_kind(pliant__reader *r, const pliant__node *node, pliant_group_over over, const char *const *beside,
                                     pliant_group_kind *kind)
{
    const pliant__node *found = NULL;
    char                all[200] = "";
    for (int k = 0; k < PLIANT_GROUP_COUNT; k++) {
        const pliant_group_info *info = pliant_group_describe((pliant_group_kind)k);
        if (info->over == over) snprintf(all + strlen(all), sizeof all - strlen(all), "%s\"%s\"", *all ? " or " : "", info->name);
    }
    if (node->type != PLIANT__NODE_MAP) return pliant__expected(r, node, "an object"), NULL;
    for (const pliant__node *n = node->first; n; n = n->next) {
        int  k = 0;
        bool known = false;
        for (const char *const *b = beside; b && *b; b++) known = known || strcmp(n->key, *b) == 0;
        if (known) continue;
        while (k < PLIANT_GROUP_COUNT && (pliant_group_describe((pliant_group_kind)k)->over != over ||
                                          strcmp(n->key, pliant_group_describe((pliant_group_kind)k)->name) != 0))
            k++;
        if (k == PLIANT_GROUP_COUNT) return pliant__complain(r, n, "unknown key \"%.60s\"; needs %s", n->key, all), NULL;
        if (found) return pliant__complain(r, node, "needs exactly one of %s", all), NULL;
        *kind = (pliant_group_kind)k;
        found = n;
    }
    if (!found) pliant__complain(r, node, "needs exactly one of %s", all);
    return found;
}

static bool add_group(pliant__reader *r, const pliant__node *node, pliant_body body, const pliant_group_def *def)
{
    pliant_error inner = {0};
    inner.code = pliant_scene_group(r->scene, body, def, &inner);
    return inner.code == PLIANT_OK || pliant__blame(r, node, &inner);
}

/* ---- mouths ---- */

static const pliant__key mouth_keys[] = {
    {.name = "from",
     .type = PLIANT__KEY_DOUBLE,
     .low = 0,
     .high = 1e9,
     .offset = offsetof(pliant_mouth_def, from),
     .text = "s, when it opens; default 0"},
    {.name = "until",
     .type = PLIANT__KEY_DOUBLE,
     .low = 0,
     .above = true,
     .high = 1e9,
     .offset = offsetof(pliant_mouth_def, until),
     .text = "s, when it shuts; default never"},
    {.name = "discharge",
     .type = PLIANT__KEY_DOUBLE,
     .low = 0,
     .high = 1,
     .offset = offsetof(pliant_mouth_def, discharge),
     .text = "Area of the jet over that of the mouth; default 0.61, that of a hole with a sharp edge; 1: a round nozzle"},
    {.name = "density",
     .type = PLIANT__KEY_DOUBLE,
     .low = 1e-3,
     .high = 1e4,
     .offset = offsetof(pliant_mouth_def, density),
     .text = "kg/m^3 of the gas at 101,325 Pa; default 1.2, that of air"},
};
const pliant__object pliant__mouth_object = {"mouth", "An opening of a filled surface: the faces with all corners among these vertices",
                                             PLIANT__KEYS(mouth_keys), &pliant__selection_object, 0};

static const pliant__key pressure_keys[] = {
    {.name = "mouth",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"$ref\": \"#/$defs/mouth\"}",
     .text = "Of a gas: where it flows out and pushes the body by its jet"},
};
const pliant__object pliant__pressure_object = {"pressure", "", PLIANT__KEYS(pressure_keys), NULL, 0};

static bool read_mouth(pliant__reader *r, const pliant__node *node, pliant_body body, pliant_mouth_def *out)
{
    pliant__chosen chosen;
    if (!pliant__read_object(r, node, &pliant__mouth_object, out) || !pliant__choose(r, node, body, &chosen)) return false;
    out->vertices = chosen.ids;
    out->count = chosen.count;
    return true;
}

bool pliant__read_pressure(pliant__reader *r, const pliant__node *node, pliant_body body)
{
    static const char *const beside[] = {"mouth", NULL};
    pliant_group_kind        kind = PLIANT_GROUP_COUNT;
    const pliant__node *only = find_kind(r, node, PLIANT_OVER_FACES, beside, &kind), *mouth = only ? pliant__node_get(node, "mouth") : NULL;
    if (!only) return false;
    pliant_group_def def = pliant_group_def_default(kind);
    return read_group(r, only, pliant_group_describe(kind), &def) && (!mouth || read_mouth(r, mouth, body, &def.mouth)) &&
           add_group(r, node, body, &def);
}

/* ---- clusters ---- */

typedef struct shape_spec {
    pliant_real         cluster;
    const pliant__node *clusters;
} shape_spec;

static const pliant__key shape_keys[] = {
    {.name = "cluster",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .above = true,
     .high = DBL_MAX,
     .offset = offsetof(shape_spec, cluster),
     .text = "m, side of cubes that overlap by half, each a cluster of the particles in it; default: the whole body is one cluster"},
    {.name = "clusters",
     .type = PLIANT__KEY_NODE,
     .offset = offsetof(shape_spec, clusters),
     .schema =
         "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"integer\", "
         "\"minimum\": 0}}}",
     .text = "Instead: lists of vertices, each a cluster"},
};
const pliant__object pliant__shape_object = {"shape", "", PLIANT__KEYS(shape_keys), NULL, 0};

static bool read_cluster_list(pliant__reader *r, const pliant__node *list, uint32_t vertices, pliant_group_def *def)
{
    size_t all = 0, at = 0;
    if (!pliant__read_list(r, list, 1, "clusters")) return false;
    for (const pliant__node *n = list->first; n; n = n->next) {
        if (!pliant__read_list(r, n, 1, "vertices")) return false;
        all += n->count;
    }
    uint32_t *sizes = pliant__read_memory(r, list->count, sizeof *sizes), *members = pliant__read_memory(r, all, sizeof *members);
    if (!sizes || !members) return false;
    for (const pliant__node *n = list->first; n; n = n->next) {
        sizes[def->cluster_count++] = n->count;
        for (const pliant__node *v = n->first; v; v = v->next)
            if (!pliant__read_count(r, v, 0, vertices - 1.0, &members[at++])) return false;
    }
    def->cluster_sizes = sizes;
    def->cluster_members = members;
    return true;
}

/* Whether clusters have a number of this name from the body's material, unless they say it themselves. */
static bool takes_from_material(const pliant_group_info *info, const char *name)
{
    for (uint32_t i = 0; info->number_count > 2 && i < info->number_count; i++)
        if (strcmp(info->numbers[i].name, name) == 0) return true;
    return false;
}

/* Of a body that clusters alone hold: its young and poisson, said in the body or in a material of its own, are those of the clusters, or have no effect. */
static bool check_said_once(pliant__reader *r, const pliant__node *body, const pliant__node *kind, const pliant_group_info *info)
{
    static const char *const names[] = {"young", "poisson"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const pliant__node *own = pliant__node_get(body, names[i]);
        const pliant__node *said = own ? own : pliant__node_get(pliant__node_get(body, "material"), names[i]);
        const bool          first = strcmp(info->numbers[0].name, names[i]) == 0;
        if (!said) continue;
        if (!takes_from_material(info, names[i]))
            return pliant__complain(r, said,
                                    "has no effect on a body that \"%s\" clusters alone hold; leave it out, and say how stiff they are in "
                                    "\"shape\"",
                                    info->name);
        if (pliant__node_get(kind, names[i]) || (first && (kind->type == PLIANT__NODE_NUMBER || pliant__node_get(kind, "keys"))))
            return pliant__complain(r, said, "the body's \"shape\" says it too, and clusters alone hold the body; leave one of them out");
    }
    return true;
}

bool pliant__read_shape(pliant__reader *r, const pliant__node *node, pliant_body body, uint32_t vertices, const pliant_material *material,
                        const pliant__node *alone)
{
    static const char *const beside[] = {"cluster", "clusters", NULL};
    pliant_group_kind        kind = PLIANT_GROUP_COUNT;
    const pliant__node      *only = find_kind(r, node, PLIANT_OVER_MEMBERS, beside, &kind),
                       *size = only ? pliant__node_get(node, "cluster") : NULL, *list = only ? pliant__node_get(node, "clusters") : NULL;
    if (!only) return false;
    const pliant_group_info *info = pliant_group_describe(kind);
    pliant_group_def         def = pliant_group_def_default(kind);
    for (uint32_t i = 0; material && material->young > 0 && i < info->number_count; i++) {
        if (!takes_from_material(info, info->numbers[i].name)) continue;
        if (strcmp(info->numbers[i].name, "young") == 0) def.numbers[i] = (double)material->young;
        if (strcmp(info->numbers[i].name, "poisson") == 0) def.numbers[i] = (double)material->poisson;
    }
    if (alone && !check_said_once(r, alone, only, info)) return false;
    if (size && list) return pliant__complain(r, list, "\"cluster\" makes clusters already");
    if (size && !pliant__read_real(r, size, 0, DBL_MAX, true, &def.cluster)) return false;
    if (list && !read_cluster_list(r, list, vertices, &def)) return false;
    if (!read_group(r, only, info, &def) || !add_group(r, node, body, &def)) return false;
    r->scene->groups.data[r->scene->groups.count - 1].line = node->line;
    return true;
}
