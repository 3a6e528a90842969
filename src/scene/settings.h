/* Settings of a scene that a model keeps as they are given: a row each, in the order in which the model's header has them. A scene's are checked by these rows
 * (scene.c), copied into the header (compile/compile.c) and back (pliant_model_settings). Gravity, substeps and the method are not of these types.
 *
 * SCENE_CHOICES: X(type, name, last): an enumeration, and the last of its values.
 * SCENE_NUMBERS: X(name, check): a pliant_real; check: what pliant__check_... asks of it. */
#ifndef PLIANT_SCENE_SETTINGS_H
#define PLIANT_SCENE_SETTINGS_H

#define SCENE_CHOICES(X)                                                    \
    X(pliant_order, order, PLIANT_ORDER_GIVEN)                              \
    X(pliant_on_divergence, on_divergence, PLIANT_DIVERGENCE_RESTORES)      \
    X(pliant_integration, integration, PLIANT_INTEGRATION_BDF2)             \
    X(pliant_contact_bound, contact_bound, PLIANT_CONTACT_BOUND_CONTINUOUS) \
    X(pliant_substep_rest, substep_rest, PLIANT_SUBSTEP_CARRY)              \
    X(pliant_on_energy, on_energy, PLIANT_ENERGY_STOPS)                     \
    X(pliant_easing, easing, PLIANT_EASING_NONE)                            \
    X(pliant_quality, quality, PLIANT_QUALITY_FINAL)

#define SCENE_NUMBERS(X)     \
    X(damping, not_negative) \
    X(drag, not_negative)    \
    X(max_speed, positive)   \
    X(sleep_speed, not_negative)

/* Numbers of a contact pair, likewise: X(name, left_out, check, meaning); left_out: the value of a number that was not given, default -1 or 0. */
#define CONTACT_PAIR_NUMBERS(X)                          \
    X(friction_static, -1, not_negative, "coefficient")  \
    X(friction_dynamic, -1, not_negative, "coefficient") \
    X(restitution, -1, share, "share of the speed")      \
    X(adhesion, 0, not_negative, "N")

#endif
