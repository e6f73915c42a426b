/* Check a case before a run: its grid and patches, and the memory and disk that it needs. */
#include "solvers/multiblock/case/check.h"

#include "solvers/multiblock/plain/setup.h"
#include "solvers/multiblock/gpu/gpu.h"
#include "solvers/multiblock/host/sweep.h"
#include "solvers/multiblock/measure/measure.h"
#include "solvers/multiblock/measure/slices.h"
#include "solvers/multiblock/state/faces.h"
#include "solvers/multiblock/state/metrics.h"

#include "solvers/device_choice.h"
#include "store/formats/cgns.h"

/* Nodes are read or made by every rank, so that a bad grid ends here. */
int triad_multiblock_check(const triad_case *given, int size, int threads, triad_needs *needs)
{
  triad_multiblock_setup setup;
  triad_blocks_grid *grid;
  triad_zones *zones;
  triad_multiblock_patches patches;
  char near_miss[512] = "";
  TRIAD_TRY(triad_multiblock_setup_read(&setup, given));
  const int cgns = triad_case_flag(given, "output.cgns");
  if (cgns) TRIAD_TRY(triad_cgns_need("output.cgns = true"));
  TRIAD_TRY(triad_device_check(&triad_multiblock_devices, given));
  TRIAD_TRY(triad_multiblock_zones_of(&grid, &zones, given, size));
  triad_faults faults = {0};
  int st =
    triad_multiblock_patches_read(&patches, given, grid, &setup.exact, triad_multiblock_up(given, grid), &faults);
  if (st == TRIAD_OK) st = triad_multiblock_patches_check(&patches, &faults, grid, zones);
  if (st == TRIAD_OK) triad_blocks_check_cells(&faults, grid, triad_case_word(given, "grid.file"), threads);
  if (st == TRIAD_OK) st = triad_faults_tell(&faults);
  if (st == TRIAD_OK) st = triad_multiblock_patches_near_miss(&patches, near_miss, sizeof near_miss, grid, zones);
  if (near_miss[0]) triad_case_warn(&needs->warnings, "%s", near_miss);
  if (triad_case_flag(given, "parallel.reproducible"))
    triad_case_warn(&needs->warnings,
                    "parallel.reproducible: the order of sums depends on the partition: results are bitwise identical "
                    "only on the same number of ranks, and equal to rounding on other numbers");
  triad_multiblock_patches_number(&patches, grid);
  needs->columns = triad_multiblock_columns_of(&setup, &patches);
  triad_multiblock_patches_free(&patches);
  if (st == TRIAD_OK) st = triad_multiblock_slices_check(given, grid, &needs->slices_bytes);
  const int forced = triad_case_is(given, "forcing.kind", "formula");
  int64_t most = 0, faces = 0, real = (int64_t)sizeof(triad_real), nodes = 0;
  for (int r = 0; r < size; r++) {
    const int64_t here = triad_zones_memory(zones, r), open = triad_multiblock_open_faces(zones, r);
    most = here > most ? here : most;
    faces = open > faces ? open : faces;
  }
  for (int z = 0; z < grid->n && !grid->shape; z++)
    nodes += (grid->cells[z][0] + 1) * (grid->cells[z][1] + 1) * (grid->cells[z][2] + 1);
  triad_needs_add(&needs->rank, "metrics", "area vectors or nodes, volumes",
                  triad_multiblock_metric_words(&setup, zones) * real * most);
  triad_needs_add(&needs->rank, "state and stages", "with halos",
                  real * ((16 + (setup.gas.viscous ? 2 : 0) +
                           (setup.exact.kind && setup.exact.kind->source ? 5
                            : forced                                     ? 4
                                                                         : 0)) *
                            most +
                          threads * triad_multiblock_work_size()));
  if (forced) triad_needs_add(&needs->rank, "forcing", "positions of cells", 3 * (int64_t)sizeof(double) * most);
  triad_needs_add(&needs->rank, "boundary faces", "data of patches, their fluxes", TRIAD_MULTIBLOCK_FACE_BYTES * faces);
  int axes = 0;
  for (int axis = 0; axis < 3 && !triad_device_expected(&triad_multiblock_devices, given); axis++)
    axes += triad_multiblock_has_faces(zones, axis); /* a GPU has the factors of its own */
  if (triad_multiblock_freezes(&setup))
    triad_needs_add(&needs->rank, "frozen limiters", "their parts", (1 + axes) * TRIAD_MULTIBLOCK_FIELDS * real * most);
  if (setup.implicit)
    triad_needs_add(&needs->rank, "implicit steps", "changes", 3 * TRIAD_MULTIBLOCK_FIELDS * real * most);
  if (triad_device_expected(&triad_multiblock_devices, given))
    triad_needs_add(&needs->gpu, "metrics, state, stages", "with halos",
                    triad_multiblock_gpu_steps->bytes(&setup, zones, most, faces));
  if (nodes > 0) triad_needs_add(&needs->rank, "grid", "nodes of the file", 3 * nodes * (int64_t)sizeof(double));
  needs->checkpoint_bytes = (1 + triad_multiblock_freezes(&setup)) * TRIAD_MULTIBLOCK_FIELDS * zones->all * real;
  needs->fields_bytes = 8 * zones->all * real + (cgns ? zones->all * (7 * real + 3 * (int64_t)sizeof(double)) : 0);
  triad_zones_destroy(&zones);
  triad_blocks_grid_destroy(&grid);
  return st;
}
