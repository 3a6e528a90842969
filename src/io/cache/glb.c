/* glTF 2.0 in one file (Khronos, "glTF 2.0 Specification", 2021; ISO/IEC 12113:2022):
 *
 *   "glTF", version 2, length of all     length, "JSON", the text, spaces     length, "BIN\0":
 *       triangles' indices of all bodies     uint32
 *       times of the frames                  float32, seconds from 0
 *       which weights are 1                  uint32, and as many float32 that are 1
 *       places on textures of all bodies     two float32 per vertex, v down
 *       textures                             PNG files, each filled up to a multiple of 4
 *       frame 0: per body its points, and normals if it has faces; then the same of every frame, as differences from frame 0
 *
 * A vertex along the seam of a texture is there once more for each further place on it, behind all vertices, with points and normals of its own, which are
 * those of the vertex.
 *
 * A body is a node with a mesh of one primitive: triangles, a rope's line strip, or points. Frame 0 is its shape, every frame behind it a
 * morph target. At the time of frame i the weight of target i is 1 and all others are 0, and in between they go over linearly, so points do
 * too. As numbers those weights would be quadratic in the frames, so the accessor is sparse: only the ones are there.
 *
 * Materials are seen from both sides. Normals are unit vectors; a vertex that has none gets +y. */
#include "io/files/bytes.h"
#include "io/cache/parts.h"
#include "io/files/sheet.h"
#include "io/cache/look.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 12, CHUNK = 8, MOST_FRAMES = 65536 };
#define NO_MATERIAL UINT32_MAX
enum { POINTS = 0, LINE_STRIP = 3, TRIANGLES = 4, UNSIGNED_INT = 5125, FLOAT = 5126, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };

/* A file that is being put together or taken apart. */
typedef struct glb {
    const pliant__place *place;
    const pliant__work  *work;  /* putting: source of the boxes */
    pliant_cache        *cache; /* taking: gets the boxes */
    uint64_t             first, every, frames;
    double               fps;
} glb;

/* ---- sizes and numbers ---- */

static bool has_normals(const pliant__place *place, uint32_t body) { return pliant__parts_count(place, body, PLIANT__NORMALS) > 0; }

/* Numbers of a frame: of the work file, and of this one, with seams. */
static size_t floats_of(const pliant__place *place) { return pliant__parts_at(place, place->body_count, PLIANT__POINTS); }

static bool has_texture(const pliant__place *place, uint32_t body) { return place->seams[body].corners != NULL; }

static uint64_t vertices_of(const pliant__place *place, uint32_t body)
{
    return pliant__parts_count(place, body, PLIANT__POINTS) / 3 + (uint64_t)place->seams[body].count;
}

static size_t frame_of(const pliant__place *place)
{
    size_t count = floats_of(place);
    for (uint32_t i = 0; i < place->body_count; i++) count += (has_normals(place, i) ? 6 : 3) * (size_t)place->seams[i].count;
    return count;
}

/* Corners of a body's triangles: a face of n corners is a fan of n - 2. */
static uint64_t corners_of(const pliant__place *place, uint32_t body)
{
    pliant_body_info b = pliant__place_body(place, body);
    return b.face_count ? 3 * ((uint64_t)b.face_index_count - 2 * (uint64_t)b.face_count) : 0;
}

static uint64_t all_corners(const pliant__place *place)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < place->body_count; i++) count += corners_of(place, i);
    return count;
}

static bool moves(const glb *g) { return g->frames > 1; }

/* Bytes of a picture. */
static size_t picture_size(const pliant__place *place, uint32_t picture)
{
    return pliant__place_body(place, place->pictures.first[picture]).look.texture_bytes;
}

static uint64_t filled(uint64_t size) { return (size + 3) / 4 * 4; }

/* Where in the binary chunk they begin. */
static uint64_t times_at(const glb *g) { return 4 * all_corners(g->place); }
static uint64_t places_at(const glb *g) { return times_at(g) + (moves(g) ? 4 * g->frames : 0); }
static uint64_t ones_at(const glb *g) { return places_at(g) + 4 * (g->frames - 1); }
static uint64_t uvs_at(const glb *g) { return ones_at(g) + 4 * (g->frames - 1); }
static uint64_t pictures_at(const glb *g)
{
    uint64_t at = uvs_at(g);
    for (uint32_t i = 0; i < g->place->body_count; i++) at += has_texture(g->place, i) ? 8 * vertices_of(g->place, i) : 0;
    return at;
}
static uint64_t vertices_at(const glb *g)
{
    uint64_t at = pictures_at(g);
    for (uint32_t i = 0; i < g->place->pictures.count; i++) at += filled(picture_size(g->place, i));
    return at;
}
static uint64_t binary_size(const glb *g) { return vertices_at(g) + 4 * g->frames * frame_of(g->place); }

/* Buffer views: indices, times, places, ones, places on textures, each picture, vertices; those that there are. */
static uint32_t view_of_times(const glb *g) { return all_corners(g->place) ? 1 : 0; }
static uint32_t view_of_uvs(const glb *g) { return view_of_times(g) + (moves(g) ? 3 : 0); }
static uint32_t view_of_pictures(const glb *g) { return view_of_uvs(g) + (g->place->pictures.count ? 1 : 0); }
static uint32_t view_of_vertices(const glb *g) { return view_of_pictures(g) + g->place->pictures.count; }

/* Accessors: indices per body that has faces, times and weights, then frame by frame what bodies have, then places on textures. */
static uint32_t accessor_of_indices(const pliant__place *place, uint32_t body)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < body; i++) count += corners_of(place, i) > 0;
    return count;
}

static uint32_t accessor_of_times(const glb *g) { return accessor_of_indices(g->place, g->place->body_count); }

static uint32_t channels_before(const pliant__place *place, uint32_t body)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < body; i++) count += has_normals(place, i) ? 2 : 1;
    return count;
}

static uint64_t accessor_of_points(const glb *g, uint64_t frame, uint32_t body)
{
    return accessor_of_times(g) + (moves(g) ? 2 : 0) + frame * channels_before(g->place, g->place->body_count) +
           channels_before(g->place, body);
}

static uint64_t accessor_of_uvs(const glb *g, uint32_t body)
{
    uint64_t accessor = accessor_of_points(g, g->frames, 0);
    for (uint32_t i = 0; i < body; i++) accessor += has_texture(g->place, i);
    return accessor;
}

/* The text takes at most so much: 450 bytes are more than the longest accessors and targets of a body in a frame. */
static bool fits(const pliant__place *place, uint64_t frames, pliant_error *error)
{
    if (frames > MOST_FRAMES)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, place->path, 0,
                               "a .glb has at most %d frames, since its weights are counted with 32 bits; %llu are too many", MOST_FRAMES,
                               (unsigned long long)frames);
    glb      g = {.place = place, .frames = frames};
    uint64_t text = 4096 + place->body_count * (2048 + 450 * frames), size = HEADER + 2 * CHUNK + text + binary_size(&g);
    if (size <= UINT32_MAX) return true;
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, place->path, 0,
                           "%llu frames take up to %llu bytes, and a .glb has at most %llu, since it counts them with 32 bits",
                           (unsigned long long)frames, (unsigned long long)size, (unsigned long long)UINT32_MAX);
}

/* ---- the text ---- */

static void say(pliant__sheet *s, const char *text, uint64_t value)
{
    pliant__sheet_text(s, text);
    pliant__sheet_fixed(s, value);
}

static bool is_said(const pliant_look *look) { return look->color != PLIANT_COLOR_CHOSEN || look->roughness >= 0 || look->texture; }

static bool has_plain(const pliant__place *place)
{
    bool plain = false;
    for (uint32_t i = 0; i < place->body_count && !plain; i++) {
        const pliant_body_info b = pliant__place_body(place, i);
        plain = b.face_count && !is_said(&b.look);
    }
    return plain;
}

/* Material 0 is that of all bodies with faces without a look of their own, if there are some; each body with a look has its own. For the number of bodies:
 * how many materials there are. NO_MATERIAL: it needs none. */
static uint32_t material_of(const pliant__place *place, uint32_t body)
{
    const bool end = body == place->body_count;
    uint32_t   number = has_plain(place);
    for (uint32_t i = 0; i < body; i++) {
        const pliant_body_info b = pliant__place_body(place, i);
        number += is_said(&b.look);
    }
    const pliant_body_info b = pliant__place_body(place, end ? 0 : body);
    return end || is_said(&b.look) ? number : b.face_count ? 0 : NO_MATERIAL;
}

static void put_materials(pliant__sheet *s, const pliant__place *place)
{
    bool more = has_plain(place);
    pliant__sheet_text(s, ",\"materials\":[");
    if (more)
        pliant__sheet_text(s, "{\"name\":\"seen from both sides\",\"doubleSided\":true,"
                              "\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":0.8}}");
    for (uint32_t i = 0; i < place->body_count; i++) {
        const pliant_body_info b = pliant__place_body(place, i);
        if (!is_said(&b.look)) continue;
        pliant__sheet_text(s, more ? ",{\"name\":" : "{\"name\":");
        more = true;
        pliant__sheet_string(s, b.name, "\\u00");
        pliant__sheet_text(s, ",\"doubleSided\":true,\"pbrMetallicRoughness\":{");
        if (b.look.color != PLIANT_COLOR_CHOSEN) {
            pliant__sheet_text(s, "\"baseColorFactor\":[");
            pliant__put_color(s, b.look.color, ",");
            pliant__sheet_text(s, ",1],");
        }
        if (has_texture(place, i)) {
            say(s, "\"baseColorTexture\":{\"index\":", place->pictures.of[i]);
            pliant__sheet_text(s, "},");
        }
        pliant__sheet_text(s, "\"metallicFactor\":0,\"roughnessFactor\":");
        pliant__sheet_fixed_float(s, b.look.roughness < 0 ? 0.8f : (float)b.look.roughness);
        pliant__sheet_text(s, "}}");
    }
    pliant__sheet_text(s, "]");
}

/* Repeated, and with mip maps. */
static void put_textures(pliant__sheet *s, const glb *g)
{
    const uint32_t pictures = g->place->pictures.count;
    pliant__sheet_text(s, ",\"samplers\":[{\"magFilter\":9729,\"minFilter\":9987,\"wrapS\":10497,\"wrapT\":10497}]");
    for (uint32_t i = 0; i < pictures; i++) {
        say(s, i ? ",{\"sampler\":0,\"source\":" : ",\"textures\":[{\"sampler\":0,\"source\":", i);
        pliant__sheet_text(s, "}");
    }
    for (uint32_t i = 0; i < pictures; i++) {
        say(s, i ? ",{\"mimeType\":\"image/png\",\"bufferView\":" : "],\"images\":[{\"mimeType\":\"image/png\",\"bufferView\":",
            view_of_pictures(g) + (uint64_t)i);
        pliant__sheet_text(s, "}");
    }
    pliant__sheet_text(s, "]");
}

static void put_nodes(pliant__sheet *s, const glb *g)
{
    uint32_t bodies = g->place->body_count;
    for (uint32_t i = 0; i < bodies; i++) say(s, i ? "," : "}},\"scene\":0,\"scenes\":[{\"nodes\":[", i);
    for (uint32_t i = 0; i < bodies; i++) {
        pliant__sheet_text(s, i ? ",{\"name\":" : "]}],\"nodes\":[{\"name\":");
        pliant__sheet_string(s, pliant__place_body(g->place, i).name, "\\u00");
        say(s, ",\"mesh\":", i);
        pliant__sheet_text(s, "}");
    }
    pliant__sheet_text(s, "]");
    if (material_of(g->place, bodies)) put_materials(s, g->place);
    if (g->place->pictures.count) put_textures(s, g);
}

static void put_attributes(pliant__sheet *s, const glb *g, uint64_t frame, uint32_t body)
{
    uint64_t accessor = accessor_of_points(g, frame, body);
    say(s, "{\"POSITION\":", accessor);
    if (has_normals(g->place, body)) say(s, ",\"NORMAL\":", accessor + 1);
    if (!frame && has_texture(g->place, body)) say(s, ",\"TEXCOORD_0\":", accessor_of_uvs(g, body));
    pliant__sheet_text(s, "}");
}

static uint32_t mode_of(const pliant__place *place, uint32_t body)
{
    if (corners_of(place, body)) return TRIANGLES;
    return pliant__place_body(place, body).type == PLIANT_BODY_ROPE ? LINE_STRIP : POINTS;
}

static void put_meshes(pliant__sheet *s, const glb *g)
{
    for (uint32_t i = 0; i < g->place->body_count && s->ok; i++) {
        pliant__sheet_text(s, i ? ",{\"name\":" : ",\"meshes\":[{\"name\":");
        pliant__sheet_string(s, pliant__place_body(g->place, i).name, "\\u00");
        say(s, ",\"primitives\":[{\"mode\":", mode_of(g->place, i));
        pliant__sheet_text(s, ",\"attributes\":");
        put_attributes(s, g, 0, i);
        if (corners_of(g->place, i)) say(s, ",\"indices\":", accessor_of_indices(g->place, i));
        if (material_of(g->place, i) != NO_MATERIAL) say(s, ",\"material\":", material_of(g->place, i));
        for (uint64_t f = 1; f < g->frames && s->ok; f++) {
            pliant__sheet_text(s, f > 1 ? "," : ",\"targets\":[");
            put_attributes(s, g, f, i);
        }
        pliant__sheet_text(s, moves(g) ? "]}]}" : "}]}");
    }
    pliant__sheet_text(s, "]");
}

static void put_animation(pliant__sheet *s, const glb *g)
{
    if (!moves(g)) return;
    say(s, ",\"animations\":[{\"name\":\"simulation\",\"samplers\":[{\"interpolation\":\"LINEAR\",\"input\":", accessor_of_times(g));
    say(s, ",\"output\":", accessor_of_times(g) + 1u);
    for (uint32_t i = 0; i < g->place->body_count; i++) {
        say(s, i ? ",{\"sampler\":0,\"target\":{\"node\":" : "}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":", i);
        pliant__sheet_text(s, ",\"path\":\"weights\"}}");
    }
    pliant__sheet_text(s, "]}]");
}

static void put_view(pliant__sheet *s, uint64_t offset, uint64_t size, uint32_t target, uint32_t stride)
{
    say(s, offset ? ",{\"buffer\":0,\"byteOffset\":" : "{\"buffer\":0,\"byteOffset\":", offset);
    say(s, ",\"byteLength\":", size);
    if (stride) say(s, ",\"byteStride\":", stride);
    if (target) say(s, ",\"target\":", target);
    pliant__sheet_text(s, "}");
}

static void put_views(pliant__sheet *s, const glb *g)
{
    say(s, ",\"buffers\":[{\"byteLength\":", binary_size(g));
    pliant__sheet_text(s, "}],\"bufferViews\":[");
    if (times_at(g)) put_view(s, 0, times_at(g), ELEMENT_ARRAY_BUFFER, 0);
    if (moves(g)) {
        put_view(s, times_at(g), places_at(g) - times_at(g), 0, 0);
        put_view(s, places_at(g), ones_at(g) - places_at(g), 0, 0);
        put_view(s, ones_at(g), uvs_at(g) - ones_at(g), 0, 0);
    }
    uint64_t at = pictures_at(g);
    if (at > uvs_at(g)) put_view(s, uvs_at(g), at - uvs_at(g), ARRAY_BUFFER, 8);
    for (uint32_t i = 0; i < g->place->pictures.count; i++) {
        const size_t size = picture_size(g->place, i);
        put_view(s, at, size, 0, 0);
        at += filled(size);
    }
    put_view(s, vertices_at(g), binary_size(g) - vertices_at(g), ARRAY_BUFFER, 12);
    pliant__sheet_text(s, "],\"accessors\":[");
}

static void put_accessor(pliant__sheet *s, bool more, uint32_t view, uint64_t offset, uint32_t component, uint64_t count, const char *type)
{
    say(s, more ? ",{\"bufferView\":" : "{\"bufferView\":", view);
    say(s, ",\"byteOffset\":", offset);
    say(s, ",\"componentType\":", component);
    say(s, ",\"count\":", count);
    pliant__sheet_text(s, ",\"type\":\"");
    pliant__sheet_text(s, type);
}

static void put_three(pliant__sheet *s, const char *text, float *values)
{
    pliant__sheet_text(s, text);
    for (int k = 0; k < 3; k++) {
        if (k) pliant__sheet_text(s, ",");
        pliant__sheet_float(s, &values[k]);
    }
}

/* The points' box stands in the text. Putting, it is in the work file; taking, it is kept, to be compared with the points. */
static void put_box(pliant__sheet *s, const glb *g, uint64_t frame, uint32_t body)
{
    pliant__box box = {{0, 0, 0}, {0, 0, 0}};
    if (s->ok && g->work) s->ok = pliant__work_box(g->work, (uint32_t)frame, body, &box, s->error);
    put_three(s, "\",\"min\":[", box.low);
    put_three(s, "],\"max\":[", box.high);
    pliant__sheet_text(s, "]}");
    if (s->ok && g->cache && !array_push(NULL, &g->cache->taken->boxes, box)) s->ok = pliant__fail_memory(s->error, sizeof box, "boxes");
}

static void put_times_accessors(pliant__sheet *s, const glb *g)
{
    put_accessor(s, all_corners(g->place) > 0, view_of_times(g), 0, FLOAT, g->frames, "SCALAR\",\"min\":[0],\"max\":[");
    pliant__sheet_fixed_float(s, (float)((double)(g->frames - 1) / g->fps));
    say(s, "]},{\"componentType\":", FLOAT);
    say(s, ",\"count\":", g->frames * (g->frames - 1));
    say(s, ",\"type\":\"SCALAR\",\"sparse\":{\"count\":", g->frames - 1);
    say(s, ",\"indices\":{\"bufferView\":", view_of_times(g) + 1u);
    say(s, ",\"componentType\":", UNSIGNED_INT);
    say(s, "},\"values\":{\"bufferView\":", view_of_times(g) + 2u);
    pliant__sheet_text(s, "}}}");
}

static void put_accessors(pliant__sheet *s, const glb *g)
{
    const uint32_t bodies = g->place->body_count;
    const uint32_t view = view_of_vertices(g);
    uint64_t       corners = 0, vertex = 0;
    for (uint32_t i = 0; i < bodies; i++) {
        uint64_t count = corners_of(g->place, i);
        if (count) put_accessor(s, corners > 0, 0, 4 * corners, UNSIGNED_INT, count, "SCALAR\"}");
        corners += count;
    }
    if (moves(g)) put_times_accessors(s, g);
    for (uint64_t f = 0; f < g->frames; f++)
        for (uint32_t i = 0; i < bodies && s->ok; i++) {
            uint64_t count = vertices_of(g->place, i);
            put_accessor(s, corners || moves(g) || vertex, view, vertex, FLOAT, count, "VEC3");
            put_box(s, g, f, i);
            vertex += 12 * count;
            if (!has_normals(g->place, i)) continue;
            put_accessor(s, true, view, vertex, FLOAT, count, "VEC3\"}");
            vertex += 12 * count;
        }
    uint64_t uv = 0;
    for (uint32_t i = 0; i < bodies && s->ok; i++) {
        if (!has_texture(g->place, i)) continue;
        put_accessor(s, true, view_of_uvs(g), uv, FLOAT, vertices_of(g->place, i), "VEC2\"}");
        uv += 8 * vertices_of(g->place, i);
    }
    pliant__sheet_text(s, "]}");
}

static void put_text(pliant__sheet *s, glb *g)
{
    pliant__sheet_text(s, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Pliant\",\"extras\":{\"first_frame\":");
    pliant__sheet_count(s, &g->first);
    pliant__sheet_text(s, ",\"every\":");
    pliant__sheet_count(s, &g->every);
    pliant__sheet_text(s, ",\"frames\":");
    pliant__sheet_count(s, &g->frames);
    if (g->frames == 0 || g->frames > MOST_FRAMES || g->first > UINT32_MAX || g->every == 0 || g->every > UINT32_MAX)
        pliant__sheet_fail(s, "there are no so many frames");
    pliant__sheet_text(s, ",\"fps\":");
    pliant__sheet_double(s, &g->fps);
    if (!pliant__fps_fits(g->fps)) pliant__sheet_fail(s, "there are no such frames per second");
    if (!s->ok) return;
    put_nodes(s, g);
    put_meshes(s, g);
    put_animation(s, g);
    put_views(s, g);
    put_accessors(s, g);
}

/* ---- the bytes before the vertices ---- */

static void put_triangles(pliant__sheet *s, const glb *g, uint32_t body)
{
    pliant_body_info b = pliant__place_body(g->place, body);
    const uint32_t  *sizes, *indices;
    pliant__place_faces(g->place, &b, &sizes, &indices);
    if (has_texture(g->place, body)) indices = g->place->seams[body].corners;
    for (uint32_t f = 0; f < b.face_count; indices += sizes[f], f++)
        for (uint32_t k = 2; k < sizes[f]; k++) {
            pliant__sheet_u32(s, indices[0]);
            pliant__sheet_u32(s, indices[k - 1]);
            pliant__sheet_u32(s, indices[k]);
        }
}

static void put_float(pliant__sheet *s, float value)
{
    unsigned char bytes[4];
    pliant__put_f32(bytes, value);
    pliant__sheet_bytes(s, bytes, 4);
}

static void put_uvs(pliant__sheet *s, const glb *g, uint32_t body)
{
    const uint64_t vertices = vertices_of(g->place, body);
    for (uint64_t i = 0; i < 2 * vertices && s->ok; i++) {
        const float uv = g->place->seams[body].uvs[i];
        put_float(s, i % 2 ? 1 - uv : uv);
    }
}

static void put_picture(pliant__sheet *s, const glb *g, uint32_t picture)
{
    const pliant_look look = pliant__place_body(g->place, g->place->pictures.first[picture]).look;
    pliant__sheet_bytes(s, look.texture, look.texture_bytes);
    pliant__sheet_bytes(s, "\0\0\0", filled(look.texture_bytes) - look.texture_bytes);
}

static void put_tables(pliant__sheet *s, const glb *g)
{
    for (uint32_t i = 0; i < g->place->body_count; i++) put_triangles(s, g, i);
    for (uint64_t f = 0; moves(g) && f < g->frames && s->ok; f++) put_float(s, (float)((double)f / g->fps));
    for (uint64_t f = 1; f < g->frames && s->ok; f++) pliant__sheet_u32(s, (uint32_t)(f * (g->frames - 1) + f - 1));
    for (uint64_t f = 1; f < g->frames && s->ok; f++) put_float(s, 1);
    for (uint32_t i = 0; i < g->place->body_count; i++)
        if (has_texture(g->place, i)) put_uvs(s, g, i);
    for (uint32_t i = 0; i < g->place->pictures.count; i++) put_picture(s, g, i);
}

/* ---- writing ---- */

static void put_spaces(pliant__sheet *s)
{
    while (s->ok && s->at % 4) pliant__sheet_text(s, " ");
}

/* Appends to each channel of a body the numbers of its seams. */
static void spread(const pliant__place *place, const float *from, float *to)
{
    for (uint32_t i = 0; i < place->body_count; i++)
        for (int k = 0; k < PLIANT__CHANNELS; k++) {
            const size_t         count = pliant__parts_count(place, i, (pliant__channel)k);
            const pliant__seams *seams = &place->seams[i];
            memcpy(to, from, count * sizeof *to);
            for (uint32_t n = 0; count && n < seams->count; n++)
                memcpy(to + count + 3 * (size_t)n, from + 3 * (size_t)seams->of[n], 3 * sizeof *to);
            to += count ? count + 3 * (size_t)seams->count : 0;
            from += count;
        }
}

static bool put_frames(pliant__file *file, const pliant__work *work, float *values, pliant_error *error)
{
    const size_t count = floats_of(work->place), all = frame_of(work->place);
    float       *spreaded = all > count ? pliant__alloc_array(NULL, all, sizeof *spreaded) : values;
    bool         ok = spreaded || pliant__fail_memory(error, all * sizeof *spreaded, "a frame");
    for (uint32_t f = 0; ok && f < work->frames; f++) {
        ok = pliant__work_floats(work, f, 0, count, values, error);
        if (ok && all > count) spread(work->place, values, spreaded);
        for (size_t i = 0; ok && i < all; i++) pliant__put_f32((unsigned char *)&spreaded[i], spreaded[i]);
        ok = ok && pliant__file_append(file, spreaded, 4 * all, error);
    }
    if (spreaded != values) pliant__free(NULL, spreaded);
    return ok;
}

typedef struct glb_page {
    glb    g;
    float *values; /* room for a frame */
} glb_page;

/* Puts the whole file; lengths in the head are written again once they are known. */
static bool put_page(pliant__file *file, void *context, pliant_error *error)
{
    glb_page     *page = context;
    unsigned char lengths[2][4];
    pliant__sheet s;
    pliant__sheet_put(&s, file, error);
    pliant__sheet_bytes(&s, "glTF\2\0\0\0\0\0\0\0\0\0\0\0JSON", HEADER + CHUNK);
    put_text(&s, &page->g);
    put_spaces(&s);
    uint64_t text = s.at - HEADER - CHUNK, binary = binary_size(&page->g), all = s.at + CHUNK + binary;
    pliant__sheet_u32(&s, (uint32_t)binary);
    pliant__sheet_bytes(&s, "BIN", 4);
    put_tables(&s, &page->g);
    for (int i = 0; i < 4; i++) {
        lengths[0][i] = (unsigned char)(all >> (8 * i));
        lengths[1][i] = (unsigned char)(text >> (8 * i));
    }
    return pliant__sheet_end(&s) && put_frames(file, page->g.work, page->values, error) &&
           pliant__file_patch(file, 8, lengths[0], 4, error) && pliant__file_patch(file, HEADER, lengths[1], 4, error);
}

static bool join(pliant_writer *w, const pliant__work *work, pliant_error *error)
{
    glb_page page = {{&w->place, work, NULL, work->first, work->every, work->frames, work->fps}, w->floats};
    return pliant__parts_put(w, w->place.path, put_page, &page, error);
}

/* ---- checks before writing ---- */

/* A box has six numbers, which are counted as 0. */
bool pliant__glb_bytes(const pliant__place *place, const pliant_write_def *def, uint64_t *bytes, pliant_error *error)
{
    glb           g = {.place = place, .first = def->first_frame, .every = def->every, .frames = def->frames, .fps = def->fps};
    pliant__sheet s;
    if (!fits(place, def->frames, error)) return false;
    pliant__sheet_put(&s, NULL, error);
    put_text(&s, &g);
    *bytes =
        HEADER + 2 * CHUNK + s.at + (uint64_t)(6 * (PLIANT__FLOAT_LENGTH - 1) * (double)place->body_count * def->frames) + binary_size(&g);
    return s.ok;
}

/* Whether a .glb is a cache of Pliant's; a .glb of another program is a model, and is kept. */
bool pliant__glb_own(const pliant__place *place, uint32_t body, const char *head, size_t size, const pliant__source *file)
{
    static const char text[] = "JSON{\"asset\":{\"version\":\"2.0\",\"generator\":\"Pliant\",";
    (void)place, (void)body, (void)file;
    return size >= HEADER + CHUNK + sizeof text && memcmp(head, "glTF\2\0\0", 8) == 0 &&
           memcmp(head + HEADER + 4, text, sizeof text - 1) == 0;
}

/* ---- reading ---- */

static bool open(pliant_cache *c, pliant_error *error)
{
    unsigned char head[HEADER + CHUNK];
    pliant__sheet s;
    glb           g = {.place = &c->place, .cache = c};
    if (!pliant__cache_open_files(c, 1, pliant__place_path, error)) return false;
    const pliant__source *file = &c->files[0];
    pliant__sheet_take(&s, file, 0, error);
    pliant__sheet_bytes(&s, "glTF\2\0\0", 8);
    if (s.ok && file->size < sizeof head) pliant__sheet_fail(&s, "the file ends too early: cut off");
    if (!s.ok || !pliant__source_read(file, 0, head, sizeof head, error)) return false;
    pliant__sheet_u32(&s, (uint32_t)file->size);
    if (file->size > UINT32_MAX) pliant__sheet_fail(&s, "the file is longer than it says");
    const uint32_t text = pliant__get_u32(head + HEADER);
    pliant__sheet_u32(&s, text);
    pliant__sheet_bytes(&s, "JSON", 4);
    put_text(&s, &g);
    put_spaces(&s);
    if (s.at != HEADER + CHUNK + (uint64_t)text) pliant__sheet_fail(&s, "the text is not as long as it says");
    if (!s.ok) return false;
    pliant__sheet_u32(&s, (uint32_t)binary_size(&g));
    pliant__sheet_bytes(&s, "BIN", 4);
    put_tables(&s, &g);
    if (s.ok && file->size - s.at != 4 * g.frames * frame_of(g.place))
        pliant__sheet_fail(&s, "from here on there are more or fewer bytes than frames take");
    if (!s.ok) return false;
    c->first = (uint32_t)g.first;
    c->every = (uint32_t)g.every;
    c->frames = (uint32_t)g.frames;
    c->rate = g.fps * (double)g.every;
    return true;
}

/* Keeps the numbers of the vertices of a loaded frame; those of seams have to be equal to them. */
static bool gather(const pliant_cache *c, uint64_t at, pliant_error *error)
{
    const pliant__place *place = &c->place;
    const unsigned char *from = (const unsigned char *)c->text.data;
    float               *to = c->taken->floats;
    for (uint32_t i = 0; i < place->body_count; i++)
        for (int k = 0; k < PLIANT__CHANNELS; k++) {
            const size_t         count = pliant__parts_count(place, i, (pliant__channel)k);
            const pliant__seams *seams = &place->seams[i];
            for (size_t n = 0; n < count; n++) to[n] = pliant__get_f32(from + 4 * n);
            for (uint32_t n = 0; count && n < seams->count; n++) {
                const size_t seam = count + 3 * (size_t)n;
                if (memcmp(from + 4 * seam, from + 12 * (size_t)seams->of[n], 12) != 0)
                    return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->files[0].path, 0,
                                           "byte %llu: damaged: a vertex along a seam of a texture is not where the other one is",
                                           (unsigned long long)(at + (uint64_t)(from - (const unsigned char *)c->text.data) + 4 * seam));
            }
            from += count ? 4 * (count + 3 * (size_t)seams->count) : 0;
            to += count;
        }
    return true;
}

static bool load(pliant_cache *c, uint32_t index, pliant_error *error)
{
    const pliant__place *place = &c->place;
    const size_t         count = frame_of(place), bodies = place->body_count;
    const uint64_t       frames = c->taken->boxes.count / bodies; /* of the file: c->frames may be fewer */
    const uint64_t       at = c->files[0].size - 4 * count * (frames - index);
    if (!pliant__cache_load(c, &c->files[0], at, 4 * count, error)) return false;
    if (!gather(c, at, error)) return false;
    for (uint32_t i = 0; i < bodies; i++) {
        size_t points = pliant__parts_at(place, i, PLIANT__POINTS), seams = 0;
        for (uint32_t k = 0; k < i; k++) seams += (has_normals(place, k) ? 6 : 3) * (size_t)place->seams[k].count;
        pliant__box box = pliant__box_of(c->taken->floats + points, pliant__parts_count(place, i, PLIANT__POINTS) / 3);
        if (!pliant__same_box(&box, &c->taken->boxes.data[index * bodies + i]))
            return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->files[0].path, 0,
                                   "byte %llu: damaged: the points of frame %llu are not within what the file says of them",
                                   (unsigned long long)(at + 4 * (points + seams)), (unsigned long long)pliant__cache_number(c, index));
    }
    return true;
}

const pliant__parts pliant__glb_parts = {
    .normals = true, .deltas = true, .seams = true, .fits = fits, .join = join, .open = open, .load = load};
