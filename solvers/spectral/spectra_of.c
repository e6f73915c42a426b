/* Load a checkpoint or a file of fields and measure its spectra. */
#include "solvers/spectral/measure/budget.h"
#include "solvers/spectral/plain/spectra.h"
#include "solvers/spectral/spectra_of.h"
#include "fft/pass/transform.h"
#include "parallel/sum.h"
#include "store/fields/checkpoint.h"
#include "store/fields/fieldfile.h"
#include "solvers/spectral/flow.h"
#include "solvers/spectral/flow_pass.h"
#include "solvers/spectral/shear/shear.h"
#include "solvers/spectral/measure/output_spectra.h"
#include "grid/shells.h"
#include "store/disk.h"
#include "base/output.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The energy of a source: of the modes kept, and of all that the file holds. */
typedef struct account {
  double kept, all;
} account;

static int load_modes(triad_flow *flow, const triad_spectra_source *source, double *dropped)
{
  return triad_checkpoint_read(flow->context, flow->state, source->path, source->about, flow->shape.n_fields, NULL,
                               dropped);
}

static int check_sizes(const triad_flow *flow, const char *path)
{
  const int64_t *n = flow->grid.n;
  for (int f = 0; f < flow->shape.n_fields; f++) {
    int64_t dims[3];
    const char *name = flow->shape.fields[f].name;
    TRIAD_TRY(triad_fieldfile_dims(&flow->context->comm, path, name, dims));
    if (dims[0] == n[2] && dims[1] == n[1] && dims[2] == n[0]) continue;
    int st = TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%s: dataset %s has %" PRId64 " x %" PRId64 " x %" PRId64 " points (x, y, z), but %" PRId64
                        " x %" PRId64 " x %" PRId64 " are required: all fields must have the same points",
                        path, name, dims[2], dims[1], dims[0], n[0], n[1], n[2]);
    return triad_agree(&flow->context->comm, st);
  }
  return TRIAD_OK;
}

/* Returns 1 if the energy of these equations is mean(|u|^2)/2 of the velocity, which can be computed from the points
 * alone. */
static int is_kinetic(const triad_flow *flow) { return strcmp(flow->equations->name, "hd") == 0; }

/* One field after the other, to spare memory; *energy becomes mean(|u|^2)/2 over the points. */
static int load_points(triad_flow *flow, triad_pass *pass, const char *path, triad_real *planes, double *energy)
{
  const triad_layout *l = flow->layout;
  const triad_comm *comm = &flow->context->comm;
  int64_t begin = l->plane_begin[l->rank], points = l->n_planes * l->grid.n[1] * l->grid.n[0];
  triad_field_group velocity = triad_shape_group(&flow->shape, "velocity");
  triad_sum squares;
  triad_sum_clear(&squares);
  TRIAD_TRY(triad_state_overwrite_all(flow->state, TRIAD_HOST));
  for (int f = 0; f < flow->shape.n_fields; f++) {
    int st = triad_fieldfile_read(path, flow->shape.fields[f].name, begin, begin + l->n_planes, planes);
    TRIAD_TRY(triad_agree(comm, st));
    int counts = f >= velocity.first && f < velocity.first + velocity.n;
    for (int64_t i = 0; i < points && counts; i++) triad_sum_add(&squares, (double)planes[i] * (double)planes[i]);
    const triad_real *from[1] = {planes};
    TRIAD_TRY(triad_forward(pass, l, 1, from, &flow->u[f]));
  }
  TRIAD_TRY(triad_sum_all(comm, &squares, 1, energy));
  *energy /= 2 * (double)triad_grid_points(&flow->grid);
  return TRIAD_OK;
}

static int load_fields(triad_flow *flow, const char *path, double *energy)
{
  const triad_layout *l = flow->layout;
  triad_memory *m = flow->context->memory;
  triad_real *planes = NULL;
  triad_pass *pass = NULL;
  TRIAD_TRY(check_sizes(flow, path));
  int st = TRIAD_ALLOC(m, "fields of a file", l->n_planes * l->grid.n[1] * l->grid.n[0], &planes);
  st = triad_agree(&flow->context->comm, st);
  if (st == TRIAD_OK) st = triad_flow_borrow(flow, 0, 1, &pass);
  if (st == TRIAD_OK) st = load_points(flow, pass, path, planes, energy);
  triad_flow_return(flow, &pass);
  TRIAD_FREE(m, &planes);
  return st;
}

static int measure_energy(triad_flow *flow, const triad_spectra_source *source, double *energy)
{
  double *columns = NULL;
  triad_memory *m = flow->context->memory;
  int st = triad_agree(&flow->context->comm, TRIAD_ALLOC(m, "series", flow->shape.n_columns, &columns));
  if (st == TRIAD_OK) st = triad_budget_measure(flow, columns);
  *energy = columns ? columns[0] : 0;
  TRIAD_FREE(m, &columns);
  if (st != TRIAD_ERR_BLOWUP) return st;
  st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its energy is larger than the largest number", source->shown);
  return triad_agree(&flow->context->comm, st);
}

/* Parseval: the kept modes have the energy of the points, or with a truncation at most that. The relative error of a
 * transform of N values in the 2-norm is at most about 7 u log2 N with u half an epsilon (Higham 2002, theorem 24.2);
 * prime lengths need three transforms; squaring doubles it. */
static int check_parseval(const triad_flow *flow, const triad_spectra_source *source, const account *a, double *dropped)
{
  double tolerance = 3 * 7 * TRIAD_EPSILON * (log2((double)triad_grid_points(&flow->grid)) + 1) * a->all;
  double missing = a->all - a->kept;
  *dropped = missing > tolerance ? missing : 0;
  if (missing >= -tolerance && (flow->grid.truncation != TRIAD_NONE || missing <= tolerance)) return TRIAD_OK;
  int st =
    TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the modes have energy %.17g, but the points %.17g", source->shown, a->kept, a->all);
  return triad_agree(&flow->context->comm, st);
}

static int load(triad_flow *flow, const triad_spectra_source *source, account *a, triad_log *log)
{
  double dropped = 0;
  if (source->about) {
    TRIAD_TRY(load_modes(flow, source, &dropped));
    TRIAD_TRY(triad_agree(&flow->context->comm, triad_shear_restore(flow, source->about->notes, 0)));
    TRIAD_TRY(measure_energy(flow, source, &a->kept));
    a->all = a->kept + dropped;
  } else if (flow->shear) {
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "%s: points of a sheared flow, which is not periodic along y: use a checkpoint of the run",
                      source->shown);
  } else {
    TRIAD_TRY(load_fields(flow, source->path, &a->all));
    TRIAD_TRY(measure_energy(flow, source, &a->kept));
    if (is_kinetic(flow)) TRIAD_TRY(check_parseval(flow, source, a, &dropped));
  }
  if (dropped > 0)
    triad_log_warning(log, "%s: energy %.6g of %.6g is in modes outside the grid and is dropped", source->shown,
                      dropped, a->all);
  return TRIAD_OK;
}

static void print_table(FILE *f, const triad_flow *flow, const triad_spectra_source *source, const account *a,
                        int64_t shells, const double *values)
{
  const triad_shape *shape = &flow->shape;
  const triad_grid *g = &flow->grid;
  double k_min = triad_grid_k_min(g), sum = 0;
  for (int64_t s = 0; s < shells; s++) sum += values[s];
  (void)fprintf(f, "# triad spectra of %s: step %" PRId64 ", t %.17g, solver %s, %s precision\n", source->shown,
                flow->at.step, flow->at.t, flow->equations->name, TRIAD_PRECISION_NAME);
  (void)fprintf(f, "# grid %" PRId64 " x %" PRId64 " x %" PRId64 ", lengths %.17g %.17g %.17g, truncation %s\n",
                g->n[0], g->n[1], g->n[2], g->length[0], g->length[1], g->length[2],
                triad_truncation_name[g->truncation]);
  (void)fprintf(f, "# Units: L length, T time, U velocity. A shell contains the modes with round(|k|/k_min) = s\n");
  (void)fprintf(f, "# k [1/L]: wavenumber of the shell, s k_min, k_min = %.17g\n", k_min);
  for (int i = 0; i < shape->n_spectra; i++)
    (void)fprintf(f, "# %s [%s]: %s\n", shape->spectra[i].name, shape->spectra[i].unit, shape->spectra[i].formula);
  (void)fprintf(f, "# sum of %s = %.17g, energy = %.17g", shape->spectra[0].name, sum, a->kept);
  if (!source->about && is_kinetic(flow)) (void)fprintf(f, ", of the data %.17g", a->all);
  (void)fprintf(f, "\nk");
  for (int i = 0; i < shape->n_spectra; i++) (void)fprintf(f, ",%s", shape->spectra[i].name);
  (void)fprintf(f, "\n");
  for (int64_t s = 0; s < shells; s++) {
    (void)fprintf(f, "%.17g", (double)s * k_min);
    for (int i = 0; i < shape->n_spectra; i++) (void)fprintf(f, ",%.17g", values[i * shells + s]);
    (void)fprintf(f, "\n");
  }
}

static int write_table(triad_flow *flow, const triad_spectra_source *source, const account *a, FILE *table)
{
  const triad_comm *comm = &flow->context->comm;
  int64_t shells = triad_shell_count(&flow->grid);
  triad_memory *m = flow->context->memory;
  double *values = NULL;
  int st = triad_agree(comm, TRIAD_ALLOC(m, "spectra", shells * flow->shape.n_spectra, &values));
  if (st == TRIAD_OK) st = triad_agree(comm, triad_spectra_shells(flow, a->kept, values));
  if (st == TRIAD_OK) {
    if (comm->rank == 0) {
      print_table(table, flow, source, a, shells, values);
      st = triad_output_end(table, TRIAD_OK);
    }
    st = triad_agree(comm, st);
  }
  TRIAD_FREE(m, &values);
  return st;
}

static int write_file(triad_flow *flow, const account *a, const triad_spectra_target *target)
{
  const triad_comm *comm = &flow->context->comm;
  TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? triad_disk_make_folder(target->dir) : TRIAD_OK));
  return triad_output_spectra(flow, target->dir, a->kept, target->notes);
}

int triad_spectra_of(triad_context *context, const triad_case *given, const triad_spectra_source *source,
                     const triad_spectra_target *target, triad_log *log)
{
  triad_flow *flow = NULL;
  account a = {0, 0};
  int st = triad_flow_create(&flow, context, given, NULL);
  if (st == TRIAD_OK) {
    flow->at.step = source->step;
    flow->at.t = source->t;
    st = load(flow, source, &a, log);
  }
  if (st == TRIAD_OK) {
    st = target->table ? write_table(flow, source, &a, target->table) : write_file(flow, &a, target);
    if (st == TRIAD_ERR_INTERNAL) st = TRIAD_ERR_CASE; /* the sum rule: here it is the data that break it */
  }
  triad_flow_destroy(&flow);
  return st;
}
