/* A JSON or YAML text as a tree, each node with its line. The reader of scene files walks it. */
#ifndef PLIANT_IO_FILES_NODE_H
#define PLIANT_IO_FILES_NODE_H

#include "base/alloc.h"
#include "base/error.h"

#define PLIANT__MAX_DEPTH 64       /* lists and objects inside each other */
#define PLIANT__MAX_KEYS 1024      /* of one object */
#define PLIANT__MAX_NODES 20000000 /* of one file */

typedef enum pliant__node_type {
    PLIANT__NODE_NULL,
    PLIANT__NODE_BOOL,
    PLIANT__NODE_NUMBER,
    PLIANT__NODE_TEXT,
    PLIANT__NODE_LIST,
    PLIANT__NODE_MAP
} pliant__node_type;

typedef struct pliant__node pliant__node;
struct pliant__node {
    uint8_t       type;
    bool          truth;  /* BOOL */
    bool          quoted; /* TEXT */
    int           line;   /* from 1; of a map's member: where its key is */
    uint32_t      index;  /* place in the parent */
    uint32_t      count;  /* LIST, MAP: children */
    pliant__node *parent, *next, *first, *last;
    const char   *key;  /* in a MAP */
    const char   *text; /* TEXT and NUMBER: as written, without quotes */
    double        number;
};

typedef struct pliant__tree {
    pliant__node    *root;
    pliant_allocator allocator;
    void            *blocks; /* memory of nodes and texts, a chain */
    size_t           used, room, node_count;
    const char      *name; /* for errors */
} pliant__tree;

/* Parses a text. On error false, with line, and the tree is empty. `name` must outlive the tree. */
bool pliant__tree_parse(pliant__tree *tree, const char *text, size_t length, const char *name, const pliant_allocator *allocator,
                        pliant_error *error);

void pliant__tree_free(pliant__tree *tree);

/* Memory that lives as long as the tree, zeroed; NULL if there is none. */
void *pliant__tree_alloc(pliant__tree *tree, size_t bytes);

/* The member of a map with this key, or NULL. */
const pliant__node *pliant__node_get(const pliant__node *map, const char *key);

/* The kind of a node, in words: "a number", "a list". */
const char *pliant__node_kind(const pliant__node *node);

/* Writes where the node is: "bodies[0].stretch". Empty for the root. */
void pliant__node_place(const pliant__node *node, char *out, size_t size);

/* Fills the error with file, line, place and message; returns false. */
PLIANT_PRINTF(4, 5)
bool pliant__node_fail(const pliant__tree *tree, const pliant__node *node, pliant_error *error, const char *format, ...);

#endif
