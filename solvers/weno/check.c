#include "parallel/device.h"
#include "solvers/weno/flow.h"
#include "solvers/schedule.h"
#include "store/slicefile.h"

#include <string.h>

static int check_device(const triad_case *c)
{
  const char *device = triad_case_word(c, "parallel.device"), *transport = triad_case_word(c, "parallel.transport");
  const char *refusal = strcmp(device, "cpu") == 0 ? "parallel.device is \"cpu\"" : triad_gas_gpu_refusal();
  if (strcmp(device, "offload") == 0)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.device = \"offload\": solver compressible takes its steps on the CPU or "
                                         "all on a GPU; take \"cpu\", \"gpu\" or \"auto\"");
  if (strcmp(device, "gpu") == 0 && refusal)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.device = \"gpu\": %s; take \"cpu\" or \"auto\"", refusal);
  if (strcmp(transport, "auto") != 0 && strcmp(transport, "mpi") != 0 && refusal)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.transport = \"%s\" moves data between GPUs, and %s; take \"mpi\" or "
                                         "\"auto\"", transport, refusal);
  return TRIAD_OK;
}

static double planned(const triad_case *c, const char *interval)
{
  double every = triad_case_real(c, interval);
  return every > 0 ? triad_intervals(every, triad_case_real(c, "time.end")) + 1 : 0;
}

/* What one time of slices takes on the disk, at most: HDF5 and pictures that do not compress. */
static int slices_size(const triad_case *c, const triad_weno_setup *setup, int64_t *bytes)
{
  triad_slice list[TRIAD_SLICES];
  triad_partition whole;
  triad_space space;
  int n = 0, periodic[3];
  *bytes = 0;
  triad_weno_periodic(setup, periodic);
  TRIAD_TRY(triad_partition_init(&whole, setup->n, periodic, 0, 0, 1, NULL));
  triad_space_box(&space, &whole, setup->length);
  TRIAD_TRY(triad_gas_slices_read(c, setup, list, &n));
  for (int i = 0; i < n; i++) {
    const int across[2] = {list[i].axis == 2 ? 1 : 2, list[i].axis == 0 ? 1 : 0};
    int64_t size[2], points = setup->n[across[0]] * setup->n[across[1]];
    *bytes += 16384 + list[i].n * (points * (int64_t)sizeof(double) + triad_slice_pixels(space.axis, across, size));
  }
  return TRIAD_OK;
}

static void plan_files(const triad_case *c, const triad_weno_setup *setup, int64_t slices_bytes, triad_needs *n)
{
  int n_columns, kept = (int)triad_case_integer(c, "output.keep");
  int64_t points = setup->n[0] * setup->n[1] * setup->n[2], set = TRIAD_WENO_FIELDS * points * (int64_t)sizeof(triad_real);
  (void)triad_weno_columns(&n_columns);
  n->fields = planned(c, "output.fields_interval");
  n->fields_bytes = n->fields > 0 ? set : 0;
  n->spectra = triad_gas_has_spectra(setup) ? planned(c, "output.spectra_interval") : 0;
  n->spectra_bytes = 8192 + 8 * 7 * (setup->n[0] + setup->n[1] + setup->n[2]);
  n->checkpoints = planned(c, "output.checkpoint_interval");
  if (n->checkpoints < 1) n->checkpoints = 1;
  n->checkpoint_bytes = set;
  n->series_rows = planned(c, "output.series_interval");
  n->slices_bytes = slices_bytes;
  n->slices = slices_bytes > 0 ? planned(c, "output.slices_interval") : 0;
  n->kept = kept;
  double most = n->checkpoints < kept ? n->checkpoints : kept + 1; /* the new one stands before the oldest goes */
  n->total_bytes = n->fields * (double)n->fields_bytes + n->slices * (double)n->slices_bytes + n->spectra * (double)n->spectra_bytes +
                   most * (double)n->checkpoint_bytes + n->series_rows * 20 * (n_columns + TRIAD_GAS_DRIFTS + 3);
}

int triad_gas_check(const triad_case *c, int size, int threads, triad_needs *needs)
{
  triad_weno_setup setup;
  triad_partition largest;
  int64_t slices;
  (void)threads;
  memset(needs, 0, sizeof *needs);
  /* the last rank never has less than another */
  TRIAD_TRY(triad_gas_blocks(c, size - 1, size, &setup, &largest));
  TRIAD_TRY(triad_check_input(c));
  TRIAD_TRY(check_device(c));
  TRIAD_TRY(slices_size(c, &setup, &slices));
  int64_t real = (int64_t)sizeof(triad_real), own = triad_partition_points(&largest) * real;
  int64_t planes = (setup.n[2] + size - 1) / size * setup.n[1] * setup.n[0] * real;
  int on_gpu = strcmp(triad_case_word(c, "parallel.device"), "cpu") != 0 && !triad_gas_gpu_refusal();
  triad_needs_add(&needs->rank, on_gpu ? "state" : "state and stages",
                  on_gpu ? "for files; steps have theirs on the GPU" : "with halos and their messages",
                  triad_weno_bytes(&largest, &setup, sizeof(triad_real), on_gpu));
  if (on_gpu)
    triad_needs_add(&needs->gpu, "state and stages", "with halos and their messages",
                    triad_weno_gpu_bytes(&largest, &setup));
  triad_needs_add(&needs->rank, "output", "while files are written: a field by blocks and by planes",
                  2 * own + 2 * planes);
  plan_files(c, &setup, slices, needs);
  return TRIAD_OK;
}
