/* Models from files: scene files, which are compiled, and cooked models. */
#include "base/error.h"
#include "base/float_env.h"
#include "io/files/file.h"
#include "io/kept/cooked.h"
#include "pliant/io.h"

#include <stdio.h>

static bool compile(const char *path, const pliant_read_def *def, const pliant_scene_file *scene, pliant_model_file *file,
                    pliant_error *error)
{
    if (def && def->compiles) def->compiles(def->compiles_context);
    *file = (pliant_model_file){.scene = scene->scene, .frames = scene->frames, .fps = scene->fps, .camera = scene->camera};
    file->model = pliant_scene_compile(scene->scene, error);
    if (file->model) return true;
    if (error && !*error->path) snprintf(error->path, sizeof error->path, "%.255s", path);
    pliant_model_close(file);
    return false;
}

static bool read_model_text(const char *text, size_t length, const char *name, const char *folder, const pliant_read_def *def,
                            pliant_model_file *file, pliant_error *error)
{
    pliant_scene_file scene;
    if (!file) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a model is read into a pliant_model_file");
    return pliant_scene_read_text(text, length, name, folder, def, &scene, error) == PLIANT_OK && compile(name, def, &scene, file, error);
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
