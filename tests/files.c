/* See files.h. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/pliant-test.XXXXXX";

int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

int remove_folder(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

int clear_folder(void **state)
{
    (void)state;
    return system("rm -rf ./*") == 0 ? 0 : -1;
}

void write_bytes(const char *path, const void *data, size_t size)
{
    unlink(path); /* another file, where one is open that had this name */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void write_text(const char *path, const char *text) { write_bytes(path, text, strlen(text)); }

char *read_whole(const char *path, size_t *size)
{
    struct stat s;
    FILE       *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &s), 0);
    char *data = malloc((size_t)s.st_size + 1);
    assert_non_null(data);
    *size = fread(data, 1, (size_t)s.st_size, file);
    data[*size] = 0;
    fclose(file);
    return data;
}

uint64_t random_bits(void)
{
    static uint64_t s = 88172645463325252u;
    s ^= s << 13;
    s ^= s >> 7;
    return s ^= s << 17;
}
