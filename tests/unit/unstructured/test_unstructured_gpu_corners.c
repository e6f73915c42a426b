/* Faces of which a GPU has no numbers but their cells' corners (`grid.faces`), with kernels on the host
 * (tests/help/fake): the same flow as on the CPU; where there is no room for more, by a GPU that others share too;
 * what that takes, told before.
 *   ranks: 1 2 3   timeout: 400 */
#include "unstructured_gpu.h"
#include "solvers/unstructured/case/check.h"

#include "parallel/host/gpus.h"
#include "run/check.h"
#include "run/resources.h"

/* Faces of which a GPU has no numbers; some, where others between cells have. */
static void has_bare_faces(int some, const char *const *sets)
{
  test_mesh gpu = make(sets, "parallel.device=\"gpu\"");
  const triad_unstructured_domain *d = gpu.flow->domain;
  TRIAD_HOLDS(gpu.flow->gpu->by_corners, "geometry of all");
  TRIAD_HOLDS(d->n_pointed > 0 && (d->n_pointed < d->n_inner) == some, "%lld of %lld faces by corners",
              (long long)d->n_pointed, (long long)d->n_inner);
  TRIAD_HOLDS(gpu.flow->gpu->corner && (gpu.flow->gpu->view.kept_words != NULL) == some, "what kernels have of them");
  drop(&gpu);
}

#define BARE(some, ...) \
  do { \
    has_bare_faces(some, (const char *const[]){"grid.faces=\"corners\"", __VA_ARGS__, NULL}); \
    AGREE("grid.faces=\"corners\"", __VA_ARGS__); \
  } while (0)

TRIAD_TEST(faces_of_tetrahedra_by_corners)
{
  BARE(0, "grid.kind=\"tets\"", "grid.n=[5,4,3]", "equations.low_order=\"hllc\"");
  BARE(0, "grid.kind=\"tets\"", "grid.n=[5,4,3]", "equations.gradients=\"limited\"");
  BARE(0, "grid.kind=\"tets\"", "grid.n=[5,4,3]", "equations.high_order=\"central\"", "grid.loops=\"colours\"");
}

TRIAD_TEST(faces_of_tetrahedra_among_others)
{
  BARE(1, ALONG, "grid.kind=\"tets\"", "grid.n=[6,5,2]",
       "boundaries.patches=[\"ymin: periodic\",\"ymax: periodic\",\"zmin: periodic\",\"zmax: periodic\"]");
  BARE(1, ALONG, "grid.structured=\"none\"", "equations.gradients=\"limited\"");
  BARE(1, ALONG, "grid.shake=0", "equations.gradients=\"near\"");
}

/* Geometry where there is room for that of all ranks, who may share a GPU, and all of them alike. */
static int goes_by_corners(const char *faces, const char *available)
{
  const char *const sets[] = {"grid.kind=\"tets\"", "grid.n=[5,4,3]", faces, NULL};
  TRIAD_EQUAL(available ? setenv("TRIAD_FAKE_GPU_FREE", available, 1) : unsetenv("TRIAD_FAKE_GPU_FREE"), 0,
              "the environment");
  test_mesh gpu = make(sets, "parallel.device=\"gpu\"");
  (void)unsetenv("TRIAD_FAKE_GPU_FREE");
  const triad_unstructured_view *v = &gpu.flow->gpu->view;
  const int by = gpu.flow->gpu->by_corners;
  TRIAD_HOLDS(by == (v->corner != NULL) && by == (v->n_pointed > 0) &&
                by == triad_unstructured_gpu_steps->by_corners(gpu.flow),
              "what kernels have");
  drop(&gpu);
  return by;
}

TRIAD_TEST(geometry_of_faces_is_kept_where_there_is_room)
{
  TRIAD_EQUAL(goes_by_corners("grid.faces=\"auto\"", NULL), 0, "much room");
  TRIAD_EQUAL(goes_by_corners("grid.faces=\"auto\"", "1000000"), 1, "little room");
  TRIAD_EQUAL(goes_by_corners("grid.faces=\"kept\"", "1000000"), 0, "what is asked for");
  TRIAD_EQUAL(goes_by_corners("grid.faces=\"corners\"", NULL), 1, "what is asked for");
}

/* Of a flow of tetrahedra that may take `share` of the GPU: does it go by corners? *peak: what it has taken. */
static int goes_by_corners_in(const char *faces, int64_t share, int64_t *peak)
{
  const char *const sets[] = {"grid.kind=\"tets\"", "grid.n=[5,4,3]", faces, NULL};
  triad_gpus_set_share(share);
  test_mesh gpu = make(sets, "parallel.device=\"gpu\"");
  triad_gpus_set_share(0);
  const int by = gpu.flow->gpu->by_corners;
  *peak = triad_device_peak(gpu.flow->device);
  drop(&gpu);
  return by;
}

/* Whatever the GPU has free, of which the first of several runs sees all. */
TRIAD_TEST(a_run_beside_others_keeps_geometry_within_its_share)
{
  int64_t kept, corners, peak;
  (void)goes_by_corners_in("grid.faces=\"kept\"", 0, &kept);
  (void)goes_by_corners_in("grid.faces=\"corners\"", 0, &corners);
  TRIAD_HOLDS(corners < kept, "%lld bytes by corners, %lld with geometry", (long long)corners, (long long)kept);
  TRIAD_EQUAL(goes_by_corners_in("grid.faces=\"auto\"", kept, &peak), 0, "a share that is just enough");
  TRIAD_EQUAL(peak, kept, "bytes");
  TRIAD_EQUAL(goes_by_corners_in("grid.faces=\"auto\"", corners, &peak), 1, "a share that is not");
  TRIAD_EQUAL(peak, corners, "bytes");
}

TRIAD_TEST(as_many_runs_as_share_a_gpu_fit)
{
  for (int sharers = 1; sharers <= 3; sharers++)
    for (int runs = 1; runs <= 64; runs *= 4) {
      int64_t each = 0;
      int fits = 0;
      TRIAD_CHECK(triad_resources_share(0, sharers, runs, &each));
      TRIAD_CHECK(triad_resources_runs(0, sharers, each, &fits));
      TRIAD_EQUAL(fits, runs, "runs that take their share each");
    }
}

/* What check tells of a GPU is what is taken there; corners take as much less as is counted: four numbers a cell and
 * a point for nine a face. */
TRIAD_TEST(what_corners_take_is_told_before)
{
  static const char *const faces[] = {"grid.faces=\"kept\"", "grid.faces=\"corners\""};
  double taken[2], less = 0;
  if (triad_test_comm()->size > 1) TRIAD_SKIP("ghosts are counted as of a cube");
  for (int i = 0; i < 2; i++) {
    const char *const sets[] = {"grid.kind=\"tets\"", "grid.n=[16,16,16]", "grid.numbering=\"rcm\"", faces[i], NULL};
    triad_needs needs = {0};
    test_mesh gpu = make(sets, "parallel.device=\"gpu\"");
    memset(&needs, 0, sizeof needs);
    TRIAD_CHECK(triad_unstructured_check(gpu.given, 1, 1, &needs));
    taken[i] = (double)triad_device_peak(gpu.flow->device);
    TRIAD_NEAR((double)needs.gpu.total, taken[i], 0.03, "bytes of a GPU");
    const triad_unstructured_domain *d = gpu.flow->domain;
    less = TRIAD_UNSTRUCTURED_GEOMETRY * (double)sizeof(triad_real) * (double)d->n_pointed - 16 * (double)d->n_cells -
           32 * (double)d->mesh->n_points;
    drop(&gpu);
  }
  TRIAD_NEAR(taken[0] - taken[1], less, 0.01, "bytes that corners take less");
}

TRIAD_MAIN
