/* Whether a test takes its time: PLIANT_LONG in the environment, as the test long_more_NAME has it, which is the program of test_NAME (CMakeLists.txt). Then it
 * tries all combinations; without, some of them. What is asked, and how exactly, is the same. Which ones they are follows from the number in PLIANT_TURN, 0 where that is not
 * set: CI counts it up, so that it comes to all of them, and says it ahead of the tests. */
#ifndef PLIANT_TESTS_MORE_H
#define PLIANT_TESTS_MORE_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool takes_its_time(void)
{
    const char *set = getenv("PLIANT_LONG");
    return set && *set;
}

/* The number of this turn. */
static inline unsigned this_turn(void)
{
    const char *set = getenv("PLIANT_TURN");
    return set ? (unsigned)strtoul(set, NULL, 10) : 0;
}

#endif
