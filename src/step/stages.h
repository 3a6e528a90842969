/* The step as a table: what happens in each substep, in this order. Timings, counters and docs come from these rows, and the ways in which a step is
 * walked (solver/ways.h) follow from the stages that a step has.
 *
 * X(ENUMERATOR, name, call, place, parts, when, what it does)
 * call: ONCE(function), or EACH(function of pliant__interaction): one call for each interaction that is wanted and has it (solver/interactions.h).
 * place: enum pliant__place of solver/ways.h; a stage without one does not compile.
 * parts: a condition on the solver `s`: the stage can act on one part of the model, s->part, while other parts are in other substeps.
 * when: ALWAYS, or a condition on the solver `s`. It holds for a whole step, or, of kinematic, for a substep of a step that carries. */
#ifndef PLIANT_STEP_STAGES_H
#define PLIANT_STEP_STAGES_H

#include "contact/contact_log.h"
#include "contact/contacts.h"
#include "pliant/solver.h"
#include "solver/guard.h"
#include "solver/interactions.h"
#include "solver/method.h"
#include "solver/residuals.h"
#include "solver/solver.h"
#include "solver/ways.h"
#include "step/breaks.h"
#include "step/damping.h"
#include "step/energy.h"
#include "step/flow.h"
#include "step/forces.h"
#include "step/history.h"
#include "step/kinematic.h"
#include "step/particles.h"
#include "step/sleep.h"
#include "step/step.h"
#include "step/tear.h"

#include <stdint.h>

#define ALWAYS true
#define NEVER false

#define SUBSTEP_STAGES(X)                                                                                                                  \
    X(KINEMATIC, kinematic, ONCE(pliant__stage_kinematic), PLIANT__AHEAD, !s->framed && !s->carries,                                       \
      s->framed || model_count(s->model, targets) || model_count(s->model, skins) || model_count(s->model, colliders) ||                   \
          model_count(s->model, groups) || model_count(s->model, stitches),                                                                \
      "bodies go with what they do not feel of their frames' motion; targets and colliders go straight to where the substep ends")         \
    X(HISTORY, history, ONCE(pliant__stage_history), PLIANT__APART, NEVER, pliant__is_bdf2(s->model),                                      \
      "BDF2: x <- (4 x - previous x) / 3, v likewise, drag and damping included; h is two thirds of the substep")                          \
    X(FORCES, forces, ONCE(pliant__stage_forces), pliant__are_velocities_seen(s->model) ? PLIANT__AHEAD : PLIANT__OPENS,                   \
      !pliant__are_velocities_seen(s->model), ALWAYS,                                                                                      \
      "v <- exp(-d h) v, v += h (g + F / m): drag, gravity, uniform and body forces, wind")                                                \
    X(DAMPING, damping, ONCE(pliant__stage_damping), PLIANT__AHEAD, NEVER, !pliant__is_bdf2(s->model) && pliant__is_damped(s->model),      \
      "damping of what is not rigid motion")                                                                                               \
    X(PREDICT, predict, ONCE(pliant__stage_predict), PLIANT__OPENS, ALWAYS, ALWAYS, "start = x; x += h v")                                 \
    X(FIND, find, EACH(find), PLIANT__APART, pliant__interactions_go_by_parts(s), s->interacting,                                          \
      "interactions find what they act on: features of bodies that are near each other, particles that touch colliders")                   \
    X(PROJECT, project, ONCE(pliant__stage_project), PLIANT__SOLVES, s->method_row->walks_once && !s->predicted && !s->def.trace, ALWAYS,  \
      "iterations: constraints patch by patch, then each interaction: groups, stitches, users' constraints, grabs, pairs, contacts, "      \
      "skins")                                                                                                                             \
    X(NOTE, note, EACH(note), PLIANT__APART, pliant__interactions_go_by_parts(s), s->interacting,                                          \
      "interactions keep positions as the iterations left them, for reports")                                                              \
    X(SLEEPERS, sleepers, ONCE(pliant__stage_sleepers), PLIANT__APART, NEVER, pliant__may_sleep(s->model),                                 \
      "puts particles that sleep back to where they lay, unless something moves them")                                                     \
    X(HOLD, hold, EACH(hold), PLIANT__APART, pliant__interactions_go_by_parts(s), s->interacting,                                          \
      "interactions take back what must not be: paths that lead through a body are cut, and kept out of colliders")                        \
    X(WORK, work, ONCE(pliant__stage_work), PLIANT__APART, NEVER, s->energies,                                                             \
      "adds up the work of what moves by command: pliant_solver_def.energy")                                                               \
    X(RESIDUALS, residuals, ONCE(pliant__stage_residuals), PLIANT__APART, NEVER, s->def.measure,                                           \
      "of the last substep, how far its end is from a solution: pliant_solver_def.measure")                                                \
    X(VELOCITIES, velocities, ONCE(pliant__stage_velocities), PLIANT__CLOSES, ALWAYS, ALWAYS, "v += (x - predicted) / h")                  \
    X(LIMITS, limits, ONCE(pliant__stage_limits), PLIANT__APART, NEVER, pliant__is_bdf2(s->model) && s->limited,                           \
      "BDF2: nothing that a limit holds is thrown back")                                                                                   \
    X(SETTLE, settle, EACH(settle), PLIANT__APART, pliant__interactions_go_by_parts(s), s->interacting,                                    \
      "interactions change velocities, the last one first: restitution, and the friction of its impulse; sides that pushed each other do " \
      "not fly apart")                                                                                                                     \
    X(REST, rest, ONCE(pliant__stage_rest), PLIANT__APART, NEVER, pliant__may_sleep(s->model),                                             \
      "what has stayed in one place for long is at rest")                                                                                  \
    X(GUARD, guard, ONCE(pliant__stage_guard), PLIANT__CLOSES, ALWAYS, ALWAYS,                                                             \
      "notices a NaN or a runaway speed; restores bodies where the scene says so")                                                         \
    X(FLOW, flow, ONCE(pliant__stage_flow), PLIANT__APART, NEVER, pliant__flows(s->model),                                                 \
      "the shape at rest of what is strained beyond its yield goes after the shape that it has")                                           \
    X(TEAR, tear, ONCE(pliant__stage_tear), PLIANT__APART, NEVER, s->tears,                                                                \
      "splits particles where elements around them are stretched too far")                                                                 \
    X(BREAK, break, ONCE(pliant__stage_break), PLIANT__APART, NEVER, pliant__breaks(s->model),                                             \
      "constraints that pull with more than they bear are broken from now on")                                                             \
    X(LOG, log, ONCE(pliant__stage_log), PLIANT__APART, NEVER, s->def.contacts && s->interacting,                                          \
      "tells the caller's log of contacts: pliant_solver_def.contacts")                                                                    \
    X(LOADS, loads, ONCE(pliant__stage_loads), PLIANT__APART, NEVER,                                                                       \
      pliant__interacts(s, PLIANT__INTERACTION_CONTACTS) && s->contacts->loads,                                                            \
      "adds up what colliders are pushed with: pliant_solver_def.loads")

#endif
