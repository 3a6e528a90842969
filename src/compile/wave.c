/* The fastest elastic wave through each body: how many substeps it takes to cross an edge says how much softer than its material a body will look. */
#include "base/alloc.h"
#include "compile/compile.h"
#include "scene/draft.h"

#include <math.h>

/* Of a tetrahedron: the modulus of what is pressed and cannot give way sideways, lambda + 2 mu; compliance is 1 / mu. */
static double solid_modulus(const pliant__model_law *law)
{
    const double mu = 1 / (double)law->compliance, poisson = (double)law->number[0];
    return 2 * mu * (1 + poisson / (1 - 2 * poisson));
}

/* Of a triangle: the stiffness along warp or weft, whichever is larger, where both are held; compliance is one over that of a strip along warp. */
static double sheet_modulus(const pliant__model_law *law)
{
    const double warp = 1 / (double)law->compliance, weft = (double)law->number[0], poisson = (double)law->number[2];
    return warp * fmax(1, weft) / (1 - poisson * poisson);
}

/* The same on every machine, as the C library's need not be. */
static double cube_root(double a)
{
    int    exponent;
    double root = 1;
    if (!(a > 0 && a < HUGE_VAL)) return a;
    frexp(a, &exponent);
    exponent /= 3;
    a = ldexp(a, -3 * exponent); /* from 1/8 to 4 */
    for (int i = 0; i < 8; i++) root -= (root - a / (root * root)) / 3;
    return ldexp(root, exponent);
}

/* Sums over the elements of a body. */
typedef struct elements {
    double size;    /* m^3 or m^2, at rest, of what has mass: a corner that is pinned for ever has none */
    double edges;   /* m */
    double modulus; /* Pa or N/m, the largest */
    size_t count;
} elements;

static void add_element(elements *e, const pliant_model *m, const pliant__batch *b, uint32_t row)
{
    const pliant_real       *p = pliant__parameters(m, b, row / PLIANT__BLOCK) + row % PLIANT__BLOCK;
    const pliant__model_law *law = &m->laws[pliant__row_law(m, b, row)];
    const uint32_t           corners = pliant__kind_slots(b->kind);
    double                   at[6] = {0};
    uint32_t                 slots[PLIANT_MAX_SLOTS], free = 0;
    if (!(law->compliance > 0)) return;
    for (uint32_t i = 0; i < pliant__kind_parameters(b->kind) && i < 6; i++) at[i] = (double)p[(size_t)i * PLIANT__BLOCK];
    pliant__row_slots(m, b, row, corners, slots);
    for (uint32_t k = 0; k < corners; k++) free += m->free_w[slots[k]] > 0;
    const double size = corners == 4 ? 1 / (6 * fabs(at[0] * at[3] * at[5])) : 0.5 / fabs(at[0] * at[3] - at[1] * at[2]);
    e->size += size * free / corners;
    e->edges += corners == 4 ? cube_root(6 * sqrt(2) * size) : sqrt(4 / sqrt(3) * size); /* of the regular one of this size */
    e->modulus = fmax(e->modulus, corners == 4 ? solid_modulus(law) : sheet_modulus(law));
    e->count++;
}

/* The number of the body that a slot is of. */
static size_t body_of(const pliant_model *m, uint32_t slot)
{
    size_t low = 0, high = model_count(m, bodies);
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (m->bodies[middle].first_slot <= slot)
            low = middle;
        else
            high = middle;
    }
    return low;
}

pliant_code pliant_model_waves(const pliant_model *model, pliant_wave *out)
{
    const size_t bodies = model ? model_count(model, bodies) : 0;
    if (!model || !out) return PLIANT_ERROR_ARGUMENT;
    elements *sums = pliant__alloc_array(NULL, bodies + 1, sizeof *sums);
    if (!sums) return PLIANT_ERROR_MEMORY;
    for (size_t i = 0; i < model_count(model, batches); i++) {
        const pliant__batch *b = &model->batches[i];
        uint32_t             slots[PLIANT_MAX_SLOTS];
        if (!pliant__kind_has(b->kind, PLIANT_ROW_SOLID) && !pliant__kind_has(b->kind, PLIANT_ROW_TEARS)) continue;
        for (uint32_t row = 0; row < b->count; row++) {
            if (!pliant__has_row(model, b, row)) continue;
            pliant__row_slots(model, b, row, pliant__kind_slots(b->kind), slots);
            add_element(&sums[body_of(model, slots[0])], model, b, row);
        }
    }
    for (size_t i = 0; i < bodies; i++) {
        out[i] = (pliant_wave){0, 0};
        if (!sums[i].count || !(model->bodies[i].mass > 0)) continue;
        out[i].speed = sqrt(sums[i].modulus * sums[i].size / model->bodies[i].mass);
        out[i].edge = sums[i].edges / (double)sums[i].count;
    }
    pliant__free(NULL, sums);
    return PLIANT_OK;
}

/* How many substeps a wave is to take from edge to edge, and the most that are taken for it. */
static const struct {
    double   least;
    uint32_t most;
} carrying[] = {
    [PLIANT_QUALITY_GIVEN] = {0, 0}, [PLIANT_QUALITY_PREVIEW] = {0, 0}, [PLIANT_QUALITY_GOOD] = {1, 60}, [PLIANT_QUALITY_FINAL] = {2, 120}};

bool pliant__choose_wave_substeps(const pliant_model *model, pliant__model_header *header)
{
    const size_t bodies = model_count(model, bodies);
    double       wanted = 0;
    if (!carrying[header->quality].most) return true;
    pliant_wave *waves = pliant__alloc_array(&model->allocator, bodies + 1, sizeof *waves);
    const bool   known = waves && pliant_model_waves(model, waves) == PLIANT_OK;
    for (size_t i = 0; known && i < bodies; i++)
        if (model->bodies[i].type == PLIANT_BODY_SOFT && waves[i].speed > 0)
            wanted = fmax(wanted, carrying[header->quality].least * waves[i].speed * header->frame / waves[i].edge);
    pliant__free(&model->allocator, waves);
    if (wanted > header->substeps && header->substeps < carrying[header->quality].most)
        header->substeps = header->wave_substeps = (uint32_t)fmin(ceil(wanted), carrying[header->quality].most);
    return known;
}
