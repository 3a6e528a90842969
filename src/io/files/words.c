/* Words that are nearly right. */
#include "io/files/words.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LONGEST_WORD 40

/* Edit distance with neighbours swapped counting as one (optimal string alignment). */
static int distance(const char *a, const char *b)
{
    int    rows[3][LONGEST_WORD + 1];
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST_WORD || m > LONGEST_WORD) return LONGEST_WORD;
    for (size_t j = 0; j <= m; j++) rows[0][j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int *now = rows[i % 3], *last = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best) best = last[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best) best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return rows[n % 3][m];
}

/* One more than the edits that are forgiven. */
static int farthest(const char *wrong)
{
    size_t length = strlen(wrong);
    return length < 4 ? 2 : length < 9 ? 3 : 4;
}

pliant__likeness pliant__likeness_of(const char *wrong) { return (pliant__likeness){wrong, NULL, farthest(wrong)}; }

void pliant__liken(pliant__likeness *like, const char *word)
{
    const int d = distance(like->wrong, word);
    if (d >= like->least) return;
    like->least = d;
    like->best = word;
}

const char *pliant__nearest_word(const char *wrong, const char *const *words)
{
    pliant__likeness like = pliant__likeness_of(wrong);
    for (; *words; words++) pliant__liken(&like, *words);
    return like.best;
}

const char *pliant__known_words(const char *wrong, const char *const *words, char *out, size_t size)
{
    const char *near = pliant__nearest_word(wrong, words);
    size_t      length = (size_t)snprintf(out, size, "%s%s", near ? "(did you mean " : "(known are ", near ? near : "");
    for (uint32_t i = 0; !near && words[i] && length < size; i++)
        length += (size_t)snprintf(out + length, size - length, "%s%s", i ? ", " : "", words[i]);
    if (length < size) snprintf(out + length, size - length, near ? "?)" : ")");
    return out;
}
