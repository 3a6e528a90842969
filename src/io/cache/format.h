/* The formats of caches, and the places of their files, which writer and reader share. A format is a file and a row in format.c. */
#ifndef PLIANT_IO_CACHE_FORMAT_H
#define PLIANT_IO_CACHE_FORMAT_H

#include "base/array.h"
#include "base/error.h"
#include "io/cache/seams.h"
#include "io/files/text.h"
#include "pliant/io.h"

typedef struct pliant__parts  pliant__parts;
typedef struct pliant__place  pliant__place;
typedef struct pliant__source pliant__source; /* file.h */

#define PLIANT__HEAD 256 /* first bytes of a file, by which its format is known */

typedef struct pliant__format {
    pliant_format_info info;
    bool               simulated;  /* has the simulated vertices; else those that are written out */
    bool               velocities; /* has those too */
    bool               unwritten;  /* this build lacks a library for writing it */
    bool               torn;       /* its frames have faces of their own, or none has any: it takes bodies that tear */
    bool               folder;     /* with a file per body and frame */
    const char        *files;      /* the ending of such files, where a list of them is beside their folder: NAME.pvd, NAME/BODY.0001.vtp */
    /* Writes frame number `writer->frames`, complete or not at all. */
    bool (*write)(pliant_writer *writer, const pliant_state *state, pliant_error *error);
    /* Opens the cache that is there, to go on behind its first `writer->def.there` frames, and cuts off the rest. `cache` reads it. */
    bool (*resume)(pliant_writer *writer, pliant_cache *cache, pliant_error *error);
    /* Writes the end, if no write has failed. NULL: the files are whole after every frame. */
    bool (*finish)(pliant_writer *writer, pliant_error *error);
    void (*release)(pliant_writer *writer); /* frees what writer->own points to; may be NULL */
    const pliant__parts *parts;             /* of a format that is put together at the end; else NULL */
    /* Finds which frames there are: cache->first and cache->frames. Frames that are not whole do not count; none at all is an error. */
    bool (*open)(pliant_cache *cache, pliant_error *error);
    /* Reads frame `index` < cache->frames into cache->x, and cache->v if simulated. */
    bool (*read)(pliant_cache *cache, uint32_t index, pliant_error *error);
    /* Whether a file is of this format: one of a folder's, or the one of body `body`. `head`: its first bytes, at most PLIANT__HEAD. */
    bool (*own)(const pliant__place *place, uint32_t body, const char *head, size_t size, const pliant__source *file);
    /* About how many bytes a cache of def->frames frames takes; exactly, where frames always take the same. */
    bool (*bytes)(const pliant__place *place, const pliant_write_def *def, uint64_t *bytes, pliant_error *error);
    /* No folder: the path of its file, or of each body's, from malloc. */
    char *(*path_of)(const pliant__place *place, uint32_t body);
    bool per_body;
    /* The path of a further file of the cache, from malloc, and whether a file there is one. NULL where the format has none. */
    char *(*beside)(const pliant__place *place, uint32_t i);
    bool (*own_beside)(const pliant__place *place, uint32_t i, const char *head, size_t size, const pliant__source *file);
} pliant__format;

/* Where a cache lies. */
struct pliant__place {
    const pliant__format *format;
    const pliant_model   *model;
    char                 *path;   /* as given, without a trailing slash */
    char                 *folder; /* where files per body and frame lie */
    const char           *ending; /* of these */
    char                **names;  /* one per body, fit for file names; no two alike */
    uint32_t              body_count;
    pliant__seams        *seams;    /* of a format that has them, per body; else NULL */
    pliant__pictures      pictures; /* pictures of such a format; else empty */
    bool         exploded; /* bodies that tear have a vertex per corner of their faces; always of a format that does not take them else */
    uint32_t    *corners;  /* faces of the largest such body: 0, 1, 2 ...; NULL: there is none */
    pliant_vec3 *vertices; /* scratch: two vectors per vertex of the largest such body in a state */
};

/* The format by the path's ending. On error, place_free still has to be called. */
bool pliant__place_make(pliant__place *place, const char *path, const pliant_model *model, bool exploded, pliant_error *error);
void pliant__place_free(pliant__place *place);

/* Body number `index` as it is in the files: where it is exploded, its surface_vertex_count is its face_index_count. */
pliant_body_info pliant__place_body(const pliant__place *place, uint32_t index);

/* Whether the faces of a body that are written change; they are triangles then. */
bool pliant__tears(const pliant_body_info *body);

/* Whether a body is exploded, and whether its faces are each frame's own. */
bool pliant__explodes(const pliant__place *place, const pliant_body_info *body);
bool pliant__reshapes(const pliant__place *place, const pliant_body_info *body);

/* Faces as pliant_model_faces and pliant_state_faces have them, of a body as it is in the files; either pointer may be NULL. */
void pliant__place_faces(const pliant__place *place, const pliant_body_info *body, const uint32_t **sizes, const uint32_t **corners);
const uint32_t *pliant__faces_now(const pliant__place *place, const pliant_body_info *body, const pliant_state *state);

/* Write the body's surface_vertex_count positions, one to the head of every `stride` vectors; velocities; or position and normal of each, two vectors.
 * False if the state does not have them. */
bool pliant__put_positions(const pliant__place *place, const pliant_body_info *body, const pliant_state *state, pliant_vec3 *out,
                           size_t stride);
bool pliant__put_velocities(const pliant__place *place, const pliant_body_info *body, const pliant_state *state, pliant_vec3 *out);
bool pliant__put_vertices(const pliant__place *place, const pliant_body_info *body, const pliant_state *state, pliant_vec3 *out);

/* The caller's vertex that vertex `vertex` of a body, as it is in the files, was split from, or is; UINT32_MAX of one that stands by. Of a body that does not tear the
 * vertex itself. */
uint32_t pliant__origin_now(const pliant__place *place, const pliant_body_info *body, const pliant_state *state, uint32_t vertex);

/* Makes what `exploded` bodies of a place need. False if out of memory. */
bool pliant__place_explode(pliant__place *place);

/* Likewise, of a place that has its format. */
bool pliant__place_fill(pliant__place *place, const char *path, const pliant_model *model, pliant_error *error);

/* x.pc2, or x.BODY.pc2 where there are several bodies; from malloc. */
char *pliant__place_body_path(const pliant__place *place, uint32_t body);

bool pliant__csv_write(pliant_writer *writer, const pliant_state *state, pliant_error *error);
bool pliant__csv_resume(pliant_writer *writer, pliant_cache *cache, pliant_error *error);
bool pliant__csv_open(pliant_cache *cache, pliant_error *error);
bool pliant__csv_read(pliant_cache *cache, uint32_t index, pliant_error *error);
bool pliant__pc2_write(pliant_writer *writer, const pliant_state *state, pliant_error *error);
bool pliant__pc2_resume(pliant_writer *writer, pliant_cache *cache, pliant_error *error);
bool pliant__pc2_open(pliant_cache *cache, pliant_error *error);
bool pliant__pc2_read(pliant_cache *cache, uint32_t index, pliant_error *error);
bool pliant__objs_write(pliant_writer *writer, const pliant_state *state, pliant_error *error);
bool pliant__objs_open(pliant_cache *cache, pliant_error *error);
bool pliant__objs_read(pliant_cache *cache, uint32_t index, pliant_error *error);
bool pliant__plys_write(pliant_writer *writer, const pliant_state *state, pliant_error *error);
bool pliant__plys_open(pliant_cache *cache, pliant_error *error);
bool pliant__plys_read(pliant_cache *cache, uint32_t index, pliant_error *error);
bool pliant__pvd_write(pliant_writer *writer, const pliant_state *state, pliant_error *error);
bool pliant__pvd_resume(pliant_writer *writer, pliant_cache *cache, pliant_error *error);
bool pliant__pvd_open(pliant_cache *cache, pliant_error *error);
bool pliant__pvd_read(pliant_cache *cache, uint32_t index, pliant_error *error);
bool pliant__vtkhdf_write(pliant_writer *writer, const pliant_state *state, pliant_error *error);
bool pliant__vtkhdf_resume(pliant_writer *writer, pliant_cache *cache, pliant_error *error);
bool pliant__vtkhdf_open(pliant_cache *cache, pliant_error *error);
bool pliant__vtkhdf_read(pliant_cache *cache, uint32_t index, pliant_error *error);
bool pliant__abc_write(pliant_writer *writer, const pliant_state *state, pliant_error *error);
bool pliant__abc_resume(pliant_writer *writer, pliant_cache *cache, pliant_error *error);
bool pliant__abc_finish(pliant_writer *writer, pliant_error *error);
void pliant__abc_release(pliant_writer *writer);
bool pliant__abc_open(pliant_cache *cache, pliant_error *error);
bool pliant__abc_read(pliant_cache *cache, uint32_t index, pliant_error *error);
void pliant__folder_release(pliant_writer *writer);
bool pliant__folder_resume(pliant_writer *writer, pliant_cache *cache, pliant_error *error);

/* Shown every file that a cache would replace or take away: body `body`'s at `path`, which is the cache's own if `own` says so. False ends it. */
typedef bool (*pliant__own)(const pliant__place *place, uint32_t body, const char *head, size_t size, const pliant__source *file);
typedef bool (*pliant__visit)(void *context, const pliant__place *place, uint32_t body, const char *path, pliant__own own,
                              pliant_error *error);
bool pliant__folder_visit(const pliant__place *place, pliant__visit visit, void *context, pliant_error *error);

#define OWN(format)                                                                                                                    \
    bool pliant__##format##_own(const pliant__place *place, uint32_t body, const char *head, size_t size, const pliant__source *file); \
    bool pliant__##format##_bytes(const pliant__place *place, const pliant_write_def *def, uint64_t *bytes, pliant_error *error)
OWN(csv);
OWN(pc2);
OWN(objs);
OWN(plys);
OWN(mdd);
OWN(glb);
OWN(usda);
OWN(pvd);
OWN(vtkhdf);
OWN(abc);
#undef OWN
bool  pliant__pvd_own_list(const pliant__place *place, uint32_t i, const char *head, size_t size, const pliant__source *file);
char *pliant__vtkhdf_xmf_path(const pliant__place *place, uint32_t i);
bool  pliant__xdmf_own(const pliant__place *place, uint32_t i, const char *head, size_t size, const pliant__source *file);
char *pliant__parts_work_path(const pliant__place *place, uint32_t i);
bool  pliant__parts_own_work(const pliant__place *place, uint32_t i, const char *head, size_t size, const pliant__source *file);

/* The place's path, from malloc. */
char *pliant__place_path(const pliant__place *place, uint32_t i);

/* How many characters a number that moves takes on average in a text, about. */
#define PLIANT__NUMBER_LENGTH (sizeof(pliant_real) == 8 ? 18.9 : 11.2)

/* Characters of a float32 with as few digits as read back: 8 where much is at rest, 11 where all moves. */
#define PLIANT__FLOAT_LENGTH 9.5

#endif
