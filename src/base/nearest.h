/* What a user probably meant by a misspelt word. */
#ifndef TRIAD_BASE_NEAREST_H
#define TRIAD_BASE_NEAREST_H

/* Edits (insert, delete, replace, swap of neighbours) that turn a into b; upper and lower case count as equal, and
 * so do '_', '-'. Words longer than 63 bytes are cut. Optimal string alignment, as in Damerau 1964, CACM 7, 171. */
int triad_edits(const char *a, const char *b);

/* Place in words[0..n-1] of the word nearest to `word`, the first of equals; -1 when none is near enough to be
 * worth suggesting: at most one edit in three characters. Not collective. */
int triad_nearest(const char *word, const char *const *words, int n);

#endif
