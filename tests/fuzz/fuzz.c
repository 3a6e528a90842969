/* libFuzzer's side of targets.c. PLIANT_FUZZ in the environment says which target; it works in the working folder. With PLIANT_FUZZ_SEED it
 * writes the good file that the target begins with to that path, and ends. */
#include "targets.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const target *chosen;

/* A target that has texts to begin with has no seed to write. */
static bool write_seed(const char *path)
{
    size_t         size;
    unsigned char *data = target_good(chosen, &size);
    FILE          *f = data ? fopen(path, "wb") : NULL;
    bool           ok = !data || (f && fwrite(data, 1, size, f) == size);
    ok = (!f || fclose(f) == 0) && ok;
    free(data);
    return ok;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    chosen = target_find(getenv("PLIANT_FUZZ"));
    if (!chosen) {
        fputs("PLIANT_FUZZ has to be one of:", stderr);
        for (size_t i = 0; i < target_count; i++) fprintf(stderr, " %s", targets[i].name);
        fputc('\n', stderr);
        exit(2);
    }
    targets_begin();
    if (getenv("PLIANT_FUZZ_SEED")) exit(write_seed(getenv("PLIANT_FUZZ_SEED")) ? 0 : 3);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    target_run(chosen, data, size);
    return 0;
}
