#include "solvers/device_choice.h"
#include "solvers/weno/flow.h"
#include "solvers/weno/own.h"
#include "solvers/slice_list.h"

/* What one time of slices takes on the disk, at most: HDF5 and pictures that do not compress. */
static int slices_size(const triad_case *c, const triad_weno_setup *setup, int64_t *bytes)
{
  triad_slice list[TRIAD_SLICES];
  triad_partition whole;
  triad_space space;
  int n = 0, periodic[3];
  triad_weno_periodic(setup, periodic);
  TRIAD_TRY(triad_partition_init(&whole, setup->n, periodic, 0, 0, 1, NULL));
  triad_space_box(&space, &whole, setup->length);
  TRIAD_TRY(triad_gas_slices_read(c, setup, list, &n));
  *bytes = triad_slice_list_bytes(list, n, space.axis);
  return TRIAD_OK;
}

int triad_gas_check(const triad_case *c, int size, int threads, triad_needs *needs)
{
  triad_weno_setup setup;
  triad_partition largest;
  triad_space space;
  int columns;
  (void)threads;
  /* the last rank never has less than another */
  TRIAD_TRY(triad_gas_blocks(c, size - 1, size, &setup, &largest));
  TRIAD_TRY(slices_size(c, &setup, &needs->slices_bytes));
  const int64_t *n = setup.n, real = (int64_t)sizeof(triad_real), own = triad_partition_points(&largest) * real;
  int64_t planes = (n[2] + size - 1) / size * n[1] * n[0] * real;
  int on_gpu = triad_device_expected(&triad_solver_compressible, c);
  triad_needs_add(&needs->rank, on_gpu ? "state" : "state and stages",
                  on_gpu ? "for files; steps have theirs on the GPU" : "with halos and their messages",
                  triad_weno_bytes(&largest, &setup, sizeof(triad_real), on_gpu));
  if (on_gpu)
    triad_needs_add(&needs->gpu, "state and stages", "with halos and their messages",
                    triad_gas_gpu->bytes(&largest, &setup));
  triad_needs_add(&needs->rank, "output", "while files are written: a field by blocks and by planes",
                  2 * own + 2 * planes);
  triad_space_box(&space, &largest, setup.length);
  needs->checkpoint_bytes = needs->fields_bytes = TRIAD_WENO_FIELDS * triad_space_bytes(&space, (int)real);
  needs->spectra_bytes = triad_gas_has_spectra(&setup) ? 8192 + 8 * 7 * (n[0] + n[1] + n[2]) : 0;
  (void)triad_weno_columns(&columns);
  needs->columns = columns + TRIAD_WENO_DRIFTS;
  return TRIAD_OK;
}
