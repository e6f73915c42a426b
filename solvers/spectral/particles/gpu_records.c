/* Allocate groups of particles on a GPU, and copy records between host and GPU. */
#include "solvers/spectral/particles/gpu_records.h"
#include "solvers/spectral/particles/gpu_internal.h"
#include "solvers/spectral/particles/gpu_order.h"

#include <stdlib.h>

/* ---- room ---- */

/* The arrays of a group in one piece of memory. */
static triad_gpu_members cut(double *block, const triad_group *g, int64_t room)
{
  const int inertial = g->kind == TRIAD_INERTIAL, numbers = triad_gpu_members_numbers(g), stage = inertial ? 15 : 6;
  triad_gpu_members m = {.block = block, .room = room, .spare = block + (numbers - 1) * room};
  for (int a = 0; a < 3; a++) {
    m.at.x[a] = block + a * room;
    m.at.xq[a] = block + (3 + a) * room;
    m.at.v[a] = inertial ? block + (6 + a) * room : NULL;
    m.at.vq[a] = inertial ? block + (9 + a) * room : NULL;
    m.at.rest[a] = inertial ? block + (12 + a) * room : NULL;
    m.at.u[a] = numbers > stage + 1 ? block + (stage + a) * room : NULL;
  }
  for (int k = 0; stage + 3 + k < numbers - 1; k++) m.at.aside[k] = block + (stage + 3 + k) * room;
  m.at.id = (int32_t *)(void *)(block + numbers * room);
  m.at.order = m.at.id + room;
  return m;
}

static int copy_array(triad_gpu_particles *p, void *to, const void *from, int64_t bytes)
{
  return TRIAD_CU(
    cudaMemcpyAsync(to, from, (size_t)bytes, cudaMemcpyDeviceToDevice, (cudaStream_t)triad_device_stream(p->device)));
}

int triad_gpu_members_fit(triad_gpu_particles *p, int number, int64_t n)
{
  triad_gpu_members *m = &p->member[number];
  const int64_t room = p->layout->size > 1 ? n + n / 10 + 64 : n, there = m->at.n * (int64_t)sizeof(double);
  const int numbers = triad_gpu_members_numbers(&p->group[number]);
  double *block = NULL;
  if (n <= m->room) return TRIAD_OK;
  if (room > INT32_MAX)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld particles on one GPU are too many: use more ranks", (long long)n);
  if (there == 0) triad_device_free(p->device, (void **)&m->block);
  TRIAD_TRY(triad_device_alloc(p->device, "particles", (numbers + 1) * room, sizeof *block, (void **)&block));
  triad_gpu_members more = cut(block, &p->group[number], room);
  for (int a = 0; a < 3 && there > 0; a++) {
    TRIAD_TRY(copy_array(p, more.at.x[a], m->at.x[a], there));
    TRIAD_TRY(copy_array(p, more.at.xq[a], m->at.xq[a], there));
    if (more.at.v[a]) TRIAD_TRY(copy_array(p, more.at.v[a], m->at.v[a], there));
    if (more.at.v[a]) TRIAD_TRY(copy_array(p, more.at.vq[a], m->at.vq[a], there));
    if (more.at.v[a]) TRIAD_TRY(copy_array(p, more.at.rest[a], m->at.rest[a], there));
  }
  if (there > 0) TRIAD_TRY(copy_array(p, more.at.id, m->at.id, m->at.n * (int64_t)sizeof *m->at.id));
  TRIAD_TRY(triad_device_wait(p->device));
  triad_device_free(p->device, (void **)&m->block);
  more.at.n = m->at.n;
  more.at.end = m->at.end;
  more.live = m->live;
  more.buffers = m->buffers;
  *m = more;
  return TRIAD_OK;
}

/* ---- records ---- */

/* One number of each record, between host and device by way of a row of the host's. */
static int copy_number(triad_gpu_particles *p, int number, int offset, double *there, double *row, int up)
{
  triad_group *g = &p->group[number];
  const int64_t bytes = g->n * (int64_t)sizeof *row;
  for (int64_t i = 0; up && i < g->n; i++) row[i] = triad_group_record(g, i)[offset];
  TRIAD_TRY(up ? triad_device_put(p->device, there, row, bytes) : triad_device_get(p->device, row, there, bytes));
  for (int64_t i = 0; !up && i < g->n; i++) triad_group_record(g, i)[offset] = row[i];
  return TRIAD_OK;
}

static int copy_ids(triad_gpu_particles *p, int number, int32_t *row, int up)
{
  triad_group *g = &p->group[number];
  int32_t *there = p->member[number].at.id;
  const int64_t bytes = g->n * (int64_t)sizeof *row;
  for (int64_t i = 0; up && i < g->n; i++) row[i] = (int32_t)triad_group_record(g, i)[TRIAD_PARTICLE_ID];
  TRIAD_TRY(up ? triad_device_put(p->device, there, row, bytes) : triad_device_get(p->device, row, there, bytes));
  for (int64_t i = 0; !up && i < g->n; i++) triad_group_record(g, i)[TRIAD_PARTICLE_ID] = (double)row[i];
  return TRIAD_OK;
}

static int copy_group(triad_gpu_particles *p, int number, int up)
{
  triad_group *g = &p->group[number];
  const triad_gpu_group *d = &p->member[number].at;
  double *row = malloc((size_t)(g->n + 1) * sizeof *row);
  int st = row ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld particles", (long long)g->n);
  if (st == TRIAD_OK) st = copy_ids(p, number, (int32_t *)(void *)row, up);
  for (int a = 0; a < 3 && st == TRIAD_OK; a++) {
    st = copy_number(p, number, TRIAD_PARTICLE_X + a, d->x[a], row, up);
    if (st == TRIAD_OK && g->kind == TRIAD_INERTIAL)
      st = copy_number(p, number, TRIAD_PARTICLE_V + a, d->v[a], row, up);
  }
  free(row);
  return st;
}

int triad_gpu_particles_put(triad_gpu_particles *p)
{
  int st = TRIAD_OK;
  for (int i = 0; i < p->n && st == TRIAD_OK; i++) {
    p->member[i].at.n = p->member[i].live = 0;
    st = triad_gpu_members_fit(p, i, p->group[i].n);
    if (st != TRIAD_OK) break;
    p->member[i].at.n = p->member[i].live = p->group[i].n;
    st = copy_group(p, i, 1);
  }
  p->sorts = 0;
  return triad_agree(&p->flow->context->comm, st);
}

static int bring(triad_gpu_particles *p)
{
  for (int i = 0; i < p->n; i++) {
    p->group[i].n = 0; /* existing contents are not needed */
    TRIAD_TRY(triad_group_fit(&p->group[i], p->flow->context, p->member[i].live));
    p->group[i].n = p->member[i].live;
    TRIAD_TRY(copy_group(p, i, 0));
  }
  return TRIAD_OK;
}

int triad_gpu_particles_get(triad_gpu_particles *p)
{
  TRIAD_TRY(triad_gpu_particles_order(p, 1));
  return triad_agree(&p->flow->context->comm, bring(p));
}
