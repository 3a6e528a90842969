/* The table of groups as data, and its laws. */
#include "constraints/groups.h"

#include "group_kinds.h"

static const pliant_group_info table[] = {
#define ROW(NAME, name, over, numbers, formula, source)                                    \
    {PLIANT_GROUP_##NAME,                                                                  \
     #name,                                                                                \
     PLIANT_OVER_##over,                                                                   \
     (uint32_t)(sizeof((pliant_parameter_info[])numbers) / sizeof(pliant_parameter_info)), \
     numbers,                                                                              \
     formula,                                                                              \
     source},
    PLIANT_GROUP_TABLE(ROW)
#undef ROW
};

const pliant_group_info *pliant_group_describe(pliant_group_kind kind) { return (unsigned)kind < PLIANT_GROUP_COUNT ? &table[kind] : NULL; }

pliant_group_over pliant__group_over(pliant_group_kind kind) { return table[kind].over; }

/* A function of the kinds that are over the same, NULL of others. */
#define FACES_FACES(function) function
#define FACES_MEMBERS(function) NULL
#define MEMBERS_FACES(function) NULL
#define MEMBERS_MEMBERS(function) function

void pliant__press(pliant_group_kind kind, const double *number, double rest, double volume, press *out)
{
    static void (*const all[])(const double *number, double rest, double volume, press *out) = {
#define ROW(NAME, name, over, ...) FACES_##over(name##_press),
        PLIANT_GROUP_TABLE(ROW)
#undef ROW
    };
    all[kind](number, rest, volume, out);
}

bool pliant__may_lose(pliant_group_kind kind, const double *number)
{
    static bool (*const all[])(const double *number) = {
#define ROW(NAME, name, over, ...) FACES_##over(name##_may_lose),
        PLIANT_GROUP_TABLE(ROW)
#undef ROW
    };
    return all[kind] && all[kind](number);
}

double pliant__pumped(pliant_group_kind kind, double rest, double volume, double pressure)
{
    static double (*const all[])(double rest, double volume, double pressure) = {
#define ROW(NAME, name, over, ...) FACES_##over(name##_pumped),
        PLIANT_GROUP_TABLE(ROW)
#undef ROW
    };
    return all[kind](rest, volume, pressure);
}

double pliant__lost(pliant_group_kind kind, const double *number, double rest, double volume, double h)
{
    static double (*const all[])(const double *number, double rest, double volume, double h) = {
#define ROW(NAME, name, over, ...) FACES_##over(name##_lost),
        PLIANT_GROUP_TABLE(ROW)
#undef ROW
    };
    return all[kind] ? all[kind](number, rest, volume, h) : 0;
}

double pliant__blown(pliant_group_kind kind, const double *number, double rest, double volume, const opening *of)
{
    static double (*const all[])(const double *number, double rest, double volume, const opening *of) = {
#define ROW(NAME, name, over, ...) FACES_##over(name##_blown),
        PLIANT_GROUP_TABLE(ROW)
#undef ROW
    };
    return all[kind] ? all[kind](number, rest, volume, of) : 0;
}

match_order pliant__match_order(pliant_group_kind kind)
{
    static match_order (*const all[])(void) = {
#define ROW(NAME, name, over, ...) MEMBERS_##over(name##_order),
        PLIANT_GROUP_TABLE(ROW)
#undef ROW
    };
    return all[kind]();
}

void pliant__match_stiffness(pliant_group_kind kind, const double *number, const match_size *size, double stiffness[MATCH_ROWS])
{
    static void (*const all[])(const double *number, const match_size *size, double *stiffness) = {
#define ROW(NAME, name, over, ...) MEMBERS_##over(name##_stiffness),
        PLIANT_GROUP_TABLE(ROW)
#undef ROW
    };
    all[kind](number, size, stiffness);
}

match_yield pliant__match_yield(pliant_group_kind kind, const double *number)
{
    static match_yield (*const all[])(const double *number) = {
#define ROW(NAME, name, over, ...) MEMBERS_##over(name##_yield),
        PLIANT_GROUP_TABLE(ROW)
#undef ROW
    };
    return all[kind](number);
}
