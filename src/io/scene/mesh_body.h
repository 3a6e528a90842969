/* The meshes of a scene's bodies and colliders: found, read, turned to metres and y up, welded; and the notes about that. */
#ifndef PLIANT_IO_SCENE_MESH_BODY_H
#define PLIANT_IO_SCENE_MESH_BODY_H

#include "io/scene/keys.h"

/* Keys of a body about its mesh and its visual surface. */
typedef struct pliant__mesh_spec {
    double      unit;  /* m; 0: not said */
    uint32_t    up;    /* 0: not said, 'y', 'z' */
    bool        sized; /* it has a scale: its size was thought about */
    bool        uvs;   /* texture coordinates are needed */
    bool        weld;
    pliant_real weld_distance; /* m */
    bool        weld_exactly;  /* it was said, and is 0 */
} pliant__mesh_spec;

/* Keys "units", "up" and "weld" into fields of that. */
bool              pliant__read_units(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field);
bool              pliant__read_up(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field);
extern const char pliant__units_schema[], pliant__up_schema[];
bool              pliant__read_weld(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *spec);

/* Reads what `node`, a path, names. To be freed, on error too. */
bool pliant__load_surface(pliant__reader *r, const pliant__node *node, const char *name, const pliant__mesh_spec *spec, pliant_mesh *mesh);
bool pliant__load_tets(pliant__reader *r, const pliant__node *node, const char *name, const pliant__mesh_spec *spec, pliant_tets *tets);

/* Notes the vertices of a cloth's mesh that will be welded. */
bool pliant__notice_weld(pliant__reader *r, const pliant__node *node, const char *name, const pliant__mesh_spec *spec,
                         const pliant_mesh *mesh);

/* Notes vertices that rounding had parted, and vertices that nearly coincide; `welds`: there is a "weld" to write. */
void pliant__notice_joined(pliant__reader *r, const pliant__node *node, const char *name, pliant_mended m, bool welds);

/* Notes a number of things, if there are any, in the words for one or for several; `name`, of a file, may be NULL. */
void pliant__notice_count(pliant__reader *r, const pliant__node *node, const char *name, uint32_t count, const char *one, const char *many);

#endif
