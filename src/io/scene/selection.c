/* Ways to choose vertices, each a row of WAYS and a function that picks. Every key of a scene file that names vertices of a body takes each of these
 * ways. A selection of nothing is refused, with the distance by which the nearest vertex missed it. */
#include "io/scene/keys.h"
#include "io/files/number.h"
#include "io/files/words.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char vertices_schema[] = "{\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 0}, \"minItems\": 1}";
static const char box_schema[] = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/vec3\"}, \"minItems\": 2, \"maxItems\": 2}";
static const char ball_schema[] = "{\"$ref\": \"#/$defs/ball\"}";
static const char vec3_schema[] = "{\"$ref\": \"#/$defs/vec3\"}";
static const char text_schema[] = "{\"type\": \"string\", \"minLength\": 1}";
static const char color_schema[] =
    "{\"oneOf\": [{\"type\": \"string\", \"pattern\": \"^#[0-9a-fA-F]{6}$\"}, {\"$ref\": \"#/$defs/color\"}]}";
static const char bool_schema[] = "{\"type\": \"boolean\"}";

typedef struct picker {
    pliant__reader      *r;
    const pliant__node  *node; /* value of the way's key */
    pliant_body          body;
    uint32_t             count; /* vertices of the body */
    const pliant__marks *marks;
    pliant__chosen      *out; /* has room for all */
} picker;

static pliant_vec3 start_of(const picker *p, uint32_t v) { return pliant__vertex_position(p->r->scene, p->body, v); }
static void        take(picker *p, uint32_t v) { p->out->ids[p->out->count++] = v; }

/* ---- by number ---- */

static bool pick_vertices(picker *p)
{
    if (!pliant__read_list(p->r, p->node, 1, "vertices")) return false;
    p->out->ids = pliant__read_memory(p->r, p->node->count, sizeof *p->out->ids);
    if (!p->out->ids) return false;
    for (const pliant__node *n = p->node->first; n; n = n->next) {
        uint32_t v;
        if (!pliant__read_vertex(p->r, n, p->count, &v)) return false;
        take(p, v);
    }
    return true;
}

static bool pick_all(picker *p)
{
    bool all;
    if (!pliant__read_bool(p->r, p->node, &all)) return false;
    for (uint32_t v = 0; v < p->count; v++) take(p, v);
    return true;
}

/* ---- by place ---- */

/* Takes the vertices with `away` of at most `most`; if there are none, fails with the least of `away`. */
static bool pick_within(picker *p, double (*away)(const void *of, pliant_vec3 x), const void *of, double most, const char *what)
{
    double   least = DBL_MAX;
    uint32_t nearest = 0;
    for (uint32_t v = 0; v < p->count; v++) {
        const double d = away(of, start_of(p, v));
        if (d <= most) take(p, v);
        if (d < least) least = d, nearest = v;
    }
    return p->out->count ||
           pliant__complain(p->r, p->node, "no vertex %s; the nearest is vertex %u, %.3g m from it", what, nearest, least - most);
}

bool pliant__read_corners(pliant__reader *r, const pliant__node *corners, pliant_vec3 *low, pliant_vec3 *high)
{
    if (corners->type != PLIANT__NODE_LIST || corners->count != 2) return pliant__complain(r, corners, "must be two corners");
    if (!pliant__read_vec3(r, corners->first, low) || !pliant__read_vec3(r, corners->last, high)) return false;
    if (low->x > high->x || low->y > high->y || low->z > high->z)
        return pliant__complain(r, corners, "the first corner is the lower one, in every axis");
    return true;
}

typedef struct ball_spec {
    pliant_vec3 center;
    pliant_real radius;
} ball_spec;

static const pliant__key ball_keys[] = {
    {.name = "center", .type = PLIANT__KEY_VEC3, .offset = offsetof(ball_spec, center), .required = true, .text = "m"},
    {.name = "radius",
     .type = PLIANT__KEY_REAL,
     .low = 1e-6,
     .high = 1e6,
     .offset = offsetof(ball_spec, radius),
     .required = true,
     .text = "m"},
};
const pliant__object pliant__ball_object = {"ball", "A ball in space", PLIANT__KEYS(ball_keys), NULL, 0};

bool pliant__read_ball(pliant__reader *r, const pliant__node *node, pliant_vec3 *center, pliant_real *radius)
{
    ball_spec ball = {{0, 0, 0}, 0};
    if (!pliant__read_object(r, node, &pliant__ball_object, &ball)) return false;
    *center = ball.center;
    *radius = ball.radius;
    return true;
}

static double beyond(double x, double low, double high) { return x < low ? low - x : x > high ? x - high : 0; }

/* m from a box, given by two corners; and from a point. */
static double from_box(const void *corners, pliant_vec3 p)
{
    const pliant_vec3 *c = corners;
    const double       x = beyond((double)p.x, (double)c[0].x, (double)c[1].x), y = beyond((double)p.y, (double)c[0].y, (double)c[1].y),
                 z = beyond((double)p.z, (double)c[0].z, (double)c[1].z);
    return sqrt(x * x + y * y + z * z);
}

static double from_point(const void *point, pliant_vec3 p)
{
    const pliant_vec3 *c = point;
    return from_box((const pliant_vec3[2]){*c, *c}, p);
}

static bool pick_box(picker *p)
{
    pliant_vec3 corners[2];
    return pliant__read_corners(p->r, p->node, &corners[0], &corners[1]) && pick_within(p, from_box, corners, 0, "starts in this box");
}

static bool pick_sphere(picker *p)
{
    pliant_vec3 center;
    pliant_real radius;
    return pliant__read_ball(p->r, p->node, &center, &radius) &&
           pick_within(p, from_point, &center, (double)radius, "starts in this sphere");
}

static bool pick_nearest(picker *p)
{
    pliant_vec3 point;
    double      least = DBL_MAX;
    if (!pliant__read_vec3(p->r, p->node, &point)) return false;
    for (uint32_t v = 0; v < p->count; v++) {
        const pliant_vec3 x = start_of(p, v);
        const double dx = (double)x.x - point.x, dy = (double)x.y - point.y, dz = (double)x.z - point.z, d = dx * dx + dy * dy + dz * dz;
        if (d < least) {
            least = d;
            p->out->ids[0] = v;
            p->out->count = 1;
        }
    }
    return true;
}

static double along(pliant_vec3 p, char axis, char sign)
{
    double value = axis == 'x' ? p.x : axis == 'y' ? p.y : p.z;
    return sign == '-' ? -value : value;
}

/* Keeps the outermost vertices along one axis, give or take a thousandth of the body's extent; adds how far each is from there to `away`, squared. */
static void keep_side(picker *p, char sign, char axis, double *away)
{
    double low = DBL_MAX, high = -DBL_MAX;
    for (uint32_t v = 0; v < p->count; v++) {
        double a = along(start_of(p, v), axis, sign);
        if (a < low) low = a;
        if (a > high) high = a;
    }
    size_t kept = 0;
    for (size_t i = 0; i < p->out->count; i++)
        if (along(start_of(p, p->out->ids[i]), axis, sign) >= high - 1e-3 * (high - low)) p->out->ids[kept++] = p->out->ids[i];
    p->out->count = kept;
    for (uint32_t v = 0; v < p->count; v++) {
        const double d = high - along(start_of(p, v), axis, sign);
        away[v] += d * d;
    }
}

static bool pick_side(picker *p)
{
    const char *side;
    if (!pliant__read_text(p->r, p->node, &side)) return false;
    size_t length = strlen(side);
    bool   good = length == 2 || length == 4 || length == 6;
    for (size_t i = 0; good && i < length; i += 2) good = strchr("+-", side[i]) && strchr("xyz", side[i + 1]);
    if (!good) return pliant__complain(p->r, p->node, "a side is a sign and an axis, such as +y, or several, such as -x-z");
    double *away = pliant__read_memory(p->r, p->count + 1u, sizeof *away);
    if (!away) return false;
    for (uint32_t v = 0; v < p->count; v++) take(p, v);
    for (size_t i = 0; i < length; i += 2) keep_side(p, side[i], side[i + 1], away);
    if (p->out->count) return true;
    uint32_t nearest = 0;
    for (uint32_t v = 1; v < p->count; v++)
        if (away[v] < away[nearest]) nearest = v;
    return pliant__complain(p->r, p->node, "no vertex is outermost in all of these at once; the nearest is vertex %u, %.3g m from there",
                            nearest, sqrt(away[nearest]));
}

/* ---- by marks of the mesh ---- */

static bool pick_group(picker *p)
{
    const char *name, *words[64] = {NULL};
    char        known[240];
    if (!pliant__read_text(p->r, p->node, &name)) return false;
    for (size_t i = 0; i < p->marks->group_count; i++) {
        const pliant_mesh_group *g = &p->marks->groups[i];
        if (i < 63) words[i] = g->name;
        if (strcmp(g->name, name) != 0) continue;
        for (size_t k = 0; k < g->vertex_count; k++) take(p, g->vertices[k]);
        return g->vertex_count || pliant__complain(p->r, p->node, "the mesh's group %.63s has no vertices", name);
    }
    if (!p->marks->group_count)
        return pliant__complain(p->r, p->node, "the body has no mesh with groups (g and o of .obj, properties of .ply, objects of .gltf)");
    if (strlen(name) > 63) return pliant__complain(p->r, p->node, "names of groups have at most 63 bytes; the mesh's are cut to that");
    return pliant__complain(p->r, p->node, "the mesh has no group %.63s %s", name, pliant__known_words(name, words, known, sizeof known));
}

static const char *const channel_words[] = {"red", "green", "blue", "alpha", NULL};

typedef struct color_spec {
    const pliant__node *like;
    double              tolerance, least, most;
    uint32_t            channel;
} color_spec;

#define FIELD(f) .offset = offsetof(color_spec, f)
static const pliant__key color_keys[] = {
    {.name = "like",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"type\": \"string\", \"pattern\": \"^#[0-9a-fA-F]{6}$\"}",
     FIELD(like),
     .text = "A colour, \"#rrggbb\", as the mesh has it"},
    {.name = "tolerance",
     .type = PLIANT__KEY_DOUBLE,
     .low = 0,
     .high = 1,
     FIELD(tolerance),
     .text = "How far red, green and blue may each be from it; default 0.1"},
    {.name = "channel", .type = PLIANT__KEY_WORD, .words = channel_words, FIELD(channel), .text = "Or one number of the colour"},
    {.name = "least",
     .type = PLIANT__KEY_DOUBLE,
     .low = 0,
     .high = 1,
     FIELD(least),
     .text = "At least that much of the channel; default 0.5, or 0 where most is less"},
    {.name = "most", .type = PLIANT__KEY_DOUBLE, .low = 0, .high = 1, FIELD(most), .text = "And at most that much; default 1"},
};
#undef FIELD
const pliant__object pliant__color_object = {"color", "Colours of a mesh's vertices: near one, or with so much of a channel",
                                             PLIANT__KEYS(color_keys), NULL, 0};

static int digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char       *found = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return found ? (int)(found - digits) : -1;
}

static bool read_hex(pliant__reader *r, const pliant__node *node, double rgb[3])
{
    const char *text;
    if (!pliant__read_text(r, node, &text)) return false;
    bool good = strlen(text) == 7 && text[0] == '#';
    for (int i = 1; good && i < 7; i++) good = digit(text[i]) >= 0;
    for (int k = 0; good && k < 3; k++) rgb[k] = (16 * digit(text[1 + 2 * k]) + digit(text[2 + 2 * k])) / 255.0;
    return good || pliant__complain(r, node, "a colour is six digits of 16, such as \"#ff0000\"");
}

/* The distance of a vertex's colour from the wanted one, 0 to 1. */
static double color_away(const color_spec *s, const double rgb[3], const float *c)
{
    double most = 0;
    if (!s->like) return beyond((double)c[s->channel], s->least, s->most);
    for (int k = 0; k < 3; k++) {
        const double d = (double)c[k] - rgb[k];
        if (d > most || -d > most) most = d < 0 ? -d : d;
    }
    return most;
}

static bool read_color(picker *p, color_spec *s, double rgb[3])
{
    const pliant__node *n = p->node;
    if (n->type == PLIANT__NODE_TEXT) {
        s->like = n;
    } else {
        if (!pliant__read_object(p->r, n, &pliant__color_object, s)) return false;
        const bool one = pliant__node_get(n, "channel"), many = pliant__node_get(n, "tolerance"),
                   bounds = pliant__node_get(n, "least") || pliant__node_get(n, "most");
        if (one == (s->like != NULL) || (one && many) || (s->like && bounds))
            return pliant__complain(p->r, n, "needs \"like\" and its \"tolerance\", or a \"channel\" and its \"least\" and \"most\"");
        if (!pliant__node_get(n, "least") && s->most < s->least) s->least = 0;
        if (s->most < s->least) return pliant__complain(p->r, n, "the least is more than the most");
    }
    return !s->like || read_hex(p->r, s->like, rgb);
}

static bool pick_color(picker *p)
{
    color_spec s = {.tolerance = 0.1, .least = 0.5, .most = 1};
    double     rgb[3] = {0, 0, 0}, least = DBL_MAX;
    uint32_t   nearest = 0;
    if (!read_color(p, &s, rgb)) return false;
    const float *c = p->marks->colors;
    if (!c)
        return pliant__complain(p->r, p->node,
                                "the body has no mesh with colours of vertices (six numbers of v of .obj, red, green and blue of .ply)");
    for (uint32_t v = 0; v < p->count; v++) {
        const double away = color_away(&s, rgb, c + 4 * (size_t)v);
        if (away <= (s.like ? s.tolerance : 0) + 1e-6) take(p, v);
        if (away < least) least = away, nearest = v;
    }
    c += 4 * (size_t)nearest;
    return p->out->count ||
           pliant__complain(p->r, p->node, "no vertex has such a colour; the nearest is vertex %u, with %.2g %.2g %.2g %.2g", nearest,
                            (double)c[0], (double)c[1], (double)c[2], (double)c[3]);
}

/* ---- the table ---- */

/* Key, function, schema, text. */
#define WAYS(X)                                                                                                                        \
    X("vertices", pick_vertices, vertices_schema, "These vertices")                                                                    \
    X("box", pick_box, box_schema, "Vertices that start between two corners")                                                          \
    X("sphere", pick_sphere, ball_schema, "Vertices that start in a ball")                                                             \
    X("nearest", pick_nearest, vec3_schema, "The vertex that starts nearest to a point")                                               \
    X("side", pick_side, text_schema, "Outermost vertices along a world axis (\"+y\"), or along several at once: a corner (\"-x-z\")") \
    X("group", pick_group, text_schema, "Vertices of a group of the mesh: g or o of an .obj, a property above 0 of a .ply")            \
    X("color", pick_color, color_schema,                                                                                               \
      "Vertices that the mesh has in a colour, \"#rrggbb\", or with so much of red, green, blue or alpha")                             \
    X("all", pick_all, bool_schema, "Every vertex")

#define KEY(key, pick, json, about) {.name = key, .type = PLIANT__KEY_LATER, .schema = json, .text = about},
#define PICK(key, pick, json, about) pick,
static const pliant__key selection_keys[] = {WAYS(KEY)};
static bool (*const picks[])(picker *) = {WAYS(PICK)};
enum { WAY_COUNT = sizeof picks / sizeof *picks };
const pliant__object pliant__selection_object = {"selection", "Vertices of a body, chosen in one way", PLIANT__KEYS(selection_keys), NULL,
                                                 0};

/* The value in `node` for one way, or NULL; "all": false counts as NULL. */
static const pliant__node *way_value(const pliant__node *node, int way)
{
    const pliant__node *n = pliant__node_get(node, selection_keys[way].name);
    return n && picks[way] == pick_all && n->type == PLIANT__NODE_BOOL && !n->truth ? NULL : n;
}

bool pliant__says_choice(const pliant__node *node)
{
    for (int i = 0; i < WAY_COUNT; i++)
        if (way_value(node, i)) return true;
    return false;
}

static bool fail_ways(pliant__reader *r, const pliant__node *node, bool several)
{
    char   names[160] = "";
    size_t at = 0;
    for (int i = 0; i < WAY_COUNT && at < sizeof names; i++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s\"%s\"",
                               !i                   ? ""
                               : i == WAY_COUNT - 1 ? " and "
                                                    : ", ",
                               selection_keys[i].name);
    return pliant__complain(r, node, "needs one of %s%s", names, several ? ", not several" : "");
}

bool pliant__choose(pliant__reader *r, const pliant__node *node, pliant_body body, pliant__chosen *out)
{
    picker p = {.r = r, .body = body, .count = r->body_sizes[body.id - 1], .marks = &r->body_marks[body.id - 1], .out = out};
    int    ways = 0, way = 0;
    for (int i = 0; i < WAY_COUNT; i++)
        if (way_value(node, i)) way = i, ways++;
    *out = (pliant__chosen){NULL, 0};
    if (ways != 1) return fail_ways(r, node, ways > 1);
    p.node = way_value(node, way);
    if (picks[way] == pick_vertices) return pick_vertices(&p);
    out->ids = pliant__read_memory(r, (size_t)p.count + 1, sizeof *out->ids);
    return out->ids && picks[way](&p);
}

bool pliant__choose_all(pliant__reader *r, pliant_body body, pliant__chosen *out)
{
    out->count = r->body_sizes[body.id - 1];
    out->ids = pliant__read_memory(r, out->count + 1, sizeof *out->ids);
    for (uint32_t v = 0; out->ids && v < out->count; v++) out->ids[v] = v;
    return out->ids != NULL;
}

/* ---- numbers of vertices ---- */

typedef struct value_spec {
    const pliant__node *value;
} value_spec;

static const pliant__key value_keys[] = {
    {.name = "value",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"type\": \"number\", \"minimum\": 0}",
     .offset = offsetof(value_spec, value),
     .required = true,
     .text = "The number"},
};
const pliant__object pliant__value_object = {"vertex_value", "A number of some vertices", PLIANT__KEYS(value_keys),
                                             &pliant__selection_object, 0};

bool pliant__are_values(const pliant__node *list)
{
    return list->type == PLIANT__NODE_LIST && list->first && list->first->type == PLIANT__NODE_MAP;
}

bool pliant__read_values(pliant__reader *r, const pliant__node *list, pliant_body body, bool above, pliant_real *of_vertex)
{
    for (const pliant__node *n = list->first; n; n = n->next) {
        value_spec     s = {NULL};
        pliant__chosen c;
        pliant_real    value;
        if (!pliant__read_object(r, n, &pliant__value_object, &s) || !pliant__choose(r, n, body, &c) ||
            !pliant__read_real(r, s.value, 0, DBL_MAX, above, &value))
            return false;
        for (size_t i = 0; i < c.count; i++) of_vertex[c.ids[i]] = value;
    }
    return true;
}

/* ---- one vertex ---- */

bool pliant__read_vertex(pliant__reader *r, const pliant__node *node, uint32_t count, uint32_t *vertex)
{
    if (!pliant__read_count(r, node, 0, UINT32_MAX, vertex)) return false;
    return *vertex < count || pliant__complain(r, node, "%s is not a vertex: the body has %u", node->text, count);
}

bool pliant__read_one(pliant__reader *r, const pliant__node *node, pliant_body body, uint32_t *vertex)
{
    pliant__chosen c;
    if (node->type != PLIANT__NODE_MAP) return pliant__read_vertex(r, node, r->body_sizes[body.id - 1], vertex);
    if (!pliant__read_object(r, node, &pliant__selection_object, NULL) || !pliant__choose(r, node, body, &c)) return false;
    *vertex = c.ids[0];
    return c.count == 1 || pliant__complain(r, node, "chooses %zu vertices, where one is needed", c.count);
}

/* ---- marks of meshes, kept until the scene is read ---- */

bool pliant__keep_marks(pliant__reader *r, const pliant_mesh *mesh, pliant__marks *out)
{
    if (mesh->colors) {
        out->colors = pliant__read_memory(r, mesh->vertex_count, 4 * sizeof *out->colors);
        if (!out->colors) return false;
        memcpy(out->colors, mesh->colors, mesh->vertex_count * 4 * sizeof *out->colors);
    }
    if (!mesh->group_count) return true;
    out->group_count = mesh->group_count;
    out->groups = pliant__read_memory(r, mesh->group_count, sizeof *out->groups);
    if (!out->groups) return false;
    for (size_t i = 0; i < mesh->group_count; i++) {
        pliant_mesh_group *g = &out->groups[i];
        *g = mesh->groups[i];
        g->vertices = pliant__read_memory(r, g->vertex_count + 1, sizeof *g->vertices);
        if (!g->vertices) return false;
        memcpy(g->vertices, mesh->groups[i].vertices, g->vertex_count * sizeof *g->vertices);
    }
    return true;
}
