/* A scene's life: create, destroy, and changes of whole bodies. */
#include "scene/builder.h"

#include "base/float_env.h"
#include "scene/settings.h"

pliant_scene_def pliant_scene_def_default(void)
{
    pliant_scene_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.gravity = v3(0, (pliant_real)-9.81, 0);
    def.substeps = 10;
    def.frame = 1.0 / 60;
    def.iterations = 1;
    def.order = PLIANT_ORDER_COLOUR;
    def.method = pliant_method_def_default();
    def.max_speed = 10000;
    def.on_divergence = PLIANT_DIVERGENCE_STOPS;
    def.on_energy = PLIANT_ENERGY_IGNORED;
    def.quality = PLIANT_QUALITY_GIVEN;
    def.easing = PLIANT_EASING_AS_NEEDED;
    def.integration = PLIANT_INTEGRATION_FIRST_ORDER;
    def.contact_bound = PLIANT_CONTACT_BOUND_PATHS;
    return def;
}

static bool check_count(uint32_t value, const char *what, pliant_error *error)
{
    if (value >= 1 && value <= 10000) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s must be from 1 to 10000, not %u", what, value);
}

static bool check_substep(const pliant_scene_def *def, pliant_error *error)
{
    if (def->substep == 0 && def->substep_rest != PLIANT_SUBSTEP_SPREAD)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "substep_rest is for substeps of a fixed length: say substep, in seconds");
    if (def->substep == 0 || (def->substep >= 1e-6 && def->substep <= 1)) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "substep must be from 1e-6 to 1 s, or 0, not %g", def->substep);
}

static bool check_quality(const pliant_scene_def *def, pliant_error *error)
{
    if (!(def->frame >= 1e-6 && def->frame <= 1))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "frame must be from 1e-6 to 1 s, not %g", def->frame);
    if (def->quality == PLIANT_QUALITY_GIVEN ||
        (def->substep == 0 && def->iterations == 1 && def->method.method == PLIANT_METHOD_GAUSS_SEIDEL &&
         def->integration != PLIANT_INTEGRATION_BDF2))
        return true;
    return pliant__fail(
        error, PLIANT_ERROR_ARGUMENT,
        "quality chooses substeps of one iteration of gauss_seidel; leave it out, or substep, iterations, method and integration");
}

static bool check_sleep(const pliant_scene_def *def, pliant_error *error)
{
    if (!(def->sleep_speed > 0) || def->integration != PLIANT_INTEGRATION_BDF2) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "sleep_speed does not go with bdf2, which keeps a history; leave one of them out");
}

static bool check_settings(const pliant_scene_def *def, pliant_error *error)
{
    if (!pliant__check_size(def->size, sizeof *def, "pliant_scene_def", "pliant_scene_def_default", error)) return false;
    if (!def->allocator.alloc != !def->allocator.release)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the allocator needs both alloc and release, or neither");
#define X(type, name, last) \
    if (!pliant__check_choice((int)def->name, (int)(last) + 1, #name, error)) return false;
    SCENE_CHOICES(X)
#undef X
#define X(name, check) \
    if (!pliant__check_##check(def->name, #name, error)) return false;
    SCENE_NUMBERS(X)
#undef X
    return pliant__check_vector(def->gravity, "gravity", error) && check_count(def->substeps, "substeps", error) &&
           check_count(def->iterations, "iterations", error) && pliant__check_method(&def->method, error) && check_substep(def, error) &&
           check_quality(def, error) && check_sleep(def, error);
}

pliant_scene *pliant_scene_create(const pliant_scene_def *def, pliant_error *error)
{
    pliant_scene_def settings = def ? *def : pliant_scene_def_default();
    if (!check_settings(&settings, error)) return NULL;
    pliant_scene *scene = pliant__alloc(&settings.allocator, sizeof *scene);
    if (!scene) {
        pliant__fail_memory(error, sizeof *scene, "a scene");
        return NULL;
    }
    scene->settings = settings;
    scene->allocator = settings.allocator;
    return scene;
}

void pliant_scene_destroy(pliant_scene *scene)
{
    if (!scene) return;
    const pliant_allocator allocator = scene->allocator;
    const pliant__mark     empty = {0};
    pliant__scene_rollback(scene, &empty); /* frees what bodies hold */
#define FREE(name) array_free(&allocator, &scene->name);
    PLIANT__SCENE_ARRAYS(FREE)
#undef FREE
    pliant__free(&allocator, scene);
}

pliant_code pliant_scene_remove_body(pliant_scene *scene, pliant_body body)
{
    pliant__draft_body *found = scene ? pliant__find_body(scene, body, NULL) : NULL;
    if (!found) return PLIANT_ERROR_ARGUMENT;
    found->removed = true;
    return PLIANT_OK;
}

pliant_code pliant_scene_remove_constraints(pliant_scene *scene)
{
    if (!scene) return PLIANT_ERROR_ARGUMENT;
    for (size_t i = 0; i < scene->constraints.count; i++) scene->constraints.data[i].removed = 1;
    for (size_t b = 0; b < scene->bodies.count; b++) {
        pliant__draft_body *body = &scene->bodies.data[b];
        body->was_tethered = body->was_tethered || body->tether > 0;
        body->tether = -1;
    }
    return PLIANT_OK;
}

/* The law of another material in place of a law of the body. */
static pliant_law undamped_law_of(const pliant_material *m, pliant_body_type type, const pliant__draft_law *law)
{
    if (law->share.size > 0) return pliant__shared_law(m, type, law);
    if (!strcmp(law->role, "shear")) return m->shear;
    if (!strcmp(law->role, "bend")) return m->bend;
    if (!strcmp(law->role, "area")) return m->area;
    if (!strcmp(law->role, "volume")) return m->volume;
    return m->stretch;
}

static pliant_law law_of(const pliant_material *m, pliant_body_type type, const pliant__draft_law *law)
{
    const pliant_law own = undamped_law_of(m, type, law);
    return pliant__law_in_time(m, &own);
}

static bool check_masses(const pliant_scene *scene, const pliant__draft_body *body, double density, pliant_error *error)
{
    for (uint32_t i = 0; i < body->particle_count; i++) {
        const pliant__draft_particle *p = &scene->particles.data[body->first_particle + i];
        const pliant_real             mass = (pliant_real)(p->extent * density), w = (pliant_real)(1 / (p->extent * density));
        if (p->extent > 0 && !(r_finite(mass) && r_finite(w) && w > 0))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a density of %g makes a mass out of range", density);
    }
    return true;
}

static bool check_snaps(const pliant__draft_body *body, const pliant_material *material, pliant_error *error)
{
    return pliant__check_break(material, body->type, error) && pliant__check_snap_tether(body->type, material, body->tether, error);
}

pliant_code pliant_scene_set_material(pliant_scene *scene, pliant_body body, const pliant_material *material, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!pliant__check_call(scene, material, error)) return PLIANT_ERROR_ARGUMENT;
    pliant__draft_body *found = pliant__find_body(scene, body, error);
    if (!found || !pliant__check_material(material, error) || !check_masses(scene, found, (double)material->density, error) ||
        !pliant__check_yield(material, found->type, error) || !check_snaps(found, material, error) ||
        !pliant__check_impact(found->self_contact || found->contact_mask, material, error) ||
        (found->type == PLIANT_BODY_SOFT && !pliant__check_solid(material, found->model, error)) ||
        (found->type == PLIANT_BODY_CLOTH && !pliant__check_cloth(material, found->cloth_model, error)))
        return PLIANT_ERROR_ARGUMENT;
    for (size_t i = 0; i < scene->laws.count; i++) {
        const pliant__draft_law *law = &scene->laws.data[i];
        if (law->body != body.id - 1) continue;
        const pliant_law next = law_of(material, found->type, law);
        if (!pliant__check_law(&next, law->kind, law->role, error)) return PLIANT_ERROR_ARGUMENT;
    }
    found->material = *material;
    for (size_t i = 0; i < scene->laws.count; i++) {
        pliant__draft_law *law = &scene->laws.data[i];
        if (law->body != body.id - 1) continue;
        law->law = law_of(material, found->type, law);
        memcpy(law->material, material->name, sizeof law->material);
    }
    for (uint32_t i = 0; i < found->particle_count; i++) {
        pliant__draft_particle *p = &scene->particles.data[found->first_particle + i];
        if (p->extent > 0) p->mass = p->extent * (double)material->density;
    }
    return PLIANT_OK;
}
