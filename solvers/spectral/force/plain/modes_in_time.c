/* Between the times of a file's modes. */
#include "solvers/spectral/force/plain/modes_in_time.h"
#include "solvers/spectral/force/plain/modes_file.h"

#include <math.h>

/* Slopes by the parabola through three times, or the chord at an end; Hermite's cubic between two. */
static void cubic(const triad_modes_file *m, int64_t i, double s, int64_t row[4], double weight[4])
{
  const double h = m->t[i + 1] - m->t[i], low = s * (1 - s) * (1 - s) * h, high = s * s * (s - 1) * h;
  for (int a = 0; a < 4; a++) {
    row[a] = i - 1 + a;
    weight[a] = 0;
  }
  weight[1] = (1 + 2 * s) * (1 - s) * (1 - s);
  weight[2] = s * s * (3 - 2 * s);
  for (int end = 0; end < 2; end++) { /* the slope at row i + end, of rows i + end - 1 .. i + end + 1 */
    const int64_t at = i + end;
    const double part = end ? high : low;
    if (at == 0 || at == m->n_times - 1) {
      weight[2] += part / h;
      weight[1] -= part / h;
      continue;
    }
    const double b = m->t[at] - m->t[at - 1], c = m->t[at + 1] - m->t[at];
    weight[end] -= part * c / (b * (b + c));
    weight[end + 1] += part * (c - b) / (b * c);
    weight[end + 2] += part * b / (c * (b + c));
  }
  for (int a = 0; a < 4; a++)
    if (row[a] < 0 || row[a] >= m->n_times) row[a] = i; /* of weight 0 */
}

void triad_modes_file_weights(const triad_modes_file *m, int is_cubic, double t, int64_t row[4], double weight[4])
{
  int64_t i = 0, end = m->n_times - 1;
  for (int a = 0; a < 4; a++) row[a] = 0, weight[a] = a == 1;
  if (end < 1) return;
  while (end - i > 1) {
    const int64_t middle = (i + end) / 2;
    if (m->t[middle] <= t) i = middle;
    else end = middle;
  }
  const double s = fmin(fmax((t - m->t[i]) / (m->t[i + 1] - m->t[i]), 0), 1);
  if (is_cubic) {
    cubic(m, i, s, row, weight);
    return;
  }
  row[1] = i;
  row[2] = i + 1;
  weight[1] = 1 - s;
  weight[2] = s;
}
