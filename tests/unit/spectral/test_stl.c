/* Surfaces of STL files: rank 0 reads the file for all ranks, which get the same surface or the same status.
 * ranks: 1 2 3   quick: 1 */
#include "folder.h"

#include "solvers/spectral/relax/plain/stl.h"

/* Corners (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), seen from outside. */
static const double facets[4][3][3] = {{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}},
                                       {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}},
                                       {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}},
                                       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/* The path of a file in a folder. */
enum { FILE_PATH = TRIAD_PATH + 32 };

/* Rank 0 writes the first n facets; the others get a path of no file. */
static void write_facets(const char *folder, int n, char path[FILE_PATH])
{
  (void)snprintf(path, FILE_PATH, "%s/rank%d.stl", folder, triad_test_comm()->rank);
  if (triad_test_comm()->rank > 0) return;
  FILE *to = fopen(path, "w");
  assert_non_null(to);
  (void)fprintf(to, "solid tetrahedron\n");
  for (int f = 0; f < n; f++) {
    (void)fprintf(to, "facet normal 0 0 0\nouter loop\n");
    for (int i = 0; i < 3; i++)
      (void)fprintf(to, "vertex %g %g %g\n", facets[f][i][0], facets[f][i][1], facets[f][i][2]);
    (void)fprintf(to, "endloop\nendfacet\n");
  }
  (void)fclose(to);
}

TRIAD_TEST(a_surface_that_rank_0_reads_is_on_all_ranks)
{
  char folder[TRIAD_PATH], path[FILE_PATH];
  /* x + y + z < 2: the nearest are the plane y = 0, the plane x = 0, and the slanted face at (2/3, 2/3, 2/3) */
  const double x[] = {-0.5, 0.5}, far[] = {2}, want[] = {0.5, -0.25};
  double distance[2] = {INFINITY, INFINITY}, work[4];
  triad_stl s;
  folder_make(folder);
  write_facets(folder, 4, path);
  TRIAD_CHECK(triad_stl_read(&s, triad_test_comm(), path, 2));
  TRIAD_EQUAL(s.n, 4, "facets");
  for (int a = 0; a < 3; a++) {
    TRIAD_NEAR(s.low[a], 0, 0, "the lower end");
    TRIAD_NEAR(s.high[a], 2, 0, "the upper end");
  }
  triad_stl_row(&s, 2, x, 0.25, 0.25, 10, work, distance);
  for (int i = 0; i < 2; i++) TRIAD_NEAR(distance[i], want[i], 1e-14, "a distance");
  distance[0] = INFINITY;
  triad_stl_row(&s, 1, far, 2, 2, 10, work, distance);
  TRIAD_NEAR(distance[0], 4 / sqrt(3), 1e-14, "a distance to the slanted face");
  triad_stl_clear(&s);
  folder_delete(folder);
}

TRIAD_TEST(a_file_that_rank_0_cannot_use_fails_on_all_ranks)
{
  char folder[TRIAD_PATH], path[FILE_PATH];
  triad_stl s;
  folder_make(folder);
  write_facets(folder, 3, path);
  hush();
  const int open_surface = triad_stl_read(&s, triad_test_comm(), path, 1);
  (void)snprintf(path, sizeof path, "%s/none.stl", folder);
  const int missing = triad_stl_read(&s, triad_test_comm(), path, 1);
  speak();
  TRIAD_EQUAL(open_surface, TRIAD_ERR_CASE, "a surface that is not closed");
  TRIAD_EQUAL(missing, TRIAD_ERR_INPUT, "a file that does not exist");
  TRIAD_HOLDS(s.corner == NULL && s.n == 0, "a surface is left");
  triad_message_clear();
  folder_delete(folder);
}

TRIAD_MAIN
