/* The law that a material has for a share: of cloth, or of soft bodies. */
#include "scene/draft.h"
#include "scene/elastic.h"
#include "scene/fabric.h"

pliant_law pliant__shared_law(const pliant_material *m, pliant_body_type type, const pliant__draft_law *law)
{
    return type == PLIANT_BODY_CLOTH ? pliant__fabric_law(m, law->role, &law->share) : pliant__elastic_law(m, law->kind, law->share.size);
}
