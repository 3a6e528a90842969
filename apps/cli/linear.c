/* Sparse linear systems, for methods that want them: CHOLMOD's, where the command was built with it. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef PLIANT_CHOLMOD
#include "pliant/cholmod.h"
#endif

const char *cli_lacks_cholmod(void)
{
#ifdef PLIANT_CHOLMOD
    return pliant_cholmod() ? NULL : "libcholmod is not found";
#else
    return "not built in";
#endif
}

const pliant_linear_solver *cli_linear(void)
{
    static bool warned;
    const char *wanted = getenv("PLIANT_LINEAR");
    if (wanted && strcmp(wanted, "none") == 0) return NULL;
    if (wanted && !warned) {
        warned = true;
        fprintf(stderr, "pliant: note: PLIANT_LINEAR=%s means nothing; there is only none\n", wanted);
    }
#ifdef PLIANT_CHOLMOD
    return pliant_cholmod();
#else
    return NULL;
#endif
}

bool cli_takes(const pliant_model_file *file, const char *path, pliant_error *error)
{
    if (pliant_method_takes(file->model, NULL, error) && (cli_linear() || !pliant_method_wants_linear(file->model, NULL, error)))
        return true;
    if (*error->path) return false;
    snprintf(error->path, sizeof error->path, "%.255s", path);
    error->line = pliant_scene_method_line(file->scene);
    return false;
}
