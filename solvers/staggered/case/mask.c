/* Read solid cells from a file or a formula. */
#include "solvers/staggered/case/mask.h"

#include "solvers/box/formulas.h"
#include "store/fields/fieldfile.h"

#include <stdlib.h>

static const char dataset[] = "solid";

/* Own cells of the planes that the block has, all of which are read. */
static int mark_solids(const char *path, const triad_partition *b, triad_real *planes, uint8_t *solid)
{
  int64_t z0 = b->begin[2];
  TRIAD_TRY(triad_fieldfile_read(path, dataset, z0, z0 + b->local[2], planes));
  for (int64_t z = 0, i = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++) {
      const triad_real *row = planes + (z * b->n[1] + b->begin[1] + y) * b->n[0] + b->begin[0];
      for (int64_t x = 0; x < b->local[0]; x++) solid[i++] = (uint8_t)(row[x] > 0 || row[x] < 0);
    }
  return TRIAD_OK;
}

static int read_mask(triad_context *context, const char *path, const triad_partition *b, uint8_t *solid)
{
  int64_t dims[3];
  triad_real *planes = NULL;
  TRIAD_TRY(triad_fieldfile_dims(&context->comm, path, dataset, dims));
  int st = TRIAD_OK;
  if (dims[0] != b->n[2] || dims[1] != b->n[1] || dims[2] != b->n[0])
    st = TRIAD_FAIL(TRIAD_ERR_CASE,
                    "solids.file: dataset %s of %s has %lld x %lld x %lld cells (z, y, x), but the grid has %lld x "
                    "%lld x %lld: provide a matching file, or change grid.n",
                    dataset, path, (long long)dims[0], (long long)dims[1], (long long)dims[2], (long long)b->n[2],
                    (long long)b->n[1], (long long)b->n[0]);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "solids", b->local[2] * b->n[1] * b->n[0], &planes);
  if (st == TRIAD_OK) st = mark_solids(path, b, planes, solid);
  TRIAD_FREE(context->memory, &planes);
  return triad_agree(&context->comm, st);
}

int triad_staggered_mask(triad_context *context, const triad_case *given, const triad_partition *b, uint8_t *solid)
{
  char *path = triad_case_path(given, "solids.file");
  int st = triad_agree(&context->comm, path ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a path"));
  if (st == TRIAD_OK) st = read_mask(context, path, b, solid);
  free(path);
  return st;
}

int triad_staggered_mask_formula(const triad_staggered_mesh *m, const triad_case *given, uint8_t *solid)
{
  const triad_space space = triad_staggered_space(m, 3, 0);
  const triad_partition *b = &m->blocks;
  triad_real *value = NULL;
  int st = TRIAD_ALLOC(m->context->memory, "solids", space.memory, &value);
  if (st == TRIAD_OK) st = triad_formulas_fill(m->context, given, &space, "solids.formula", 0, value);
  for (int64_t z = 0, i = 0; st == TRIAD_OK && z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) {
        const triad_real here = value[triad_partition_at(b, x, y, z)];
        solid[i++] = (uint8_t)(here > 0 || here < 0);
      }
  TRIAD_FREE(m->context->memory, &value);
  return triad_agree(&m->context->comm, st);
}
