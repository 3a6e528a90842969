/* Contact pairs: friction, restitution and adhesion between two bodies, or a body and a collider. */
#include "scene/builder.h"
#include "scene/settings.h"

pliant_contact_pair_def pliant_contact_pair_def_default(void)
{
    pliant_contact_pair_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
#define X(name, left_out, ...) def.name = left_out;
    CONTACT_PAIR_NUMBERS(X)
#undef X
    return def;
}

static bool check_given(const pliant_contact_pair_def *def, pliant_error *error)
{
    bool any = false;
#define X(name, left_out, check, ...)                                                             \
    if (def->name != (left_out) && !pliant__check_##check(def->name, #name, error)) return false; \
    any = any || def->name != (left_out);
    CONTACT_PAIR_NUMBERS(X)
#undef X
    if (def->ignore && any)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "what ignores each other does not touch; leave out either ignore or the rest");
    return def->ignore || any ||
           pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a contact pair says nothing; give friction, restitution, adhesion or ignore");
}

/* Adhesion reaches as far as a part of the distance at which body and collider touch: one of them needs a thickness. */
static bool check_adhesion(const pliant_scene *scene, const pliant_contact_pair_def *def, pliant_error *error)
{
    const pliant_collider_def *with = &scene->colliders.data[def->collider.id - 1].def;
    if (with->stick) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a collider with stick has no adhesion");
    return with->thickness + scene->bodies.data[def->body.id - 1].material.thickness > 0 ||
           pliant__fail(
               error, PLIANT_ERROR_ARGUMENT,
               "adhesion acts from within a quarter of the distance at which two touch; give the body or the collider a thickness");
}

static bool check_collider(const pliant_scene *scene, const pliant_contact_pair_def *def, pliant_error *error)
{
    if (def->other.id)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                            "a contact pair is of a body and another, or of a body and a collider, not of three");
    if (def->collider.id > scene->colliders.count)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "there is no collider with id %u", def->collider.id);
    return !(def->adhesion > 0) || check_adhesion(scene, def, error);
}

static bool is_same(const pliant_contact_pair_def *a, const pliant_contact_pair_def *b)
{
    if (a->collider.id || b->collider.id) return a->collider.id == b->collider.id && a->body.id == b->body.id;
    return (a->body.id == b->body.id && a->other.id == b->other.id) || (a->body.id == b->other.id && a->other.id == b->body.id);
}

static bool check_new(const pliant_scene *scene, const pliant_contact_pair_def *def, pliant_error *error)
{
    for (size_t i = 0; i < scene->contact_pairs.count; i++)
        if (is_same(&scene->contact_pairs.data[i], def))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "these two are contact pair %zu already; say all of them there", i);
    return true;
}

pliant_code pliant_scene_contact_pair(pliant_scene *scene, const pliant_contact_pair_def *def, pliant_error *error)
{
    if (!pliant__check_call(scene, def, error) ||
        !pliant__check_size(def->size, sizeof *def, "pliant_contact_pair_def", "pliant_contact_pair_def_default", error) ||
        !pliant__find_body(scene, def->body, error) ||
        !(def->collider.id ? check_collider(scene, def, error) : pliant__find_body(scene, def->other, error) != NULL) ||
        !check_given(def, error) || !check_new(scene, def, error) || !pliant__fits(scene->contact_pairs.count, 1, "contact pairs", error))
        return PLIANT_ERROR_ARGUMENT;
    if (!array_push(&scene->allocator, &scene->contact_pairs, *def)) {
        pliant__fail_memory(error, sizeof *def, "a contact pair");
        return PLIANT_ERROR_MEMORY;
    }
    return PLIANT_OK;
}
