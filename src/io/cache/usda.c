/* Universal Scene Description as text (Pixar, "Universal Scene Description", openusd.org; schemas UsdGeomMesh, UsdGeomBasisCurves and
 * UsdGeomPoints).
 *
 * A body is a Mesh, a linear BasisCurves if it is a rope, or Points. Its extent, points, normals (of a Mesh) and velocities (per second) are
 * sampled at every frame's number, and the corners of faces of a body that tears; frame 0's points, normals and corners are the default too, for programs without time samples. Numbers are those of float32,
 * as USD's points are, with the fewest digits that read back. Every sample is one line, which is how a reader finds them. */
#include "io/files/number.h"
#include "io/cache/parts.h"
#include "io/files/sheet.h"
#include "io/cache/look.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_POINT = 64 };

typedef struct usda {
    const pliant__place *place;
    const pliant__work  *work;               /* putting: where samples come from */
    float               *values;             /* putting: room for a frame */
    uint32_t            *corners;            /* putting: room for the corners of faces that are a frame's own */
    pliant_cache        *cache;              /* taking: where samples are noted */
    uint64_t             first, last, every; /* numbers: time codes */
    double               rate;               /* of them per second */
} usda;

static const struct {
    const char *type, *name, *tail; /* tail: behind the default value */
} channels[PLIANT__CHANNELS] = {
    {"point3f", "points", "]\n"},
    {"normal3f", "normals", "] (\n            interpolation = \"vertex\"\n        )\n"},
    {"vector3f", "velocities", NULL}, /* no default: programs without time samples have no use for it */
};

/* ---- names ---- */

static bool is_taken(const pliant__place *place, const char *name)
{
    bool taken = false;
    for (uint32_t i = 0; i < place->body_count; i++) taken = taken || strcmp(name, place->names[i]) == 0;
    return taken;
}

/* Of letters, digits and underscores, and no other body's: what a prim may be called. From malloc. */
static char *prim_name(const pliant__place *place, uint32_t body)
{
    const char *name = place->names[body];
    size_t      length = strlen(name), n = 0;
    char       *out = malloc(length + 24 + place->body_count);
    if (!out) return NULL;
    bool digit = name[0] >= '0' && name[0] <= '9', odd = digit;
    if (digit) out[n++] = '_';
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        odd = odd || !fine;
        out[n++] = fine ? c : '_';
    }
    out[n] = 0;
    if (!odd) return out;
    snprintf(out + n, 24, "_%u", body); /* two different names might be alike now */
    while (is_taken(place, out)) strcat(out, "_");
    return out;
}

/* ---- samples ---- */

static void put_point(pliant__sheet *s, float *p)
{
    pliant__sheet_text(s, "(");
    pliant__sheet_float(s, &p[0]);
    pliant__sheet_text(s, ", ");
    pliant__sheet_float(s, &p[1]);
    pliant__sheet_text(s, ", ");
    pliant__sheet_float(s, &p[2]);
    pliant__sheet_text(s, ")");
}

/* The text between [ and the line's end. Taking, only its beginning is noted. */
static void put_values(pliant__sheet *s, const usda *u, uint32_t frame, uint32_t body, pliant__channel channel, const char *tail)
{
    size_t at = pliant__parts_at(u->place, body, channel), count = pliant__parts_count(u->place, body, channel);
    if (s->ok && u->cache && !array_push(NULL, &u->cache->begins, s->at)) s->ok = pliant__fail_memory(s->error, 8, "the samples' places");
    pliant__sheet_skip_line(s);
    if (!s->ok || !u->work) return;
    s->ok = pliant__work_floats(u->work, frame, at, count, u->values, s->error);
    for (size_t i = 0; s->ok && i < count; i += 3) {
        if (i) pliant__sheet_text(s, ", ");
        put_point(s, u->values + i);
    }
    pliant__sheet_text(s, tail);
}

static void put_frame_number(pliant__sheet *s, uint64_t frame)
{
    pliant__sheet_text(s, "            ");
    pliant__sheet_fixed(s, frame);
    pliant__sheet_text(s, ": [");
}

static void put_channel(pliant__sheet *s, const usda *u, uint32_t body, pliant__channel channel)
{
    char head[80];
    if (!pliant__parts_count(u->place, body, channel)) return;
    snprintf(head, sizeof head, "        %s[] %s", channels[channel].type, channels[channel].name);
    pliant__sheet_text(s, head);
    pliant__sheet_text(s, ".timeSamples = {\n");
    for (uint64_t f = u->first; f <= u->last && s->ok; f += u->every) {
        put_frame_number(s, f);
        put_values(s, u, (uint32_t)((f - u->first) / u->every), body, channel, "],\n");
    }
    pliant__sheet_text(s, "        }\n");
    if (!channels[channel].tail) return;
    const char *tail = channels[channel].tail;
    pliant__sheet_text(s, head);
    pliant__sheet_text(s, " = [");
    put_values(s, u, 0, body, channel, tail);
    if (u->cache) pliant__sheet_text(s, strchr(tail, '\n') + 1);
}

/* Around the points, by their radius if they have one. */
static void put_extents(pliant__sheet *s, const usda *u, uint32_t body, float radius)
{
    pliant__sheet_text(s, "        float3[] extent.timeSamples = {\n");
    for (uint64_t f = u->first; f <= u->last && s->ok; f += u->every) {
        pliant__box box = {{0, 0, 0}, {0, 0, 0}};
        if (u->work) s->ok = pliant__work_box(u->work, (uint32_t)((f - u->first) / u->every), body, &box, s->error);
        for (int k = 0; k < 3; k++) {
            box.low[k] -= radius;
            box.high[k] += radius;
        }
        put_frame_number(s, f);
        put_point(s, box.low);
        pliant__sheet_text(s, ", ");
        put_point(s, box.high);
        pliant__sheet_text(s, "],\n");
        if (s->ok && u->cache && !array_push(NULL, &u->cache->taken->boxes, box))
            s->ok = pliant__fail_memory(s->error, sizeof box, "boxes");
    }
    pliant__sheet_text(s, "        }\n");
}

/* ---- the text ---- */

/* Ropes and particles are as thick as they are in contacts. */
static float radius_of(const pliant_body_info *b) { return b->face_count ? 0 : (float)b->thickness; }

static void put_list(pliant__sheet *s, const char *head, const uint32_t *values, uint32_t count)
{
    pliant__sheet_text(s, head);
    for (uint32_t i = 0; i < count && s->ok; i++) {
        if (i) pliant__sheet_text(s, ", ");
        pliant__sheet_fixed(s, values[i]);
    }
    pliant__sheet_text(s, "]\n");
}

/* Corners of faces in a frame, between [ and the line's end. Taking, only its beginning is noted. */
static void put_corners(pliant__sheet *s, const usda *u, uint32_t frame, uint32_t body, const char *tail)
{
    const size_t at = pliant__parts_corners_at(u->place, body), count = pliant__parts_corners_at(u->place, body + 1) - at;
    if (s->ok && u->cache && !array_push(NULL, &u->cache->begins, s->at)) s->ok = pliant__fail_memory(s->error, 8, "the samples' places");
    pliant__sheet_skip_line(s);
    if (!s->ok || !u->work) return;
    s->ok = pliant__work_corners(u->work, frame, at, count, u->corners, s->error);
    for (size_t i = 0; s->ok && i < count; i++) {
        if (i) pliant__sheet_text(s, ", ");
        pliant__sheet_fixed(s, u->corners[i]);
    }
    pliant__sheet_text(s, tail);
}

static void put_faces(pliant__sheet *s, const usda *u, const pliant_body_info *b, uint32_t body)
{
    const uint32_t *sizes, *indices;
    pliant__place_faces(u->place, b, &sizes, &indices);
    pliant__sheet_text(s, "        uniform bool doubleSided = 1\n");
    put_list(s, "        int[] faceVertexCounts = [", sizes, b->face_count);
    if (pliant__reshapes(u->place, b)) {
        pliant__sheet_text(s, "        int[] faceVertexIndices.timeSamples = {\n");
        for (uint64_t f = u->first; f <= u->last && s->ok; f += u->every) {
            put_frame_number(s, f);
            put_corners(s, u, (uint32_t)((f - u->first) / u->every), body, "],\n");
        }
        pliant__sheet_text(s, "        }\n        int[] faceVertexIndices = [");
        put_corners(s, u, 0, body, "]\n");
    } else {
        put_list(s, "        int[] faceVertexIndices = [", indices, b->face_index_count);
    }
    pliant__sheet_text(s, "        uniform token orientation = \"rightHanded\"\n        uniform token subdivisionScheme = \"none\"\n");
}

static void put_widths(pliant__sheet *s, const pliant_body_info *b)
{
    float width = 2 * radius_of(b);
    if (!(width > 0)) return;
    pliant__sheet_text(s, "        float[] widths = [");
    pliant__sheet_fixed_float(s, width);
    pliant__sheet_text(s, "] (\n            interpolation = \"constant\"\n        )\n");
}

static void put_color(pliant__sheet *s, const pliant_body_info *b)
{
    if (b->look.color == PLIANT_COLOR_CHOSEN) return;
    pliant__sheet_text(s, "        color3f[] primvars:displayColor = [(");
    pliant__put_color(s, b->look.color, ", ");
    pliant__sheet_text(s, ")] (\n            interpolation = \"constant\"\n        )\n");
}

/* ---- textures ---- */

/* Pictures lie beside the file, and have names by their bytes: the picture of another run is the same one, and a file that gets another name finds
 * its own. */
static void name_picture(char out[40], const pliant_look *look)
{
    snprintf(out, 40, "texture-%016llx.png", (unsigned long long)pliant__hash(look->texture, look->texture_bytes, 0));
}

static void put_uvs(pliant__sheet *s, const usda *u, const pliant_body_info *b)
{
    const float *uvs = pliant_model_uvs(u->place->model, b->body);
    pliant__sheet_text(s, "        texCoord2f[] primvars:st = [");
    for (uint32_t i = 0; i < b->face_index_count && s->ok; i++) {
        pliant__sheet_text(s, i ? ", (" : "(");
        pliant__sheet_fixed_float(s, uvs[2 * (size_t)i]);
        pliant__sheet_text(s, ", ");
        pliant__sheet_fixed_float(s, uvs[2 * (size_t)i + 1]);
        pliant__sheet_text(s, ")");
    }
    pliant__sheet_text(s, "] (\n            interpolation = \"faceVarying\"\n        )\n");
}

/* `what` with the path of the body's material in the place of each %. */
static void put_paths(pliant__sheet *s, const char *what, const char *name)
{
    for (; *what && s->ok; what++) {
        const char one[2] = {*what, 0};
        pliant__sheet_text(s, *what == '%' ? "/pliant/" : one);
        if (*what == '%') pliant__sheet_text(s, name);
        if (*what == '%') pliant__sheet_text(s, "/look");
    }
}

static void put_material(pliant__sheet *s, const pliant_body_info *b, const char *name)
{
    char picture[40];
    name_picture(picture, &b->look);
    put_paths(s,
              "\n        def Material \"look\"\n        {\n            token outputs:surface.connect = <%/surface.outputs:surface>\n"
              "\n            def Shader \"surface\"\n            {\n                uniform token info:id = \"UsdPreviewSurface\"\n"
              "                color3f inputs:diffuseColor.connect = <%/picture.outputs:rgb>\n                float inputs:roughness = ",
              name);
    pliant__sheet_fixed_float(s, b->look.roughness < 0 ? 0.8f : (float)b->look.roughness);
    pliant__sheet_text(s, "\n                token outputs:surface\n            }\n"
                          "\n            def Shader \"picture\"\n            {\n                uniform token info:id = \"UsdUVTexture\"\n"
                          "                asset inputs:file = @./");
    pliant__sheet_text(s, picture);
    pliant__sheet_text(s, "@\n                float4 inputs:scale = (");
    pliant__put_color(s, b->look.color == PLIANT_COLOR_CHOSEN ? 0xffffff : b->look.color, ", ");
    put_paths(s,
              ", 1)\n                token inputs:sourceColorSpace = \"sRGB\"\n"
              "                float2 inputs:st.connect = <%/st.outputs:result>\n                token inputs:wrapS = \"repeat\"\n"
              "                token inputs:wrapT = \"repeat\"\n                float3 outputs:rgb\n            }\n"
              "\n            def Shader \"st\"\n            {\n                uniform token info:id = \"UsdPrimvarReader_float2\"\n"
              "                string inputs:varname = \"st\"\n                float2 outputs:result\n            }\n        }\n",
              name);
}

static bool put_bytes(pliant__file *file, void *context, pliant_error *error)
{
    const pliant_look *look = context;
    return pliant__file_append(file, look->texture, look->texture_bytes, error);
}

/* Each once. */
static bool put_pictures(pliant_writer *w, pliant_error *error)
{
    const char *slash = strrchr(w->place.path, '/');
    const int   folder = slash ? (int)(slash + 1 - w->place.path) : 0;
    bool        ok = true;
    for (uint32_t i = 0; ok && i < w->place.body_count; i++) {
        pliant_look look = pliant__place_body(&w->place, i).look;
        bool        again = !look.texture;
        for (uint32_t k = 0; k < i && !again; k++) again = pliant__place_body(&w->place, k).look.texture == look.texture;
        if (again) continue;
        char         name[40];
        const size_t room = (size_t)folder + sizeof name;
        char        *path = malloc(room);
        name_picture(name, &look);
        if (path) snprintf(path, room, "%.*s%s", folder, w->place.path, name);
        ok = path ? pliant__parts_put(w, path, put_bytes, &look, error) : pliant__fail_memory(error, room, "a path");
        free(path);
    }
    return ok;
}

static bool is_curve(const pliant_body_info *b) { return !b->face_count && b->type == PLIANT_BODY_ROPE; }

static void put_body(pliant__sheet *s, const usda *u, uint32_t body)
{
    const pliant_body_info b = pliant__place_body(u->place, body);
    char                  *name = prim_name(u->place, body);
    if (!name) s->ok = s->ok && pliant__fail_memory(s->error, 64, "a name");
    if (!s->ok) return free(name);
    pliant__sheet_text(s, b.face_count ? "\n    def Mesh \"" : is_curve(&b) ? "\n    def BasisCurves \"" : "\n    def Points \"");
    pliant__sheet_text(s, name);
    pliant__sheet_text(s, b.look.texture ? "\" (\n        prepend apiSchemas = [\"MaterialBindingAPI\"]\n        customData = {"
                                         : "\" (\n        customData = {");
    pliant__sheet_text(s, "\n            string body = ");
    pliant__sheet_string(s, b.name, "\\x");
    pliant__sheet_text(s, "\n        }\n    )\n    {\n");
    if (b.face_count) put_faces(s, u, &b, body);
    if (is_curve(&b)) {
        put_list(s, "        int[] curveVertexCounts = [", &b.surface_vertex_count, 1);
        pliant__sheet_text(s, "        uniform token type = \"linear\"\n        uniform token wrap = \"nonperiodic\"\n");
    }
    put_color(s, &b);
    if (b.look.texture) put_uvs(s, u, &b);
    if (b.look.texture) put_paths(s, "        rel material:binding = <%>\n", name);
    put_widths(s, &b);
    put_extents(s, u, body, radius_of(&b));
    for (int k = 0; k < PLIANT__CHANNELS; k++) put_channel(s, u, body, (pliant__channel)k);
    if (b.look.texture) put_material(s, &b, name);
    pliant__sheet_text(s, "    }\n");
    free(name);
}

static const char first_lines[] = "#usda 1.0\n(\n    customLayerData = {\n        string creator = \"Pliant\"\n        int every = ";

static void put_text(pliant__sheet *s, usda *u)
{
    pliant__sheet_text(s, first_lines);
    pliant__sheet_count(s, &u->every);
    pliant__sheet_text(s, "\n    }\n    defaultPrim = \"pliant\"\n    endTimeCode = ");
    pliant__sheet_count(s, &u->last);
    pliant__sheet_text(s, "\n    framesPerSecond = ");
    pliant__sheet_double(s, &u->rate);
    pliant__sheet_text(s, "\n    metersPerUnit = 1\n    startTimeCode = ");
    pliant__sheet_count(s, &u->first);
    pliant__sheet_text(s, "\n    timeCodesPerSecond = ");
    double rate = u->rate;
    pliant__sheet_double(s, &rate);
    if (s->ok && (u->every == 0 || u->every > UINT32_MAX || u->last > UINT32_MAX || u->first > UINT32_MAX || u->last < u->first ||
                  u->last - u->first >= UINT32_MAX || (u->last - u->first) % u->every))
        pliant__sheet_fail(s, "there are no such frames");
    if (s->ok && (!(u->rate > 0) || rate != u->rate)) pliant__sheet_fail(s, "there are no such frames per second");
    pliant__sheet_text(s, "\n    upAxis = \"Y\"\n)\n\ndef Xform \"pliant\"\n{");
    for (uint32_t i = 0; i < u->place->body_count && s->ok; i++) put_body(s, u, i);
    pliant__sheet_text(s, "}\n");
}

/* ---- writing ---- */

static bool put_page(pliant__file *file, void *context, pliant_error *error)
{
    pliant__sheet s;
    pliant__sheet_put(&s, file, error);
    put_text(&s, context);
    return pliant__sheet_end(&s);
}

static bool join(pliant_writer *w, const pliant__work *work, pliant_error *error)
{
    const pliant_write_def def = pliant__work_def(work);
    usda                   u = {&w->place,
                                work,
                                w->floats,
                                w->corners,
                                NULL,
                                work->first,
                                pliant__def_number(&def, work->frames - 1ull),
                                work->every,
                                pliant__def_rate(&def)};
    return put_pictures(w, error) && pliant__parts_put(w, w->place.path, put_page, &u, error);
}

/* ---- before ---- */

/* The text of so many frames without their samples. */
static bool count_text(const pliant__place *place, const pliant_write_def *def, uint64_t first, uint64_t frames, uint64_t *bytes,
                       pliant_error *error)
{
    usda u = {
        .place = place, .first = first, .last = first + (frames - 1) * def->every, .every = def->every, .rate = pliant__def_rate(def)};
    pliant__sheet s;
    pliant__sheet_put(&s, NULL, error);
    put_text(&s, &u);
    *bytes = s.at;
    return s.ok;
}

static uint64_t pictures_bytes(const pliant__place *place)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < place->body_count; i++) {
        const pliant_look look = pliant__place_body(place, i).look;
        bool              again = !look.texture;
        for (uint32_t k = 0; k < i && !again; k++) again = pliant__place_body(place, k).look.texture == look.texture;
        sum += again ? 0 : look.texture_bytes;
    }
    return sum;
}

/* Text of corners of faces that are a frame's own, as at the start. */
static uint64_t corners_bytes(const pliant__place *place)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < place->body_count; i++) {
        const pliant_body_info b = pliant__place_body(place, i);
        const uint32_t        *corners;
        if (!b.face_count || !pliant__reshapes(place, &b)) continue;
        pliant__place_faces(place, &b, NULL, &corners);
        for (uint32_t k = 0; k < b.face_index_count; k++) sum += pliant__digits(corners[k]) + 2;
    }
    return sum;
}

/* A frame adds as much text as the frame in the middle; and an extent has six numbers, which are counted as short. */
bool pliant__usda_bytes(const pliant__place *place, const pliant_write_def *def, uint64_t *bytes, pliant_error *error)
{
    const uint64_t middle = def->first_frame + (uint64_t)def->frames / 2 * def->every;
    uint64_t       one = 0, two = 0, floats = 0, defaults = 0;
    *bytes = 0;
    if (!def->frames) return true;
    if (!count_text(place, def, middle, 1, &one, error) || !count_text(place, def, middle, 2, &two, error)) return false;
    for (uint32_t i = 0; i < place->body_count; i++)
        for (int k = 0; k < PLIANT__CHANNELS; k++) {
            const uint64_t count = pliant__parts_count(place, i, (pliant__channel)k);
            floats += count;
            if (channels[k].tail) defaults += count;
        }
    const double number = PLIANT__FLOAT_LENGTH + 2 + 2.0 / 3; /* ", " behind each, brackets around three */
    *bytes = pictures_bytes(place) + corners_bytes(place) * (def->frames + 1ull) + one + (def->frames - 1ull) * (two - one) +
             (uint64_t)(number * ((double)floats * def->frames + (double)defaults) +
                        6 * (PLIANT__FLOAT_LENGTH - 1) * (double)place->body_count * def->frames);
    return true;
}

bool pliant__usda_own(const pliant__place *place, uint32_t body, const char *head, size_t size, const pliant__source *file)
{
    (void)place, (void)body, (void)file;
    return pliant__begins(head, size, first_lines);
}

/* ---- reading ---- */

static bool open(pliant_cache *c, pliant_error *error)
{
    pliant__sheet s;
    usda          u = {.place = &c->place, .cache = c};
    if (!pliant__cache_open_files(c, 1, pliant__place_path, error)) return false;
    pliant__sheet_take(&s, &c->files[0], 0, error);
    put_text(&s, &u);
    if (s.ok && s.at != c->files[0].size) pliant__sheet_fail(&s, "there is more behind the end");
    if (!s.ok) return false;
    c->first = (uint32_t)u.first;
    c->frames = (uint32_t)((u.last - u.first) / u.every + 1);
    c->every = (uint32_t)u.every;
    c->rate = u.rate;
    return true;
}

/* Frames of the file; c->frames may be fewer. */
static size_t frames_of(const pliant_cache *c) { return c->taken->boxes.count / c->place.body_count; }

/* Samples of a body's faces: each frame's, and the default. */
static size_t face_samples(const pliant_cache *c, uint32_t body)
{
    return pliant__parts_corners_at(&c->place, body + 1) > pliant__parts_corners_at(&c->place, body) ? frames_of(c) + 1 : 0;
}

/* Where the samples of a channel begin among all; those of the body's faces are before its first. */
static size_t begins_of(const pliant_cache *c, uint32_t body, pliant__channel channel)
{
    size_t at = 0;
    for (uint32_t i = 0; i <= body; i++) at += face_samples(c, i);
    for (uint32_t i = 0; i <= body; i++)
        for (int k = 0; k < (i == body ? (int)channel : PLIANT__CHANNELS); k++)
            if (pliant__parts_count(&c->place, i, (pliant__channel)k)) at += frames_of(c) + (channels[k].tail != NULL);
    return at;
}

/* One sample, which has to be written as Pliant writes it. */
static bool take_sample(pliant_cache *c, size_t number, size_t count, float *to, const char *tail, pliant_error *error)
{
    pliant__sheet s;
    pliant__sheet_take(&s, &c->files[0], c->begins.data[number], error);
    for (size_t i = 0; s.ok && i < count; i += 3) {
        if (i) pliant__sheet_text(&s, ", ");
        put_point(&s, to + i);
    }
    pliant__sheet_text(&s, tail);
    return s.ok;
}

/* The default is frame 0's. */
static bool check_default(pliant_cache *c, size_t number, size_t count, const float *values, const char *tail, pliant_error *error)
{
    float *other = pliant__alloc_array(NULL, count + 1, sizeof *other);
    if (!other) return pliant__fail_memory(error, count * sizeof *other, "a frame");
    bool ok = take_sample(c, number, count, other, tail, error);
    if (ok && memcmp(other, values, count * sizeof *other) != 0)
        ok = pliant__fail_at(error, PLIANT_ERROR_INPUT, c->place.path, 0, "byte %llu: damaged: not what the first frame has",
                             (unsigned long long)c->begins.data[number]);
    pliant__free(NULL, other);
    return ok;
}

static bool check_extent(const pliant_cache *c, uint32_t body, uint32_t index, pliant_error *error)
{
    const pliant_body_info b = pliant__place_body(&c->place, body);
    pliant__box box = pliant__box_of(c->taken->floats + pliant__parts_at(&c->place, body, PLIANT__POINTS), b.surface_vertex_count);
    for (int k = 0; k < 3; k++) {
        box.low[k] -= radius_of(&b);
        box.high[k] += radius_of(&b);
    }
    return pliant__same_box(&box, &c->taken->boxes.data[body * frames_of(c) + index]) ||
           pliant__fail_at(error, PLIANT_ERROR_INPUT, c->place.path, 0,
                           "byte %llu: damaged: the points of frame %llu are not within their extent",
                           (unsigned long long)c->begins.data[begins_of(c, body, PLIANT__POINTS) + index],
                           (unsigned long long)pliant__cache_number(c, index));
}

/* A sample of a body's faces; where `same`, they have to be those that were taken before. */
static bool take_corners(pliant_cache *c, uint32_t body, size_t number, bool same, const char *tail, pliant_error *error)
{
    pliant__sheet s;
    pliant__sheet_take(&s, &c->files[0], c->begins.data[number], error);
    for (size_t i = 0; s.ok && i < c->corner_at[body + 1] - c->corner_at[body]; i++) {
        const uint32_t before = c->corners[c->corner_at[body] + i];
        uint64_t       vertex = 0;
        if (i) pliant__sheet_text(&s, ", ");
        pliant__sheet_count(&s, &vertex);
        if (s.ok && !pliant__cache_set_corner(c, body, i, vertex)) pliant__sheet_fail(&s, "a face has a corner that is no vertex");
        if (s.ok && same && vertex != before) pliant__sheet_fail(&s, "damaged: not what the first frame has");
    }
    pliant__sheet_text(&s, tail);
    return s.ok;
}

static bool load(pliant_cache *c, uint32_t index, pliant_error *error)
{
    for (uint32_t i = 0; i < c->place.body_count; i++) {
        const size_t faces = face_samples(c, i), first = begins_of(c, i, PLIANT__POINTS) - faces;
        if (faces && !take_corners(c, i, first + index, false, "],\n", error)) return false;
        if (faces && !index && !take_corners(c, i, first + faces - 1, true, "]\n", error)) return false;
        for (int k = 0; k < PLIANT__CHANNELS; k++) {
            const size_t count = pliant__parts_count(&c->place, i, (pliant__channel)k), begin = begins_of(c, i, (pliant__channel)k);
            float       *to = c->taken->floats + pliant__parts_at(&c->place, i, (pliant__channel)k);
            if (count && !take_sample(c, begin + index, count, to, "],\n", error)) return false;
            if (count && !index && channels[k].tail && !check_default(c, begin + frames_of(c), count, to, channels[k].tail, error))
                return false;
        }
        if (!check_extent(c, i, index, error)) return false;
    }
    return true;
}

const pliant__parts pliant__usda_parts = {.normals = true, .velocities = true, .faces = true, .join = join, .open = open, .load = load};
