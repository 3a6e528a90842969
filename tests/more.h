/* Whether a test takes its time: PLIANT_LONG in the environment, as the test long_more_NAME has it, which is the program of test_NAME (CMakeLists.txt). Then it
 * tries all combinations; without, some of them, the same ones each time. What is asked, and how exactly, is the same. */
#ifndef PLIANT_TESTS_MORE_H
#define PLIANT_TESTS_MORE_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool takes_its_time(void)
{
    const char *set = getenv("PLIANT_LONG");
    return set && *set;
}

#endif
