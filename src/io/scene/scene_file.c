/* A scene file, from its first key to a pliant_scene: the order in which its parts are read, and the settings of the whole scene.
 *
 *   solver -> materials -> colliders -> bodies (each with pins, constraints and attachments) -> constraints between bodies -> stitches -> cuts ->
 *   contact pairs -> forces
 *
 * That is also the order in which constraints are solved where "order" is "given". */
#include "io/files/file.h"

#include "base/float_env.h"
#include "io/scene/keys.h"
#include "scene/draft.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- solver ---- */

static const char *const order_words[] = {"colour", "given", NULL};
static const char *const integration_words[] = {"first_order", "bdf2", NULL};
static const char *const rest_words[] = {"spread", "carry", NULL};               /* in the order of pliant_substep_rest */
static const char *const bound_words[] = {"paths", "speed", "continuous", NULL}; /* in the order of pliant_contact_bound */
static const char *const divergence_words[] = {"stop", "restore", NULL};
static const char *const quality_words[] = {"preview", "good", "final",
                                            NULL};                     /* in the order of pliant_quality, after the one that is given */
static const char *const easing_words[] = {"as_needed", "none", NULL}; /* in the order of pliant_easing */
static const char *const energy_words[] = {"ignore", "warn", "stop", NULL}; /* in the order of pliant_on_energy */
static const char *const method_words[] = {
#define X(NAME, name, ...) #name,
    PLIANT_METHOD_TABLE(X)
#undef X
        NULL};

/* Settings of methods, as keys are read: a word by its number. */
#define FIELD_REAL pliant_real
#define FIELD_COUNT uint32_t
#define FIELD_WORD uint32_t

typedef struct solver_spec {
    pliant_scene_def def;
    uint32_t         order, on_divergence, on_energy, easing, quality, method, integration, contact_bound, substep_rest;
    struct {
#define X(type, name, KIND, ...) FIELD_##KIND name;
        PLIANT_METHOD_SETTINGS(X)
#undef X
    } setting;
} solver_spec;

static const pliant__key solver_keys[] = {
    {.name = "substeps",
     .type = PLIANT__KEY_COUNT,
     .low = 1,
     .high = 10000,
     .offset = offsetof(solver_spec, def.substeps),
     .text = "Substeps of a frame; default as quality chooses, or 10 where iterations, method or integration are said. The time step is 1 "
             "/ fps / substeps"},
    {.name = "substep",
     .type = PLIANT__KEY_DOUBLE,
     .low = 1e-6,
     .high = 1,
     .offset = offsetof(solver_spec, def.substep),
     .text = "s, instead of substeps: how long a substep is, whatever the frame: docs/time.md"},
    {.name = "substep_rest",
     .type = PLIANT__KEY_WORD,
     .words = rest_words,
     .offset = offsetof(solver_spec, substep_rest),
     .text = "Whether substeps of a given length are made shorter until they fill the frame (default), or what they do not fill is carried "
             "over to the next one"},
    {.name = "iterations",
     .type = PLIANT__KEY_COUNT,
     .low = 1,
     .high = 10000,
     .offset = offsetof(solver_spec, def.iterations),
     .text = "Sweeps of a substep; default 1"},
    {.name = "gravity", .type = PLIANT__KEY_VEC3, .offset = offsetof(solver_spec, def.gravity), .text = "m/s^2; default [0, -9.81, 0]"},
    {.name = "order",
     .type = PLIANT__KEY_WORD,
     .words = order_words,
     .offset = offsetof(solver_spec, order),
     .text = "By colours (default), or serially as listed"},
    {.name = "method",
     .type = PLIANT__KEY_WORD,
     .words = method_words,
     .offset = offsetof(solver_spec, method),
     .text = "How constraints are solved; default gauss_seidel"},
#define X(type_, name_, KIND, initial, allowed, text_) \
    {.name = #name_, .type = PLIANT__KEY_##KIND, allowed, .offset = offsetof(solver_spec, setting.name_), .text = text_},
    PLIANT_METHOD_SETTINGS(X)
#undef X
        {.name = "integration",
         .type = PLIANT__KEY_WORD,
         .words = integration_words,
         .offset = offsetof(solver_spec, integration),
         .text = "Backward Euler (default), or of second order: docs/integration.md"},
    {.name = "damping",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = DBL_MAX,
     .offset = offsetof(solver_spec, def.damping),
     .text = "1/s, of all motion but the rigid one of the whole system; default 0"},
    {.name = "drag",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = DBL_MAX,
     .offset = offsetof(solver_spec, def.drag),
     .text = "1/s, of every velocity; default 0"},
    {.name = "max_speed",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .above = true,
     .high = DBL_MAX,
     .offset = offsetof(solver_spec, def.max_speed),
     .text = "m/s; faster counts as diverged; default 10000"},
    {.name = "sleep_speed",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = DBL_MAX,
     .offset = offsetof(solver_spec, def.sleep_speed),
     .text = "m/s; what has gone no further than that takes it in half a second sleeps until it is moved; default 0: nothing does"},
    {.name = "on_divergence",
     .type = PLIANT__KEY_WORD,
     .words = divergence_words,
     .offset = offsetof(solver_spec, on_divergence),
     .text = "Whether divergence stops the run (default) or puts the body back at rest"},
    {.name = "on_energy",
     .type = PLIANT__KEY_WORD,
     .words = energy_words,
     .offset = offsetof(solver_spec, on_energy),
     .text =
         "Whether pliant run says so at its end if energy comes from nowhere, or stops, or reckons no energies (default): docs/energy.md"},
    {.name = "quality",
     .type = PLIANT__KEY_WORD,
     .words = quality_words,
     .offset = offsetof(solver_spec, quality),
     .text = "Instead of substeps: how many there are, and which bodies are tethered to their pins, is chosen by what the scene has: "
             "docs/quality.md"},
    {.name = "easing",
     .type = PLIANT__KEY_WORD,
     .words = easing_words,
     .offset = offsetof(solver_spec, easing),
     .text = "How much of an old violation a substep may turn into speed: as little as lets no energy be gained (default), or, none, all "
             "of it, as "
             "XPBD is published: docs/energy.md"},
    {.name = "contact_bound",
     .type = PLIANT__KEY_WORD,
     .words = bound_words,
     .offset = offsetof(solver_spec, contact_bound),
     .text = "Whether paths of bodies that meet are cut so that nothing passes through anything, at planes between them (default) or where "
             "they meet, or "
             "only their speed is limited: docs/contact.md"},
};
const pliant__object pliant__solver_object = {"solver", "How the scene is solved", PLIANT__KEYS(solver_keys), NULL, 0};

/* Refuses settings of a method other than the one chosen: they would be lost in silence. */
static bool check_method_settings(pliant__reader *r, const pliant__node *solver, pliant_method method)
{
    for (const pliant__node *n = solver->first; n; n = n->next) {
        if (!pliant_setting_find(n->key) || pliant_method_has(method, n->key)) continue;
        for (int i = 0; i < PLIANT_METHOD_COUNT; i++)
            if (pliant_method_has((pliant_method)i, n->key))
                return pliant__complain(r, n,
                                        "this is a setting of the method %s, and the method here is %s; leave it out, or change \"method\"",
                                        pliant_method_describe((pliant_method)i)->name, pliant_method_describe(method)->name);
    }
    return true;
}

/* Refuses both a number of substeps and a length of substeps. */
static bool check_substep(pliant__reader *r, const pliant__node *solver, const pliant_scene_def *def)
{
    const pliant__node *number = pliant__node_get(solver, "substeps"), *length = pliant__node_get(solver, "substep"),
                       *rest = pliant__node_get(solver, "substep_rest");
    if (length && number)
        return pliant__complain(r, length, "substep says how long substeps are, and substeps how many a frame has; leave one of them out");
    if (rest && !length) return pliant__complain(r, rest, "substep_rest is for substeps of a given length: say \"substep\", in seconds");
    if (!length || !(1 / r->fps / def->substep > 10000)) return true;
    return pliant__complain(r, length, "a frame of 1/%g s would have %.0f substeps of %g s, and the most is 10000", r->fps,
                            1 / r->fps / def->substep, def->substep);
}

#define DEFAULT_QUALITY PLIANT_QUALITY_GOOD

/* Settings that a quality chooses: a scene with one of them has no quality. */
static const char *const chosen_keys[] = {"substeps", "substep", "iterations", "method", "integration"};

/* The scene's quality, or the default one where the scene has none of the settings that it would choose; refuses both. */
static bool read_quality(pliant__reader *r, const pliant__node *solver, uint32_t word, pliant_scene_def *def)
{
    const pliant__node *quality = pliant__node_get(solver, "quality");
    for (size_t i = 0; i < sizeof chosen_keys / sizeof *chosen_keys; i++)
        if (pliant__node_get(solver, chosen_keys[i])) {
            if (!quality) return true;
            return pliant__complain(
                r, quality, "quality chooses substeps of one iteration of gauss_seidel; leave out \"%s\", or \"quality\"", chosen_keys[i]);
        }
    def->quality = quality ? (pliant_quality)(PLIANT_QUALITY_PREVIEW + word) : DEFAULT_QUALITY;
    return true;
}

static bool make_scene(pliant__reader *r, const pliant__node *solver)
{
    solver_spec s = {.def = pliant_scene_def_default()};
#define X(type, name, KIND, ...) s.setting.name = (FIELD_##KIND)s.def.method.name;
    PLIANT_METHOD_SETTINGS(X)
#undef X
    s.def.allocator = r->def->allocator;
    s.def.frame = 1 / r->fps;
    if (solver && !pliant__read_object(r, solver, &pliant__solver_object, &s)) return false;
    s.def.order = s.order == 1 || r->def->order_given || r->def->replay ? PLIANT_ORDER_GIVEN : PLIANT_ORDER_COLOUR;
    s.def.method.method = (pliant_method)s.method;
#define X(type, name, ...) s.def.method.name = (type)s.setting.name;
    PLIANT_METHOD_SETTINGS(X)
#undef X
    if (solver && !check_method_settings(r, solver, s.def.method.method)) return false;
    s.def.on_divergence = s.on_divergence == 1 ? PLIANT_DIVERGENCE_RESTORES : PLIANT_DIVERGENCE_STOPS;
    s.def.on_energy = (pliant_on_energy)s.on_energy;
    s.def.easing = (pliant_easing)s.easing;
    s.def.integration = s.integration == 1 ? PLIANT_INTEGRATION_BDF2 : PLIANT_INTEGRATION_FIRST_ORDER;
    s.def.contact_bound = (pliant_contact_bound)s.contact_bound;
    s.def.substep_rest = (pliant_substep_rest)s.substep_rest;
    if (solver && !check_substep(r, solver, &s.def)) return false;
    if (!read_quality(r, solver, s.quality, &s.def)) return false;
    pliant_error inner = {0};
    r->scene = pliant_scene_create(&s.def, &inner);
    if (!r->scene) return pliant__blame(r, solver ? solver : r->root, &inner);
    const pliant__node *method = solver ? pliant__node_get(solver, "method") : NULL;
    r->scene->method_line = method ? method->line : solver ? solver->line : r->root->line;
    return true;
}

/* ---- the file ---- */

typedef struct file_spec {
    uint32_t            version, frames;
    double              fps;
    const char         *name, *description;
    const pliant__node *solver, *materials, *bodies, *constraints, *stitches, *cuts, *colliders, *contact_pairs, *forces, *camera;
} file_spec;

static const pliant__key file_keys[] = {
    {.name = "pliant",
     .type = PLIANT__KEY_COUNT,
     .low = 0,
     .high = UINT32_MAX,
     .offset = offsetof(file_spec, version),
     .required = true,
     .text = "Version of this format: 1"},
    {.name = "$schema", .type = PLIANT__KEY_LATER, .schema = "{\"type\": \"string\"}", .text = "Where this schema is, for editors"},
    {.name = "name", .type = PLIANT__KEY_TEXT, .offset = offsetof(file_spec, name), .text = "What the scene is called"},
    {.name = "description", .type = PLIANT__KEY_TEXT, .offset = offsetof(file_spec, description), .text = "What it shows"},
    {.name = "frames",
     .type = PLIANT__KEY_COUNT,
     .low = 0,
     .high = 100000000,
     .offset = offsetof(file_spec, frames),
     .text = "Frames after the initial one; default 240"},
    {.name = "fps",
     .type = PLIANT__KEY_DOUBLE,
     .low = 1,
     .high = 1e6,
     .offset = offsetof(file_spec, fps),
     .text = "Frames per second; default 60"},
    {.name = "solver",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"$ref\": \"#/$defs/solver\"}",
     .offset = offsetof(file_spec, solver),
     .text = "How the scene is solved"},
    {.name = "materials",
     .type = PLIANT__KEY_NODE,
     .offset = offsetof(file_spec, materials),
     .schema = "{\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/$defs/material\"}}",
     .text = "Materials by name"},
    {.name = "bodies",
     .type = PLIANT__KEY_NODE,
     .offset = offsetof(file_spec, bodies),
     .required = true,
     .schema =
         "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"oneOf\": [{\"$ref\": \"#/$defs/cloth\"}, {\"$ref\": \"#/$defs/soft\"}, "
         "{\"$ref\": \"#/$defs/rope\"}, {\"$ref\": \"#/$defs/particles\"}]}}",
     .text = "What moves"},
    {.name = "constraints",
     .type = PLIANT__KEY_NODE,
     .offset = offsetof(file_spec, constraints),
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/constraint_between\"}}",
     .text = "Constraints between bodies"},
    {.name = "stitches",
     .type = PLIANT__KEY_NODE,
     .offset = offsetof(file_spec, stitches),
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/stitches\"}}",
     .text = "What is sewn together: docs/stitches.md"},
    {.name = "cuts",
     .type = PLIANT__KEY_NODE,
     .offset = offsetof(file_spec, cuts),
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/cut\"}}",
     .text = "Blades that cut bodies that tear: docs/tearing.md"},
    {.name = "colliders",
     .type = PLIANT__KEY_NODE,
     .offset = offsetof(file_spec, colliders),
     .schema = "{\"type\": \"array\", \"items\": {\"oneOf\": [{\"$ref\": \"#/$defs/plane\"}, {\"$ref\": \"#/$defs/sphere\"}, "
               "{\"$ref\": \"#/$defs/capsule\"}, {\"$ref\": \"#/$defs/box\"}, {\"$ref\": \"#/$defs/hull\"}, {\"$ref\": \"#/$defs/mesh\"}, "
               "{\"$ref\": \"#/$defs/height_field\"}, {\"$ref\": \"#/$defs/distance_field\"}]}}",
     .text = "What bodies touch"},
    {.name = "contact_pairs",
     .type = PLIANT__KEY_NODE,
     .offset = offsetof(file_spec, contact_pairs),
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/contact_pair\"}}",
     .text = "What two are to each other where they touch"},
    {.name = "forces",
     .type = PLIANT__KEY_NODE,
     .offset = offsetof(file_spec, forces),
     .schema = "{\"type\": \"array\", \"items\": {\"oneOf\": [{\"$ref\": \"#/$defs/acceleration\"}, {\"$ref\": \"#/$defs/body_force\"}, "
               "{\"$ref\": \"#/$defs/wind\"}]}}",
     .text = "What pulls and blows"},
    {.name = "camera",
     .type = PLIANT__KEY_NODE,
     .offset = offsetof(file_spec, camera),
     .schema = "{\"$ref\": \"#/$defs/camera\"}",
     .text = "From where the scene is shown"},
};
const pliant__object pliant__file_object = {"file", "A scene of Pliant", PLIANT__KEYS(file_keys), NULL, 0};

static bool read_materials(pliant__reader *r, const pliant__node *node)
{
    if (!node) return true;
    if (node->type != PLIANT__NODE_MAP) return pliant__expected(r, node, "an object of materials by name");
    for (const pliant__node *n = node->first; n; n = n->next) { /* so that a material that no body uses is checked too */
        pliant_material m;
        if (n->type != PLIANT__NODE_MAP) return pliant__expected(r, n, "an object");
        pliant__node by_name = {.type = PLIANT__NODE_TEXT, .text = n->key, .line = n->line};
        if (!*n->key) return pliant__complain(r, n, "a material needs a name");
        if (!pliant__read_material(r, &by_name, &m)) return false;
    }
    return true;
}

static bool read_each(pliant__reader *r, const pliant__node *list, bool (*read)(pliant__reader *, const pliant__node *))
{
    if (!list) return true;
    if (list->type != PLIANT__NODE_LIST) return pliant__expected(r, list, "a list");
    for (const pliant__node *n = list->first; n; n = n->next)
        if (!read(r, n)) return false;
    return true;
}

static bool read_bodies(pliant__reader *r, const pliant__node *list)
{
    if (list->type != PLIANT__NODE_LIST) return pliant__expected(r, list, "a list of bodies");
    if (list->count == 0) return pliant__complain(r, list, "there is nothing to simulate: a scene has at least one body");
    r->body_nodes = list;
    r->bodies = pliant__read_memory(r, list->count, sizeof *r->bodies);
    r->body_names = pliant__read_memory(r, list->count, sizeof *r->body_names);
    r->body_sizes = pliant__read_memory(r, list->count, sizeof *r->body_sizes);
    r->body_marks = pliant__read_memory(r, list->count, sizeof *r->body_marks);
    r->body_kinds = pliant__read_memory(r, list->count, sizeof *r->body_kinds);
    if (!r->bodies || !r->body_names || !r->body_sizes || !r->body_marks || !r->body_kinds || !read_each(r, list, pliant__read_body))
        return false;
    pliant__notice_idle(r);
    return true;
}

/* Another file's constraints in the place of the scene's own. */
static bool read_replay(pliant__reader *r)
{
    static const pliant_body all = {0};
    pliant__reader           list = {.folder = r->folder, .def = r->def, .error = r->error, .scene = r->scene, .elsewhere = r->elsewhere};
    size_t                   length;
    if (!r->def->replay) return true;
    if (r->def->reads) r->def->reads(r->def->replay, r->def->reads_context);
    char *text = pliant__file_read(r->def->replay, &length, r->error);
    if (!text) return false;
    bool ok = pliant__tree_parse(&list.tree, text, length, r->def->replay, &r->def->allocator, r->error);
    free(text);
    if (!ok) return false;
    pliant_scene_remove_constraints(r->scene);
    ok = pliant__read_constraints(&list, list.tree.root, &all, (uint32_t)r->scene->vertex_particle.count);
    pliant__tree_free(&list.tree);
    return ok;
}

bool pliant__read_file(pliant__reader *r, pliant_scene_file *file)
{
    file_spec s = {.frames = 240, .fps = 60};
    if (!pliant__read_object(r, r->root, &pliant__file_object, &s)) return false;
    if (s.version != 1)
        return pliant__complain(r, pliant__node_get(r->root, "pliant"), "this file is of version %u, and this program reads version 1",
                                s.version);
    r->fps = s.fps;
    r->frames = s.frames;
    if (!make_scene(r, s.solver) || !read_materials(r, s.materials)) return false;
    if (!read_each(r, s.colliders, pliant__read_collider) || !read_bodies(r, s.bodies)) return false;
    if (s.constraints && !pliant__read_constraints(r, s.constraints, NULL, 0)) return false;
    if (!read_each(r, s.stitches, pliant__read_stitches) || !read_each(r, s.cuts, pliant__read_cut)) return false;
    if (!read_each(r, s.contact_pairs, pliant__read_contact_pair)) return false;
    if (!read_each(r, s.forces, pliant__read_force) || !read_replay(r)) return false;
    if (s.camera && !pliant__read_camera(r, s.camera, &file->camera)) return false;
    file->scene = r->scene;
    file->frames = s.frames;
    file->fps = s.fps;
    return true;
}
