/* Normals of skinned targets, from their triangles. */
#include "state/state.h"

static void add_normal(pliant__skin_now *skin, pliant_vec3 n) { skin->normal = v3_add(skin->normal, n); }

void pliant__skin_normals(const pliant_model *m, const pliant__model_body *b, pliant__skin_now *skins)
{
    const uint32_t *corner = m->skin_triangles + 3 * (size_t)b->first_skin_triangle;
    for (uint32_t i = b->first_skin; i < b->first_skin + b->skin_count; i++) skins[i].normal = v3(0, 0, 0);
    for (uint32_t t = 0; t < b->skin_triangle_count; t++, corner += 3) { /* weighted by area */
        const pliant_vec3 x = skins[corner[0]].x;
        const pliant_vec3 n = v3_cross(v3_sub(skins[corner[1]].x, x), v3_sub(skins[corner[2]].x, x));
        for (uint32_t k = 0; k < 3; k++) add_normal(&skins[corner[k]], n);
    }
    for (uint32_t i = b->first_skin; i < b->first_skin + b->skin_count; i++) skins[i].normal = v3_unit(skins[i].normal);
}
