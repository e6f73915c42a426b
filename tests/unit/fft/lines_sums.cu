/* Sums over bins of wavenumber where every mode is kept, Nyquist ones too, for test_lines_gpu.c. */
#include <cuda_runtime.h>

#include "solvers/spectral/equations/device_measure.h"

namespace
{
struct given {
  enum { COUNT = 1 };
  const double *value;
  void at(const mode &m, double *terms) const { terms[0] = value[m.i]; }
};
} // namespace

/* out[bin] = sum of weight * value of the bin's modes; wz, value [nkz][columns], as triad_gpu_modes and
 * triad_gpu_bins have it. */
extern "C" void test_bins(int nkz, int columns, const double *wz, const double *weight, const double *across2,
                          const double *value, int n_bins, double *out)
{
  enum { MOST = 64 };
  int32_t kz[MOST], extent[MOST], column[MOST], offset[2] = {0, columns};
  for (int j = 0; j < nkz; j++) kz[j] = j <= nkz / 2 ? j : j - nkz;
  for (int c = 0; c < columns; c++) {
    column[c] = c;
    extent[c] = nkz / 2;
  }
  triad_gpu_modes modes = {};
  triad_gpu_bins bins = {};
  modes.columns = columns;
  modes.nkz = nkz;
  modes.n = (int64_t)nkz * columns;
  modes.wx = modes.wy = modes.size_x = modes.size_y = across2; /* terms do not ask */
  modes.wz = modes.size_z = wz;
  modes.weight = weight;
  modes.extent = extent;
  modes.kz = kz;
  bins.n_groups = 1;
  bins.n_bins = n_bins;
  bins.width = 1;
  bins.offset = offset;
  bins.column = column;
  bins.across2 = across2;
  TRIAD_LAUNCH(dim3((unsigned)n_bins), dim3(SUM_THREADS), 0, gather_kernel<given>)(given{value}, modes, bins, out);
}
