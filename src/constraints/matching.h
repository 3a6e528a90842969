/* Small matrices of shape matching, in double: what is once per cluster, and not once per member. Symmetric ones have six numbers, xx yy zz xy yz zx. */
#ifndef PLIANT_CONSTRAINTS_MATCHING_H
#define PLIANT_CONSTRAINTS_MATCHING_H

typedef struct pliant__square {
    double m[3][3]; /* rows */
} pliant__square;

/* Eigenvalues of a symmetric matrix of n rows, n at most 6, and in the columns of `vectors` the directions that they are of. `a` is spoilt. */
void pliant__eigen(int n, double *a, double *values, double *vectors);

/* The inverse of a symmetric matrix in the directions with an eigenvalue above a millionth of the largest, 0 in others; and, if it is wanted, the projection
 * on these directions. */
void pliant__partial_inverse(int n, const double *a, double *inverse, double *range);

pliant__square pliant__of_symmetric(const double a[6]);
void           pliant__to_symmetric(const pliant__square *a, double out[6]); /* the mean of it and its transpose */
pliant__square pliant__product(const pliant__square *a, const pliant__square *b);
pliant__square pliant__transposed_product(const pliant__square *a, const pliant__square *b); /* a^T b */

double         pliant__determinant(const pliant__square *a);
pliant__square pliant__inverse(const pliant__square *a); /* of one with a determinant above 0 */

/* Rotation of a quaternion x y z w of length 1. */
pliant__square pliant__square_of_quaternion(const double q[4]);

/* Makes the length of a quaternion 1; what has none becomes that of no rotation. */
void pliant__make_unit(double q[4]);

/* Turns a quaternion of length 1 to the rotation R for which tr(R^T a) is largest: the nearest one to a, also where a is reflected, flat, or 0 along a direction. What a
 * does not say stays as it is. */
void pliant__nearest_rotation(const pliant__square *a, double q[4]);

#endif
