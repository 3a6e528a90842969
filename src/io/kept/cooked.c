/* Cooked models: the bytes of a model, which are mapped as they lie, and a tail that says how it is to be played.
 *
 *   0   the model (pliant_model_data), a multiple of 64 bytes
 *   n   "PLIANTT", n, the model's hash, fps, frames, 0, 0, hash of these
 *
 * Every byte is under one of the two hashes, so damage is found wherever it is. */
#include "io/kept/cooked.h"

#include "base/hash.h"
#include "io/files/file.h"

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

static bool write_cooked(const char *path, const pliant_model *model, uint32_t frames, double fps, pliant_error *error)
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

pliant_code pliant_cooked_write(const char *path, const pliant_model *model, uint32_t frames, double fps, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(write_cooked(path, model, frames, fps, &why), &why, error);
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

bool pliant__is_cooked(const char *path) { return begins(path, model_magic); }

bool pliant__is_no_scene(const char *path, pliant_error *error)
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

bool pliant__cooked_read(const char *path, pliant_model_file *file, pliant_error *error)
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
