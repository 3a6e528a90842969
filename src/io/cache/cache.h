/* A cache being read: fields and functions that the formats share. */
#ifndef PLIANT_IO_CACHE_CACHE_H
#define PLIANT_IO_CACHE_CACHE_H

#include "io/files/file.h"
#include "io/cache/format.h"

struct pliant_cache {
    pliant__place   place;
    uint32_t        frames, first; /* whole frames, and the number of the first one */
    uint32_t        every;         /* from one number to the next; 0: there is but one, and it does not say */
    double          rate;          /* numbers per second; 0: the file does not say */
    uint32_t        most;          /* frames that are looked for; bytes behind them may be anything */
    bool            holds;         /* it holds a frame: x, v and state are whole */
    pliant__source *files;         /* files that stay open: one, or one per body */
    uint32_t        file_count;
    ARRAY(uint64_t) begins;  /* of text: where each frame begins, and where the last one ends */
    pliant__bytes text;      /* bytes that are being read */
    void         *own;       /* a format's own data on the files; from malloc */
    pliant__bytes head;      /* of text: the beginning of every row of a body */
    size_t       *offset;    /* per body: where its vertices lie in x and v; and where the last one's end */
    pliant_vec3  *x, *v;     /* simulated vertices if the format has them, else surface vertices; v is 0 where there are no velocities */
    size_t       *corner_at; /* per body: where the corners of its faces lie in `corners`, if it tears; and where the last one's end */
    uint32_t     *corners;   /* vertices of the frame at the corners of faces, of bodies that tear */
    struct pliant__taken *taken; /* of formats that are put together at the end */
    pliant_state         *state; /* simulated formats only: x and v in a state, which carries the visual surfaces */
};

/* pliant_cache_open of a cache that is exploded or not, where no more than so many frames are looked for. */
pliant_cache *pliant__cache_open(const char *path, const pliant_model *model, bool exploded, uint32_t most, pliant_error *error);

/* Opens `count` files; `path_of` makes the path of number i, from malloc. */
bool pliant__cache_open_files(pliant_cache *cache, uint32_t count, char *(*path_of)(const pliant__place *place, uint32_t i),
                              pliant_error *error);

/* The number of frame `index`; where only one is known, those after it follow one by one. */
uint64_t pliant__cache_number(const pliant_cache *cache, uint32_t index);

/* Vertices of body `index` that a frame of the cache has. */
uint32_t pliant__cache_vertices(const pliant_cache *cache, uint32_t index);

/* Sets corner `index` of the faces of body number `body`, which tears. False: the frame has no such vertex. */
bool pliant__cache_set_corner(pliant_cache *cache, uint32_t body, size_t index, uint64_t vertex);

/* Bytes [offset, offset + size) of a file into cache->text. */
bool pliant__cache_load(pliant_cache *cache, const pliant__source *file, uint64_t offset, size_t size, pliant_error *error);

/* A line number, as errors have it. */
int pliant__line(uint64_t line);

#endif
