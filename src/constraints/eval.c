/* One constraint taken by itself, one lane wide, and the table as data. */
#define PLIANT_W 1
#include "constraints/eval.h"

#include "constraints/project.h"
#include "constraints/rest.h"
#include "constraint_kinds.h" /* generated: every file of kinds/; REST_OF_name and LEAST_OF_name: its texts of these, or NULL */

#include "base/vec.h"
#include "base/float_env.h"

static const pliant_constraint_info table[] = {
#define ROW(NAME, name, slots, rows, count, parameters, limit, flags, unit, formula, source) \
    {PLIANT_CONSTRAINT_##NAME,                                                               \
     #name,                                                                                  \
     slots,                                                                                  \
     rows,                                                                                   \
     count,                                                                                  \
     PLIANT_NUMBERS(count, parameters),                                                      \
     parameters,                                                                             \
     limit,                                                                                  \
     flags,                                                                                  \
     unit,                                                                                   \
     formula,                                                                                \
     source},
    PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW
};

#define ROW(NAME, name, slots, rows, count, parameters, ...)                                                              \
    _Static_assert(slots <= PLIANT_MAX_SLOTS && rows <= PLIANT_MAX_ROWS && count <= PLIANT_MAX_PARAMETERS &&              \
                       PLIANT_NUMBERS(count, parameters) >= 0 && PLIANT_NUMBERS(count, parameters) <= PLIANT_MAX_NUMBERS, \
                   #name " is within the limits of a row");
PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW

typedef void value_function(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient);

static value_function *const values[] = {
#define ROW(NAME, name, ...) name##_value,
    PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW
};

typedef void least_function(const vreal *w, const vreal *parameter, vreal *least);

static least_function *const leasts[] = {
#define ROW(NAME, name, ...) LEAST_OF_##name,
    PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW
};

const pliant_constraint_info *pliant_constraint_describe(pliant_constraint_kind kind)
{
    return (unsigned)kind < PLIANT_CONSTRAINT_COUNT ? &table[kind] : NULL;
}

const pliant_constraint_info *pliant_constraint_find(const char *name)
{
    for (int k = 0; name && k < PLIANT_CONSTRAINT_COUNT; k++)
        if (!strcmp(name, table[k].name)) return &table[k];
    return NULL;
}

pliant_law pliant_law_default(void)
{
    pliant_law law = {0};
    law.size = sizeof law;
    law.stiffness = law.range_min = law.range_max = 1;
    return law;
}

vlaw pliant__law_ready(const pliant_law *law, double h, pliant_real stiffness)
{
    vlaw   ready;
    double alpha = (double)law->compliance / (h * h), limit = 1e30; /* far beyond any denominator, and still finite in float */
    ready.alpha = (pliant_real)(alpha < limit ? alpha : limit);
    double gamma = (double)law->compliance * (double)law->damping / h;
    ready.gamma = (pliant_real)(gamma < limit ? gamma : limit);
    ready.stiffness = stiffness;
    ready.low = law->range_min - 1;
    ready.high = law->range_max - 1;
    ready.ease = 1;
    return ready;
}

void pliant__law_numbers(pliant_constraint_kind kind, const pliant_law *law, pliant_real *out)
{
    const pliant_constraint_info *info = pliant_constraint_describe(kind);
    for (uint32_t i = 0; info && i < info->number_count; i++)
        out[i] = law->given >> i & 1 ? law->numbers[i] : (pliant_real)info->parameters[info->parameter_count + i].usual;
}

project_mode pliant__law_mode(const pliant_law *law, pliant_limit default_limit)
{
    project_mode mode = {law->compliance > 0, law->compliance > 0 && law->damping > 0, law->limited ? law->limit : default_limit};
    return mode;
}

void pliant__constraint_value(pliant_constraint_kind kind, const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    values[kind](x, parameter, C, gradient);
}

void pliant__project_one(const vreal *least, uint32_t rows, uint32_t slots, const pliant_law *law, project_mode mode, double h,
                         pliant_real stiffness, pliant_real rest, const pliant_real *C, const vvec *gradient, const pliant_real *w,
                         const vvec *x, const vvec *start, const pliant_real *lambda, pliant_real *change)
{
    vlaw ready = pliant__law_ready(law, h, stiffness);
    if (rows == 1)
        change[0] = multiplier_change(mode, ready, C[0], weighted_norm(slots, gradient, w),
                                      mode.damped ? path_derivative(slots, gradient, x, start) : 0, rest, lambda[0]);
    else if (least)
        turn_change(rows, slots, mode, ready, C, gradient, w, x, start, lambda, least, change);
    else
        block_change(rows, slots, mode, ready, C, gradient, w, x, start, lambda, change);
}

pliant_code pliant_constraint_eval(pliant_constraint_kind kind, const pliant_eval_input *in, pliant_eval_output *out)
{
    PLIANT_FLOAT_SCOPE;
    const pliant_constraint_info *info = pliant_constraint_describe(kind);
    if (!info || !in || !out || !(in->dt > 0)) return PLIANT_ERROR_ARGUMENT;
    memset(out, 0, sizeof *out);
    vvec        x[PLIANT_MAX_SLOTS], start[PLIANT_MAX_SLOTS], gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
    pliant_real change[PLIANT_MAX_ROWS], least[PLIANT_MAX_ROWS], numbers[PLIANT_MAX_PARAMETERS + PLIANT_MAX_NUMBERS];
    memcpy(numbers, in->parameters, sizeof in->parameters);
    pliant__law_numbers(kind, &in->law, numbers + info->parameter_count);
    for (uint32_t i = 0; i < info->slots; i++) {
        x[i] = vvec_of(in->x[i][0], in->x[i][1], in->x[i][2]);
        start[i] = vvec_of(in->start[i][0], in->start[i][1], in->start[i][2]);
    }
    values[kind](x, numbers, out->C, gradient);
    if (leasts[kind]) leasts[kind](in->w, numbers, least);
    project_mode mode = pliant__law_mode(&in->law, info->limit);
    pliant_real  alpha = pliant__law_ready(&in->law, (double)in->dt, 1).alpha;
    pliant__project_one(leasts[kind] ? least : NULL, info->rows, info->slots, &in->law, mode, (double)in->dt, in->law.stiffness,
                        in->parameters[0], out->C, gradient, in->w, x, start, in->lambda, change);
    for (uint32_t r = 0; r < info->rows; r++) {
        const vvec *g = gradient + r * info->slots;
        out->dlambda[r] = change[r];
        const pliant_real S = weighted_norm(info->slots, g, in->w);
        out->denominator[r] = (leasts[kind] ? vmax(S, least[r]) : S) + alpha;
        for (uint32_t i = 0; i < info->slots; i++) {
            out->gradient[r][i][0] = g[i].x;
            out->gradient[r][i][1] = g[i].y;
            out->gradient[r][i][2] = g[i].z;
            for (int c = 0; c < 3; c++) out->dx[i][c] += in->w[i] * out->gradient[r][i][c] * change[r];
        }
    }
    return PLIANT_OK;
}

/* ---- shapes at rest ---- */

typedef bool rest_function(const rest_vec *x, double *parameter);

static rest_function *const rests[] = {
#define ROW(NAME, name, ...) REST_OF_##name,
    PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW
};

/* Parameters by the kind's text. */
static bool shaped_values(pliant_constraint_kind kind, const pliant_real (*x)[3], pliant_real *parameters)
{
    rest_vec at[PLIANT_MAX_SLOTS];
    double   number[PLIANT_MAX_PARAMETERS] = {0};
    for (uint32_t s = 0; s < table[kind].slots; s++) at[s] = (rest_vec){(double)x[s][0], (double)x[s][1], (double)x[s][2]};
    const bool rests_there = rests[kind](at, number);
    for (uint32_t i = 0; i < table[kind].parameter_count; i++) parameters[i] = (pliant_real)number[i];
    return rests_there;
}

/* C with parameter 0 set to 0, as the solver computes it. */
static pliant_real measured_value(pliant_constraint_kind kind, const pliant_real (*x)[3])
{
    pliant_eval_input  in;
    pliant_eval_output out;
    memset(&in, 0, sizeof in);
    memset(&out, 0, sizeof out);
    for (uint32_t s = 0; s < table[kind].slots; s++) {
        memcpy(in.x[s], x[s], sizeof in.x[s]);
        memcpy(in.start[s], x[s], sizeof in.start[s]);
        in.w[s] = 1;
    }
    in.dt = 1;
    in.law = pliant_law_default();
    pliant_constraint_eval(kind, &in, &out);
    return out.C[0];
}

pliant_code pliant_constraint_measure(pliant_constraint_kind kind, const pliant_real (*x)[3], pliant_real *parameters)
{
    const pliant_constraint_info *info = pliant_constraint_describe(kind);
    if (!info || !x || !parameters) return PLIANT_ERROR_ARGUMENT;
    if (rests[kind]) return shaped_values(kind, x, parameters) ? PLIANT_OK : PLIANT_ERROR_ARGUMENT;
    if (!(info->flags & PLIANT_ROW_MEASURED)) return PLIANT_ERROR_ARGUMENT;
    parameters[0] = measured_value(kind, x);
    return PLIANT_OK;
}
