/* Check a case of the staggered solver, list its columns, and count its memory and files. */
#include "solvers/staggered/case/check.h"
#include "case/mean.h"

#include "solvers/staggered/plain/columns.h"
#include "solvers/staggered/measure/samples.h"
#include "solvers/staggered/measure/spectra.h"
#include "solvers/box/box_spectra.h"
#include "solvers/box/box.h"
#include "solvers/device_choice.h"
#include "solvers/slice_list.h"
#include "solvers/staggered/gpu/device.h"
#include "solvers/staggered/plain/solids.h"

/* A case whose cubes do not fit ends before work begins. */
static int check_solids(const triad_case *given, const triad_staggered_setup *setup)
{
  triad_partition whole;
  int periodic[3];
  if (!setup->solids) return TRIAD_OK;
  for (int i = 0; i < 3; i++) periodic[i] = setup->side[i][0] == TRIAD_STAGGERED_PERIODIC;
  TRIAD_TRY(triad_partition_init(&whole, setup->n, periodic, 0, 0, 1, NULL));
  return triad_staggered_solids(given, &whole, NULL);
}

/* Planes and places are of the box that the case has. */
static int check_places(const triad_case *given, const triad_staggered_setup *setup, triad_needs *needs)
{
  triad_partition whole;
  triad_space box;
  triad_slice list[TRIAD_SLICES];
  int periodic[3], n;
  for (int i = 0; i < 3; i++) periodic[i] = setup->side[i][0] == TRIAD_STAGGERED_PERIODIC;
  TRIAD_TRY(triad_partition_init(&whole, setup->n, periodic, 1, 0, 1, NULL));
  triad_space_box(&box, &whole, setup->length);
  TRIAD_TRY(triad_box_slices_read(given, box.axis, list, &n));
  TRIAD_TRY(triad_box_probes_check(given, box.axis));
  triad_places_warn(given, setup->length, periodic, &needs->warnings);
  needs->slices_bytes = triad_slice_list_bytes(list, n, box.axis);
  return TRIAD_OK;
}

int triad_staggered_check(const triad_case *given, int size, int threads, triad_needs *needs)
{
  triad_staggered_setup setup;
  triad_partition largest;
  int on_gpu;
  TRIAD_TRY(triad_staggered_read(given, size - 1, size, &setup, &largest)); /* the last rank never has less */
  TRIAD_TRY(triad_device_check(&triad_staggered_devices, given));
  TRIAD_TRY(triad_staggered_expects_gpu(given, &setup, &largest, &on_gpu));
  TRIAD_TRY(check_solids(given, &setup));
  const int64_t *n = setup.n, real = (int64_t)sizeof(triad_real), all = n[0] * n[1] * n[2] * real;
  int64_t own = triad_partition_points(&largest) * real, planes = (n[2] + size - 1) / size * n[1] * n[0] * real;
  triad_needs_add(&needs->rank, "state and stages", "with halos",
                  ((11 + (setup.thermal.on ? TRIAD_STAGGERED_VECTORS : 0)) * real + 1) * largest.volume);
  triad_needs_add(&needs->rank, "halos", "messages",
                  triad_halo_buffer_bytes(&largest, 1, 3, TRIAD_HALO_EDGES) +
                    triad_halo_buffer_bytes(&largest, 1, 1, TRIAD_HALO_FACES));
  TRIAD_TRY(triad_staggered_loops_of(on_gpu)->count_needs(given, &setup, &largest, size, needs));
  triad_needs_add_files(&needs->rank, "output", "while files are written: a field by blocks and by planes",
                        2 * own + 2 * planes);
  if (setup.solids)
    triad_needs_add(&needs->rank, "solids", "regions of fluid and their search", (12 + 2 * real) * largest.volume);
  if (setup.closure) triad_needs_add(&needs->rank, "closure", "eddy viscosity", real * largest.volume);
  int64_t profiles = triad_staggered_profiles_bytes(&setup, given, threads);
  if (profiles > 0) triad_needs_add(&needs->rank, "profiles", "sums of planes", profiles);
  int64_t probes = triad_staggered_probes_bytes(given), means = triad_staggered_samples_bytes(&setup, given, threads);
  if (probes > 0) triad_needs_add(&needs->rank, "probes", "interpolation weights of probe points", probes);
  if (means > 0) triad_needs_add(&needs->rank, "means", "sums, for a sample", means);
  needs->checkpoint_bytes = triad_staggered_fields_of(&setup) * all;
  needs->fields_bytes =
    (triad_staggered_fields_of(&setup) + setup.solids + 3 * triad_case_flag(given, "output.faces")) * all;
  if (triad_staggered_has_spectra(&setup) &&
      (triad_case_real(given, "output.spectra_interval") > 0 || triad_mean_asked(given).spectra))
    triad_needs_add(&needs->rank, "spectra", "a field and its modes, while they are measured",
                    triad_box_spectra_bytes(n, size, 1));
  needs->spectra_bytes = triad_staggered_has_spectra(&setup) ? 8192 + 8 * 3 * (n[0] + n[1] + n[2]) : profiles;
  needs->columns = triad_staggered_columns(&setup, NULL);
  TRIAD_TRY(triad_staggered_samples_check(&setup, given));
  return check_places(given, &setup, needs);
}
