/* Bodies of a scene file. */
#include "base/png.h"
#include "base/vec.h"
#include "io/scene/keys.h"
#include "io/files/file.h"
#include "io/scene/mesh_body.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static const char *const type_words[] = {"cloth", "soft", "rope", "particles", NULL};
static const char *const model_words[] = {"distance", "neo_hookean", "corotated", "stvk", "strain", "shape_matching", NULL};
static const char *const cloth_model_words[] = {"distance", "strain", "stvk", "shape_matching", NULL};
static const char *const bend_words[] = {"angle", "distance", "none", "isometric", NULL};

typedef struct body_spec {
    pliant_material     material;
    pliant_body_def     body;
    const pliant__node *masses, *pins, *attach, *skin, *frame, *constraints, *pressure, *tear, *shape;
    const char         *mesh, *visual;
    const pliant__node *cells, *size, *points, *particles;
    uint32_t            bend;  /* number in bend_words */
    uint32_t            model; /* number in model_words, of a cloth in cloth_model_words */
    pliant_vec3         warp;
    bool                bend_said, mend;
    pliant__mesh_spec   file; /* of `mesh` and `visual` */
    pliant_real         tether;
    bool                untethered;
    pliant_vec3         from, to;
    uint32_t            segments;
} body_spec;

/* ---- what every body has ---- */

static bool read_scale(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    (void)key;
    pliant_vec3 *scale = field;
    if (node->type == PLIANT__NODE_NUMBER) {
        if (!pliant__read_real(r, node, -DBL_MAX, DBL_MAX, false, &scale->x)) return false;
        scale->y = scale->z = scale->x;
    } else if (!pliant__read_vec3(r, node, scale)) {
        return false;
    }
    if (!(r_abs(scale->x) > 0 && r_abs(scale->y) > 0 && r_abs(scale->z) > 0)) return pliant__complain(r, node, "a scale is not 0");
    return true;
}

/* "bend" of a cloth or a rope is a word (how), a law (how much), or a law with a "model". */
typedef struct bend_spec {
    pliant__law_spec law;
    uint32_t         model;
} bend_spec;

static const pliant__key bend_keys[] = {
    {.name = "model",
     .type = PLIANT__KEY_WORD,
     .words = bend_words,
     .offset = offsetof(bend_spec, model),
     .text = "By the dihedral angle (default for cloth), by isometric bending where it is flat at rest (cheaper), or by a distance across "
             "two edges (ropes always)"},
};
const pliant__object pliant__bend_object = {"bend", "How a body resists bending", PLIANT__KEYS(bend_keys), &pliant__law_object,
                                            offsetof(bend_spec, law)};
static const char    bend_schema[] =
    "{\"oneOf\": [{\"type\": \"string\", \"enum\": [\"angle\", \"distance\", \"none\", \"isometric\"]}, {\"$ref\": \"#/$defs/bend\"}]}";

static bool read_bend(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    body_spec *s = (body_spec *)(void *)((char *)field - key->offset);
    if (node->type == PLIANT__NODE_TEXT) {
        s->bend_said = true;
        return pliant__read_word(r, node, bend_words, &s->bend);
    }
    bend_spec b = {.model = s->bend};
    pliant__law_start(&b.law, &s->material.bend);
    if (!pliant__read_object(r, node, &pliant__bend_object, &b) || !pliant__law_finish(r, node, &b.law, &s->material.bend)) return false;
    s->bend_said = pliant__node_get(node, "model") != NULL;
    s->bend = b.model;
    s->material.has_bend = s->material.has_bend || pliant__says_stiffness(node);
    return true;
}

/* ---- how it looks ---- */

static const char *const pattern_words[] = {"plain", "checker", "stripes", "dots", "weave", NULL};

typedef struct look_spec {
    uint32_t    color, pattern;
    pliant_real pattern_size, roughness;
    const char *texture;
} look_spec;

static int hexadecimal(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* "#rgb" or "#rrggbb". */
static bool read_color(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    const char *text = node->type == PLIANT__NODE_TEXT ? node->text : "";
    size_t      digits = *text == '#' ? strlen(text + 1) : 0;
    uint32_t    color = 0;
    (void)key;
    for (size_t i = 1; i <= digits; i++) {
        const int d = hexadecimal(text[i]);
        if (d < 0) digits = 0;
        color = digits == 3 ? color << 8 | (uint32_t)(17 * d) : color << 4 | (uint32_t)d;
    }
    if (digits != 3 && digits != 6) return pliant__complain(r, node, "a color is \"#rgb\" or \"#rrggbb\", in hexadecimal digits");
    *(uint32_t *)field = color;
    return true;
}

/* The file's bytes, which last as long as the reader. */
static bool read_texture(pliant__reader *r, const pliant__node *node, const char *name, pliant_look *look)
{
    pliant_error inner = {0};
    size_t       size;
    const char  *path = pliant__read_path(r, node, name);
    char        *bytes = path ? pliant__file_read(path, &size, &inner) : NULL;
    if (!bytes) return path && pliant__blame(r, node, &inner);
    bool  ok = pliant__png_check(bytes, size, &inner) || pliant__complain(r, node, "%.60s: %s", name, inner.message);
    void *kept = ok ? pliant__read_memory(r, size, 1) : NULL;
    if (kept) {
        memcpy(kept, bytes, size);
        look->texture = kept;
        look->texture_bytes = size;
    }
    free(bytes);
    return kept != NULL;
}

/* `uvs`: the surface has some. */
static bool check_texture(pliant__reader *r, const pliant__node *node, const pliant_body_def *body, const char *file, bool uvs)
{
    const pliant__node *look = body->look.texture ? pliant__node_get(node, "look") : NULL,
                       *texture = look ? pliant__node_get(look, "texture") : NULL;
    if (!texture || uvs) return true;
    if (file)
        return pliant__complain(r, texture, "%.60s has no texture coordinates; write it with its UVs, or say a \"pattern\" instead", file);
    return pliant__complain(r, texture, "only a cloth, or a soft body with a \"visual\", has a texture; say a \"pattern\" instead");
}

#define LOOK(f) .offset = offsetof(look_spec, f)
static const pliant__key look_keys[] = {
    {.name = "color",
     .type = PLIANT__KEY_CUSTOM,
     .read = read_color,
     .schema = "{\"type\": \"string\", \"pattern\": \"^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$\"}",
     LOOK(color),
     .text = "\"#rgb\" or \"#rrggbb\"; default: by its place among the bodies"},
    {.name = "roughness",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = 1,
     LOOK(roughness),
     .text = "From 0, a mirror's gloss, to 1, none; default 0.45 of soft bodies, 0.7 of others"},
    {.name = "pattern",
     .type = PLIANT__KEY_WORD,
     .words = pattern_words,
     LOOK(pattern),
     .text = "What is on its surface, in two shades of its colour; default plain"},
    {.name = "pattern_size",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .above = true,
     .high = DBL_MAX,
     LOOK(pattern_size),
     .text = "m, of one repeat of the pattern; default: a fifth of the body's longest side, or of a rope's length"},
    {.name = "texture",
     .type = PLIANT__KEY_TEXT,
     LOOK(texture),
     .text = "A PNG file beside the scene, laid on by the mesh's texture coordinates or over a grid, times the color, which is white by "
             "default; not beside a "
             "pattern"},
};
const pliant__object pliant__look_object = {"look", "How a body looks in pictures; it changes no result", PLIANT__KEYS(look_keys), NULL, 0};

static bool read_look(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    pliant_look *look = field;
    look_spec    s = {
           .color = look->color, .pattern = (uint32_t)look->pattern, .pattern_size = look->pattern_size, .roughness = look->roughness};
    (void)key;
    if (!pliant__read_object(r, node, &pliant__look_object, &s)) return false;
    *look = (pliant_look){.color = s.color, .pattern = (pliant_pattern)s.pattern, .pattern_size = s.pattern_size, .roughness = s.roughness};
    if (!s.texture) return true;
    const pliant__node *texture = pliant__node_get(node, "texture");
    if (s.pattern) return pliant__complain(r, texture, "a body has a \"texture\" or a \"pattern\", not both");
    return read_texture(r, texture, s.texture, look);
}

static const char material_schema[] = "{\"oneOf\": [{\"type\": \"string\"}, {\"$ref\": \"#/$defs/material\"}]}";
static const char masses_schema[] = "{\"oneOf\": [{\"type\": \"array\", \"items\": {\"type\": \"number\", \"exclusiveMinimum\": 0}}, "
                                    "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/vertex_value\"}, \"minItems\": 1}]}";
static const char scale_schema[] = "{\"oneOf\": [{\"type\": \"number\"}, {\"$ref\": \"#/$defs/vec3\"}]}";
static const char weld_schema[] = "{\"oneOf\": [{\"type\": \"boolean\"}, {\"type\": \"number\", \"minimum\": 0}]}";
static const char pins_schema[] = "{\"oneOf\": [{\"$ref\": \"#/$defs/pin\"}, {\"type\": \"array\", \"items\": "
                                  "{\"oneOf\": [{\"type\": \"integer\", \"minimum\": 0}, {\"$ref\": \"#/$defs/pin\"}]}}]}";

#define FIELD(f) .offset = offsetof(body_spec, f)
static const pliant__key body_keys[] = {
    {.name = "name", .type = PLIANT__KEY_NAME, FIELD(body.name), .text = "Unique in the scene; names the body in caches"},
    {.name = "material",
     .type = PLIANT__KEY_LATER,
     .schema = material_schema,
     .text = "A material of the scene, a preset, or a material here; the other keys of a material, said here, change it for this body"},
    {.name = "position", .type = PLIANT__KEY_VEC3, FIELD(body.placement.position), .text = "Moved last, m"},
    {.name = "rotation",
     .type = PLIANT__KEY_CUSTOM,
     .read = pliant__read_rotation_key,
     .schema = "{\"$ref\": \"#/$defs/rotation\"}",
     FIELD(body.placement.rotation),
     .text = "Turned second: a quaternion x y z w, or an axis and degrees"},
    {.name = "scale",
     .type = PLIANT__KEY_CUSTOM,
     .read = read_scale,
     .schema = scale_schema,
     FIELD(body.placement.scale),
     .text = "Scaled first: one number, or one per axis"},
    {.name = "velocity", .type = PLIANT__KEY_VEC3, FIELD(body.velocity), .text = "m/s at the start"},
    {.name = "spin", .type = PLIANT__KEY_VEC3, FIELD(body.spin), .text = "rad/s about the centre of mass at the start"},
    {.name = "masses",
     .type = PLIANT__KEY_NODE,
     .schema = masses_schema,
     FIELD(masses),
     .text = "kg per vertex, instead of by density: a number each, or selections with a value"},
    {.name = "fixed", .type = PLIANT__KEY_BOOL, FIELD(body.fixed), .text = "Every vertex is pinned for ever"},
    {.name = "self_contact",
     .type = PLIANT__KEY_BOOL,
     FIELD(body.self_contact),
     .text = "No part of its surface passes through another; needs a thickness"},
    {.name = "contact_group",
     .type = PLIANT__KEY_COUNT,
     .low = 0,
     .high = UINT32_MAX,
     FIELD(body.contact_group),
     .text = "The groups that it is in, a bit each; default 1"},
    {.name = "contact_mask",
     .type = PLIANT__KEY_COUNT,
     .low = 0,
     .high = UINT32_MAX,
     FIELD(body.contact_mask),
     .text = "The groups of bodies that it does not pass through, a bit each; two bodies meet where each has a group of the other in its "
             "mask, and "
             "both have a thickness; default 0, none"},
    {.name = "collider_mask",
     .type = PLIANT__KEY_COUNT,
     .low = 0,
     .high = UINT32_MAX,
     FIELD(body.collider_mask),
     .text = "Groups of colliders that keep this body out, a bit each; default 4294967295, colliders of every group and of none"},
    {.name = "look",
     .type = PLIANT__KEY_CUSTOM,
     .read = read_look,
     .schema = "{\"$ref\": \"#/$defs/look\"}",
     FIELD(body.look),
     .text = "How it looks in pictures; it changes no result"},
    {.name = "pins", .type = PLIANT__KEY_NODE, .schema = pins_schema, FIELD(pins), .text = "Vertices that stay where they are"},
    {.name = "attach",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/attachment\"}}",
     FIELD(attach),
     .text = "Vertices that follow targets"},
    {.name = "skin",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"$ref\": \"#/$defs/skin\"}",
     FIELD(skin),
     .text = "Of a garment: how far vertices may leave an animated mesh"},
    {.name = "frame",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"$ref\": \"#/$defs/frame\"}",
     FIELD(frame),
     .text = "A moving frame that it is simulated as seen from"},
    {.name = "constraints",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/constraint\"}}",
     FIELD(constraints),
     .text = "Constraints between vertices of this body"},
    {.name = "shape",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"$ref\": \"#/$defs/shape\"}",
     FIELD(shape),
     .text = "How clusters of its particles keep their shape: shape matching"},
};
const pliant__object pliant__body_object = {"body", "", PLIANT__KEYS(body_keys), &pliant__material_object, offsetof(body_spec, material)};

/* ---- the four types ---- */

#define TYPE(word)                                                                                          \
    {                                                                                                       \
        .name = "type", .type = PLIANT__KEY_LATER, .schema = "{\"const\": \"" word "\"}", .required = true, \
        .text = "What kind of body it is"                                                                   \
    }
#define BEND                                                                                                                    \
    {                                                                                                                           \
        .name = "bend", .type = PLIANT__KEY_CUSTOM, .read = read_bend, .schema = bend_schema, .text = "How it resists bending", \
        FIELD(bend)                                                                                                             \
    }
#define TETHER                                                                                                     \
    {                                                                                                              \
        .name = "tether", .type = PLIANT__KEY_REAL, .low = 0, .high = 1e6, FIELD(tether),                          \
        .text = "Ties every vertex to its nearest pin, at most this many times as far as along the edges; 0: none" \
    }

#define PRESSURE                                                                                                     \
    {                                                                                                                \
        .name = "pressure", .type = PLIANT__KEY_NODE, .schema = "{\"$ref\": \"#/$defs/pressure\"}", FIELD(pressure), \
        .text = "What its closed surface is filled with: a gas, or a volume that is kept"                            \
    }

/* Of the files that a body names. */
#define FRAME                                                                                                                  \
    {.name = "units",                                                                                                          \
     .type = PLIANT__KEY_CUSTOM,                                                                                               \
     .read = pliant__read_units,                                                                                               \
     .schema = pliant__units_schema,                                                                                           \
     FIELD(file.unit),                                                                                                         \
     .text = "What one unit of its files is: mm, cm, m, in, or metres as a number; default: what the file says, else metres"}, \
    {                                                                                                                          \
        .name = "up", .type = PLIANT__KEY_CUSTOM, .read = pliant__read_up, .schema = pliant__up_schema, FIELD(file.up),        \
        .text = "Which axis of its files points up; default: what the file says, else y"                                       \
    }

static const pliant__key cloth_keys[] = {
    TYPE("cloth"),
    {.name = "mesh",
     .type = PLIANT__KEY_TEXT,
     FIELD(mesh),
     .text = "A file beside the scene with a surface (.obj, .ply, .stl, ...), instead of a grid"},
    FRAME,
    {.name = "cells",
     .type = PLIANT__KEY_NODE,
     FIELD(cells),
     .text = "Grid: quads along x and z",
     .schema =
         "{\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 16384}, \"minItems\": 2, \"maxItems\": 2}"},
    {.name = "size",
     .type = PLIANT__KEY_NODE,
     FIELD(size),
     .text = "Grid: m along x and z",
     .schema = "{\"type\": \"array\", \"items\": {\"type\": \"number\", \"exclusiveMinimum\": 0}, \"minItems\": 2, \"maxItems\": 2}"},
    BEND,
    {.name = "model",
     .type = PLIANT__KEY_WORD,
     .words = cloth_model_words,
     FIELD(model),
     .text =
         "By which constraints it is as stiff in its plane as its material says: distances, or triangles with strains along warp and weft"},
    {.name = "warp",
     .type = PLIANT__KEY_VEC3,
     FIELD(warp),
     .text = "Of a mesh in the models strain and stvk: the direction in the mesh along which warp runs; default: along u of its texture "
             "coordinates"},
    {.name = "weld",
     .type = PLIANT__KEY_CUSTOM,
     .read = pliant__read_weld,
     .schema = weld_schema,
     FIELD(file),
     .text = "Vertices at one place, or parted by rounding, become one particle; a number: those at most so many m apart; default true"},
    TETHER,
    PRESSURE,
    {.name = "tear",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"$ref\": \"#/$defs/tear\"}",
     FIELD(tear),
     .text = "In the models strain and stvk: where it tears"},
};
const pliant__object pliant__cloth_object = {"cloth", "A cloth: a grid in the xz plane, or a mesh", PLIANT__KEYS(cloth_keys),
                                             &pliant__body_object, 0};

static const pliant__key soft_keys[] = {
    TYPE("soft"),
    {.name = "mesh",
     .type = PLIANT__KEY_TEXT,
     FIELD(mesh),
     .text = "A file beside the scene with tetrahedra (.node or .ele, .msh, .vtk), instead of a lattice"},
    FRAME,
    {.name = "cells",
     .type = PLIANT__KEY_NODE,
     FIELD(cells),
     .text = "Lattice: cubes along x, y and z",
     .schema =
         "{\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 1024}, \"minItems\": 3, \"maxItems\": 3}"},
    {.name = "size",
     .type = PLIANT__KEY_NODE,
     FIELD(size),
     .text = "Lattice: m along x, y and z",
     .schema = "{\"type\": \"array\", \"items\": {\"type\": \"number\", \"exclusiveMinimum\": 0}, \"minItems\": 3, \"maxItems\": 3}"},
    {.name = "visual",
     .type = PLIANT__KEY_TEXT,
     FIELD(visual),
     .text = "A file with a surface (.obj, .ply, .stl, ...) that rides on the tetrahedra and is written out"},
    {.name = "model",
     .type = PLIANT__KEY_WORD,
     .words = model_words,
     FIELD(model),
     .text = "By which constraints it is as stiff as \"young\" and \"poisson\" say: distances and volumes, or tetrahedra with the energy "
             "of a solid; default: neo_hookean, or distance where the material has a law \"stretch\" or \"volume\", or a \"young\" of 0"},
    {.name = "mend", .type = PLIANT__KEY_BOOL, FIELD(mend), .text = "Turn inverted tetrahedra round instead of refusing them"},
    PRESSURE,
    {.name = "tear",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"$ref\": \"#/$defs/tear\"}",
     FIELD(tear),
     .text = "In the models neo_hookean, corotated, stvk and strain: where it tears"},
};
const pliant__object pliant__soft_object = {"soft", "A soft body of tetrahedra: a lattice, or a mesh", PLIANT__KEYS(soft_keys),
                                            &pliant__body_object, 0};

static const pliant__key rope_keys[] = {
    TYPE("rope"),
    {.name = "from", .type = PLIANT__KEY_VEC3, FIELD(from), .text = "Where it begins, m"},
    {.name = "to", .type = PLIANT__KEY_VEC3, FIELD(to), .text = "Where it ends, m"},
    {.name = "segments",
     .type = PLIANT__KEY_COUNT,
     .low = 1,
     .high = 1e7,
     FIELD(segments),
     .text = "Straight pieces from one to the other"},
    {.name = "points",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/vec3\"}, \"minItems\": 2}",
     FIELD(points),
     .text = "A polyline instead"},
    BEND,
    TETHER,
};
const pliant__object pliant__rope_object = {"rope", "A rope", PLIANT__KEYS(rope_keys), &pliant__body_object, 0};

typedef struct particle_spec {
    pliant_vec3 x, v;
    pliant_real mass, w;
} particle_spec;

static const pliant__key particle_keys[] = {
    {.name = "x", .type = PLIANT__KEY_VEC3, .offset = offsetof(particle_spec, x), .required = true, .text = "Position, m"},
    {.name = "v", .type = PLIANT__KEY_VEC3, .offset = offsetof(particle_spec, v), .text = "Velocity, m/s; default: the body's"},
    {.name = "mass",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .above = true,
     .high = DBL_MAX,
     .offset = offsetof(particle_spec, mass),
     .text = "kg; default 1"},
    {.name = "w",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = DBL_MAX,
     .offset = offsetof(particle_spec, w),
     .text = "Inverse mass, 1/kg, instead of the mass; 0 pins for ever"},
};
const pliant__object pliant__particle_object = {"particle", "A particle", PLIANT__KEYS(particle_keys), NULL, 0};

static const pliant__key particles_keys[] = {
    TYPE("particles"),
    {.name = "particles",
     .type = PLIANT__KEY_LIST,
     .object = &pliant__particle_object,
     FIELD(particles),
     .required = true,
     .text = "The particles"},
};
const pliant__object pliant__particles_object = {"particles", "Loose particles, with the constraints that are listed",
                                                 PLIANT__KEYS(particles_keys), &pliant__body_object, 0};

/* ---- adding them to the scene ---- */

static bool read_sizes(pliant__reader *r, const pliant__node *node, uint32_t n, pliant_real out[3])
{
    if (node->type != PLIANT__NODE_LIST || node->count != n) return pliant__complain(r, node, "must be a list of %u numbers", n);
    uint32_t i = 0;
    for (const pliant__node *c = node->first; c; c = c->next)
        if (!pliant__read_real(r, c, 0, DBL_MAX, true, &out[i++])) return false;
    return true;
}

static bool read_cells(pliant__reader *r, const pliant__node *node, uint32_t n, double most, uint32_t out[3])
{
    if (node->type != PLIANT__NODE_LIST || node->count != n) return pliant__complain(r, node, "must be a list of %u whole numbers", n);
    uint32_t i = 0;
    double   vertices = 1;
    for (const pliant__node *c = node->first; c; c = c->next, i++) {
        if (!pliant__read_count(r, c, 1, most, &out[i])) return false;
        vertices *= out[i] + 1.0;
    }
    if (vertices > 1e8) return pliant__complain(r, node, "that would be %.0f vertices; the most is 100000000", vertices);
    return true;
}

/* A body comes from a mesh or from a generator, not from both and not from neither. */
static bool check_source(pliant__reader *r, const pliant__node *node, const body_spec *s, const char *generator)
{
    const pliant__node *cells = pliant__node_get(node, "cells"), *size = pliant__node_get(node, "size");
    if (s->mesh && (cells || size)) return pliant__complain(r, cells ? cells : size, "the body has a \"mesh\" already");
    if (!s->mesh && !cells) return pliant__complain(r, node, "needs a \"mesh\" or a %s of \"cells\"", generator);
    const pliant__node *units = pliant__node_get(node, "units"), *of_files = units ? units : pliant__node_get(node, "up");
    if (!s->mesh && !s->visual && of_files) return pliant__complain(r, of_files, "the body has no file that this could be said of");
    return true;
}

/* `vertices` masses, or none. */
static bool read_masses(pliant__reader *r, const body_spec *s, size_t vertices, pliant_body_def *body)
{
    if (!s->masses || pliant__are_values(s->masses)) return true;
    if (!pliant__read_list(r, s->masses, 0, "masses")) return false;
    if (s->masses->count != vertices)
        return pliant__complain(r, s->masses, "needs a mass for each of the %zu vertices, has %u", vertices, s->masses->count);
    pliant_real *masses = pliant__read_memory(r, vertices + 1, sizeof *masses);
    if (!masses) return false;
    size_t i = 0;
    for (const pliant__node *n = s->masses->first; n; n = n->next)
        if (!pliant__read_real(r, n, 0, DBL_MAX, true, &masses[i++])) return false;
    body->masses = masses;
    return true;
}

typedef struct added {
    pliant_body   body;
    size_t        vertices;
    pliant__marks marks;
} added;

static bool check_added(pliant__reader *r, const pliant__node *node, pliant_body body, size_t vertices, const pliant_error *inner,
                        added *out)
{
    out->body = body;
    out->vertices = vertices;
    return body.id || pliant__blame(r, node, inner);
}

/* Vertices that no face or tetrahedron uses are pinned where they are: the cache has as many vertices as the mesh. */
static void notice_loose(pliant__reader *r, const pliant__node *mesh, const added *a, const char *what)
{
    uint32_t loose = 0;
    for (uint32_t v = 0; v < a->vertices; v++) loose += pliant__is_pinned_for_ever(r->scene, a->body, v);
    if (loose) pliant__notice(r, mesh, "%u of %zu vertices are used by no %s; they stay where they are", loose, a->vertices, what);
}

/* Words for messages, of each type of body: elements without extent, and doubled ones; singular and plural. */
static const char *const mended_texts[][4] = {
    [PLIANT_BODY_CLOTH] = {"face has less than three places once welded, or no area, and is left out",
                           "faces have less than three places once welded, or no area, and are left out",
                           "face has the vertices of another one, back to back or not, and is left out",
                           "faces have the vertices of another one, back to back or not, and are left out"},
    [PLIANT_BODY_SOFT] = {"tetrahedron has no volume, and is left out", "tetrahedra have no volume, and are left out",
                          "tetrahedron has the vertices of another one, and is left out",
                          "tetrahedra have the vertices of another one, and are left out"},
    [PLIANT_BODY_ROPE] = {"segment has no length, and is left out; points at one place are one particle",
                          "segments have no length, and are left out; points at one place are one particle", "", ""},
};

static void notice_mended(pliant__reader *r, const pliant__node *node, const char *name, pliant_body_type type, const added *a)
{
    const pliant_mended      m = pliant_scene_body_mended(r->scene, a->body);
    const char *const *const text = mended_texts[type];
    pliant__notice_joined(r, node, name, m, type == PLIANT_BODY_CLOTH);
    pliant__notice_count(r, node, name, m.flat, text[0], text[1]);
    pliant__notice_count(r, node, name, m.doubled, text[2], text[3]);
}

/* Where a body's material says a key: in the body, in a material of its own, or in one of the file's; NULL: nowhere. */
static const pliant__node *find_in_material(const pliant__reader *r, const pliant__node *node, const char *key)
{
    const pliant__node *own = pliant__node_get(node, key), *material = pliant__node_get(node, "material");
    if (own || !material) return own;
    if (material->type == PLIANT__NODE_TEXT) material = pliant__node_get(pliant__node_get(r->root, "materials"), material->text);
    return material ? pliant__node_get(material, key) : NULL;
}

/* What a law of a body's material says of plastic flow, in the body or in the material; NULL: nothing. */
static const pliant__node *find_flow(const pliant__reader *r, const pliant__node *node, const char *law)
{
    static const char *const keys[] = {"yield", "creep", "hardening", "most"};
    const pliant__node      *material = pliant__node_get(node, "material");
    if (material && material->type == PLIANT__NODE_TEXT)
        material = pliant__node_get(pliant__node_get(r->root, "materials"), material->text);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const pliant__node *own = pliant__node_get(pliant__node_get(node, law), keys[i]);
        const pliant__node *of_material = own ? own : pliant__node_get(pliant__node_get(material, law), keys[i]);
        if (of_material) return of_material;
    }
    return NULL;
}

/* What yields in a body of energies is not its edges. */
static bool check_solid_flow(pliant__reader *r, const pliant__node *node, pliant_solid_model model)
{
    const pliant__node *stretch = find_flow(r, node, "stretch"), *flow = stretch ? stretch : find_flow(r, node, "volume");
    if (!flow || model == PLIANT_SOLID_DISTANCE || model == PLIANT_SOLID_SHAPE) return true;
    if (model != PLIANT_SOLID_NEO_HOOKEAN)
        return pliant__complain(r, flow,
                                "a solid of this model does not yield; take the model neo_hookean, and say it beside young, or distance");
    return pliant__complain(r, flow, "is of the edges of the model distance; say it beside young, as %s of the material", flow->key);
}

static bool check_cloth_flow(pliant__reader *r, const pliant__node *node, pliant_cloth_model model)
{
    const pliant__node *stretch = find_flow(r, node, "stretch"), *flow = stretch ? stretch : find_flow(r, node, "shear");
    return !flow || (model != PLIANT_CLOTH_STRAIN && model != PLIANT_CLOTH_STVK) ||
           pliant__complain(r, flow, "triangles with strains do not yield; leave it out, or take the model distance");
}

/* What a cloth says of its threads goes with its model. */
static bool check_weave(pliant__reader *r, const pliant__node *node, const body_spec *s)
{
    const pliant__node *warp = pliant__node_get(node, "warp"), *poisson = find_in_material(r, node, "poisson");
    if (warp && (s->model == PLIANT_CLOTH_DISTANCE || s->model == PLIANT_CLOTH_SHAPE))
        return pliant__complain(r, warp, "goes with the model strain or stvk");
    if (warp && !s->mesh) return pliant__complain(r, warp, "is said of a mesh; a grid's warp runs along its x");
    if (warp && !(v3_dot(s->warp, s->warp) > 0)) return pliant__complain(r, warp, "must be a direction, not zeros");
    return s->model == PLIANT_CLOTH_DISTANCE || !poisson ||
           pliant__complain(r, poisson, "is of soft bodies; what cloth narrows by is its plane_poisson");
}

/* What goes with a body that tears, by the key that says otherwise. */
static bool read_tear(pliant__reader *r, const body_spec *s, pliant_tear *out)
{
    if (s->tether > 0) return pliant__complain(r, s->tear, "goes without \"tether\", which would hold what is torn off");
    if (s->body.self_contact || s->body.contact_mask)
        return pliant__complain(r, s->tear,
                                "goes without \"self_contact\" and \"contact_mask\": what tears meets colliders, and no bodies yet");
    if (s->pressure) return pliant__complain(r, s->tear, "goes without \"pressure\": what tears holds nothing inside");
    if (s->skin) return pliant__complain(r, s->tear, "goes without \"skin\"");
    if (s->shape) return pliant__complain(r, s->tear, "goes without \"shape\"");
    if (s->visual) return pliant__complain(r, s->tear, "goes without \"visual\": what is seen of it would not come apart");
    return pliant__read_tear(r, s->tear, out);
}

static bool read_cloth_tear(pliant__reader *r, const body_spec *s, pliant_tear *out)
{
    if (s->model != PLIANT_CLOTH_STRAIN && s->model != PLIANT_CLOTH_STVK)
        return pliant__complain(r, s->tear, "goes with the model strain or stvk");
    return read_tear(r, s, out);
}

static bool read_soft_tear(pliant__reader *r, const body_spec *s, pliant_tear *out)
{
    if (s->model == PLIANT_SOLID_DISTANCE || s->model == PLIANT_SOLID_SHAPE)
        return pliant__complain(r, s->tear, "goes with the model neo_hookean, corotated, stvk or strain");
    return read_tear(r, s, out);
}

static bool add_cloth(pliant__reader *r, const pliant__node *node, const body_spec *s, added *out)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    pliant_mesh      mesh = {0};
    pliant_error     inner = {0};
    def.body = s->body;
    def.material = s->material;
    def.weld = s->file.weld;
    def.weld_distance = s->file.weld_distance;
    def.weld_exactly = s->file.weld_exactly;
    def.tether = s->tether;
    def.untethered = s->untethered;
    def.model = (pliant_cloth_model)s->model;
    def.warp = s->warp;
    if (s->bend_said) def.bend = (pliant_bend)s->bend;
    if (!check_source(r, node, s, "grid") || !check_weave(r, node, s) || !check_cloth_flow(r, node, def.model) ||
        (s->tear && !read_cloth_tear(r, s, &def.tear)))
        return false;
    if (s->mesh) {
        const pliant__node *file = pliant__node_get(node, "mesh");
        if (!pliant__load_surface(r, file, s->mesh, &s->file, &mesh) || !check_texture(r, node, &s->body, s->mesh, mesh.uvs) ||
            !pliant__notice_weld(r, file, s->mesh, &s->file, &mesh)) {
            pliant_mesh_free(&mesh);
            return false;
        }
        def.mesh = pliant_mesh_view_from(&mesh);
    } else {
        uint32_t    cells[3];
        pliant_real size[3] = {def.size_x, def.size_z, 0};
        if (!read_cells(r, s->cells, 2, 16384, cells) || (s->size && !read_sizes(r, s->size, 2, size))) return false;
        def.cells_x = cells[0];
        def.cells_z = cells[1];
        def.size_x = size[0];
        def.size_z = size[1];
    }
    size_t vertices = s->mesh ? mesh.vertex_count : (size_t)(def.cells_x + 1) * (def.cells_z + 1);
    bool   ok = read_masses(r, s, vertices, &def.body);
    if (ok) ok = check_added(r, node, pliant_scene_add_cloth(r->scene, &def, &inner), vertices, &inner, out);
    if (ok) ok = pliant__keep_marks(r, &mesh, &out->marks);
    pliant_mesh_free(&mesh);
    if (ok && s->mesh) notice_mended(r, pliant__node_get(node, "mesh"), s->mesh, PLIANT_BODY_CLOTH, out);
    if (ok && s->mesh && !s->body.fixed) notice_loose(r, pliant__node_get(node, "mesh"), out, "face");
    return ok;
}

static void span_of(const pliant_real *x, size_t count, int axis, double span[2])
{
    span[0] = span[1] = (double)x[axis];
    for (size_t i = 1; i < count; i++) {
        const double c = (double)x[3 * i + (size_t)axis];
        span[0] = c < span[0] ? c : span[0];
        span[1] = c > span[1] ? c : span[1];
    }
}

/* A visual surface that lies outside its tetrahedra, or is far smaller than they are, is most likely in another unit or turned. It rides on the
 * nearest tetrahedra all the same. */
static void notice_astray(pliant__reader *r, const pliant__node *node, const char *name, const pliant_tets *tets, const pliant_mesh *visual)
{
    double size = 0, extent = 0, outside = 0, cage[2], own[2];
    for (int k = 0; k < 3; k++) {
        span_of(tets->positions, tets->vertex_count, k, cage);
        span_of(visual->positions, visual->vertex_count, k, own);
        size = cage[1] - cage[0] > size ? cage[1] - cage[0] : size;
        extent = own[1] - own[0] > extent ? own[1] - own[0] : extent;
        outside = cage[0] - own[0] > outside ? cage[0] - own[0] : outside;
        outside = own[1] - cage[1] > outside ? own[1] - cage[1] : outside;
    }
    if (outside > size / 4 || extent < size / 8)
        pliant__notice(r, node,
                       "%.60s: %.4g m across, %.4g m outside the tetrahedra, which are %.4g m across: the same unit, and in one place?",
                       name, extent, outside, size);
}

/* What a ratio may be is a matter of the model. */
static bool check_ratio(pliant__reader *r, const pliant__node *node, const pliant_soft_def *def)
{
    const pliant__node *poisson = find_in_material(r, node, "poisson");
    const double        ratio = (double)def->material.poisson;
    if (!poisson || def->material.young == 0) return true;
    if (def->model == PLIANT_SOLID_DISTANCE && ratio <= 0.25)
        return pliant__complain(r, poisson, "must be above 0.25, which edges alone make; other models have less");
    return def->model == PLIANT_SOLID_DISTANCE || def->material.poisson <= (pliant_real)0.4999 ||
           pliant__complain(r, poisson, "must be at most 0.4999 in a body of this model");
}

static bool add_soft(pliant__reader *r, const pliant__node *node, const body_spec *s, added *out)
{
    pliant_soft_def def = pliant_soft_def_default();
    pliant_tets     tets = {0};
    pliant_mesh     visual = {0};
    pliant_error    inner = {0};
    def.body = s->body;
    def.material = s->material;
    def.mend = s->mend || r->def->mend;
    def.model = (pliant_solid_model)s->model;
    if (!check_source(r, node, s, "lattice") || !check_ratio(r, node, &def) || !check_solid_flow(r, node, def.model) ||
        (s->tear && !read_soft_tear(r, s, &def.tear)))
        return false;
    size_t vertices = 1;
    if (s->mesh) {
        if (!pliant__load_tets(r, pliant__node_get(node, "mesh"), s->mesh, &s->file, &tets)) {
            pliant_tets_free(&tets);
            return false;
        }
        def.mesh = pliant_tet_view_from(&tets);
        vertices = tets.vertex_count;
    } else {
        pliant_real size[3] = {def.extent.x, def.extent.y, def.extent.z};
        if (!read_cells(r, s->cells, 3, 1024, def.cells) || (s->size && !read_sizes(r, s->size, 3, size))) return false;
        def.extent = v3(size[0], size[1], size[2]);
        for (int i = 0; i < 3; i++) vertices *= def.cells[i] + 1u;
    }
    bool ok = read_masses(r, s, vertices, &def.body);
    if (ok && s->visual) ok = pliant__load_surface(r, pliant__node_get(node, "visual"), s->visual, &s->file, &visual);
    ok = ok && check_texture(r, node, &s->body, s->visual, visual.uvs);
    if (ok && s->visual) def.visual = pliant_mesh_view_from(&visual);
    if (ok && s->visual && s->mesh) notice_astray(r, pliant__node_get(node, "visual"), s->visual, &tets, &visual);
    if (ok) ok = check_added(r, node, pliant_scene_add_soft(r->scene, &def, &inner), vertices, &inner, out);
    pliant_mesh_free(&visual);
    pliant_tets_free(&tets);
    if (ok && s->mesh) notice_mended(r, pliant__node_get(node, "mesh"), s->mesh, PLIANT_BODY_SOFT, out);
    if (ok && s->mesh && !s->body.fixed) notice_loose(r, pliant__node_get(node, "mesh"), out, "tetrahedron");
    if (ok)
        pliant__notice_count(r, pliant__node_get(node, "visual"), s->visual, pliant_scene_body_mended(r->scene, out->body).visual,
                             "face has a vertex twice, and is left out", "faces have a vertex twice, and are left out");
    return ok;
}

static bool read_points(pliant__reader *r, const pliant__node *list, pliant_vec3 **out)
{
    if (!pliant__read_list(r, list, 2, "points")) return false;
    pliant_vec3 *p = *out = pliant__read_memory(r, list->count, sizeof *p);
    if (!p) return false;
    for (const pliant__node *n = list->first; n; n = n->next)
        if (!pliant__read_vec3(r, n, p++)) return false;
    return true;
}

static bool add_rope(pliant__reader *r, const pliant__node *node, const body_spec *s, added *out)
{
    pliant_rope_def def = pliant_rope_def_default();
    pliant_error    inner = {0};
    def.body = s->body;
    def.material = s->material;
    def.tether = s->tether;
    def.untethered = s->untethered;
    def.bend = !(s->bend_said && s->bend == PLIANT_BEND_NONE);
    if (s->bend_said && s->bend != PLIANT_BEND_DISTANCE && s->bend != PLIANT_BEND_NONE)
        return pliant__complain(r, pliant__node_get(node, "bend"), "a rope bends by \"distance\" or \"none\"");
    if (!check_texture(r, node, &s->body, NULL, false)) return false;
    const pliant__node *from = pliant__node_get(node, "from"), *to = pliant__node_get(node, "to"),
                       *segments = pliant__node_get(node, "segments");
    size_t vertices;
    if (s->points) {
        pliant_vec3 *points;
        if (from || to || segments) return pliant__complain(r, s->points, "a rope has \"points\", or \"from\", \"to\" and \"segments\"");
        if (!read_points(r, s->points, &points)) return false;
        def.points = points;
        def.point_count = vertices = s->points->count;
    } else {
        if (!from || !to || !segments) return pliant__complain(r, node, "a rope needs \"from\", \"to\" and \"segments\", or \"points\"");
        def.from = s->from;
        def.to = s->to;
        def.segments = s->segments;
        vertices = (size_t)s->segments + 1;
    }
    if (!read_masses(r, s, vertices, &def.body) ||
        !check_added(r, node, pliant_scene_add_rope(r->scene, &def, &inner), vertices, &inner, out))
        return false;
    if (s->points) notice_mended(r, s->points, NULL, PLIANT_BODY_ROPE, out);
    return true;
}

/* Positions, and velocities, masses or inverse masses where any particle says them. */
static bool read_particles(pliant__reader *r, const body_spec *s, pliant_particles_def *def)
{
    size_t       count = s->particles->count, i = 0;
    bool         any_v = false, any_w = false;
    pliant_vec3 *x = pliant__read_memory(r, count, sizeof *x), *v = pliant__read_memory(r, count, sizeof *v);
    pliant_real *mass = pliant__read_memory(r, count, sizeof *mass), *w = pliant__read_memory(r, count, sizeof *w);
    if (!x || !v || !mass || !w) return false;
    for (const pliant__node *n = s->particles->first; n; n = n->next, i++) {
        particle_spec p = {.v = s->body.velocity, .mass = 1, .w = 1};
        if (!pliant__read_object(r, n, &pliant__particle_object, &p)) return false;
        const pliant__node *has_mass = pliant__node_get(n, "mass"), *has_w = pliant__node_get(n, "w");
        if (has_mass && has_w) return pliant__complain(r, has_w, "mass and w exclude each other");
        if (has_mass) p.w = 1 / p.mass;
        if (!(p.w - p.w == 0)) return pliant__complain(r, has_mass, "%.40s is too small for a mass", has_mass ? has_mass->text : "");
        any_v |= pliant__node_get(n, "v") != NULL;
        any_w |= has_w != NULL;
        x[i] = p.x;
        v[i] = p.v;
        mass[i] = p.mass;
        w[i] = p.w;
    }
    def->positions = x;
    def->count = count;
    if (any_v) def->velocities = v;
    if (any_w) {
        if (s->masses) return pliant__complain(r, s->masses, "the particles have masses of their own");
        def->inverse_masses = w;
    } else if (!s->masses || pliant__are_values(s->masses)) {
        def->body.masses = mass;
    }
    return true;
}

static bool add_particles(pliant__reader *r, const pliant__node *node, const body_spec *s, added *out)
{
    pliant_particles_def def = pliant_particles_def_default();
    pliant_error         inner = {0};
    def.body = s->body;
    def.material = s->material;
    if (s->particles->count == 0) return pliant__complain(r, s->particles, "at least one particle is needed");
    if (!check_texture(r, node, &s->body, NULL, false)) return false;
    return read_particles(r, s, &def) && read_masses(r, s, def.count, &def.body) &&
           check_added(r, node, pliant_scene_add_particles(r->scene, &def, &inner), def.count, &inner, out);
}

/* Masses of some vertices, which can be told apart once the body is there. */
static bool weigh(pliant__reader *r, const body_spec *s, pliant_body body)
{
    pliant_error inner = {0};
    if (!s->masses || !pliant__are_values(s->masses)) return true;
    const uint32_t vertices = r->body_sizes[body.id - 1];
    uint32_t      *ids = pliant__read_memory(r, vertices + 1u, sizeof *ids), count = 0;
    pliant_real   *masses = pliant__read_memory(r, vertices + 1u, sizeof *masses);
    if (!ids || !masses || !pliant__read_values(r, s->masses, body, true, masses)) return false;
    for (uint32_t v = 0; v < vertices; v++)
        if (masses[v] > 0) {
            masses[count] = masses[v];
            ids[count++] = v;
        }
    inner.code = pliant_scene_set_masses(r->scene, body, ids, masses, count, &inner);
    return inner.code == PLIANT_OK || pliant__blame(r, s->masses, &inner);
}

/* ---- one body ---- */

static const struct body_type {
    const pliant__object *object;
    bool (*add)(pliant__reader *r, const pliant__node *node, const body_spec *s, added *out);
} body_types[] = {{&pliant__cloth_object, add_cloth},
                  {&pliant__soft_object, add_soft},
                  {&pliant__rope_object, add_rope},
                  {&pliant__particles_object, add_particles}};

static bool remember(pliant__reader *r, const added *a)
{
    const char *given = pliant__body_name(r->scene, a->body);
    uint32_t    i = r->body_count++;
    char       *name = pliant__read_memory(r, strlen(given) + 1, 1);
    if (!name) return false;
    memcpy(name, given, strlen(given));
    r->bodies[i] = a->body;
    r->body_names[i] = name;
    r->body_sizes[i] = (uint32_t)a->vertices;
    r->body_marks[i] = a->marks;
    return true;
}

bool pliant__read_body(pliant__reader *r, const pliant__node *node)
{
    if (node->type != PLIANT__NODE_MAP) return pliant__expected(r, node, "an object");
    const pliant__node *type = pliant__node_get(node, "type"), *material = pliant__node_get(node, "material");
    uint32_t            number;
    if (!type) return pliant__complain(r, node, "\"type\" is missing");
    if (!pliant__read_word(r, type, type_words, &number)) return false;
    body_spec s = {.material = pliant_material_default(), .body = pliant_cloth_def_default().body, .file.weld = true};
    r->ratio_of_stretch = r->ratio_of_shear = r->ratio = -1;
    if (material && !pliant__read_material(r, material, &s.material)) return false;
    if (!pliant__begin_material(r, node, &s.material) || !pliant__read_object(r, node, body_types[number].object, &s)) return false;
    s.file.sized = pliant__node_get(node, "scale") != NULL;
    const bool woven = body_types[number].add == add_cloth && (s.model == PLIANT_CLOTH_STRAIN || s.model == PLIANT_CLOTH_STVK);
    s.file.uvs = s.body.look.texture != NULL || (woven && !pliant__node_get(node, "warp"));
    for (uint32_t i = 0; i < r->body_count; i++)
        if (*s.body.name && strcmp(s.body.name, r->body_names[i]) == 0)
            return pliant__complain(r, pliant__node_get(node, "name"), "another body is called %s", s.body.name);
    s.untethered = pliant__node_get(node, "tether") && s.tether == 0;
    if (body_types[number].add == add_soft && !pliant__node_get(node, "model"))
        s.model = r->ratio_of_stretch >= 0 ? (uint32_t)PLIANT_SOLID_DISTANCE : (uint32_t)pliant_material_solid_model(&s.material);
    added      a = {.vertices = 0};
    const bool bends = !s.bend_said || s.bend != PLIANT_BEND_NONE;
    if (!body_types[number].add(r, node, &s, &a) || !remember(r, &a) || !pliant__check_acting(r, node, number, bends)) return false;
    uint32_t vertices = (uint32_t)a.vertices;
    if (!weigh(r, &s, a.body)) return false;
    if (s.tear && !pliant__read_weak(r, s.tear, a.body)) return false;
    if (s.pins && !pliant__read_pins(r, s.pins, a.body, vertices)) return false;
    if (!pliant__damp_by_ratio(r, node, a.body, "stretch", r->ratio_of_stretch) ||
        !pliant__damp_by_ratio(r, node, a.body, "shear", r->ratio_of_shear))
        return false;
    if (!pliant__damp_body(r, node, a.body)) return false;
    if (s.constraints && !pliant__read_constraints(r, s.constraints, &a.body, vertices)) return false;
    if (s.attach && !pliant__read_attachments(r, s.attach, a.body, vertices)) return false;
    if (s.skin && !pliant__read_skin(r, s.skin, a.body, vertices)) return false;
    if (s.frame && !pliant__read_frame(r, s.frame, a.body)) return false;
    if (s.pressure && !pliant__read_pressure(r, s.pressure, a.body)) return false;
    const bool soft = body_types[number].add == add_soft, alone = soft && s.model == PLIANT_SOLID_SHAPE;
    if (s.shape && !pliant__read_shape(r, s.shape, a.body, vertices, soft ? &s.material : NULL, alone ? node : NULL)) return false;
    if (!s.shape && s.model == (body_types[number].add == add_soft ? (uint32_t)PLIANT_SOLID_SHAPE : (uint32_t)PLIANT_CLOTH_SHAPE) &&
        body_types[number].add != add_rope && body_types[number].add != add_particles)
        return pliant__complain(r, pliant__node_get(node, "model"), "needs a \"shape\", without it nothing holds the body together");
    if (s.tether > 0 && !pliant__has_pins(r->scene, a.body))
        pliant__notice(r, pliant__node_get(node, "tether"), "the body has no pins, so there is nothing to tether it to");
    return true;
}
