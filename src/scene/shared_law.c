/* The law that a material has for a share, of cloth or of soft bodies, and for the elements of an elastic kind. */
#include "scene/draft.h"
#include "scene/elastic.h"
#include "scene/fabric.h"
#include "scene/sheet.h"

pliant_law pliant_material_law(const pliant_material *material, pliant_constraint_kind kind)
{
    const pliant_constraint_info *info = pliant_constraint_describe(kind);
    const uint32_t                flags = info && material && material->size == sizeof *material ? info->flags : 0;
    const bool                    solid = flags & PLIANT_ROW_SOLID, sheet = !solid && (flags & PLIANT_ROW_TEARS);
    if (!(solid && material->young > 0) && !(sheet && material->stretch_warp > 0)) return (pliant_law){0};
    const pliant_law law = solid ? pliant__elastic_law(material, kind, 1) : pliant__sheet_law(material);
    return pliant__law_in_time(material, &law);
}

pliant_law pliant__shared_law(const pliant_material *m, pliant_body_type type, const pliant__draft_law *law)
{
    return type == PLIANT_BODY_CLOTH ? pliant__fabric_law(m, law->role, &law->share) : pliant__elastic_law(m, law->kind, law->share.size);
}
