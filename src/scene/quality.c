/* Substeps and tethers that are chosen where a scene says a quality instead of substeps: docs/quality.md has the measurements.
 *
 * Substeps. The more edges lie across a cloth, the more of its stretch is left by a sweep: a pull goes one edge further per sweep. So the number of
 * substeps follows from the cloth or rope with the most edges across. Grids get more, for their substeps cost less.
 *
 * Tethers. A body that hangs on pins by loads that are known, and says nothing of tethers, has them: they hold the lengths that sweeps do not
 * reach. Tethers are to be no tighter than the body's own law. Of a cloth let F be the load, its weight and the most that the scene's forces may
 * pull it by, A the area, L the longest way to a pin, and a the largest compliance of its edges (m/N): the strain of a strip as wide as A / L that
 * bears all of the load is F a L / A. Of a rope with segments of length l it is F a / l. Where the pull comes together in corners it is at most
 * 2 ln(L / edge) / pi as much on average of the way, and what swings weighs up to three times as much: tethers have four times that strain to go.
 *
 * Where that is more than a quarter there are none; and none where a load is not known: a moving frame, led pins, other bodies, constraints that
 * were added, colliders that move; and where most of the body is taut between pins, as a hammock is, which pulls far more than its load. */
#include "scene/quality.h"
#include "scene/check.h"

#include <math.h>
#include <string.h>

#define COARSE 12    /* edges across, which sweeps solve well in the fewest substeps */
#define MODEST 20    /* of grids, likewise in some more */
#define MEDIUM 32    /* likewise */
#define WIDE 80      /* of grids, beyond which 40 substeps would cost more than twice what ten did when they were the default */
#define SLACK 4      /* times the strain by its load that a tether lets pass */
#define RUBBERY 0.25 /* strain beyond which lengths are the law's matter alone */

/* ---- substeps ---- */

static double edges_across(const pliant_scene *scene, const pliant__draft_body *b)
{
    uint32_t count = 0;
    if (b->removed || (b->type != PLIANT_BODY_CLOTH && b->type != PLIANT_BODY_ROPE)) return 0;
    if (b->grid[0]) return fmax(b->grid[0], b->grid[1]) - 1;
    for (uint32_t i = 0; i < b->particle_count; i++) {
        const pliant__draft_particle *p = &scene->particles.data[b->first_particle + i];
        count += p->extent > 0 || p->mass > 0; /* with masses that were given there is no extent */
    }
    if (!count) return 0;
    return b->type == PLIANT_BODY_ROPE ? (count - 1) / 2.0 : sqrt((double)count) - 1;
}

uint32_t pliant__scene_across(const pliant_scene *scene)
{
    double across = 0;
    for (size_t i = 0; i < scene->bodies.count; i++) across = fmax(across, edges_across(scene, &scene->bodies.data[i]));
    return (uint32_t)ceil(across - 1e-9);
}

/* The substeps of `good`, and the reason beside the edges across. A grid's substeps cost less than those of another mesh. No two rows have the same number. */
typedef enum given { TO_COARSE, TO_ANY, TO_MODEST, TO_MEDIUM, TO_GRIDS, TO_WIDE } given;

static const struct {
    uint32_t    substeps;
    const char *reason;
} good[] = {
    [TO_COARSE] = {10, ""},
    [TO_ANY] = {20, ""},
    [TO_MODEST] = {16, "all of grids"}, /* up to MODEST */
    [TO_MEDIUM] = {32, "all of grids"}, /* up to MEDIUM */
    [TO_GRIDS] = {40, "all of grids"},
    [TO_WIDE] = {34, "all of grids"}, /* beyond WIDE, where not all so fine bend by lines */
};

const char *pliant__quality_reason(uint32_t substeps)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (good[i].substeps == substeps) return good[i].reason;
    return "";
}

/* Whether rows of a body bend it by lines; `row` goes on from body to body. */
static bool bends_by_lines(const pliant_scene *scene, size_t body, size_t *row)
{
    for (; *row < scene->constraints.count; ++*row) {
        const pliant__draft_constraint *d = &scene->constraints.data[*row];
        if (!d->removed && !d->user && d->body == body && d->kind == PLIANT_CONSTRAINT_LINE_BENDING) return true;
    }
    return false;
}

static given good_for(const pliant_scene *scene)
{
    bool   grids = true, lines = true, ropes = false;
    double finest = 0; /* of cloth */
    size_t row = 0;
    for (size_t i = 0; i < scene->bodies.count; i++) {
        const pliant__draft_body *b = &scene->bodies.data[i];
        const double              across = edges_across(scene, b);
        if (b->type == PLIANT_BODY_ROPE) ropes = ropes || across > COARSE;
        if (b->type != PLIANT_BODY_CLOTH) continue;
        finest = fmax(finest, across);
        grids = grids && (across <= COARSE || b->grid[0]);
        if (across > WIDE) lines = lines && bends_by_lines(scene, i, &row);
    }
    if (!grids || !(finest > COARSE)) return TO_ANY;
    if (finest <= MODEST) return ropes ? TO_ANY : TO_MODEST;
    if (finest <= MEDIUM) return TO_MEDIUM;
    return finest <= WIDE || lines ? TO_GRIDS : TO_WIDE;
}

uint32_t pliant__scene_substeps(const pliant_scene *scene)
{
    static const uint32_t final[] = {20, 40, 80};
    const uint32_t        across = pliant__scene_across(scene);
    switch (scene->settings.quality) {
    case PLIANT_QUALITY_PREVIEW: return 10;
    case PLIANT_QUALITY_GOOD: return good[across <= COARSE ? TO_COARSE : good_for(scene)].substeps;
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
    const uint32_t           *particles = user ? user->particles : pliant__draft_particles(scene, d);
    const uint32_t            count = user ? user->particle_count : pliant__kind_slots(d->kind);
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
    if (!(pliant_constraint_describe((pliant_constraint_kind)d->kind)->flags & PLIANT_ROW_EDGE) || strcmp(law->role, "stretch") != 0)
        return;
    of->held = true;
    of->loaded = of->loaded || law->law.stiffness < 1 || law->law.limited || !(d->parameters[0] > 0);
    of->give = fmax(of->give, (double)law->law.compliance / (rope && d->parameters[0] > 0 ? (double)d->parameters[0] : 1));
}

static bool may_meet(const pliant__draft_body *a, const pliant__draft_body *b)
{
    return (a->contact_mask & b->contact_group) || (b->contact_mask & a->contact_group);
}

/* Whether pins hold the body, all of them for ever. */
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

/* Whether a body, or a collider that moves, may press on the body. */
static bool is_pressed(const pliant_scene *scene, size_t body)
{
    const pliant__draft_body *b = &scene->bodies.data[body];
    for (size_t i = 0; i < scene->colliders.count; i++)
        if (scene->colliders.data[i].key_count || scene->colliders.data[i].def.yields) return true;
    for (size_t i = 0; i < scene->bodies.count; i++)
        if (i != body && !scene->bodies.data[i].removed && may_meet(b, &scene->bodies.data[i])) return true;
    return false;
}

static double length_of(pliant_vec3 a) { return sqrt((double)a.x * (double)a.x + (double)a.y * (double)a.y + (double)a.z * (double)a.z); }

/* ---- loads ---- */

/* The quantities that a load depends on: mass, kg; area that the air meets, m^2; coefficients of drag and lift. */
typedef struct bearer {
    double mass, area, drag, lift;
} bearer;

/* A force at its strongest: its vector's length, with swirl, pull and gusts of three times their root mean square on top, of the strongest key. */
typedef struct load {
    double most, density; /* in the unit of its vector; kg/m^3 */
} load;

#define GUST 3.0 /* of the root mean square */

static double strongest(const pliant_scene *scene, const pliant__draft_force *f)
{
    const double field = fabs((double)f->def.swirl) + fabs((double)f->def.pull) + GUST * (double)f->def.gust;
    double       most = f->def.key_count ? 0 : length_of(f->def.vector) + field;
    for (size_t k = f->key_first; k < f->key_first + f->def.key_count; k++) {
        const double here = length_of(scene->force_key_vectors.data[k]) + fabs((double)scene->force_key_shares.data[k]) * field;
        most = here > most ? here : most;
    }
    return most;
}

static double load_of_acceleration(const load *f, const bearer *b) { return b->mass * f->most; }

static double load_of_body_force(const load *f, const bearer *b)
{
    (void)b;
    return f->most;
}

/* All triangles at the angle to the air at which drag and lift together are the largest. With c the squared cosine between air and normal they are
 * (rho / 2) A v^2 sqrt(c (C_D^2 + (1 - c) C_L^2)) (step/forces.c), the largest for c = 1, or for less where lift is larger than drag. */
static double load_of_wind(const load *f, const bearer *b)
{
    const double speed = f->most, drag2 = b->drag * b->drag, lift2 = b->lift * b->lift;
    const double most = lift2 > drag2 ? (drag2 + lift2) / (2 * b->lift) : b->drag;
    return f->density / 2 * b->area * speed * speed * most;
}

/* N, the most that forces of each type pull a body by. A type without a row makes an unknown load. */
static double (*const load_of[])(const load *f, const bearer *b) = {
    [PLIANT_FORCE_ACCELERATION] = load_of_acceleration,
    [PLIANT_FORCE_BODY] = load_of_body_force,
    [PLIANT_FORCE_WIND] = load_of_wind,
};

static bool acts_on(const pliant_force_def *f, size_t body) { return !f->body.id || f->body.id == body + 1; }

/* All winds of a body, as step/forces.c makes them one; where one of them varies, as if all blew the same way. */
static load air_of(const pliant_scene *scene, size_t body)
{
    double density = 0, sum[3] = {0, 0, 0}, all = 0;
    bool   varies = false;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < scene->forces.count; i++) {
            const pliant__draft_force *d = &scene->forces.data[i];
            const pliant_force_def    *f = &d->def;
            const double               dense = (double)f->air_density;
            if (f->type != PLIANT_FORCE_WIND || !acts_on(f, body) || !(dense > 0)) continue;
            if (pass == 0 && dense > density) density = dense;
            if (pass == 0) continue;
            for (int k = 0; k < 3; k++) sum[k] += (double)(&f->vector.x)[k] * (dense / density);
            all += strongest(scene, d) * (dense / density);
            varies = varies || f->key_count || f->region != PLIANT_REGION_EVERYWHERE || strongest(scene, d) != length_of(f->vector);
        }
    const double blows = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    return (load){varies ? all : blows, density};
}

/* N, the most that all forces of the scene pull a body by; HUGE_VAL: that is not known. */
static double load_of_forces(const pliant_scene *scene, size_t body, const bearer *b)
{
    const load air = air_of(scene, body);
    double     sum = 0;
    bool       blown = false;
    for (size_t i = 0; i < scene->forces.count; i++) {
        const pliant_force_def *f = &scene->forces.data[i].def;
        const load              alone = {strongest(scene, &scene->forces.data[i]), 0};
        if (!acts_on(f, body) || (blown && f->type == PLIANT_FORCE_WIND)) continue;
        blown = blown || f->type == PLIANT_FORCE_WIND;
        const bool known = (size_t)f->type < sizeof load_of / sizeof *load_of && load_of[f->type];
        sum += known ? load_of[f->type](f->type == PLIANT_FORCE_WIND ? &air : &alone, b) : HUGE_VAL;
    }
    return sum;
}

static void weigh(const pliant_scene *scene, size_t body, pliant__hanging *of)
{
    const pliant__draft_body *b = &scene->bodies.data[body];
    const double              fall = length_of(scene->settings.gravity);
    bearer                    bears = {0, 0, (double)b->material.air_drag, (double)b->material.air_lift};
    for (uint32_t p = 0; p < b->particle_count; p++) {
        const pliant__draft_particle *particle = &scene->particles.data[b->first_particle + p];
        const double                  mass = particle->w > 0 ? 1 / (double)particle->w : particle->mass;
        bears.mass += mass;
        of->load += fall * mass;
        of->area += particle->extent;
    }
    if (b->triangle_count) bears.area = of->area;
    of->load += load_of_forces(scene, body, &bears);
}

/* ---- how a body hangs ---- */

void pliant__find_hanging(const pliant_scene *scene, pliant__hanging *out)
{
    const bool falls = length_of(scene->settings.gravity) > 0;
    memset(out, 0, scene->bodies.count * sizeof *out);
    if (scene->settings.quality == PLIANT_QUALITY_GIVEN) return;
    for (size_t i = 0; i < scene->constraints.count; i++) note_row(scene, &scene->constraints.data[i], out);
    for (size_t i = 0; i < scene->bodies.count; i++) {
        const pliant__draft_body *b = &scene->bodies.data[i];
        pliant__hanging          *of = &out[i];
        of->chosen = !b->removed && b->tether == 0 && !pliant__snaps(b->type, &b->material) && b->edges.count && falls && of->held &&
                     !of->loaded && hangs(scene, b) && !is_pressed(scene, i);
        if (of->chosen) weigh(scene, i, of);
    }
}

double pliant__chosen_tether(const pliant__draft_body *b, const pliant__hanging *of, double longest)
{
    const double width = b->type == PLIANT_BODY_ROPE ? 1 : of->area / longest, slack = SLACK * of->load * of->give / width;
    return slack < RUBBERY ? 1 + slack : 0; /* not where the load is not known, nor where the width is 0 or no number */
}
