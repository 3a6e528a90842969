# Turns the file INPUT into the C source OUTPUT: its text as a string, and its length.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "(..)" "\\\\x\\1" text "${hex}")
string(REGEX REPLACE "(................................................................)" "\\1\"\n    \"" text "${text}")
file(WRITE ${OUTPUT} "/* Generated from a scene file. */
#include <stddef.h>

extern const char   pliant__demo_scene[];
extern const size_t pliant__demo_scene_length;

const char pliant__demo_scene[] =
    \"${text}\";
const size_t pliant__demo_scene_length = sizeof pliant__demo_scene - 1;
")
