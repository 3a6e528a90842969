/* What is done to each of 16 states in lanes by itself: targets and colliders are led, and contacts with colliders are found and solved (step_states.c). */
#ifndef PLIANT_STEP_LANE_VIEWS_H
#define PLIANT_STEP_LANE_VIEWS_H

#include "solver/solver.h"

/* 16 states' numbers for every slot, side by side: x of all 16, y, z, and the fourth numbers. */
typedef struct pliant__lanes {
    pliant_real        *x, *v, *aim, *start; /* m; m/s; m, x as `start` and v predict it; m, where the substep begins */
    pliant__target_way *ways;                /* per target */
    uint32_t            states;              /* so many lanes hold one; the others are 0 */
} pliant__lanes;

typedef struct pliant__lane_view pliant__lane_view;

/* Makes and frees views for each piece of scratch, where a model's states go through lanes by them; behind interactions. False if out of memory. */
bool pliant__make_lane_views(pliant_solver *s);
void pliant__free_lane_views(pliant_solver *s);

/* Whether the step that begins can be taken by states in lanes with views of each: s->way and stages are chosen. */
bool pliant__lanes_have_views(const pliant_solver *s);

/* Makes views ready for so many groups of 16 states; before threads take them. */
void pliant__ready_lane_views(pliant_solver *s, uint32_t groups);

/* Begins a step of the states `taken` of the call, by the views of a piece of scratch; `room` has PLIANT__VIEWED_PARTS arrays of slots for each. Fills the ways of targets. */
pliant__lane_view *pliant__begin_lane_views(pliant_solver *s, uint32_t piece, const uint32_t *taken, uint32_t states, pliant_real *room,
                                            pliant__target_way *ways);

/* Leads targets to where the substep ends; before lanes are moved. Colliders are led as they are met. */
void pliant__lead_lanes(pliant__lane_view *views, const pliant__lanes *lanes, uint32_t substep);

/* Finds touches; when lanes are where they are predicted. */
void pliant__find_in_lanes(pliant__lane_view *views, const pliant__lanes *lanes);

/* Solves them; when rows are projected. False if a state has more touches than there is room for. */
bool pliant__press_lanes(pliant__lane_view *views, const pliant__lanes *lanes);

/* Changes velocities; when they are known, and the fastest of them, `watch`. */
void pliant__settle_lanes(pliant__lane_view *views, const pliant__lanes *lanes, pliant__watch *watch);

/* Puts into the states where colliders are, and adds up contacts. */
void pliant__end_lane_views(pliant__lane_view *views, uint32_t states, pliant__lane_group *sum);

#endif
