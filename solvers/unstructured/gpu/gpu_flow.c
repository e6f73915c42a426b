/* A flow's memory on a GPU: gpu.h's table. */
#include "solvers/unstructured/gpu/gpu_internal.h"
#include "solvers/unstructured/gpu/gpu_boxes.h"
#include "solvers/unstructured/gpu/gpu_faces.h"
#include "solvers/unstructured/gpu/gpu_after.h"
#include "solvers/unstructured/gpu/gpu_loops.h"

#include <stdlib.h>

static int take_numbers(triad_device *device, const char *owner, int64_t items, int n, triad_unstructured_numbers *out)
{
  out->pitch = triad_unstructured_pitch(items);
  return triad_device_alloc(device, owner, out->pitch * n, sizeof(triad_real), (void **)&out->at);
}

#define TABLE(from, n, to) triad_device_table(g->device, "mesh", (n), sizeof *(from), (from), (void **)&(to))

/* Copy the domain's arrays to the GPU, except the geometry of faces. */
static int copy_domain(triad_unstructured_flow *f, struct triad_unstructured_on_gpu *g)
{
  const triad_unstructured_domain *d = f->domain;
  triad_unstructured_view *v = &g->view;
  *v = f->view;
  v->geometry.at = NULL;
  v->kept_words = NULL;
  TRIAD_TRY(TABLE(d->per_volume, d->n_places, v->per_volume));
  v->softening.at = NULL;
  if (d->softening.at)
    TRIAD_TRY(TABLE(d->softening.at, TRIAD_UNSTRUCTURED_SOFTENING * d->softening.pitch, v->softening.at));
  TRIAD_TRY(TABLE(d->cell, d->n_faces, v->cell));
  const int64_t slices =
    d->rows[TRIAD_UNSTRUCTURED_SHELL].first / TRIAD_UNSTRUCTURED_SLICE; /* rows behind are asked for by no kernel */
  TRIAD_TRY(TABLE(d->start, slices + 1, v->start));
  TRIAD_TRY(TABLE(d->near, d->start[slices], v->near));
  TRIAD_TRY(TABLE(d->side, d->start[slices], v->side));
  TRIAD_TRY(TABLE(d->sides, slices * TRIAD_UNSTRUCTURED_SLICE, v->sides));
  return TABLE(d->rows[TRIAD_UNSTRUCTURED_RIM].list, d->rows[TRIAD_UNSTRUCTURED_RIM].n, g->rim);
}

/* Outer faces patch by patch. */
static int list_outer(triad_unstructured_flow *f, struct triad_unstructured_on_gpu *g, int32_t *faces)
{
  const triad_unstructured_domain *d = f->domain;
  int64_t begin[TRIAD_UNSTRUCTURED_GPU_PATCHES + 1] = {0}, n = 0, most = 1;
  for (int p = 0; p < f->mesh->n_patches; p++) {
    for (int64_t face = d->n_inner; face < d->n_faces; face++)
      if (d->patch[face - d->n_inner] == p) faces[n++] = (int32_t)face;
    begin[p + 1] = n;
    if (n - begin[p] > most) most = n - begin[p];
  }
  g->outer.n_patches = f->mesh->n_patches;
  most = (most + TRIAD_UNSTRUCTURED_GPU_THREADS - 1) / TRIAD_UNSTRUCTURED_GPU_THREADS;
  g->outer.shares = most < TRIAD_UNSTRUCTURED_GPU_THREADS ? (int)most : TRIAD_UNSTRUCTURED_GPU_THREADS;
  TRIAD_TRY(TABLE(d->patch, d->n_faces - d->n_inner, g->outer.patch));
  TRIAD_TRY(TABLE(f->rule, TRIAD_MESH_PATCHES, g->outer.rule));
  TRIAD_TRY(TABLE(faces, n, g->outer.faces));
  TRIAD_TRY(triad_device_alloc(g->device, "what kernels find", (int64_t)g->outer.n_patches * g->outer.shares,
                               TRIAD_UNSTRUCTURED_PASSED * sizeof(double), (void **)&g->outer.sums));
  if (f->arm) TRIAD_TRY(TABLE(f->arm, d->n_faces - d->n_inner, g->outer.arm));
  return TABLE(begin, TRIAD_UNSTRUCTURED_GPU_PATCHES + 1, g->outer.begin);
}

static int copy_outer(triad_unstructured_flow *f, struct triad_unstructured_on_gpu *g)
{
  int32_t *faces = NULL;
  TRIAD_TRY(TRIAD_ALLOC(f->context->memory, "outer faces", f->domain->n_faces - f->domain->n_inner, &faces));
  int st = list_outer(f, g, faces);
  TRIAD_FREE(f->context->memory, &faces);
  return st;
}

static int take_limits(const triad_unstructured_flow *f, struct triad_unstructured_on_gpu *g)
{
  triad_unstructured_view *v = &g->view;
  const int64_t places = triad_unstructured_domain_limited(f->domain, &v->limits_from);
  if (places == 0) return TRIAD_OK;
  TRIAD_TRY(take_numbers(g->device, "stages", places, TRIAD_UNSTRUCTURED_LIMITS, &v->limit));
  g->limits = v->limit.at;
  v->limit.at -= v->limits_from;
  return TRIAD_OK;
}

static int take_work(triad_unstructured_flow *f, struct triad_unstructured_on_gpu *g, int64_t places, int64_t slots,
                     int gradients)
{
  triad_unstructured_view *v = &g->view;
  const int components = triad_unstructured_by_components(&f->setup);
  v->gradient.pitch = triad_unstructured_pitch(places);
  TRIAD_TRY(triad_device_alloc(g->device, "stages",
                               triad_unstructured_work_size(v->gradient.pitch, slots, gradients, components),
                               sizeof(triad_real), (void **)&g->work));
  v->gradient.at = g->work + (g->window - f->domain->n_bricks);
  triad_unstructured_share_work(v, g->work, slots, f->wide, components);
  return v->bounded ? take_limits(f, g) : TRIAD_OK;
}

static int allocate_arrays(triad_unstructured_flow *f, struct triad_unstructured_on_gpu *g)
{
  const triad_unstructured_domain *d = f->domain;
  triad_unstructured_view *v = &g->view;
  TRIAD_TRY(take_numbers(g->device, "state", d->n_cells, TRIAD_UNSTRUCTURED_FIELDS, &v->u));
  for (int i = 0; i <= (d->n_boxes > 0); i++) {
    TRIAD_TRY(take_numbers(g->device, "values", d->n_places, TRIAD_UNSTRUCTURED_VALUES, &v->value));
    g->values[i] = v->value.at;
  }
  v->before = v->value;
  v->value.at = g->values[0];
  const int high = f->high != TRIAD_UNSTRUCTURED_NO_HIGH;
  const int64_t window = g->window, behind = d->n_places - d->n_bricks, kept = triad_unstructured_domain_kept(d);
  /* prelimiting asks for ghosts' */
  const int64_t transported = triad_unstructured_prelimits(&f->setup) ? behind : d->n_cells - d->n_bricks;
  const int64_t slots = triad_unstructured_pitch(d->n_slots + 1 + 3 * window);
  const int64_t stages =
    triad_unstructured_size_stages(v, triad_unstructured_pitch(window + transported),
                                   f->wide && kept > 0 ? triad_unstructured_pitch(behind) : 0, slots, high);
  TRIAD_TRY(triad_device_alloc(g->device, "stages", stages, sizeof(triad_real), (void **)&g->stages));
  triad_unstructured_place_stages(v, g->stages, d->n_bricks - window, d->n_bricks, slots);
  TRIAD_TRY(take_work(f, g, window + behind, slots, f->gradients && kept > 0));
  TRIAD_TRY(take_numbers(g->device, "fluxes", d->n_slots + 1, TRIAD_UNSTRUCTURED_FIELDS, &v->low));
  TRIAD_TRY(triad_device_alloc(g->device, "what kernels find", 1, sizeof *g->found, (void **)&g->found));
  return triad_unstructured_gpu_after_take(f);
}

static int prepare(triad_unstructured_flow *f)
{
  struct triad_unstructured_on_gpu *g = f->gpu = calloc(1, sizeof *g);
  if (!g) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the solver on a GPU");
  g->device = f->device;
  TRIAD_TRY(copy_domain(f, g));
  TRIAD_TRY(copy_outer(f, g));
  TRIAD_TRY(triad_unstructured_gpu_boxes_make(f));
  return allocate_arrays(f, g);
}

static int make_halo(triad_unstructured_flow *f, const char *transport)
{
  triad_exchange_plan *plan = NULL;
  int st = triad_agree(&f->context->comm, triad_unstructured_domain_plan(f->domain, &plan));
  if (st == TRIAD_OK)
    return triad_gpu_halo_create(&f->gpu->halo, f->context, f->device, &plan, TRIAD_UNSTRUCTURED_GRADIENT, transport);
  triad_exchange_plan_destroy(&plan);
  return st;
}

static triad_real *field_of(const triad_unstructured_numbers *state, const triad_unstructured_numbers *mean, int field)
{
  return field < TRIAD_UNSTRUCTURED_FIELDS ? state->at + field * state->pitch
                                           : mean->at + (field - TRIAD_UNSTRUCTURED_FIELDS) * mean->pitch;
}

/* triad_state_copy of the state, with its means. */
static int copy_field(void *self, int field, triad_where to)
{
  const triad_unstructured_flow *f = self;
  triad_real *here = field_of(&f->view.u, &f->mean, field), *there = field_of(&f->gpu->view.u, &f->gpu->mean, field);
  const int64_t bytes = f->domain->n_cells * (int64_t)sizeof(triad_real);
  if (to == TRIAD_DEVICE) return triad_device_put(f->device, there, here, bytes);
  return triad_device_get(f->device, here, there, bytes);
}

static int create_parts(triad_unstructured_flow *f, const char *transport)
{
  TRIAD_TRY(triad_agree(&f->context->comm, prepare(f)));
  if (f->context->comm.size > 1) TRIAD_TRY(make_halo(f, transport));
  TRIAD_TRY(triad_unstructured_gpu_faces_make(f));
  const int fields = TRIAD_UNSTRUCTURED_FIELDS + (f->mean.at ? TRIAD_UNSTRUCTURED_MEANS : 0);
  for (int k = 0; k < fields; k++)
    triad_state_attach(f->state, k, TRIAD_DEVICE, field_of(&f->gpu->view.u, &f->gpu->mean, k));
  triad_state_set_copy(f->state, copy_field, f);
  f->loops = &triad_unstructured_gpu_loops;
  return TRIAD_OK;
}

static void drop(triad_unstructured_flow *f)
{
  struct triad_unstructured_on_gpu *g = f->gpu;
  if (!g) return;
  triad_unstructured_view *v = &g->view;
  void **const pointers[] = {
    (void **)&g->geometry,    (void **)&g->corner,       (void **)&v->point,          (void **)&v->kept_words,
    (void **)&v->per_volume,  (void **)&v->softening.at, (void **)&v->cell,           (void **)&v->start,
    (void **)&v->near,        (void **)&v->side,         (void **)&v->sides,          (void **)&g->rim,
    (void **)&g->outer.patch, (void **)&g->outer.rule,   (void **)&g->outer.faces,    (void **)&g->outer.begin,
    (void **)&v->u.at,        (void **)&g->values[0],    (void **)&g->values[1],      (void **)&g->stages,
    (void **)&g->work,        (void **)&g->limits,       (void **)&v->low.at,         (void **)&g->found,
    (void **)&g->outer.arm,   (void **)&g->outer.sums,   (void **)&g->outer.opposite, (void **)&g->outer.part};
  triad_gpu_halo_destroy(&g->halo);
  triad_unstructured_gpu_boxes_drop(g);
  triad_unstructured_gpu_after_drop(g);
  for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) triad_device_free(g->device, pointers[i]);
  free(g);
  f->gpu = NULL;
}

static int values(triad_unstructured_flow *f)
{
  const triad_unstructured_numbers *there = &f->gpu->view.value;
  return triad_device_get(f->device, f->view.value.at, there->at,
                          TRIAD_UNSTRUCTURED_VALUES * there->pitch * (int64_t)sizeof(triad_real));
}

static int64_t sent_bytes(const triad_unstructured_flow *f, int n)
{
  return f->gpu->halo ? triad_gpu_halo_bytes(f->gpu->halo, n) : 0;
}

static const char *transport(const triad_unstructured_flow *f)
{
  return f->gpu->halo ? triad_gpu_halo_transport(f->gpu->halo) : "none";
}

static int by_corners(const triad_unstructured_flow *f) { return f->gpu->by_corners; }

extern const triad_unstructured_gpu_part triad_unstructured_gpu_table;

const triad_unstructured_gpu_part triad_unstructured_gpu_table = {.make = create_parts,
                                                                  .drop = drop,
                                                                  .values = values,
                                                                  .sent_bytes = sent_bytes,
                                                                  .transport = transport,
                                                                  .by_corners = by_corners};
