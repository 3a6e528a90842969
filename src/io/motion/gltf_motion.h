/* Motion in a glTF: its nodes, the channels that animate them, and the primitives that are followed. */
#ifndef PLIANT_IO_MOTION_GLTF_MOTION_H
#define PLIANT_IO_MOTION_GLTF_MOTION_H

#include "io/files/gltf.h"
#include "io/motion/points.h"
#include "io/motion/transform.h"

/* The property of a node that a channel moves. */
typedef struct pliant__gltf_pose {
    double translation[3], rotation[4], scale[3];
} pliant__gltf_pose;

typedef struct pliant__gltf_node {
    const pliant__node *json;
    uint32_t            parent, mesh, skin; /* PLIANT__GLTF_NONE: none */
    bool                in_scene, has_matrix;
    pliant__gltf_pose   rest, now;
    pliant__transform   matrix, global;
    uint32_t            weight_count; /* of morph targets of its mesh */
    double             *rest_weights, *weights;
} pliant__gltf_node;

typedef enum pliant__gltf_path {
    PLIANT__GLTF_TRANSLATION,
    PLIANT__GLTF_ROTATION,
    PLIANT__GLTF_SCALE,
    PLIANT__GLTF_WEIGHTS
} pliant__gltf_path;
typedef enum pliant__gltf_way { PLIANT__GLTF_LINEAR, PLIANT__GLTF_STEP, PLIANT__GLTF_CUBIC } pliant__gltf_way;

typedef struct pliant__gltf_channel {
    uint32_t              node, width; /* numbers of a value */
    pliant__gltf_path     path;
    pliant__gltf_way      way;
    uint32_t              count;
    double               *times; /* s, ascending */
    pliant__gltf_accessor output;
    uint32_t              animation;
} pliant__gltf_channel;

typedef struct pliant__gltf_skin {
    uint32_t           count;
    uint32_t          *joints;   /* nodes */
    pliant__transform *inverse;  /* of each at rest */
    pliant__transform *matrices; /* of each now */
} pliant__gltf_skin;

/* A primitive of a node's mesh. */
typedef struct pliant__gltf_part {
    uint32_t              node, targets, sets; /* sets of four joints per vertex */
    pliant__gltf_accessor position, *target, *joints, *weights;
} pliant__gltf_part;

typedef struct pliant__gltf_motion {
    pliant__gltf          g;
    uint32_t              node_count, skin_count, channel_count, part_count, order_count;
    pliant__gltf_node    *nodes;
    uint32_t             *order; /* of nodes: parents first */
    pliant__gltf_skin    *skins;
    pliant__gltf_channel *channels;
    pliant__gltf_part    *parts;
    double               *scratch; /* the numbers of a channel */
    double                frame;   /* s, from one sample to the next */
} pliant__gltf_motion;

/* Reads the channels of followed nodes; gltf_channel.c. */
bool pliant__gltf_channels_read(pliant__gltf_motion *m, const pliant__points_def *def);

/* When the first channel begins, and the last one ends, s. */
void pliant__gltf_span(const pliant__gltf_motion *m, double *from, double *to);

/* Sets nodes' poses and weights to those of a time. */
void pliant__gltf_animate(pliant__gltf_motion *m, double time);

#endif
