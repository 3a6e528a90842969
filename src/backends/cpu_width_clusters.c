/* Clusters: rows that share their particles, so that a cluster's positions are read and written once for all of them. Distances of a few shapes, and
 * tetrahedra: the edges and the volume of one, or two volumes that share a face. Their kinds' texts are called by name; which rows make clusters is
 * said in compile/cluster.c and compile/tetrahedra.c. */
#include "backends/rows.h"
#include "constraints/kinds/distance.h"
#include "constraints/kinds/tet_volume.h"
#include "solver/sweep.h"

#define CLUSTERS_AHEAD (6 * PLIANT__BLOCK)

/* An edge of W clusters, between their particles p and q. A rigid one feels no multiplier, and none of its zeros may change sign. */
KERNEL void move_edge(const rows_of *of, uint32_t row, bool all, bool compliant, bool keeps, vvec *x, const vreal *w, uint32_t p,
                      uint32_t q)
{
    const vvec  at[2] = {x[p], x[q]};
    const vreal mass[2] = {w[p], w[q]}, rest = load_lanes(of->parameter + row / PLIANT__BLOCK * of->step + row % PLIANT__BLOCK);
    const vreal lambda = kept_lambda(of, row, keeps);
    vvec        along[2];
    vreal       length, change = distance_change(at, mass, &rest, compliant, keeps, plain_law(of->alpha, of->stiffness, of->ease),
                                                 felt_lambda(of, keeps, lambda), along, &length);
    if (!all) change = vkeep(mask_of(active_bits(of->active, row)), change);
    keep_lambda(of, row, keeps, lambda, change * length);
    x[p] = vadd(x[p], vscale(along[0], w[p] * change));
    x[q] = vsub(x[q], vscale(along[1], w[q] * change));
}

/* The volume of four particles of W clusters. */
KERNEL void move_volume(const rows_of *of, uint32_t row, bool all, bool keeps, vvec *x, const vreal *w, const uint8_t *place)
{
    const vreal rest = load_lanes(of->parameter + row / PLIANT__BLOCK * of->step + row % PLIANT__BLOCK);
    const vreal lambda = kept_lambda(of, row, keeps);
    vvec        at[4], along[4];
    vreal       mass[4], length;
    UNROLL
    for (uint32_t s = 0; s < 4; s++) at[s] = x[place[s]], mass[s] = w[place[s]];
    vreal change = tet_volume_change(at, mass, &rest, true, keeps, plain_law(of->alpha, of->stiffness, of->ease),
                                     felt_lambda(of, keeps, lambda), along, &length);
    if (!all) change = vkeep(mask_of(active_bits(of->active, row)), change);
    keep_lambda(of, row, keeps, lambda, change * length);
    x[place[0]] = vsub(at[0], vscale(along[0], mass[0] * change));
    UNROLL
    for (uint32_t s = 1; s < 4; s++) x[place[s]] = vadd(at[s], vscale(along[s], mass[s] * change));
}

/* Members of clusters in their order: which of its particles each joins. */
static const uint8_t clique_pairs[][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}}, triangle_pairs[][2] = {{0, 1}, {1, 2}, {2, 0}};
static const uint8_t diamond_pairs[][2] = {{0, 1}, {0, 2}, {1, 3}, {0, 3}, {1, 2}}, vee_pairs[][2] = {{0, 1}, {1, 2}};
static const uint8_t tet_places[2][4] = {{0, 1, 2, 3}, {1, 0, 2, 4}};

KERNEL const uint8_t (*pairs_of(uint32_t edges))[2]
{
    return edges == 6 ? clique_pairs : edges == 5 ? diamond_pairs : edges == 3 ? triangle_pairs : vee_pairs;
}

/* Vectors of clusters that are moved at once, some members of each in turn: the members of a cluster wait for each other's square roots and divisions,
 * and a processor does not look far enough ahead to begin the next cluster meanwhile. */
#if W == 1
#define EDGES_AT_ONCE 1u
#define TETS_AT_ONCE 1u
#elif W == 4
#define EDGES_AT_ONCE 4u
#define TETS_AT_ONCE 2u
#else
#define EDGES_AT_ONCE 2u
#define TETS_AT_ONCE 2u
#endif

/* `times` times W clusters, from `row` on: `edges` in their order, `together` of one vector before the next vector has its turn, and then volumes. */
KERNEL void move_clusters(pliant_real *x, const rows_of *of, uint32_t row, bool all, uint32_t lanes, uint32_t slots, uint32_t edges,
                          uint32_t together, uint32_t volumes, uint32_t times, bool compliant, bool keeps, const uint32_t *listed)
{
    const uint16_t *index[4];
    vvec            at[4][PLIANT__MOST_SLOTS];
    vreal           w[4][PLIANT__MOST_SLOTS];
    UNROLL
    for (uint32_t k = 0; k < times; k++) {
        const uint32_t r = row + k * W;
        index[k] = of->index + (size_t)(r / PLIANT__BLOCK) * PLIANT__BLOCK * slots + r % PLIANT__BLOCK;
        UNROLL
        for (uint32_t s = 0; s < slots; s++) load_slots(x, (vslots){index[k] + s * PLIANT__BLOCK, listed, NULL}, &at[k][s], &w[k][s]);
    }
    UNROLL
    for (uint32_t i = 0; i < edges; i += together) {
        UNROLL
        for (uint32_t k = 0; k < times; k++) {
            UNROLL
            for (uint32_t j = i; j < i + together; j++)
                move_edge(of + j, row + k * W, all, compliant, keeps, at[k], w[k], pairs_of(edges)[j][0], pairs_of(edges)[j][1]);
        }
    }
    UNROLL
    for (uint32_t i = 0; i < volumes; i++) {
        UNROLL
        for (uint32_t k = 0; k < times; k++) move_volume(of + edges + i, row + k * W, all, keeps, at[k], w[k], tet_places[i]);
    }
    UNROLL
    for (uint32_t k = 0; k < times; k++) {
        UNROLL
        for (uint32_t s = 0; s < slots; s++)
            store_slots_here(x, (vslots){index[k] + s * PLIANT__BLOCK, listed, NULL}, lanes, at[k][s], w[k][s]);
    }
}

/* Clusters of which all members are active and slots lie side by side: as many as make whole vectors of which `times` fit. Returns how many were
 * projected. */
KERNEL uint32_t project_whole(const pliant__sweep *sweep, const pliant__batch *batch, pliant_real *x, const rows_of *of, uint32_t slots,
                              uint32_t edges, uint32_t together, uint32_t volumes, uint32_t times, bool compliant, bool keeps)
{
    uint32_t row = 0;
    for (; row + times * W <= batch->count; row += times * W) {
        if (sweep->far) fetch_rows(of, row, times * W, CLUSTERS_AHEAD, slots, edges + volumes);
        move_clusters(x, of, row, true, EVERY_LANE, slots, edges, together, volumes, times, compliant, keeps, NULL);
    }
    return row;
}

/* The other clusters, from `row` on; `all`: their members are active. */
KERNEL void project_rest(const pliant__batch *batch, pliant_real *x, const rows_of *of, uint32_t row, bool all, uint32_t slots,
                         uint32_t edges, uint32_t together, uint32_t volumes, bool keeps, const uint32_t *listed)
{
    for (; row < batch->count; row += W)
        move_clusters(x, of, row, all, rows_left(batch, row), slots, edges, together, volumes, 1, true, keeps, listed);
}

/* All members of clusters of one shape: their batches follow one another. Returns whether all are active; `soft`: some member is. */
KERNEL bool rows_of_members(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t members, rows_of *of, bool *soft)
{
    bool all = true;
    *soft = false;
    for (uint32_t i = 0; i < members; i++) {
        of[i] = rows_of_batch(sweep, batch + i);
        all = all && all_active(sweep, batch + i);
        *soft = *soft || sweep->laws[batch[i].law].soft;
    }
    return all;
}

/* Clusters of distances. For those that are listed or not active the text is there once: each vector asks whether multipliers are kept. */
KERNEL void project_shape(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t slots, uint32_t edges)
{
    const uint32_t *listed = listed_slots(sweep, batch);
    pliant_real    *x = patch_x(sweep, batch, listed);
    const bool      keeps = sweep->lambda != NULL;
    rows_of         of[6];
    bool            soft;
    uint32_t        row = 0;
    const bool      all = rows_of_members(sweep, batch, edges, of, &soft);
    if (all && !listed && !IS_SPARE)
        row = keeps  ? project_whole(sweep, batch, x, of, slots, edges, 1, 0, EDGES_AT_ONCE, true, true)
              : soft ? project_whole(sweep, batch, x, of, slots, edges, 1, 0, EDGES_AT_ONCE, true, false)
                     : project_whole(sweep, batch, x, of, slots, edges, 1, 0, EDGES_AT_ONCE, false, false);
    if (listed)
        project_rest(batch, x, of, row, all, slots, edges, 1, 0, keeps, listed);
    else
        project_rest(batch, x, of, row, all, slots, edges, 1, 0, keeps, NULL);
}

/* Tetrahedra are few to a batch, most of them in lists, which have a text without multipliers too. */
KERNEL void project_tets(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t slots, uint32_t edges, uint32_t volumes)
{
    const uint32_t *listed = listed_slots(sweep, batch);
    pliant_real    *x = patch_x(sweep, batch, listed);
    const bool      keeps = sweep->lambda != NULL;
    rows_of         of[PLIANT__MOST_MEMBERS];
    bool            soft;
    uint32_t        row = 0;
    const bool      all = rows_of_members(sweep, batch, edges + volumes, of, &soft);
    if (all && !listed && !IS_SPARE)
        row = keeps ? project_whole(sweep, batch, x, of, slots, edges, 2, volumes, TETS_AT_ONCE, true, true)
                    : project_whole(sweep, batch, x, of, slots, edges, 2, volumes, TETS_AT_ONCE, true, false);
    if (!listed)
        project_rest(batch, x, of, row, all, slots, edges, 2, volumes, keeps, NULL);
    else if (IS_SPARE)
        project_rest(batch, x, of, row, all, slots, edges, 2, volumes, keeps, listed);
    else if (keeps)
        project_rest(batch, x, of, row, all, slots, edges, 2, volumes, true, listed);
    else
        project_rest(batch, x, of, row, all, slots, edges, 2, volumes, false, listed);
}

extern void PLIANT__OF_WIDTH(project_clusters)(const pliant__sweep *sweep, const pliant__batch *first);
void        PLIANT__OF_WIDTH(project_clusters)(const pliant__sweep *sweep, const pliant__batch *batch)
{
    switch (batch->shape) {
    case PLIANT__TETRAHEDRON: project_tets(sweep, batch, 4, 6, 1); break;
    case PLIANT__PAIR: project_tets(sweep, batch, 5, 0, 2); break;
    case PLIANT__CLIQUE: project_shape(sweep, batch, 4, 6); break;
    case PLIANT__DIAMOND: project_shape(sweep, batch, 4, 5); break;
    case PLIANT__TRIANGLE: project_shape(sweep, batch, 3, 3); break;
    case PLIANT__VEE: project_shape(sweep, batch, 3, 2); break;
    default: break;
    }
}
