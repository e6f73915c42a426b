/* Evaluate the output quantities of particles from the fields of the flow. */
#include "solvers/spectral/particles/samples.h"
#include "solvers/spectral/particles/particles_gather.h"
#include "solvers/spectral/shear/shear.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(triad_particle_samples *c, const char *name, const char *unit, const char *about, int n_dims)
{
  triad_growfile_set *s = &c->set[c->n];
  *s = (triad_growfile_set){name, unit, about, n_dims, {3, 3}};
  c->begin[c->n++] = c->width;
  c->width += n_dims == 0 ? 1 : n_dims == 1 ? 3 : 9;
}

void triad_particle_samples_read(triad_particle_samples *c, const triad_case *given, const triad_shape *shape,
                                 int number, int inertial)
{
  char key[96];
  const char *list[TRIAD_SAMPLES];
  *c = (triad_particle_samples){0};
  (void)snprintf(key, sizeof key, "particles[%d].sample", number);
  int n = triad_case_texts(given, key, list, TRIAD_SAMPLES);
  add(c, "position", "L", "position, not wrapped into the box", 1);
  add(c, "velocity", "L/T", "velocity of the particle", 1);
  for (int i = 0; i < n; i++) {
    if (strcmp(list[i], "velocity") == 0) {
      if (inertial) add(c, "fluid_velocity", "L/T", "velocity of the fluid at the particle", 1);
    } else if (strcmp(list[i], "vorticity") == 0) {
      add(c, "vorticity", "1/T", "vorticity of the fluid at the particle", 1);
    } else if (strcmp(list[i], "gradient") == 0) {
      add(c, "gradient", "1/T", "du_i/dx_j of the fluid at the particle, [i][j]", 2);
    } else if (strcmp(list[i], "density") == 0) {
      add(c, "density", "M", "density |psi|^2 of the superfluid at the particle", 0);
    } else {
      int f = shape ? triad_field_find(shape->fields, shape->n_fields, list[i]) : 0;
      add(c, list[i], shape ? shape->fields[f].unit : "", shape ? shape->fields[f].long_name : "", 0);
    }
  }
}

/* Three fields, or fewer, at the particles of all groups: to numbers `at` .. of the rows of those that want them. */
static int sample(triad_particles *p, const triad_gather_want *want, const triad_particle_samples *c,
                  double *const *rows, const int *at, int step)
{
  double *out[p->n];
  for (int i = 0; i < p->n; i++) out[i] = malloc((size_t)(want->n * p->group[i].n + 1) * sizeof **out);
  int st = TRIAD_OK;
  for (int i = 0; i < p->n; i++)
    if (!out[i]) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "samples at particles");
  st = triad_agree(&p->flow->context->comm, st);
  if (st == TRIAD_OK) st = triad_particles_gather(p, want, 0, out);
  for (int i = 0; i < p->n && st == TRIAD_OK; i++)
    for (int64_t k = 0; at[i] >= 0 && k < p->group[i].n; k++)
      for (int f = 0; f < want->n; f++) rows[i][k * (1 + c[i].width) + 1 + at[i] + f * step] = out[i][want->n * k + f];
  for (int i = 0; i < p->n; i++) free(out[i]);
  return st;
}

/* Where each group has a dataset of this name; -1: nowhere. Returns whether any has. */
static int find_set(const triad_particles *p, const triad_particle_samples *c, const char *name, int *at)
{
  int any = 0;
  for (int i = 0; i < p->n; i++) {
    at[i] = -1;
    for (int s = 0; s < c[i].n; s++)
      if (strcmp(c[i].set[s].name, name) == 0) at[i] = c[i].begin[s];
    any |= at[i] >= 0;
  }
  return any;
}

static triad_gather_want vorticity(const triad_flow *flow)
{
  triad_gather_want want = {.n = 3};
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    want.field[i].n = 2;
    want.field[i].term[0] = (triad_gather_term){flow->u[k], j, 1};
    want.field[i].term[1] = (triad_gather_term){flow->u[j], k, -1};
  }
  return want;
}

static int sample_all(triad_particles *p, const triad_particle_samples *c, double *const *rows)
{
  const triad_flow *flow = p->flow;
  const triad_cplx *const *u = (const triad_cplx *const *)flow->u;
  int at[p->n];
  if (find_set(p, c, "vorticity", at)) {
    const triad_gather_want want = vorticity(flow);
    TRIAD_TRY(sample(p, &want, c, rows, at, 1));
  }
  if (find_set(p, c, "gradient", at))
    for (int along = 0; along < 3; along++) {
      const triad_gather_want want = triad_gather_fields(3, u, along);
      TRIAD_TRY(sample(p, &want, c, rows, at, 3));
      for (int i = 0; i < p->n; i++) at[i] += at[i] >= 0;
    }
  for (int f = 3; f < flow->shape.n_fields; f++) {
    const triad_gather_want want = triad_gather_fields(1, u + f, -1);
    if (find_set(p, c, flow->shape.fields[f].name, at)) TRIAD_TRY(sample(p, &want, c, rows, at, 1));
  }
  return TRIAD_OK;
}

/* Position and velocities of record k; shear: as in advance_group of particles.c. */
static void put_motion(const triad_group *g, const triad_particle_samples *c, double shear, int64_t k, double *row)
{
  const double *r = triad_group_record(g, k);
  row[0] = r[TRIAD_PARTICLE_ID];
  for (int a = 0; a < 3; a++) {
    row[1 + a] = r[TRIAD_PARTICLE_X + a];
    row[4 + a] = r[(g->kind == TRIAD_TRACER ? TRIAD_PARTICLE_U : TRIAD_PARTICLE_V) + a];
  }
  if (shear != 0) row[4] += shear * r[TRIAD_PARTICLE_X + 1];
  for (int s = 2; s < c->n; s++) {
    const double *psi = r + TRIAD_PARTICLE_PSI;
    if (strcmp(c->set[s].name, "fluid_velocity") == 0)
      for (int a = 0; a < 3; a++) row[1 + c->begin[s] + a] = r[TRIAD_PARTICLE_U + a];
    if (g->least > 0 && strcmp(c->set[s].name, "density") == 0)
      row[1 + c->begin[s]] = psi[0] * psi[0] + psi[1] * psi[1];
  }
}

int triad_particle_samples_take(triad_particles *p, const triad_particle_samples *c, double *const *rows)
{
  TRIAD_TRY(triad_particles_velocity(p));
  TRIAD_TRY(sample_all(p, c, rows));
  const double shear = triad_shear_rate(p->flow->shear);
  for (int i = 0; i < p->n; i++)
    for (int64_t k = 0; k < p->group[i].n; k++)
      put_motion(&p->group[i], &c[i], shear, k, rows[i] + k * (1 + c[i].width));
  return TRIAD_OK;
}
