/* Stitches of a scene file: what is sewn to what, and when. */
#include "io/scene/keys.h"

#include <float.h>
#include <stddef.h>

static const char *const pair_words[] = {"order", "along", "surface", NULL}; /* in the order of pliant_stitch_way */

typedef struct stitches_spec {
    pliant_stitches_def def;
    const pliant__node *a, *b;
    uint32_t            pair;
} stitches_spec;

static const char side_schema[] = "{\"$ref\": \"#/$defs/selection_of_body\"}";

#define FIELD(f) .offset = offsetof(stitches_spec, f)
#define TIME(name_, words)                                                                                   \
    {                                                                                                        \
        .name = #name_, .type = PLIANT__KEY_DOUBLE, .low = 0, .high = 1e9, FIELD(def.name_), .text = (words) \
    }
#define REAL(name_, field, words)                                                                              \
    {                                                                                                          \
        .name = #name_, .type = PLIANT__KEY_REAL, .low = 0, .high = DBL_MAX, FIELD(def.field), .text = (words) \
    }
static const pliant__key stitches_keys[] = {
    {.name = "a", .type = PLIANT__KEY_NODE, .schema = side_schema, FIELD(a), .required = true, .text = "Vertices of a body, in order"},
    {.name = "b",
     .type = PLIANT__KEY_NODE,
     .schema = side_schema,
     FIELD(b),
     .required = true,
     .text = "What they are sewn to: likewise, or of the same body"},
    {.name = "pair",
     .type = PLIANT__KEY_WORD,
     .words = pair_words,
     FIELD(pair),
     .text = "The first of a to the first of b, the second to the second, and so on (default); or both are paths, and each vertex of the "
             "side that has more "
             "goes to where the other path is as far along; or each of a goes to the nearest point of the triangles of b"},
    TIME(from, "s, when they begin to be drawn shut; default 0"),
    TIME(time, "s, within which they are; default 1; 0: at once"),
    {.name = "until",
     .type = PLIANT__KEY_DOUBLE,
     .low = 0,
     .above = true,
     .high = 1e9,
     FIELD(def.until),
     .text = "s, when they are undone; default never"},
    REAL(length, length, "m, how long each is in the end; default 0: its points meet"),
    REAL(compliance, compliance, "m/N of each; default 0, rigid"),
    {.name = "break",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .above = true,
     .high = DBL_MAX,
     FIELD(def.break_force),
     .text = "N, with which one pulls that breaks; default: none does"},
};
const pliant__object pliant__stitches_object = {"stitches", "What is sewn together", PLIANT__KEYS(stitches_keys), NULL, 0};

typedef struct of_body_spec {
    const pliant__node *body;
} of_body_spec;

static bool read_side(pliant__reader *r, const pliant__node *node, pliant_body *body, pliant__chosen *chosen)
{
    uint32_t     number;
    of_body_spec of = {NULL};
    if (!pliant__read_object(r, node, &pliant__of_body_object, &of) || !pliant__read_body_name(r, of.body, &number)) return false;
    *body = r->bodies[number];
    return pliant__choose(r, node, *body, chosen);
}

bool pliant__read_stitches(pliant__reader *r, const pliant__node *node)
{
    stitches_spec  s = {.def = pliant_stitches_def_default()};
    pliant__chosen a, b;
    pliant_error   inner = {0};
    if (!pliant__read_object(r, node, &pliant__stitches_object, &s) || !read_side(r, s.a, &s.def.a, &a) || !read_side(r, s.b, &s.def.b, &b))
        return false;
    s.def.way = (pliant_stitch_way)s.pair;
    s.def.a_vertices = a.ids;
    s.def.a_count = a.count;
    s.def.b_vertices = b.ids;
    s.def.b_count = b.count;
    return pliant_scene_add_stitches(r->scene, &s.def, &inner).id || pliant__blame(r, node, &inner);
}
