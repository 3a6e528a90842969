/* Groups: what closed surfaces of bodies are filled with, and clusters that keep their shape. */
#include "scene/builder.h"
#include "scene/closed.h"

#include "base/float_env.h"

pliant_mouth_def pliant_mouth_def_default(void)
{
    const pliant_mouth_def def = {.size = sizeof def, .discharge = 0.61, .density = 1.2};
    return def;
}

pliant_group_def pliant_group_def_default(pliant_group_kind kind)
{
    const pliant_group_info *info = pliant_group_describe(kind);
    pliant_group_def         def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.kind = kind;
    def.mouth = pliant_mouth_def_default();
    for (uint32_t i = 0; info && i < info->number_count; i++) def.numbers[i] = info->numbers[i].usual;
    return def;
}

/* What numbers that may be 0 are at least where they are not. */
static double least_of(const pliant_parameter_info *info)
{
    if (strcmp(info->unit, "kg/m^3") == 0) return 1e-6;
    return strcmp(info->unit, "m^3") == 0 ? 1e-15 : 0;
}

static bool check_number(const pliant_parameter_info *info, double value, pliant_error *error)
{
    const double least = least_of(info);
    const bool   tiny = value > 0 && value < least;
    if (value >= info->low && value <= info->high && !tiny) return true;
    if (tiny)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s must be 0 or at least %g %s, not %g", info->name, least, info->unit, value);
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s must be from %g to %g %s, not %g", info->name, info->low, info->high,
                        strcmp(info->unit, "1") ? info->unit : "", value);
}

/* The number of that name, 0 of kinds that have none. */
static double number_said(const pliant_group_info *info, const double *numbers, const char *name)
{
    for (uint32_t i = 0; i < info->number_count; i++)
        if (strcmp(info->numbers[i].name, name) == 0) return numbers[i];
    return 0;
}

static bool check_yield(const pliant_group_info *info, const double *numbers, pliant_error *error)
{
    static const char *const of_yield[] = {"creep", "hardening", "most"};
    for (size_t i = 0; i < sizeof of_yield / sizeof *of_yield; i++)
        if (number_said(info, numbers, of_yield[i]) > 0 && !(number_said(info, numbers, "yield") > 0))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s: creep, hardening and most are those of what yields; say a yield above 0",
                                info->name);
    return true;
}

static bool check_keys(const pliant_group_info *info, const pliant_group_def *def, pliant_error *error)
{
    if (!def->key_count) return true;
    if (!def->key_times || !def->key_values) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "keys need key_times and key_values");
    if (!pliant__fits(0, def->key_count, "keys", error) || !pliant__check_times(def->key_times, def->key_count, error)) return false;
    for (size_t i = 0; i < def->key_count; i++)
        if (!check_number(&info->numbers[0], def->key_values[i], error)) return false;
    return true;
}

#define MOST_CUBES 1e5 /* along an axis */

static bool check_cubes(const pliant_scene *scene, const pliant__draft_body *body, double side, pliant_error *error)
{
    pliant_vec3 low = scene->particles.data[body->first_particle].x, high = low;
    for (uint32_t i = 1; i < body->particle_count; i++) {
        const pliant_vec3 x = scene->particles.data[body->first_particle + i].x;
        low = v3(r_min(low.x, x.x), r_min(low.y, x.y), r_min(low.z, x.z));
        high = v3(r_max(high.x, x.x), r_max(high.y, x.y), r_max(high.z, x.z));
    }
    const pliant_vec3 size = v3_sub(high, low);
    const double      most = (double)r_max(r_max(size.x, size.y), size.z);
    return most <= MOST_CUBES * side ||
           pliant__fail(error, PLIANT_ERROR_ARGUMENT, "cubes of side %g are too small for a body that is %g m long: take at least %g", side,
                        most, most / MOST_CUBES);
}

/* Counts the members of clusters as listed. */
static bool check_clusters(const pliant_scene *scene, const pliant__draft_body *body, const pliant_group_def *def, uint64_t *members,
                           pliant_error *error)
{
    *members = 0;
    if (!pliant__check_not_negative(def->cluster, "cluster", error)) return false;
    if (!def->cluster_count) return !(def->cluster > 0) || check_cubes(scene, body, (double)def->cluster, error);
    if (def->cluster > 0) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "clusters are listed, or cubes of side \"cluster\", not both");
    if (!def->cluster_sizes || !def->cluster_members)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "clusters need cluster_sizes and cluster_members");
    if (!pliant__fits(scene->group_cluster_sizes.count, def->cluster_count, "clusters", error)) return false;
    for (size_t i = 0; i < def->cluster_count; i++) {
        if (!def->cluster_sizes[i]) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "cluster %zu has no vertices", i);
        for (uint32_t k = 0; k < def->cluster_sizes[i]; k++)
            if (def->cluster_members[*members + k] >= body->vertex_count)
                return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "cluster %zu has vertex %u; body \"%s\" has %u vertices", i,
                                    def->cluster_members[*members + k], body->name, body->vertex_count);
        *members += def->cluster_sizes[i];
    }
    return pliant__fits(scene->group_cluster_members.count, *members, "members of clusters", error);
}

/* ---- mouths ---- */

static bool check_between(double value, double low, double high, const char *what, const char *unit, pliant_error *error)
{
    return (value >= low && value <= high) ||
           pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the mouth's %s must be from %g to %g%s, not %g", what, low, high, unit, value);
}

static bool check_mouth_numbers(const pliant__draft_body *body, const pliant_group_def *def, pliant_error *error)
{
    const pliant_mouth_def *m = &def->mouth;
    if (!pliant__check_size(m->size, sizeof *m, "pliant_mouth_def", "pliant_mouth_def_default", error)) return false;
    if (!m->count) return true;
    if (def->kind != PLIANT_GROUP_GAS)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a mouth lets a gas out: fill the body with a gas");
    if (!m->vertices) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the mouth needs vertices");
    for (size_t i = 0; i < m->count; i++)
        if (m->vertices[i] >= body->vertex_count)
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the mouth has vertex %u; body \"%s\" has %u vertices", m->vertices[i],
                                body->name, body->vertex_count);
    if (m->until > 0 && !(m->until > m->from))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the mouth shuts at %g s, and opens at %g s only", m->until, m->from);
    return check_between(m->from, 0, 1e9, "from", " s", error) && check_between(m->until, 0, 1e9, "until", " s", error) &&
           check_between(m->discharge, 0, 1, "discharge", "", error) && check_between(m->density, 1e-3, 1e4, "density", " kg/m^3", error);
}

#define LARGEST_MOUTH 0.25 /* of a closed part's area: with 0.39 a jet made 231 J in a scene of 8,470, and with 0.25 none */

/* m^2, of a triangle of a shell. */
static double area_of(const pliant_scene *scene, const pliant__shells *shells, uint32_t triangle)
{
    const uint32_t   *corner = shells->corners + 3 * (size_t)triangle;
    const pliant_vec3 p = scene->particles.data[corner[0]].x;
    return 0.5 * (double)v3_length(v3_cross(v3_sub(scene->particles.data[corner[1]].x, p), v3_sub(scene->particles.data[corner[2]].x, p)));
}

/* The mouth has a face, and is no more than a quarter of each part that it is of. */
static bool check_mouth_faces(const pliant_scene *scene, const pliant__draft_body *body, const pliant_group_def *def,
                              const pliant__shells *shells, pliant_error *error)
{
    uint32_t all = 0;
    uint8_t *in = def->mouth.count ? pliant__alloc_array(&scene->allocator, scene->particles.count, 1) : NULL;
    if (!def->mouth.count) return true;
    if (!in) return pliant__fail_memory(error, scene->particles.count, "a mouth");
    for (size_t i = 0; i < def->mouth.count; i++) in[scene->vertex_particle.data[body->first_vertex + def->mouth.vertices[i]]] = 1;
    bool ok = true;
    for (uint32_t k = 0; ok && k < shells->count; k++) {
        const pliant__shell *shell = &shells->shells[k];
        double               open = 0, whole = 0;
        for (uint32_t i = 0; i < shell->count; i++) {
            const bool   is_open = pliant__is_of_mouth(shells, shell, i, in);
            const double area = area_of(scene, shells, shell->first + i);
            all += is_open;
            open += is_open ? area : 0;
            whole += area;
        }
        ok = open <= LARGEST_MOUTH * whole ||
             pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                          "the mouth is %.2g of the area of a closed part of body \"%s\", at most a quarter can be: choose fewer vertices",
                          open / whole, body->name);
    }
    pliant__free(&scene->allocator, in);
    return ok &&
           (all ||
            pliant__fail(
                error, PLIANT_ERROR_ARGUMENT,
                "no face of body \"%s\" has all its corners among the %zu vertices of the mouth: choose those around the opening, too",
                body->name, def->mouth.count));
}

/* Each part has a volume at rest: that inside it at the start, or one that is said, of the only part. */
static bool check_volume(const pliant__draft_body *body, const pliant_group_info *info, const pliant_group_def *def,
                         const pliant__shells *shells, pliant_error *error)
{
    const bool said = pliant__volume_said(info, def->numbers) > 0;
    if (said && shells->count > 1)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "\"volume\" is of one closed part, and body \"%s\" has %u: make a body of each",
                            body->name, shells->count);
    for (uint32_t k = 0; !said && k < shells->count; k++)
        if (shells->shells[k].flat_from != PLIANT__NONE)
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                                "the surface of body \"%s\" has no volume inside, from vertex %u on: say the \"volume\" of a gas",
                                body->name, shells->shells[k].flat_from);
    return true;
}

static bool check_over(const pliant_scene *scene, const pliant__draft_body *body, const pliant_group_info *info,
                       const pliant_group_def *def, uint64_t *members, pliant_error *error)
{
    *members = 0;
    if (!check_mouth_numbers(body, def, error)) return false;
    if (info->over == PLIANT_OVER_MEMBERS) return check_clusters(scene, body, def, members, error);
    if (def->cluster > 0 || def->cluster_count)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "clusters are of shape matching, not of a %s", info->name);
    pliant__shells shells;
    const bool     ok = pliant__find_shells(scene, body, &shells, error) && check_volume(body, info, def, &shells, error) &&
                    check_mouth_faces(scene, body, def, &shells, error);
    pliant__free_shells(&scene->allocator, &shells);
    return ok;
}

static bool check_group(const pliant_scene *scene, const pliant__draft_body *body, const pliant_group_def *def, uint64_t *members,
                        pliant_error *error)
{
    const pliant_group_info *info = pliant_group_describe(def->kind);
    if (!info) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "there is no kind %d of groups", (int)def->kind);
    if (body->tear > 0)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "body \"%s\" tears, and what tears has no pressure and no shape", body->name);
    if (body->has_groups & 1u << info->over)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                            info->over == PLIANT_OVER_FACES ? "body \"%s\" is filled already" : "body \"%s\" has clusters already",
                            body->name);
    for (uint32_t i = 0; i < info->number_count; i++)
        if (!check_number(&info->numbers[i], def->numbers[i], error)) return false;
    return check_yield(info, def->numbers, error) && check_keys(info, def, error) && check_over(scene, body, info, def, members, error);
}

static bool reserve(pliant_scene *scene, const pliant_group_def *def, uint64_t members, pliant_error *error)
{
    const pliant_allocator *a = &scene->allocator;
    return (array_reserve(a, &scene->groups, 1) && array_reserve(a, &scene->group_key_times, def->key_count) &&
            array_reserve(a, &scene->group_key_values, def->key_count) &&
            array_reserve(a, &scene->group_cluster_sizes, def->cluster_count) &&
            array_reserve(a, &scene->group_cluster_members, (size_t)members) && array_reserve(a, &scene->group_mouths, def->mouth.count)) ||
           pliant__fail_memory(error,
                               def->key_count * 2 * sizeof(double) + ((size_t)members + def->mouth.count) * sizeof(uint32_t) +
                                   sizeof *scene->groups.data,
                               "a group");
}

pliant_code pliant_scene_group(pliant_scene *scene, pliant_body body, const pliant_group_def *def, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    pliant_error inner = {0};
    uint64_t     members = 0;
    if (!error) error = &inner;
    error->code = PLIANT_OK;
    if (!pliant__check_call(scene, def, error) ||
        !pliant__check_size(def->size, sizeof *def, "pliant_group_def", "pliant_group_def_default", error))
        return PLIANT_ERROR_ARGUMENT;
    pliant__draft_body *found = pliant__find_body(scene, body, error);
    if (!found || !check_group(scene, found, def, &members, error) ||
        !pliant__fits(scene->group_key_times.count, def->key_count, "keys", error) ||
        !pliant__fits(scene->group_mouths.count, def->mouth.count, "vertices of mouths", error) || !reserve(scene, def, members, error))
        return error->code == PLIANT_ERROR_MEMORY ? PLIANT_ERROR_MEMORY : PLIANT_ERROR_ARGUMENT;
    pliant__draft_group      group = {.body = body.id - 1,
                                      .kind = (uint32_t)def->kind,
                                      .key_first = (uint32_t)scene->group_key_times.count,
                                      .key_count = (uint32_t)def->key_count,
                                      .cluster = (double)def->cluster,
                                      .size_first = (uint32_t)scene->group_cluster_sizes.count,
                                      .size_count = (uint32_t)def->cluster_count,
                                      .member_first = (uint32_t)scene->group_cluster_members.count,
                                      .mouth_first = (uint32_t)scene->group_mouths.count,
                                      .mouth_count = (uint32_t)def->mouth.count,
                                      .from = def->mouth.from,
                                      .until = def->mouth.until,
                                      .discharge = def->mouth.discharge,
                                      .density = def->mouth.density};
    const pliant_group_info *info = pliant_group_describe(def->kind);
    for (uint32_t i = 0; i < info->number_count; i++) group.number[i] = def->numbers[i];
    scene->groups.data[scene->groups.count++] = group;
    for (size_t i = 0; i < def->key_count; i++) {
        scene->group_key_times.data[scene->group_key_times.count++] = def->key_times[i];
        scene->group_key_values.data[scene->group_key_values.count++] = def->key_values[i];
    }
    for (size_t i = 0; i < def->cluster_count; i++)
        scene->group_cluster_sizes.data[scene->group_cluster_sizes.count++] = def->cluster_sizes[i];
    for (size_t i = 0; i < members; i++)
        scene->group_cluster_members.data[scene->group_cluster_members.count++] =
            scene->vertex_particle.data[found->first_vertex + def->cluster_members[i]];
    for (size_t i = 0; i < def->mouth.count; i++)
        scene->group_mouths.data[scene->group_mouths.count++] = scene->vertex_particle.data[found->first_vertex + def->mouth.vertices[i]];
    found->has_groups = (uint8_t)(found->has_groups | 1u << info->over);
    return PLIANT_OK;
}
