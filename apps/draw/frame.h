/* One moment of a simulation, ready to be drawn: plain memory, all of it in one block that is uploaded at once. It is made where the
 * simulation runs and drawn where the screen is; making it needs no OpenGL. */
#ifndef DRAW_FRAME_H
#define DRAW_FRAME_H

#include "draw/camera.h"
#include "draw/subject.h"
#include "pliant/io.h"

/* Overlays, as bits. */
enum {
    DRAW_WIREFRAME = 1,           /* edges of surfaces */
    DRAW_STRAIN = 2,              /* distances by how far they are from their rest length */
    DRAW_CONTACTS = 4,            /* where something touches, and the normals */
    DRAW_VELOCITIES = 8,          /* where each point goes */
    DRAW_CONSTRAINT_COLOURS = 16, /* constraints, those that are solved at once in one colour */
    DRAW_NORMALS = 32,            /* with what force contacts push, and which way */
    DRAW_PAIRS = 64               /* which parts of bodies are near each other */
};

/* Overlays by name, as switches have them: "wireframe", "strain", ...; NULL past the last. */
const char *draw_overlay_name(uint32_t index);

typedef struct draw_vertex {
    f3          x, normal;
    draw_colour tint; /* over the body's colour */
} draw_vertex;

/* A ball where both ends are the same. */
typedef struct draw_tube {
    f3          ends[2];
    float       radius;
    draw_colour colour;
    float       along[2], around,
        pattern; /* where its ends are on a rope's pattern and how many there are around it, in repeats; 0: it has none */
} draw_tube;

typedef struct draw_line_end {
    f3          x;
    draw_colour colour;
} draw_line_end;

/* A floor or a wall: the solid side is below the normal. */
typedef struct draw_plane {
    f3 point, normal;
} draw_plane;

typedef struct draw_frame {
    unsigned char *
        block; /* vertices, copies and seams, then those of boxes, hulls, meshes and fields, then tubes, then round colliders, then lines */
    size_t      size, room;                                           /* bytes */
    size_t      vertices_at, boxes_at, tubes_at, rounds_at, lines_at; /* bytes */
    uint32_t    vertex_count, box_count, tube_count, round_count, line_count;
    draw_plane *planes;
    uint32_t    plane_count, plane_room;
    f3         *points; /* where the simulated vertices of all bodies are, counted through; only if asked for */
    uint32_t    point_room;
    draw_bounds bodies;                    /* of bodies */
    draw_bounds all;                       /* and of colliders that are not planes */
    uint32_t    show;                      /* overlays */
    double      time;                      /* s */
    uint32_t    number;                    /* of the frame */
    float       strain_least, strain_most; /* of distances: where it is shown */
    float       speed_most;                /* m/s, where it is shown */
    float       force_most;                /* N, of a contact, likewise */
    uint32_t    pair_count;                /* likewise */
} draw_frame;

/* The state that a frame is made of, with solver, cache and settings. */
typedef struct draw_source {
    const pliant_state  *state;
    const pliant_solver *solver; /* for contacts and pairs; may be NULL */
    const pliant_cache  *cache;  /* for surfaces that the state does not know; may be NULL */
    const pliant_state  *poses;  /* where colliders are, if not in `state`; its model has the same colliders */
    uint32_t             number;
    bool                 points; /* fill draw_frame.points */
    uint32_t             show;
    float                strain_range; /* at which the colours of strain end; 0: 0.05 */
} draw_source;

/* Makes a frame anew, in the memory of the one before. Start with a zeroed one. False if memory runs out. */
bool draw_frame_fill(draw_frame *frame, const draw_subject *subject, const draw_source *source, pliant_error *error);
void draw_frame_free(draw_frame *frame);

/* The colour for a value in [-1, 1] of the map that strain is shown in: blue, white, red. */
draw_colour draw_strain_colour(float value);

#endif
