/* SPDX-License-Identifier: MIT */
#include "base/parse.h"

#include <string.h>

/* Longer names are never suggested. */
#define NAME_LEN_MAX 63

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, substitutions and swaps of neighbours, each 1
 * ("optimal string alignment").  rows[] are the last two lines of the matrix
 * and the one being filled. */
static size_t edit_distance(const char *a, size_t a_len, const char *b,
                            size_t b_len)
{
    size_t rows[3][NAME_LEN_MAX + 1] = {{0}};
    size_t *before = rows[0], *above = rows[1], *row = rows[2];

    for (size_t j = 0; j <= b_len; j++)
        above[j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t *recycled = before;

        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            const bool differs = a[i - 1] != b[j - 1];

            row[j] = min_size(above[j], row[j - 1]) + 1;
            row[j] = min_size(row[j], above[j - 1] + differs);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = min_size(row[j], before[j - 2] + 1);
        }
        before = above;
        above = row;
        row = recycled;
    }
    return above[b_len];
}

const char *nearest_name(const char *text, const char *const *names, size_t n)
{
    const size_t text_len = strlen(text);
    const char *best = NULL;
    size_t best_distance = SIZE_MAX;

    if (text_len > NAME_LEN_MAX)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        const size_t len = strlen(names[i]);
        const size_t longer = len > text_len ? len : text_len;
        size_t distance;

        if (len > NAME_LEN_MAX)
            continue;
        distance = edit_distance(text, text_len, names[i], len);
        /* A third of the letters wrong is the most that a typing error
         * explains; all of them wrong is another word. */
        if (distance < best_distance && distance <= (longer + 2) / 3 &&
            (distance < longer || distance == 0)) {
            best = names[i];
            best_distance = distance;
        }
    }
    return best;
}
