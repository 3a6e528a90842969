/* The clock, for statistics and for how long a reader may take: no result depends on it. */
#ifndef PLIANT_BASE_CLOCK_H
#define PLIANT_BASE_CLOCK_H

/* Seconds since whenever; never runs back where the system has such a clock. */
double pliant__clock(void);

#endif
