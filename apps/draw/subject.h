/* The parts of a model that stay the same from frame to frame: triangles, edges, links, and each body's colour. */
#ifndef DRAW_SUBJECT_H
#define DRAW_SUBJECT_H

#include "draw/linear.h"

/* A colour as screens have it, and how much of it: 255 covers, 0 leaves what is below. */
typedef struct draw_colour {
    uint8_t r, g, b, a;
} draw_colour;

/* Part of the list of indices. */
typedef struct draw_range {
    uint32_t first, count;
} draw_range;

typedef struct draw_body {
    pliant_body_info info;
    draw_colour      colour;
    float            roughness;    /* 0: a mirror's gloss, 1: none */
    float            sheen;        /* light at the edges that look away, as cloth has it */
    uint32_t         first_point;  /* its simulated vertices among those of all bodies, counted through */
    uint32_t         first_vertex; /* its surface among the frame's vertices; nothing if it has no faces */
    uint32_t         vertex_count;
    pliant_pattern   pattern;
    bool             textured; /* by look.texture of its info */
    float            repeat;   /* m, of the pattern of a rope */
    draw_range       triangles, edges;
    draw_range       copies; /* of its vertices, one for each further side of an edge, among those of the subject */
    draw_range
             torn; /* of one that tears: among the subject's seams, one for each corner of its faces, which it is a vertex of its own for */
    uint32_t first_element; /* of one with triangles that have laws of their own: the id of the first such constraint */
    draw_range coarse;      /* triangles of a coarser surface over the same vertices, for shadows */
    float      coarseness;  /* how far that one may be off, m */
    float      radius;      /* of tubes and balls where there are no faces, m */
} draw_body;

/* A distance or tether between two points. */
typedef struct draw_link {
    uint32_t          body; /* that the first point is of */
    uint32_t          point[2];
    float             rest;
    bool              tube;    /* drawn as a tube: of ropes and loose particles */
    bool              between; /* points of two bodies */
    bool              strains; /* counts where strain is shown: it resists stretching, not bending */
    pliant_constraint constraint;
} draw_link;

/* A constraint of any kind, as lines between its points. */
typedef struct draw_row {
    uint32_t point[PLIANT_MAX_SLOTS];
    uint32_t count, wave;
} draw_row;

typedef struct draw_subject {
    const pliant_model *model;
    draw_body          *bodies;
    uint32_t            body_count;
    uint32_t            point_count, vertex_count;
    uint32_t           *copies; /* vertices that stand behind those of all bodies once more, with another normal: which they are of */
    uint32_t            copy_count;
    f3                 *places; /* per vertex, copy and seam: where on its pattern; NULL where no body has one */
    uint32_t
        *seams; /* vertices that stand behind the copies once more, with another place on the texture: which they are of, copies included */
    uint32_t   seam_count;
    float     *uvs;           /* two per vertex, copy and seam: where on its texture; NULL where no body has one */
    float     *along;         /* m, per point of a rope with a pattern: how far along it; NULL where no rope has one */
    f3       **facet_normals; /* per collider: draw_facets_normals */
    uint32_t  *indices;
    uint32_t   index_count;
    draw_link *links;
    uint32_t   link_count, tube_count, ball_count;
    draw_row  *rows;
    uint32_t   row_count, wave_count, element_count; /* elements: rows that draw_is_element */
    uint32_t  *twin;  /* per point: the first point at the same place, of those that are welded into one particle */
    float      scale; /* half the diagonal of all bodies at the start, m */
} draw_subject;

/* NULL if memory runs out. The model must outlive it. */
draw_subject *draw_subject_create(const pliant_model *model, pliant_error *error);
void          draw_subject_destroy(draw_subject *s);

/* The number of a vertex among the subject's points. */
uint32_t draw_point_of(const draw_subject *subject, pliant_particle particle);

/* Whether a constraint is a triangle or tetrahedron that is strained by itself, with the inverse of its edges at rest as parameters. */
bool draw_is_element(pliant_constraint_kind kind);

/* Colour number `index` of a row of colours that are told apart easily. */
draw_colour draw_palette(uint32_t index);

#endif
