/* Sparse linear systems, for methods that want them: CHOLMOD's, where the command was built with it. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef PLIANT_CHOLMOD
#include "pliant/cholmod.h"
#endif

bool cli_has_cholmod(void)
{
#ifdef PLIANT_CHOLMOD
    return true;
#else
    return false;
#endif
}

const pliant_linear_solver *cli_linear(void)
{
    static bool said;
    const char *wanted = getenv("PLIANT_LINEAR");
    if (wanted && strcmp(wanted, "none") == 0) return NULL;
    if (wanted && !said) {
        said = true;
        fprintf(stderr, "pliant: note: PLIANT_LINEAR=%s means nothing; there is only none\n", wanted);
    }
#ifdef PLIANT_CHOLMOD
    return pliant_cholmod();
#else
    return NULL;
#endif
}

bool cli_takes(const pliant_model *model, pliant_error *error)
{
    return pliant_method_takes(model, NULL, error) && (cli_linear() || !pliant_method_wants_linear(model, NULL, error));
}
