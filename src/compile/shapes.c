/* Shapes of clusters: their particles, and which of these each member is between. */
#include "compile/model.h"

const pliant__shape_info pliant__shapes[PLIANT__SHAPE_COUNT] = {
    [PLIANT__CLIQUE] = {.slots = 4, .members = 6, .pair = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}}},
    [PLIANT__TRIANGLE] = {.slots = 3, .members = 3, .pair = {{0, 1}, {1, 2}, {2, 0}}},
    [PLIANT__TETRAHEDRON] =
        {.slots = 4, .members = 7, .pair = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}}, .volumes = 1, .volume = {{0, 1, 2, 3}}},
    [PLIANT__PAIR] = {.slots = 5, .members = 2, .volumes = 2, .volume = {{0, 1, 2, 3}, {1, 0, 2, 4}}},
    [PLIANT__DIAMOND] = {.slots = 4, .members = 5, .pair = {{0, 1}, {0, 2}, {1, 3}, {0, 3}, {1, 2}}},
    [PLIANT__VEE] = {.slots = 3, .members = 2, .pair = {{0, 1}, {1, 2}}},
};
