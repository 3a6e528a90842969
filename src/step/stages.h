/* The step as a table: what happens in each substep, in this order. Timings, counters and docs come from these rows, and so does what a walk over
 * the patches may take at once.
 *
 * X(ENUMERATOR, name, function, reach, when, what it does)
 * reach: enum pliant__reach, below; a stage without one does not compile.
 * when: ALWAYS, or a condition on the solver `s`. */
#ifndef PLIANT_STEP_STAGES_H
#define PLIANT_STEP_STAGES_H

#define ALWAYS true

/* How far a walk over the patches may go at once where the stage happens. */
enum pliant__reach {
    PLIANT__APART,   /* stages are taken one after another */
    PLIANT__SUBSTEP, /* a substep (fused.c): the stage is taken before it */
    PLIANT__STEP     /* all substeps of a step (whole.c), of many states (many.c): the walk does what the stage does */
};

#define SUBSTEP_STAGES(X)                                                                                                             \
    X(KINEMATIC, kinematic, pliant__stage_kinematic, PLIANT__SUBSTEP,                                                                 \
      s->framed || model_count(s->model, targets) || model_count(s->model, skins) || model_count(s->model, colliders),                \
      "bodies follow what they do not feel of their frames; moves targets and colliders, straight, to where the substep ends")        \
    X(HISTORY, history, pliant__stage_history, PLIANT__APART, pliant__is_bdf2(s->model),                                              \
      "BDF2: x <- (4 x - previous x) / 3, v likewise, drag and damping included; from here on h is two thirds of the substep")        \
    X(FORCES, forces, pliant__stage_forces, PLIANT__STEP, ALWAYS,                                                                     \
      "v <- exp(-d h) v, v += h (g + F / m): drag, gravity, uniform and body forces, wind")                                           \
    X(DAMPING, damping, pliant__stage_damping, PLIANT__STEP, !pliant__is_bdf2(s->model), "damping of what is not rigid motion")       \
    X(PREDICT, predict, pliant__stage_predict, PLIANT__STEP, ALWAYS, "start = x; x += h v")                                           \
    X(PAIRS, pairs, pliant__stage_pairs, PLIANT__APART, model_count(s->model, elements),                                              \
      "finds which parts of bodies are near each other, and puts planes between them")                                                \
    X(CONTACTS, contacts, pliant__stage_contacts, PLIANT__APART, model_count(s->model, colliders),                                    \
      "finds what touches which collider; sticks")                                                                                    \
    X(PROJECT, project, pliant__stage_project, PLIANT__STEP, ALWAYS,                                                                  \
      "iterations: constraints patch by patch, users' constraints, grabs, contacts, skins")                                           \
    X(VELOCITIES, velocities, pliant__stage_velocities, PLIANT__STEP, ALWAYS, "v += (x - predicted) / h")                             \
    X(LIMITS, limits, pliant__stage_limits, PLIANT__APART, pliant__is_bdf2(s->model) && s->limited,                                   \
      "BDF2: nothing that a limit holds is thrown back")                                                                              \
    X(CONTACT_VELOCITIES, contact_velocities, pliant__stage_contact_velocities, PLIANT__APART, model_count(s->model, colliders),      \
      "restitution, and the friction of its impulse")                                                                                 \
    X(PAIR_VELOCITIES, pair_velocities, pliant__stage_pair_velocities, PLIANT__APART, model_count(s->model, elements),                \
      "what pushed each other does not fly apart, but for its restitution")                                                           \
    X(REST, rest, pliant__stage_rest, PLIANT__APART, pliant__may_sleep(s->model), "what has stayed in one place for long is at rest") \
    X(GUARD, guard, pliant__stage_guard, PLIANT__STEP, ALWAYS, "notices a NaN or a runaway speed; restores bodies where the scene says so")

/* What a sweep does after the constraints of patches, in this order. Where any of it happens, stages are taken one after another (PLIANT__APART), and
 * methods that solve constraints otherwise project the rest.
 *
 * X(name, when, statement) */
#define SWEEP_PARTS(X)                                                                                   \
    X(singles, model_count(s->model, users) || s->inputs->grab_count, pliant__project_singles(s, first)) \
    X(pairs, model_count(s->model, elements), pliant__project_pairs(s))                                  \
    X(contacts, model_count(s->model, colliders), pliant__project_contacts(s))                           \
    X(skins, model_count(s->model, skins), pliant__project_skins(s))

#endif
