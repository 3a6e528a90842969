/* What is chosen where a scene says a quality instead of substeps: docs/quality.md has what was measured.
 *
 * Substeps. What a sweep leaves of the stretch of cloth is the more, the more edges lie across it: a pull goes one edge further per sweep. So the
 * cloth or rope with the most edges across says how many there are. A fine grid that bends without angles has twice as many: its substeps cost half.
 *
 * Tethers. A body that hangs on pins by nothing but its own weight, and says nothing of tethers, has them: they hold the lengths that sweeps do
 * not reach. Tethers are to be no tighter than the body's own law. Of a cloth let m g be the weight, A the area, L the longest way to a pin, and
 * a the largest compliance of its edges (m/N): the strain of a strip as wide as A / L that bears all of the weight is m g a L / A. Of a rope with
 * segments of length l it is m g a / l. Where the pull comes together in corners it is at most 2 ln(L / edge) / pi as much on average of the way,
 * and what swings weighs up to three times as much: tethers have four times that strain to go.
 *
 * Where that is more than a quarter there are none; and none where a load may come from elsewhere: forces, a moving frame, led pins, other bodies,
 * constraints that were added, colliders that move; and where most of the body is taut between pins, as a hammock is, which pulls far more
 * than it weighs. */
#include "scene/quality.h"

#include <math.h>
#include <string.h>

#define COARSE 12 /* edges across, which sweeps solve well in the fewest substeps */
#define MEDIUM 32
#define SLACK 4      /* times the strain by its own weight that a tether lets pass */
#define RUBBERY 0.25 /* strain beyond which lengths are the law's matter alone */

/* ---- substeps ---- */

static double edges_across(const pliant_scene *scene, const pliant__draft_body *b)
{
    uint32_t count = 0;
    if (b->removed || (b->type != PLIANT_BODY_CLOTH && b->type != PLIANT_BODY_ROPE)) return 0;
    if (b->grid[0]) return fmax(b->grid[0], b->grid[1]) - 1;
    for (uint32_t i = 0; i < b->particle_count; i++) count += scene->particles.data[b->first_particle + i].extent > 0;
    return b->type == PLIANT_BODY_ROPE ? (count - 1) / 2.0 : sqrt((double)count) - 1;
}

uint32_t pliant__scene_across(const pliant_scene *scene)
{
    double across = 0;
    for (size_t i = 0; i < scene->bodies.count; i++) across = fmax(across, edges_across(scene, &scene->bodies.data[i]));
    return (uint32_t)ceil(across - 1e-9);
}

/* Whether there is fine cloth, and all of it are grids that bend by lines. */
static bool has_cheap_grids(const pliant_scene *scene)
{
    const pliant__draft_constraint *row = scene->constraints.data, *end = row + scene->constraints.count;
    bool                            some = false;
    for (size_t i = 0; i < scene->bodies.count; i++) {
        const pliant__draft_body *b = &scene->bodies.data[i];
        if (b->removed || b->type != PLIANT_BODY_CLOTH || edges_across(scene, b) <= MEDIUM) continue;
        while (row < end && (row->removed || row->user || row->body != i || row->kind != PLIANT_CONSTRAINT_LINE_BENDING))
            row++; /* in the order of bodies */
        if (row == end) return false;
        some = true;
    }
    return some;
}

uint32_t pliant__scene_substeps(const pliant_scene *scene)
{
    static const uint32_t final[] = {20, 40, 80};
    const uint32_t        across = pliant__scene_across(scene);
    switch (scene->settings.quality) {
    case PLIANT_QUALITY_PREVIEW: return 10;
    case PLIANT_QUALITY_GOOD: return across <= COARSE ? 10 : across > MEDIUM && has_cheap_grids(scene) ? 40 : 20;
    case PLIANT_QUALITY_FINAL: return final[(across > COARSE) + (across > MEDIUM)];
    default: return scene->settings.substeps;
    }
}

/* ---- tethers ---- */

/* Bodies lie one after another. */
static uint32_t body_of(const pliant_scene *scene, uint32_t particle)
{
    size_t low = 0, high = scene->bodies.count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (scene->bodies.data[middle].first_particle <= particle)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static void load_by_row(const pliant_scene *scene, const pliant__draft_constraint *d, pliant__hanging *out)
{
    const pliant__draft_user *user = d->user ? &scene->users.data[d->particles[0]] : NULL;
    const uint32_t           *particles = user ? user->particles : d->particles;
    const uint32_t            count = user ? user->particle_count : pliant_constraint_describe((pliant_constraint_kind)d->kind)->slots;
    for (uint32_t i = 0; i < count; i++)
        if (!(particles[i] & PLIANT__TARGET_SLOT)) out[body_of(scene, particles[i])].loaded = true;
}

static void note_row(const pliant_scene *scene, const pliant__draft_constraint *d, pliant__hanging *out)
{
    if (d->removed) return;
    if (d->body == PLIANT__NONE || d->user) {
        load_by_row(scene, d, out);
        return;
    }
    pliant__hanging         *of = &out[d->body];
    const pliant__draft_law *law = &scene->laws.data[d->law];
    const bool               rope = scene->bodies.data[d->body].type == PLIANT_BODY_ROPE;
    if (d->kind != PLIANT_CONSTRAINT_DISTANCE || strcmp(law->role, "stretch") != 0) return;
    of->held = true;
    of->loaded = of->loaded || law->law.stiffness < 1 || law->law.limited || !(d->parameters[0] > 0);
    of->give = fmax(of->give, (double)law->law.compliance / (rope && d->parameters[0] > 0 ? (double)d->parameters[0] : 1));
}

static bool may_meet(const pliant__draft_body *a, const pliant__draft_body *b)
{
    return (a->contact_mask & b->contact_group) || (b->contact_mask & a->contact_group);
}

/* Whether pins hold it, all of them for ever. */
static bool hangs(const pliant_scene *scene, const pliant__draft_body *b)
{
    bool anchored = false;
    for (uint32_t i = 0; i < b->particle_count; i++) {
        const uint8_t pin = scene->particles.data[b->first_particle + i].pin;
        if (pin == PLIANT__RELEASABLE) return false;
        anchored = anchored || pin == PLIANT__ANCHOR;
    }
    return anchored && !b->targets.count && !b->skin_count && !b->has_frame;
}

/* Whether something that moves by itself, or as it is told to, may press on it. */
static bool is_pressed(const pliant_scene *scene, size_t body)
{
    const pliant__draft_body *b = &scene->bodies.data[body];
    for (size_t i = 0; i < scene->colliders.count; i++)
        if (scene->colliders.data[i].key_count || scene->colliders.data[i].def.yields) return true;
    for (size_t i = 0; i < scene->bodies.count; i++)
        if (i != body && !scene->bodies.data[i].removed && may_meet(b, &scene->bodies.data[i])) return true;
    return false;
}

void pliant__find_hanging(const pliant_scene *scene, pliant__hanging *out)
{
    const pliant_vec3 g = scene->settings.gravity;
    const double      fall = sqrt((double)g.x * (double)g.x + (double)g.y * (double)g.y + (double)g.z * (double)g.z);
    memset(out, 0, scene->bodies.count * sizeof *out);
    if (scene->settings.quality == PLIANT_QUALITY_GIVEN) return;
    for (size_t i = 0; i < scene->constraints.count; i++) note_row(scene, &scene->constraints.data[i], out);
    for (size_t i = 0; i < scene->bodies.count; i++) {
        const pliant__draft_body *b = &scene->bodies.data[i];
        pliant__hanging          *of = &out[i];
        of->chosen = !b->removed && b->tether == 0 && b->edges.count && fall > 0 && !scene->forces.count && of->held && !of->loaded &&
                     hangs(scene, b) && !is_pressed(scene, i);
        for (uint32_t p = 0; p < b->particle_count && of->chosen; p++) {
            const pliant__draft_particle *particle = &scene->particles.data[b->first_particle + p];
            of->weight += fall * (particle->w > 0 ? 1 / (double)particle->w : particle->mass);
            of->area += particle->extent;
        }
    }
}

double pliant__chosen_tether(const pliant__draft_body *b, const pliant__hanging *of, double longest)
{
    const double width = b->type == PLIANT_BODY_ROPE ? 1 : of->area / longest, slack = SLACK * of->weight * of->give / width;
    return slack < RUBBERY ? 1 + slack : 0; /* not where the width is 0 or no number */
}
