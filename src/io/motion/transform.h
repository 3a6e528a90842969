/* Affine transforms of files, in double: x' = m[0] x + m[1] y + m[2] z + m[3], and so on, row by row. */
#ifndef PLIANT_IO_MOTION_TRANSFORM_H
#define PLIANT_IO_MOTION_TRANSFORM_H

typedef struct pliant__transform {
    double m[12];
} pliant__transform;

static inline pliant__transform pliant__transform_identity(void) { return (pliant__transform){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}; }

/* First b, then a. */
static inline pliant__transform pliant__transform_compose(const pliant__transform *a, const pliant__transform *b)
{
    pliant__transform out;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            out.m[4 * i + k] =
                a->m[4 * i] * b->m[k] + a->m[4 * i + 1] * b->m[4 + k] + a->m[4 * i + 2] * b->m[8 + k] + (k == 3 ? a->m[4 * i + 3] : 0);
    return out;
}

static inline void pliant__transform_apply(const pliant__transform *t, const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = t->m[4 * i] * x[0] + t->m[4 * i + 1] * x[1] + t->m[4 * i + 2] * x[2] + t->m[4 * i + 3];
}

/* Of a rotation x y z w of length 1. */
static inline pliant__transform pliant__transform_turn(const double q[4])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    return (pliant__transform){{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 0, 2 * (x * y + w * z),
                                1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 0, 2 * (x * z - w * y), 2 * (y * z + w * x),
                                1 - 2 * (x * x + y * y), 0}};
}

#endif
