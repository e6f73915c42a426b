/* The numbers of a series line. */
#include "solvers/multiblock/gpu.h"
#include "solvers/multiblock/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENERGY, RESIDUAL, COEFFICIENT = RESIDUAL + TRIAD_MB_FIELDS, FORCE = COEFFICIENT + 3, FRICTION = FORCE + 3,
       LEAK = FRICTION + 3, SPLIT, LIMITED = SPLIT + 2, FROZEN, COURANT, PLAIN, ERRORS = PLAIN };

static const triad_column_info plain[PLAIN] = {
  [ENERGY] = {"energy", "U^2", "total energy of a unit of mass: integral(e) / integral(rho)"},
  [RESIDUAL] = {"residual_mass", "1", "L2 norm of d rho/dt of the last step, over that of the first step"},
  [RESIDUAL + 1] = {"residual_x", "1", "of the momentum along x, over the largest of its three at the first step"},
  [RESIDUAL + 2] = {"residual_y", "1", "along y"},
  [RESIDUAL + 3] = {"residual_z", "1", "along z"},
  [RESIDUAL + 4] = {"residual_energy", "1", "of the energy"},
  [COEFFICIENT] = {"cl", "1", "lift of all walls / (rho U^2/2 area), of the first stream"},
  [COEFFICIENT + 1] = {"cd", "1", "drag of them, likewise"},
  [COEFFICIENT + 2] = {"cm", "1", "their moment about reference.centre / (rho U^2/2 area length), nose up"},
  [FORCE] = {"force_x", "M L/T^2", "force on all walls"},
  [FORCE + 1] = {"force_y", "M L/T^2", "along y"},
  [FORCE + 2] = {"force_z", "M L/T^2", "along z"},
  [FRICTION] = {"friction_x", "M L/T^2", "its part by friction"},
  [FRICTION + 1] = {"friction_y", "M L/T^2", "along y"},
  [FRICTION + 2] = {"friction_z", "M L/T^2", "along z"},
  [LEAK] = {"mass_error", "1", "mass flow out of all boundaries / (half of the sum of their sizes)"},
  [SPLIT] = {"cl_friction", "1", "part of the lift's coefficient by friction; the rest is by pressure"},
  [SPLIT + 1] = {"cd_friction", "1", "part of the drag's"},
  [LIMITED] = {"limited", "1", "share of cells whose slope of pressure a limiter cuts to less than half along an axis, where it is above 0.1 %"},
  [FROZEN] = {"frozen", "1", "1: limiters are frozen (time.limiter_freeze)"},
  [COURANT] = {"cfl", "1", "Courant number of the last step"}};

static const char *const norm_name[3] = {"l1", "l2", "largest"};
static const char *const value_name[TRIAD_MB_FIELDS] = {"rho", "u", "v", "w", "p"};

int triad_mb_columns_of(const triad_mb_setup *setup)
{
  return PLAIN + (setup->exact.kind ? 3 * TRIAD_MB_FIELDS : 0);
}

int triad_mb_columns_create(triad_mb_flow *f)
{
  f->n_columns = triad_mb_columns_of(&f->setup);
  f->columns = calloc((size_t)f->n_columns, sizeof *f->columns);
  f->column_names = calloc((size_t)f->n_columns, sizeof *f->column_names);
  if (!f->columns || !f->column_names) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d columns", f->n_columns);
  memcpy(f->columns, plain, sizeof plain);
  for (int i = ERRORS; i < f->n_columns; i++) {
    int norm = (i - ERRORS) / TRIAD_MB_FIELDS, value = (i - ERRORS) % TRIAD_MB_FIELDS;
    (void)snprintf(f->column_names[i], sizeof *f->column_names, "error_%s_%s", norm_name[norm], value_name[value]);
    f->columns[i] = (triad_column_info){f->column_names[i], "as the value", "difference from the known solution, over cells"};
  }
  return TRIAD_OK;
}

/* ---- forces ---- */

/* Does the host know nothing of the flow inside? A GPU then says what is measured, but for errors. */
static int is_away(const triad_mb_flow *f) { return f->gpu && !f->setup.exact.kind; }

typedef struct forces {
  double force[3], friction[3], moment[3], out, through;
} forces;

static void add_face(const triad_mb_flow *f, const triad_mb_sight *sight, int64_t i, forces *sum)
{
  const triad_mb_face_of *face = &f->face[i];
  const triad_zone_part *p = f->part[face->part];
  const int flat = f->zones->zone[p->zone].flat;
  double sign = face->upper ? 1 : -1, mass = sign * (double)f->face_flux[0][i], push[3], drag[3] = {0, 0, 0}, arm[3];
  sum->out += mass;
  sum->through += fabs(mass);
  if (!f->patches.patch[face->patch].is_wall) return;
  for (int a = 0; a < 3 && !sight; a++) drag[a] = f->face_drag[a] ? -sign * (double)f->face_drag[a][i] : 0;
  if (f->viscosity && sight) {
    triad_mb_flux d = triad_mb_diffused(sight, face->axis, flat, p->stride, face->metric);
    drag[0] = -sign * (double)d.x;
    drag[1] = -sign * (double)d.y;
    drag[2] = -sign * (double)d.z;
  }
  for (int a = 0; a < 3; a++) {
    push[a] = sign * (double)f->face_flux[1 + a][i] + drag[a];
    sum->force[a] += push[a];
    sum->friction[a] += drag[a];
    arm[a] = face->centre[a] - f->setup.centre[a];
  }
  for (int a = 0; a < 3; a++) {
    int b = (a + 1) % 3, c = (a + 2) % 3;
    sum->moment[a] += arm[b] * push[c] - arm[c] * push[b];
  }
}

static int find_forces(triad_mb_flow *f, double *columns)
{
  forces mine = {.out = 0}, all;
  const triad_mb_sight sight = triad_mb_sight_of(f);
  for (int64_t i = 0; i < f->n_faces; i++) add_face(f, is_away(f) ? NULL : &sight, i, &mine);
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&mine, &all, sizeof all / sizeof(double), MPI_DOUBLE, MPI_SUM, f->context->comm.mpi)));
  memcpy(columns + FORCE, all.force, sizeof all.force);
  memcpy(columns + FRICTION, all.friction, sizeof all.friction);
  columns[LEAK] = all.through > 0 ? 2 * all.out / all.through : 0;
  if (f->patches.reference < 0) return TRIAD_OK;
  const triad_mb_patch *stream = &f->patches.patch[f->patches.reference];
  const int up = triad_mb_up(f->given, f->grid);
  double speed2 = 0, drag = 0, head;
  for (int a = 0; a < 3; a++) {
    speed2 += stream->given[1 + a] * stream->given[1 + a];
    drag += all.force[a] * stream->along[a];
  }
  head = stream->given[0] * speed2 / 2 * f->setup.area;
  if (!(head > 0)) return TRIAD_OK;
  /* across the stream, in the plane that alpha turns in */
  double size = hypot(stream->along[0], stream->along[up]);
  const double *part[2] = {all.force, all.friction};
  double lift[2];
  for (int k = 0; k < 2; k++) lift[k] = (part[k][up] * stream->along[0] - part[k][0] * stream->along[up]) / (size > 0 ? size : 1);
  columns[COEFFICIENT] = lift[0] / head;
  columns[SPLIT] = lift[1] / head;
  for (int a = 0; a < 3; a++) columns[SPLIT + 1] += all.friction[a] * stream->along[a] / head;
  columns[COEFFICIENT + 1] = drag / head;
  columns[COEFFICIENT + 2] = (up == 1 ? -all.moment[2] : all.moment[1]) / (head * f->setup.length);
  return TRIAD_OK;
}

/* ---- errors ---- */

/* Volume, its integrals of |error| and error^2, the largest, the energy and the mass. */
typedef struct errors {
  double first[TRIAD_MB_FIELDS], second[TRIAD_MB_FIELDS], energy, mass, limited;
} errors;

static void add_cells(const triad_mb_flow *f, const triad_zone_part *p, errors *sum, double largest[TRIAD_MB_FIELDS])
{
  const triad_mb_exact *e = &f->setup.exact;
  for (int64_t l = 0; l < triad_zone_part_cells(p); l++) {
    const int64_t c[3] = {p->low[0] + l % p->n[0], p->low[1] + l / p->n[0] % p->n[1], p->low[2] + l / p->n[0] / p->n[1]};
    int64_t at = triad_zone_part_at(p, c);
    double x[3], q[5], volume = (double)f->volume[at];
    sum->energy += volume * (double)f->u[4][at];
    sum->mass += volume * (double)f->u[0][at];
    const int flat = f->zones->zone[p->zone].flat;
    for (int axis = 0, found = 0; axis < 3 && !found; axis++)
      if (axis != flat) sum->limited += found = triad_mb_is_limited(f->setup.limiter, f->q[4] + at, p->stride[axis]);
    if (!e->kind) continue;
    triad_mb_middle(f->grid, f->zones, p->zone, c, x);
    e->kind->at(e, x, f->setup.steady ? 0 : f->at.t, q);
    for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
      double error = fabs((double)f->q[m][at] - q[m]);
      sum->first[m] += volume * error;
      sum->second[m] += volume * error * error;
      largest[m] = fmax(largest[m], error);
    }
  }
}

int triad_mb_measure(void *self, double *columns)
{
  triad_mb_flow *f = self;
  MPI_Comm comm = f->context->comm.mpi;
  errors mine = {.energy = 0}, all;
  double largest[TRIAD_MB_FIELDS] = {0}, most[TRIAD_MB_FIELDS];
  memset(columns, 0, (size_t)f->n_columns * sizeof *columns);
  if (is_away(f)) TRIAD_TRY(triad_mb_gpu_steps->measure(f, &mine.energy, &mine.mass, &mine.limited));
  else {
    TRIAD_TRY(triad_mb_bring(f));
    for (int i = 0; i < f->n_parts; i++) add_cells(f, f->part[i], &mine, largest);
  }
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&mine, &all, sizeof all / sizeof(double), MPI_DOUBLE, MPI_SUM, comm)));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(largest, most, TRIAD_MB_FIELDS, MPI_DOUBLE, MPI_MAX, comm)));
  columns[ENERGY] = all.energy / all.mass;
  columns[LIMITED] = all.limited / (double)f->zones->all;
  columns[FROZEN] = f->frozen;
  columns[COURANT] = f->setup.steady ? (f->at.step > 0 ? triad_case_real(f->given, "time.cfl") : 0) : f->rate * f->at.dt;
  for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
    columns[RESIDUAL + m] = triad_mb_residual(f, m);
    if (!f->setup.exact.kind) continue;
    columns[ERRORS + m] = all.first[m] / f->volume_all;
    columns[ERRORS + TRIAD_MB_FIELDS + m] = sqrt(all.second[m] / f->volume_all);
    columns[ERRORS + 2 * TRIAD_MB_FIELDS + m] = most[m];
  }
  return find_forces(f, columns);
}
