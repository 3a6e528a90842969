/* Cooked models: the bytes of a model, which are mapped as they lie, and a tail that says how it is to be played.
 *
 *   0   the model (pliant_model_data), a multiple of 64 bytes
 *   n   "PLIANTT", n, the model's hash, fps, frames, 0, 0, hash of these
 *
 * Every byte is under one of the two hashes, so damage is found wherever it is. */
#include "base/float_env.h"
#include "base/hash.h"
#include "io/file.h"
#include "pliant/io.h"

#include <stdio.h>
#include <string.h>

typedef struct tail {
    char     magic[8];
    uint64_t model_bytes, model;
    double   fps;
    uint64_t frames, unused[2];
    uint64_t hash; /* of all before it */
} tail;

_Static_assert(sizeof(tail) == PLIANT_COOKED_TAIL, "what pliant/model.h promises");

enum { MAGIC = 8 };
static const char tail_magic[MAGIC] = "PLIANTT", model_magic[MAGIC] = "PLIANTM";

bool pliant_cooked_write(const char *path, const pliant_model *model, uint32_t frames, double fps, pliant_error *error)
{
    if (!path || !*path || !model || !(fps > 0) || !(fps <= 1e6))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a cooked model needs a path, a model, and frames per second");
    tail t = {.model = pliant_model_hash(model), .fps = fps, .frames = frames};
    memcpy(t.magic, tail_magic, sizeof t.magic);
    size_t      size;
    const void *bytes = pliant_model_data(model, &size);
    t.model_bytes = size;
    t.hash = pliant__hash(&t, offsetof(tail, hash), 0);
    const pliant__piece pieces[] = {{bytes, size}, {&t, sizeof t}};
    return pliant__file_write(path, pieces, 2, error);
}

/* ---- reading ---- */

/* Whether a file begins with these bytes. A file that cannot be opened does not, and the reader of scenes fails with the reason. */
static bool begins(const char *path, const char with[MAGIC])
{
    pliant__source file;
    char           magic[MAGIC] = "";
    bool           is = pliant__source_open(&file, path, NULL) && file.size >= sizeof magic &&
              pliant__source_read(&file, 0, magic, sizeof magic, NULL) && memcmp(magic, with, sizeof magic) == 0;
    pliant__source_close(&file);
    return is;
}

static bool is_cooked(const char *path) { return begins(path, model_magic); }

/* Other files of Pliant, which are refused with their name. */
static bool is_other(const char *path, pliant_error *error)
{
    if (begins(path, "PLIANTR"))
        return !pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "a recording, not a scene (pliant replay plays it)");
    return begins(path, "PLIANTK") &&
           !pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "a checkpoint, not a scene (run --resume goes on from it)");
}

/* Reads the tail of a cooked model, and checks it. */
static bool read_tail(const char *path, const unsigned char *bytes, size_t size, tail *t, pliant_error *error)
{
    if (size < 2 * sizeof *t || memcmp(bytes, model_magic, sizeof model_magic) != 0)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "byte 0: not a cooked model, or cut off");
    const size_t at = size - sizeof *t;
    memcpy(t, bytes + at, sizeof *t);
    if (memcmp(t->magic, tail_magic, sizeof tail_magic) != 0 || t->hash != pliant__hash(t, offsetof(tail, hash), 0) ||
        t->model_bytes != at || !(t->fps > 0) || t->frames > UINT32_MAX)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0,
                               "byte %zu: a cooked model's last 64 bytes should be here: cut off or damaged; cook it again", at);
    return true;
}

static bool read_cooked(const char *path, pliant_model_file *file, pliant_error *error)
{
    tail         t;
    pliant_error why = {0};
    if (!pliant__file_map(path, &file->bytes, &file->byte_count, error)) return false;
    if (!read_tail(path, file->bytes, file->byte_count, &t, error)) return false;
    file->model = pliant_model_map(file->bytes, file->byte_count - sizeof t, NULL, &why);
    if (!file->model) return pliant__fail_at(error, why.code, path, 0, "byte 0: %.150s; cook it again", why.message);
    if (pliant_model_hash(file->model) != t.model)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "byte %zu: the tail is another model's; cook it again",
                               file->byte_count - sizeof t);
    file->frames = (uint32_t)t.frames;
    file->fps = t.fps;
    return true;
}

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

bool pliant_model_read_text(const char *text, size_t length, const char *name, const char *folder, const pliant_read_def *def,
                            pliant_model_file *file, pliant_error *error)
{
    pliant_scene_file scene;
    if (!file) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a model is read into a pliant_model_file");
    return pliant_scene_read_text(text, length, name, folder, def, &scene, error) && compile(name, def, &scene, file, error);
}

bool pliant_model_read(const char *path, const pliant_read_def *def, pliant_model_file *file, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!path || !*path || !file || (def && def->size != sizeof *def))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a model is read from a path, with a def from pliant_read_def_default");
    *file = (pliant_model_file){0};
    if (def && def->reads) def->reads(path, def->reads_context);
    if (!pliant__path_ends(path, ".pliant") && !is_cooked(path)) {
        pliant_scene_file scene;
        if (is_other(path, error)) return false;
        if (pliant_scene_read(path, def, &scene, error)) return compile(path, def, &scene, file, error);
        if (error && !*error->path) snprintf(error->path, sizeof error->path, "%.255s", path);
        return false;
    }
    if (def && (def->mend || def->order_given || def->replay))
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0,
                               "a cooked model is solved as it was cooked: mend, order and replay are for scene files");
    if (read_cooked(path, file, error)) return true;
    pliant_model_close(file);
    return false;
}

void pliant_model_close(pliant_model_file *file)
{
    if (!file) return;
    pliant_model_destroy(file->model);
    pliant_scene_destroy(file->scene);
    pliant__file_unmap(file->bytes, file->byte_count);
    *file = (pliant_model_file){0};
}
