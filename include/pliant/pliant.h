/* Pliant: position-based dynamics in C. All of the library's headers; see docs/ for where to begin.
 *
 * What names success. There is one rule, and `make check` reads these headers by it.
 * - What makes something returns it: a pointer, NULL where it could not (scenes, models, states, solvers, inputs, queries, writers), or an id, 0 where
 *   it could not (bodies, colliders, constraints, forces).
 * - What does something returns a pliant_code, PLIANT_OK being 0, so that `if (pliant_...(...))` reads "if it failed". So do callbacks that do something.
 * - What asks returns a bool, true for yes, and its comment begins with "Whether"; or it returns what it asks for.
 * A pliant_error is the last parameter and may be NULL. It is filled where the call failed, its code being the one that is returned, with a sentence for
 * a person; of a question, where the comment says so. Of a call that takes none the code says why, as its comment explains.
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
#include "pliant/groups.h"
#include "pliant/methods.h"
#include "pliant/scene.h"
#include "pliant/model.h"
#include "pliant/state.h"
#include "pliant/solver.h"
#include "pliant/contact_log.h"
#include "pliant/query.h"

#endif
