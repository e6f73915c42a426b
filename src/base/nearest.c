#include "base/nearest.h"

#include <string.h>

enum { LONGEST = 63 };

static int folded(char c)
{
  if (c >= 'A' && c <= 'Z') return c - 'A' + 'a';
  return c == '_' ? '-' : (unsigned char)c;
}

static int least(int a, int b) { return a < b ? a : b; }

static int length_of(const char *word) { return (int)strnlen(word, LONGEST); }

int triad_edits(const char *a, const char *b)
{
  int na = length_of(a), nb = length_of(b);
  int rows[3][LONGEST + 1]; /* of the table of distances between prefixes: before last, last, this */
  int *before = rows[0], *last = rows[1], *now = rows[2];
  for (int j = 0; j <= nb; j++) {
    last[j] = j;
    before[j] = j;
  }
  for (int i = 1; i <= na; i++) {
    now[0] = i;
    for (int j = 1; j <= nb; j++) {
      int same = folded(a[i - 1]) == folded(b[j - 1]);
      now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + !same);
      if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1]))
        now[j] = least(now[j], before[j - 2] + 1);
    }
    int *free_row = before;
    before = last;
    last = now;
    now = free_row;
  }
  return last[nb];
}

int triad_nearest(const char *word, const char *const *words, int n)
{
  int best = -1, best_edits = length_of(word) / 3 + 1;
  if (length_of(word) < 2) return -1;
  for (int i = 0; i < n; i++) {
    int edits = triad_edits(word, words[i]);
    if (edits < best_edits && edits < length_of(words[i])) {
      best = i;
      best_edits = edits;
    }
  }
  return best;
}
