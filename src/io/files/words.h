/* Words that are nearly right: what a misspelt one may have meant. */
#ifndef PLIANT_IO_FILES_WORDS_H
#define PLIANT_IO_FILES_WORDS_H

#include <stddef.h>

/* The word of `words` that is nearest to a misspelt one, or NULL if none is near. */
const char *pliant__nearest_word(const char *wrong, const char *const *words);

/* A suggestion: "(did you mean b?)", or "(known are a, b)". */
const char *pliant__known_words(const char *wrong, const char *const *words, char *out, size_t size);

/* The word that is nearest to a misspelt one, of those that it is likened to one by one. */
typedef struct pliant__likeness {
    const char *wrong;
    const char *best;  /* NULL: none is near */
    int         least; /* edits from `wrong` to `best`; without one, one more than are forgiven */
} pliant__likeness;

pliant__likeness pliant__likeness_of(const char *wrong);
void             pliant__liken(pliant__likeness *like, const char *word);

#endif
