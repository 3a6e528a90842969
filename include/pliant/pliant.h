/* Pliant: position-based dynamics in C. All of the library's headers; see docs/ for where to begin.
 *
 * What names success. A call that makes something returns it, and NULL where it could not (scenes, models, states, solvers, inputs, queries), or
 * an id of 0 (bodies, colliders, constraints); a force is numbered from 0, and -1 is none. A call that does something returns a pliant_code,
 * PLIANT_OK being 0, so that `if (pliant_...(...))` reads "if it failed"; one that asks returns true for yes. What takes a pliant_error, which may
 * be NULL, says there why.
 *
 * When to copy the state (pliant_state_copy, one memcpy): before a step that may have to be undone. After PLIANT_ERROR_ARGUMENT the state is as it
 * was, after PLIANT_ERROR_DIVERGED and PLIANT_ERROR_MEMORY as the step left it. A contact log is copied with it (pliant_contact_log_copy). Solvers
 * and inputs need no copy: a solver can be thrown away, and inputs say one step.
 *
 * How dt and substeps go together. dt (pliant_inputs_reset) is the time of a step, which is cut into pliant_scene_def.substeps of one length; what
 * is left unsolved depends on that length, dt / substeps. Where dt varies, say it instead: pliant_scene_def.substep with PLIANT_SUBSTEP_CARRY.
 * docs/time.md. */
#ifndef PLIANT_PLIANT_H
#define PLIANT_PLIANT_H

#include "pliant/base.h"
#include "pliant/constraints.h"
#include "pliant/methods.h"
#include "pliant/scene.h"
#include "pliant/model.h"
#include "pliant/state.h"
#include "pliant/solver.h"
#include "pliant/contact_log.h"
#include "pliant/query.h"

#endif
