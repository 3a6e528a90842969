/* The tables of an Alembic archive, and how its frames lie. See abc.h. */
#include "io/cache/abc.h"

#include "io/files/bytes.h"

#include <stdlib.h>
#include <string.h>

#define GEOMETRY ";schemaBaseType=AbcGeom_GeomBase_v1"

const char *const pliant__abc_text[PLIANT__ABC_WORDS] = {
    [PLIANT__ABC_NOTHING] = "",
    [PLIANT__ABC_XFORM_OBJECT] = "schema=AbcGeom_Xform_v3;schemaObjTitle=AbcGeom_Xform_v3:.xform",
    [PLIANT__ABC_XFORM] = "schema=AbcGeom_Xform_v3",
    [PLIANT__ABC_MESH_OBJECT] = "schema=AbcGeom_PolyMesh_v1" GEOMETRY ";schemaObjTitle=AbcGeom_PolyMesh_v1:.geom",
    [PLIANT__ABC_MESH] = "schema=AbcGeom_PolyMesh_v1" GEOMETRY,
    [PLIANT__ABC_CURVES_OBJECT] = "schema=AbcGeom_Curve_v2" GEOMETRY ";schemaObjTitle=AbcGeom_Curve_v2:.geom",
    [PLIANT__ABC_CURVES] = "schema=AbcGeom_Curve_v2" GEOMETRY,
    [PLIANT__ABC_POINTS_OBJECT] = "schema=AbcGeom_Points_v1" GEOMETRY ";schemaObjTitle=AbcGeom_Points_v1:.geom",
    [PLIANT__ABC_POINTS] = "schema=AbcGeom_Points_v1" GEOMETRY,
    [PLIANT__ABC_BOX] = "interpretation=box",
    [PLIANT__ABC_VERTICES] = "geoScope=vtx;interpretation=point",
    [PLIANT__ABC_VARYING] = "geoScope=var;interpretation=point",
    [PLIANT__ABC_VECTOR] = "interpretation=vector",
    [PLIANT__ABC_NORMAL] = "arrayExtent=1;geoScope=vtx;interpretation=normal;isGeomParam=true;podExtent=3;podName=float32_t",
    [PLIANT__ABC_SCOPE] = "geoScope=var",
};

#define BOUNDS                                                                     \
    {                                                                              \
        ".selfBnds", PLIANT__ABC_BOUNDS, PLIANT__ABC_F64, 6, true, PLIANT__ABC_BOX \
    }
#define VELOCITIES                                                                           \
    {                                                                                        \
        ".velocities", PLIANT__ABC_VELOCITIES, PLIANT__ABC_F32, 3, false, PLIANT__ABC_VECTOR \
    }

#define MESH(FACE_INDICES)                                                                                     \
    {                                                                                                          \
        PLIANT__ABC_MESH_OBJECT, PLIANT__ABC_MESH,                                                             \
        {                                                                                                      \
            BOUNDS, {"P", PLIANT__ABC_POSITIONS, PLIANT__ABC_F32, 3, false, PLIANT__ABC_VERTICES}, VELOCITIES, \
                {"N", PLIANT__ABC_NORMALS, PLIANT__ABC_F32, 3, false, PLIANT__ABC_NORMAL},                     \
                {".faceIndices", FACE_INDICES, PLIANT__ABC_I32, 1, false, PLIANT__ABC_NOTHING},                \
            {                                                                                                  \
                ".faceCounts", PLIANT__ABC_FACE_SIZES, PLIANT__ABC_I32, 1, false, PLIANT__ABC_NOTHING          \
            }                                                                                                  \
        }                                                                                                      \
    }

static const pliant__abc_kind mesh = MESH(PLIANT__ABC_FACE_INDICES), torn_mesh = MESH(PLIANT__ABC_FACE_INDICES_NOW);

static const pliant__abc_kind curves = {PLIANT__ABC_CURVES_OBJECT,
                                        PLIANT__ABC_CURVES,
                                        {BOUNDS,
                                         {"P", PLIANT__ABC_POSITIONS, PLIANT__ABC_F32, 3, false, PLIANT__ABC_VERTICES},
                                         VELOCITIES,
                                         {"nVertices", PLIANT__ABC_CURVE_SIZES, PLIANT__ABC_I32, 1, false, PLIANT__ABC_NOTHING},
                                         {"curveBasisAndType", PLIANT__ABC_CURVE_TYPE, PLIANT__ABC_U8, 4, true, PLIANT__ABC_NOTHING}}};

static const pliant__abc_kind points = {PLIANT__ABC_POINTS_OBJECT,
                                        PLIANT__ABC_POINTS,
                                        {BOUNDS,
                                         {"P", PLIANT__ABC_POSITIONS, PLIANT__ABC_F32, 3, false, PLIANT__ABC_VARYING},
                                         VELOCITIES,
                                         {".pointIds", PLIANT__ABC_IDS, PLIANT__ABC_U64, 1, false, PLIANT__ABC_SCOPE}}};

const pliant__abc_kind *pliant__abc_kind_of(const pliant__place *place, const pliant_body_info *body)
{
    if (body->type == PLIANT_BODY_ROPE) return &curves;
    if (body->face_count && pliant__reshapes(place, body)) return &torn_mesh;
    return body->face_count ? &mesh : &points;
}

const pliant__abc_property *pliant__abc_next(const pliant__abc_kind *kind, const pliant__abc_property *from, bool moves)
{
    for (; from < kind->properties + PLIANT__ABC_PROPERTIES && from->name; from++)
        if ((from->source < PLIANT__ABC_FIXED) == moves) return from;
    return NULL;
}

/* ---- sizes ---- */

size_t pliant__abc_pod_size(pliant__abc_pod pod)
{
    switch (pod) {
    case PLIANT__ABC_BOOL:
    case PLIANT__ABC_U8: return 1;
    case PLIANT__ABC_I32:
    case PLIANT__ABC_F32: return 4;
    case PLIANT__ABC_U64:
    case PLIANT__ABC_F64: return 8;
    }
    return 1;
}

uint64_t pliant__abc_values(const pliant__abc_property *property, const pliant_body_info *body)
{
    switch (property->source) {
    case PLIANT__ABC_FACE_INDICES_NOW:
    case PLIANT__ABC_FACE_INDICES: return body->face_index_count;
    case PLIANT__ABC_FACE_SIZES: return body->face_count;
    case PLIANT__ABC_POSITIONS:
    case PLIANT__ABC_VELOCITIES:
    case PLIANT__ABC_NORMALS:
    case PLIANT__ABC_IDS: return body->surface_vertex_count;
    case PLIANT__ABC_BOUNDS:
    case PLIANT__ABC_CURVE_SIZES:
    case PLIANT__ABC_CURVE_TYPE: return 1;
    }
    return 0;
}

uint64_t pliant__abc_sample_bytes(const pliant__abc_property *property, const pliant_body_info *body)
{
    return pliant__abc_values(property, body) * property->extent * pliant__abc_pod_size(property->pod);
}

static uint64_t samples_size(const pliant__place *place, bool moves)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < place->body_count; i++) {
        pliant_body_info b = pliant__place_body(place, i);
        PLIANT__ABC_EACH(p, pliant__abc_kind_of(place, &b), moves) size += PLIANT__ABC_SAMPLE + pliant__abc_sample_bytes(p, &b);
    }
    return size;
}

uint64_t pliant__abc_frames_at(const pliant__place *place) { return PLIANT__OGAWA_HEADER + samples_size(place, false); }

uint64_t pliant__abc_frame_size(const pliant__place *place) { return samples_size(place, true); }

/* ---- samples that stay ---- */

static bool put_u32(pliant__bytes *to, uint32_t value)
{
    unsigned char bytes[4];
    pliant__set_u32(bytes, value);
    return pliant__put(to, bytes, 4);
}

/* Faces go round the other way in Alembic: clockwise, seen from where their normal points to. */
static bool put_indices(pliant__bytes *to, uint32_t count, const uint32_t *sizes, const uint32_t *indices)
{
    bool ok = true;
    for (uint32_t f = 0; ok && f < count; indices += sizes[f++])
        for (uint32_t i = sizes[f]; ok && i-- > 0;) ok = put_u32(to, indices[i]);
    return ok;
}

bool pliant__abc_corners(const pliant__place *place, const pliant_body_info *body, const pliant_state *state, pliant__bytes *to)
{
    const uint32_t *sizes;
    pliant__place_faces(place, body, &sizes, NULL);
    return put_indices(to, body->face_count, sizes, pliant__faces_now(place, body, state));
}

bool pliant__abc_fixed(const pliant__abc_property *property, const pliant__place *place, const pliant_body_info *body, pliant__bytes *to)
{
    static const unsigned char linear[4] = {1, 0, 0, 0}; /* linear, open, without a basis */
    const uint32_t            *sizes, *indices;
    bool                       ok = true;
    pliant__place_faces(place, body, &sizes, &indices);
    switch (property->source) {
    case PLIANT__ABC_FACE_INDICES: return put_indices(to, body->face_count, sizes, indices);
    case PLIANT__ABC_FACE_SIZES:
        for (uint32_t f = 0; ok && f < body->face_count; f++) ok = put_u32(to, sizes[f]);
        return ok;
    case PLIANT__ABC_CURVE_SIZES: return put_u32(to, body->surface_vertex_count);
    case PLIANT__ABC_CURVE_TYPE: return pliant__put(to, linear, sizeof linear);
    case PLIANT__ABC_IDS:
        for (uint32_t v = 0; ok && v < body->surface_vertex_count; v++) ok = put_u32(to, v) && put_u32(to, 0);
        return ok;
    default: return true;
    }
}

/* The bytes of a sample, behind its digest, into `to`; they have to fit it. */
bool pliant__abc_load_sample(const pliant__ogawa_file *from, uint64_t data, uint64_t size, pliant__bytes *to)
{
    unsigned char digest[PLIANT__DIGEST];
    uint64_t      place = data & ~PLIANT__OGAWA_DATA;
    if (!pliant__ogawa_read(from, data, size + PLIANT__DIGEST, to)) return false;
    if (to->count != size + PLIANT__DIGEST) return pliant__ogawa_fail(from, place, "damaged: a sample of another size");
    pliant__murmur(to->data + PLIANT__DIGEST, (size_t)size, digest);
    return memcmp(digest, to->data, PLIANT__DIGEST) == 0 || pliant__ogawa_fail(from, place, "damaged: a sample does not fit its digest");
}
