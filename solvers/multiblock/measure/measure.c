/* The numbers of a series line. */
#include "solvers/multiblock/measure/measure.h"

#include "base/text.h"
#include "parallel/sum.h"
#include "solvers/multiblock/measure/forces.h"
#include "solvers/multiblock/step/halos.h"
#include "solvers/multiblock/step/loops.h"
#include "solvers/multiblock/plain/residuals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  ENERGY,
  RESIDUAL,
  COEFFICIENT = RESIDUAL + TRIAD_MULTIBLOCK_FIELDS,
  FORCE = COEFFICIENT + 3,
  FRICTION = FORCE + 3,
  LEAK = FRICTION + 3,
  SPLIT,
  LIMITED = SPLIT + 2,
  FROZEN,
  COURANT,
  MASS,
  PLAIN,
  ERRORS = PLAIN
};

static const triad_column_info plain[PLAIN] = {
  [ENERGY] = {"energy", "U^2", "total energy per unit mass: integral(e)/integral(rho)"},
  [RESIDUAL] = {"residual_mass", "1", "L2 norm of d rho/dt in the last step, divided by that in the first step"},
  [RESIDUAL + 1] = {"residual_x", "1",
                    "residual of the momentum along x, divided by the largest of the three in the first step"},
  [RESIDUAL + 2] = {"residual_y", "1",
                    "residual of the momentum along y, divided by the largest of the three in the first step"},
  [RESIDUAL + 3] = {"residual_z", "1",
                    "residual of the momentum along z, divided by the largest of the three in the first step"},
  [RESIDUAL + 4] = {"residual_energy", "1", "residual of the energy, divided by that in the first step"},
  [COEFFICIENT] =
    {"cl", "1",
     "lift coefficient of all walls, lift/(rho U^2/2 area), with rho and U of [reference] or the first stream"},
  [COEFFICIENT + 1] = {"cd", "1", "drag coefficient of all walls, drag/(rho U^2/2 area)"},
  [COEFFICIENT + 2] = {"cm", "1",
                       "moment coefficient about reference.centre, moment/(rho U^2/2 area length), positive nose up"},
  [FORCE] = {"force_x", "M L/T^2", "force along x on all walls"},
  [FORCE + 1] = {"force_y", "M L/T^2", "force along y on all walls"},
  [FORCE + 2] = {"force_z", "M L/T^2", "force along z on all walls"},
  [FRICTION] = {"friction_x", "M L/T^2", "viscous part of the force along x on all walls"},
  [FRICTION + 1] = {"friction_y", "M L/T^2", "viscous part of the force along y on all walls"},
  [FRICTION + 2] = {"friction_z", "M L/T^2", "viscous part of the force along z on all walls"},
  [LEAK] = {"mass_error", "1", "net mass flow out of all boundaries/(half the sum of the magnitudes)"},
  [SPLIT] = {"cl_friction", "1", "viscous part of the lift coefficient"},
  [SPLIT + 1] = {"cd_friction", "1", "viscous part of the drag coefficient"},
  [LIMITED] =
    {"limited", "1",
     "fraction of cells whose pressure slope along an axis is limited to less than half, where it exceeds 0.1 %"},
  [FROZEN] = {"frozen", "1", "1 if the limiters are frozen (time.limiter_freeze), otherwise 0"},
  [COURANT] = {"cfl", "1", "Courant number of the last step"},
  [MASS] = {"mass", "M", "integral(rho)"}};

static const char *const norm_name[3] = {"l1", "l2", "largest"};
static const char *const value_name[TRIAD_MULTIBLOCK_FIELDS] = {"rho", "u", "v", "w", "p"};

/* Where columns of single walls begin, and how many walls have such: one that is all has none. */
static int walls_at(const triad_multiblock_setup *setup)
{
  return PLAIN + (setup->exact.kind ? 3 * TRIAD_MULTIBLOCK_FIELDS : 0);
}
static int walls_of(const triad_multiblock_patches *patches)
{
  return patches->n_walls > 1 || patches->others ? patches->n_walls : 0;
}

/* Does the flow have the column of the Strouhal number, the last one? */
static int has_strouhal(const triad_multiblock_setup *setup, const triad_multiblock_patches *patches)
{
  const int streams = patches->reference >= 0 || triad_body_head(&setup->reference) > 0;
  return !setup->steady && streams && (patches->n_walls > 0 || patches->others);
}

int triad_multiblock_columns_of(const triad_multiblock_setup *setup, const triad_multiblock_patches *patches)
{
  return walls_at(setup) + TRIAD_MULTIBLOCK_COEFFICIENTS * walls_of(patches) + has_strouhal(setup, patches);
}

/* A name as a column may have it. */
static void name_wall(triad_multiblock_flow *f, int at, int number, const char *patch)
{
  static const char *const what[TRIAD_MULTIBLOCK_COEFFICIENTS] = {"cl", "cd", "cm", "cl_friction", "cd_friction"};
  char *name = f->column_names[at];
  (void)snprintf(name, sizeof *f->column_names, "%s_%s", what[number], patch);
  (void)triad_name_clean(name, ".-_");
  f->columns[at] = (triad_column_info){name, "1", .formula = "for this wall only"};
}

int triad_multiblock_columns_create(triad_multiblock_flow *f)
{
  f->n_columns = triad_multiblock_columns_of(&f->setup, &f->patches);
  f->columns = calloc((size_t)f->n_columns, sizeof *f->columns);
  f->column_names = calloc((size_t)f->n_columns, sizeof *f->column_names);
  if (!f->columns || !f->column_names) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d columns", f->n_columns);
  memcpy(f->columns, plain, sizeof plain);
  for (int i = ERRORS; i < walls_at(&f->setup); i++) {
    int norm = (i - ERRORS) / TRIAD_MULTIBLOCK_FIELDS, value = (i - ERRORS) % TRIAD_MULTIBLOCK_FIELDS;
    (void)snprintf(f->column_names[i], sizeof *f->column_names, "error_%s_%s", norm_name[norm], value_name[value]);
    f->columns[i] = (triad_column_info){f->column_names[i], "as the value",
                                        .formula = "difference from the exact solution, over cells"};
  }
  for (int patch = 0; walls_of(&f->patches) > 0 && patch < f->patches.n;
       patch++) /* all that share a name say the same */
    for (int k = 0; f->patches.patch[patch].wall > 0 && k < TRIAD_MULTIBLOCK_COEFFICIENTS; k++)
      name_wall(f, walls_at(&f->setup) + (f->patches.patch[patch].wall - 1) * TRIAD_MULTIBLOCK_COEFFICIENTS + k, k,
                f->grid->patch[patch]);
  if (has_strouhal(&f->setup, &f->patches))
    f->columns[f->n_columns - 1] = (triad_column_info){
      "strouhal", "1", .formula = "frequency of cl, mean of the last cycles, times reference.length/U"};
  triad_multiblock_set_reference(f);
  return TRIAD_OK;
}

static int put_forces(triad_multiblock_flow *f, double *columns)
{
  triad_multiblock_forces *of = calloc((size_t)f->patches.n_walls + 1, sizeof *of);
  int st = triad_agree(&f->context->comm,
                       of ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "forces on %d walls", f->patches.n_walls));
  if (st == TRIAD_OK) st = triad_multiblock_find_forces(f, of);
  if (st == TRIAD_OK) {
    memcpy(columns + FORCE, of->force, sizeof of->force);
    memcpy(columns + FRICTION, of->friction, sizeof of->friction);
    memcpy(columns + COEFFICIENT, of->coefficient, 3 * sizeof(double));
    memcpy(columns + SPLIT, of->coefficient + 3, 2 * sizeof(double));
    columns[LEAK] = of->through > 0 ? 2 * of->out / of->through : 0;
    if (has_strouhal(&f->setup, &f->patches)) {
      triad_strouhal_add(&f->strouhal, &f->reference, f->at.t, of->coefficient[0]);
      columns[f->n_columns - 1] = triad_strouhal_number(&f->strouhal, &f->reference);
    }
  }
  for (int i = 0; st == TRIAD_OK && i < walls_of(&f->patches); i++)
    memcpy(columns + walls_at(&f->setup) + i * TRIAD_MULTIBLOCK_COEFFICIENTS, of[1 + i].coefficient,
           sizeof of->coefficient);
  free(of);
  return st;
}

/* ---- errors ---- */

/* Integrals over the volume of |error| and error^2, and how many cells are limited. */
typedef struct errors {
  double first[TRIAD_MULTIBLOCK_FIELDS], second[TRIAD_MULTIBLOCK_FIELDS], limited;
} errors;

static void add_errors(const triad_multiblock_flow *f, const triad_zone_part *p, errors *sum,
                       double largest[TRIAD_MULTIBLOCK_FIELDS])
{
  const triad_multiblock_exact *e = &f->setup.exact;
  for (int64_t l = 0; l < triad_zone_part_cells(p); l++) {
    const int64_t c[3] = {p->low[0] + l % p->n[0], p->low[1] + l / p->n[0] % p->n[1],
                          p->low[2] + l / p->n[0] / p->n[1]};
    int64_t at = triad_zone_part_at(p, c);
    double x[3], q[5], volume = (double)f->volume[at];
    triad_blocks_cell_centre(f->grid, f->zones, p->zone, c, x);
    e->kind->at(e, x, f->setup.steady ? 0 : f->at.t, q);
    for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
      double error = fabs((double)f->q[m][at] - q[m]);
      sum->first[m] += volume * error;
      sum->second[m] += volume * error * error;
      largest[m] = fmax(largest[m], error);
    }
  }
}

/* A box of slip walls, planes of symmetry and walls keeps its mass; its energy too, if no wall moves or is kept at a
 * temperature. */
int triad_multiblock_conserved_columns(const void *flow, const double *first, triad_conserved *list)
{
  static const char remedy[] = "a smaller time.cfl or time.dt";
  const triad_multiblock_flow *f = flow;
  int keeps_energy = f->formulas == NULL;
  if (f->setup.steady || f->source[0]) return 0;
  for (int i = 0; i < f->patches.n; i++) {
    const triad_multiblock_patch *p = &f->patches.patch[i];
    const int moves = p->velocity[0] != 0 || p->velocity[1] != 0 || p->velocity[2] != 0;
    if (!p->has_faces || p->kind == TRIAD_MULTIBLOCK_SLIP || p->kind == TRIAD_MULTIBLOCK_SYMMETRY) continue;
    if (p->kind != TRIAD_MULTIBLOCK_WALL) return 0;
    if (p->temperature > 0 || moves) keeps_energy = 0;
  }
  list[0] = (triad_conserved){MASS, first[MASS], 0, remedy};
  if (keeps_energy) list[1] = (triad_conserved){ENERGY, first[ENERGY], 0, remedy};
  return 1 + keeps_energy;
}

int triad_multiblock_measure(void *self, double *columns)
{
  triad_multiblock_flow *f = self;
  MPI_Comm comm = f->context->comm.mpi;
  errors mine = {.limited = 0}, all;
  triad_sum sums[TRIAD_MULTIBLOCK_TOTALS];
  double totals[TRIAD_MULTIBLOCK_TOTALS], largest[TRIAD_MULTIBLOCK_FIELDS] = {0}, most[TRIAD_MULTIBLOCK_FIELDS];
  memset(columns, 0, (size_t)f->n_columns * sizeof *columns);
  for (int i = 0; i < TRIAD_MULTIBLOCK_TOTALS; i++) triad_sum_clear(&sums[i]);
  TRIAD_TRY(f->loops->totals(f, sums, &mine.limited));
  if (f->setup.exact.kind) TRIAD_TRY(triad_multiblock_copy_to_host(f));
  for (int i = 0; f->setup.exact.kind && i < f->n_parts; i++) add_errors(f, f->part[i], &mine, largest);
  TRIAD_TRY(triad_sum_all(&f->context->comm, sums, TRIAD_MULTIBLOCK_TOTALS, totals));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&mine, &all, sizeof all / sizeof(double), MPI_DOUBLE, MPI_SUM, comm)));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(largest, most, TRIAD_MULTIBLOCK_FIELDS, MPI_DOUBLE, MPI_MAX, comm)));
  columns[ENERGY] = totals[TRIAD_MULTIBLOCK_ENERGY] / totals[TRIAD_MULTIBLOCK_MASS];
  columns[MASS] = totals[TRIAD_MULTIBLOCK_MASS];
  columns[LIMITED] = all.limited / (double)f->zones->all;
  columns[FROZEN] = f->frozen;
  columns[COURANT] =
    f->setup.steady ? (f->at.step > 0 ? triad_case_real(f->given, "time.cfl") : 0) : f->rate * f->at.dt;
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    columns[RESIDUAL + m] = triad_multiblock_residual(f, m);
    if (!f->setup.exact.kind) continue;
    columns[ERRORS + m] = all.first[m] / f->volume_all;
    columns[ERRORS + TRIAD_MULTIBLOCK_FIELDS + m] = sqrt(all.second[m] / f->volume_all);
    columns[ERRORS + 2 * TRIAD_MULTIBLOCK_FIELDS + m] = most[m];
  }
  return put_forces(f, columns);
}
