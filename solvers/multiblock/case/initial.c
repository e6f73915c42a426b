/* Set the initial condition of a flow, and complete the set-up once the state is known. */
#include "solvers/multiblock/case/initial.h"

#include "solvers/multiblock/case/coarser.h"
#include "solvers/multiblock/step/freeze.h"
#include "solvers/multiblock/step/halos.h"
#include "solvers/multiblock/plain/residuals.h"
#include "solvers/multiblock/points/multiblock_points.h"

#include "base/random.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* 1 and a random number of this size, of a cell by its global number. */
static double shaken(double size, int64_t global, int field)
{
  if (!(size > 0)) return 1;
  triad_bits b = triad_random_bits(triad_random_key(1, TRIAD_STREAM_INITIAL), (int32_t)(global & 0x7fffffff),
                                   (int32_t)(global >> 31), field, 0);
  return 1 + size * (2 * triad_random_uniform(b, 0) - 1);
}

/* Of a stream everywhere; NULL: of the exact solution. */
static void set_cells(triad_multiblock_flow *f, const double *stream)
{
  const triad_multiblock_exact *e = &f->setup.exact;
  const triad_real gamma = (triad_real)f->setup.gas.gamma;
  const double shake = triad_case_real(f->given, "initial.perturbation");
  for (int i = 0; i < f->n_parts; i++) {
    const triad_zone_part *p = f->part[i];
    const triad_zone *z = &f->zones->zone[p->zone];
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
    for (int64_t l = 0; l < triad_zone_part_cells(p); l++) {
      const int64_t c[3] = {p->low[0] + l % p->n[0], p->low[1] + l / p->n[0] % p->n[1],
                            p->low[2] + l / p->n[0] / p->n[1]};
      int64_t at = triad_zone_part_at(p, c), global = z->first + c[0] + z->n[0] * (c[1] + z->n[1] * c[2]);
      double x[3], q[5];
      if (stream) memcpy(q, stream, sizeof q);
      else {
        triad_blocks_cell_centre(f->grid, f->zones, p->zone, c, x);
        e->kind->at(e, x, 0, q);
      }
      for (int m = 0; m < 5; m++) q[m] *= shaken(shake, global, m);
      triad_gas_flux u = triad_gas_conserved(
        (triad_gas_state){(triad_real)q[0], (triad_real)q[1], (triad_real)q[2], (triad_real)q[3], (triad_real)q[4]},
        gamma);
      f->u[0][at] = u.mass;
      f->u[1][at] = u.x;
      f->u[2][at] = u.y;
      f->u[3][at] = u.z;
      f->u[4][at] = u.energy;
    }
  }
}

/* A supersonic outflow extrapolates the whole state, which is right only where the flow leaves faster than sound: warn
 * if most of it is slower. Layers along walls are always slow. */
int triad_multiblock_check_state(void *flow, const char *when, triad_log *log)
{
  triad_multiblock_flow *f = flow;
  double area[2] = {0, 0}, all[2]; /* that is slower than sound, and in all */
  const double gamma = f->setup.gas.gamma;
  TRIAD_TRY(triad_multiblock_copy_to_host(f));
  for (int64_t i = 0; i < f->n_faces; i++) {
    const triad_multiblock_face_of *face = &f->face[i];
    if (face->patch < 0 || f->patches.patch[face->patch].kind != TRIAD_MULTIBLOCK_SUPERSONIC_OUT) continue;
    double u[5], size = 0, out = 0, square = 0;
    for (int m = 0; m < 5; m++) u[m] = (double)f->u[m][face->cell];
    for (int a = 0; a < 3; a++) {
      size += face->area[a] * face->area[a];
      out += (face->upper ? 1 : -1) * face->area[a] * u[1 + a] / u[0];
      square += u[1 + a] * u[1 + a] / u[0];
    }
    size = sqrt(size);
    const double c = sqrt(gamma * (gamma - 1) * (u[4] - square / 2) / u[0]);
    area[1] += size;
    if (!(out >= c * size)) area[0] += size;
  }
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(area, all, 2, MPI_DOUBLE, MPI_SUM, f->context->comm.mpi)));
  if (all[0] > all[1] / 2)
    triad_log_warning(log,
                      "supersonic-outflow: the %s flow leaves at subsonic speed through %.3g %% of these faces, "
                      "where the whole state is extrapolated: use subsonic-outflow, or farfield",
                      when, 100 * all[0] / all[1]);
  return TRIAD_OK;
}

int triad_multiblock_initial(void *self, triad_log *log)
{
  (void)log;
  triad_multiblock_flow *f = self;
  const int solution = triad_case_is(f->given, "initial.kind", "solution");
  memset(f->first, 0, sizeof f->first);
  memset(f->norm, 0, sizeof f->norm);
  f->converged = f->frozen = 0;
  f->sloped = !(f->setup.first_order > 0);
  if (triad_case_is(f->given, "initial.kind", "checkpoint")) return TRIAD_OK; /* it is read next */
  if (triad_case_is(f->given, "initial.kind", "coarser")) TRIAD_TRY(triad_multiblock_start_coarser(f));
  else set_cells(f, solution ? NULL : f->patches.patch[f->patches.reference].given);
  return TRIAD_OK;
}

static const char *const kept[2][TRIAD_MULTIBLOCK_FIELDS] = {
  {"first_residual_mass", "first_residual_x", "first_residual_y", "first_residual_z", "first_residual_energy"},
  {"last_residual_mass", "last_residual_x", "last_residual_y", "last_residual_z", "last_residual_energy"}};

int triad_multiblock_keep(const void *self, triad_notes *notes)
{
  const triad_multiblock_flow *f = self;
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    TRIAD_TRY(triad_notes_set_real(notes, kept[0][m], f->first[m]));
    TRIAD_TRY(triad_notes_set_real(notes, kept[1][m], f->norm[m]));
  }
  if (f->grid->checksum) {
    char sum[24];
    (void)snprintf(sum, sizeof sum, "%016" PRIx64, f->grid->checksum);
    TRIAD_TRY(triad_notes_set_text(notes, "grid", sum));
  }
  TRIAD_TRY(triad_strouhal_keep(&f->strouhal, "strouhal", notes));
  TRIAD_TRY(triad_notes_set_real(notes, "frozen", f->frozen));
  return triad_notes_set_real(notes, "slopes", f->sloped);
}

static void read_note(const triad_manifest *from, const char *name, double *value)
{
  if (triad_notes_has(from->notes, name)) (void)triad_notes_real(from->notes, name, value);
}

/* Other nodes in as many cells are refused: values of cells would go on at other places, and files of fields show
 * them at the old ones. */
static int check_grid(const triad_multiblock_flow *f, const triad_notes *notes)
{
  const char *there = NULL;
  char here[24];
  if (!f->grid->checksum || !notes || !triad_notes_has(notes, "grid")) return TRIAD_OK;
  TRIAD_TRY(triad_notes_text(notes, "grid", &there));
  (void)snprintf(here, sizeof here, "%016" PRIx64, f->grid->checksum);
  if (strcmp(there, here) == 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE,
                    "grid.file: %.500s has other nodes (%s) than the grid of the checkpoint (%.32s): to start from "
                    "fields on another grid use initial.kind = \"coarser\"",
                    triad_case_word(f->given, "grid.file"), here, there);
}

int triad_multiblock_settle(void *self, const triad_manifest *resumed, triad_log *log)
{
  triad_multiblock_flow *f = self;
  (void)log;
  double sloped = f->sloped, frozen = 0;
  triad_strouhal_take(&f->strouhal, "strouhal", resumed ? resumed->notes : NULL);
  if (resumed) {
    TRIAD_TRY(triad_agree(&f->context->comm, check_grid(f, resumed->notes)));
    for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
      read_note(resumed, kept[0][m], &f->first[m]);
      read_note(resumed, kept[1][m], &f->norm[m]);
    }
    read_note(resumed, "slopes", &sloped);
    read_note(resumed, "frozen", &frozen);
  }
  f->sloped = sloped > 0;
  f->converged = f->sloped && triad_multiblock_is_steady(f);
  f->order = f->sloped ? f->setup.order : 0;
  f->bad = 0;
  f->bad_place = -1;
  f->frozen = 0;
  if (frozen > 0 && f->frozen_u[0]) TRIAD_TRY(triad_multiblock_freeze_again(f));
  return triad_multiblock_refresh(f);
}
