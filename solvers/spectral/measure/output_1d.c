/* Collect 1-D spectra, structure functions and PDFs of increments for a file of spectra. */
#include "solvers/spectral/measure/output_1d.h"
#include "solvers/spectral/split.h"
#include "fft/pass/transform.h"
#include "solvers/spectral/measure/spectra_1d.h"
#include "solvers/spectral/measure/increments.h"
#include "base/precision.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char letters[] = "xyz";

/* What a case asks for. */
typedef struct request {
  int spectra, increments, all, bins;
} request;

static request read_request(const triad_case *given)
{
  request r = {.spectra = triad_case_flag(given, "output.line_spectra"),
               .increments = !triad_case_is(given, "output.structure_functions", "none"),
               .all = triad_case_is(given, "output.structure_functions", "all"),
               .bins = (int)triad_case_integer(given, "output.increment_pdfs")};
  if (!r.increments) r.bins = 0;
  return r;
}

typedef struct job {
  triad_contents *c;
  triad_flow *flow;
  request ask;
  int n;
  const triad_variable *list; /* [n] */
  int64_t separations[3], *m[3];
  double *spectra[3]; /* [variable][plane] */
  triad_real *planes[2], *turned[2];
  triad_field_lines lines;
  triad_increment *increments; /* [separation] */
  double *scales;              /* [separation] */
  int64_t *counts;             /* [separation][bin] */
} job;

static int has_pdf(const job *j, int v) { return j->ask.bins > 0 && j->list[v].n == 1; }

int triad_output_1d_most(const triad_shape *shape)
{
  /* k and r of each axis, order; E, S, S_abs, z and P of each variable and axis */
  return 3 + 3 + 1 + 3 * 5 * shape->n_fields;
}

int64_t triad_output_1d_values(const triad_case *given, const triad_grid *grid, const triad_shape *shape)
{
  triad_variable list[shape->n_fields];
  request ask = read_request(given);
  int64_t n = triad_variables(shape, list), values = ask.increments ? TRIAD_ORDERS : 0;
  for (int axis = 0; axis < 3 && (ask.spectra || ask.increments); axis++) {
    int64_t separations = triad_separations(grid->n[axis], ask.all, NULL);
    if (grid->n[axis] == 1) continue;
    values += (1 + n) * triad_spectra_1d_planes(grid, axis);
    if (!ask.increments) continue;
    values += separations * (1 + 2 * n * TRIAD_ORDERS);
    values += n * ask.bins * (1 + separations);
  }
  return values;
}

int64_t triad_output_1d_memory(const triad_case *given, const triad_layout *l, const triad_shape *shape)
{
  triad_variable list[shape->n_fields];
  request ask = read_request(given);
  int n = triad_variables(shape, list), parts = 1;
  for (int v = 0; v < n; v++) parts = list[v].n > parts ? list[v].n : parts;
  if (!ask.spectra && !ask.increments) return 0;
  int64_t points = l->n_planes * l->grid.n[1], turned = ask.increments ? l->grid.n[2] * triad_by_y_rows(l) : 0;
  return parts * (points + turned) * l->grid.n[0] * (int64_t)sizeof(triad_real);
}

/* ---- 1-D spectra ---- */

static const char *role(const triad_variable *v, int axis)
{
  return v->along < 0 ? "" : v->along == axis ? ", longitudinal" : ", transverse";
}

/* unit^power, in brackets where the unit is more than a letter. */
static const char *power_of(triad_contents *c, const char *unit, const char *power)
{
  return triad_contents_text(c, unit[1] ? "(%s)^%s" : "%s^%s", unit, power);
}

static int put_spectra(job *j, int axis)
{
  const triad_grid *g = &j->flow->grid;
  triad_contents *c = j->c;
  int64_t planes = triad_spectra_1d_planes(g, axis);
  const char *k = triad_contents_text(c, "k_%c", letters[axis]);
  triad_contents_scale(c, k, "1/L", triad_contents_text(c, "wavenumber along %c", letters[axis]), planes,
                       (2 * TRIAD_PI) / g->length[axis]);
  j->spectra[axis] = c->next;
  for (int v = 0; v < j->n; v++) {
    const triad_variable *of = &j->list[v];
    (void)triad_contents_add(
      c, (triad_spectrum){
           .name = triad_contents_text(c, "E_%s_%c", of->name, letters[axis]),
           .units = power_of(c, of->unit, "2"),
           .long_name = triad_contents_text(c,
                                            "1-D spectrum%s: sum over modes with |%s| = k of |%s_k|^2; its sum is mean "
                                            "|%s|^2",
                                            role(of, axis), k, of->name, of->name),
           .n_dims = 1,
           .dims = {planes},
           .scale = {k}});
  }
  return triad_spectra_1d(j->flow, axis, j->spectra[axis]);
}

/* The relative error of a transform of N values in the 2-norm is at most about 7 u log2 N with u half an epsilon
 * (Higham 2002, theorem 24.2); prime lengths need three transforms. */
static double transform_error(const triad_flow *flow)
{
  return 3 * 7 * 0.5 * TRIAD_EPSILON * (log2((double)triad_grid_points(&flow->grid)) + 1);
}

/* What is lost of a mean square below the smallest number, which loses its digits. */
static double underflow(double mean_square) { return (double)TRIAD_SMALLEST * sqrt(mean_square) + DBL_MIN; }

/* Parseval along each axis: what the modes sum to is what the points have. */
static int check_spectra(const job *j, int v, double mean_square)
{
  if (!isfinite(mean_square))
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: its mean square is not finite", j->list[v].name);
  for (int axis = 0; axis < 3; axis++) {
    if (!j->spectra[axis]) continue;
    int64_t planes = triad_spectra_1d_planes(&j->flow->grid, axis);
    double sum = 0;
    for (int64_t m = 0; m < planes; m++) sum += j->spectra[axis][v * planes + m];
    double tolerance =
      (2 * transform_error(j->flow) + (double)(planes + 8) * DBL_EPSILON) * mean_square + underflow(mean_square);
    if (!(fabs(sum - mean_square) <= tolerance))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL,
                        "the 1-D spectrum E_%s_%c sums to %.17g, but mean %s^2 of the points is %.17g", j->list[v].name,
                        letters[axis], sum, j->list[v].name, mean_square);
  }
  return TRIAD_OK;
}

/* ---- structure functions ---- */

static void put_separations(job *j)
{
  triad_contents *c = j->c;
  for (int axis = 0; axis < 3; axis++) {
    if (j->separations[axis] == 0) continue;
    const char *name = triad_contents_text(c, "r_%c", letters[axis]);
    double *r =
      triad_contents_add(c, (triad_spectrum){.name = name,
                                             .units = "L",
                                             .long_name = triad_contents_text(c, "separation along %c", letters[axis]),
                                             .n_dims = 1,
                                             .dims = {j->separations[axis]},
                                             .scale = {name}});
    for (int64_t i = 0; i < j->separations[axis]; i++)
      r[i] = triad_grid_spacing(&j->flow->grid, axis) * (double)j->m[axis][i];
  }
  double *order = triad_contents_add(c, (triad_spectrum){.name = "order",
                                                         .units = "1",
                                                         .long_name = "power p of the increment",
                                                         .n_dims = 1,
                                                         .dims = {TRIAD_ORDERS},
                                                         .scale = {"order"}});
  for (int i = 0; i < TRIAD_ORDERS; i++) order[i] = TRIAD_FIRST_ORDER + i;
}

/* S_2 from the correlation that the 1-D spectrum is the transform of. An error e ||f|| of the points moves a difference
 * by 2 e ||f||, and its square by 4 e ||f|| S_2^(1/2) <= 8 e mean f^2. */
static int check_increments(const job *j, int v, int axis, double mean_square)
{
  int64_t planes = triad_spectra_1d_planes(&j->flow->grid, axis), n = j->flow->grid.n[axis], nx = j->flow->grid.n[0];
  const double *spectrum = j->spectra[axis] + v * planes;
  double tolerance =
    (8 * transform_error(j->flow) + 4 * (double)(nx + planes + 8) * DBL_EPSILON) * mean_square + underflow(mean_square);
  for (int64_t i = 0; i < j->separations[axis]; i++) {
    const triad_increment *d = &j->increments[i];
    double want = 0, first = j->list[v].n == 1 ? d->signs[1] : 0;
    for (int64_t m = 0; m < planes; m++) {
      double half = sin(0.5 * (2 * TRIAD_PI) * (double)(m * j->m[axis][i] % n) / (double)n);
      want += 4 * spectrum[m] * half * half;
    }
    if (!(fabs(d->signs[2] - want) <= tolerance))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "S_2 of %s at r = %g along %c is %.17g, but %.17g from its spectrum",
                        j->list[v].name, triad_grid_spacing(&j->flow->grid, axis) * (double)j->m[axis][i],
                        letters[axis], d->signs[2], want);
    if (!(fabs(first) <= (double)(nx + 8) * DBL_EPSILON * d->moduli[1] + DBL_MIN))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "increments of %s along %c have the mean %.3g, but it should be 0",
                        j->list[v].name, letters[axis], first);
    if (!isfinite(d->moduli[TRIAD_LAST_ORDER]))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "S_%d of %s is larger than the largest number", TRIAD_LAST_ORDER,
                        j->list[v].name);
  }
  return TRIAD_OK;
}

static void put_moments(job *j, int v, int axis)
{
  triad_contents *c = j->c;
  const triad_variable *of = &j->list[v];
  for (int moduli = of->n > 1; moduli < 2; moduli++) {
    const char *name = triad_contents_text(c, moduli ? "S_abs_%s_%c" : "S_%s_%c", of->name, letters[axis]);
    double *s =
      triad_contents_add(c, (triad_spectrum){.name = name,
                                             .units = power_of(c, of->unit, "p"),
                                             .long_name = triad_contents_text(
                                               c,
                                               moduli ? "structure functions%s: mean |d|^p, d = %s(x + r e_%c) - %s(x)"
                                                      : "structure functions%s: mean d^p, d = %s(x + r e_%c) - %s(x)",
                                               role(of, axis), of->name, letters[axis], of->name),
                                             .n_dims = 2,
                                             .dims = {j->separations[axis], TRIAD_ORDERS},
                                             .scale = {triad_contents_text(c, "r_%c", letters[axis]), "order"}});
    for (int64_t i = 0; i < j->separations[axis]; i++)
      for (int p = 0; p < TRIAD_ORDERS; p++)
        s[i * TRIAD_ORDERS + p] =
          moduli ? j->increments[i].moduli[TRIAD_FIRST_ORDER + p] : j->increments[i].signs[TRIAD_FIRST_ORDER + p];
  }
}

/* ---- PDFs ---- */

/* Every |z| at any of the separations lies within reach. */
static double choose_scales(job *j, int axis)
{
  double reach = 0;
  for (int64_t i = 0; i < j->separations[axis]; i++) {
    j->scales[i] = sqrt(j->increments[i].signs[2]);
    if (j->scales[i] > 0) reach = fmax(reach, j->increments[i].largest / j->scales[i]);
  }
  return reach > 0 ? reach : 1;
}

/* A point is at most half a width w from the centre of its bin: z^2 changes by no more than w |z| + w^2/4. */
static int check_pdf(const job *j, int v, int axis, const double *z, const double *pdf, double width)
{
  int bins = j->ask.bins;
  double points = (double)triad_grid_points(&j->flow->grid);
  for (int64_t i = 0; i < j->separations[axis]; i++) {
    double sum = 0, second = 0, scale = j->scales[i];
    for (int b = 0; b < bins; b++) {
      sum += pdf[i * bins + b] * width;
      second += pdf[i * bins + b] * width * z[b] * z[b];
    }
    double want = scale > 0 ? 1 : 0, mean = scale > 0 ? j->increments[i].moduli[1] / scale : 0;
    double slack = (double)(bins + 8) * DBL_EPSILON;
    if (!(fabs(sum - 1) <= slack))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "the PDF of increments of %s along %c contains %.17g of %.0f points",
                        j->list[v].name, letters[axis], sum * points, points);
    if (!(fabs(second - want) <= width * mean + width * width / 4 + slack * (1 + second)))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL,
                        "the PDF of increments of %s along %c has the second moment %.6g, which bins of %.3g cannot "
                        "explain: it should be %g",
                        j->list[v].name, letters[axis], second, width, want);
  }
  return TRIAD_OK;
}

static int put_pdf(job *j, int v, int axis)
{
  triad_contents *c = j->c;
  const char *name = j->list[v].name;
  int bins = j->ask.bins;
  int64_t n = j->separations[axis];
  double reach = choose_scales(j, axis), width = 2 * reach / bins, points = (double)triad_grid_points(&j->flow->grid);
  TRIAD_TRY(
    triad_increments_count(j->flow->context, &j->lines, axis, n, j->m[axis], j->scales, reach, bins, j->counts));
  const char *scale = triad_contents_text(c, "z_%s_%c", name, letters[axis]);
  double *z = triad_contents_add(
    c, (triad_spectrum){.name = scale,
                        .units = "1",
                        .long_name = triad_contents_text(c, "increment over its rms, d/S_2^(1/2): centre of the bin"),
                        .n_dims = 1,
                        .dims = {bins},
                        .scale = {scale}});
  double *pdf =
    triad_contents_add(c, (triad_spectrum){.name = triad_contents_text(c, "P_%s_%c", name, letters[axis]),
                                           .units = "1",
                                           .long_name = triad_contents_text(
                                             c, "probability density of z = d/S_2^(1/2)%s, d = %s(x + r e_%c) - %s(x)",
                                             role(&j->list[v], axis), name, letters[axis], name),
                                           .n_dims = 2,
                                           .dims = {n, bins},
                                           .scale = {triad_contents_text(c, "r_%c", letters[axis]), scale}});
  for (int b = 0; b < bins; b++) z[b] = reach * (2 * b + 1 - bins) / bins;
  for (int64_t i = 0; i < n * bins; i++) pdf[i] = (double)j->counts[i] / points / width;
  return triad_agree(&j->flow->context->comm, check_pdf(j, v, axis, z, pdf, width));
}

/* ---- one variable after the other ---- */

static int load(job *j, int v)
{
  const triad_layout *l = j->flow->planes;
  const triad_comm *comm = &j->flow->context->comm;
  j->lines.parts = j->list[v].n;
  for (int p = 0; p < j->list[v].n; p++) {
    TRIAD_TRY(triad_flow_backward_planes(j->flow, j->flow->u[j->list[v].first + p], j->planes[p]));
    if (j->ask.increments) TRIAD_TRY(triad_by_y(comm, l, j->planes[p], j->turned[p]));
    j->lines.planes[p] = j->planes[p];
    j->lines.turned[p] = j->turned[p];
  }
  return TRIAD_OK;
}

static int measure(job *j, int v)
{
  triad_context *context = j->flow->context;
  double mean_square = 0;
  TRIAD_TRY(load(j, v));
  TRIAD_TRY(triad_increments_mean_square(context, &j->lines, &mean_square));
  TRIAD_TRY(triad_agree(&context->comm, check_spectra(j, v, mean_square)));
  double unit = mean_square > 0 ? exp2(floor(0.5 * log2(mean_square))) : 1;
  for (int axis = 0; axis < 3; axis++) {
    if (j->separations[axis] == 0) continue;
    TRIAD_TRY(
      triad_increments_measure(context, &j->lines, axis, j->separations[axis], j->m[axis], unit, j->increments));
    TRIAD_TRY(triad_agree(&context->comm, check_increments(j, v, axis, mean_square)));
    put_moments(j, v, axis);
    if (has_pdf(j, v)) TRIAD_TRY(put_pdf(j, v, axis));
  }
  return TRIAD_OK;
}

static int allocate_buffers(job *j)
{
  const triad_layout *l = j->flow->planes;
  triad_memory *memory = j->flow->context->memory;
  int64_t plane = l->grid.n[1] * l->grid.n[0], row = l->grid.n[0], most = 0;
  int parts = 1;
  for (int v = 0; v < j->n; v++) parts = j->list[v].n > parts ? j->list[v].n : parts;
  for (int p = 0; p < parts; p++) {
    TRIAD_TRY(TRIAD_ALLOC(memory, "points of a variable", l->n_planes * plane, &j->planes[p]));
    if (!j->ask.increments) continue;
    TRIAD_TRY(TRIAD_ALLOC(memory, "points of a variable", l->grid.n[2] * triad_by_y_rows(l) * row, &j->turned[p]));
  }
  TRIAD_TRY(TRIAD_ALLOC(memory, "rows of increments", j->flow->context->threads * row, &j->lines.rows));
  for (int axis = 0; axis < 3 && j->ask.increments; axis++) {
    int64_t n = triad_separations(l->grid.n[axis], j->ask.all, NULL);
    j->separations[axis] = n;
    TRIAD_TRY(TRIAD_ALLOC(memory, "separations", n, &j->m[axis]));
    (void)triad_separations(l->grid.n[axis], j->ask.all, j->m[axis]);
    most = n > most ? n : most;
  }
  TRIAD_TRY(TRIAD_ALLOC(memory, "increments", most, &j->increments));
  TRIAD_TRY(TRIAD_ALLOC(memory, "increments", most, &j->scales));
  return TRIAD_ALLOC(memory, "bins of increments", most * j->ask.bins, &j->counts);
}

static void give(job *j)
{
  triad_memory *memory = j->flow->context->memory;
  TRIAD_FREE(memory, &j->counts);
  TRIAD_FREE(memory, &j->scales);
  TRIAD_FREE(memory, &j->increments);
  for (int axis = 0; axis < 3; axis++) TRIAD_FREE(memory, &j->m[axis]);
  TRIAD_FREE(memory, &j->lines.rows);
  for (int p = 0; p < 2; p++) {
    TRIAD_FREE(memory, &j->turned[p]);
    TRIAD_FREE(memory, &j->planes[p]);
  }
}

int triad_output_1d(triad_contents *c, triad_flow *flow)
{
  job j = {.c = c, .flow = flow, .ask = read_request(flow->given), .lines = {.layout = flow->planes}};
  if (!j.ask.spectra && !j.ask.increments) return TRIAD_OK;
  /* spectra and budgets are measured on a GPU, these are not */
  TRIAD_TRY(triad_state_read_all(flow->state, TRIAD_HOST));
  triad_variable list[flow->shape.n_fields];
  j.n = triad_variables(&flow->shape, list);
  j.list = list;
  int st = triad_agree(&flow->context->comm, allocate_buffers(&j));
  for (int axis = 0; axis < 3 && st == TRIAD_OK; axis++)
    if (flow->grid.n[axis] > 1) st = put_spectra(&j, axis);
  if (st == TRIAD_OK && j.ask.increments) put_separations(&j);
  for (int v = 0; v < j.n && st == TRIAD_OK; v++) st = measure(&j, v);
  give(&j);
  return st;
}
