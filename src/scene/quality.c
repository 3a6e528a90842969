/* What is chosen where a scene says a quality instead of substeps: docs/quality.md has what was measured.
 *
 * Substeps. What a sweep leaves of the stretch of cloth is the more, the more edges lie across it: a pull goes one edge further per sweep. So the
 * cloth or rope with the most edges across says how many there are.
 *
 * Tethers. A body that hangs on pins, and says nothing of tethers, has them: they hold the lengths that sweeps do not reach. They are never tighter
 * than what the cloth's own law lets it stretch to: of a sheet of weight m g that hangs on its width L, each width of which is a spring E, a strain
 * m g / (E L); of a rope m g / E. Where the pull comes together in two corners it is at most 2 ln(L / edge) / pi as much in the mean, and
 * what swings weighs up to three times as much: they have four times that strain to go. Where that is more than a tenth there are none,
 * and where pins may be led or let go: those might stretch the body, and tethers to them are no part of a grid's tiles. */
#include "scene/quality.h"

#include <math.h>
#include <string.h>

#define COARSE 12 /* edges across, which sweeps solve well in the fewest substeps */
#define MEDIUM 32
#define SLACK 4     /* times the strain under its own weight that a tether lets pass */
#define RUBBERY 0.1 /* strain beyond which lengths are the law's matter alone */

/* Edges across a body that should not stretch; 0: it has none. */
static double edges_across(const pliant__draft_body *b)
{
    if (b->removed) return 0;
    switch (b->type) {
    case PLIANT_BODY_CLOTH: return b->grid[0] ? fmax(b->grid[0], b->grid[1]) - 1 : sqrt((double)b->particle_count);
    case PLIANT_BODY_ROPE: return b->particle_count / 2.0;
    default: return 0;
    }
}

uint32_t pliant__scene_substeps(const pliant_scene *scene)
{
    static const uint32_t final[] = {20, 40, 80};
    double                across = 0;
    for (size_t i = 0; i < scene->bodies.count; i++) across = fmax(across, edges_across(&scene->bodies.data[i]));
    switch (scene->settings.quality) {
    case PLIANT_QUALITY_PREVIEW: return 10;
    case PLIANT_QUALITY_GOOD: return across > COARSE ? 20 : 10;
    case PLIANT_QUALITY_FINAL: return final[(across > COARSE) + (across > MEDIUM)];
    default: return scene->settings.substeps;
    }
}

/* Whether pins hold it, and all of them for ever. */
static bool hangs(const pliant_scene *scene, const pliant__draft_body *b)
{
    bool anchored = false;
    for (uint32_t i = 0; i < b->particle_count; i++) {
        const uint8_t pin = scene->particles.data[b->first_particle + i].pin;
        if (pin == PLIANT__RELEASABLE) return false;
        anchored = anchored || pin == PLIANT__ANCHOR;
    }
    return anchored && !b->targets.count && !b->skin_count;
}

/* Strain of a body under its own weight, as above; below 0 where its lengths are not held by laws of compliance, or not by its own alone. */
static double own_strain(const pliant_scene *scene, uint32_t body)
{
    const pliant__draft_body *b = &scene->bodies.data[body];
    const pliant_vec3         g = scene->settings.gravity;
    double                    mass = 0, area = 0, give = 0;
    size_t                    count = 0;
    for (size_t i = 0; i < scene->constraints.count; i++) {
        const pliant__draft_constraint *d = &scene->constraints.data[i];
        if (d->body != body || d->removed) continue;
        if (d->user) return -1;
        const pliant__draft_law *law = &scene->laws.data[d->law];
        if (d->kind != PLIANT_CONSTRAINT_DISTANCE || strcmp(law->role, "stretch")) continue;
        if (law->law.stiffness < 1 || law->law.limited) return -1;
        const double length = (double)d->parameters[0];
        give += (double)law->law.compliance / (b->type == PLIANT_BODY_ROPE && length > 0 ? length : 1);
        count++;
    }
    for (uint32_t i = 0; i < b->particle_count; i++) {
        const pliant__draft_particle *p = &scene->particles.data[b->first_particle + i];
        mass += p->w > 0 ? 1 / (double)p->w : p->mass;
        area += p->extent;
    }
    if (!count) return -1;
    const double weight = mass * sqrt((double)g.x * (double)g.x + (double)g.y * (double)g.y + (double)g.z * (double)g.z);
    const double width = b->type == PLIANT_BODY_ROPE ? 1 : sqrt(area);
    return width > 0 ? weight * give / ((double)count * width) : -1;
}

double pliant__tether_of(const pliant_scene *scene, uint32_t body)
{
    const pliant__draft_body *b = &scene->bodies.data[body];
    if (b->removed || b->tether < 0) return 0;
    if (b->tether > 0) return (double)b->tether;
    if (scene->settings.quality == PLIANT_QUALITY_GIVEN || !b->edges.count || !hangs(scene, b)) return 0;
    const double strain = SLACK * own_strain(scene, body);
    return strain >= 0 && strain < RUBBERY ? 1 + strain : 0;
}
