/* The step as a table: what happens in each substep, in this order. Timings, counters and docs come from these rows.
 *
 * X(ENUMERATOR, name, function, when, what it does)
 * when: ALWAYS, or a condition on the solver `s`. */
#ifndef PLIANT_STEP_STAGES_H
#define PLIANT_STEP_STAGES_H

#define ALWAYS true

#define SUBSTEP_STAGES(X)                                                                                                                 \
    X(KINEMATIC, kinematic, pliant__stage_kinematic,                                                                                      \
      s->framed || model_count(s->model, targets) || model_count(s->model, skins) || model_count(s->model, colliders),                    \
      "bodies follow what they do not feel of their frames; moves targets and colliders, straight, to where the substep ends")            \
    X(HISTORY, history, pliant__stage_history, pliant__is_bdf2(s->model),                                                                 \
      "BDF2: x <- (4 x - previous x) / 3, v likewise, drag and damping included; from here on h is two thirds of the substep")            \
    X(FORCES, forces, pliant__stage_forces, ALWAYS, "v <- exp(-d h) v, v += h (g + F / m): drag, gravity, uniform and body forces, wind") \
    X(DAMPING, damping, pliant__stage_damping, !pliant__is_bdf2(s->model), "damping of all that is not rigid motion")                     \
    X(PREDICT, predict, pliant__stage_predict, ALWAYS, "start = x; x += h v")                                                             \
    X(PAIRS, pairs, pliant__stage_pairs, model_count(s->model, elements),                                                                 \
      "finds which parts of bodies are near each other, and puts planes between them")                                                    \
    X(CONTACTS, contacts, pliant__stage_contacts, model_count(s->model, colliders), "finds who touches which collider; sticks")           \
    X(PROJECT, project, pliant__stage_project, ALWAYS,                                                                                    \
      "iterations: constraints patch by patch, users' constraints, grabs, contacts, skins")                                               \
    X(VELOCITIES, velocities, pliant__stage_velocities, ALWAYS, "v += (x - predicted) / h")                                               \
    X(LIMITS, limits, pliant__stage_limits, pliant__is_bdf2(s->model) && s->limited, "BDF2: nothing that a limit holds is thrown back")   \
    X(CONTACT_VELOCITIES, contact_velocities, pliant__stage_contact_velocities, model_count(s->model, colliders),                         \
      "restitution, and the friction of its impulse")                                                                                     \
    X(PAIR_VELOCITIES, pair_velocities, pliant__stage_pair_velocities, model_count(s->model, elements),                                   \
      "what pushed each other does not fly apart, but for its restitution")                                                               \
    X(REST, rest, pliant__stage_rest, pliant__may_sleep(s->model), "what has stayed in one place for long is at rest")                    \
    X(GUARD, guard, pliant__stage_guard, ALWAYS, "notices a NaN or a runaway speed; restores bodies where the scene says so")

#endif
