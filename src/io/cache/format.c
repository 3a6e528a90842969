/* The table of formats. */
#define _POSIX_C_SOURCE 200809L
#include "io/cache/format.h"

#include "io/files/file.h"
#include "io/cache/parts.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#ifdef PLIANT_HDF5
#define HDF5 true
#else
#define HDF5 false
#endif

static const pliant__format formats[] = {
    {.info = {".csv", "CSV", "a line per frame and particle: frame,time,body,particle,x,y,z,vx,vy,vz; digits read back exactly"},
     .torn = true,
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
     .torn = true,
     .folder = true,
     .write = pliant__objs_write,
     .resume = pliant__folder_resume,
     .release = pliant__folder_release,
     .open = pliant__objs_open,
     .read = pliant__objs_read,
     .own = pliant__objs_own,
     .bytes = pliant__objs_bytes},
    {.info = {".ply", "binary PLY", "a folder with one file per body and frame: positions, normals, velocities, faces"},
     .torn = true,
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
     .torn = true,
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
     .torn = true,
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
     .torn = true,
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
     .torn = true,
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

/* ---- by path ---- */

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

bool pliant__place_make(pliant__place *place, const char *path, const pliant_model *model, bool exploded, pliant_error *error)
{
    place->format = find_format(path, error);
    place->exploded = exploded || (place->format && !place->format->torn);
    return place->format && pliant__place_fill(place, path, model, error);
}
