/* Prelimiting, and a separate limiter factor for each component, on the CPU: prelimit and component_.. of loops.h
 * (component_points.h). */
#include "solvers/unstructured/points/component_points.h"
#include "solvers/unstructured/state/domain_rows.h"
#include "solvers/unstructured/host/host_lanes.h"

/* ---- faces between cells, in lists and zones ---- */

typedef void on_face(const triad_unstructured_view *v, int64_t face, int64_t l, int64_t r, int64_t counts[2]);

static void over_faces(triad_unstructured_flow *f, int64_t end, on_face *work, int64_t counts[2])
{
  const triad_unstructured_domain *d = f->domain;
  const triad_unstructured_view *v = &f->view;
  int64_t limited = 0, parts = 0;
#pragma omp parallel for schedule(static) num_threads(f->context->threads) reduction(+ : limited, parts)
  for (int64_t face = 0; face < end; face++) {
    int64_t mine[2] = {0, 0};
    work(v, face, d->cell[face][0], face < d->n_inner ? d->cell[face][1] : -1, mine);
    limited += mine[0];
    parts += mine[1];
  }
  for (int z = 0; z < d->n_zones; z++) {
    const triad_mesh_zone *zone = &d->zone[z];
#pragma omp parallel for schedule(static) num_threads(f->context->threads) reduction(+ : limited, parts)
    for (int64_t i = 0; i < zone->cells; i++) {
      const int64_t in[3] = {i % zone->n[0], i / zone->n[0] % zone->n[1], i / zone->n[0] / zone->n[1]};
      int64_t mine[2] = {0, 0};
      for (int a = 0; a < 3; a++)
        if (in[a] + 1 < zone->n[a])
          work(v, zone->slot + a * zone->cells + i, zone->cell + i, zone->cell + i + zone->stride[a], mine);
      limited += mine[0];
      parts += mine[1];
    }
  }
  counts[0] = limited;
  counts[1] = parts;
}

static void cancel(const triad_unstructured_view *v, int64_t face, int64_t l, int64_t r, int64_t counts[2])
{
  (void)counts;
  triad_unstructured_cancel(v, face, l, r);
}

void triad_unstructured_host_prelimit(triad_unstructured_flow *f)
{
  int64_t counts[2];
  over_faces(f, f->domain->n_inner, cancel, counts);
}

/* ---- a factor for each component ---- */

void triad_unstructured_host_component_bounds(triad_unstructured_flow *f)
{
  const triad_unstructured_domain *d = f->domain;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = 0; c < d->n_places; c++)
    if (c < d->n_cells || c >= d->n_cells + d->n_ghosts) triad_unstructured_bound_components(&f->view, c);
}

void triad_unstructured_host_component_parts(triad_unstructured_flow *f, double dt)
{
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = 0; c < f->domain->n_cells; c++) {
    const triad_mesh_zone *zone;
    int sides;
    const int64_t at = triad_unstructured_domain_place(f->domain, c, &zone, &sides);
    triad_unstructured_part_components(&f->view, zone, at, sides, c, (triad_real)dt);
  }
}

/* A face is counted where its left cell is. */
static void cut(const triad_unstructured_view *v, int64_t face, int64_t l, int64_t r, int64_t counts[2])
{
  const triad_real least = triad_unstructured_cut_components(v, face, l, r);
  if (r < 0 || l >= v->n_cells) return;
  counts[0] += least < TRIAD_R(0.999999);
  counts[1] += (int64_t)((double)least * (1 << 20));
}

void triad_unstructured_host_component_limits(triad_unstructured_flow *f)
{
  int64_t counts[2] = {0, 0};
  over_faces(f, f->domain->n_faces, cut, counts);
  f->limited = counts[0];
  f->parts = counts[1];
}
