/* Draw the shift of the grid of each step. Two steps of every four use the same shift plus half a cell, which has
 * the opposite aliases. */
#include "solvers/spectral/plain/shifts.h"
#include "base/random.h"
#include "case/case.h"
#include "grid/grid.h"

int triad_shifts_of(const triad_grid *grid, const triad_case *given)
{
  if (!grid->shifted) return TRIAD_SHIFTS_NONE;
  return triad_case_is(given, "grid.shifts", "random") ? TRIAD_SHIFTS_RANDOM : TRIAD_SHIFTS_EXACT;
}

void triad_shift_of_step(int64_t step, double shift[3])
{
  const int64_t four = step / 4;
  const int opposite = step % 4 == 1 || step % 4 == 2;
  const triad_bits drawn = triad_random_bits(triad_random_key(0, TRIAD_STREAM_SHIFTS), (int32_t)(four & INT32_MAX),
                                             (int32_t)(four >> 31), 0, 0);
  for (int axis = 0; axis < 3; axis++) {
    double s = drawn.v[axis] * 0x1p-32 + 0.5 * opposite;
    shift[axis] = s < 1 ? s : s - 1;
  }
}
