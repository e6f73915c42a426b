#include "solvers/weno/face_row.h"

#include "solvers/weno/central_points.h"

TRIAD_POINT_INLINE triad_weno_cell cell_at(const triad_real *const q[5], int64_t i)
{
  return (triad_weno_cell){q[0][i], q[1][i], q[2][i], q[3][i], q[4][i]};
}

void triad_weno_central_row(const triad_weno_faces *p, const triad_real *const above[5], int64_t step, int64_t n,
                            triad_weno_row face[5])
{
  const triad_weno_gas g = p->gas;
  const triad_real *const q[5] = {above[0], above[1], above[2], above[3], above[4]};
  triad_real *restrict f0 = face[0], *restrict f1 = face[1], *restrict f2 = face[2], *restrict f3 = face[3],
                       *restrict f4 = face[4];
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    triad_weno_five f = triad_weno_central(
        &g, cell_at(q, i - 4 * step), cell_at(q, i - 3 * step), cell_at(q, i - 2 * step), cell_at(q, i - step),
        cell_at(q, i), cell_at(q, i + step), cell_at(q, i + 2 * step), cell_at(q, i + 3 * step));
    f0[i] = f.r;
    f1[i] = f.n;
    f2[i] = f.s;
    f3[i] = f.t;
    f4[i] = f.e;
  }
}
