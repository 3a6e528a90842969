/* VTKHDF 2: HDF5 as VTK reads it, one file with all bodies as one PolyData, one after another, and all frames.
 *
 *   /VTKHDF                     attributes Version, Type
 *     NumberOfPoints, Vertices/..., Lines/..., Polygons/..., Strips/...   once: all frames share them
 *     Points, PointData/Normals, PointData/Velocity                      frame by frame
 *     PointData/body                                                     the number of each point's body
 *     Steps                     attribute NSteps; the frames' times, and offsets into the arrays above
 *   /XDMF/Topology              the same cells as XDMF wants them
 *
 * Where a body tears, Polygons/Connectivity and Topology are there frame by frame, with the same numbers of cells and corners in each, and so is
 * PointData/origin: the vertex of its body that each vertex was split from, or is; -1 of one that stands by.
 *
 * HDF5's library makes the head of the file once, with room for all frames behind it, and is not needed after that: a frame is written where its place is, and
 * then NSteps and the number of times are counted up, in one piece of less than a page. So the file is whole after every frame, whenever
 * the writer is killed. That is why all bodies are in one file: one count is of all of them.
 *
 * Behind the bytes of HDF5 comes a block of 128 bytes (where a body tears, of 168) that only Pliant reads: the places of the arrays, a hash of the bodies, and a checksum of all
 * but the frames. So a reader needs no HDF5, and reads nothing of a file that was changed. */
#include "io/cache/cache.h"
#include "io/cache/cells.h"
#include "io/cache/hdf.h"
#include "io/cache/holes.h"
#include "io/cache/writer.h"
#include "io/cache/xdmf.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINTS,
    NORMALS,
    VELOCITY,
    VECTORS,
    CORNERS = VECTORS,
    TOPOLOGY,
    ORIGINS,
    FRAME_ARRAYS
}; /* arrays of every frame; the last three where a body tears */
enum { BLOCK = 128, TORN_BLOCK = 168, MAGIC = 16, PAGE = 4096, START = 8 };

static const char signature[] = "\x89HDF\r\n\x1a\n"; /* of HDF5 */
static const char magic[MAGIC] = "Pliant VTKHDF 2";  /* with the 0 behind it */
static const char torn_magic[MAGIC] = "Pliant VTKHDF 4";

typedef struct layout {
    uint64_t frames, points, first, every;
    double   fps;
    uint64_t shape;              /* a hash of the bodies and their faces */
    bool     torn;               /* a body tears: each frame has its own faces */
    uint64_t at[FRAME_ARRAYS];   /* where the arrays lie */
    uint64_t size[FRAME_ARRAYS]; /* bytes of a frame in each */
    uint64_t attribute_at, length_at;
    uint64_t end;      /* of the bytes of HDF5 */
    uint64_t checksum; /* of the bytes of HDF5, without the frames and the two numbers */
} layout;

static size_t arrays_of(const layout *l) { return l->torn ? FRAME_ARRAYS : VECTORS; }

static size_t block_of(const layout *l) { return l->torn ? TORN_BLOCK : BLOCK; }

/* Bytes of a frame in all arrays. */
static uint64_t frame_size(const layout *l)
{
    uint64_t size = 0;
    for (size_t i = 0; i < arrays_of(l); i++) size += l->size[i];
    return size;
}

/* Bytes from the first of the two numbers that count frames to the end of the second. */
static uint64_t counts_size(const layout *l)
{
    return (l->attribute_at < l->length_at ? l->length_at - l->attribute_at : l->attribute_at - l->length_at) + 8;
}

static uint64_t count_points(const pliant__place *place)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < place->body_count; i++) count += pliant__place_body(place, i).surface_vertex_count;
    return count;
}

static size_t topology_bytes(const layout *l) { return l->points > INT32_MAX ? 8 : 4; }

/* What XDMF has in front of the vertices of a cell: its kind, and how many they are unless the kind says so. */
static bool kind_says(pliant__cell_kind kind, uint32_t vertices) { return kind == PLIANT__POLYGONS && (vertices == 3 || vertices == 4); }

static uint64_t topology_of(const pliant__place *place, const pliant_body_info *b, pliant__cell_kind kind)
{
    const pliant__cells cells = pliant__cells_of(b, kind);
    uint64_t            count = cells.ids;
    for (uint64_t c = 0; c < cells.count; c++) count += kind_says(kind, pliant__cell_size(place->model, b, kind, (uint32_t)c)) ? 1 : 2;
    return count;
}

/* What the bodies say of a layout. */
static void measure(layout *l, const pliant__place *place)
{
    l->points = count_points(place);
    l->torn = false;
    for (uint32_t i = 0; i < place->body_count; i++) {
        const pliant_body_info b = pliant__place_body(place, i);
        l->torn = l->torn || pliant__reshapes(place, &b);
    }
    for (int i = 0; i < FRAME_ARRAYS; i++) l->size[i] = i < VECTORS ? 3 * sizeof(pliant_real) * l->points : 0;
    l->size[ORIGINS] = l->torn ? 4 * l->points : 0;
    for (uint32_t i = 0; l->torn && i < place->body_count; i++) {
        const pliant_body_info b = pliant__place_body(place, i);
        l->size[CORNERS] += 8 * pliant__cells_of(&b, PLIANT__POLYGONS).ids;
        for (int k = 0; k < PLIANT__CELL_KINDS; k++) l->size[TOPOLOGY] += topology_bytes(l) * topology_of(place, &b, (pliant__cell_kind)k);
    }
}

static uint64_t shape_of(const pliant__place *place)
{
    uint64_t h = place->body_count;
    for (uint32_t i = 0; i < place->body_count; i++) {
        pliant_body_info b = pliant__place_body(place, i);
        const uint32_t  *sizes, *indices, counts[3] = {(uint32_t)b.type, b.surface_vertex_count, b.face_count};
        pliant__place_faces(place, &b, &sizes, &indices);
        h = pliant__hash(b.name, strlen(b.name), h);
        h = pliant__hash(counts, sizeof counts, h);
        if (b.face_count) h = pliant__hash(sizes, b.face_count * sizeof *sizes, h);
        if (b.face_count) h = pliant__hash(indices, b.face_index_count * sizeof *indices, h);
    }
    return h;
}

/* ---- the block at the end ---- */

enum { FIELDS = 13, TORN_FIELDS = 18 }; /* 64-bit numbers between the magic and the block's own hash */

static void set_field(char *to, uint64_t value)
{
    for (int i = 0; i < 8; i++) to[i] = (char)(unsigned char)(value >> (8 * i));
}

static void put_block(const layout *l, char block[TORN_BLOCK])
{
    const size_t end = block_of(l) - 8;
    uint64_t     fps;
    memcpy(&fps, &l->fps, 8);
    const uint64_t fields[TORN_FIELDS] = {
        sizeof(pliant_real), l->frames,        l->points,         l->first,      fps,         l->shape, l->at[POINTS],
        l->at[NORMALS],      l->at[VELOCITY],  l->attribute_at,   l->length_at,  l->checksum, l->every, l->at[CORNERS],
        l->at[TOPOLOGY],     l->size[CORNERS], l->size[TOPOLOGY], l->at[ORIGINS]};
    memset(block, 0, TORN_BLOCK);
    memcpy(block, l->torn ? torn_magic : magic, MAGIC);
    for (int i = 0; i < (l->torn ? TORN_FIELDS : FIELDS); i++) set_field(block + MAGIC + 8 * i, fields[i]);
    set_field(block + end, pliant__hash(block, end, l->end));
}

/* False where it is not one that put_block makes for a file of this size with, or without, a body that tears, as `l` has it. */
static bool get_block(layout *l, uint64_t end, const char block[TORN_BLOCK])
{
    const bool   torn = l->torn;
    const size_t hash_at = block_of(l) - 8;
    uint64_t     fields[TORN_FIELDS] = {0};
    for (int i = 0; i < (torn ? TORN_FIELDS : FIELDS); i++) fields[i] = pliant__get_integer(block + MAGIC + 8 * i, 8);
    if (memcmp(block, torn ? torn_magic : magic, MAGIC) != 0 ||
        pliant__get_integer(block + hash_at, 8) != pliant__hash(block, hash_at, end) || fields[2] > end / (3 * sizeof(pliant_real)))
        return false;
    const uint64_t vectors = 3 * sizeof(pliant_real) * fields[2];
    *l = (layout){.torn = torn,
                  .size = {vectors, vectors, vectors, fields[15], fields[16], torn ? 4 * fields[2] : 0},
                  .frames = fields[1],
                  .points = fields[2],
                  .first = fields[3],
                  .shape = fields[5],
                  .at = {fields[6], fields[7], fields[8], fields[13], fields[14], fields[17]},
                  .attribute_at = fields[9],
                  .length_at = fields[10],
                  .end = end,
                  .checksum = fields[11],
                  .every = fields[12]};
    memcpy(&l->fps, &fields[4], 8);
    return fields[0] == sizeof(pliant_real);
}

/* The checksum of all but the frames and the two numbers, taken as for no frame. False on error, or where the arrays do not lie in the file. */
static bool load_rest(const pliant__source *file, const layout *l, pliant__bytes *to, pliant_error *error)
{
    pliant__hole   holes[FRAME_ARRAYS];
    const uint64_t numbers[2] = {l->attribute_at, l->length_at};
    size_t         count = l->points ? arrays_of(l) : 0;
    for (size_t i = 0; i < count; i++) holes[i] = (pliant__hole){l->at[i], l->frames * l->size[i]};
    if (!pliant__holes_sort(holes, count, l->end) || !pliant__holes_miss(holes, count, numbers[0], 8) ||
        !pliant__holes_miss(holes, count, numbers[1], 8))
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, file->path, 0, "damaged: it does not say where its frames are");
    if (!pliant__holes_load(file, holes, count, l->end, to, error)) return false;
    for (int i = 0; i < 2; i++) memset(to->data + pliant__holes_index(holes, count, numbers[i]), 0, 8);
    return true;
}

/* ---- making the file ---- */

typedef struct making {
    const pliant_writer *writer;
    layout              *layout;
    pliant__xdmf        *xdmf;
    pliant__bytes        data[64]; /* of arrays that are written at once */
    char                 paths[64][64];
    pliant__hdf_array    arrays[64];
    size_t               count;
} making;

static const char *const kinds[PLIANT__CELL_KINDS] = {"Vertices", "Lines", "Polygons", "Strips"};

/* An array of rows of `columns`; its data is in the next of `data`. */
static void add(making *m, const char *group, const char *name, pliant__hdf_type type, uint64_t rows, uint64_t columns, bool has_data)
{
    pliant__hdf_array *a = &m->arrays[m->count];
    char              *path = m->paths[m->count];
    snprintf(path, sizeof m->paths[0], "%s/%s", group, name);
    *a = (pliant__hdf_array){path, type, columns > 1 ? 2 : 1, {rows, columns}, has_data ? m->data[m->count].data : NULL, 0};
    m->count++;
}

/* An array of one integer, or of the same one over and over, or of multiples of `step`. */
static bool add_row(making *m, const char *group, const char *name, uint64_t rows, uint64_t columns, uint64_t first, uint64_t step)
{
    bool ok = true;
    for (uint64_t i = 0; ok && i < rows * columns; i++) ok = pliant__put_integer(&m->data[m->count], first + i * step, 8);
    if (ok) add(m, group, name, PLIANT__HDF_INT64, rows, columns, true);
    return ok;
}

static bool add_cells(making *m, pliant__cell_kind kind)
{
    const pliant__place *place = &m->writer->place;
    pliant__cells        all = {0, 0};
    uint64_t             first = 0;
    const bool           moves = m->layout->torn && kind == PLIANT__POLYGONS; /* the corners are each frame's own */
    pliant__bytes       *ids = &m->data[m->count], *ends = &m->data[m->count + !moves];
    char                 group[32] = "/VTKHDF/";
    bool                 ok = pliant__put_integer(ends, 0, 8);
    strcat(group, kinds[kind]);
    for (uint32_t i = 0; ok && i < place->body_count; i++) {
        pliant_body_info b = pliant__place_body(place, i);
        pliant__cells    cells = pliant__cells_of(&b, kind);
        const uint32_t  *faces;
        pliant__place_faces(place, &b, NULL, &faces);
        ok = (moves || pliant__put_cell_ids(ids, faces, &b, kind, first, 8)) &&
             pliant__put_cell_ends(ends, place->model, &b, kind, all.ids, 8);
        all.count += cells.count;
        all.ids += cells.ids;
        first += b.surface_vertex_count;
    }
    if (!ok) return false;
    if (!moves) add(m, group, "Connectivity", PLIANT__HDF_INT64, all.ids, 1, true);
    add(m, group, "Offsets", PLIANT__HDF_INT64, all.count + 1, 1, true);
    return add_row(m, group, "NumberOfCells", 1, 1, all.count, 0) && add_row(m, group, "NumberOfConnectivityIds", 1, 1, all.ids, 0);
}

/* XDMF's cells: the kind, how many vertices unless the kind says so, the vertices; those of polygons as `faces` has them. */
static bool put_mixed(pliant__bytes *to, const pliant__place *place, const uint32_t *faces, const pliant_body_info *b,
                      pliant__cell_kind kind, uint64_t first, size_t size)
{
    enum { POLYVERTEX = 1, POLYLINE, POLYGON, TRIANGLE, QUADRILATERAL };
    static const uint64_t lists[PLIANT__CELL_KINDS] = {POLYVERTEX, POLYLINE, POLYGON, POLYGON};
    const uint64_t        count = pliant__cells_of(b, kind).count;
    const uint32_t       *indices = kind == PLIANT__POLYGONS ? faces : NULL;
    bool                  ok = true;
    for (uint64_t c = 0, at = 0; ok && c < count; c++) {
        const uint32_t n = pliant__cell_size(place->model, b, kind, (uint32_t)c);
        const bool     face = kind_says(kind, n);
        ok = pliant__put_integer(to, face ? (n == 3 ? TRIANGLE : QUADRILATERAL) : lists[kind], size) &&
             (face || pliant__put_integer(to, n, size));
        for (uint32_t i = 0; ok && i < n; i++, at++) ok = pliant__put_integer(to, first + (indices ? indices[at] : at), size);
    }
    return ok;
}

/* All cells of all bodies, with the faces of a state or, where it is NULL, those at the start. */
static bool put_topology(pliant__bytes *to, const pliant__place *place, const pliant_state *state, size_t size)
{
    uint64_t first = 0;
    bool     ok = true;
    for (uint32_t i = 0; ok && i < place->body_count; i++) {
        const pliant_body_info b = pliant__place_body(place, i);
        const uint32_t        *faces;
        pliant__place_faces(place, &b, NULL, &faces);
        if (state) faces = pliant__faces_now(place, &b, state);
        for (int k = 0; ok && k < PLIANT__CELL_KINDS; k++) ok = put_mixed(to, place, faces, &b, (pliant__cell_kind)k, first, size);
        first += b.surface_vertex_count;
    }
    return ok;
}

static bool add_topology(making *m)
{
    const pliant__place *place = &m->writer->place;
    const size_t         size = topology_bytes(m->layout);
    pliant__bytes       *to = &m->data[m->count];
    const bool           ok = put_topology(to, place, NULL, size);
    for (uint32_t i = 0; i < place->body_count; i++)
        for (int k = 0; k < PLIANT__CELL_KINDS; k++) {
            const pliant_body_info b = pliant__place_body(place, i);
            m->xdmf->cells += pliant__cells_of(&b, (pliant__cell_kind)k).count;
        }
    m->xdmf->topology_size = to->count / size;
    m->xdmf->topology_bytes = (uint32_t)size;
    m->xdmf->reshapes = m->layout->torn;
    if (m->layout->torn)
        to->count = 0; /* that was to be measured */
    else
        add(m, "/XDMF", "Topology", size == 4 ? PLIANT__HDF_INT32 : PLIANT__HDF_INT64, to->count / size, 1, true);
    return ok;
}

static bool add_bodies(making *m)
{
    const pliant__place *place = &m->writer->place;
    bool                 ok = true;
    for (uint32_t i = 0; ok && i < place->body_count; i++)
        for (uint32_t v = pliant__place_body(place, i).surface_vertex_count; ok && v; v--)
            ok = pliant__put_integer(&m->data[m->count], i, 4);
    add(m, "/VTKHDF/PointData", "body", PLIANT__HDF_INT32, m->layout->points, 1, true);
    return ok;
}

/* Where a frame's corners begin, of each kind of cells: polygons have each frame's own where a body tears. */
static bool add_id_offsets(making *m, const char *steps)
{
    const uint64_t step = m->layout->torn ? m->layout->size[CORNERS] / 8 : 0;
    bool           ok = true;
    for (uint64_t f = 0; ok && f < m->layout->frames; f++)
        for (int k = 0; ok && k < PLIANT__CELL_KINDS; k++)
            ok = pliant__put_integer(&m->data[m->count], k == PLIANT__POLYGONS ? f * step : 0, 8);
    if (ok) add(m, steps, "ConnectivityIdOffsets", PLIANT__HDF_INT64, m->layout->frames, PLIANT__CELL_KINDS, true);
    return ok;
}

static bool add_steps(making *m)
{
    static const char steps[] = "/VTKHDF/Steps", data[] = "/VTKHDF/Steps/PointDataOffsets";
    const uint64_t    frames = m->layout->frames, points = m->layout->points;
    return add_row(m, steps, "NumberOfParts", frames, 1, 1, 0) && add_row(m, steps, "PartOffsets", frames, 1, 0, 0) &&
           add_row(m, steps, "PointOffsets", frames, 1, 0, points) && add_row(m, steps, "CellOffsets", frames, PLIANT__CELL_KINDS, 0, 0) &&
           add_id_offsets(m, steps) && add_row(m, data, "Normals", frames, 1, 0, points) &&
           add_row(m, data, "Velocity", frames, 1, 0, points) && add_row(m, data, "body", frames, 1, 0, 0) &&
           (!m->layout->torn || add_row(m, data, "origin", frames, 1, 0, points));
}

static bool add_all(making *m)
{
    const pliant__hdf_type real = sizeof(pliant_real) == 4 ? PLIANT__HDF_FLOAT32 : PLIANT__HDF_FLOAT64;
    const uint64_t         rows = m->layout->frames * m->layout->points;
    bool                   ok = add_steps(m) && add_row(m, "/VTKHDF", "NumberOfPoints", 1, 1, m->layout->points, 0);
    for (int k = 0; ok && k < PLIANT__CELL_KINDS; k++) ok = add_cells(m, (pliant__cell_kind)k);
    ok = ok && add_bodies(m) && add_topology(m);
    add(m, "/VTKHDF", "Points", real, rows, 3, false);
    add(m, "/VTKHDF/PointData", "Normals", real, rows, 3, false);
    add(m, "/VTKHDF/PointData", "Velocity", real, rows, 3, false);
    if (!m->layout->torn) return ok;
    const size_t size = topology_bytes(m->layout);
    add(m, "/VTKHDF/Polygons", "Connectivity", PLIANT__HDF_INT64, m->layout->frames * m->layout->size[CORNERS] / 8, 1, false);
    add(m, "/XDMF", "Topology", size == 4 ? PLIANT__HDF_INT32 : PLIANT__HDF_INT64, m->layout->frames * m->layout->size[TOPOLOGY] / size, 1,
        false);
    add(m, "/VTKHDF/PointData", "origin", PLIANT__HDF_INT32, rows, 1, false);
    return ok;
}

static bool put_times(pliant__bytes *to, const layout *l, const pliant_write_def *def)
{
    bool ok = true;
    for (uint64_t i = 0; ok && i < l->frames; i++) {
        const double time = pliant__def_time(def, i);
        uint64_t     bits;
        memcpy(&bits, &time, 8);
        ok = pliant__put_integer(to, bits, 8);
    }
    return ok;
}

static bool make_head(making *m, pliant__bytes *head, pliant_error *error)
{
    static const char *const      groups[] = {"/VTKHDF",
                                              "/VTKHDF/Steps",
                                              "/VTKHDF/Steps/PointDataOffsets",
                                              "/VTKHDF/Vertices",
                                              "/VTKHDF/Lines",
                                              "/VTKHDF/Polygons",
                                              "/VTKHDF/Strips",
                                              "/VTKHDF/PointData",
                                              "/XDMF",
                                              NULL};
    static const pliant__hdf_text texts[] = {
        {"/VTKHDF", "Type", "PolyData"}, {"/VTKHDF/PointData/Normals", "Attribute", "Normals"}, {NULL, NULL, NULL}};
    pliant__bytes     *times = &m->data[m->count];
    pliant__hdf_layout l = {.groups = groups,
                            .texts = texts,
                            .root = "/VTKHDF",
                            .version = {2, 6},
                            .steps = {.group = "/VTKHDF/Steps", .attribute = "NSteps", .array = "Values", .most = m->layout->frames},
                            .arrays = m->arrays,
                            .array_count = m->count};
    if (!put_times(times, m->layout, &m->writer->def)) return pliant__fail_memory(error, times->count, "a file's layout");
    l.steps.data = times->data;
    if (!pliant__hdf_make(&l, head, error)) return false;
    m->layout->end = l.size;
    const size_t count = arrays_of(m->layout);
    for (size_t i = 0; i < count; i++) m->layout->at[i] = m->arrays[m->count - count + i].offset;
    m->layout->attribute_at = l.steps.attribute_at;
    m->layout->length_at = l.steps.length_at;
    return true;
}

/* ---- writing ---- */

typedef struct writing {
    layout       layout;
    pliant__xdmf xdmf;
    uint64_t     counts_at; /* place in the file of the bytes in writer->kept: the two numbers, and those between them */
} writing;

static char *path_of(const pliant__place *place, uint32_t i)
{
    const size_t length = strlen(place->path), head = i ? length - strlen(place->format->info.ending) : length;
    char        *path = malloc(length + 1);
    if (path) strcpy((char *)memcpy(path, place->path, head) + head, i ? ".xmf" : "");
    return path;
}

/* The head of the .xmf, from numbers that do not lie in the file. */
static void name_xdmf(const pliant_writer *w, writing *g, uint32_t frames)
{
    const char *slash = strrchr(w->place.path, '/');
    g->xdmf = (pliant__xdmf){.file = slash ? slash + 1 : w->place.path,
                             .points = g->layout.points,
                             .frames = frames,
                             .first_frame = w->def.first_frame,
                             .every = w->def.every,
                             .rate = pliant__def_rate(&w->def)};
}

static bool start(pliant_writer *w, uint32_t frames, pliant_error *error)
{
    writing *g = calloc(1, sizeof *g);
    if (!g) return pliant__fail_memory(error, sizeof *g, "a writer");
    w->own = g;
    g->layout = (layout){.frames = frames, .first = w->def.first_frame, .every = w->def.every, .fps = w->def.fps};
    measure(&g->layout, &w->place);
    g->layout.shape = shape_of(&w->place);
    name_xdmf(w, g, frames);
    return pliant__writer_make_files(w, 2, error);
}

static void free_making(making *m)
{
    for (size_t i = 0; i < sizeof m->data / sizeof *m->data; i++) array_free(NULL, &m->data[i]);
    free(m);
}

static bool has_room(const pliant_writer *w, const layout *l, pliant_error *error)
{
    const uint64_t room = pliant__file_room(w->place.path);
    const double   size = (double)l->frames * ((double)frame_size(l) + 2048); /* of the .xmf */
    return size <= (double)room ||
           pliant__fail_at(error, PLIANT_ERROR_IO, w->place.path, 0,
                           "with all of its %llu frames it takes %.3g GB, and there is room for %.3g GB: No space left on device",
                           (unsigned long long)l->frames, size / 1e9, (double)room / 1e9);
}

static bool sum_rest(const char *path, layout *l, pliant_error *error)
{
    pliant__source file;
    pliant__bytes  rest = {0};
    bool           ok = pliant__source_open(&file, path, error) && load_rest(&file, l, &rest, error);
    if (ok) l->checksum = pliant__hash(rest.data, rest.count, 0);
    array_free(NULL, &rest);
    pliant__source_close(&file);
    return ok;
}

/* The head, all the room, and the block behind it. What was not written between them takes no space on the disk. */
static bool write_layout(pliant_writer *w, const pliant__bytes *head, pliant_error *error)
{
    writing      *g = w->own;
    pliant__file *file = &w->files[0];
    char          block[TORN_BLOCK] = {0};
    const size_t  block_size = block_of(&g->layout);
    pliant__file_sweep(w->place.path);
    if (!pliant__file_open(file, w->place.path, error) || !pliant__file_append(file, head->data, head->count, error)) return false;
    pliant__file_share(file);
    file->end = g->layout.end;
    if (!pliant__file_patch(file, file->end, block, block_size, error) || !sum_rest(file->temporary, &g->layout, error)) return false;
    put_block(&g->layout, block);
    return pliant__file_append(file, block, block_size, error);
}

/* Makes the file under its temporary name. */
static bool lay_out(pliant_writer *w, pliant_error *error)
{
    writing      *g = w->own;
    making       *m = calloc(1, sizeof *m);
    pliant__bytes head = {0};
    if (!m) return pliant__fail_memory(error, sizeof *m, "a file's layout");
    *m = (making){.writer = w, .layout = &g->layout, .xdmf = &g->xdmf};
    bool ok = has_room(w, &g->layout, error) && (add_all(m) || pliant__fail_memory(error, m->data[m->count].count, "a file's layout")) &&
              make_head(m, &head, error) && write_layout(w, &head, error);
    free_making(m);
    array_free(NULL, &head);
    return ok;
}

/* The bytes that count frames, from the file as it is. */
static bool load_counts(pliant_writer *w, const char *path, pliant_error *error)
{
    writing       *g = w->own;
    const layout  *l = &g->layout;
    pliant__source file;
    g->counts_at = l->attribute_at < l->length_at ? l->attribute_at : l->length_at;
    if (counts_size(l) > PAGE)
        return pliant__fail_at(error, PLIANT_ERROR_UNAVAILABLE, w->place.path, 0, "libhdf5 has laid what counts frames too far apart");
    const size_t size = (size_t)counts_size(l);
    w->kept.count = 0;
    char *to = array_extend(NULL, &w->kept, size);
    if (!to) return pliant__fail_memory(error, size, "a file's layout");
    bool ok = pliant__source_open(&file, path, error) && pliant__source_read(&file, g->counts_at, to, size, error);
    pliant__source_close(&file);
    return ok;
}

static bool count_frames(pliant_writer *w, uint64_t frames, pliant_error *error)
{
    const writing *g = w->own;
    set_field(w->kept.data + (g->layout.attribute_at - g->counts_at), frames);
    set_field(w->kept.data + (g->layout.length_at - g->counts_at), frames);
    return pliant__file_patch(&w->files[0], g->counts_at, w->kept.data, w->kept.count, error);
}

static bool put_origins(pliant_writer *w, const pliant_state *state)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < w->place.body_count; i++) {
        const pliant_body_info b = pliant__place_body(&w->place, i);
        for (uint32_t v = 0; ok && v < b.surface_vertex_count; v++)
            ok = pliant__put_integer(&w->text, pliant__origin_now(&w->place, &b, state, v), 4);
    }
    return ok;
}

/* Corners of polygons, the topology, and origins of vertices, behind the vectors of a frame. */
static bool put_corners(pliant_writer *w, const layout *l, const pliant_state *state, pliant_error *error)
{
    uint64_t first = 0;
    bool     ok = true;
    for (uint32_t i = 0; ok && i < w->place.body_count; i++) {
        const pliant_body_info b = pliant__place_body(&w->place, i);
        ok = pliant__put_cell_ids(&w->text, pliant__faces_now(&w->place, &b, state), &b, PLIANT__POLYGONS, first, 8);
        first += b.surface_vertex_count;
    }
    return (ok && put_topology(&w->text, &w->place, state, topology_bytes(l)) && put_origins(w, state)) ||
           pliant__fail_memory(error, w->text.count, "a frame");
}

/* A frame of all bodies: points, normals, velocities, one array behind the other; and its faces where they are its own. */
static bool make_frame(pliant_writer *w, const pliant_state *state, pliant_error *error)
{
    const writing *g = w->own;
    const size_t   size = (size_t)g->layout.size[POINTS], vector = 3 * sizeof(pliant_real);
    size_t         at = 0;
    w->text.count = 0;
    char *to = array_extend(NULL, &w->text, VECTORS * size);
    if (!to) return pliant__fail_memory(error, VECTORS * size, "a frame");
    for (uint32_t i = 0; i < w->place.body_count; i++) {
        pliant_body_info b = pliant__place_body(&w->place, i);
        if (!pliant__put_vertices(&w->place, &b, state, w->x) || !pliant__put_velocities(&w->place, &b, state, w->v))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the state has no vertices of %s", b.name);
        pliant__set_vectors(to + at, w->x, b.surface_vertex_count, 2);
        pliant__set_vectors(to + size + at, w->x + 1, b.surface_vertex_count, 2);
        pliant__set_vectors(to + 2 * size + at, w->v, b.surface_vertex_count, 1);
        at += vector * b.surface_vertex_count;
    }
    return !g->layout.torn || put_corners(w, &g->layout, state, error);
}

static bool write_arrays(pliant_writer *w, uint64_t frame, pliant_error *error)
{
    const layout *l = &((const writing *)w->own)->layout;
    size_t        from = 0;
    bool          ok = true;
    for (size_t i = 0; ok && l->points && i < arrays_of(l); from += (size_t)l->size[i++])
        ok = pliant__file_patch(&w->files[0], l->at[i] + frame * l->size[i], w->text.data + from, (size_t)l->size[i], error);
    return ok;
}

#define XDMF_PIECE ((size_t)1 << 16) /* of the .xmf is in memory at once */

/* Appends what there is of the .xmf, if it is enough or the last of it. */
static bool append_xdmf(pliant_writer *w, bool last, pliant_error *error)
{
    if (!last && w->text.count < XDMF_PIECE) return true;
    const bool ok = pliant__file_append(&w->files[1], w->text.data, w->text.count, error);
    w->text.count = 0;
    return ok;
}

static bool append_places(pliant_writer *w, uint64_t shown, pliant_error *error)
{
    writing *g = w->own;
    w->text.count = 0;
    bool ok = pliant__xdmf_begin(&w->text, &g->xdmf) || pliant__fail_memory(error, w->text.count, "an .xmf");
    for (uint64_t i = 0; ok && i < g->xdmf.frames; i++)
        ok = (pliant__xdmf_put_place(&w->text, &g->xdmf, i, i < shown) || pliant__fail_memory(error, w->text.count, "an .xmf")) &&
             append_xdmf(w, false, error);
    return ok && (pliant__xdmf_end(&w->text) || pliant__fail_memory(error, w->text.count, "an .xmf")) && append_xdmf(w, true, error);
}

/* The whole .xmf, with so many frames. */
static bool write_xdmf(pliant_writer *w, uint64_t shown, pliant_error *error)
{
    pliant__file *file = &w->files[1];
    char         *path = path_of(&w->place, 1);
    bool          ok = path || pliant__fail_memory(error, w->text.count, "an .xmf");
    if (ok) pliant__file_sweep(path);
    ok = ok && pliant__file_open(file, path, error) && append_places(w, shown, error) && pliant__file_commit(file, error) &&
         pliant__writer_note(w, path, error);
    free(path);
    return ok;
}

static bool show_frame(pliant_writer *w, uint64_t frame, pliant_error *error)
{
    const writing *g = w->own;
    w->text.count = 0;
    if (!pliant__xdmf_put_frame(&w->text, &g->xdmf, frame)) return pliant__fail_memory(error, w->text.count, "an .xmf");
    return pliant__file_patch(&w->files[1], g->xdmf.places_at + frame * g->xdmf.place, w->text.data, w->text.count, error) &&
           pliant__file_commit(&w->files[1], error);
}

/* A file that was laid out gets its name, with so many frames. */
static bool finish(pliant_writer *w, uint64_t frames, pliant_error *error)
{
    return count_frames(w, frames, error) && pliant__file_commit(&w->files[0], error) && pliant__writer_note(w, w->place.path, error) &&
           write_xdmf(w, frames, error);
}

bool pliant__vtkhdf_write(pliant_writer *w, const pliant_state *state, pliant_error *error)
{
    if (!w->def.frames)
        return pliant__fail_at(error, PLIANT_ERROR_ARGUMENT, w->place.path, 0,
                               "a .vtkhdf is laid out for all of its frames at once; say how many there will be (pliant_write_def.frames)");
    if (w->frames >= w->def.frames)
        return pliant__fail_at(error, PLIANT_ERROR_ARGUMENT, w->place.path, 0, "a .vtkhdf that was laid out for %u frames has them all",
                               w->def.frames);
    const bool first = w->frames == 0;
    if (first && !(start(w, w->def.frames, error) && lay_out(w, error) && load_counts(w, w->files[0].temporary, error))) return false;
    if (!make_frame(w, state, error) || !write_arrays(w, w->frames, error)) return false;
    if (first) return finish(w, 1, error);
    return count_frames(w, w->frames + 1ull, error) && pliant__file_commit(&w->files[0], error) && show_frame(w, w->frames, error);
}

/* ---- before ---- */

char *pliant__vtkhdf_xmf_path(const pliant__place *place, uint32_t i)
{
    (void)i;
    return path_of(place, 1);
}

/* Any HDF5 file begins alike, so it is by the block at its end. */
bool pliant__vtkhdf_own(const pliant__place *place, uint32_t body, const char *head, size_t size, const pliant__source *file)
{
    char end[MAGIC];
    (void)place, (void)body;
    if (size < START || memcmp(head, signature, START) != 0 || file->size <= TORN_BLOCK) return false;
    return (pliant__source_read(file, file->size - BLOCK, end, MAGIC, NULL) && memcmp(end, magic, MAGIC) == 0) ||
           (pliant__source_read(file, file->size - TORN_BLOCK, end, MAGIC, NULL) && memcmp(end, torn_magic, MAGIC) == 0);
}

/* The size of both files, laid out for one frame, and the bytes that every other frame adds: its vectors, and its rows in Steps. */
bool pliant__vtkhdf_bytes(const pliant__place *place, const pliant_write_def *def, uint64_t *bytes, pliant_error *error)
{
    enum { STEP = 8 * (4 + 2 * PLIANT__CELL_KINDS + 3) };
    pliant_writer w = {.place = *place, .def = *def};
    writing       g = {.layout = {.frames = 1, .first = def->first_frame, .fps = def->fps}};
    making       *m = calloc(1, sizeof *m);
    pliant__bytes head = {0};
    uint64_t      more = 0;
    if (!m) return pliant__fail_memory(error, sizeof *m, "a file's layout");
    measure(&g.layout, place);
    *m = (making){.writer = &w, .layout = &g.layout, .xdmf = &g.xdmf};
    name_xdmf(&w, &g, def->frames);
    bool ok = (add_all(m) || pliant__fail_memory(error, m->data[m->count].count, "a file's layout")) && make_head(m, &head, error) &&
              (pliant__xdmf_size(&g.xdmf, &more) || pliant__fail_memory(error, 1024, "an .xmf"));
    *bytes = g.layout.end + block_of(&g.layout) + more + (def->frames - 1ull) * (frame_size(&g.layout) + STEP);
    free_making(m);
    array_free(NULL, &head);
    return ok;
}

/* ---- going on ---- */

/* Copies frames of another file of the same bodies. */
static bool copy_frames(pliant_writer *w, const pliant_cache *cache, pliant_error *error)
{
    const layout *from = cache->own;
    const size_t  size = (size_t)frame_size(from);
    bool          ok = true;
    for (uint32_t frame = 0; ok && size && frame < w->def.there; frame++) {
        w->text.count = 0;
        char *to = array_extend(NULL, &w->text, size);
        ok = to || pliant__fail_memory(error, size, "a frame");
        for (size_t i = 0; ok && i < arrays_of(from); to += from->size[i++])
            ok = pliant__source_read(&cache->files[0], from->at[i] + frame * from->size[i], to, (size_t)from->size[i], error);
        ok = ok && write_arrays(w, frame, error);
    }
    return ok;
}

/* Of another length, it is laid out anew, and takes the place of the old one with all frames that are kept. */
static bool lay_out_again(pliant_writer *w, const pliant_cache *cache, pliant_error *error)
{
    return lay_out(w, error) && load_counts(w, w->files[0].temporary, error) && copy_frames(w, cache, error) &&
           finish(w, w->def.there, error);
}

/* Where the old file is as long as it has to be, it is gone on with. The numbers that the .xmf needs are read again. */
static bool go_on(pliant_writer *w, const pliant_cache *cache, pliant_error *error)
{
    const layout *from = cache->own;
    writing      *g = w->own;
    making       *m = calloc(1, sizeof *m);
    if (!m) return pliant__fail_memory(error, sizeof *m, "a file's layout");
    *m = (making){.writer = w, .layout = &g->layout, .xdmf = &g->xdmf};
    bool ok = add_topology(m) || pliant__fail_memory(error, m->data[0].count, "a file's layout");
    array_free(NULL, &m->data[0]);
    free(m);
    g->layout = *from;
    ok = ok && load_counts(w, w->place.path, error) && pliant__file_reopen(&w->files[0], w->place.path, from->end + block_of(from), error);
    if (!ok) return false;
    pliant__file_share(&w->files[0]);
    return count_frames(w, w->def.there, error) && pliant__writer_note(w, w->place.path, error) && write_xdmf(w, w->def.there, error);
}

bool pliant__vtkhdf_resume(pliant_writer *w, pliant_cache *cache, pliant_error *error)
{
    const layout *from = cache->own;
    if (!w->def.frames) w->def.frames = (uint32_t)from->frames;
    if (w->def.frames < w->def.there) w->def.frames = w->def.there;
    if (!start(w, w->def.frames, error)) return false;
    const bool same = from->frames == w->def.frames && memcmp(&from->fps, &w->def.fps, sizeof from->fps) == 0;
    return same ? go_on(w, cache, error) : lay_out_again(w, cache, error);
}

/* ---- reading ---- */

static bool fail_file(const pliant__source *file, const char *what, pliant_error *error)
{
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, file->path, 0, "%s", what);
}

/* The block, if it is one, of this model. */
static bool read_layout(const pliant_cache *c, layout *l, pliant_error *error)
{
    const pliant__source *file = &c->files[0];
    char                  block[TORN_BLOCK], start[START];
    measure(l, &c->place);
    const layout   expected = *l;
    const uint64_t points = l->points;
    const size_t   block_size = block_of(l);
    if (file->size < START + block_size) return fail_file(file, "not a VTKHDF file that Pliant wrote, or cut off", error);
    if (!pliant__source_read(file, 0, start, START, error) || !pliant__source_read(file, file->size - block_size, block, block_size, error))
        return false;
    if (memcmp(start, signature, START) != 0) return fail_file(file, "not an HDF5 file", error);
    if (!get_block(l, file->size - block_size, block))
        return fail_file(file, "not a VTKHDF file that Pliant wrote in this precision, or cut off", error);
    if (l->points != points)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, file->path, 0, "%llu points where this model has %llu",
                               (unsigned long long)l->points, (unsigned long long)points);
    if (l->shape != shape_of(&c->place)) return fail_file(file, "its bodies or their faces are not those of this model", error);
    if (memcmp(l->size, expected.size, sizeof l->size) != 0 || l->frames > UINT32_MAX || l->first > UINT32_MAX || !l->every ||
        l->every > UINT32_MAX || (points && l->frames > l->end / frame_size(l)) || l->attribute_at > l->end - 8 ||
        l->length_at > l->end - 8 || l->end < 8 || counts_size(l) > PAGE)
        return fail_file(file, "damaged: it does not say where its frames are", error);
    return true;
}

/* The number of frames that the file counts, if all else is as it was written. */
static bool read_counts(pliant_cache *c, const layout *l, pliant_error *error)
{
    const pliant__source *file = &c->files[0];
    char                  numbers[2][8];
    c->text.count = 0;
    if (!load_rest(file, l, &c->text, error)) return false;
    if (pliant__hash(c->text.data, c->text.count, 0) != l->checksum) return fail_file(file, "damaged: its checksum does not fit", error);
    if (!pliant__source_read(file, l->attribute_at, numbers[0], 8, error) || !pliant__source_read(file, l->length_at, numbers[1], 8, error))
        return false;
    uint64_t frames = l->frames;
    for (int i = 0; i < 2; i++)
        if (pliant__get_integer(numbers[i], 8) < frames) frames = pliant__get_integer(numbers[i], 8);
    if (!frames) return fail_file(file, "no whole frame", error);
    c->first = (uint32_t)l->first;
    c->every = (uint32_t)l->every;
    c->rate = l->fps * (double)l->every;
    c->frames = frames < c->most ? (uint32_t)frames : c->most;
    return true;
}

bool pliant__vtkhdf_open(pliant_cache *c, pliant_error *error)
{
    layout *l = c->own = calloc(1, sizeof *l);
    if (!l) return pliant__fail_memory(error, sizeof *l, "a cache");
    return pliant__cache_open_files(c, 1, path_of, error) && read_layout(c, l, error) && read_counts(c, l, error);
}

static bool read_array(pliant_cache *c, uint32_t index, int array, pliant_vec3 *to, pliant_error *error)
{
    const layout *l = c->own;
    const size_t  size = (size_t)l->size[array];
    size_t        wrong = 0;
    if (!pliant__cache_load(c, &c->files[0], l->at[array] + (uint64_t)index * size, size, error)) return false;
    return pliant__get_vectors(c->text.data, to, (size_t)l->points, &wrong) ||
           pliant__fail_at(error, PLIANT_ERROR_INPUT, c->files[0].path, 0, "frame %llu: point %zu is not finite",
                           (unsigned long long)pliant__cache_number(c, index), wrong);
}

/* Corners of all bodies' faces, which count vertices through. */
static bool read_corners(pliant_cache *c, uint32_t index, pliant_error *error)
{
    const layout *l = c->own;
    if (!pliant__cache_load(c, &c->files[0], l->at[CORNERS] + index * l->size[CORNERS], (size_t)l->size[CORNERS], error)) return false;
    const char *from = c->text.data;
    for (uint32_t i = 0; i < c->place.body_count; i++) {
        const pliant_body_info b = pliant__place_body(&c->place, i);
        for (size_t k = 0; k < b.face_index_count; k++, from += 8) {
            const uint64_t vertex = pliant__get_integer(from, 8);
            if (!pliant__reshapes(&c->place, &b)) continue;
            if (vertex < c->offset[i] || !pliant__cache_set_corner(c, i, k, vertex - c->offset[i]))
                return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->files[0].path, 0, "frame %llu: corner %zu of %s is no vertex",
                                       (unsigned long long)pliant__cache_number(c, index), k, b.name);
        }
    }
    return true;
}

bool pliant__vtkhdf_read(pliant_cache *c, uint32_t index, pliant_error *error)
{
    const layout *l = c->own;
    return read_array(c, index, POINTS, c->x, error) && read_array(c, index, VELOCITY, c->v, error) &&
           (!l->torn || read_corners(c, index, error));
}
