/* The ways in which a step is walked, and what of a stage a walk does. */
#ifndef PLIANT_SOLVER_WAYS_H
#define PLIANT_SOLVER_WAYS_H

/* Where a walk over the patches does what a stage does, and what that waits for. OPENS, SOLVES and CLOSES are what kernels and walks do: another
 * stage that has such a place is taken as APART (step.c). */
enum pliant__place {
    PLIANT__APART, /* nowhere: where such a stage is wanted, stages are taken one after another, by all of the model or by each part or state */
    PLIANT__AHEAD,  /* ahead of the walk, as a stage by itself: it waits for the walk of the substep before */
    PLIANT__OPENS,  /* to a patch's own particles, before its rows are projected: it waits for the last patch that has moved them */
    PLIANT__SOLVES, /* to the rows of a patch: they wait for patches of earlier rounds that share a particle with it */
    PLIANT__CLOSES, /* to a patch's own particles: it waits for the last patch of the substep that moves them */
};

/* The ways through a step. All give the same bits; each later one touches memory less often. A step takes the last one that it can take (states: a
 * call with many states).
 *
 * X(ENUMERATOR, name, when, what it does)
 * when: a condition on the solver `s`; has(place): some stage that the step wants has that place; goes_by_parts: each of them can act on one part. */
#define STEP_WAYS(X)                                                                                                                    \
    X(STAGES, stages, ALWAYS, "src/step/step.c: substep by substep, stage by stage, each over all particles")                           \
    X(SUBSTEPS, substeps, !has(PLIANT__APART) && walks_once(s),                                                                         \
      "src/solver/patch_substeps.c: substep by substep, one walk over the patches: each is moved on, projected and given velocities "   \
      "while a cache "                                                                                                                  \
      "has it")                                                                                                                         \
    X(STEPS, steps,                                                                                                                     \
      takes(SUBSTEPS) && !has(PLIANT__AHEAD) && !s->off.any && pliant__is_closed(s->model) &&                                           \
          (!s->carries || !pliant__is_timed(s->model)),                                                                                 \
      "src/step/patch_steps.c: patch by patch, each through all substeps, where no row runs between patches")                           \
    X(PARTS, parts, goes_by_parts && s->interacting && s->part_views,                                                                   \
      "src/step/part_steps.c: part by part, each through all stages of all substeps, where parts of the model share no constraint and " \
      "meet nothing but colliders")                                                                                                     \
    X(STATES, states,                                                                                                                   \
      s->def.many && !s->off.any && !s->carries && !model_count(s->model, frames) && !pliant__may_tear(s->model) &&                     \
          !pliant__breaks(s->model) &&                                                                                                  \
          ((takes(SUBSTEPS) && !has(PLIANT__AHEAD)) || (goes_by_parts && walks_once(s) && pliant__lanes_have_views(s))),                \
      "src/step/step_states.c: 16 states at a time, each in a lane of its own, through all substeps")

enum pliant__way {
#define X(NAME, name, when, text) PLIANT__WAY_##NAME,
    STEP_WAYS(X)
#undef X
};

#endif
