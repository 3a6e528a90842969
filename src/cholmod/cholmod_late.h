/* The functions of CHOLMOD that cholmod.c calls; the library is loaded when a system is to be solved. */
#ifndef PLIANT_CHOLMOD_LATE_H
#define PLIANT_CHOLMOD_LATE_H

#include <cholmod.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef PLIANT_LATE_CHOLMOD
#include "base/late.h"

/* The functions that are called, and those that the header's macros name. */
#define CHOLMOD_CALLS(X)       \
    X(cholmod_allocate_sparse) \
    X(cholmod_analyze)         \
    X(cholmod_factorize)       \
    X(cholmod_finish)          \
    X(cholmod_free_factor)     \
    X(cholmod_free_sparse)     \
    X(cholmod_start)

static struct {
    CHOLMOD_CALLS(LATE_POINTER)
} calls;

#define CHOLMOD_CALLS_SYMBOL(name) {#name, &calls.name},
static const late_symbol calls_symbols[] = {CHOLMOD_CALLS(CHOLMOD_CALLS_SYMBOL)};
#undef CHOLMOD_CALLS_SYMBOL
static late_library calls_library = LATE_LIBRARY(PLIANT_LATE_CHOLMOD, calls_symbols);

static bool open_cholmod(char *why, size_t size) { return late_open(&calls_library, why, size); }

#define cholmod_allocate_sparse (*calls.cholmod_allocate_sparse)
#define cholmod_analyze (*calls.cholmod_analyze)
#define cholmod_factorize (*calls.cholmod_factorize)
#define cholmod_finish (*calls.cholmod_finish)
#define cholmod_free_factor (*calls.cholmod_free_factor)
#define cholmod_free_sparse (*calls.cholmod_free_sparse)
#define cholmod_start (*calls.cholmod_start)

#else

static bool open_cholmod(char *why, size_t size)
{
    (void)why;
    (void)size;
    return true;
}

#endif
#endif
