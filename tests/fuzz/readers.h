/* What the targets' readers share: targets.c has the table, meshes.c what reads meshes and points, seals.c the checksums. */
#ifndef PLIANT_TESTS_FUZZ_READERS_H
#define PLIANT_TESTS_FUZZ_READERS_H

#include "targets.h"

#include "pliant/io.h"

/* Stops the program where a promise of a reader is broken. */
void target_broken(const char *file, int line, const char *promise);
#define PROMISE(condition) ((condition) ? (void)0 : target_broken(__FILE__, __LINE__, #condition))

/* Checks an error: a refusal has a reason, and names the file that was read. Always false. */
bool target_refused(const pliant_error *error);

bool read_mesh(const target *t, const unsigned char *data, size_t size);
bool read_tets(const target *t, const unsigned char *data, size_t size);
bool read_answer(const target *t, const unsigned char *data, size_t size);
bool read_points(const target *t, const unsigned char *data, size_t size);

/* Checksums as the heads of the formats' files describe them. */
void seal_checkpoint(unsigned char *data, size_t size);
void seal_cooked(unsigned char *data, size_t size);
void seal_recording(unsigned char *data, size_t size);
void seal_field(unsigned char *data, size_t size);
void seal_part(unsigned char *data, size_t size);
void seal_vtkhdf(unsigned char *data, size_t size);
void seal_abc(unsigned char *data, size_t size);

#endif
