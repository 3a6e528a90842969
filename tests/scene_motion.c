/* Two laws of motion for drawn scenes: momentum, and that a scene goes the same way elsewhere and turned about the vertical.
 *
 * The second compares a scene with one that has all places and directions of the world moved and turned. The two differ by rounding, and what moves
 * makes more of a difference, by how much nothing says beforehand. So it is measured: the scene is run again from a start where each coordinate is off by
 * what rounding may be off by in both places, four times in each, and from two files that say it less than a centimetre aside and not turned; their
 * rest lengths are rounded otherwise. The largest distance that came of it until a frame, times 32, and a micrometre, are what the moved scene may be
 * off by in that frame. Where a start so near leads a millimetre away, nothing is asked. */
#include "scene_laws.h"
#include "trial.h"

#define MOST_SPREAD 1e-3 /* m */
#define LEFT 1e-6        /* m, that methods which stop when they are near enough may leave */

/* ---- momentum ---- */

typedef struct moment {
    double mass, momentum[3], angular[3], speed, reach; /* of all; the fastest, and the furthest from the origin */
} moment;

static void add_moment(moment *m, double mass, const pliant_vec3 *x, const pliant_vec3 *v)
{
    const double a[3] = {(double)x->x, (double)x->y, (double)x->z}, b[3] = {(double)v->x, (double)v->y, (double)v->z};
    m->mass += mass;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        m->momentum[k] += mass * b[k];
        m->angular[k] += mass * (a[i] * b[j] - a[j] * b[i]);
    }
    m->speed = fmax(m->speed, length3(b));
    m->reach = fmax(m->reach, length3(a));
}

static moment moment_of(const pliant_state *state)
{
    const pliant_model *model = pliant_state_model(state);
    moment              m = {0};
    for (uint32_t i = 0; i < pliant_model_body_count(model); i++) {
        const pliant_body_info body = pliant_model_body_at(model, i);
        const uint32_t         count = body.vertex_count;
        pliant_vec3           *x = calloc(count, sizeof *x), *v = calloc(count, sizeof *v);
        pliant_real           *w = calloc(count, sizeof *w);
        assert_int_equal(pliant_state_positions(state, body.body, 0, count, x), PLIANT_OK);
        assert_int_equal(pliant_state_velocities(state, body.body, 0, count, v), PLIANT_OK);
        assert_int_equal(pliant_state_inverse_masses(state, body.body, 0, count, w), PLIANT_OK);
        for (uint32_t k = 0; k < count; k++)
            if (w[k] > 0) add_moment(&m, 1 / (double)w[k], &x[k], &v[k]);
        free(x);
        free(v);
        free(w);
    }
    return m;
}

static bool keeps_momentum(const scene_case *c)
{
    const pliant_scene_def settings = pliant_model_settings(c->file.model);
    if (scene_says(c->scene,
                   "pins attach skin frame fixed colliders forces target self_contact contact_mask w drag sleep_speed substep_rest"))
        return false;
    if (settings.method.method == PLIANT_METHOD_MULTIGRID) return false; /* docs/known-limits.md */
    return settings.method.method != PLIANT_METHOD_JACOBI || settings.method.averaging == PLIANT_AVERAGING_ROW;
}

/* Gravity alone adds to it. A substep's rounding is that of its positions over its length, of each row that moved a particle. */
law_answer scene_momentum(const scene_case *c, char why[256])
{
    if (c->odd || c->code != PLIANT_OK || !keeps_momentum(c)) return LAW_NOT_ASKED;
    const pliant_scene_def settings = pliant_model_settings(c->file.model);
    pliant_state          *state = pliant_state_create(c->file.model, NULL);
    const moment           before = moment_of(state);
    scene_go(c, c->file.model, state, (scene_end){0, 0, PLIANT_OK}, 0, c->frames, (scene_way){.threads = 1});
    const moment after = moment_of(state);
    const double time = pliant_state_time(state) - pliant_state_carried(state),
                 g[3] = {(double)settings.gravity.x, (double)settings.gravity.y, (double)settings.gravity.z};
    const uint32_t substeps = pliant_model_substeps(c->file.model, 1 / c->file.fps), all = c->frames * (substeps ? substeps : 1);
    const double   h = substeps ? 1 / c->file.fps / substeps : settings.substep;
    const double   bound = after.mass * EPSILON * (4 * sqrt(all) * (1 + after.reach) / h + 16 * all * (1 + after.speed));
    double         off[3];
    for (int k = 0; k < 3; k++) off[k] = after.momentum[k] - before.momentum[k] - after.mass * g[k] * time;
    pliant_state_destroy(state);
    if (length3(off) <= bound) return LAW_KEPT;
    snprintf(why, 256, "%g kg m/s came from nowhere in %u frames, of %g kg whose fastest has %g m/s; rounding may be %g", length3(off),
             c->frames, after.mass, after.speed, bound);
    return LAW_BROKEN;
}

/* ---- a motion of the world ---- */

typedef struct motion {
    double angle; /* about y, radians */
    double by[3]; /* m, then */
} motion;

static void turn(const motion *m, double v[3])
{
    const double c = cos(m->angle), s = sin(m->angle), x = v[0], z = v[2];
    v[0] = c * x + s * z;
    v[2] = c * z - s * x;
}

static void move(const motion *m, double v[3])
{
    turn(m, v);
    for (int k = 0; k < 3; k++) v[k] += m->by[k];
}

static void change_vector(const motion *m, json *vector, void (*change)(const motion *, double[3]))
{
    double v[3];
    for (int k = 0; k < 3; k++) v[k] = vector->items[k].number;
    change(m, v);
    for (int k = 0; k < 3; k++) vector->items[k].number = v[k];
}

static void change_key(const motion *m, const json *object, const char *key, void (*change)(const motion *, double[3]))
{
    json *vector = json_find(object, key);
    if (vector) change_vector(m, vector, change);
}

static void change_list(const motion *m, const json *object, const char *key, void (*change)(const motion *, double[3]))
{
    const json *list = json_find(object, key);
    for (size_t i = 0; list && i < list->count; i++) change_vector(m, &list->items[i], change);
}

/* A rotation as a quaternion. */
static void rotation_of(const json *rotation, double q[4])
{
    double axis[3], length = 0;
    if (rotation->type == JSON_LIST) {
        for (int k = 0; k < 4; k++) q[k] = rotation->items[k].number, length += q[k] * q[k];
        for (int k = 0; k < 4; k++) q[k] /= sqrt(length);
        return;
    }
    const double half = json_number_at(rotation, "angle") * TEST_PI / 360;
    for (int k = 0; k < 3; k++) axis[k] = json_get(rotation, "axis")->items[k].number;
    for (int k = 0; k < 3; k++) q[k] = axis[k] / length3(axis) * sin(half);
    q[3] = cos(half);
}

/* Turns "rotation", which is made where there is none and `whole`. */
static void change_rotation(const motion *m, json *object, bool whole)
{
    const json  *rotation = json_find(object, "rotation");
    const double s = sin(m->angle / 2), c = cos(m->angle / 2);
    double       q[4] = {0, 0, 0, 1};
    if (!rotation && !whole) return;
    if (rotation) rotation_of(rotation, q);
    const double turned[4] = {c * q[0] + s * q[2], c * q[1] + s * q[3], c * q[2] - s * q[0], c * q[3] - s * q[1]};
    json_put(object, "rotation", json_of_numbers(turned, 4));
}

static void change_pose(const motion *m, json *object, bool whole)
{
    static const double origin[3] = {0, 0, 0};
    if (whole && !json_find(object, "position")) json_put(object, "position", json_of_numbers(origin, 3));
    change_key(m, object, "position", move);
    change_rotation(m, object, whole);
}

/* Of colliders and frames. */
static void change_posed(const motion *m, json *object)
{
    const json *keys = json_find(object, "keys");
    for (size_t i = 0; keys && i < keys->count; i++) change_pose(m, &keys->items[i], false);
    json *normal = json_find(object, "normal"), *offset = json_find(object, "offset");
    if (!normal && !offset) {
        change_pose(m, object, true);
        return;
    }
    double n[3] = {0, 1, 0};
    if (normal) change_vector(m, normal, turn);
    for (int k = 0; normal && k < 3; k++) n[k] = normal->items[k].number;
    json_put(object, "offset", json_of_number((offset ? offset->number : 0) + dot3(n, m->by) / length3(n)));
}

static void change_targets(const motion *m, const json *holder)
{
    const json *keys = json_find(holder, "keys");
    json       *sphere = json_find(holder, "sphere");
    if (sphere) change_key(m, sphere, "center", move);
    change_key(m, holder, "nearest", move);
    change_key(m, holder, "target", move);
    change_list(m, holder, "targets", move);
    for (size_t i = 0; keys && i < keys->count; i++) {
        change_key(m, &keys->items[i], "translate", turn);
        change_list(m, &keys->items[i], "positions", move);
    }
}

/* Every object in a list, or the one. */
static void change_all_targets(const motion *m, const json *of)
{
    if (of && of->type == JSON_OBJECT) change_targets(m, of);
    for (size_t i = 0; of && of->type == JSON_LIST && i < of->count; i++)
        if (of->items[i].type == JSON_OBJECT) change_targets(m, &of->items[i]);
}

static void change_body(const motion *m, json *body)
{
    change_pose(m, body, true); /* and the body's keys lie elsewhere then */
    const json *particles = json_find(body, "particles");
    json       *frame = json_find(body, "frame");
    change_key(m, body, "velocity", turn);
    change_key(m, body, "spin", turn);
    for (size_t i = 0; particles && i < particles->count; i++) change_key(m, &particles->items[i], "v", turn);
    change_all_targets(m, json_find(body, "pins"));
    change_all_targets(m, json_find(body, "attach"));
    change_all_targets(m, json_find(body, "skin"));
    change_all_targets(m, json_find(body, "constraints"));
    if (frame) change_posed(m, frame);
}

static void say_vector(json *object, const char *key, double x, double y, double z)
{
    const double v[3] = {x, y, z};
    if (!json_find(object, key)) json_put(object, key, json_of_numbers(v, 3));
}

static void change_force(const motion *m, json *force)
{
    json *keys = json_find(force, "keys"), *sphere = json_find(force, "sphere");
    if (json_find(force, "swirl") || json_find(force, "pull")) {
        say_vector(force, "center", 0, 0, 0);
        say_vector(force, "axis", 0, 1, 0);
    }
    change_key(m, force, "vector", turn);
    change_key(m, force, "velocity", turn);
    change_key(m, force, "center", move);
    change_key(m, force, "axis", turn);
    if (sphere) change_key(m, sphere, "center", move);
    for (size_t i = 0; keys && i < keys->count; i++) {
        change_key(m, &keys->items[i], "vector", turn);
        change_key(m, &keys->items[i], "velocity", turn);
    }
}

static void change_cut(const motion *m, const json *cut)
{
    const json *keys = json_find(cut, "keys");
    change_list(m, cut, "corners", move);
    for (size_t i = 0; keys && i < keys->count; i++) change_list(m, &keys->items[i], "edge", move);
}

static json moved(const motion *m, const json *scene)
{
    json        copy = json_copy(scene);
    const json *bodies = json_find(&copy, "bodies"), *colliders = json_find(&copy, "colliders"), *forces = json_find(&copy, "forces"),
               *cuts = json_find(&copy, "cuts"), *solver = json_find(&copy, "solver");
    if (solver) change_key(m, solver, "gravity", turn);
    for (size_t i = 0; i < bodies->count; i++) change_body(m, &bodies->items[i]);
    for (size_t i = 0; colliders && i < colliders->count; i++) change_posed(m, &colliders->items[i]);
    for (size_t i = 0; forces && i < forces->count; i++) change_force(m, &forces->items[i]);
    for (size_t i = 0; cuts && i < cuts->count; i++) change_cut(m, &cuts->items[i]);
    return copy;
}

/* A plane that is told by its normal has the point about which its keys turn it on the axis through the origin. */
static bool turns_about_origin(const json *scene)
{
    const json *colliders = json_find(scene, "colliders");
    for (size_t i = 0; colliders && i < colliders->count; i++) {
        const json *c = &colliders->items[i];
        if (json_find(c, "keys") && (json_find(c, "normal") || json_find(c, "offset"))) return true;
    }
    return false;
}

/* Between points in a line an angle is rounding, and listed constraints may be of such points. */
static bool lists_angles(const json *value)
{
    if (value->type == JSON_TEXT) return !strcmp(value->text, "dihedral_angle");
    for (size_t i = 0; i < value->count; i++)
        if (lists_angles(&value->items[i])) return true;
    return false;
}

/* Whether a file says all places by itself: caches do not; boxes, sides and the lattice of gusts go along the axes, and of two that are as near either is the nearest. */
static bool can_be_moved(const scene_case *c)
{
    if (c->odd || c->code != PLIANT_OK || turns_about_origin(c->scene) || lists_angles(c->scene)) return false;
    return !scene_says(c->scene, "nearest box side cluster pair value first_frame relative map cache gust");
}

/* ---- how far apart ---- */

/* Puts every coordinate off by up to so much. What is held stays. */
static void shake(pliant_state *state, double by, uint64_t seed)
{
    const pliant_model *model = pliant_state_model(state);
    for (uint32_t i = 0; i < pliant_model_body_count(model); i++) {
        const pliant_body_info body = pliant_model_body_at(model, i);
        for (uint32_t v = 0; v < body.vertex_count; v++) {
            pliant_vec3 x;
            if (pliant_state_pinned(state, body.body, v)) continue;
            assert_int_equal(pliant_state_positions(state, body.body, v, 1, &x), PLIANT_OK);
            x = vec((double)x.x + by * (2 * chance(&seed) - 1), (double)x.y + by * (2 * chance(&seed) - 1),
                    (double)x.z + by * (2 * chance(&seed) - 1));
            pliant_state_set_positions(state, body.body, v, 1, &x);
        }
    }
}

/* The largest distance between vertices of two states, one of which may be moved. */
static double distance(const pliant_state *from, const pliant_state *to, const motion *m)
{
    const pliant_model *model = pliant_state_model(from);
    double              most = 0;
    for (uint32_t i = 0; i < pliant_model_body_count(model); i++) {
        const pliant_body_info body = pliant_model_body_at(model, i);
        for (uint32_t v = 0; v < body.vertex_count; v++) {
            pliant_vec3 a, b;
            assert_int_equal(pliant_state_positions(from, body.body, v, 1, &a), PLIANT_OK);
            assert_int_equal(pliant_state_positions(to, body.body, v, 1, &b), PLIANT_OK);
            double at[3] = {(double)a.x, (double)a.y, (double)a.z};
            move(m, at);
            const double off[3] = {at[0] - (double)b.x, at[1] - (double)b.y, at[2] - (double)b.z};
            most = fmax(most, length3(off));
        }
    }
    return most;
}

enum { SHAKEN = 4 };

/* A run of a model, and of starts that are off by `unit`. */
typedef struct flock {
    const pliant_model *model;
    pliant_state       *state, *shaken[SHAKEN];
} flock;

static flock flock_of(const pliant_model *model, double unit)
{
    flock k = {.model = model, .state = pliant_state_create(model, NULL)};
    for (uint64_t i = 0; i < SHAKEN; i++) {
        k.shaken[i] = pliant_state_create(model, NULL);
        shake(k.shaken[i], unit, i + 1);
    }
    return k;
}

static void end_flock(flock *k)
{
    for (int i = 0; i < SHAKEN; i++) pliant_state_destroy(k->shaken[i]);
    pliant_state_destroy(k->state);
}

/* Goes on by a frame; how far the others are then from the first. */
static double step_flock(const scene_case *c, flock *k, uint32_t frame)
{
    const scene_end start = {0, 0, PLIANT_OK};
    const motion    none = {0, {0, 0, 0}};
    double          spread = 0;
    scene_go(c, k->model, k->state, start, frame, frame + 1, (scene_way){.threads = 1});
    for (int i = 0; i < SHAKEN; i++) {
        scene_go(c, k->model, k->shaken[i], start, frame, frame + 1, (scene_way){.threads = 1});
        spread = fmax(spread, distance(k->state, k->shaken[i], &none));
    }
    return spread;
}

enum { NEAR = 2 };

/* The scene somewhere else. */
typedef struct elsewhere {
    motion            by;
    pliant_model_file file;
    flock             flock;
} elsewhere;

/* What the moved scene is off by, against what shaken starts are and those that are moved a little, until a tenth of a second is over. */
static law_answer compare(const scene_case *c, elsewhere *there, elsewhere *near, char why[256])
{
    const double unit = EPSILON * (2 + length3(there->by.by));
    flock        here = flock_of(c->file.model, unit);
    law_answer   answer = LAW_NOT_ASKED;
    double       spread = 0;
    there->flock = flock_of(there->file.model, unit);
    for (int i = 0; i < NEAR; i++) near[i].flock = flock_of(near[i].file.model, unit);
    for (uint32_t f = 0; f < c->frames && f < 0.1 * c->file.fps && answer != LAW_BROKEN; f++) {
        spread = fmax(spread, fmax(step_flock(c, &here, f), step_flock(c, &there->flock, f)));
        for (int i = 0; i < NEAR; i++) {
            step_flock(c, &near[i].flock, f);
            spread = fmax(spread, distance(here.state, near[i].flock.state, &near[i].by));
        }
        if (spread > MOST_SPREAD) break;
        const double off = distance(here.state, there->flock.state, &there->by), bound = 32 * (spread + unit) + LEFT;
        answer = off <= bound ? LAW_KEPT : LAW_BROKEN;
        if (off > bound) snprintf(why, 256, "%g m off in frame %u, and %g after starts that are %g m off", off, f + 1, spread, unit);
    }
    for (int i = 0; i < NEAR; i++) end_flock(&near[i].flock);
    end_flock(&there->flock);
    end_flock(&here);
    return answer;
}

/* Whether two models solve the same rows in the same order. It follows from which of them have equal numbers, and from where the particles of large
 * bodies lie; in another order sweeps come to something else, by as much as they are from their end. */
static bool same_order(const pliant_model *a, const pliant_model *b)
{
    const uint32_t count = pliant_model_solved_count(a);
    bool           same = count == pliant_model_solved_count(b);
    for (uint32_t i = 0; same && i < count; i++) {
        const pliant_solved_constraint x = pliant_model_solved(a, i), y = pliant_model_solved(b, i);
        same = x.kind == y.kind && x.wave == y.wave && !memcmp(x.particles, y.particles, sizeof x.particles);
    }
    return same;
}

/* Reads the scene that is moved by `e->by`. */
static law_answer read_elsewhere(const scene_case *c, elsewhere *e, char why[256])
{
    pliant_error error = {0};
    json         there = moved(&e->by, c->scene);
    char        *text = json_write(&there);
    law_answer   answer = LAW_KEPT;
    if (pliant_model_read_text(text, strlen(text), "moved.json", NULL, NULL, &e->file, &error) != PLIANT_OK) {
        snprintf(why, 256, "it is refused there: %.200s", error.message);
        answer = strstr(error.message, "inverted") || strstr(error.message, "flat") ? LAW_NOT_ASKED : LAW_BROKEN; /* by rounding */
    } else if (!same_order(c->file.model, e->file.model)) {
        answer = LAW_NOT_ASKED;
    }
    free(text);
    json_clear(&there);
    return answer;
}

law_answer scene_motion(const scene_case *c, char why[256])
{
    uint64_t  seed = c->number + 1;
    elsewhere there = {.by = {.angle = 0}}, near[NEAR] = {{.by = {.angle = 0}}};
    if (!can_be_moved(c)) return LAW_NOT_ASKED;
    there.by.angle = 2 * TEST_PI * chance(&seed);
    for (int k = 0; k < 3; k++) there.by.by[k] = floor(8 * chance(&seed)) / 4 - 1;
    law_answer answer = read_elsewhere(c, &there, why);
    for (int i = 0; i < NEAR && answer == LAW_KEPT; i++) {
        for (int k = 0; k < 3; k++) near[i].by.by[k] = 0.01 * chance(&seed);
        answer = read_elsewhere(c, &near[i], why);
    }
    if (answer == LAW_KEPT) answer = compare(c, &there, near, why);
    for (int i = 0; i < NEAR; i++) pliant_model_close(&near[i].file);
    pliant_model_close(&there.file);
    return answer;
}
