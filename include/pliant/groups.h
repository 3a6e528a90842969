/* Pliant: the table of groups, one row each.
 *
 * A group is a constraint of as many particles as there are: all of a closed surface, or all members of a cluster. What is general about groups (the enum below, dispatch, names and keys
 * in scene files, fuzz ranges, the tests that hold for all of them) comes from this table; what is particular about one is in
 * src/constraints/groups/NAME.h. To add a group, add such a file and a row here. */
#ifndef PLIANT_GROUPS_H
#define PLIANT_GROUPS_H

#include "pliant/constraints.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PLIANT_GROUP_NUMBERS 8 /**< numbers that a group may have */

/** What a group is over. */
typedef enum pliant_group_over {
    PLIANT_OVER_FACES,  /**< the faces of a closed surface: what it measures is the volume inside, V */
    PLIANT_OVER_MEMBERS /**< the members of clusters of particles: what it measures is how each lies to its place at rest */
} pliant_group_over;

/* Numbers of what flows plastically, as pliant_law has them. */
#define PLIANT_GROUP_YIELD                                                                                       \
    PLIANT_L("yield", "1", "equivalent strain from which a cluster's shape at rest flows; 0: never", 0, 1e3, 0), \
        PLIANT_L("creep", "1/s", "rate at which strain beyond the yield flows; 0: at once", 0, 1e9, 0),          \
        PLIANT_L("hardening", "1", "by how much the yield grows per plastic strain", 0, 1e6, 0),                 \
        PLIANT_L("most", "1", "largest plastic strain, as the yield is measured; 0: any", 0, 1e6, 0)

/* X(ENUMERATOR, name, over, numbers, formula, source)
 * A number's low and high bound what a scene may say; `usual` is what it is where a scene does not say it. The first number is the one that keys and
 * pliant_inputs_group change over time. */
#define PLIANT_GROUP_TABLE(X)                                                                                                              \
    X(GAS, gas, FACES,                                                                                                                     \
      PLIANT_PN(PLIANT_L("pressure", "Pa", "how much the gas presses more than the air outside, at the volume at rest", -1e9, 1e9, 0),     \
                PLIANT_L("ambient", "Pa", "the pressure of the air outside", 0, 1e9, 101325),                                              \
                PLIANT_L("leak", "1/s", "share of what presses more than the air outside that escapes in a second", 0, 1e3, 0),            \
                PLIANT_L("volume", "m^3", "the volume at rest; 0: that at the start", 0, 1e6, 0)),                                         \
      "(p + ambient) V = (pressure + ambient) V0, p what presses on the faces and V0 the volume at rest",                                  \
      "the gas law of Boyle and Mariotte; its pressure as a force on particles: Matyka and Ollila 2003, Pressure Model of Soft Body "      \
      "Simulation")                                                                                                                        \
    X(VOLUME, volume, FACES,                                                                                                               \
      PLIANT_P2(PLIANT_L("volume", "1", "the volume that is kept, in volumes at rest", 0, 1e3, 1),                                         \
                PLIANT_L("bulk", "Pa", "modulus of compression of what is inside, that of water where it is not said", 1, 1e12, 2.2e9)),   \
      "p = bulk (volume - V / V0), p what presses on the faces and V0 the volume at rest",                                                 \
      "Müller et al. 2007, Position Based Dynamics, section 4.3, with a compliance: Macklin et al. 2016, XPBD")                            \
    X(RIGID, rigid, MEMBERS,                                                                                                               \
      PLIANT_P2(                                                                                                                           \
          PLIANT_L("young", "Pa", "stiffness: Young's modulus of bonds between neighbours", 0, 1e12, 1e9),                                 \
          PLIANT_L("density", "kg/m^3", "mass over volume, by which a cluster has a volume; 0: a soft body's own, else 1000", 0, 1e5, 0)), \
      "E = k/2 sum m |x - c - R q|^2, q a member's place at rest, c the centre of mass, R the rotation that fits best",                    \
      "Müller et al. 2005, Meshless Deformations Based on Shape Matching, section 3, with a compliance: Macklin et al. 2016, XPBD")        \
    X(LINEAR, linear, MEMBERS,                                                                                                             \
      PLIANT_PN(                                                                                                                           \
          PLIANT_L("young", "Pa", "Young's modulus", 0, 1e12, 1e5),                                                                        \
          PLIANT_L("density", "kg/m^3", "mass over volume, by which a cluster has a volume; 0: a soft body's own, else 1000", 0, 1e5, 0),  \
          PLIANT_L("poisson", "1", "Poisson's ratio", 0, 0.4999, 0.45),                                                                    \
          PLIANT_L("hourglass", "1", "stiffness against what the cluster's linear map leaves, over that of bonds", 0, 1e3, 1),             \
          PLIANT_GROUP_YIELD),                                                                                                             \
      "E = V (mu |R^T F - 1|^2 + lambda/2 tr(R^T F - 1)^2) + k/2 sum m |x - c - F q|^2, F the linear map that fits best, R its rotation",  \
      "Müller et al. 2022, Physically Based Shape Matching; the linear map: Müller et al. 2005, section 4.2")                              \
    X(QUADRATIC, quadratic, MEMBERS,                                                                                                       \
      PLIANT_PN(                                                                                                                           \
          PLIANT_L("young", "Pa", "Young's modulus", 0, 1e12, 1e5),                                                                        \
          PLIANT_L("density", "kg/m^3", "mass over volume, by which a cluster has a volume; 0: a soft body's own, else 1000", 0, 1e5, 0),  \
          PLIANT_L("poisson", "1", "Poisson's ratio", 0, 0.4999, 0.45),                                                                    \
          PLIANT_L("hourglass", "1", "stiffness against what the cluster's quadratic map leaves, over that of bonds", 0, 1e3, 1),          \
          PLIANT_GROUP_YIELD),                                                                                                             \
      "as linear, with a quadratic map beside F, which bends and twists, of the stiffness of a beam",                                      \
      "Müller et al. 2005, section 4.3; energies after Müller et al. 2022, Physically Based Shape Matching")

/* clang-format off */
/** The kinds of group. */
typedef enum pliant_group_kind {
#define PLIANT_ENUM(NAME, ...) PLIANT_GROUP_##NAME,
    PLIANT_GROUP_TABLE(PLIANT_ENUM)
#undef PLIANT_ENUM
    PLIANT_GROUP_COUNT
} pliant_group_kind;
/* clang-format on */

/** One row of the table, as data. */
typedef struct pliant_group_info {
    pliant_group_kind     kind;
    const char           *name;
    pliant_group_over     over;
    uint32_t              number_count;
    pliant_parameter_info numbers[PLIANT_GROUP_NUMBERS];
    const char           *formula, *source;
} pliant_group_info;

/** The row of a kind, or NULL if there is no such kind. */
PLIANT_API const pliant_group_info *pliant_group_describe(pliant_group_kind kind);

#ifdef __cplusplus
}
#endif

#endif
