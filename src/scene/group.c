/* Groups: what closed surfaces of bodies are filled with. */
#include "scene/builder.h"
#include "scene/closed.h"

#include "base/float_env.h"

pliant_group_def pliant_group_def_default(pliant_group_kind kind)
{
    const pliant_group_info *info = pliant_group_describe(kind);
    pliant_group_def         def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.kind = kind;
    for (uint32_t i = 0; info && i < info->number_count; i++) def.numbers[i] = info->numbers[i].usual;
    return def;
}

static bool check_number(const pliant_parameter_info *info, double value, pliant_error *error)
{
    if (value >= info->low && value <= info->high) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s must be from %g to %g %s, not %g", info->name, info->low, info->high,
                        strcmp(info->unit, "1") ? info->unit : "", value);
}

static bool check_group(const pliant__draft_body *body, const pliant_group_def *def, pliant_error *error)
{
    const pliant_group_info *info = pliant_group_describe(def->kind);
    if (!info) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "there is no kind %d of groups", (int)def->kind);
    if (body->tear > 0)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "body \"%s\" tears, and what tears holds nothing inside", body->name);
    if (body->has_group) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "body \"%s\" is filled already", body->name);
    for (uint32_t i = 0; i < info->number_count; i++)
        if (!check_number(&info->numbers[i], def->numbers[i], error)) return false;
    if (!def->key_count) return true;
    if (!def->key_times || !def->key_values) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "keys need key_times and key_values");
    if (!pliant__fits(0, def->key_count, "keys", error) || !pliant__check_times(def->key_times, def->key_count, error)) return false;
    for (size_t i = 0; i < def->key_count; i++)
        if (!check_number(&info->numbers[0], def->key_values[i], error)) return false;
    return true;
}

pliant_code pliant_scene_group(pliant_scene *scene, pliant_body body, const pliant_group_def *def, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    pliant__shells shells;
    if (!pliant__check_call(scene, def, error) ||
        !pliant__check_size(def->size, sizeof *def, "pliant_group_def", "pliant_group_def_default", error))
        return PLIANT_ERROR_ARGUMENT;
    pliant__draft_body *found = pliant__find_body(scene, body, error);
    if (!found || !check_group(found, def, error) || !pliant__fits(scene->group_key_times.count, def->key_count, "keys", error))
        return PLIANT_ERROR_ARGUMENT;
    const bool closed = pliant__find_shells(scene, found, &shells, error);
    pliant__free_shells(&scene->allocator, &shells);
    if (!closed) return error && error->code == PLIANT_ERROR_MEMORY ? PLIANT_ERROR_MEMORY : PLIANT_ERROR_ARGUMENT;
    if (!array_reserve(&scene->allocator, &scene->groups, 1) ||
        !array_reserve(&scene->allocator, &scene->group_key_times, def->key_count) ||
        !array_reserve(&scene->allocator, &scene->group_key_values, def->key_count)) {
        pliant__fail_memory(error, def->key_count * 2 * sizeof(double) + sizeof *scene->groups.data, "a group");
        return PLIANT_ERROR_MEMORY;
    }
    pliant__draft_group group = {.body = body.id - 1,
                                 .kind = (uint32_t)def->kind,
                                 .key_first = (uint32_t)scene->group_key_times.count,
                                 .key_count = (uint32_t)def->key_count};
    for (uint32_t i = 0; i < pliant_group_describe(def->kind)->number_count; i++) group.number[i] = def->numbers[i];
    scene->groups.data[scene->groups.count++] = group;
    for (size_t i = 0; i < def->key_count; i++) {
        scene->group_key_times.data[scene->group_key_times.count++] = def->key_times[i];
        scene->group_key_values.data[scene->group_key_values.count++] = def->key_values[i];
    }
    found->has_group = true;
    return PLIANT_OK;
}
