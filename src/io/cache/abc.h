/* Alembic archives (.abc): layout and functions that their writer and their reader share.
 *
 * An archive has an object per body, a transform of the body's name that moves nothing, and in it the shape: a mesh, a curve (a rope) or
 * points. A shape is a row of properties, and a property a row of samples: one that is there for every frame, or one per frame.
 *
 * In the file, samples lie by themselves: those that stay behind the header, and then frame after frame, each with the samples that
 * move, of all bodies; so a frame has one size, and frame i one place. The corners of faces move too, of a body that tears. Behind the frames lies the index, the groups that name the samples:
 *
 *   header | fixed samples | frame 0 | frame 1 | ... | room for frames to come | lists | tree | tree |
 *
 * A property that moves has a list, which has room for frames to come as well. The tree is all other groups: the objects, and the heads of the
 * properties, which say how many samples count. A frame is written; then its places into the lists, where no count includes them yet; then the tree
 * that is not in use; and then the eight bytes of the header that say which tree is. So the archive is valid whenever the writer is stopped. Where
 * the frames reach the lists, the index is written anew further behind, with more room. When the archive is closed, the index moves to right behind
 * the frames, without room: the bytes depend on the frames alone. */
#ifndef PLIANT_IO_CACHE_ABC_H
#define PLIANT_IO_CACHE_ABC_H

#include "io/cache/cache.h"
#include "io/files/ogawa.h"

/* Most bytes of an archive's description of itself, and whether a description is Pliant's. */
enum { PLIANT__ABC_ABOUT = 4096 };
bool pliant__abc_words_own(const pliant__bytes *words);

/* Sizes in front of a sample's bytes: how many there are, and their digest. */
enum { PLIANT__ABC_SAMPLE = 8 + PLIANT__DIGEST };

/* A sample, its digest looked at, behind which its `size` bytes are. */
bool pliant__abc_load_sample(const pliant__ogawa_file *from, uint64_t data, uint64_t size, pliant__bytes *to);

/* Where a property's values come from. The first that do not move is PLIANT__ABC_FIXED. */
typedef enum pliant__abc_source {
    PLIANT__ABC_BOUNDS,
    PLIANT__ABC_POSITIONS,
    PLIANT__ABC_VELOCITIES,
    PLIANT__ABC_NORMALS,
    PLIANT__ABC_FACE_INDICES_NOW, /* of a body that tears */
    PLIANT__ABC_FACE_INDICES,
    PLIANT__ABC_FIXED = PLIANT__ABC_FACE_INDICES,
    PLIANT__ABC_FACE_SIZES,
    PLIANT__ABC_CURVE_SIZES,
    PLIANT__ABC_CURVE_TYPE,
    PLIANT__ABC_IDS
} pliant__abc_source;

/* A type of numbers, as Alembic counts them, and its size. */
typedef enum pliant__abc_pod {
    PLIANT__ABC_BOOL = 0,
    PLIANT__ABC_U8 = 1,
    PLIANT__ABC_I32 = 6,
    PLIANT__ABC_U64 = 7,
    PLIANT__ABC_F32 = 10,
    PLIANT__ABC_F64 = 11
} pliant__abc_pod;

/* Words (metadata) of objects and properties; an archive has each once, and refers to it by number. */
typedef enum pliant__abc_words {
    PLIANT__ABC_NOTHING,
    PLIANT__ABC_XFORM_OBJECT,
    PLIANT__ABC_XFORM,
    PLIANT__ABC_MESH_OBJECT,
    PLIANT__ABC_MESH,
    PLIANT__ABC_CURVES_OBJECT,
    PLIANT__ABC_CURVES,
    PLIANT__ABC_POINTS_OBJECT,
    PLIANT__ABC_POINTS,
    PLIANT__ABC_BOX,
    PLIANT__ABC_VERTICES,
    PLIANT__ABC_VARYING,
    PLIANT__ABC_VECTOR,
    PLIANT__ABC_NORMAL,
    PLIANT__ABC_SCOPE,
    PLIANT__ABC_WORDS
} pliant__abc_words;

typedef struct pliant__abc_property {
    const char        *name;
    pliant__abc_source source;
    pliant__abc_pod    pod;
    unsigned           extent; /* numbers that make a value */
    bool               scalar; /* one value; else an array of them */
    pliant__abc_words  words;
} pliant__abc_property;

enum { PLIANT__ABC_PROPERTIES = 6 }; /* of a shape, at most */

typedef struct pliant__abc_kind {
    pliant__abc_words    object, schema;
    pliant__abc_property properties[PLIANT__ABC_PROPERTIES];
} pliant__abc_kind;

extern const char *const pliant__abc_text[PLIANT__ABC_WORDS];

const pliant__abc_kind *pliant__abc_kind_of(const pliant__place *place, const pliant_body_info *body);

/* The next property of a kind, from `from` on, that moves or stays; NULL behind the last. */
const pliant__abc_property *pliant__abc_next(const pliant__abc_kind *kind, const pliant__abc_property *from, bool moves);

#define PLIANT__ABC_EACH(property, kind, moves)                                                                  \
    for (const pliant__abc_property *property = pliant__abc_next((kind), (kind)->properties, (moves)); property; \
         property = pliant__abc_next((kind), property + 1, (moves)))

size_t   pliant__abc_pod_size(pliant__abc_pod pod);
uint64_t pliant__abc_values(const pliant__abc_property *property, const pliant_body_info *body);

/* Bytes of a sample, without the size and the digest before them. */
uint64_t pliant__abc_sample_bytes(const pliant__abc_property *property, const pliant_body_info *body);

/* Places in the file. */
uint64_t pliant__abc_frames_at(const pliant__place *place);
uint64_t pliant__abc_frame_size(const pliant__place *place);

/* The vertices at the corners of a body's faces as they are in a state, into an array that is empty. False if out of memory. */
bool pliant__abc_corners(const pliant__place *place, const pliant_body_info *body, const pliant_state *state, pliant__bytes *to);

/* The bytes of a sample that stays, into an array that is empty. False if out of memory. */
bool pliant__abc_fixed(const pliant__abc_property *property, const pliant__place *place, const pliant_body_info *body, pliant__bytes *to);

#endif
