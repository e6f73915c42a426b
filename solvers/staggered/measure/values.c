/* Write the values of files of fields: velocity, pressure and temperature at centres, the solids, and on request
 * velocities on faces. */
#include "solvers/staggered/measure/values.h"

#include "solvers/staggered/state/flow.h"

#include <string.h>

enum { SOLID = TRIAD_STAGGERED_MAX_FIELDS, FACES, ROWS = FACES + 3 };
_Static_assert((int)ROWS <= (int)TRIAD_STAGGERED_SHOWN, "buffers for all values");

static const triad_field_info more[ROWS - SOLID] = {{"solid", "1 in solid cells", "1", TRIAD_SCALAR},
                                                    {"u_face", "u on the lower faces of cells", "U", TRIAD_SCALAR},
                                                    {"v_face", "v on the lower faces of cells", "U", TRIAD_SCALAR},
                                                    {"w_face", "w on the lower faces of cells", "U", TRIAD_SCALAR}};

void triad_staggered_show(triad_staggered_flow *f)
{
  int faces = triad_case_flag(f->given, "output.faces");
  f->n_shown = 0;
  for (int i = 0; i < ROWS; i++) {
    if ((i == TRIAD_STAGGERED_HEAT && !f->setup.thermal.on) || (i == SOLID && !f->setup.solids) ||
        (i >= FACES && !faces))
      continue;
    f->shown_info[f->n_shown] = i < SOLID ? triad_staggered_fields[i] : more[i - SOLID];
    f->shown[f->n_shown++] = i;
  }
}

void triad_staggered_values_info(const void *self, triad_values_info *info)
{
  const triad_staggered_flow *f = self;
  *info = (triad_values_info){f->n_shown, f->shown_info, triad_staggered_space(f->mesh, 3, 1)};
}

/* At the centres a velocity is the mean of two faces. */
static void row(const triad_staggered_flow *f, int number, int64_t first, triad_real *to)
{
  const int64_t n = f->blocks.local[0];
  if (number == SOLID) {
    for (int64_t x = 0; x < n; x++) to[x] = f->mesh->open[first + x] & TRIAD_STAGGERED_SOLID ? 1 : 0;
    return;
  }
  int face = number >= FACES, a = face ? number - FACES : number;
  const triad_real *from = (a < 3 ? f->u[0][a] : a == TRIAD_STAGGERED_HEAT ? f->heat[0] : f->p) + first;
  int64_t step = a < 3 && !face ? f->mesh->sizes.step[a] : 0;
  for (int64_t x = 0; x < n; x++) to[x] = (from[x] + from[x + step]) / 2;
}

int triad_staggered_values(void *self, int number, void *out)
{
  const triad_staggered_flow *f = self;
  const triad_partition *b = &f->blocks;
  triad_real *to = out;
  TRIAD_TRY(triad_staggered_to_host(f));
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t i = 0; i < b->local[1] * b->local[2]; i++)
    row(f, f->shown[number], triad_partition_at(b, 0, i % b->local[1], i / b->local[1]), to + i * b->local[0]);
  return TRIAD_OK;
}
