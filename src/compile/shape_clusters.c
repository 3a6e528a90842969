/* What is said of the clusters of shape matching of a body: how many there are, and how many hold next to nothing, since they have too few particles or lie in fewer
 * directions than the members of all of them together. */
#include "base/vec.h"
#include "compile/model.h"
#include "constraints/groups.h"
#include "constraints/matching.h"

#define FEW 4u /* particles of a cluster that span space */

/* The group over members of a body; NULL: it has none. */
static const pliant__model_group *shape_of(const pliant_model *m, const pliant__model_body *b)
{
    for (size_t i = 0; i < model_count(m, groups); i++)
        if (m->groups[i].body == (uint32_t)(b - m->bodies) &&
            pliant__group_over((pliant_group_kind)m->groups[i].kind) == PLIANT_OVER_MEMBERS)
            return &m->groups[i];
    return NULL;
}

/* The first of the slots in clusters that is not below `slot`. */
static size_t first_matched(const pliant_model *m, uint32_t slot)
{
    size_t low = 0, high = model_count(m, matched_slots);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (m->matched_slots[middle] < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Dimensions spanned by the members of all clusters of a body at the start; counts these particles. */
static double span_of(const pliant_model *m, const pliant__model_body *b, uint32_t *count)
{
    const pliant_real *from = PLIANT__SLOT(m->x, b->first_slot);
    const size_t       first = first_matched(m, b->first_slot), end = first_matched(m, b->first_slot + b->slot_count);
    double             mean[3] = {0, 0, 0}, square[9] = {0}, inverse[9], range[9];
    *count = (uint32_t)(end - first);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = first; i < end; i++) {
            double q[3];
            for (int k = 0; k < 3; k++)
                q[k] = (double)(PLIANT__SLOT(m->x, m->matched_slots[i])[k] - from[k]) - (pass ? mean[k] / (double)(end - first) : 0);
            for (int k = 0; k < 3 && !pass; k++) mean[k] += q[k];
            for (int k = 0; k < 9 && pass; k++) square[k] += q[k / 3] * q[k % 3];
        }
    pliant__partial_inverse(3, square, inverse, range);
    return range[0] + range[4] + range[8];
}

pliant_shape_clusters pliant_model_shape_clusters(const pliant_model *model, pliant_body body)
{
    pliant_shape_clusters      out = {0};
    const pliant__model_body  *b = pliant__model_body_of(model, body);
    const pliant__model_group *g = b ? shape_of(model, b) : NULL;
    uint32_t                   members = 0;
    if (!g) return out;
    const double   whole = span_of(model, b, &members) - 0.5;
    const uint32_t least = members < FEW ? members : FEW;
    out.count = g->member_count;
    for (uint32_t i = 0; i < g->member_count; i++) {
        const pliant__model_match *c = &model->matches[g->first_member + i];
        const bool                 small = c->member_count < least;
        out.small += small;
        out.flat += !small && c->range[0] + c->range[1] + c->range[2] < whole;
    }
    return out;
}
