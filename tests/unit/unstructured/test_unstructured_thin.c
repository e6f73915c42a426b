/* Gradients in thin bent layers of cells of every shape: how much a neighbour's value can change a value at a face,
 * and how good these are. ranks: 1 3 precision: both */
#include "mesh_box.h"
#include "mesh/sizes.h"

#include "solvers/unstructured/state/domain.h"
#include "solvers/unstructured/state/domain_rows.h"

#include <math.h>

enum { MOST = 64 };

/* Round a part of a cone, swept, of uneven thickness: n cells along each axis, `thin` from the first layer to the
 * last. */
static triad_mesh *bent(triad_mesh_cells kind, int n, double thin)
{
  triad_mesh *m = NULL;
  const triad_mesh_generator g = {.cells = kind, .form = TRIAD_MESH_BOX, .n = {n, n, n}, .length = {1, 1, 1}};
  TRIAD_CHECK(triad_mesh_generate(&m, triad_test_context()->memory, &g));
  for (int64_t i = 0; i < m->n_points; i++) {
    const double a = m->x[i][0], b = m->x[i][1], angle = 1.2 * a + 0.3 * b;
    const double radius = 1 + 0.3 * b + thin * m->x[i][2] * (1 + 0.2 * sin(6 * (a + b)));
    m->x[i][0] = radius * cos(angle);
    m->x[i][1] = radius * sin(angle);
    m->x[i][2] = b;
  }
  TRIAD_CHECK(triad_mesh_measure(m));
  return m;
}

typedef struct layer {
  triad_mesh *mesh;
  triad_unstructured_domain *domain;
  triad_unstructured_view view;
} layer;

static layer layer_of(triad_mesh_cells kind, int n, double thin)
{
  layer l = {.mesh = bent(kind, n, thin)};
  TRIAD_CHECK(triad_unstructured_domain_create(&l.domain, triad_test_context(), l.mesh,
                                               (triad_unstructured_layout){.numbering = TRIAD_MESH_RCM}));
  const triad_unstructured_domain *d = l.domain;
  l.view = (triad_unstructured_view){
    .near = d->near, .side = d->side, .softening = d->softening, .n_seen = triad_unstructured_domain_seen(d)};
  TRIAD_CHECK(triad_unstructured_take_numbers(triad_test_context()->memory, "test", d->n_places, 5, &l.view.value));
  return l;
}

static void drop(layer *l)
{
  TRIAD_FREE(triad_test_context()->memory, &l->view.value.at);
  triad_unstructured_domain_destroy(&l->domain);
  triad_mesh_destroy(&l->mesh);
}

/* Sides of a cell: what is across, and from its centre to that and to the side. */
static int sides_of(const layer *l, int64_t c, int64_t near[MOST], double across[MOST][3], double to_side[MOST][3])
{
  const triad_mesh_zone *zone;
  int n;
  const int64_t at = triad_unstructured_domain_place(l->domain, c, &zone, &n);
  for (int s = 0; s < n; s++) {
    triad_real numbers[TRIAD_UNSTRUCTURED_GEOMETRY], sign;
    triad_unstructured_domain_geometry(l->domain, triad_unstructured_face_at(&l->view, zone, at, s, &sign), numbers);
    near[s] = triad_unstructured_near(&l->view, zone, at, s);
    for (int a = 0; a < 3; a++) {
      across[s][a] = (double)sign * (double)numbers[6 + a];
      to_side[s][a] = (double)numbers[3 + a] - (sign < 0 ? (double)numbers[6 + a] : 0);
    }
  }
  return n;
}

/* The gradient of the first value. */
static void gradient_of(const layer *l, int64_t c, int n, const int64_t *near, double (*across)[3], double out[3])
{
  triad_real sum[TRIAD_UNSTRUCTURED_GRADIENT] = {0};
  double squares[TRIAD_UNSTRUCTURED_SQUARES] = {0};
  const triad_real distance = triad_unstructured_begin_slope(&l->view, c, l->view.softening.at != NULL, squares, 1);
  for (int s = 0; s < n; s++) {
    const triad_real x[3] = {(triad_real)across[s][0], (triad_real)across[s][1], (triad_real)across[s][2]};
    triad_unstructured_add_slope_across(&l->view, near[s], 1, x, 1, c, distance, sum, squares, 1);
  }
  triad_unstructured_solve_slope(squares, sum, 1);
  for (int a = 0; a < 3; a++) out[a] = (double)sum[a];
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The most that a neighbour's value counts in a value at a side, of all cells. */
static double most_influence(const layer *l)
{
  double most = 0;
  for (int64_t c = 0; c < l->domain->n_cells; c++) {
    int64_t near[MOST];
    double across[MOST][3], to_side[MOST][3], g[3];
    const int n = sides_of(l, c, near, across, to_side);
    for (int j = 0; j < n; j++) {
      l->view.value.at[near[j]] = 1;
      gradient_of(l, c, n, near, across, g);
      l->view.value.at[near[j]] = 0;
      for (int s = 0; s < n; s++) most = fmax(most, fabs(dot(g, to_side[s])));
    }
  }
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, triad_test_context()->comm.mpi)));
  return most;
}

/* A sum of differences each times 1.5 at the most; without the length that weights have in such layers it is the
 * distance from a face's centre to the layer over its thickness, up to 1e4. */
TRIAD_TEST(rounding_of_a_neighbour_counts_no_more_in_thinner_layers)
{
  for (int kind = TRIAD_MESH_TETS; kind <= TRIAD_MESH_POLYHEDRA; kind++)
    for (double thin = 1; thin > 1e-6; thin /= 10) {
      /* pyramids over a point outside a bent cell are turned */
      if (kind == TRIAD_MESH_JET || kind == TRIAD_MESH_PYRAMIDS) continue;
      layer l = layer_of((triad_mesh_cells)kind, 6, thin);
      const double most = most_influence(&l);
      TRIAD_HOLDS(most <= 1.5 * (1 + 1e5 * TRIAD_EPSILON), "a neighbour counts %g times in layers of %g", most, thin);
      drop(&l);
    }
}

static double field(const double x[3], int linear)
{
  return linear ? 2 * x[0] - x[1] + 3 * x[2] : x[0] * x[1] + x[1] * x[2] - x[2] * x[2];
}

/* The largest error of a value at a side, of cells within. */
static double error_of(const layer *l, int linear)
{
  double most = 0;
  for (int64_t c = 0; c < l->domain->n_cells; c++) {
    int64_t near[MOST];
    double across[MOST][3], to_side[MOST][3], g[3], centre[3], x[3];
    int outer = 0;
    const int n = sides_of(l, c, near, across, to_side);
    triad_unstructured_domain_centre(l->domain, c, centre);
    l->view.value.at[c] = 0;
    for (int s = 0; s < n; s++) {
      outer |= near[s] >= l->view.n_seen;
      for (int a = 0; a < 3; a++) x[a] = centre[a] + across[s][a];
      l->view.value.at[near[s]] = (triad_real)(field(x, linear) - field(centre, linear));
    }
    gradient_of(l, c, n, near, across, g);
    for (int s = 0; s < n && !outer; s++) {
      for (int a = 0; a < 3; a++) x[a] = centre[a] + to_side[s][a];
      most = fmax(most, fabs(dot(g, to_side[s]) - (field(x, linear) - field(centre, linear))));
    }
  }
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, triad_test_context()->comm.mpi)));
  return most;
}

/* As thick all together as a thousandth to a hundred-thousandth of their length; twice as many cells along each
 * axis. Linear fields are exact. */
TRIAD_TEST(values_at_faces_of_thin_bent_layers_are_of_second_order)
{
  static const triad_mesh_cells kinds[] = {TRIAD_MESH_HEXES, TRIAD_MESH_PRISMS, TRIAD_MESH_POLYHEDRA, TRIAD_MESH_TETS};
  for (int k = 0; k < 4; k++)
    for (double thin = 1e-3; thin > 0.5e-5; thin /= 10) {
      double error[2], exact[2];
      for (int i = 0; i < 2; i++) {
        layer l = layer_of(kinds[k], 8 << i, thin);
        error[i] = error_of(&l, 0);
        exact[i] = error_of(&l, 1);
        drop(&l);
      }
      for (int i = 0; i < 2; i++)
        TRIAD_HOLDS(exact[i] < 2e4 * TRIAD_EPSILON, "a linear field is %g off in layers of %g", exact[i], thin);
      TRIAD_HOLDS(log2(error[0] / error[1]) > 1.9, "in layers of %g errors are %g, %g", thin, error[0], error[1]);
    }
}

TRIAD_MAIN
