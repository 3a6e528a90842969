/* What a state has of stitches. */
#include "base/float_env.h"
#include "state/state.h"

/* It begins and ends at rest: the share that is left falls as 1 - u^2 (3 - 2 u). */
double pliant__stitch_length(const pliant__model_stitches *of, double start, double time)
{
    const double least = (double)of->length, u = of->time > 0 ? (time - of->from) / of->time : 1;
    if (!(start > least) || u >= 1) return least;
    return u > 0 ? least + (start - least) * (1 - u * u * (3 - 2 * u)) : start;
}

pliant_vec3 pliant__across_stitch(const pliant_real *x, const pliant__model_stitch *stitch)
{
    const pliant_vec3 from = pliant__slot_x(x, stitch->slot[0]);
    pliant_vec3       sum = v3(0, 0, 0);
    for (uint32_t k = 0; k < 3; k++) sum = v3_madd(sum, v3_sub(from, pliant__slot_x(x, stitch->slot[k + 1])), stitch->weight[k]);
    return sum;
}

static const pliant__model_stitches *find(const pliant_state *state, pliant_stitches stitches)
{
    for (size_t i = 0; state && i < model_count(state->model, stitches); i++)
        if (state->model->stitches[i].id == stitches.id) return &state->model->stitches[i];
    return NULL;
}

pliant_code pliant_state_stitches(const pliant_state *state, pliant_stitches stitches, pliant_stitches_now *out)
{
    PLIANT_FLOAT_SCOPE;
    const pliant__model_stitches *of = find(state, stitches);
    if (!of || !out) return PLIANT_ERROR_ARGUMENT;
    const double time = state->header->time;
    *out = (pliant_stitches_now){of->count, 0, 0, 0, 0};
    for (uint32_t i = of->first; i < of->first + of->count; i++) {
        out->broken += state->stitch_broken[i];
        if (state->stitch_broken[i] || state->stitch_start[i] < 0 || !pliant__stitches_pull(of, time)) continue;
        const double gap = (double)v3_length(pliant__across_stitch(state->x, &state->model->each_stitch[i])),
                     excess = gap - pliant__stitch_length(of, state->stitch_start[i], time);
        if (gap > out->gap) out->gap = gap;
        if (!out->sewn++ || excess > out->excess) out->excess = excess;
    }
    return PLIANT_OK;
}

bool pliant_state_stitch_broken(const pliant_state *state, pliant_stitches stitches, uint32_t number)
{
    const pliant__model_stitches *of = find(state, stitches);
    return of && number < of->count && state->stitch_broken[of->first + number];
}

pliant_code pliant_state_break_stitch(pliant_state *state, pliant_stitches stitches, uint32_t number, bool broken)
{
    const pliant__model_stitches *of = find(state, stitches);
    if (!of || number >= of->count) return PLIANT_ERROR_ARGUMENT;
    state->stitch_broken[of->first + number] = broken;
    pliant__disturb(state);
    return PLIANT_OK;
}
