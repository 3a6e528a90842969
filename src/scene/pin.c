/* Pins and attachments. */
#include "scene/builder.h"

#include "base/float_env.h"

/* Everything is checked before anything changes, so that an error leaves no vertex half pinned. */
static pliant__draft_body *check_vertices(pliant_scene *scene, pliant_body body, const uint32_t *vertices, size_t count,
                                          pliant_error *error)
{
    if (!pliant__check_call(scene, scene, error)) return NULL;
    if (!vertices && count) {
        pliant__fail(error, PLIANT_ERROR_ARGUMENT, "vertices is NULL, but there are %zu", count);
        return NULL;
    }
    pliant__draft_body *found = pliant__find_body(scene, body, error);
    for (size_t i = 0; found && i < count; i++)
        if (pliant__find_particle(scene, body, vertices[i], error) == PLIANT__NONE) return NULL;
    return found;
}

static pliant__draft_particle *particle_at(pliant_scene *scene, const pliant__draft_body *body, uint32_t vertex)
{
    return &scene->particles.data[scene->vertex_particle.data[body->first_vertex + vertex]];
}

pliant_code pliant_scene_pin(pliant_scene *scene, pliant_body body, const uint32_t *vertices, size_t count, bool releasable,
                             pliant_error *error)
{
    const pliant__draft_body *found = check_vertices(scene, body, vertices, count, error);
    if (!found) return PLIANT_ERROR_ARGUMENT;
    for (size_t i = 0; i < count && !releasable; i++)
        if (particle_at(scene, found, vertices[i])->attached) {
            pliant__fail(error, PLIANT_ERROR_ARGUMENT, "vertex %u is attached to a target, so it cannot be pinned for ever", vertices[i]);
            return PLIANT_ERROR_ARGUMENT;
        }
    for (size_t i = 0; i < count; i++) {
        pliant__draft_particle *p = particle_at(scene, found, vertices[i]);
        if (p->pin != PLIANT__ANCHOR) p->pin = releasable ? PLIANT__RELEASABLE : PLIANT__ANCHOR;
        p->v = v3(0, 0, 0);
    }
    return PLIANT_OK;
}

/* Appends a target per vertex, with its number in the body's list. */
static bool add_targets(pliant_scene *scene, pliant__draft_body *body, const uint32_t *vertices, size_t count, bool soft,
                        const pliant_vec3 *positions, pliant_error *error)
{
    if (!pliant__fits(scene->particles.count + scene->targets.count, count, "particles and targets", error)) return false;
    if (!array_reserve(&scene->allocator, &scene->targets, count) || !array_reserve(&scene->allocator, &body->targets, count))
        return pliant__fail_memory(error, count * sizeof(pliant__draft_target), "targets");
    for (size_t i = 0; i < count; i++) {
        pliant__draft_target target = {(uint32_t)(body - scene->bodies.data), 0, soft, {0, 0, 0}, 0, 0, 0};
        target.particle = scene->vertex_particle.data[body->first_vertex + vertices[i]];
        target.x = positions ? positions[i] : scene->particles.data[target.particle].x;
        body->targets.data[body->targets.count++] = (uint32_t)scene->targets.count;
        scene->targets.data[scene->targets.count++] = target;
    }
    return true;
}

static bool check_attachable(const pliant__draft_particle *p, uint32_t vertex, pliant_error *error)
{
    if (p->pin == PLIANT__ANCHOR)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                            "vertex %u is pinned for ever, so it cannot be attached; pin it releasably, or not", vertex);
    if (p->attached == PLIANT__BY_SKIN)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                            "vertex %u is where its skinned target is (max_distance 0), so it cannot be attached to another target",
                            vertex);
    return true;
}

pliant_code pliant_scene_attach(pliant_scene *scene, pliant_body body, const uint32_t *vertices, size_t count, pliant_error *error)
{
    pliant_error        mine = {PLIANT_OK, 0, "", ""};
    pliant__draft_body *found = check_vertices(scene, body, vertices, count, &mine);
    if (!found) return pliant__answer(false, &mine, error);
    for (size_t i = 0; i < count; i++)
        if (!check_attachable(particle_at(scene, found, vertices[i]), vertices[i], &mine)) return pliant__answer(false, &mine, error);
    if (!add_targets(scene, found, vertices, count, false, NULL, &mine)) return pliant__answer(false, &mine, error);
    for (size_t i = 0; i < count; i++) {
        pliant__draft_particle *p = particle_at(scene, found, vertices[i]);
        p->pin = PLIANT__RELEASABLE;
        p->attached = PLIANT__BY_TARGET;
        p->v = v3(0, 0, 0);
    }
    return PLIANT_OK;
}

pliant_code pliant_scene_attach_soft(pliant_scene *scene, pliant_body body, const uint32_t *vertices, size_t count, const pliant_law *law,
                                     const pliant_vec3 *positions, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    pliant_error        mine = {PLIANT_OK, 0, "", ""};
    pliant__draft_body *found = check_vertices(scene, body, vertices, count, &mine);
    if (!found || !pliant__check_call(scene, law, &mine) || !pliant__check_law(law, PLIANT_CONSTRAINT_ATTACHMENT, "", &mine) ||
        !pliant__fits(scene->constraints.count, count, "constraints", &mine))
        return pliant__answer(false, &mine, error);
    for (size_t i = 0; i < count && positions; i++)
        if (!v3_finite(positions[i])) {
            pliant__fail(&mine, PLIANT_ERROR_ARGUMENT, "target %zu: its position is not finite", i);
            return pliant__answer(false, &mine, error);
        }
    if (!count) return PLIANT_OK;
    const pliant__mark mark = pliant__scene_mark(scene);
    const uint32_t     number = pliant__loose_law(scene, PLIANT_CONSTRAINT_ATTACHMENT, "attachment", law);
    if (number == PLIANT__NONE || !array_reserve(&scene->allocator, &scene->constraints, count))
        pliant__fail_memory(&mine, count * sizeof *scene->constraints.data, "attachments");
    else
        add_targets(scene, found, vertices, count, true, positions, &mine);
    if (mine.code) {
        pliant__scene_rollback(scene, &mark);
        return pliant__answer(false, &mine, error);
    }
    for (size_t i = 0; i < count; i++) {
        pliant__draft_constraint c;
        memset(&c, 0, sizeof c);
        c.kind = PLIANT_CONSTRAINT_ATTACHMENT;
        c.law = number;
        c.body = body.id - 1;
        for (uint32_t s = 2; s < PLIANT__OWN_SLOTS; s++) c.particles[s] = PLIANT__NONE;
        c.particles[0] = scene->vertex_particle.data[found->first_vertex + vertices[i]];
        c.particles[1] = PLIANT__TARGET_SLOT | (uint32_t)(mark.targets + i);
        scene->constraints.data[scene->constraints.count++] = c;
    }
    return PLIANT_OK;
}

/* ---- keys ---- */

static bool check_keys(const pliant__draft_body *body, uint32_t first, uint32_t count, const double *times, size_t key_count,
                       const pliant_vec3 *positions, pliant_error *error)
{
    if (!count || (uint64_t)first + count > body->targets.count)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "targets %u to %llu are asked for, but body \"%s\" has %zu", first,
                            (unsigned long long)first + count - 1, body->name, body->targets.count);
    if (!key_count || !times || !positions)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "there are no keys; give times and positions");
    if (!pliant__fits(0, key_count, "keys", error) || !pliant__fits(0, (uint64_t)key_count * count, "keys", error)) return false;
    if (!pliant__check_times(times, key_count, error)) return false;
    for (size_t i = 0; i < key_count * count; i++)
        if (!v3_finite(positions[i]))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "key %zu: the position of target %zu is not finite", i / count,
                                first + i % count);
    return true;
}

bool pliant__keep_key_times(pliant_scene *scene, const double *times, size_t key_count, size_t count, uint32_t *first, pliant_error *error)
{
    const size_t keys = key_count * count;
    if (!array_reserve(&scene->allocator, &scene->target_key_times, key_count) ||
        !array_reserve(&scene->allocator, &scene->target_key_positions, keys))
        return pliant__fail_memory(error, keys * sizeof(pliant_vec3) + key_count * sizeof *times, "keys");
    *first = (uint32_t)scene->target_key_times.count;
    for (size_t k = 0; k < key_count; k++) scene->target_key_times.data[scene->target_key_times.count++] = times[k];
    return true;
}

uint32_t pliant__keep_key_positions(pliant_scene *scene, const pliant_vec3 *positions, size_t key_count, size_t each)
{
    const uint32_t first = (uint32_t)scene->target_key_positions.count;
    for (size_t k = 0; k < key_count; k++) scene->target_key_positions.data[scene->target_key_positions.count++] = positions[k * each];
    return first;
}

pliant_code pliant_scene_key_targets(pliant_scene *scene, pliant_body body, uint32_t first, uint32_t count, const double *times,
                                     size_t key_count, const pliant_vec3 *positions, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    const pliant__draft_body *found = pliant__check_call(scene, scene, error) ? pliant__find_body(scene, body, error) : NULL;
    if (!found || !check_keys(found, first, count, times, key_count, positions, error) ||
        !pliant__fits(scene->target_key_times.count, key_count, "keys", error) ||
        !pliant__fits(scene->target_key_positions.count, (uint64_t)key_count * count, "keys", error))
        return PLIANT_ERROR_ARGUMENT;
    uint32_t time_first;
    if (!pliant__keep_key_times(scene, times, key_count, count, &time_first, error)) return PLIANT_ERROR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        pliant__draft_target *target = &scene->targets.data[found->targets.data[first + i]];
        target->time_first = time_first;
        target->key_first = pliant__keep_key_positions(scene, positions + i, key_count, count);
        target->key_count = (uint32_t)key_count;
    }
    return PLIANT_OK;
}
