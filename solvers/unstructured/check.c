#include "solvers/device_choice.h"
#include "solvers/slice_list.h"
#include "solvers/unstructured/flow.h"

#include <math.h>

/* Of a rank, in numbers and bytes besides: what loops find in the domain, and what they work in. Lists have a side of each face
 * and cell; zones take less than lists do. */
static int64_t domain_bytes(int64_t faces, int64_t with, int64_t real)
{
  return faces * (TRIAD_FCT_GEOMETRY * real + 8 + 2 * (8 + 3 * real)) + with * (2 * real + 1);
}

/* Gradients before the mean over neighbours is taken count as if there were cells of few faces. */
static int64_t loops_bytes(const triad_fct_setup *s, int64_t faces, int64_t with, int64_t real)
{
  const int high = s->transport != TRIAD_FCT_LOW;
  const int gradients = (high && s->linear) || s->viscosity > 0;
  return real * (with * (TRIAD_FCT_FIELDS + triad_fct_work_size(gradients) + (s->wide ? TRIAD_FCT_GRADIENT : 0)) + faces * (1 + TRIAD_FCT_FIELDS * (1 + high)));
}

/* As if the mesh filled a cube, and slices were as fine as its cells. */
static int check_slices(const triad_case *given, int64_t cells, triad_needs *needs)
{
  triad_slice list[TRIAD_SLICES];
  triad_axis axis[3];
  int n = 0;
  for (int a = 0; a < 3; a++) axis[a] = (triad_axis){.n = (int64_t)fmin(cbrt((double)cells) + 1, 1024), .length = 1};
  TRIAD_TRY(triad_slice_list_read(given, list, &n));
  needs->slices_bytes = triad_slice_list_bytes(list, n, axis);
  return TRIAD_OK;
}

/* Patches that are not there are found when the mesh is made. */
int triad_fct_check(const triad_case *given, int size, int threads, triad_needs *needs)
{
  triad_fct_setup s;
  int64_t points, cells, faces, real = (int64_t)sizeof(triad_real);
  (void)threads;
  TRIAD_TRY(triad_fct_setup_read(&s, given));
  TRIAD_TRY(triad_device_check(&triad_solver_unstructured, given));
  TRIAD_TRY(triad_fct_setup_size(&s, &points, &cells, &faces));
  if (cells < size)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%lld cells on %d ranks: take fewer", (long long)cells, size);
  int64_t own = cells / size + 1, own_faces = faces / size + 1;
  /* a rank's share of the ghosts: the surface of a cube of its cells, twice */
  int64_t with = size > 1 ? own + (int64_t)(12 * pow((double)own, 2. / 3)) : own;
  const int64_t state = with * real * (TRIAD_FCT_FIELDS + TRIAD_FCT_VALUES), domain = domain_bytes(own_faces, with, real);
  const int64_t loops = loops_bytes(&s, own_faces, with, real);
  const int on_gpu = triad_device_expected(&triad_solver_unstructured, given);
  /* of its faces, which are given back before there are states, what is more than those */
  const int64_t beyond = faces * 75 - state - (on_gpu ? 0 : loops);
  triad_needs_add(&needs->rank, "mesh", "the whole, on every rank", points * 24 + cells * (9 + 32 + 32) + (beyond > 0 ? beyond : 0));
  triad_needs_add(&needs->rank, "domain", "faces and cells of a rank", domain + 8 * with + 4 * cells);
  triad_needs_add(&needs->rank, "state and values", "with ghosts", state);
  if (on_gpu)
    triad_needs_add(&needs->gpu, "state, stages, mesh", "with ghosts", state + loops + domain);
  else
    triad_needs_add(&needs->rank, "stages and fluxes", "", loops);
  triad_needs_add(&needs->rank, "output", "while files are written", 4 * own * real);
  const int means = s.means ? TRIAD_FCT_MEANS : 0;
  if (means) triad_needs_add(&needs->rank, "means", "", own * real * means);
  needs->checkpoint_bytes = (5 + means) * cells * real;
  needs->fields_bytes = points * 24 + cells * (8 * 5 + 8 + 1 + (9 + means) * real);
  TRIAD_TRY(check_slices(given, cells, needs));
  needs->columns = triad_fct_columns(NULL, NULL, NULL);
  return TRIAD_OK;
}
