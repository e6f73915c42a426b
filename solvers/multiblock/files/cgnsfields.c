/* Fields as CGNS (store/cgns.h), copied block by block from the HDF5 file of the same step. */
#include "solvers/multiblock/files/cgnsfields.h"
#include "blocks/write/gridwrite.h"

#include "store/formats/cgns.h"
#include "store/formats/cgns_write.h"
#include "store/disk.h"
#include "store/hdf5/h5read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
  const char *here, *there; /* there: SIDS, annex A */
} names[] = {{"rho", "Density"},
             {"u", "VelocityX"},
             {"v", "VelocityY"},
             {"w", "VelocityZ"},
             {"p", "Pressure"},
             {"mach", "Mach"},
             {"temperature", "Temperature"}};

static int put_values(triad_cgns *file, triad_h5 *from, const triad_blocks_grid *g, int z, triad_real *values)
{
  const int64_t first[3] = {0, 0, 0}, count[3] = {g->cells[z][2], g->cells[z][1], g->cells[z][0]};
  for (size_t v = 0; v < sizeof names / sizeof *names; v++) {
    char name[64];
    (void)snprintf(name, sizeof name, "%s.%d", names[v].here, z + 1);
    TRIAD_TRY(triad_h5_read(from, name, 3, first, count, (int)sizeof *values, values));
    TRIAD_TRY(triad_cgns_put_values(file, z, names[v].there, (int)sizeof *values, values));
  }
  return TRIAD_OK;
}

static int put_fields(triad_cgns *file, triad_h5 *from, const triad_multiblock_flow *f)
{
  int64_t most = 0;
  TRIAD_TRY(triad_blocks_cgns_put(file, f->grid, f->zones));
  TRIAD_TRY(triad_cgns_put_moment(file, f->setup.steady, f->at.step, f->at.t));
  for (int z = 0; z < f->grid->n; z++) {
    const int64_t *c = f->grid->cells[z], all = c[0] * c[1] * c[2];
    most = all > most ? all : most;
  }
  triad_real *values = malloc((size_t)most * sizeof *values);
  int st = values ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld values", (long long)most);
  for (int z = 0; z < f->grid->n && st == TRIAD_OK; z++) st = put_values(file, from, f->grid, z, values);
  free(values);
  return st;
}

int triad_multiblock_cgns_fields(const triad_multiblock_flow *f, const char *folder)
{
  char from[TRIAD_PATH], temporary[TRIAD_PATH], final[TRIAD_PATH];
  triad_h5 *h5;
  triad_cgns *file;
  TRIAD_TRY(triad_disk_path(from, "%s/blocks-%08" PRId64 ".h5", folder, f->at.step));
  TRIAD_TRY(triad_disk_path(temporary, "%s/.tmp-blocks-%08" PRId64 ".cgns", folder, f->at.step));
  TRIAD_TRY(triad_disk_path(final, "%s/blocks-%08" PRId64 ".cgns", folder, f->at.step));
  TRIAD_TRY(triad_disk_remove(temporary));
  TRIAD_TRY(triad_h5_open(&h5, from));
  int st = triad_cgns_create(&file, temporary);
  if (st == TRIAD_OK) st = triad_cgns_close(&file, put_fields(file, h5, f));
  st = triad_h5_close(&h5, st);
  if (st == TRIAD_OK) return triad_disk_commit(temporary, final);
  (void)remove(temporary);
  return st;
}
