/* Search for the coarsest zfp tolerance that keeps the error of each shell below its bound: pack, unpack and
 * measure. */
#include "solvers/box/packed.h"

#include "solvers/box/box_spectra.h"
#include "store/hdf5/zfp.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

struct triad_packed {
  triad_context *context;
  triad_layout *layout; /* of the planes */
  triad_box_spectra *spectra;
  triad_real *back;             /* planes as they come back, then what they are off by    */
  double *energy, *modes, *off; /* [shells] squares of modes; how many; those of the error, and how many once more */
  int64_t shells;
  triad_field_pack *pack;
  double bound, rounding;
};

static int take_planes(triad_packed *p, const int64_t n[3], const double length[3])
{
  triad_grid grid;
  TRIAD_TRY(triad_grid_init(&grid, n, length, TRIAD_NONE));
  TRIAD_TRY(triad_layout_create(&p->layout, &grid, p->context->comm.rank, p->context->comm.size, TRIAD_LANES));
  return TRIAD_ALLOC(p->context->memory, "packed fields", triad_layout_points(p->layout), &p->back);
}

static int take_shells(triad_packed *p, const int64_t n[3], const double length[3])
{
  static const triad_column_info names[2] = {{.name = "square"}, {.name = "modes"}};
  triad_space planes;
  triad_space_planes(&planes, p->layout);
  const triad_box_spectra_plan plan = {
    .space = &planes, .n = n, .length = length, .names = names, .spectra = 2, .modes = 1, .reproducible = 1};
  TRIAD_TRY(triad_box_spectra_create(&p->spectra, p->context, &plan));
  p->shells = triad_box_spectra_shells(p->spectra);
  p->energy = calloc(4 * (size_t)p->shells, sizeof *p->energy);
  if (!p->energy) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld shells", (long long)p->shells);
  p->modes = p->energy + p->shells;
  p->off = p->modes + p->shells;
  return TRIAD_OK;
}

int triad_packed_create(triad_packed **out, triad_context *context, const triad_space *space, int single, double bound)
{
  const int64_t n[3] = {space->axis[0].n, space->axis[1].n, space->axis[2].n};
  const double length[3] = {space->axis[0].length, space->axis[1].length, space->axis[2].length};
  triad_packed *p = *out = calloc(1, sizeof *p);
  int st = p ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "packed fields");
  if (p) {
    p->context = context;
    p->bound = bound;
    p->rounding = single || sizeof(triad_real) == 4 ? 0x1p-24 : 0x1p-53;
    st = take_planes(p, n, length);
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = triad_agree(&context->comm, take_shells(p, n, length));
  if (st == TRIAD_OK) st = triad_field_pack_create(&p->pack, context, space->dims, single);
  if (st != TRIAD_OK) triad_packed_destroy(out);
  return st;
}

void triad_packed_destroy(triad_packed **packed)
{
  triad_packed *p = *packed;
  if (!p) return;
  triad_field_pack_destroy(&p->pack);
  triad_box_spectra_destroy(&p->spectra);
  TRIAD_FREE(p->context->memory, &p->back);
  triad_layout_destroy(&p->layout);
  free(p->energy);
  free(p);
  *packed = NULL;
}

triad_field_pack *triad_packed_pack(triad_packed *packed) { return packed->pack; }

static void square_and_count(const triad_box_mode *mode, double *out)
{
  out[0] = mode->weight * triad_box_square(mode->a[0]);
  out[1] = mode->weight;
}

/* Squares of the modes of each shell, then how many modes it has: the same on any ranks. Collective. */
static int measure(triad_packed *p, const triad_real *planes, double *values)
{
  TRIAD_TRY(triad_box_spectra_transform(p->spectra, planes, 0));
  triad_box_spectra_add(p->spectra, square_and_count);
  return triad_box_spectra_sums(p->spectra, values);
}

/* The largest ratio of shells that hold anything; NAN where a value is not finite. */
static double largest(const triad_packed *p, double nothing)
{
  double worst = 0;
  for (int64_t s = 0; s < p->shells; s++) {
    const double ratio = sqrt(p->off[s] / p->energy[s]);
    if (p->energy[s] > nothing && !(ratio <= worst)) worst = ratio;
  }
  return worst;
}

/* Pack with this exponent; *error then. Collective. */
static int try_one(triad_packed *p, const triad_real *planes, int exponent, double nothing, double *error)
{
  TRIAD_TRY(triad_field_pack_encode(p->pack, planes, exponent, p->back));
  for (int64_t i = 0; i < triad_layout_points(p->layout); i++) p->back[i] -= planes[i];
  TRIAD_TRY(measure(p, p->back, p->off));
  *error = largest(p, nothing);
  return TRIAD_OK;
}

/* Where white noise of the rms 2^exponent/4, about what zfp leaves, would fill the weakest shell up to the bound;
 * and one more. */
static int first_guess(const triad_packed *p, double nothing)
{
  double modes = 0, least = INFINITY;
  for (int64_t s = 0; s < p->shells; s++) modes += p->modes[s];
  for (int64_t s = 0; s < p->shells; s++)
    if (p->energy[s] > nothing) least = fmin(least, p->energy[s] / p->modes[s] * modes);
  return isfinite(least) && least > 0 ? (int)ceil(log2(4 * p->bound * sqrt(least))) + 1 : TRIAD_ZFP_LOSSLESS;
}

static int search(triad_packed *p, const triad_real *planes, double nothing, double rms, double *error)
{
  int exponent = first_guess(p, nothing), failed = INT_MAX;
  const int least = rms > 0 ? (int)floor(log2(rms * p->rounding)) - 4 : 0;
  for (;;) {
    if (exponent < least) exponent = TRIAD_ZFP_LOSSLESS;
    TRIAD_TRY(try_one(p, planes, exponent, nothing, error));
    if (exponent == TRIAD_ZFP_LOSSLESS) return TRIAD_OK;
    if (*error <= p->bound) {
      if (exponent + 1 == failed || *error > p->bound / 2) return TRIAD_OK;
      exponent++; /* noise of shells is not quite white: room for a bit more */
    } else {
      const double over = *error / p->bound;
      failed = exponent;
      exponent -= over > 4 && isfinite(over) ? (int)floor(log2(over)) : 1;
    }
  }
}

int triad_packed_find(triad_packed *p, const char *name, const triad_real *planes, double *error)
{
  double all = 0;
  TRIAD_TRY(measure(p, planes, p->energy));
  for (int64_t s = 0; s < p->shells; s++) all += p->energy[s];
  const double nothing = 4096 * p->rounding * p->rounding * all; /* 64 roundings */
  TRIAD_TRY(search(p, planes, nothing, sqrt(all), error));
  if (*error <= p->bound) return TRIAD_OK;
  return triad_agree(&p->context->comm,
                     TRIAD_FAIL(TRIAD_ERR_CASE,
                                "output.fields_error = %g: the error of %s is %.2g in one shell even if zfp keeps all "
                                "bits of the numbers: use a larger value, or output.fields_precision = \"double\"",
                                p->bound, name, *error));
}
