/* Allocate the fields and tables of the multi-block solver in GPU memory, and copy states between host and GPU. */
#include "solvers/multiblock/gpu/gpu_fields.h"
#include "solvers/multiblock/gpu/gpu_internal.h"
#include "solvers/multiblock/gpu/gpu_tiles.h"
#include "grid/zones_plan.h"

#include "solvers/multiblock/plain/setup.h"
#include "solvers/multiblock/state/faces.h"
#include "solvers/multiblock/state/metrics.h"

#include <stdlib.h>

int triad_multiblock_gpu_keeps_stages(const triad_multiblock_setup *setup)
{
  const triad_scheme *s = &setup->scheme;
  if (setup->implicit) return 1;
  for (int k = 1; k < s->n_stages; k++)
    if (s->stage[k].last > 0 || s->stage[k].last < 0) return 1;
  return 0;
}

/* Numbers a cell: metrics, the state, primitives twice, rates; and what is known of boundary faces, and found there. */
int64_t triad_multiblock_gpu_bytes(const triad_multiblock_setup *setup, const triad_zones *zones, int64_t memory,
                                   int64_t faces)
{
  const int source = setup->exact.kind && setup->exact.kind->source;
  int kept = 0; /* axes along which limiters freeze */
  for (int axis = 0; axis < 3 && triad_multiblock_freezes(setup); axis++)
    kept += triad_multiblock_has_faces(zones, axis);
  int64_t words = triad_multiblock_metric_words(setup, zones) + 3 * TRIAD_MULTIBLOCK_FIELDS + 1 +
                  (setup->gas.viscous ? 2 : 0) + (source ? TRIAD_MULTIBLOCK_FIELDS : 0) +
                  (triad_multiblock_gpu_keeps_stages(setup) ? TRIAD_MULTIBLOCK_FIELDS : 0) +
                  (setup->implicit ? 3 * TRIAD_MULTIBLOCK_FIELDS : 0) + kept * TRIAD_MULTIBLOCK_FIELDS;
  const int64_t face_words = TRIAD_MULTIBLOCK_FIELDS + (setup->gas.viscous ? 3 : 0);
  return (words * memory + face_words * faces) * (int64_t)sizeof(triad_real) +
         faces * (int64_t)(sizeof(triad_multiblock_gpu_face) + sizeof(int32_t));
}

static int allocate(const triad_multiblock_flow *f, const char *owner, int64_t n, triad_real **out)
{
  return triad_device_alloc(f->device, owner, n, sizeof **out, (void **)out);
}

static int allocate_fields(triad_multiblock_flow *f, struct triad_multiblock_on_gpu *g)
{
  const int64_t n = f->space.memory;
  triad_multiblock_gpu *k = &g->kernel;
  for (int i = 0; i < 13; i++) {
    const triad_real *host = i < 9    ? f->s[i / 3][i % 3]
                             : i < 12 ? f->node[i - 9]
                                      : f->volume,
                     **place = i < 9    ? &k->s[i / 3][i % 3]
                               : i < 12 ? &k->node[i - 9]
                                        : &k->volume;
    if (!host) continue;
    TRIAD_TRY(triad_device_table(f->device, "metrics", n, sizeof *host, host, (void **)&g->metrics[i]));
    *place = g->metrics[i];
  }
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    TRIAD_TRY(allocate(f, "state", n, &g->u[m]));
    if (triad_multiblock_gpu_keeps_stages(&f->setup)) TRIAD_TRY(allocate(f, "stages", n, &g->stage[m]));
    for (int i = 0; i < 3 && f->setup.implicit; i++) TRIAD_TRY(allocate(f, "implicit steps", n, &g->change[i][m]));
    for (int i = 0; i < 2; i++) /* halos that nothing sets hold numbers that do no harm */
      TRIAD_TRY(triad_device_table(f->device, "stages", n, sizeof(triad_real), f->q[m], (void **)&g->q[i][m]));
    for (int axis = 0; axis < 3 && f->frozen_u[m]; axis++)
      if (triad_multiblock_has_faces(f->zones, axis))
        TRIAD_TRY(
          triad_device_table(f->device, "frozen limiters", n, sizeof(triad_real), f->q[m], (void **)&k->kept[axis][m]));
    if (f->source[m])
      TRIAD_TRY(triad_device_table(f->device, "sources", n, sizeof(triad_real), f->source[m], (void **)&g->source[m]));
    k->source[m] = g->source[m];
    TRIAD_TRY(allocate(f, "boundary faces", f->n_faces + 1, &k->face_flux[m]));
  }
  TRIAD_TRY(allocate(f, "stages", n, &k->rate));
  if (!f->viscosity) return TRIAD_OK;
  TRIAD_TRY(allocate(f, "stages", n, &k->temperature));
  TRIAD_TRY(allocate(f, "stages", n, &k->viscosity));
  for (int a = 0; a < 3; a++) TRIAD_TRY(allocate(f, "boundary faces", f->n_faces + 1, &k->face_drag[a]));
  return TRIAD_OK;
}

static int put_faces(triad_multiblock_flow *f, struct triad_multiblock_on_gpu *g)
{
  triad_multiblock_gpu_face *faces = calloc((size_t)f->n_faces + 1, sizeof *faces);
  triad_gas_state *exact = calloc(2 * (size_t)f->n_faces + 1, sizeof *exact);
  int st = faces && exact ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld boundary faces", (long long)f->n_faces);
  for (int64_t i = 0; i < f->n_faces && st == TRIAD_OK; i++) {
    const triad_multiblock_face_of *face = &f->face[i];
    const triad_zone_part *p = f->part[face->part];
    const int out = (int)p->stride[face->axis];
    faces[i] = (triad_multiblock_gpu_face){.cell = (int)face->cell,
                                           .inner = (int)face->inner,
                                           .halo = (int)face->halo,
                                           .out = face->upper ? out : -out,
                                           .metric = (int)face->metric,
                                           .axis = (int16_t)face->axis,
                                           .upper = (int16_t)face->upper,
                                           .patch = (int16_t)face->patch,
                                           .flat = (int16_t)f->zones->zone[p->zone].flat};
    for (int a = 0; a < 3; a++) faces[i].step[a] = (int)p->stride[a];
    for (int a = 0; a < 2 && f->face_exact; a++)
      exact[2 * i + a] = triad_multiblock_state_of_doubles(f->face_exact[i][a]);
  }
  if (st == TRIAD_OK)
    st = triad_device_table(f->device, "boundary faces", f->n_faces + 1, sizeof *faces, faces, (void **)&g->face);
  if (st == TRIAD_OK && f->face_exact)
    st = triad_device_table(f->device, "boundary faces", 2 * f->n_faces + 1, sizeof *exact, exact, (void **)&g->exact);
  if (st == TRIAD_OK && f->patches.n > 0)
    st = triad_device_table(f->device, "patches", f->patches.n, sizeof *f->side, f->side, (void **)&g->side);
  g->kernel.face = g->face;
  g->kernel.exact = g->exact;
  g->kernel.side = g->side;
  g->kernel.n_faces = (int)f->n_faces;
  free(faces);
  free(exact);
  return st;
}

/* Edges that nothing fills, and what is known only after messages. */
static int put_lists(triad_multiblock_flow *f, struct triad_multiblock_on_gpu *g)
{
  int *late = calloc((size_t)f->n_late + 1, sizeof *late), (*left)[4] = calloc((size_t)f->n_left + 1, sizeof *left);
  int st = late && left ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "edges of halos");
  for (int64_t i = 0; st == TRIAD_OK && i < f->n_late; i++) late[i] = (int)f->late_at[i];
  for (int64_t i = 0; st == TRIAD_OK && i < f->n_left; i++)
    for (int a = 0; a < 4; a++) left[i][a] = (int)f->left[i][a];
  g->n_left = (int)f->n_left;
  g->n_late = (int)f->n_late;
  if (st == TRIAD_OK)
    st = triad_device_table(f->device, "edges of halos", f->n_late + 1, sizeof *late, late, (void **)&g->late);
  if (st == TRIAD_OK)
    st = triad_device_table(f->device, "edges of halos", f->n_left + 1, sizeof *left, left, (void **)&g->left);
  free(late);
  free(left);
  return st;
}

static void set_gas(triad_multiblock_flow *f, triad_multiblock_gpu *k)
{
  const triad_multiblock_setup *s = &f->setup;
  const triad_multiblock_gas *gas = &s->gas;
  k->riemann = s->riemann;
  k->limiter = s->limiter;
  k->kappa = (triad_real)s->kappa;
  k->gamma = (triad_real)gas->gamma;
  k->diffusion = (triad_real)triad_multiblock_diffusion(s);
  k->per_r = (triad_real)(1 / gas->constant);
  k->mu = (triad_real)gas->viscosity;
  k->reference = (triad_real)gas->reference;
  k->power = (triad_real)gas->power;
  k->sutherland = (triad_real)gas->sutherland;
  k->conduction = (triad_real)(gas->gamma * gas->constant / (gas->gamma - 1) / gas->prandtl);
  k->memory = (int)f->space.memory;
}

static int prepare_rank(triad_multiblock_flow *f)
{
  struct triad_multiblock_on_gpu *g = f->gpu = calloc(1, sizeof *g);
  if (!g) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the multi-block solver on a GPU");
  if (f->space.memory > INT32_MAX / 2)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "%.3g cells per GPU exceed 2^30: use more ranks, or parallel.device = \"cpu\"",
                      (double)f->space.memory);
  f->loops = &triad_multiblock_gpu_loops;
  g->device = f->device;
  g->bad_set = 1;
  set_gas(f, &g->kernel);
  TRIAD_TRY(allocate_fields(f, g));
  TRIAD_TRY(put_faces(f, g));
  TRIAD_TRY(put_lists(f, g));
  TRIAD_TRY(triad_multiblock_gpu_tiles(f));
  for (int a = 0; a < 3 && f->viscosity; a++)
    TRIAD_TRY(TRIAD_ALLOC(f->context->memory, "boundary faces", f->n_faces + 1, &f->face_drag[a]));
  TRIAD_TRY(triad_device_alloc(f->device, "sums",
                               (int64_t)TRIAD_MULTIBLOCK_GPU_SUMS * g->kernel.begin[TRIAD_MULTIBLOCK_GPU_KINDS] + 1,
                               sizeof(double), (void **)&g->kernel.partial));
  TRIAD_TRY(
    triad_device_alloc(f->device, "sums", TRIAD_MULTIBLOCK_GPU_SUMS + 1, sizeof(double), (void **)&g->kernel.sum));
  g->kernel.bad = (int *)(void *)(g->kernel.sum + TRIAD_MULTIBLOCK_GPU_SUMS);
  return TRIAD_OK;
}

/* triad_state_copy of the state. */
static int copy_field(void *self, int field, triad_where to)
{
  const triad_multiblock_flow *f = self;
  const int64_t bytes = f->space.memory * (int64_t)sizeof(triad_real);
  if (to == TRIAD_DEVICE) return triad_device_put(f->device, f->gpu->u[field], f->u[field], bytes);
  return triad_device_get(f->device, f->u[field], f->gpu->u[field], bytes);
}

int triad_multiblock_gpu_create(triad_multiblock_flow *f, const char *transport)
{
  triad_exchange_plan *plan = NULL;
  int64_t(*left)[4] = NULL, n_left;
  TRIAD_TRY(triad_agree(&f->context->comm, prepare_rank(f)));
  int st = triad_zones_plan(&plan, f->zones, &f->context->comm, f->setup.gas.viscous, &left, &n_left);
  free(left);
  TRIAD_TRY(st);
  TRIAD_TRY(triad_gpu_halo_create(&f->gpu->halo, f->context, f->device, &plan, TRIAD_MULTIBLOCK_FIELDS, transport));
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) triad_state_attach(f->state, m, TRIAD_DEVICE, f->gpu->u[m]);
  triad_state_set_copy(f->state, copy_field, f);
  return TRIAD_OK;
}

void triad_multiblock_gpu_free(triad_multiblock_flow *f)
{
  struct triad_multiblock_on_gpu *g = f->gpu;
  if (!g) return;
  triad_gpu_halo_destroy(&g->halo);
  if (g->device) {
    void **taken[] = {(void **)&g->block,
                      (void **)&g->tile,
                      (void **)&g->face,
                      (void **)&g->side,
                      (void **)&g->exact,
                      (void **)&g->maps,
                      (void **)&g->left,
                      (void **)&g->late,
                      (void **)&g->kernel.rate,
                      (void **)&g->kernel.temperature,
                      (void **)&g->kernel.viscosity,
                      (void **)&g->kernel.partial,
                      (void **)&g->kernel.sum};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) triad_device_free(g->device, taken[i]);
    for (int i = 0; i < 13; i++) triad_device_free(g->device, (void **)&g->metrics[i]);
    for (int a = 0; a < 3; a++) triad_device_free(g->device, (void **)&g->kernel.face_drag[a]);
    for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
      triad_device_free(g->device, (void **)&g->u[m]);
      triad_device_free(g->device, (void **)&g->stage[m]);
      for (int i = 0; i < 3; i++) triad_device_free(g->device, (void **)&g->change[i][m]);
      for (int axis = 0; axis < 3; axis++) triad_device_free(g->device, (void **)&g->kernel.kept[axis][m]);
      triad_device_free(g->device, (void **)&g->q[0][m]);
      triad_device_free(g->device, (void **)&g->q[1][m]);
      triad_device_free(g->device, (void **)&g->source[m]);
      triad_device_free(g->device, (void **)&g->kernel.face_flux[m]);
    }
  }
  free(g);
  f->gpu = NULL;
}
