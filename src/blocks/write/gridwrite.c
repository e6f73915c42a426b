/* A grid in files that gridfile.c can read: PLOT3D nodes, unformatted, double precision, three dimensions, and the
 * neutral map file of its joins and patches; or CGNS (cgnswrite.c). */
#include "blocks/write/gridwrite.h"
#include "blocks/write/partsfile.h"

#include "store/formats/cgns.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Faces in the order of neutral map files, and the axes of their two ranges. */
enum { MOST_STEM = 4000 };

static const int face_of[3] = {2, 4, 0}, first_of[3] = {1, 2, 0}, second_of[3] = {2, 0, 1}; /* of axis i, j, k */

static int failed(const char *path) { return TRIAD_FAIL(TRIAD_ERR_IO, "%s: writing: %s", path, strerror(errno)); }

static int put_record(FILE *out, const char *path, const void *data, int64_t bytes)
{
  if (bytes > INT32_MAX)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: a record of %lld bytes exceeds 2 GiB", path, (long long)bytes);
  const int32_t mark = (int32_t)bytes;
  return fwrite(&mark, 4, 1, out) == 1 && fwrite(data, 1, (size_t)bytes, out) == (size_t)bytes &&
             fwrite(&mark, 4, 1, out) == 1
           ? TRIAD_OK
           : failed(path);
}

static int put_nodes(FILE *out, const char *path, const triad_blocks_grid *g, int z)
{
  const int64_t *c = g->cells[z], n[3] = {c[0] + 1, c[1] + 1, c[2] + 1}, all = n[0] * n[1] * n[2];
  double *x = calloc((size_t)(3 * all), sizeof *x);
  if (!x) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld nodes", (long long)all);
  for (int64_t i = 0; i < all; i++) {
    const int64_t node[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
    double at[3];
    triad_blocks_grid_node(g, z, node, at);
    for (int a = 0; a < 3; a++) x[a * all + i] = at[a];
  }
  int st = put_record(out, path, x, 3 * all * (int64_t)sizeof *x);
  free(x);
  return st;
}

static int put_plot3d(FILE *out, const char *path, const triad_blocks_grid *g)
{
  const int32_t blocks = g->n;
  int32_t *size = calloc(3 * (size_t)g->n, sizeof *size);
  if (!size) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d blocks", g->n);
  for (int i = 0; i < 3 * g->n; i++) size[i] = (int32_t)g->cells[i / 3][i % 3] + 1;
  int st = put_record(out, path, &blocks, 4);
  if (st == TRIAD_OK) st = put_record(out, path, size, 12 * (int64_t)g->n);
  for (int z = 0; z < g->n && st == TRIAD_OK; z++) st = put_nodes(out, path, g, z);
  free(size);
  return st;
}

/* ---- the map ---- */

/* "block face first range second range": cells low .. high - 1 as nodes from 1, ranges that run down where `down`
 * says so. */
static void put_ranges(FILE *out, int zone, int axis, int upper, const int64_t low[3], const int64_t high[3],
                       const int down[3])
{
  (void)fprintf(out, " %5d %d", zone + 1, face_of[axis] + upper + 1);
  for (int k = 0; k < 2; k++) {
    int t = k ? second_of[axis] : first_of[axis];
    (void)fprintf(out, " %6lld %6lld", (long long)(down[t] ? high[t] : low[t]) + 1,
                  (long long)(down[t] ? low[t] : high[t]) + 1);
  }
}

/* One of the two directions of each join: the one that comes first. */
static int put_join(void *who, const triad_zone_join *j)
{
  FILE *out = who;
  int64_t c[3] = {j->low[0], j->low[1], j->low[2]}, d[2][3], low[3], high[3];
  int down[3] = {0, 0, 0}, up[3] = {0, 0, 0};
  const int axis = j->to.turn.axis[j->axis], upper = j->upper == j->to.turn.reversed[j->axis];
  for (int end = 0; end < 2; end++) {
    for (int a = 0; a < 3; a++) c[a] = end ? j->high[a] - 1 : j->low[a];
    c[j->axis] += j->upper ? 1 : -1;
    triad_zone_map_cell(&j->to, c, d[end]);
  }
  for (int a = 0; a < 3; a++) {
    low[a] = d[0][a] < d[1][a] ? d[0][a] : d[1][a];
    high[a] = (d[0][a] < d[1][a] ? d[1][a] : d[0][a]) + 1;
    down[j->to.turn.axis[a]] = j->to.turn.reversed[a];
  }
  int mine = 6 * j->zone + 2 * j->axis + j->upper, other = 6 * j->to.zone + 2 * axis + upper;
  if (mine > other) return TRIAD_OK;
  for (int a = 2; a >= 0 && mine == other; a--) {
    if (j->low[a] > low[a]) return TRIAD_OK;
    if (j->low[a] < low[a]) break;
  }
  (void)fprintf(out, "%-20s", "ONE_TO_ONE");
  put_ranges(out, j->zone, j->axis, j->upper, j->low, j->high, up);
  put_ranges(out, j->to.zone, axis, upper, low, high, down);
  (void)fprintf(out, " %s\n", j->to.turn.axis[first_of[j->axis]] == second_of[axis] ? "TRUE" : "FALSE");
  return TRIAD_OK;
}

static int put_patch(void *who, const char *name, int zone, int axis, int upper, const int64_t low[3],
                     const int64_t high[3])
{
  const int up[3] = {0, 0, 0};
  (void)fprintf(who, "%-20s", name);
  put_ranges(who, zone, axis, upper, low, high, up);
  (void)fprintf(who, "\n");
  return TRIAD_OK;
}

/* ---- files ---- */

static int put_map(FILE *out, const triad_blocks_grid *g, const triad_zones *zones)
{
  (void)fprintf(
    out,
    "# blocks; their nodes; faces (1, 2: k; 3, 4: i; 5, 6: j) with the ranges of nodes along the next two axes\n%d\n",
    g->n);
  for (int z = 0; z < g->n; z++)
    (void)fprintf(out, "%5d %6lld %6lld %6lld\n", z + 1, (long long)g->cells[z][0] + 1, (long long)g->cells[z][1] + 1,
                  (long long)g->cells[z][2] + 1);
  const triad_blocks_face_sink sink = {out, put_join, put_patch};
  return triad_blocks_grid_faces(g, zones, &sink);
}

static int put_file(const char *path, const triad_blocks_grid *g, const triad_zones *zones)
{
  FILE *out = fopen(path, "wb");
  if (!out) return failed(path);
  int st = zones ? put_map(out, g, zones) : put_plot3d(out, path, g);
  if (ferror(out) && st == TRIAD_OK) st = failed(path);
  if (fclose(out) != 0 && st == TRIAD_OK) st = failed(path);
  return st;
}

/* What the reader changed. */
static void print_turned(const triad_blocks_grid *g)
{
  if (g->turned > 0)
    (void)printf("%d left-handed block%s turned: layers along k have the reverse order\n", g->turned,
                 g->turned == 1 ? "" : "s");
  if (g->reversed > 0)
    (void)printf("%d left-handed plane%s: the layer of cells extends along -z\n", g->reversed,
                 g->reversed == 1 ? "" : "s");
}

static int put_both(const char *path, const char *map, const triad_blocks_grid *g, const triad_zones *zones)
{
  TRIAD_TRY(put_file(path, g, NULL));
  TRIAD_TRY(put_file(map, g, zones));
  const int joins = zones->n_joins / 2;
  (void)printf("%s: %d block%s, %lld cells\n%s: %d connected face%s\n", path, g->n, g->n > 1 ? "s" : "",
               (long long)zones->all, map, joins, joins == 1 ? "" : "s");
  print_turned(g);
  return TRIAD_OK;
}

static int put_cgns(const char *path, const triad_blocks_grid *g, const triad_zones *zones)
{
  triad_cgns *file;
  TRIAD_TRY(triad_cgns_create(&file, path));
  TRIAD_TRY(triad_cgns_close(&file, triad_blocks_cgns_put(file, g, zones)));
  const int joins = zones->n_joins / 2;
  (void)printf("%s: %d block%s, %lld cells, %d connected face%s\n", path, g->n, g->n > 1 ? "s" : "",
               (long long)zones->all, joins, joins == 1 ? "" : "s");
  print_turned(g);
  return TRIAD_OK;
}

static int write_all(const char *path, const char *stem, const triad_blocks_grid *g, const triad_zones *zones,
                     int ranks)
{
  char beside[4096];
  (void)snprintf(beside, sizeof beside, "%s.nmf", stem);
  TRIAD_TRY(strcmp(path + strlen(stem), ".cgns") == 0 ? put_cgns(path, g, zones) : put_both(path, beside, g, zones));
  (void)snprintf(beside, sizeof beside, "%s.parts", stem);
  return ranks ? triad_blocks_parts_write(beside, zones, ranks) : TRIAD_OK;
}

static size_t stem_length(const char *path)
{
  const char *dot = strrchr(path, '.');
  return dot && !strchr(dot, '/') ? (size_t)(dot - path) : strlen(path);
}

int triad_blocks_check_file_name(const char *path)
{
  const size_t length = stem_length(path);
  if (strcmp(path + length, ".nmf") == 0 || strcmp(path + length, ".parts") == 0 || length >= MOST_STEM)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "%s: give the name of the file of nodes, such as grid.x", path);
  return TRIAD_OK;
}

int triad_blocks_write_grid(const triad_blocks_grid *g, const triad_zones *zones, const char *path, int ranks)
{
  char stem[MOST_STEM];
  TRIAD_TRY(triad_blocks_check_file_name(path));
  (void)snprintf(stem, sizeof stem, "%.*s", (int)stem_length(path), path);
  return write_all(path, stem, g, zones, ranks);
}
