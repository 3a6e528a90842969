/* Dispatch: from the table of methods to what each file of this folder has. */
#include "base/trig.h"
#include "scene/check.h"
#include "solver/method.h"

#define ROW(NAME, name, ...) extern const pliant__method pliant__method_##name;
PLIANT_METHOD_TABLE(ROW)
#undef ROW

/* The first body that tears. */
static const pliant__model_body *tearing(const pliant_model *model)
{
    size_t i = 0;
    while (!model->bodies[i].spare_count) i++;
    return &model->bodies[i];
}

const pliant__method *pliant__method_of(pliant_method method)
{
    static const pliant__method *const all[PLIANT_METHOD_COUNT] = {
#define ROW(NAME, name, ...) [PLIANT_METHOD_##NAME] = &pliant__method_##name,
        PLIANT_METHOD_TABLE(ROW)
#undef ROW
    };
    return all[method];
}

/* Names a law with a yield. */
static bool refuse_flow(const pliant_model *model, const pliant_method_def *def, pliant_error *error)
{
    size_t law = 0;
    while (law + 1 < model_count(model, laws) && !(model->laws[law].yield > 0)) law++;
    const char *material = model->laws[law].material;
    return pliant__fail(error, PLIANT_ERROR_INPUT, "%s has copies of shapes at rest, and a yield lets them flow%s%s; take gauss_seidel",
                        pliant_method_describe(def->method)->name, *material ? " in material " : "", material);
}

static bool takes_groups(const pliant_model *model, pliant_method method, const pliant__method *m, pliant_error *error)
{
    static const char *const has[] = {[PLIANT_OVER_FACES] = "a pressure", [PLIANT_OVER_MEMBERS] = "a shape"};
    for (size_t i = 0; i < model_count(model, groups); i++) {
        const pliant_group_over over = pliant_group_describe((pliant_group_kind)model->groups[i].kind)->over;
        if (!(m->takes_groups & 1u << over))
            return pliant__fail(error, PLIANT_ERROR_INPUT,
                                "%s does not solve groups of many particles, and body \"%s\" has %s; take gauss_seidel",
                                pliant_method_describe(method)->name, model->bodies[model->groups[i].body].name, has[over]);
    }
    return true;
}

/* Names a law with a force at which it breaks. */
static bool refuse_breaks(const pliant_model *model, const pliant_method_def *def, pliant_error *error)
{
    size_t law = 0;
    while (law + 1 < model_count(model, laws) && !(model->laws[law].break_force > 0)) law++;
    const char *material = model->laws[law].material;
    return pliant__fail(error, PLIANT_ERROR_INPUT, "%s solves constraints that hold, and those of %s%s%s break; take gauss_seidel",
                        pliant_method_describe(def->method)->name,
                        *material ? "material " : pliant_constraint_describe((pliant_constraint_kind)model->laws[law].kind)->name, material,
                        model->laws[law].snaps ? " in a rope" : "");
}

bool pliant_method_takes(const pliant_model *model, const pliant_method_def *def, pliant_error *error)
{
    if (!model) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "no model");
    pliant_method_def own = pliant_model_settings(model).method;
    if (!def) def = &own;
    if (!pliant__check_method(def, error)) return false;
    const pliant__method *m = pliant__method_of(def->method);
    if (!takes_groups(model, def->method, m, error)) return false;
    if (pliant__flows(model) && pliant__is_bdf2(model))
        return pliant__fail(error, PLIANT_ERROR_INPUT,
                            "integration bdf2 made what yields tremble, and refuses a yield; take first_order, or leave the yield out");
    if (model->header->flow_count && !m->takes_flow) return refuse_flow(model, def, error);
    if (model_count(model, stitches) && !m->takes_stitches)
        return pliant__fail(error, PLIANT_ERROR_INPUT, "%s has no stitches, and body \"%s\" is sewn; take gauss_seidel or hierarchical",
                            pliant_method_describe(def->method)->name, model->bodies[model->stitches[0].body[0]].name);
    if (pliant__may_tear(model) && !m->takes_tears)
        return pliant__fail(error, PLIANT_ERROR_INPUT, "%s solves bodies that stay whole, and body \"%s\" tears; take gauss_seidel",
                            pliant_method_describe(def->method)->name, tearing(model)->name);
    if (pliant__breaks(model) && !m->takes_breaks) return refuse_breaks(model, def, error);
    return !m->takes || m->takes(model, def, error);
}

double pliant_relaxation_most(pliant_method method, uint32_t iterations, pliant_integration integration)
{
    const double b = integration == PLIANT_INTEGRATION_BDF2 ? 9.0 / 55 : 1.0 / 3;
    if (method == PLIANT_METHOD_JACOBI) return 2;
    return iterations ? 1 + pliant__pow(b, 1.0 / iterations) : 1;
}

bool pliant_method_wants_linear(const pliant_model *model, const pliant_method_def *def, pliant_error *error)
{
    if (!pliant_method_takes(model, def, NULL)) return false;
    pliant_method_def     own = pliant_model_settings(model).method;
    const pliant__method *m = pliant__method_of(def ? def->method : own.method);
    return m->wants_linear && m->wants_linear(model, def ? def : &own, error);
}
