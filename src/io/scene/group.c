/* What a body's closed surface is filled with: its "pressure". */
#include "io/scene/keys.h"

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
    const pliant__object object = {"pressure_key", "", PLIANT__KEYS(rows), NULL, 0};
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

bool pliant__read_group(pliant__reader *r, const pliant__node *node, pliant_body body)
{
    const char  *words[PLIANT_GROUP_COUNT + 1] = {NULL};
    pliant_error inner = {0};
    char         all[200] = "";
    for (int k = 0; k < PLIANT_GROUP_COUNT; k++) words[k] = pliant_group_describe((pliant_group_kind)k)->name;
    if (node->type != PLIANT__NODE_MAP) return pliant__expected(r, node, "an object");
    for (int k = 0; k < PLIANT_GROUP_COUNT; k++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s\"%s\"", k ? " or " : "", words[k]);
    if (node->count != 1) return pliant__complain(r, node, "needs exactly one of %s", all);
    const pliant__node *only = node->first;
    for (int k = 0; k < PLIANT_GROUP_COUNT; k++) {
        if (strcmp(only->key, words[k]) != 0) continue;
        pliant_group_def def = pliant_group_def_default((pliant_group_kind)k);
        if (!read_group(r, only, pliant_group_describe((pliant_group_kind)k), &def)) return false;
        inner.code = pliant_scene_group(r->scene, body, &def, &inner);
        return inner.code == PLIANT_OK || pliant__blame(r, node, &inner);
    }
    return pliant__complain(r, only, "unknown key \"%.60s\"; needs %s", only->key, all);
}
