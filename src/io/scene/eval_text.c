/* One constraint taken by itself, from JSON: the input of `pliant eval`. A case may hold its results too (C, grads, denominator, dlambda, dx,
 * invariants): a file of cases with expected results can be fed back as it is. */
#include "io/scene/keys.h"

#include "base/float_env.h"

#include <float.h>
#include <string.h>

typedef struct eval_spec {
    pliant__law_spec    law;
    const pliant__node *x, *w, *params, *at_rest, *lambda, *start;
    pliant_real         alpha, beta, dt;
} eval_spec;

#define FIELD(f) .offset = offsetof(eval_spec, f)
#define RESULT(key)                            \
    {                                          \
        .name = key, .type = PLIANT__KEY_LATER \
    }
static const pliant__key eval_keys[] = {
    {.name = "x", .type = PLIANT__KEY_NODE, FIELD(x), .required = true},
    {.name = "w", .type = PLIANT__KEY_NODE, FIELD(w), .required = true},
    {.name = "params", .type = PLIANT__KEY_NODE, FIELD(params)},
    {.name = "at_rest", .type = PLIANT__KEY_NODE, FIELD(at_rest)},
    {.name = "alpha", .type = PLIANT__KEY_REAL, .low = 0, .high = DBL_MAX, FIELD(alpha)},
    {.name = "beta", .type = PLIANT__KEY_REAL, .low = 0, .high = DBL_MAX, FIELD(beta)},
    {.name = "dt", .type = PLIANT__KEY_REAL, .low = 0, .above = true, .high = 1e6, FIELD(dt), .required = true},
    {.name = "lambda", .type = PLIANT__KEY_NODE, FIELD(lambda)},
    {.name = "start", .type = PLIANT__KEY_NODE, FIELD(start)},
    RESULT("C"),
    RESULT("grads"),
    RESULT("denominator"),
    RESULT("dlambda"),
    RESULT("dx"),
    RESULT("invariants"),
    RESULT("doc"),
    RESULT("variant_6V"),
};
static const pliant__object eval_object = {"eval", "", PLIANT__KEYS(eval_keys), &pliant__law_object, offsetof(eval_spec, law)};

static bool read_points(pliant__reader *r, const pliant__node *list, uint32_t count, pliant_real out[][3])
{
    if (list->type != PLIANT__NODE_LIST || list->count != count) return pliant__complain(r, list, "must be a list of %u points", count);
    uint32_t i = 0;
    for (const pliant__node *n = list->first; n; n = n->next, i++) {
        pliant_vec3 p;
        if (!pliant__read_vec3(r, n, &p)) return false;
        out[i][0] = p.x;
        out[i][1] = p.y;
        out[i][2] = p.z;
    }
    return true;
}

static bool read_numbers(pliant__reader *r, const pliant__node *node, uint32_t count, double low, pliant_real *out)
{
    if (count == 1 && node->type == PLIANT__NODE_NUMBER) return pliant__read_real(r, node, low, DBL_MAX, false, out);
    if (node->type != PLIANT__NODE_LIST || node->count != count) return pliant__complain(r, node, "must be a list of %u numbers", count);
    for (const pliant__node *n = node->first; n; n = n->next)
        if (!pliant__read_real(r, n, low, DBL_MAX, false, out++)) return false;
    return true;
}

/* Other names that texts give to a rest value, so that published cases can be piped in as they are. `meaning` NULL: the same number. */
static const struct rest_name {
    pliant_constraint_kind kind;
    const char            *name, *meaning;
} rest_names[] = {
    {PLIANT_CONSTRAINT_DISTANCE, "L", NULL},
    {PLIANT_CONSTRAINT_TETHER, "L", NULL},
    {PLIANT_CONSTRAINT_TRIANGLE_AREA, "A0", NULL},
    {PLIANT_CONSTRAINT_TET_VOLUME, "V0", NULL},
    {PLIANT_CONSTRAINT_DIHEDRAL_ANGLE, "phi0",
     "is the angle of acos, without a sign and pi where flat; here say \"rest\", with a sign and 0 where flat: pi - phi0 or phi0 - pi"},
};

/* The name of a parameter in the case; NULL, with the error filled, if it is the name of another number. */
static const char *name_in(pliant__reader *r, const pliant__node *map, pliant_constraint_kind kind, const char *name)
{
    if (pliant__node_get(map, name) || strcmp(name, "rest") != 0) return name;
    for (size_t i = 0; i < sizeof rest_names / sizeof *rest_names; i++) {
        const struct rest_name *n = &rest_names[i];
        const pliant__node     *node = n->kind == kind ? pliant__node_get(map, n->name) : NULL;
        if (node && n->meaning) pliant__complain(r, node, "%s", n->meaning);
        if (node) return n->meaning ? NULL : n->name;
    }
    return name;
}

/* Parameters, and numbers of the law, which may be left out. */
static bool read_parameters(pliant__reader *r, const pliant__node *map, const pliant_constraint_info *info, pliant_eval_input *in)
{
    pliant_real    said[PLIANT_MAX_PARAMETERS + PLIANT_MAX_NUMBERS] = {0};
    pliant__key    keys[PLIANT_MAX_PARAMETERS + PLIANT_MAX_NUMBERS];
    const uint32_t count = info->parameter_count + info->number_count;
    pliant__object object = {"params", "", keys, count, NULL, 0};
    for (uint32_t i = 0; map && i < count; i++) {
        const char *name = name_in(r, map, info->kind, info->parameters[i].name);
        if (!name) return false;
        keys[i] = (pliant__key){.name = name,
                                .type = PLIANT__KEY_REAL,
                                .low = info->parameters[i].low,
                                .high = info->parameters[i].high,
                                .offset = i * sizeof(pliant_real),
                                .required = i < info->parameter_count};
    }
    if (!map) return info->parameter_count == 0 || pliant__complain(r, r->root, "\"params\" is missing");
    if (!pliant__read_object(r, map, &object, said)) return false;
    memcpy(in->parameters, said, info->parameter_count * sizeof *said);
    for (uint32_t i = 0; i < info->number_count; i++) {
        if (!pliant__node_get(map, info->parameters[info->parameter_count + i].name)) continue;
        in->law.numbers[i] = said[info->parameter_count + i];
        in->law.given |= 1u << i;
    }
    return true;
}

/* Parameters that are measured where the shape is at rest, within the bounds of those that are said. */
static bool measure_parameters(pliant__reader *r, const pliant__node *shape, const pliant_constraint_info *info, pliant_real *out)
{
    pliant_real x[PLIANT_MAX_SLOTS][3];
    if (!read_points(r, shape, info->slots, x)) return false;
    if (pliant_constraint_measure(info->kind, (const pliant_real(*)[3])x, out) != PLIANT_OK)
        return pliant__complain(r, shape, "%s has no parameters that can be measured there; say \"params\"", info->name);
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        const pliant_parameter_info *p = &info->parameters[i];
        if (!((double)out[i] >= p->low && (double)out[i] <= p->high))
            return pliant__complain(r, shape, "%s is %g there, and must be at least %g and at most %g", p->name, (double)out[i], p->low,
                                    p->high);
    }
    return true;
}

static bool read_case(pliant__reader *r, const pliant_constraint_info *info, pliant_eval_input *in)
{
    eval_spec s = {.dt = 0};
    pliant__law_start(&s.law, &in->law);
    if (!pliant__read_object(r, r->root, &eval_object, &s) || !pliant__law_finish(r, r->root, &s.law, &in->law)) return false;
    if (pliant__node_get(r->root, "alpha")) in->law.compliance = s.alpha;
    if (pliant__node_get(r->root, "beta")) in->law.damping = s.beta;
    in->dt = s.dt;
    if (!read_points(r, s.x, info->slots, in->x) || !read_numbers(r, s.w, info->slots, 0, in->w)) return false;
    if (s.lambda && !read_numbers(r, s.lambda, info->rows, -DBL_MAX, in->lambda)) return false;
    memcpy(in->start, in->x, sizeof in->x);
    if (s.start && !read_points(r, s.start, info->slots, in->start)) return false;
    if (s.params && s.at_rest) return pliant__complain(r, s.at_rest, "parameters are said, or measured \"at_rest\"; not both");
    return s.at_rest ? measure_parameters(r, s.at_rest, info, in->parameters) : read_parameters(r, s.params, info, in);
}

static bool read_eval_text(pliant_constraint_kind kind, const char *text, size_t length, const char *name, pliant_eval_input *input,
                           pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    const pliant_constraint_info *info = pliant_constraint_describe(kind);
    if (!info || !input || (!text && length)) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "no such constraint");
    memset(input, 0, sizeof *input);
    input->law = pliant_law_default();
    pliant_read_def def = pliant_read_def_default();
    pliant__reader  r = {.folder = "", .def = &def, .error = error, .elsewhere = pliant__known_elsewhere};
    if (!pliant__tree_parse(&r.tree, text, length, name ? name : "case", NULL, error)) return false;
    r.root = r.tree.root;
    bool ok = read_case(&r, info, input);
    pliant__tree_free(&r.tree);
    return ok;
}

pliant_code pliant_eval_read_text(pliant_constraint_kind kind, const char *text, size_t length, const char *name, pliant_eval_input *input,
                                  pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(read_eval_text(kind, text, length, name, input, &why), &why, error);
}
