/* Models from files: scene files, which are compiled, and cooked models. */
#include "base/error.h"
#include "base/float_env.h"
#include "io/files/file.h"
#include "io/kept/cooked.h"
#include "pliant/io.h"
#include "scene/draft.h"

#include <stdio.h>

/* Whether a body has its shape from clusters, as one of particles alone has. */
static bool is_shaped(const pliant__draft_body *body)
{
    return body->type == PLIANT_BODY_PARTICLES || (body->type == PLIANT_BODY_SOFT && body->model == PLIANT_SOLID_SHAPE) ||
           (body->type == PLIANT_BODY_CLOTH && body->cloth_model == PLIANT_CLOTH_SHAPE);
}

/* Whether a constraint that the scene lists, or a stitch, holds a particle of a body. */
static bool has_other_hold(const pliant_scene *scene, const pliant__draft_body *body, uint32_t id)
{
    bool found = false;
    for (size_t i = 0; i < scene->constraints.count && !found; i++) {
        const pliant__draft_constraint *c = &scene->constraints.data[i];
        const uint32_t                 *of = c->user || c->removed ? NULL : pliant__draft_particles(scene, c);
        for (uint32_t k = 0; of && k < pliant__kind_slots(c->kind); k++)
            found = found || (of[k] >= body->first_particle && of[k] - body->first_particle < body->particle_count);
    }
    for (size_t i = 0; i < scene->stitches.count; i++)
        found = found || scene->stitches.data[i].def.a.id == id || scene->stitches.data[i].def.b.id == id;
    return found;
}

/* Refuses a body that nothing but such clusters holds as have too few particles or are flat; of other bodies a notice says how many of their clusters are such.
 * Listed clusters may be flat by intent: they are noted alone. */
static bool check_clusters(const char *path, const pliant_read_def *def, const pliant_scene *scene, const pliant_model *model,
                           pliant_error *error)
{
    for (size_t i = 0; i < scene->groups.count; i++) {
        const pliant__draft_group  *g = &scene->groups.data[i];
        const pliant__draft_body   *body = &scene->bodies.data[g->body];
        const pliant_shape_clusters c = pliant_model_shape_clusters(model, (pliant_body){g->body + 1});
        const uint32_t              weak = c.small + c.flat;
        char                        text[512];
        if (!g->line || !weak) continue;
        if (weak == c.count && (!c.flat || g->cluster > 0) && is_shaped(body) && !has_other_hold(scene, body, g->body + 1))
            return pliant__fail_at(
                error, PLIANT_ERROR_INPUT, path, g->line,
                "shape: nothing holds body \"%s\" in shape: each of its %u clusters has fewer than 4 particles or is flat; "
                "make \"cluster\" about three of its edges long, leave it out, or list larger clusters",
                body->name, c.count);
        if (!def || !def->notice) continue;
        snprintf(
            text, sizeof text,
            "%.200s:%d: shape: of the %u clusters of body \"%s\" %u have fewer than 4 particles and %u are flat; they resist next to no "
            "deformation (docs/shape-matching.md)",
            path, g->line, c.count, body->name, c.small, c.flat);
        def->notice(text, def->notice_context);
    }
    return true;
}

static bool compile(const char *path, const pliant_read_def *def, const pliant_scene_file *scene, pliant_model_file *file,
                    pliant_error *error)
{
    if (def && def->compiles) def->compiles(def->compiles_context);
    *file = (pliant_model_file){.scene = scene->scene, .frames = scene->frames, .fps = scene->fps, .camera = scene->camera};
    file->model = pliant_scene_compile(scene->scene, error);
    if (file->model && check_clusters(path, def, scene->scene, file->model, error)) return true;
    if (error && !*error->path) snprintf(error->path, sizeof error->path, "%.255s", path);
    pliant_model_close(file);
    return false;
}

static bool read_model_text(const char *text, size_t length, const char *name, const char *folder, const pliant_read_def *def,
                            pliant_model_file *file, pliant_error *error)
{
    pliant_scene_file scene;
    if (!file) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a model is read into a pliant_model_file");
    return pliant_scene_read_text(text, length, name, folder, def, &scene, error) == PLIANT_OK &&
           compile(name ? name : "scene", def, &scene, file, error);
}

pliant_code pliant_model_read_text(const char *text, size_t length, const char *name, const char *folder, const pliant_read_def *def,
                                   pliant_model_file *file, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(read_model_text(text, length, name, folder, def, file, &why), &why, error);
}

static bool read_model(const char *path, const pliant_read_def *def, pliant_model_file *file, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!path || !*path || !file || (def && def->size != sizeof *def))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a model is read from a path, with a def from pliant_read_def_default");
    *file = (pliant_model_file){0};
    if (def && def->reads) def->reads(path, def->reads_context);
    if (!pliant__path_ends(path, ".pliant") && !pliant__is_cooked(path)) {
        pliant_scene_file scene;
        if (pliant__is_no_scene(path, error)) return false;
        if (pliant_scene_read(path, def, &scene, error) == PLIANT_OK) return compile(path, def, &scene, file, error);
        if (error && !*error->path) snprintf(error->path, sizeof error->path, "%.255s", path);
        return false;
    }
    if (def && (def->mend || def->order_given || def->replay))
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0,
                               "a cooked model is solved as it was cooked: mend, order and replay are for scene files");
    if (pliant__cooked_read(path, file, error)) return true;
    pliant_model_close(file);
    return false;
}

pliant_code pliant_model_read(const char *path, const pliant_read_def *def, pliant_model_file *file, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(read_model(path, def, file, &why), &why, error);
}

void pliant_model_close(pliant_model_file *file)
{
    if (!file) return;
    pliant_model_destroy(file->model);
    pliant_scene_destroy(file->scene);
    pliant__file_unmap(file->bytes, file->byte_count);
    *file = (pliant_model_file){0};
}
