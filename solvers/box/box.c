/* Read the box of a case and count the memory and bytes of its files. */
#include "solvers/box/box.h"

#include "solvers/slice_list.h"

int triad_box_of_case(triad_space *space, const triad_case *given, const int periodic[3], int64_t width, int rank,
                      int size)
{
  static const int all[3] = {1, 1, 1};
  int64_t n[3], asked[3] = {0, 0, 0};
  int wanted[3];
  double length[3];
  triad_partition blocks;
  triad_case_integers(given, "grid.n", n, 3);
  triad_case_reals(given, "grid.length", length, 3);
  if (triad_case_applies(given, "parallel.blocks")) triad_case_integers(given, "parallel.blocks", asked, 3);
  for (int i = 0; i < 3; i++) wanted[i] = (int)asked[i];
  TRIAD_TRY(triad_partition_init(&blocks, n, periodic ? periodic : all, width, rank, size, wanted));
  triad_space_box(space, &blocks, length);
  return TRIAD_OK;
}

int triad_box_needs(triad_needs *needs, const triad_case *given, const triad_space *largest, int fields)
{
  triad_slice list[TRIAD_SLICES];
  const int64_t *dims = largest->dims, real = (int64_t)sizeof(triad_real);
  int64_t ranks = largest->blocks.size, planes = (dims[0] + ranks - 1) / ranks * dims[1] * dims[2];
  int n = 0;
  TRIAD_TRY(triad_box_slices_read(given, largest->axis, list, &n));
  /* slices take every field, and one at a time from the flow (box_slices.c) */
  int64_t files = 2 * (largest->here + planes) * real, slices = n > 0 ? (fields + 1) * largest->memory * real : 0;
  triad_needs_add_files(&needs->rank, "output",
                        "while files are written: a field by blocks and by planes, or slices of all",
                        files > slices ? files : slices);
  needs->checkpoint_bytes = needs->fields_bytes = fields * triad_space_bytes(largest, (int)real);
  needs->slices_bytes = triad_slice_list_bytes(list, n, largest->axis);
  return TRIAD_OK;
}
