/* Cuts by the blades of a scene, at the beginning of a step.
 *
 * A flat blade cuts in the step that its time is in. An edge cuts along what it sweeps in a step, and once more along what it swept for as long as a step takes
 * before: a vertex that moved against the edge while it was passed by is not missed so, nor one on the border of two steps. Whatever is apart already stays as it
 * is. All follows from the time when the step begins and ends, so that a state goes on from any step as it would have gone on. */
#include "base/keys.h"
#include "state/tear.h"

/* Cuts along what an edge sweeps that goes from `before` to `after`, two ends each. */
static void cut_between(pliant_state *s, const pliant__model_cut *cut, const pliant_vec3 before[2], const pliant_vec3 after[2])
{
    const pliant__model_body *body = &s->model->bodies[cut->body];
    const pliant_vec3         one[3] = {before[0], before[1], after[1]}, two[3] = {before[0], after[1], after[0]};
    pliant__cut(s, body, one);
    pliant__cut(s, body, two);
}

static void edge_at(const pliant_model *m, const pliant__model_cut *cut, double time, pliant_vec3 out[2])
{
    double             share;
    const pliant_vec3 *edge = m->cut_edge + 2 * (size_t)cut->first_key;
    const uint32_t     k = pliant__key_before(m->cut_time + cut->first_key, cut->key_count, time, &share);
    for (uint32_t i = 0; i < 2; i++)
        out[i] = share > 0 ? v3_lerp(edge[2 * k + i], edge[2 * k + 2 + i], (pliant_real)share) : edge[2 * k + i];
}

/* Cuts along what an edge sweeps from `begin` to `end`, piece by piece between its keys. */
static void sweep(pliant_state *s, const pliant__model_cut *cut, double begin, double end)
{
    const double *time = s->model->cut_time + cut->first_key;
    pliant_vec3   before[2], after[2];
    const double  from = begin > time[0] ? begin : time[0], to = end < time[cut->key_count - 1] ? end : time[cut->key_count - 1];
    if (!(to > from)) return;
    edge_at(s->model, cut, from, before);
    for (uint32_t k = 0; k <= cut->key_count; k++) {
        const double at = k < cut->key_count && time[k] < to ? time[k] : to;
        if (!(at > from)) continue;
        edge_at(s->model, cut, at, after);
        cut_between(s, cut, before, after);
        if (!(at < to)) return;
        before[0] = after[0];
        before[1] = after[1];
    }
}

void pliant__make_cuts(pliant_state *s, double begin, double end)
{
    const pliant_model *m = s->model;
    for (size_t i = 0; i < model_count(m, cuts) && end > begin; i++) {
        const pliant__model_cut *cut = &m->cuts[i];
        const double            *time = m->cut_time + cut->first_key;
        const pliant_vec3       *edge = m->cut_edge + 2 * (size_t)cut->first_key;
        if (time[0] < time[cut->key_count - 1])
            sweep(s, cut, begin - (end - begin), end);
        else if (time[0] >= begin && time[0] < end)
            cut_between(s, cut, edge, edge + 2);
    }
}
