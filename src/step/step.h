/* A step. */
#ifndef PLIANT_STEP_STEP_H
#define PLIANT_STEP_STEP_H

#include "solver/solver.h"
#include "state/state.h"

/* Makes a solver ready for a step: sets what stages and kernels look at. Arguments that do not fit each other are refused, with PLIANT_ERROR_ARGUMENT, before the
 * state is changed; so is a step that there is no memory for, with PLIANT_ERROR_MEMORY. */
pliant_code pliant__begin_step(pliant_solver *s, pliant_state *state, const pliant_inputs *inputs);

/* Makes room for what any inputs may ask of a step; of a lean solver for what the model's own inputs do. False where memory runs out. */
bool pliant__make_room_ahead(pliant_solver *s);

/* Adds dt, s, to the state's time, by Kahan's sum. */
void pliant__add_time(pliant__state_header *header, double dt);

/* Writes what a step leaves in the state's header beside the time: how many steps it has had, and the longest substep of late. */
void pliant__end_step(const pliant_solver *s, pliant__state_header *header);

void pliant__stage_project(pliant_solver *s);

/* Takes the step in one walk over the patches (patch_steps.c). False if a speed ran away: positions and velocities are then as before the step. */
bool pliant__step_by_patches(pliant_solver *s);

/* Notes in s->stages which are wanted. */
void pliant__choose_stages(pliant_solver *s);

/* A bit for each enum pliant__place that some stage of the step that begins has. */
uint32_t pliant__places_of(const pliant_solver *s);

/* Whether each of its stages can act on one part. */
bool pliant__stages_go_by_parts(const pliant_solver *s);

/* Runs a stage by itself, under its name. */
void pliant__run_stage(pliant_solver *s, pliant_stage stage, void (*run)(pliant_solver *s));

/* Walks the table of stages once: a substep of all of the model, or of s->part. */
void pliant__run_stages(pliant_solver *s);

/* Takes the step part by part (part_steps.c). False if a speed ran away: positions and velocities are then as before the step. */
bool pliant__step_by_parts(pliant_solver *s);

/* Makes and frees what steps by parts need, where the model is stepped so: before all else that a solver has but its back-end. False if out of memory. */
bool pliant__make_part_views(pliant_solver *s);
void pliant__free_part_views(pliant_solver *s);

/* Makes and frees what lanes that hold states need. */
bool pliant__make_lane_states(pliant_solver *s);

void pliant__free_lane_states(pliant_solver *s);

#endif
