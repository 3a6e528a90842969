# Turns the file INPUT into the C source OUTPUT: its text as the string NAME, and its length as NAME_length.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "(..)" "\\\\x\\1" text "${hex}")
string(REGEX REPLACE "(................................................................)" "\\1\"\n    \"" text "${text}")
file(WRITE ${OUTPUT} "/* Generated from a text. */
#include <stddef.h>

extern const char   ${NAME}[];
extern const size_t ${NAME}_length;

const char ${NAME}[] =
    \"${text}\";
const size_t ${NAME}_length = sizeof ${NAME} - 1;
")
