/* Texts of files, put together and taken apart: words, numbers with the digits that read back, counts. */
#ifndef PLIANT_IO_FILES_TEXT_H
#define PLIANT_IO_FILES_TEXT_H

#include "base/array.h"
#include "pliant/base.h"

typedef ARRAY(char) pliant__bytes;

/* Whether a file begins with a text. */
bool pliant__begins(const char *head, size_t size, const char *text);

/* How many digits a number has. */
uint32_t pliant__digits(uint64_t number);

/* Append to a text. False if out of memory. */
bool pliant__put(pliant__bytes *to, const void *data, size_t size);
bool pliant__put_number(pliant__bytes *to, double value, char after);
bool pliant__put_count(pliant__bytes *to, uint64_t value, char after);
bool pliant__put_text(pliant__bytes *to, const char *text);

/* A text as XML has it between quotes. */
bool pliant__put_xml(pliant__bytes *to, const char *text);

/* Reading: a number that a pliant_real holds; a count as put_count writes it, from `*at` on, which is moved behind it. */
bool pliant__take_real(const char *text, size_t length, pliant_real *value);
bool pliant__take_count(const char **at, const char *end, uint64_t *value);

#endif
