/* The stress of a subgrid model in the passes of a step, and the life of a closure. Points are visited in blocks that
 * fit in cache with their eddy viscosity. */
#include "solvers/spectral/closure/closure_internal.h"

#include "solvers/spectral/closure/stress_points.h"
#include "solvers/spectral/equations/velocity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 128, G = TRIAD_CLOSURE_GRADIENTS };

int triad_closure_asked(const triad_case *given) { return triad_closure_model_of(given) != NULL; }

/* ---- life ---- */

static int create_dynamic(triad_closure *c, const triad_flow *flow)
{
  triad_memory *m = flow->context->memory;
  c->interval = triad_case_integer(flow->given, "closure.interval");
  TRIAD_TRY(TRIAD_ALLOC(m, "closure", TRIAD_DYNAMIC_PRODUCTS, &c->products));
  for (int p = 0; p < TRIAD_DYNAMIC_PRODUCTS; p++)
    TRIAD_TRY(TRIAD_ALLOC(m, "closure", flow->layout->modes, &c->products[p]));
  return TRIAD_OK;
}

/* The gradient G of the undisturbed fluid, as the field has it: a scalar's rate is - G.u, that of theta N w. */
static int read_mean_gradients(triad_closure *c, const triad_flow *flow)
{
  double given[3000] = {0};
  c->mean_gradient = calloc(3 * (size_t)c->n_scalars + 1, sizeof *c->mean_gradient);
  if (!c->mean_gradient) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the closure");
  if (triad_case_applies(flow->given, "equations.scalar_gradients"))
    (void)triad_case_list(flow->given, "equations.scalar_gradients", given, 3000);
  for (int s = 0; s < c->n_scalars; s++) {
    const char *name = flow->shape.fields[3 + s].name;
    const long number = strncmp(name, "scalar", 6) == 0 ? strtol(name + 6, NULL, 10) : 0;
    for (int axis = 0; axis < 3 && number > 0 && number <= 1000; axis++)
      c->mean_gradient[3 * s + axis] = (triad_real)given[3 * (number - 1) + axis];
    if (strcmp(name, "theta") == 0)
      c->mean_gradient[3 * s + (triad_case_is(flow->given, "equations.vertical", "y") ? 1 : 2)] =
        (triad_real)-triad_case_real(flow->given, "equations.buoyancy_frequency");
  }
  return TRIAD_OK;
}

int triad_closure_create(triad_closure **out, const triad_flow *flow)
{
  const triad_closure_model *model = triad_closure_model_of(flow->given);
  const triad_grid *g = &flow->grid;
  double width[3], k_max = triad_grid_farthest(g);
  *out = NULL;
  if (!model) return TRIAD_OK;
  triad_closure *c = *out = calloc(1, sizeof *c);
  if (!c) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the closure");
  c->model = model;
  c->n_fields = flow->shape.n_fields;
  c->n_scalars = c->n_fields - 3;
  c->per_prandtl = 1 / triad_case_real(flow->given, "closure.turbulent_prandtl");
  TRIAD_TRY(read_mean_gradients(c, flow));
  c->slope_of = calloc(2 * (size_t)c->n_fields, sizeof *c->slope_of);
  if (!c->slope_of) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the closure");
  for (int f = 0; f < 2 * c->n_fields; f++) c->slope_of[f] = f % c->n_fields;
  c->k2_max = k_max * k_max;
  c->at_step = -1;
  c->first_column = triad_shape_column(&flow->shape, "sgs_dissipation");
  for (int i = 0; i < 3; i++) {
    const double k = triad_grid_reach(g, i);
    width[i] = k > 0 ? TRIAD_PI / k : 0;
  }
  c->constants = triad_closure_constants_of(model, model->constant ? triad_case_real(flow->given, model->constant) : 0,
                                            triad_case_real(flow->given, "closure.width"), width, &c->width);
  if (model->dynamic) return create_dynamic(c, flow);
  return model->rows ? TRIAD_OK : triad_closure_wavenumber_create(c, flow);
}

void triad_closure_destroy(triad_closure **closure, const triad_flow *flow)
{
  triad_closure *c = *closure;
  if (!c) return;
  for (int p = 0; c->products && p < TRIAD_DYNAMIC_PRODUCTS; p++) TRIAD_FREE(flow->context->memory, &c->products[p]);
  TRIAD_FREE(flow->context->memory, &c->products);
  TRIAD_FREE(flow->context->memory, &c->shape);
  free(c->slope_of);
  free(c->mean_gradient);
  free(c);
  *closure = NULL;
}

static const char kept_coefficient[] = "closure_coefficient", kept_step[] = "closure_step";

int triad_closure_keep(const triad_closure *c, triad_notes *notes)
{
  if (!c || !c->model->dynamic || c->at_step < 0) return TRIAD_OK;
  TRIAD_TRY(triad_notes_set_real(notes, kept_coefficient, c->coefficient));
  return triad_notes_set_real(notes, kept_step, (double)c->at_step);
}

int triad_closure_settle_notes(triad_closure *c, const triad_notes *notes)
{
  double step;
  if (!c) return TRIAD_OK;
  c->at_step = -1;
  if (!notes || !c->model->dynamic || !triad_notes_has(notes, kept_coefficient) || !triad_notes_has(notes, kept_step))
    return TRIAD_OK;
  TRIAD_TRY(triad_notes_real(notes, kept_coefficient, &c->coefficient));
  TRIAD_TRY(triad_notes_real(notes, kept_step, &step));
  c->at_step = (int64_t)step;
  c->constants.factor = (triad_real)(fmax(c->coefficient, 0) * c->width * c->width);
  return TRIAD_OK;
}

/* ---- a pass ---- */

int triad_closure_inputs(const triad_closure *c) { return c && c->model->rows ? G + 3 * c->n_scalars : 0; }

/* Inputs behind the fields: slopes along z of all fields but w, slopes along y, slopes along x. */
void triad_closure_pass(const triad_closure *c, triad_work *work)
{
  if (triad_closure_inputs(c) == 0) return;
  work->n_slopes[0] = work->n_slopes[1] = c->n_fields;
  work->slope_of = c->slope_of;
}

void triad_closure_source(const triad_closure *c, const triad_batch *block, triad_cplx *const *in)
{
  if (triad_closure_inputs(c) == 0) return;
  for (int f = 0, next = c->n_fields; f < c->n_fields; f++)
    if (f != 2) triad_closure_slope(block, 2, in[f], in[next++]);
}

/* The slopes among the inputs of a pass, in the order of triad_closure_gradients. */
static void slopes_of(const triad_closure *c, triad_real *const *in, triad_real **out)
{
  const int n = c->n_fields;
  triad_real *const *z = in + n, *const *y = z + n - 1, *const *x = y + n;
  for (int f = 0, next = 0; f < n; f++) {
    out[next++] = x[f];
    out[next++] = y[f];
    if (f != 2) out[next++] = z[f < 2 ? f : f - 1];
  }
}

/* u_i u_j - 2 nu_t S_ij in the products of velocity_points.h, which have the zz part subtracted from the diagonal. */
static void add_stress(int64_t n, const triad_real *const *g, const triad_real *nu, triad_real *const *out,
                       int64_t from)
{
  triad_real *xx = out[0] + from, *xy = out[1] + from, *yy = out[2] + from, *xz = out[3] + from, *yz = out[4] + from;
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    triad_real v[9], t[5] = {xx[i], xy[i], yy[i], xz[i], yz[i]};
    for (int f = 0; f < 9; f++) v[f] = g[f][i];
    triad_closure_stress(v, nu[i], t);
    xx[i] = t[0];
    xy[i] = t[1];
    yy[i] = t[2];
    xz[i] = t[3];
    yz[i] = t[4];
  }
}

void triad_closure_points(const triad_closure *c, int64_t n, triad_real *const *in, triad_real *const *out,
                          double *peaks)
{
  if (triad_closure_inputs(c) == 0) return;
  triad_real last[BLOCK], nu[BLOCK], *slopes[G + 3 * c->n_scalars];
  const triad_real *g[9];
  slopes_of(c, in, slopes);
  for (int64_t from = 0; from < n; from += BLOCK) {
    const int64_t m = n - from < BLOCK ? n - from : BLOCK;
    triad_real largest = 0, finite = 0;
    triad_closure_nine(slopes, from, m, last, g);
    c->model->rows(&c->constants, m, g, nu);
    add_stress(m, g, nu, out, from);
    for (int s = 0; s < c->n_scalars; s++)
      for (int axis = 0; axis < 3; axis++) {
        const triad_real *slope = slopes[G + 3 * s + axis] + from, part = (triad_real)c->per_prandtl;
        const triad_real mean = c->mean_gradient[3 * s + axis];
        triad_real *flux = out[TRIAD_STRESS_PRODUCTS + 3 * s + axis] + from;
        for (int64_t i = 0; i < m; i++) flux[i] = triad_closure_flux(flux[i], part, nu[i], mean, slope[i]);
      }
#pragma omp simd reduction(max : largest) reduction(+ : finite)
    for (int64_t i = 0; i < m; i++) {
      largest = nu[i] > largest ? nu[i] : largest;
      finite += nu[i] * 0;
    }
    const double here = (double)(largest + finite);
    if (here > peaks[TRIAD_PEAK_VISCOSITY] || isnan(here)) peaks[TRIAD_PEAK_VISCOSITY] = here;
  }
}

/* ---- a step ---- */

int triad_closure_begin(triad_flow *flow)
{
  triad_closure *c = flow->closure;
  if (!c || !c->model->dynamic) return TRIAD_OK;
  if (c->at_step >= 0 && (c->at_step == flow->at.step || flow->at.step % c->interval != 0)) return TRIAD_OK;
  TRIAD_TRY(triad_closure_dynamic(flow, &c->coefficient));
  c->at_step = flow->at.step;
  c->constants.factor = (triad_real)(fmax(c->coefficient, 0) * c->width * c->width);
  return TRIAD_OK;
}

int triad_closure_settle(triad_flow *flow, const double *peaks)
{
  triad_closure *c = flow->closure;
  if (!c) return TRIAD_OK;
  if (!c->model->rows) return triad_closure_wavenumber_amplitude(c, flow);
  if (!peaks) return TRIAD_OK; /* a later stage: the step has its length */
  /* fields that are not finite are reported with the advection rate */
  const double mine = peaks[TRIAD_PEAK_VISCOSITY] > 0 ? peaks[TRIAD_PEAK_VISCOSITY] : 0;
  return TRIAD_MPI(MPI_Allreduce(&mine, &c->nu_max, 1, MPI_DOUBLE, MPI_MAX, flow->context->comm.mpi));
}

double triad_closure_rate(const triad_closure *c)
{
  if (!c) return 0;
  return c->nu_max * c->k2_max * (c->n_scalars > 0 ? fmax(1, c->per_prandtl) : 1);
}
