/* Splitting particles of bodies that tear. */
#ifndef PLIANT_STATE_TEAR_H
#define PLIANT_STATE_TEAR_H

#include "state/state.h"

#define PLIANT__MOST_AROUND 128u /* elements around a particle; one with more is not split */

/* Elements that a particle has now, ascending. */
typedef struct pliant__fan {
    uint32_t count, element[PLIANT__MOST_AROUND];
} pliant__fan;

/* The slots of an element, as they are now. Returns how many. */
uint32_t pliant__element_slots(const pliant_state *s, const pliant__model_torn *e, uint32_t slot[4]);

/* Fills `out`; false of a particle with too many. */
bool pliant__elements_around(const pliant_state *s, uint32_t slot, pliant__fan *out);

/* The square of the largest stretch of an element; `direction`: NULL, or where it gets the unit vector along which it is. */
pliant_real pliant__stretch2(const pliant_state *s, const pliant__model_torn *e, pliant_vec3 *direction);

/* The stretch at which elements tear at a particle. */
pliant_real pliant__tears_at(const pliant_state *s, const pliant__model_body *body, uint32_t slot);

/* The number of the first spare of a body at a slot or behind it. */
uint32_t pliant__first_spare(const pliant_model *m, const pliant__model_body *b, uint32_t slot);

/* Splits a particle: elements around it with their middle on one side of the plane through `from`, at right angles to `normal`, keep it, those on the other
 * have a new one. What then hangs together in a particle alone is split there, too. False, and nothing has changed: it is held, all elements are on one side, or no
 * slot stands by. */
bool pliant__split(pliant_state *s, uint32_t slot, pliant_vec3 from, pliant_vec3 normal);

/* pliant_state_cut, of a body that tears. */
uint32_t pliant__cut(pliant_state *s, const pliant__model_body *b, const pliant_vec3 corners[3]);

/* Makes the cuts of the model that a step from `begin` to `end`, s, has: cuts.c. */
void pliant__make_cuts(pliant_state *s, double begin, double end);

/* The start of a state of a model that may tear: nothing is torn. */
void pliant__mend(pliant_state *s);

/* Tears a body of a state as one of another model's is, if it has the same triangles and tears, too. Of particles with fewer spares there, parts stay
 * together. */
void pliant__carry_tears(const pliant__model_body *from, const pliant__model_body *to, const pliant_state *old, pliant_state *fresh);

/* Whether what a state's bytes say is a topology of its model. */
bool pliant__is_topology(const pliant_state *layout, const unsigned char *bytes);

#endif
