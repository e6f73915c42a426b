/* Interpolate velocity, pressure and temperature at the probe points of a case, and rebuild stencils when solids or the
 * box change. */
#include "solvers/staggered/measure/probes.h"

#include "case/probe.h"
#include "parallel/sum.h"
#include "solvers/staggered/plain/places.h"

#include <math.h>
#include <string.h>

enum { MOST_FIELDS = 5, PRESSURE = 3, TEMPERATURE };

static int fields_of(int has_temperature) { return has_temperature ? MOST_FIELDS : TEMPERATURE; }

struct triad_staggered_probes {
  const triad_staggered_mesh *m;
  int64_t n;
  int fields;                        /* u, v, w, p and perhaps the temperature    */
  double *x;                         /* [n][3], as the case has them              */
  triad_staggered_stencil *stencils; /* [n][fields], of the box and solids below  */
  uint8_t *solid;                    /* [n] blocks of cells about them            */
  triad_sum *sums;                   /* [n][fields]                               */
  double length[3];                  /* 0: stencils are still to be made          */
  int64_t placed;                    /* of the mesh's solids                      */
  int64_t version;                   /* how often stencils have been made         */
};

int64_t triad_staggered_probes_bytes(const triad_case *given)
{
  triad_probe list[TRIAD_PROBES];
  const int64_t each = fields_of(triad_case_flag(given, "equations.temperature")) *
                       (int64_t)(sizeof(triad_staggered_stencil) + sizeof(triad_sum));
  return triad_probe_places(list, triad_probe_list(given, list)) *
         (each + 3 * (int64_t)sizeof(double) + TRIAD_STAGGERED_BLOCK_CELLS);
}

static void set_places(triad_staggered_probes *b, const triad_probe *list, int n)
{
  double *x = b->x;
  for (int p = 0; p < n; p++)
    for (int64_t k = 0; k < list[p].n[2]; k++)
      for (int64_t j = 0; j < list[p].n[1]; j++)
        for (int64_t i = 0; i < list[p].n[0]; i++) {
          const int64_t number[3] = {i, j, k};
          for (int axis = 0; axis < 3; axis++)
            *x++ = triad_probe_at(&list[p], axis, number[axis], b->m->setup.length[axis]);
        }
}

int triad_staggered_probes_create(triad_staggered_probes **out, const triad_staggered_mesh *m, const triad_case *given)
{
  triad_probe list[TRIAD_PROBES];
  triad_memory *memory = m->context->memory;
  int n = triad_probe_list(given, list);
  *out = NULL;
  if (n == 0) return TRIAD_OK;
  int st = TRIAD_ALLOC(memory, "probes", 1, out);
  if (st == TRIAD_OK) {
    triad_staggered_probes *b = *out;
    b->m = m;
    b->n = triad_probe_places(list, n);
    b->fields = fields_of(m->setup.thermal.on);
    st = TRIAD_ALLOC(memory, "probes", 3 * b->n, &b->x);
    if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "probes", b->fields * b->n, &b->stencils);
    if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "probes", b->fields * b->n, &b->sums);
    if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "probes", TRIAD_STAGGERED_BLOCK_CELLS * b->n, &b->solid);
    if (st == TRIAD_OK) set_places(b, list, n);
  }
  st = triad_agree(&m->context->comm, st);
  if (st != TRIAD_OK) triad_staggered_probes_destroy(out);
  return st;
}

void triad_staggered_probes_destroy(triad_staggered_probes **probes)
{
  triad_staggered_probes *b = *probes;
  if (!b) return;
  triad_memory *memory = b->m->context->memory;
  TRIAD_FREE(memory, &b->x);
  TRIAD_FREE(memory, &b->stencils);
  TRIAD_FREE(memory, &b->sums);
  TRIAD_FREE(memory, &b->solid);
  TRIAD_FREE(memory, probes);
}

void triad_staggered_probes_info(const triad_staggered_probes *b, const triad_field_info *fields, int n,
                                 triad_places_info *info)
{
  *info = (triad_places_info){0};
  if (b) *info = (triad_places_info){b->n, b->x, n, fields};
}

/* ---- stencils ---- */

/* This rank's part of the cells about a place: 1 where they are solid. */
static void own_block(const triad_staggered_mesh *m, const int64_t cell[3], uint8_t *block)
{
  const triad_partition *b = &m->blocks;
  for (int i = 0; i < TRIAD_STAGGERED_BLOCK_CELLS; i++) {
    const int64_t step[3] = {i % TRIAD_STAGGERED_BLOCK, i / TRIAD_STAGGERED_BLOCK % TRIAD_STAGGERED_BLOCK,
                             i / (TRIAD_STAGGERED_BLOCK * TRIAD_STAGGERED_BLOCK)};
    int64_t x[3];
    int mine = 1;
    for (int a = 0; a < 3; a++) {
      x[a] = cell[a] + step[a] - TRIAD_STAGGERED_ABOUT;
      if (b->periodic[a]) x[a] = ((x[a] % b->n[a]) + b->n[a]) % b->n[a];
      x[a] -= b->begin[a];
      mine = mine && x[a] >= 0 && x[a] < b->local[a];
    }
    block[i] = mine && m->open[triad_partition_at(b, x[0], x[1], x[2])] & TRIAD_STAGGERED_SOLID;
  }
}

/* The coordinates of a place in the box as it is. */
static void coordinates(const triad_staggered_probes *b, int64_t place, double x[3])
{
  for (int a = 0; a < 3; a++) x[a] = triad_staggered_coordinate(b->m, a, b->x[3 * place + a]);
}

/* Solids come and go, and a strain moves the box. */
static int make_stencils(triad_staggered_probes *b)
{
  const triad_staggered_mesh *m = b->m;
  int bytes = 0;
  double x[3];
  if (b->placed == m->placed && memcmp(b->length, m->setup.length, sizeof b->length) == 0) return TRIAD_OK;
  for (int64_t p = 0; p < b->n && m->solids; p++) {
    int64_t cell[3];
    coordinates(b, p, x);
    for (int a = 0; a < 3; a++) cell[a] = triad_staggered_cell_at(m, a, x[a]);
    own_block(m, cell, b->solid + p * TRIAD_STAGGERED_BLOCK_CELLS);
  }
  TRIAD_TRY(triad_narrow(b->n * TRIAD_STAGGERED_BLOCK_CELLS, &bytes));
  if (m->solids)
    TRIAD_TRY(triad_agree(&m->context->comm, TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, b->solid, bytes, MPI_UINT8_T,
                                                                     MPI_MAX, m->context->comm.mpi))));
  for (int64_t p = 0; p < b->n; p++) {
    coordinates(b, p, x);
    for (int f = 0; f < b->fields; f++)
      triad_staggered_stencil_of(m, f, x, m->solids ? b->solid + p * TRIAD_STAGGERED_BLOCK_CELLS : NULL,
                                 b->stencils + p * b->fields + f);
  }
  b->version++;
  b->placed = m->placed;
  memcpy(b->length, m->setup.length, sizeof b->length);
  return TRIAD_OK;
}

/* ---- values ---- */

/* A number's place in this rank's memory along an axis; 0 where it is another's. */
static int is_here(const triad_partition *b, int axis, int64_t global, int64_t *local)
{
  *local = global - b->begin[axis];
  if (global < 0) return b->begin[axis] == 0;
  if (global == b->n[axis]) return b->begin[axis] + b->local[axis] == global;
  return *local >= 0 && *local < b->local[axis];
}

enum { MOST = TRIAD_STAGGERED_STENCIL * TRIAD_STAGGERED_STENCIL * TRIAD_STAGGERED_STENCIL };

/* Entries of this rank's memory that a stencil has with a weight, and these; how many. */
static int entries_of(const triad_staggered_mesh *m, const triad_staggered_stencil *s, int64_t at[MOST],
                      double with[MOST])
{
  const triad_partition *b = &m->blocks;
  const double *weight = s->weight;
  int64_t x, y, z;
  int n = 0;
  for (int k = 0; k < s->n[2]; k++)
    for (int j = 0; j < s->n[1]; j++)
      for (int i = 0; i < s->n[0]; i++, weight++)
        if (fabs(*weight) > 0 && is_here(b, 0, s->at[0][i], &x) && is_here(b, 1, s->at[1][j], &y) &&
            is_here(b, 2, s->at[2][k], &z)) {
          at[n] = triad_partition_at(b, x, y, z);
          with[n++] = *weight;
        }
  return n;
}

int triad_staggered_probes_settle(triad_staggered_probes *b, int64_t *version)
{
  TRIAD_TRY(make_stencils(b));
  *version = b->version;
  return TRIAD_OK;
}

void triad_staggered_probes_entries(const triad_staggered_probes *b, int64_t first[MOST_FIELDS + 1], int64_t *at)
{
  int64_t here[MOST];
  double weight[MOST];
  first[0] = 0;
  for (int f = 0; f < b->fields; f++) {
    first[f + 1] = first[f];
    for (int64_t place = 0; place < b->n; place++) {
      const int n = entries_of(b->m, &b->stencils[place * b->fields + f], here, weight);
      if (at) memcpy(at + first[f + 1], here, (size_t)n * sizeof *here);
      first[f + 1] += n;
    }
  }
}

int triad_staggered_probes_values(triad_staggered_probes *b, triad_real *const u[3], const triad_real *p,
                                  const triad_real *heat, const triad_real *brought, double *values)
{
  const int middle = (TRIAD_STAGGERED_BLOCK_CELLS - 1) / 2;
  int64_t at[MOST];
  double weight[MOST];
  int n = 0;
  TRIAD_TRY(triad_narrow(b->n * b->fields, &n));
  for (int f = 0; f < b->fields; f++) {
    const triad_real *field = f == PRESSURE ? p : f == TEMPERATURE ? heat : u[f];
    for (int i = f; i < n; i += b->fields) {
      const int here = entries_of(b->m, &b->stencils[i], at, weight);
      triad_sum_clear(&b->sums[i]);
      for (int k = 0; k < here; k++)
        triad_sum_add(&b->sums[i], weight[k] * (double)(brought ? *brought++ : field[at[k]]));
    }
  }
  TRIAD_TRY(triad_sum_all(&b->m->context->comm, b->sums, n, values));
  for (int64_t place = 0; place < b->n && b->m->solids; place++)
    for (int f = PRESSURE; f < b->fields; f++)
      if (b->solid[place * TRIAD_STAGGERED_BLOCK_CELLS + middle]) values[place * b->fields + f] = NAN;
  return TRIAD_OK;
}
