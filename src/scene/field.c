/* The conditions under which paths through a field are found: values are finite, change no faster than a distance does, and are positive all
 * around. */
#include "scene/field.h"

#include "base/vec.h"

#include <float.h>

#define MOST 0x10000000u /* values */

double pliant__field_border(const pliant_field_view *f)
{
    const size_t nx = f->count[0], ny = f->count[1], nz = f->count[2];
    double       least = DBL_MAX;
    for (size_t n = 0; n < nx * ny * nz; n++) {
        const size_t i = n % nx, j = n / nx % ny, k = n / nx / ny;
        const bool   outermost = i == 0 || i == nx - 1 || j == 0 || j == ny - 1 || k == 0 || k == nz - 1;
        if (outermost && (double)f->distance[n] < least) least = (double)f->distance[n];
    }
    return least;
}

static bool check_value(const pliant_field_view *f, size_t n, pliant_error *error)
{
    const size_t nx = f->count[0], ny = f->count[1], at[3] = {n % nx, n / nx % ny, n / nx / ny}, stride[3] = {1, nx, nx * ny};
    const double here = (double)f->distance[n], size = here < 0 ? -here : here;
    const double most = 1.001 * (double)f->cell + 4 * (double)FLT_EPSILON * size;
    if (!(size <= (double)FLT_MAX))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "value %zu %zu %zu of the field is not finite", at[0], at[1], at[2]);
    for (int k = 0; k < 3; k++) {
        const double step = at[k] ? here - (double)f->distance[n - stride[k]] : 0;
        if (!(step <= most && -step <= most))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                                "value %zu %zu %zu of the field differs from a neighbour's by %g m, and a distance over %g m does not",
                                at[0], at[1], at[2], step, (double)f->cell);
    }
    return true;
}

bool pliant__check_field(const pliant_field_view *f, pliant_error *error)
{
    double values = 1;
    for (int k = 0; k < 3; k++) {
        values *= f->count[k];
        if (f->count[k] < 2) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a field has at least two values along each axis");
    }
    if (!f->distance) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the field counts values, but points to none");
    if (values > MOST) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a field has at most %u values", MOST);
    if (!v3_finite(f->origin) || !(f->cell > 0) || !r_finite(f->cell))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a field has an origin and a cell that is longer than 0");
    for (size_t n = 0; n < (size_t)values; n++)
        if (!check_value(f, n, error)) return false;
    if (!(pliant__field_border(f) > 0))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the field is not positive all around: its surface leaves the grid");
    return true;
}
