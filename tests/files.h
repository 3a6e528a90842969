/* A folder of its own for each test program, and whole files in and out of it. */
#ifndef PLIANT_TESTS_FILES_H
#define PLIANT_TESTS_FILES_H

#include <stddef.h>
#include <stdint.h>

/* For a group of tests, as CMocka has it: makes a folder and goes there; goes away and removes it. */
int enter_folder(void **state);
int remove_folder(void **state);

/* After a test: empties the folder. */
int clear_folder(void **state);

/* Each fails the test where the file system does. */
void  write_bytes(const char *path, const void *data, size_t size);
void  write_text(const char *path, const char *text);
char *read_whole(const char *path, size_t *size); /* with a 0 behind the end; for free() */

/* The same row of numbers in every run. */
uint64_t random_bits(void);

#endif
