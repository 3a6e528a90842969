/* The table of methods as data, and the check of a method's settings. */
#include "base/vec.h"
#include "scene/check.h"

#include <string.h>

static const pliant_method_info table[] = {
#define ROW(NAME, name, settings, text, converges, source) {PLIANT_METHOD_##NAME, #name, settings, text, converges, source},
    PLIANT_METHOD_TABLE(ROW)
#undef ROW
};

const pliant_method_info *pliant_method_describe(pliant_method method)
{
    return (unsigned)method < PLIANT_METHOD_COUNT ? &table[method] : NULL;
}

const pliant_method_info *pliant_method_find(const char *name)
{
    for (int i = 0; name && i < PLIANT_METHOD_COUNT; i++)
        if (!strcmp(name, table[i].name)) return &table[i];
    return NULL;
}

pliant_method_def pliant_method_def_default(void)
{
    pliant_method_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.method = PLIANT_METHOD_GAUSS_SEIDEL;
    def.averaging = PLIANT_AVERAGING_ROW;
    def.relaxation = 1;
    return def;
}

bool pliant__check_method(const pliant_method_def *def, pliant_error *error)
{
    if (!pliant__check_size(def->size, sizeof *def, "pliant_method_def", "pliant_method_def_default", error) ||
        !pliant__check_choice((int)def->method, PLIANT_METHOD_COUNT, "method", error) ||
        !pliant__check_choice((int)def->averaging, PLIANT_AVERAGING_CLASSIC + 1, "averaging", error))
        return false;
    if (!pliant__check_choice((int)def->base, PLIANT_BASE_JACOBI + 1, "base", error)) return false;
    if (!(r_finite(def->spectral_radius) && def->spectral_radius >= 0 && def->spectral_radius < 1))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "spectral_radius must be at least 0 and less than 1; 0 finds it on the way");
    if (r_finite(def->relaxation) && def->relaxation > 0 && def->relaxation < 2) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "relaxation must be more than 0 and less than 2");
}
