/* Relax the state of a gas in sponge layers, exactly over half a step before and after each step. */
#include "solvers/compressible/step/sponge.h"
#include "solvers/box/formulas.h"
#include "solvers/compressible/points/force_points.h"
#include "solvers/compressible/case/initial.h"
#include "solvers/compressible/case/initial_set.h"
#include "solvers/compressible/step/loops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What a sponge does on one device. Not collective. */
typedef struct sponge_loops {
  int (*move_fields)(triad_gas_sponge *p); /* its fields from the host to where steps are taken */
  int (*draw)(const triad_gas_sponge *p, double dt);
  void (*free)(triad_gas_sponge *p);
} sponge_loops;

struct triad_gas_sponge {
  triad_compressible *w;
  const sponge_loops *loops;
  triad_real *rate, *to[TRIAD_COMPRESSIBLE_FIELDS];                           /* [own points] s; q_s; on the CPU */
  triad_gas_on_gpu *gpu;                                                      /* NULL: steps are taken on the CPU */
  int (*inner)(void *self, int after, int64_t step, double dt, int *changed); /* the force; NULL: none */
  void *inner_self;
};

int triad_gas_sponge_wanted(const triad_case *given) { return *triad_case_word(given, "sponge.rate") != '\0'; }

int64_t triad_gas_sponge_bytes(const triad_case *given, int64_t points)
{
  return triad_gas_sponge_wanted(given) ? (1 + TRIAD_COMPRESSIBLE_FIELDS) * points * (int64_t)sizeof(triad_real) : 0;
}

/* ---- on each device ---- */

static int draw_rows(const triad_gas_sponge *p, double dt)
{
  const triad_partition *b = &p->w->blocks;
#pragma omp parallel for collapse(2) schedule(static) \
  num_threads(triad_compressible_threads(p->w, triad_partition_points(b)))
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++) {
      const int64_t row = (z * b->local[1] + y) * b->local[0], first = triad_partition_at(b, 0, y, z);
      for (int64_t x = 0; x < b->local[0]; x++) triad_gas_draw(p->w->u, first + x, p->rate, p->to, row + x, dt);
    }
  return TRIAD_OK;
}

static int leave_fields(triad_gas_sponge *p)
{
  (void)p;
  return TRIAD_OK;
}

static void free_fields(triad_gas_sponge *p)
{
  TRIAD_FREE(p->w->context->memory, &p->rate);
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++) TRIAD_FREE(p->w->context->memory, &p->to[f]);
}

static const sponge_loops host_loops = {leave_fields, draw_rows, free_fields};

static int copy_to_gpu(triad_gas_sponge *p)
{
  TRIAD_TRY(triad_gas_gpu->sponge_make(p->w, p->rate, p->to, &p->gpu));
  free_fields(p);
  return TRIAD_OK;
}

static int draw_on_gpu(const triad_gas_sponge *p, double dt) { return triad_gas_gpu->sponge_draw(p->gpu, dt); }

static void free_on_gpu(triad_gas_sponge *p)
{
  triad_gas_gpu->between_drop(&p->gpu);
  free_fields(p);
}

static const sponge_loops gpu_loops = {copy_to_gpu, draw_on_gpu, free_on_gpu};

/* ---- a step ---- */

static int act_on_gas(void *self, int after, int64_t step, double dt, int *changed)
{
  const triad_gas_sponge *p = self;
  if (!after) TRIAD_TRY(triad_agree(&p->w->context->comm, p->loops->draw(p, dt / 2)));
  *changed = 1;
  if (p->inner) TRIAD_TRY(p->inner(p->inner_self, after, step, dt, changed));
  return after ? triad_agree(&p->w->context->comm, p->loops->draw(p, dt / 2)) : TRIAD_OK;
}

/* rho, u, v, w, p -> the conserved state. */
static void conserve(const triad_gas_sponge *p, int64_t points)
{
  for (int64_t i = 0; i < points; i++) {
    const double rho = (double)p->to[0][i];
    double square = 0;
    for (int c = 1; c <= 3; c++) {
      const double v = (double)p->to[c][i];
      square += v * v;
      p->to[c][i] = (triad_real)(rho * v);
    }
    p->to[4][i] = (triad_real)((double)p->to[4][i] / (p->w->setup.gamma - 1) + rho * square / 2);
  }
}

static int fill_fields(triad_gas_sponge *p, const triad_case *given, const triad_space *space)
{
  const triad_context *context = p->w->context;
  TRIAD_TRY(TRIAD_ALLOC(context->memory, "the sponge", space->memory, &p->rate));
  TRIAD_TRY(triad_formulas_fill(context, given, space, "sponge.rate", 0, p->rate));
  TRIAD_TRY(triad_gas_check_positive(space, "sponge.rate", p->rate, 1));
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++) {
    char key[32];
    (void)snprintf(key, sizeof key, "sponge.%s", triad_compressible_primitive_fields[f].name);
    TRIAD_TRY(TRIAD_ALLOC(context->memory, "the sponge", space->memory, &p->to[f]));
    TRIAD_TRY(triad_formulas_fill(context, given, space, key, 0, p->to[f]));
    if (f == 0 || f == TRIAD_COMPRESSIBLE_FIELDS - 1) TRIAD_TRY(triad_gas_check_positive(space, key, p->to[f], 0));
  }
  conserve(p, space->memory);
  return TRIAD_OK;
}

int triad_gas_sponge_create(triad_gas_sponge **out, triad_compressible *w, const triad_case *given,
                            const triad_space *space)
{
  *out = NULL;
  if (!triad_gas_sponge_wanted(given)) return TRIAD_OK;
  triad_gas_sponge *p = *out = calloc(1, sizeof *p);
  if (p) {
    p->w = w;
    p->loops = w->loops->where == TRIAD_DEVICE ? &gpu_loops : &host_loops;
  }
  int st =
    triad_agree(&w->context->comm, p ? fill_fields(p, given, space) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the sponge"));
  if (st == TRIAD_OK) st = triad_agree(&w->context->comm, p->loops->move_fields(p));
  if (st != TRIAD_OK) {
    triad_gas_sponge_destroy(out);
    return st;
  }
  p->inner = w->between;
  p->inner_self = w->between_self;
  w->between = act_on_gas;
  w->between_self = p;
  return TRIAD_OK;
}

void triad_gas_sponge_destroy(triad_gas_sponge **sponge)
{
  if (!*sponge) return;
  (*sponge)->loops->free(*sponge);
  free(*sponge);
  *sponge = NULL;
}
