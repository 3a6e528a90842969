/* Functions of a shared library that is loaded when the first of them is needed: a command that calls none of them does not wait for it. A struct of
 * pointers holds them, with a list of their names. Knows nothing of Pliant, and may be included from anywhere; POSIX only. */
#ifndef PLIANT_BASE_LATE_H
#define PLIANT_BASE_LATE_H

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* A pointer that is to point to a library's symbol, with the type that the library's header gives that symbol. */
#define LATE_POINTER(name) __typeof__(name) *name;

typedef struct late_symbol {
    const char *name;
    void       *pointer; /* to the pointer that is to be set */
} late_symbol;

typedef struct late_library {
    const char        *file; /* name that the dynamic linker looks for: "libcholmod.so.3" */
    const late_symbol *symbol;
    size_t             count;
    bool               is_open; /* its pointers are set */
    pthread_mutex_t    lock;    /* over `is_open` and the pointers, until late_open has returned */
} late_library;

#define LATE_LIBRARY(file, symbols)                                                          \
    {                                                                                        \
        file, symbols, sizeof(symbols) / sizeof *(symbols), false, PTHREAD_MUTEX_INITIALIZER \
    }

/* dlsym gives a pointer to data; POSIX wants it copied, as C knows no way from one to a function. */
static inline bool late_find(const late_library *l, void *handle, char *why, size_t size)
{
    for (size_t i = 0; i < l->count; i++) {
        void *found = dlsym(handle, l->symbol[i].name);
        if (!found) {
            snprintf(why, size, "%s has no %s", l->file, l->symbol[i].name);
            return false;
        }
        memcpy(l->symbol[i].pointer, &found, sizeof found);
    }
    return true;
}

/* Loads the library, if it is not loaded yet, for as long as the process runs. False: it is not there, and `why` says what the dynamic linker says, in
 * `size` bytes. */
static inline bool late_open(late_library *l, char *why, size_t size)
{
    pthread_mutex_lock(&l->lock);
    if (!l->is_open) {
        void *handle = dlopen(l->file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (!handle)
            snprintf(why, size, "%s", dlerror());
        else if (late_find(l, handle, why, size))
            l->is_open = true;
        else
            dlclose(handle);
    }
    const bool is_open = l->is_open;
    pthread_mutex_unlock(&l->lock);
    return is_open;
}

#endif
