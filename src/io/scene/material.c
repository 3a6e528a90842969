/* Laws, friction and materials of a scene file. */
#include "io/files/words.h"
#include "io/scene/keys.h"

#include "base/vec.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

/* ---- laws ---- */

static const char *const limit_words[] = {"equal", "at_most", "at_least", "range", NULL};

static const char range_schema[] =
    "{\"type\": \"array\", \"items\": {\"type\": \"number\", \"minimum\": 0}, \"minItems\": 2, \"maxItems\": 2}";

static const pliant__key law_keys[] = {
    {.name = "compliance",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = DBL_MAX,
     .offset = offsetof(pliant__law_spec, law.compliance),
     .text = "How far it gives way: unit of the constraint squared per joule, m/N for distances; 0 is rigid"},
    {.name = "damping",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = DBL_MAX,
     .offset = offsetof(pliant__law_spec, law.damping),
     .text = "XPBD damping: N s/m for distances"},
    {.name = "damping_time",
     .type = PLIANT__KEY_DOUBLE,
     .low = 0,
     .high = 1e6,
     .offset = offsetof(pliant__law_spec, damping_time),
     .text =
         "s, instead of damping: within it what is let go comes back to 1/e where nothing has a mass. Damping is this over the compliance"},
    {.name = "damping_ratio",
     .type = PLIANT__KEY_DOUBLE,
     .low = 0,
     .high = 1e3,
     .offset = offsetof(pliant__law_spec, damping_ratio),
     .text = "Instead of damping, of lengths: the share of what would just not let the row's own particles swing"},
    {.name = "stiffness",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = 1,
     .offset = offsetof(pliant__law_spec, law.stiffness),
     .text = "PBD stiffness, with compliance 0: 1 - stiffness is left after the iterations of a substep"},
    {.name = "limit",
     .type = PLIANT__KEY_WORD,
     .words = limit_words,
     .offset = offsetof(pliant__law_spec, limit),
     .text = "When it acts: always, against stretching, against shrinking, or outside a range of stretch"},
    {.name = "range",
     .type = PLIANT__KEY_NODE,
     .schema = range_schema,
     .offset = offsetof(pliant__law_spec, range),
     .text = "Least and largest stretch for the limit \"range\""},
    {.name = "yield",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .above = true,
     .high = 1e3,
     .offset = offsetof(pliant__law_spec, law.yield),
     .text = "Strain from which it flows and stays deformed: 1 of lengths, rad of angles; default: it never does"},
    {.name = "creep",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .above = true,
     .high = 1e9,
     .offset = offsetof(pliant__law_spec, law.creep),
     .text = "Rate at which strain beyond the yield flows, 1/s; default: at once"},
    {.name = "hardening",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = 1e6,
     .offset = offsetof(pliant__law_spec, law.hardening),
     .text = "By how much the yield grows per plastic strain"},
    {.name = "most",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .above = true,
     .high = 1e6,
     .offset = offsetof(pliant__law_spec, law.most),
     .text = "Largest plastic strain, as the yield is measured; default: any"},
    {.name = "break",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .above = true,
     .high = 1e30,
     .offset = offsetof(pliant__law_spec, law.break_force),
     .text = "Force, N, with which it pulls at the most: what pulls harder is broken. Of ropes, attachments and constraints of lengths; "
             "default: any"},
};
const pliant__object pliant__law_object = {"law", "How a constraint answers to its violation", PLIANT__KEYS(law_keys), NULL, 0};
const char           pliant__law_schema[] = "{\"$ref\": \"#/$defs/law\"}";

static bool read_range(pliant__reader *r, const pliant__node *node, pliant_law *law)
{
    if (node->type != PLIANT__NODE_LIST || node->count != 2) return pliant__complain(r, node, "must be a list of two numbers");
    if (!pliant__read_real(r, node->first, 0, DBL_MAX, false, &law->range_min)) return false;
    if (!pliant__read_real(r, node->last, 0, DBL_MAX, false, &law->range_max)) return false;
    if (law->range_min > law->range_max) return pliant__complain(r, node, "the least is more than the largest");
    return true;
}

void pliant__law_start(pliant__law_spec *spec, const pliant_law *law) { *spec = (pliant__law_spec){.law = *law, .limit = law->limit}; }

/* Damping that is said by a time or by a ratio. */
static bool read_damping(pliant__reader *r, const pliant__node *node, const pliant__law_spec *spec, pliant_law *law)
{
    const pliant__node *plain = pliant__node_get(node, "damping"), *time = pliant__node_get(node, "damping_time"),
                       *ratio = pliant__node_get(node, "damping_ratio");
    if (!time && !ratio) return true;
    if (plain || (time && ratio))
        return pliant__complain(r, node, "damping, damping_time and damping_ratio say the same thing; leave all but one of them out");
    if (ratio && !spec->takes_ratio)
        return pliant__complain(r, ratio,
                                "a damping_ratio is for lengths: of stretch, shear, distances, tethers and attachments between particles");
    if (time && !(law->compliance > 0))
        return pliant__complain(r, time,
                                "what is rigid has no damping_time; give it a compliance, or leave it out, and say the material's "
                                "damping_time where its stiffness is said by measure");
    law->damping = time ? (pliant_real)(spec->damping_time / (double)law->compliance) : 0;
    return r_finite(law->damping) ||
           pliant__complain(r, time, "a damping_time of %g s is too long for so small a compliance", spec->damping_time);
}

bool pliant__law_finish(pliant__reader *r, const pliant__node *node, pliant__law_spec *spec, pliant_law *out)
{
    const pliant__node *limit = pliant__node_get(node, "limit"), *range = spec->range;
    const pliant__node *stiffness = pliant__node_get(node, "stiffness"), *compliance = pliant__node_get(node, "compliance");
    pliant_law         *law = &spec->law;
    if (range && !read_range(r, range, law)) return false;
    if (limit || range) {
        law->limited = true;
        law->limit = limit ? (pliant_limit)spec->limit : PLIANT_RANGE;
    }
    if (range && law->limit != PLIANT_RANGE) return pliant__complain(r, range, "a range goes with the limit \"range\"");
    if (limit && law->limit == PLIANT_RANGE && !range)
        return pliant__complain(r, limit, "the limit \"range\" needs \"range\": [least, largest]");
    if (stiffness && compliance && law->stiffness < 1 && law->compliance > 0)
        return pliant__complain(r, stiffness, "stiffness (PBD) and compliance (XPBD) exclude each other");
    /* A stiffness given over a material's compliance replaces it, and the other way round. */
    if (stiffness && !compliance && law->stiffness < 1) law->compliance = 0;
    if (compliance && !stiffness && law->compliance > 0) law->stiffness = 1;
    if (!read_damping(r, node, spec, law)) return false;
    *out = *law;
    return true;
}

bool pliant__read_law(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    (void)key;
    pliant__law_spec spec;
    pliant__law_start(&spec, field);
    return pliant__read_object(r, node, &pliant__law_object, &spec) && pliant__law_finish(r, node, &spec, field);
}

/* ---- friction ---- */

typedef struct friction_spec {
    pliant_real both[2];
} friction_spec;

#define FRICTION(key, i, what)                                                                                                 \
    {                                                                                                                          \
        .name = (key), .type = PLIANT__KEY_REAL, .low = 0, .high = 1e6, .offset = (i) * sizeof(pliant_real), .required = true, \
        .text = (what)                                                                                                         \
    }
static const pliant__key friction_keys[] = {
    FRICTION("static", 0, "Coefficient while a particle sticks"),
    FRICTION("dynamic", 1, "Coefficient while it slides"),
};
const pliant__object pliant__friction_object = {"friction", "Coulomb friction", PLIANT__KEYS(friction_keys), NULL, 0};
const char           pliant__friction_schema[] =
    "{\"oneOf\": [{\"type\": \"number\", \"minimum\": 0, \"maximum\": 1000000}, {\"$ref\": \"#/$defs/friction\"}]}";

bool pliant__read_friction(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    (void)key;
    friction_spec f = {{0, 0}};
    if (node->type == PLIANT__NODE_MAP) {
        if (!pliant__read_object(r, node, &pliant__friction_object, &f)) return false;
    } else {
        if (!pliant__read_real(r, node, 0, 1e6, false, &f.both[0])) return false;
        f.both[1] = f.both[0];
    }
    memcpy(field, &f, sizeof f); /* static, then dynamic, side by side in materials and colliders */
    return true;
}

_Static_assert(offsetof(pliant_material, friction_dynamic) == offsetof(pliant_material, friction_static) + sizeof(pliant_real),
               "side by side");
_Static_assert(offsetof(pliant_collider_def, friction_dynamic) == offsetof(pliant_collider_def, friction_static) + sizeof(pliant_real),
               "side by side");

/* ---- materials ---- */

/* "area": a law, or whether areas are kept at all. */
static bool read_area(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    pliant_material *m = (pliant_material *)(void *)((char *)field - key->offset);
    if (node->type == PLIANT__NODE_BOOL) return pliant__read_bool(r, node, &m->has_area);
    m->has_area = true;
    return pliant__read_law(r, node, key, &m->area);
}

bool pliant__says_stiffness(const pliant__node *law) { return pliant__node_get(law, "compliance") || pliant__node_get(law, "stiffness"); }

/* A law of lengths: its damping ratio is kept for when masses are known. One that says its damping otherwise has none. */
static bool read_law_of_lengths(pliant__reader *r, const pliant__node *node, pliant_law *law, double *ratio)
{
    pliant__law_spec spec;
    pliant__law_start(&spec, law);
    spec.takes_ratio = true;
    if (!pliant__read_object(r, node, &pliant__law_object, &spec) || !pliant__law_finish(r, node, &spec, law)) return false;
    if (pliant__node_get(node, "damping") || pliant__node_get(node, "damping_time")) *ratio = -1;
    if (pliant__node_get(node, "damping_ratio")) *ratio = spec.damping_ratio;
    return true;
}

/* "stretch", "shear", "bend" and "volume": a law, which a body then obeys if it says how stiff. */
static bool read_stretch(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    pliant_material *m = (pliant_material *)(void *)((char *)field - key->offset);
    m->has_stretch = m->has_stretch || pliant__says_stiffness(node);
    (void)key;
    return read_law_of_lengths(r, node, &m->stretch, &r->ratio_of_stretch);
}

static bool read_shear(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    pliant_material *m = (pliant_material *)(void *)((char *)field - key->offset);
    m->has_shear = m->has_shear || pliant__says_stiffness(node);
    (void)key;
    return read_law_of_lengths(r, node, &m->shear, &r->ratio_of_shear);
}

static bool read_bend(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    pliant_material *m = (pliant_material *)(void *)((char *)field - key->offset);
    m->has_bend = m->has_bend || pliant__says_stiffness(node);
    return pliant__read_law(r, node, key, &m->bend);
}

static bool read_volume(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    pliant_material *m = (pliant_material *)(void *)((char *)field - key->offset);
    m->has_volume = m->has_volume || pliant__says_stiffness(node);
    return pliant__read_law(r, node, key, &m->volume);
}

/* One number, or that of warp and that of weft; `weft` is 0 of one. */
static bool read_threads(pliant__reader *r, const pliant__node *node, pliant_real *warp, pliant_real *weft)
{
    *weft = 0;
    if (node->type != PLIANT__NODE_LIST) return pliant__read_real(r, node, 0, DBL_MAX, true, warp);
    if (node->count != 2) return pliant__complain(r, node, "must be a number, or a list of two: of warp and of weft");
    return pliant__read_real(r, node->first, 0, DBL_MAX, true, warp) && pliant__read_real(r, node->first->next, 0, DBL_MAX, true, weft);
}

static bool read_rigidity(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    pliant_material *m = (pliant_material *)(void *)((char *)field - key->offset);
    return read_threads(r, node, &m->bending_rigidity, &m->bending_weft);
}

static bool read_stretch_stiffness(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    pliant_material *m = (pliant_material *)(void *)((char *)field - key->offset);
    return read_threads(r, node, &m->stretch_warp, &m->stretch_weft);
}

/* "damping_time" and "damping_ratio": the one that is said last counts. */
static bool read_damping_time(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    (void)key;
    r->ratio = -1;
    return pliant__read_real(r, node, 0, 1e6, false, field);
}

static bool read_damping_ratio(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    (void)key;
    *(pliant_real *)field = 0;
    return pliant__read_number(r, node, 0, 1e3, false, &r->ratio);
}

static const char time_schema[] = "{\"type\": \"number\", \"minimum\": 0, \"maximum\": 1000000}";
static const char ratio_schema[] = "{\"type\": \"number\", \"minimum\": 0, \"maximum\": 1000}";
static const char threads_schema[] =
    "{\"oneOf\": [{\"type\": \"number\", \"exclusiveMinimum\": 0}, {\"type\": \"array\", \"items\": {\"type\": \"number\", "
    "\"exclusiveMinimum\": 0}, \"minItems\": 2, \"maxItems\": 2}]}";
static const char area_schema[] = "{\"oneOf\": [{\"type\": \"boolean\"}, {\"$ref\": \"#/$defs/law\"}]}";
static const char preset_schema[] = "{\"type\": \"string\", \"enum\": [@presets]}";

#define LAW(key, reader, what)                                                                    \
    {                                                                                             \
        .name = #key, .type = PLIANT__KEY_CUSTOM, .read = (reader), .schema = pliant__law_schema, \
        .offset = offsetof(pliant_material, key), .text = (what)                                  \
    }
#define STIFFNESS(key, what)                                                                                                        \
    {                                                                                                                               \
        .name = #key, .type = PLIANT__KEY_REAL, .low = 0, .above = true, .high = DBL_MAX, .offset = offsetof(pliant_material, key), \
        .text = (what)                                                                                                              \
    }
#define REAL(key, lowest, what)                                                                                                            \
    {                                                                                                                                      \
        .name = #key, .type = PLIANT__KEY_REAL, .low = (lowest), .high = DBL_MAX, .offset = offsetof(pliant_material, key), .text = (what) \
    }
static const pliant__key material_keys[] = {
    {.name = "preset", .type = PLIANT__KEY_LATER, .schema = preset_schema, .text = "A ready material to begin with"},
    {.name = "density",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .above = true,
     .high = DBL_MAX,
     .offset = offsetof(pliant_material, density),
     .text = "kg/m^2 for cloth, kg/m^3 for soft bodies, kg/m for ropes"},
    LAW(stretch, read_stretch, "Distances along edges"),
    LAW(shear, read_shear, "Distances along the diagonals of quads"),
    LAW(bend, read_bend, "Dihedral angles, or distances across two edges"),
    {.name = "area",
     .type = PLIANT__KEY_CUSTOM,
     .read = read_area,
     .schema = area_schema,
     .offset = offsetof(pliant_material, area),
     .text = "Areas of a cloth's triangles; false: none"},
    LAW(volume, read_volume, "Volumes of tetrahedra"),
    STIFFNESS(young, "Young's modulus of a soft body, Pa, in the place of how stiff \"stretch\" and \"volume\" are; default 1e5"),
    {.name = "poisson",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = 1,
     .offset = offsetof(pliant_material, poisson),
     .text = "Poisson's ratio of a soft body, from 0 and below 0.5; of the model distance above 0.25, of others at most 0.4999; "
             "default 0.45"},
    STIFFNESS(stretch_warp, "Stretch stiffness of cloth, N/m, along a grid's x, in the place of how stiff \"stretch\" is"),
    STIFFNESS(stretch_weft, "The same along a grid's z; default: as along x"),
    {.name = "stretch_stiffness",
     .type = PLIANT__KEY_CUSTOM,
     .read = read_stretch_stiffness,
     .schema = threads_schema,
     .offset = offsetof(pliant_material, stretch_warp),
     .text = "Both of these in one, N/m: one number, or that of warp and that of weft"},
    STIFFNESS(shear_stiffness, "Shear stiffness of cloth, N/m, in the place of how stiff \"shear\" is"),
    {.name = "bending_rigidity",
     .type = PLIANT__KEY_CUSTOM,
     .read = read_rigidity,
     .schema = threads_schema,
     .offset = offsetof(pliant_material, bending_rigidity),
     .text = "Bending rigidity of cloth, N m, in the place of how stiff \"bend\" is: one number, or that of warp and that of weft"},
    {.name = "plane_poisson",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = 0.99,
     .offset = offsetof(pliant_material, plane_poisson),
     .text = "Poisson's ratio of cloth in its plane, of the models strain and stvk: the geometric mean of those along warp and weft; "
             "default 0"},
    {.name = "yield",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .above = true,
     .high = 1e3,
     .offset = offsetof(pliant_material, yield),
     .text = "Of soft bodies of the model neo_hookean: equivalent strain from which they flow and stay deformed; default: they never do"},
    {.name = "creep",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .above = true,
     .high = 1e9,
     .offset = offsetof(pliant_material, creep),
     .text = "Rate at which strain beyond that yield flows, 1/s; default: at once"},
    {.name = "hardening",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = 1e6,
     .offset = offsetof(pliant_material, hardening),
     .text = "By how much that yield grows per plastic strain"},
    {.name = "most",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .above = true,
     .high = 1e6,
     .offset = offsetof(pliant_material, most),
     .text = "Largest plastic strain, as that yield is measured; default: any"},
    REAL(thickness, 0, "Radius of a particle in contacts, m"),
    {.name = "friction",
     .type = PLIANT__KEY_CUSTOM,
     .read = pliant__read_friction,
     .schema = pliant__friction_schema,
     .offset = offsetof(pliant_material, friction_static),
     .text = "Friction; with the collider's, the geometric mean counts"},
    {.name = "restitution",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = 1,
     .offset = offsetof(pliant_material, restitution),
     .text = "Bounce; of body and collider the larger counts"},
    {.name = "rolling_friction",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = 1e6,
     .offset = offsetof(pliant_material, rolling_friction),
     .text = "Of a rope: friction across itself, where it rolls; default: it slides there too"},
    REAL(damping, 0, "1/s, of all motion but the rigid one of the body"),
    {.name = "damping_time",
     .type = PLIANT__KEY_CUSTOM,
     .read = read_damping_time,
     .schema = time_schema,
     .offset = offsetof(pliant_material, damping_time),
     .text =
         "s, of each law with a compliance and no damping of its own: within it what is let go comes back to 1/e where nothing has a mass"},
    {.name = "damping_ratio",
     .type = PLIANT__KEY_CUSTOM,
     .read = read_damping_ratio,
     .schema = ratio_schema,
     .offset = offsetof(pliant_material, damping_time),
     .text = "Instead of damping_time: the share of what would just not let a length, or the body's mean tetrahedron or triangle, swing by "
             "itself"},
    REAL(drag, 0, "1/s, of every velocity"),
    REAL(air_drag, 0, "Drag coefficient of triangles in wind"),
    REAL(air_lift, 0, "Lift coefficient of triangles in wind"),
};
const pliant__object pliant__material_object = {"material", "What a body is made of", PLIANT__KEYS(material_keys), NULL, 0};

static bool read_preset(pliant__reader *r, const pliant__node *node, pliant_material *out)
{
    const char *words[PLIANT_PRESET_COUNT + 1] = {NULL};
    uint32_t    preset;
    for (int i = 0; i < PLIANT_PRESET_COUNT; i++) words[i] = pliant_preset_name((pliant_preset)i);
    if (!pliant__read_word(r, node, words, &preset)) return false;
    *out = pliant_material_preset((pliant_preset)preset);
    return true;
}

/* Stiffness by measure, and the law that it takes the place of. */
static const struct measure {
    const char *key, *law;
    size_t      law_offset, has_offset; /* in pliant_material */
    bool        unlimited;              /* the law may have no limit beside it */
    const char *says;
} measures[] = {
#define MEASURE(key, law, unlimited, says)                                                               \
    {                                                                                                    \
        key, #law, offsetof(pliant_material, law), offsetof(pliant_material, has_##law), unlimited, says \
    }
    MEASURE("young", stretch, true, "young says how stiff edges and volumes are already; say one of them"),
    MEASURE("young", volume, true, "young says how stiff edges and volumes are already; say one of them"),
    MEASURE("stretch_warp", stretch, false, "stretch_warp says how stiff it is already; say one of them"),
    MEASURE("stretch_stiffness", stretch, false, "stretch_stiffness says how stiff it is already; say one of them"),
    MEASURE("shear_stiffness", shear, false, "shear_stiffness says how stiff it is already; say one of them"),
    MEASURE("bending_rigidity", bend, false, "bending_rigidity says how stiff it is already; say one of them"),
};

/* What a law says of other things than how stiff it is, and within which limits. */
static pliant_law without_stiffness(const pliant_law *law)
{
    pliant_law out = pliant_law_default();
    out.damping = law->damping;
    out.yield = law->yield;
    out.creep = law->creep;
    out.hardening = law->hardening;
    out.most = law->most;
    out.break_force = law->break_force;
    return out;
}

/* A stiffness that is said takes that of a law that the material had before, and goes with what one beside it says of other things. */
static bool take_place(pliant__reader *r, const pliant__node *node, const struct measure *of, pliant_material *m)
{
    const pliant__node *law = pliant__node_get(node, of->law);
    pliant_law         *own = (pliant_law *)(void *)((char *)m + of->law_offset);
    if (!pliant__node_get(node, of->key)) return true;
    if (law && pliant__says_stiffness(law)) return pliant__complain(r, law, "%s", of->says);
    if (law && of->unlimited && (pliant__node_get(law, "limit") || pliant__node_get(law, "range")))
        return pliant__complain(r, law, "a law with a limit is as stiff as its compliance, and not as %s says; leave one of them out",
                                of->key);
    *own = without_stiffness(own);
    *(bool *)((char *)m + of->has_offset) = false;
    return true;
}

/* A material's damping in time goes with no other one of its laws, nor with a second one of itself. */
static bool check_damping(pliant__reader *r, const pliant__node *node)
{
    static const char *const laws[] = {"stretch", "shear", "bend", "area", "volume"}, *const keys[] = {"damping", "damping_time",
                                                                                                       "damping_ratio"};
    const pliant__node *time = pliant__node_get(node, "damping_time"), *ratio = pliant__node_get(node, "damping_ratio");
    if (time && ratio) return pliant__complain(r, ratio, "damping_time and damping_ratio say the same thing; leave one of them out");
    for (size_t i = 0; (time || ratio) && i < sizeof laws / sizeof *laws; i++)
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            const pliant__node *own = pliant__node_get(pliant__node_get(node, laws[i]), keys[k]);
            if (own)
                return pliant__complain(r, own, "the material's %s says how it is damped already; say one of them",
                                        time ? "damping_time" : "damping_ratio");
        }
    return true;
}

bool pliant__begin_material(pliant__reader *r, const pliant__node *node, pliant_material *m)
{
    const pliant__node *young = pliant__node_get(node, "young"), *poisson = pliant__node_get(node, "poisson");
    const pliant__node *weft = pliant__node_get(node, "stretch_weft"), *warp = pliant__node_get(node, "stretch_warp");
    if (pliant__node_get(node, "stretch_stiffness") && (warp || weft))
        return pliant__complain(r, warp ? warp : weft, "stretch_stiffness says how stiff warp and weft are already; say one of them");
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
        if (!take_place(r, node, &measures[i], m)) return false;
    if (!check_damping(r, node)) return false;
    if (young && m->young == 0) m->poisson = pliant_material_default().poisson;
    if (poisson && !young && m->young == 0)
        return pliant__complain(r, poisson, "a ratio goes with Young's modulus, which this preset has none of: say young too");
    if (weft && m->stretch_warp == 0 && !warp)
        return pliant__complain(r, weft, "goes with stretch_warp, which this material has none of: say that too");
    return true;
}

static bool check_poisson(pliant__reader *r, const pliant__node *node, const pliant_material *m)
{
    const pliant__node *poisson = pliant__node_get(node, "poisson");
    if (!poisson || (double)m->poisson < 0.5) return true;
    return pliant__complain(r, poisson, "must be below 0.5, where nothing can be pressed together");
}

static bool read_material_object(pliant__reader *r, const pliant__node *node, const char *name, pliant_material *out)
{
    if (node->type != PLIANT__NODE_MAP) return pliant__expected(r, node, "an object");
    const pliant__node *preset = pliant__node_get(node, "preset");
    if (preset && !read_preset(r, preset, out)) return false;
    if (!preset) *out = pliant_material_default();
    if (!pliant__begin_material(r, node, out) || !pliant__read_object(r, node, &pliant__material_object, out)) return false;
    if (!check_poisson(r, node, out)) return false;
    if (name) {
        if (strlen(name) >= sizeof out->name)
            return pliant__complain(r, node, "a material's name has at most %zu bytes", sizeof out->name - 1);
        snprintf(out->name, sizeof out->name, "%s", name);
    }
    return true;
}

bool pliant__read_material(pliant__reader *r, const pliant__node *node, pliant_material *out)
{
    if (node->type == PLIANT__NODE_MAP) return read_material_object(r, node, NULL, out);
    const char *name;
    if (!pliant__read_text(r, node, &name)) return false;
    const pliant__node *all = pliant__node_get(r->root, "materials");
    const pliant__node *own = pliant__node_get(all, name);
    if (own) return read_material_object(r, own, name, out);
    for (int i = 0; i < PLIANT_PRESET_COUNT; i++)
        if (strcmp(pliant_preset_name((pliant_preset)i), name) == 0) {
            *out = pliant_material_preset((pliant_preset)i);
            return true;
        }
    const char *words[PLIANT__MAX_KEYS + PLIANT_PRESET_COUNT + 1];
    size_t      count = 0;
    if (all)
        for (const pliant__node *n = all->first; n; n = n->next) words[count++] = n->key;
    for (int i = 0; i < PLIANT_PRESET_COUNT; i++) words[count++] = pliant_preset_name((pliant_preset)i);
    words[count] = NULL;
    const char *near = pliant__nearest_word(name, words);
    if (near) return pliant__complain(r, node, "no material %.40s (did you mean %s?)", name, near);
    return pliant__complain(r, node, "no material %.40s under \"materials\", and no preset of that name", name);
}
