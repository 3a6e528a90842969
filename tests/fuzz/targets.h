/* What is thrown at each reader, as a table: libFuzzer drives it (fuzz.c, `make fuzz`), and every file that is kept in corpus/NAME/ is run
 * through it once by test_corpus.c. A new reader is one more row. */
#ifndef PLIANT_TESTS_FUZZ_TARGETS_H
#define PLIANT_TESTS_FUZZ_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct target {
    const char *name;
    const char *file; /* where the bytes are put, for readers of files; NULL: they are read from memory */
    /* Reads the bytes, uses what was read, and frees it: whether they were good. What a reader promises whatever it reads is looked at;
     * where the promise is broken, the program stops. */
    bool (*read)(const struct target *target, const unsigned char *data, size_t size);
    /* Readers of Pliant's own files: writes a good one, to begin with. NULL: corpus/NAME/ has texts to begin with. */
    bool (*write)(const char *path);
    const char *path; /* what is opened and written, where that is not `file` itself but what it belongs to */
    /* Puts right the checksums of bytes that were changed, so that what lies behind them is reached too; may be NULL. */
    void (*seal)(unsigned char *data, size_t size);
} target;

extern const target targets[];
extern const size_t target_count;

/* NULL if there is none of this name. */
const target *target_find(const char *name);

/* Makes what the targets share, in the working folder: a model, meshes that scenes may name, folders. Once, before the first. */
void targets_begin(void);
void targets_end(void);

/* Puts the bytes where the target wants them, and reads them. */
bool target_run(const target *t, const unsigned char *data, size_t size);

/* Of a target that writes: a good file of its, for free(). NULL of others. */
unsigned char *target_good(const target *t, size_t *size);

#endif
