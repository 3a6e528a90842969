/* USD stages as text (.usda), read as far as it takes to know where points are: prims, their points and transforms by time, and the stage's units.
 * Compositions of several layers (references, payloads, variants) are not followed. */
#ifndef PLIANT_IO_MOTION_STAGE_H
#define PLIANT_IO_MOTION_STAGE_H

#include "base/array.h"
#include "io/motion/points.h"
#include "io/motion/transform.h"

#define PLIANT__STAGE_NONE UINT32_MAX

/* A text being walked, word by word. */
typedef struct pliant__words {
    const char   *at, *end;
    int           line;
    const char   *path;
    pliant_error *error;
} pliant__words;

typedef enum pliant__word_kind { PLIANT__WORD_END, PLIANT__WORD_NAME, PLIANT__WORD_STRING, PLIANT__WORD_MARK } pliant__word_kind;

typedef struct pliant__word {
    pliant__word_kind kind;
    const char       *text; /* a string without its quotes; names and numbers alike */
    size_t            length;
    int               line;
} pliant__word;

/* Always false. */
PLIANT_PRINTF(2, 3) bool pliant__words_fail(const pliant__words *w, const char *format, ...);

/* The next word, or the end; false if a string does not end. */
bool pliant__words_next(pliant__words *w, pliant__word *out);
bool pliant__word_is(const pliant__word *word, const char *text);

/* The next word has to be this mark. */
bool pliant__words_expect(pliant__words *w, const char *mark);

/* Passes over a value: a word, or brackets of any kind with their content. `tuples`: how many open in it with a round one, right inside; may be
 * NULL. */
bool pliant__words_skip(pliant__words *w, uint64_t *tuples);

/* The next number, whatever brackets and commas stand before it. */
bool pliant__words_number(pliant__words *w, double *out);

/* The three numbers of the next tuple; where it has more or fewer, *odd becomes its line, and they are three of those that come. */
bool pliant__words_triple(pliant__words *w, double out[3], int *odd);

/* A value by time, or one for all times: where its text is. */
typedef struct pliant__stage_value {
    double      code;
    const char *text;
    int         line;
    uint64_t    tuples;
} pliant__stage_value;

typedef struct pliant__stage_values {
    bool                has_default;
    pliant__stage_value fixed;
    ARRAY(pliant__stage_value) samples; /* codes ascend */
} pliant__stage_values;

typedef struct pliant__stage_op {
    const char          *name; /* the part behind "xformOp:" */
    size_t               length;
    pliant__stage_values values;
} pliant__stage_op;

typedef struct pliant__stage_prim {
    const char          *name, *type;
    size_t               name_length, type_length;
    uint32_t             parent;
    bool                 defined; /* it, and every prim above it: active, no class, no override */
    pliant__stage_values points;
    const char          *order; /* text of xformOpOrder, or NULL */
    int                  order_line;
    ARRAY(pliant__stage_op) ops;
} pliant__stage_prim;

typedef struct pliant__stage {
    double unit, rate; /* metres, and time codes per second; 0: not said */
    char   up;         /* 'y', 'z', or 0 */
    bool   has_skeleton;
    ARRAY(pliant__stage_prim) prims;
} pliant__stage;

bool pliant__stage_read(pliant__stage *stage, pliant__words *words);
void pliant__stage_free(pliant__stage *stage);

/* Where a prim's points lie at a time: in its parent's, and in the world. */
bool pliant__stage_place(const pliant__stage *stage, const pliant__words *words, uint32_t prim, double code, pliant__transform *out);

/* The values of a time: the last that is not after it, and the next; *share: of the next. NULL: there are none. */
const pliant__stage_value *pliant__stage_at(const pliant__stage_values *values, double code, const pliant__stage_value **next,
                                            double *share);

#endif
