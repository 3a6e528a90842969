/* The table of formats, the places of caches, and numbers as text. */
#define _POSIX_C_SOURCE 200809L
#include "io/format.h"

#include "io/file.h"
#include "io/number.h"
#include "io/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef PLIANT_HDF5
#define HDF5 true
#else
#define HDF5 false
#endif

static const pliant__format formats[] = {
    {.info = {".csv", "CSV", "a line per frame and particle: frame,time,body,particle,x,y,z,vx,vy,vz; digits read back exactly"},
     .simulated = true,
     .velocities = true,
     .write = pliant__csv_write,
     .resume = pliant__csv_resume,
     .open = pliant__csv_open,
     .read = pliant__csv_read,
     .own = pliant__csv_own,
     .bytes = pliant__csv_bytes,
     .path_of = pliant__place_path},
    {.info = {".pc2", "Point Cache 2", "for Blender's Mesh Cache; one file, or one per body; the mesh's vertices in its order"},
     .write = pliant__pc2_write,
     .resume = pliant__pc2_resume,
     .open = pliant__pc2_open,
     .read = pliant__pc2_read,
     .own = pliant__pc2_own,
     .bytes = pliant__pc2_bytes,
     .path_of = pliant__place_body_path,
     .per_body = true},
    {.info = {".obj", "Wavefront OBJ", "a folder with one file per body and frame"},
     .folder = true,
     .write = pliant__objs_write,
     .resume = pliant__folder_resume,
     .release = pliant__folder_release,
     .open = pliant__objs_open,
     .read = pliant__objs_read,
     .own = pliant__objs_own,
     .bytes = pliant__objs_bytes},
    {.info = {".ply", "binary PLY", "a folder with one file per body and frame: positions, normals, velocities, faces"},
     .velocities = true,
     .folder = true,
     .write = pliant__plys_write,
     .resume = pliant__folder_resume,
     .release = pliant__folder_release,
     .open = pliant__plys_open,
     .read = pliant__plys_read,
     .own = pliant__plys_own,
     .bytes = pliant__plys_bytes},
    {.info = {".mdd", "MDD", "for LightWave and Blender's Mesh Cache; one file, or one per body; the mesh's vertices in its order"},
     .write = pliant__parts_write,
     .resume = pliant__parts_resume,
     .finish = pliant__parts_finish,
     .parts = &pliant__mdd_parts,
     .open = pliant__parts_open,
     .read = pliant__parts_read,
     .own = pliant__mdd_own,
     .bytes = pliant__mdd_bytes,
     .path_of = pliant__place_body_path,
     .per_body = true,
     .beside = pliant__parts_work_path,
     .own_beside = pliant__parts_own_work},
    {.info = {".glb", "glTF 2.0",
              "for web pages and game engines: meshes, lines and points, a morph target per frame, and the animation that plays them"},
     .write = pliant__parts_write,
     .resume = pliant__parts_resume,
     .finish = pliant__parts_finish,
     .parts = &pliant__glb_parts,
     .open = pliant__parts_open,
     .read = pliant__parts_read,
     .own = pliant__glb_own,
     .bytes = pliant__glb_bytes,
     .path_of = pliant__place_path,
     .beside = pliant__parts_work_path,
     .own_beside = pliant__parts_own_work},
    {.info = {".usda", "USD",
              "for Houdini, Omniverse, Maya: meshes, curves and points with normals, velocities and extents by time, as text"},
     .velocities = true,
     .write = pliant__parts_write,
     .resume = pliant__parts_resume,
     .finish = pliant__parts_finish,
     .parts = &pliant__usda_parts,
     .open = pliant__parts_open,
     .read = pliant__parts_read,
     .own = pliant__usda_own,
     .bytes = pliant__usda_bytes,
     .path_of = pliant__place_path,
     .beside = pliant__parts_work_path,
     .own_beside = pliant__parts_own_work},
    {.info = {".pvd", "ParaView Data",
              "for ParaView; a list beside a folder NAME/ with a .vtp per body and frame: as .ply has, with times"},
     .velocities = true,
     .files = ".vtp",
     .write = pliant__pvd_write,
     .resume = pliant__pvd_resume,
     .open = pliant__pvd_open,
     .read = pliant__pvd_read,
     .own = pliant__pvd_own,
     .bytes = pliant__pvd_bytes,
     .beside = pliant__place_path,
     .own_beside = pliant__pvd_own_list},
    {.info = {".vtkhdf", "VTKHDF", "for ParaView; one file with all bodies and frames, and a .xmf beside it for ParaView before 5.12"},
     .unwritten = !HDF5,
     .velocities = true,
     .write = pliant__vtkhdf_write,
     .resume = pliant__vtkhdf_resume,
     .open = pliant__vtkhdf_open,
     .read = pliant__vtkhdf_read,
     .own = pliant__vtkhdf_own,
     .bytes = pliant__vtkhdf_bytes,
     .path_of = pliant__place_path,
     .beside = pliant__vtkhdf_xmf_path,
     .own_beside = pliant__xdmf_own},
    {.info = {".abc", "Alembic", "one file (Ogawa): meshes, curves and points with their velocities; float32"},
     .velocities = true,
     .write = pliant__abc_write,
     .resume = pliant__abc_resume,
     .finish = pliant__abc_finish,
     .release = pliant__abc_release,
     .open = pliant__abc_open,
     .read = pliant__abc_read,
     .own = pliant__abc_own,
     .bytes = pliant__abc_bytes,
     .path_of = pliant__place_path},
};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats, FORMAT_FOLDER = 2 };

const pliant_format_info *pliant_format_at(uint32_t index) { return index < FORMAT_COUNT ? &formats[index].info : NULL; }

bool pliant_format_is_written(uint32_t index) { return index < FORMAT_COUNT && !formats[index].unwritten; }

/* ---- places ---- */

static bool is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static bool same_ending(const char *end, const char *ending)
{
    size_t i = 0;
    while (ending[i] && (end[i] >= 'A' && end[i] <= 'Z' ? end[i] + 32 : end[i]) == ending[i]) i++;
    return !ending[i];
}

static const pliant__format *find_format(const char *path, pliant_error *error)
{
    size_t length = strlen(path);
    bool   slash = length && path[length - 1] == '/';
    while (length && path[length - 1] == '/') length--;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        const char *ending = formats[i].info.ending;
        size_t      n = strlen(ending);
        if (length <= n || path[length - n - 1] == '/' || !same_ending(path + length - n, ending)) continue;
        if (formats[i].folder || !slash) return &formats[i];
        pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "a %s is no folder of this name (leave the slash out)", ending);
        return NULL;
    }
    if (slash) return &formats[FORMAT_FOLDER];
    if (is_folder(path)) return &formats[FORMAT_FOLDER];
    char   list[128] = "";
    size_t at = 0;
    for (size_t i = 0; i < FORMAT_COUNT; i++) at += (size_t)snprintf(list + at, sizeof list - at, "%s, ", formats[i].info.ending);
    pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "unknown format (known are %sand a folder, NAME/)", list);
    return NULL;
}

/* Empty, or the name of a body before. */
static bool is_taken(const pliant__place *place, uint32_t body, const char *name)
{
    bool taken = !*name;
    for (uint32_t i = 0; i < body; i++) taken |= strcmp(place->names[i], name) == 0;
    return taken;
}

/* A body's name with '_' for characters that a file name had better not have; where two become alike, their numbers are added. */
static char *file_name(const pliant__place *place, uint32_t body)
{
    const char *name = pliant_model_body_at(place->model, body).name;
    size_t      length = strlen(name);
    char       *out = malloc(length + 24);
    if (!out) return NULL;
    for (size_t i = 0; i <= length; i++) {
        unsigned char c = (unsigned char)name[i];
        bool          bad = c && (c < 33 || c == 127 || strchr("/\\:*?\"<>|", c) || (i == 0 && c == '.'));
        out[i] = bad ? '_' : (char)c;
    }
    for (uint32_t number = body + 1; is_taken(place, body, out); number++) snprintf(out + length, 24, "_%u", number);
    return out;
}

bool pliant__place_make(pliant__place *place, const char *path, const pliant_model *model, pliant_error *error)
{
    size_t length = strlen(path);
    place->format = find_format(path, error);
    if (!place->format) return false;
    place->model = model;
    place->body_count = pliant_model_body_count(model);
    place->path = malloc(length + 1);
    place->folder = malloc(length + 1);
    place->names = calloc(place->body_count + 1u, sizeof *place->names);
    if (!place->path || !place->folder || !place->names) return pliant__fail_memory(error, length + 1, "a path");
    memcpy(place->path, path, length + 1);
    while (length > 1 && place->path[length - 1] == '/') place->path[--length] = 0;
    memcpy(place->folder, place->path, length + 1);
    place->ending = place->format->info.ending;
    if (place->format->files) place->folder[length - strlen(place->ending)] = 0;
    if (place->format->files) place->ending = place->format->files;
    for (uint32_t i = 0; i < place->body_count; i++) {
        place->names[i] = file_name(place, i);
        if (!place->names[i]) return pliant__fail_memory(error, 64, "a path");
    }
    if (!place->format->parts || !place->format->parts->seams) return true;
    place->seams = calloc(place->body_count + 1u, sizeof *place->seams);
    for (uint32_t i = 0; place->seams && i < place->body_count; i++)
        if (!pliant__seams_make(model, pliant_model_body_at(model, i).body, &place->seams[i]))
            return pliant__fail_memory(error, 64, "the seams of a texture");
    return (place->seams && pliant__pictures_make(model, place->seams, place->body_count, &place->pictures)) ||
           pliant__fail_memory(error, 64, "the seams of a texture");
}

void pliant__place_free(pliant__place *place)
{
    for (uint32_t i = 0; place->names && i < place->body_count; i++) free(place->names[i]);
    free(place->names);
    for (uint32_t i = 0; place->seams && i < place->body_count; i++) pliant__seams_free(&place->seams[i]);
    free(place->seams);
    pliant__pictures_free(&place->pictures);
    free(place->path);
    free(place->folder);
}

char *pliant__place_path(const pliant__place *place, uint32_t i)
{
    size_t size = strlen(place->path) + 1;
    char  *path = malloc(size);
    (void)i;
    if (path) memcpy(path, place->path, size);
    return path;
}

char *pliant__place_body_path(const pliant__place *place, uint32_t body)
{
    const size_t ending = strlen(place->format->info.ending), head = strlen(place->path) - ending,
                 room = head + strlen(place->names[body]) + ending + 2;
    const bool several = place->body_count > 1;
    char      *path = malloc(room);
    /* The ending as it was given, in capitals perhaps. */
    if (path)
        snprintf(path, room, "%.*s%s%s%s", (int)head, place->path, several ? "." : "", several ? place->names[body] : "",
                 place->path + head);
    return path;
}

/* ---- text ---- */

bool pliant__put(pliant__bytes *to, const void *data, size_t size)
{
    char *at = array_extend(NULL, to, size);
    if (at) memcpy(at, data, size);
    return at != NULL;
}

bool pliant__begins(const char *head, size_t size, const char *text)
{
    return size >= strlen(text) && memcmp(head, text, strlen(text)) == 0;
}

bool pliant__put_text(pliant__bytes *to, const char *text) { return pliant__put(to, text, strlen(text)); }

bool pliant__put_xml(pliant__bytes *to, const char *text)
{
    static const char *const entities[] = {['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;"};
    bool                     ok = true;
    for (; ok && *text; text++) {
        unsigned char c = (unsigned char)*text;
        ok = c < sizeof entities / sizeof *entities && entities[c] ? pliant__put_text(to, entities[c]) : pliant__put(to, text, 1);
    }
    return ok;
}

bool pliant__put_number(pliant__bytes *to, double value, char after)
{
    char   number[PLIANT__NUMBER_SIZE + 1];
    size_t length = pliant__format_number(number, value, PLIANT__REAL_DIGITS);
    number[length] = after;
    return pliant__put(to, number, length + 1);
}

bool pliant__put_count(pliant__bytes *to, uint64_t value, char after)
{
    char   digits[24];
    size_t at = sizeof digits;
    digits[--at] = after;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    return pliant__put(to, digits + at, sizeof digits - at);
}

uint32_t pliant__digits(uint64_t number)
{
    uint32_t digits = 1;
    for (; number > 9; number /= 10) digits++;
    return digits;
}

bool pliant__take_real(const char *text, size_t length, pliant_real *value)
{
    double number;
    if (pliant__parse_number(text, length, &number) != PLIANT__NUMBER_OK) return false;
    *value = (pliant_real)number;
    return *value - *value == 0;
}

bool pliant__take_count(const char **at, const char *end, uint64_t *value)
{
    const char *p = *at;
    for (*value = 0; p < end && *p >= '0' && *p <= '9' && p - *at < 19; p++) *value = *value * 10 + (uint64_t)(*p - '0');
    bool canonical = p > *at && (**at != '0' || p == *at + 1);
    *at = p;
    return canonical;
}
