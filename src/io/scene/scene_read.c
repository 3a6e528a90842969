/* Scenes from files and from texts. */
#include "base/float_env.h"
#include "io/files/file.h"
#include "io/scene/keys.h"
#include "scene/draft.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int pliant_scene_method_line(const pliant_scene *scene) { return scene ? scene->method_line : 0; }

pliant_read_def pliant_read_def_default(void)
{
    pliant_read_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    return def;
}

static bool read_scene_text(const char *text, size_t length, const char *name, const char *folder, const pliant_read_def *def,
                            pliant_scene_file *file, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    pliant_read_def ours = pliant_read_def_default();
    if (!file || (!text && length) || (def && def->size != sizeof *def))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a scene needs a text, a place to go, and a def from pliant_read_def_default");
    memset(file, 0, sizeof *file);
    struct stat found;
    if (def && def->root && (stat(*def->root ? def->root : ".", &found) != 0 || !S_ISDIR(found.st_mode)))
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, def->root, 0, "the root folder is not a folder that is there");
    pliant__reader r = {.folder = folder ? folder : "", .def = def ? def : &ours, .error = error, .elsewhere = pliant__known_elsewhere};
    if (!pliant__tree_parse(&r.tree, text, length, name ? name : "scene", &r.def->allocator, error)) return false;
    r.root = r.tree.root;
    bool ok = pliant__read_file(&r, file);
    if (!ok) {
        pliant_scene_destroy(r.scene);
        memset(file, 0, sizeof *file);
    }
    pliant__tree_free(&r.tree);
    return ok;
}

pliant_code pliant_scene_read_text(const char *text, size_t length, const char *name, const char *folder, const pliant_read_def *def,
                                   pliant_scene_file *file, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(read_scene_text(text, length, name, folder, def, file, &why), &why, error);
}

const char *pliant_demo_scene(size_t *length)
{
    extern const char   pliant__demo_scene[]; /* generated from scenes/demo.json */
    extern const size_t pliant__demo_scene_length;
    if (length) *length = pliant__demo_scene_length;
    return pliant__demo_scene;
}

static bool read_scene(const char *path, const pliant_read_def *def, pliant_scene_file *file, pliant_error *error)
{
    if (!path || !file) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a scene needs a path and a place to go");
    memset(file, 0, sizeof *file);
    size_t length;
    char  *text = pliant__file_read(path, &length, error);
    if (!text) return false;
    const char *slash = strrchr(path, '/');
    size_t      head = slash ? (size_t)(slash - path) + 1 : 0;
    char       *folder = malloc(head + 1);
    bool        ok = folder != NULL;
    if (!ok) pliant__fail_memory(error, head + 1, "a path");
    if (ok) {
        memcpy(folder, path, head);
        folder[head] = 0;
        ok = pliant_scene_read_text(text, length, path, folder, def, file, error) == PLIANT_OK;
    }
    free(folder);
    free(text);
    return ok;
}

pliant_code pliant_scene_read(const char *path, const pliant_read_def *def, pliant_scene_file *file, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(read_scene(path, def, file, &why), &why, error);
}
