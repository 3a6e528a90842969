/* Tetrahedra while they are read: vertices and corners as they come. */
#include "io/mesh/tets.h"

bool pliant__tets_vertex(pliant__tets *t, const double x[3])
{
    for (int k = 0; k < 3; k++)
        if (!array_push(NULL, &t->positions, (pliant_real)x[k]))
            return pliant__fail_memory(t->error, t->positions.count * sizeof(pliant_real), t->path);
    return true;
}

bool pliant__tets_add(pliant__tets *t, const uint32_t corners[4])
{
    for (int k = 0; k < 4; k++)
        if (!array_push(NULL, &t->tetrahedra, corners[k]))
            return pliant__fail_memory(t->error, t->tetrahedra.count * sizeof(uint32_t), t->path);
    return true;
}

void pliant__tets_free(pliant__tets *t)
{
    array_free(NULL, &t->positions);
    array_free(NULL, &t->tetrahedra);
}
