/* Check a case of the compressible solver and count its memory and files. */
#include "case/mean.h"
#include "solvers/box/box.h"
#include "solvers/box/box_spectra.h"
#include "solvers/compressible/plain/devices.h"
#include "solvers/slice_list.h"
#include "solvers/compressible/measure/samples.h"
#include "solvers/compressible/state/flow.h"
#include "solvers/compressible/state/internal.h"

int triad_gas_check(const triad_case *c, int size, int threads, triad_needs *needs)
{
  triad_compressible_setup setup;
  triad_partition largest;
  triad_space space;
  int columns, periodic[3];
  /* the last rank never has less than another */
  TRIAD_TRY(triad_gas_blocks(c, size - 1, size, &setup, &largest));
  const int64_t *n = setup.n;
  int on_gpu = triad_device_expected(&triad_gas_devices, c);
  triad_needs_add(&needs->rank, on_gpu ? "state" : "state and stages",
                  on_gpu ? "for files; time steps use GPU memory" : "with halos and their messages",
                  triad_compressible_bytes(&largest, &setup, sizeof(triad_real), on_gpu));
  if (!on_gpu) triad_needs_add(&needs->rank, "tiles", "that threads work in", triad_compressible_tile_bytes(threads));
  if (triad_gas_sponge_wanted(c))
    triad_needs_add(&needs->rank, "sponge", "its rate and its state",
                    triad_gas_sponge_bytes(c, triad_partition_points(&largest)));
  if (triad_gas_sponge_wanted(c) && on_gpu)
    triad_needs_add(&needs->gpu, "sponge", "its rate and its state",
                    triad_gas_sponge_bytes(c, triad_partition_points(&largest)));
  if (triad_compressible_walls_wanted(c))
    triad_needs_add(&needs->rank, "walls", "temperature and velocity at their points",
                    triad_compressible_walls_bytes(c, &largest));
  if (on_gpu)
    triad_needs_add(&needs->gpu, "state and stages", "with halos and their messages",
                    triad_gas_gpu->bytes(&largest, &setup));
  triad_space_box(&space, &largest, setup.length);
  TRIAD_TRY(triad_box_needs(needs, c, &space, TRIAD_COMPRESSIBLE_FIELDS));
  TRIAD_TRY(triad_box_probes_check(c, space.axis));
  for (int i = 0; i < 3; i++) periodic[i] = setup.side[i][0].kind == TRIAD_COMPRESSIBLE_PERIODIC;
  triad_places_warn(c, setup.length, periodic, &needs->warnings);
  triad_gas_particles_check(c, &setup, &largest, on_gpu, needs);
  const int64_t means = triad_gas_samples_bytes(&setup, c, triad_partition_points(&largest), threads);
  if (means > 0) triad_needs_add(&needs->rank, "means", "primitive variables and sums, for a sample", means);
  TRIAD_TRY(triad_gas_samples_check(&setup, c));
  if (triad_gas_has_spectra(&setup) &&
      (triad_case_real(c, "output.spectra_interval") > 0 || triad_mean_asked(c).spectra))
    triad_needs_add(&needs->rank, "spectra", "fields and their modes, while they are measured",
                    2 * triad_partition_points(&largest) * (int64_t)sizeof(triad_real) +
                      triad_box_spectra_bytes(n, size, TRIAD_BOX_MODES));
  needs->spectra_bytes = triad_gas_has_spectra(&setup) ? 8192 + 8 * 7 * (n[0] + n[1] + n[2]) : 0;
  (void)triad_compressible_columns_of(&setup, &columns);
  needs->columns =
    columns + TRIAD_COMPRESSIBLE_DRIFTS + (triad_case_is(c, "forcing.kind", "none") ? 0 : TRIAD_COMPRESSIBLE_POWERS);
  return TRIAD_OK;
}
