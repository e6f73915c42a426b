/* Prints what kernels' sources are told of every length that test_lines_gpu.c transforms on the host, or of one alone:
 * lengths strided|fused [N]. */
#include "fft/lines/radices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 512, HELD = 3 };

static int said[MOST + 1];

int main(int argc, char **argv)
{
  const int fused = argc > 1 && strcmp(argv[1], "fused") == 0;
  const int least = argc > 2 ? atoi(argv[2]) : TRIAD_RADICES_LEAST, most = argc > 2 ? least : MOST;
  char text[1024];
  printf("#define TRIAD_COMPILED_LENGTHS");
  for (int n = least; n <= most && n <= MOST; n++) {
    triad_radices r;
    if (!triad_radices_serve(n, 0)) continue;
    if (!fused && triad_radices_strided(n, &r)) (void)triad_radices_tell_strided(&r, text, sizeof text);
    if (fused && triad_radices_fused(n, HELD, &r)) (void)triad_radices_tell_fused(&r, text, sizeof text);
    if (said[r.n]++ == 0) printf(" \\\n  %s", text);
  }
  printf("\n#define TEST_LENGTHS(X)");
  for (int n = least; n <= most && n <= MOST; n++) {
    triad_radices r;
    if (triad_radices_serve(n, 0) && triad_radices_fused(n, HELD, &r)) printf(" \\\n  X(%d, %d)", n, r.one_by_one);
  }
  printf("\n");
  return 0;
}
