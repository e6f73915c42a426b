/* Equal ranges of whole numbers for ranks. */
#include "grid/layout.h"

int64_t triad_deal(int64_t count, int rank, int size) { return count * rank / size; }

int triad_dealt_to(int64_t count, int size, int64_t i)
{
  int r = (int)(i * size / count);
  while (r + 1 < size && triad_deal(count, r + 1, size) <= i) r++;
  return r;
}
