/* Constraints one by one: rows of the table between any vertices, and users' own. */
#include "scene/builder.h"

#include "base/bounds.h"
#include "base/float_env.h"

pliant_constraint_def pliant_constraint_def_default(pliant_constraint_kind kind)
{
    pliant_constraint_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.kind = kind;
    def.law = pliant_law_default();
    return def;
}

pliant_user_constraint_def pliant_user_constraint_def_default(void)
{
    pliant_user_constraint_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.particle_count = def.row_count = 1;
    def.law = pliant_law_default();
    return def;
}

/* Draft particles of `count` vertices, all different. */
static bool find_particles(const pliant_scene *scene, const pliant_particle *in, uint32_t count, uint32_t *out, pliant_error *error)
{
    for (uint32_t s = 0; s < count; s++) {
        out[s] = pliant__find_particle(scene, in[s].body, in[s].vertex, error);
        if (out[s] == PLIANT__NONE) return false;
        for (uint32_t t = 0; t < s; t++)
            if (out[s] == out[t])
                return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "its particles %u and %u are one and the same; they must differ", t, s);
    }
    return true;
}

static bool check_parameter(const pliant_parameter_info *p, pliant_real value, pliant_error *error)
{
    if (pliant__is_within(p, value)) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s is %g, but must be from %g to %g %s", p->name, (double)value, p->low, p->high,
                        p->unit);
}

static bool find_parameters(const pliant_scene *scene, const pliant_constraint_def *def, const pliant_constraint_info *info,
                            const uint32_t *particles, pliant_real *out, pliant_error *error)
{
    for (uint32_t i = 0; i < info->parameter_count; i++) out[i] = def->parameters[i];
    if (def->measure) {
        pliant_vec3 x[PLIANT_MAX_SLOTS];
        if (!(info->flags & (PLIANT_ROW_MEASURED | PLIANT_ROW_SHAPED)))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a %s constraint has no rest value to measure; say its parameters",
                                info->name);
        for (uint32_t s = 0; s < info->slots; s++) x[s] = scene->particles.data[particles[s]].x;
        const bool rests = !(info->flags & PLIANT_ROW_SHAPED) || pliant__can_rest(info->kind, x);
        if (!rests && info->rows > 1 && info->slots > 3)
            return pliant__fail(
                error, PLIANT_ERROR_ARGUMENT,
                "the parameters of %s are measured of a shape that is not flat, nor inside out: exchange two of its particles, or say them",
                info->name);
        if (!rests)
            return pliant__fail(
                error, PLIANT_ERROR_ARGUMENT,
                "the parameters of %s are measured of what lies flat, or rests as it is, and has lengths and heights; say them",
                info->name);
        pliant__measure(info->kind, x, out);
    }
    for (uint32_t i = 0; i < info->parameter_count; i++)
        if (!check_parameter(&info->parameters[i], out[i], error)) return false;
    return true;
}

/* Appends the law and the constraint; nothing stays if memory runs out. */
static pliant_constraint append(pliant_scene *scene, pliant__draft_constraint *c, pliant_constraint_kind kind, const pliant_law *law,
                                const pliant__mark *mark, pliant_error *error)
{
    pliant_constraint id = {0};
    c->body = PLIANT__NONE;
    if (!pliant__fits(scene->constraints.count, 1, "constraints", error)) {
        pliant__scene_rollback(scene, mark);
        return id;
    }
    c->law = pliant__loose_law(scene, kind, "", law);
    if (c->law == PLIANT__NONE || !array_push(&scene->allocator, &scene->constraints, *c)) {
        pliant__scene_rollback(scene, mark);
        pliant__fail_memory(error, sizeof *c, "a constraint");
        return id;
    }
    id.id = (uint32_t)scene->constraints.count;
    return id;
}

pliant_constraint pliant_scene_add_constraint(pliant_scene *scene, const pliant_constraint_def *def, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    const pliant_constraint  none = {0};
    pliant__draft_constraint c;
    uint32_t                 particles[PLIANT_MAX_SLOTS];
    pliant_real              parameters[PLIANT_MAX_PARAMETERS];
    if (!pliant__check_call(scene, def, error) ||
        !pliant__check_size(def->size, sizeof *def, "pliant_constraint_def", "pliant_constraint_def_default", error) ||
        !pliant__check_choice((int)def->kind, PLIANT_CONSTRAINT_COUNT, "kind", error) ||
        !pliant__check_law(&def->law, def->kind, "", error))
        return none;
    const pliant_constraint_info *info = pliant_constraint_describe(def->kind);
    memset(&c, 0, sizeof c);
    c.kind = (uint16_t)def->kind;
    if (!find_particles(scene, def->particles, info->slots, particles, error) ||
        !find_parameters(scene, def, info, particles, parameters, error))
        return none;
    const pliant__mark mark = pliant__scene_mark(scene);
    if (!pliant__fill_constraint(scene, &c, particles, parameters, error)) {
        pliant__scene_rollback(scene, &mark);
        return none;
    }
    return append(scene, &c, def->kind, &def->law, &mark, error);
}

static bool check_user(const pliant_user_constraint_def *def, pliant_error *error)
{
    if (!pliant__check_size(def->size, sizeof *def, "pliant_user_constraint_def", "pliant_user_constraint_def_default", error))
        return false;
    if (def->particle_count < 1 || def->particle_count > PLIANT_MAX_SLOTS)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "particle_count must be from 1 to %d, not %u", PLIANT_MAX_SLOTS,
                            def->particle_count);
    if (def->row_count < 1 || def->row_count > PLIANT_MAX_ROWS)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "row_count must be from 1 to %d, not %u", PLIANT_MAX_ROWS, def->row_count);
    if (def->function > 15) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "function must be from 0 to 15, not %u", def->function);
    return pliant__check_law(&def->law, PLIANT_CONSTRAINT_COUNT, "", error);
}

pliant_constraint pliant_scene_add_user_constraint(pliant_scene *scene, const pliant_user_constraint_def *def, pliant_error *error)
{
    const pliant_constraint  none = {0};
    pliant__draft_constraint c;
    pliant__draft_user       user;
    memset(&c, 0, sizeof c);
    memset(&user, 0, sizeof user);
    if (!pliant__check_call(scene, def, error) || !check_user(def, error) ||
        !find_particles(scene, def->particles, def->particle_count, user.particles, error))
        return none;
    user.particle_count = def->particle_count;
    user.row_count = def->row_count;
    user.function = def->function;
    user.tag = def->tag;
    const pliant__mark mark = pliant__scene_mark(scene);
    c.user = 1;
    c.particles[0] = (uint32_t)scene->users.count;
    for (uint32_t s = 1; s < PLIANT__OWN_SLOTS; s++) c.particles[s] = PLIANT__NONE;
    if (!array_push(&scene->allocator, &scene->users, user)) {
        pliant__fail_memory(error, sizeof user, "a user's constraint");
        return none;
    }
    return append(scene, &c, PLIANT_CONSTRAINT_COUNT, &def->law, &mark, error);
}
