/* An STL file of any bytes, ASCII or binary: a closed surface with corners in its box, and distances to it within the
 * band, or an error. */
#include "fuzz.h"

#include "solvers/spectral/relax/plain/stl.h"

#include <math.h>

enum { POINTS = 16 };

static void check_surface(const triad_stl *s)
{
  double x[POINTS], work[2 * POINTS], distance[POINTS];
  MUST(s->n >= 4);
  for (int64_t i = 0; i < 9 * s->n; i++) MUST(s->corner[i] >= s->low[i % 3] && s->corner[i] <= s->high[i % 3]);
  const double size = s->high[0] - s->low[0], band = size / 4;
  for (int i = 0; i < POINTS; i++) {
    x[i] = s->low[0] + size * (i - 2) / (POINTS - 5);
    distance[i] = band;
  }
  triad_stl_row(s, POINTS, x, (s->low[1] + s->high[1]) / 2, (s->low[2] + s->high[2]) / 2, band, work, distance);
  for (int i = 0; i < POINTS; i++) MUST(fabs(distance[i]) <= band);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  triad_stl stl = {0};
  int st = triad_stl_read(&stl, NULL, file_of(data, size), 1);
  MUST(st == TRIAD_OK || (st == TRIAD_ERR_CASE && triad_message()[0]));
  if (st == TRIAD_OK) check_surface(&stl);
  triad_stl_clear(&stl);
  triad_message_clear();
  return 0;
}
