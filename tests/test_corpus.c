/* Laws of every reader, on files that are kept because each makes a reader go another way (tests/fuzz/corpus/): it reads them or says why
 * not, and breaks none of its promises. Runs what libFuzzer runs, without it. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"
#include "fuzz/targets.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int begin(void **state)
{
    int bad = enter_folder(state);
    if (!bad) targets_begin();
    return bad;
}

static int end(void **state)
{
    targets_end();
    return remove_folder(state);
}

/* What a target writes is good; of its kept files some are good, or it writes them, and some are not. */
static void kept_files_are_read_or_refused(void **state)
{
    const target *t = *state;
    size_t        size, good = 0, bad = 0;
    glob_t        found = {0};
    char          pattern[256];
    char         *own = (char *)target_good(t, &size);
    if (own) {
        assert_true(target_run(t, (unsigned char *)own, size));
        good++;
        for (size_t cut = 0; cut < size; cut += 1 + cut / 8) bad += !target_run(t, (unsigned char *)own, cut);
        free(own);
    }
    snprintf(pattern, sizeof pattern, PLIANT_SOURCE_DIR "/tests/fuzz/corpus/%s/*", t->name);
    if (glob(pattern, 0, NULL, &found) != 0) assert_true(t->write != NULL);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *data = read_whole(found.gl_pathv[i], &size);
        if (target_run(t, (unsigned char *)data, size))
            good++;
        else
            bad++;
        free(data);
    }
    globfree(&found);
    print_message("%s: %zu good, %zu refused\n", t->name, good, bad);
    assert_true(good > 0 && bad > 0);
}

int main(void)
{
    struct CMUnitTest tests[64] = {{0}};
    if (target_count > sizeof tests / sizeof *tests) return 1;
    for (size_t i = 0; i < target_count; i++)
        tests[i] = (struct CMUnitTest){targets[i].name, kept_files_are_read_or_refused, NULL, NULL, (void *)&targets[i]};
    return _cmocka_run_group_tests("kept files", tests, target_count, begin, end);
}
