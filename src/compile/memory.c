/* What every pass says where there is no memory. */
#include "base/error.h"
#include "compile/compile.h"

bool pliant__compile_memory(pliant__compiler *c)
{
    return pliant__fail(c->error, PLIANT_ERROR_MEMORY, "out of memory while compiling the scene");
}
