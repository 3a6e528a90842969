/* Loose particles. */
#include "scene/builder.h"

#include "base/float_env.h"

pliant_particles_def pliant_particles_def_default(void)
{
    pliant_particles_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.body = pliant__body_def_default();
    def.material = pliant_material_default();
    return def;
}

static bool build(pliant__builder *b, const pliant_particles_def *def)
{
    if (!def->count || !def->positions)
        return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "there are no particles; give positions and their count");
    if (!pliant__fits(0, def->count, "particles", b->error) || !pliant__has_room(b, def->count, 0)) return false;
    b->particle_count = (uint32_t)def->count;
    b->w = def->inverse_masses;
    b->v = def->velocities;
    b->x = pliant__take(b, def->count, sizeof *b->x, "positions");
    return b->x && pliant__read_positions(b, def->positions, sizeof *def->positions, def->count, "positions", b->x) &&
           pliant__place(b, b->x, def->count) && pliant__build_particles(b, NULL, b->particle_count);
}

pliant_body pliant_scene_add_particles(pliant_scene *scene, const pliant_particles_def *def, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    const pliant_body none = {0};
    pliant__builder   b;
    if (!pliant__check_call(scene, def, error) ||
        !pliant__check_size(def->size, sizeof *def, "pliant_particles_def", "pliant_particles_def_default", error))
        return none;
    bool ok = pliant__builder_begin(&b, scene, &def->body, &def->material, PLIANT_BODY_PARTICLES, error) && build(&b, def);
    return pliant__builder_end(&b, ok);
}
