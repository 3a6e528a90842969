/* A soft body of Bullet's: points and links, nothing that touches anything. */
#ifndef PEER_H
#define PEER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer peer;

/* `positions`: three each; `masses`: kg, 0 holds a point; `links`: two points each, as long as they are apart, rigid. Links are re-ordered by
 * Bullet for speed. NULL: out of memory. */
peer *peer_create(uint32_t points, const float *positions, const float *masses, uint32_t links, const uint32_t *ends, uint32_t iterations);
void  peer_destroy(peer *p);

/* A step of `dt` seconds: prediction, iterations, velocities. */
void peer_step(peer *p, float dt);

/* Back to where peer_mark was called. */
void peer_mark(peer *p);
void peer_rewind(peer *p);

/* Mean of |length / rest - 1| over the links. */
double peer_stretch(const peer *p);

int peer_version(void); /* 324 is 3.24 */

#ifdef __cplusplus
}
#endif
#endif
