/* Sample the newest particles, faces of walls and outer faces of a mesh. HDF5 files are read in a separate process, by
 * descriptors, so that neither their names nor links in them lead elsewhere. */
#include "command/watch/watch_points.h"
#include "command/watch/watch_files.h"
#include "command/watch/watch_run.h"

#include "base/guard.h"
#include "mesh/join.h"
#include "mesh/read/vtk/vtkhdf.h"
#include "store/hdf5/h5read.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A sample of more than MOST lines has every second, third, .. one. Of more than AT_ONCE lines, which are too many to
 * read, it has RUNS runs of consecutive ones, at even distances. */
enum { NAME = TRIAD_WATCH_NAME, PATH = NAME + 100, WORD = 64 /* a name of particles or walls */ };
enum { MOST = 1500, AT_ONCE = 200000, RUNS = 50, MOST_CLOUDS = 6, MESH_BYTES = 32 << 20, LAST_DOUBLING = 8 };

typedef struct cloud {
  char name[WORD];
  int64_t step, all; /* all: number of points of which this is a sample */
  int n;
  double t, x[3 * MOST], v[3 * MOST]; /* v: a value for each point, or first its velocity */
} cloud;

/* What the separate process has to read. */
typedef struct source {
  const char *dir, *name; /* of the group of particles, of the wall */
  int64_t step;
  cloud *c;
} source;

/* ---- files by descriptors ---- */

static int open_by_fd(triad_h5 **out, const char *dir, const char *file)
{
  char path[64];
  const int fd = triad_watch_open(dir, file);
  if (fd < 0) return TRIAD_FAIL(TRIAD_ERR_INPUT, "%s", file);
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  int st = triad_h5_open(out, path); /* the descriptor ends with the process */
  if (st != TRIAD_OK) (void)close(fd);
  return st;
}

/* A number that changes when the file does; 0: there is no such file. */
static int64_t stamp_of(const char *dir, const char *folder, const char *name)
{
  char file[PATH];
  struct stat about = {0};
  (void)snprintf(file, sizeof file, "%.20s/%.*s", folder, NAME, name);
  const int fd = triad_watch_open(dir, file);
  if (fd < 0) return 0;
  const int good = fstat(fd, &about) == 0;
  (void)close(fd);
  return good ? ((int64_t)about.st_mtim.tv_sec * 1000 + about.st_mtim.tv_nsec / 1000000) & (((int64_t)1 << 45) - 1) : 0;
}

/* ---- samples ---- */

static int sample_size(int64_t all) { return all < MOST ? (int)all : MOST; }

/* A run of lines of a dataset: [lines] of one number or, if row >= 0, [rows][lines][width]. */
static int read_lines(triad_h5 *file, const char *name, int64_t row, int64_t first, int64_t count, int width,
                      double *to)
{
  const int64_t of_row[3] = {row, first, 0}, in_row[3] = {1, count, width};
  return row >= 0 ? triad_h5_read(file, name, 3, of_row, in_row, 8, to)
                  : triad_h5_read(file, name, 1, &first, &count, 8, to);
}

static int read_sample(triad_h5 *file, const char *name, int64_t row, int64_t all, int width, double *out)
{
  const int n = sample_size(all), length = n / RUNS;
  if (all > AT_ONCE) {
    for (int i = 0; i < RUNS; i++)
      TRIAD_TRY(
        read_lines(file, name, row, i * (all - length) / (RUNS - 1), length, width, out + (int64_t)i * length * width));
    return TRIAD_OK;
  }
  double *lines = calloc((size_t)(all * width) + 1, sizeof *lines);
  int st = lines ? read_lines(file, name, row, 0, all, width, lines) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", name);
  for (int64_t i = 0; st == TRIAD_OK && i < n; i++)
    memcpy(out + i * width, lines + i * all / n * width, (size_t)width * sizeof *out);
  free(lines);
  return st;
}

/* ---- particles ---- */

/* The file of rows that has a row, and its first: they double in size up to number LAST_DOUBLING, and are alike from
 * then on (store/hdf5/growfile.h). */
static int open_rows(triad_h5 **out, const source *s, int64_t row, int64_t *first, int64_t dims[TRIAD_H5_DIMS])
{
  *first = 0;
  for (int64_t part = 0; part < 1000000;) {
    char file[PATH];
    int n_dims = 0;
    (void)snprintf(file, sizeof file, "particles/%s.%04lld.h5", s->name, (long long)part);
    TRIAD_TRY(open_by_fd(out, s->dir, file));
    int st = triad_h5_dims(*out, "position", &n_dims, dims, NULL);
    if (st == TRIAD_OK && (n_dims != 3 || dims[2] != 3 || dims[0] < 1))
      st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: no positions", file);
    if (st == TRIAD_OK && row < *first + dims[0]) return TRIAD_OK;
    TRIAD_TRY(triad_h5_close(out, st));
    const int64_t more = part < LAST_DOUBLING ? 1 : (row - *first) / dims[0];
    *first += more * dims[0];
    part += more;
  }
  return TRIAD_FAIL(TRIAD_ERR_CASE, "particles of %s: no row %lld", s->name, (long long)row);
}

static int read_particles(void *self, triad_guard *guard)
{
  source *s = self;
  cloud *c = s->c;
  char file[PATH];
  triad_h5 *view, *rows;
  int64_t dims[TRIAD_H5_DIMS], first, row;
  const int64_t one = 1;
  int n_dims = 0;
  double step = 0;
  (void)snprintf(file, sizeof file, "particles/%s.h5", s->name);
  TRIAD_TRY(open_by_fd(&view, s->dir, file));
  TRIAD_TRY(triad_h5_dims(view, "t", &n_dims, dims, NULL));
  if (n_dims != 1 || dims[0] < 1) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: no rows", file);
  row = dims[0] - 1;
  TRIAD_TRY(triad_h5_read(view, "t", 1, &row, &one, 8, &c->t));
  TRIAD_TRY(triad_h5_read(view, "step", 1, &row, &one, 8, &step));
  TRIAD_TRY(open_rows(&rows, s, row, &first, dims));
  c->step = (int64_t)step;
  c->all = dims[1];
  c->n = sample_size(c->all);
  TRIAD_TRY(read_sample(rows, "position", row - first, c->all, 3, c->x));
  TRIAD_TRY(read_sample(rows, "velocity", row - first, c->all, 3, c->v));
  for (int i = 0; i < c->n; i++)
    c->v[i] = sqrt(c->v[3 * i] * c->v[3 * i] + c->v[3 * i + 1] * c->v[3 * i + 1] + c->v[3 * i + 2] * c->v[3 * i + 2]);
  return triad_guard_give(guard, c, sizeof *c);
}

/* Names of groups, those of files NAME.h5 without a further dot; returns how many. */
static int find_groups(const char *dir, char names[MOST_CLOUDS][WORD])
{
  int n = 0;
  const int fd = triad_watch_open_folder(dir, "particles");
  DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
  if (!d && fd >= 0) (void)close(fd);
  for (struct dirent *e = d ? readdir(d) : NULL; e && n < MOST_CLOUDS; e = readdir(d)) {
    const char *dot = strchr(e->d_name, '.');
    const size_t length = dot ? (size_t)(dot - e->d_name) : 0;
    if (length == 0 || length >= WORD || strcmp(dot, ".h5") != 0) continue;
    (void)snprintf(names[n++], WORD, "%.*s", (int)length, e->d_name);
  }
  if (d) (void)closedir(d);
  return n;
}

/* ---- walls of blocks ---- */

typedef struct wall_list {
  char name[MOST_CLOUDS][WORD];
  int n;
} wall_list;

static int add_wall(void *who, const char *name)
{
  wall_list *l = who;
  if (strncmp(name, "x.", 2) == 0 && strlen(name + 2) < sizeof l->name[0] && l->n < MOST_CLOUDS)
    (void)snprintf(l->name[l->n++], sizeof l->name[0], "%s", name + 2);
  return 0;
}

static int list_walls(void *self, triad_guard *guard)
{
  source *s = self;
  wall_list list = {.n = 0};
  triad_h5 *file;
  TRIAD_TRY(open_by_fd(&file, s->dir, s->name));
  TRIAD_TRY(triad_h5_each(file, add_wall, &list));
  return triad_guard_give(guard, &list, sizeof list);
}

/* c->name: the wall. */
static int read_wall(void *self, triad_guard *guard)
{
  source *s = self;
  cloud *c = s->c;
  triad_h5 *file;
  int64_t dims[TRIAD_H5_DIMS];
  int n_dims = 0;
  char name[80];
  double along[MOST];
  TRIAD_TRY(open_by_fd(&file, s->dir, s->name));
  (void)snprintf(name, sizeof name, "x.%s", c->name);
  TRIAD_TRY(triad_h5_dims(file, name, &n_dims, dims, NULL));
  if (n_dims != 1 || dims[0] < 1) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: no faces", c->name);
  c->step = s->step;
  c->all = dims[0];
  c->n = sample_size(c->all);
  for (int a = 0; a < 3; a++) {
    (void)snprintf(name, sizeof name, "%c.%s", "xyz"[a], c -> name);
    TRIAD_TRY(read_sample(file, name, -1, c->all, 1, along));
    for (int i = 0; i < c->n; i++) c->x[3 * i + a] = along[i];
  }
  (void)snprintf(name, sizeof name, "p.%s", c->name);
  TRIAD_TRY(read_sample(file, name, -1, c->all, 1, c->v));
  (void)triad_h5_root_reals(file, "t", 1, &c->t);
  triad_message_clear();
  return triad_guard_give(guard, c, sizeof *c);
}

/* ---- outer faces of a mesh ---- */

static void sample_faces(const triad_mesh *m, const double *p, cloud *c)
{
  c->all = m->n_faces - m->n_inner;
  c->n = sample_size(c->all);
  for (int i = 0; i < c->n; i++) {
    const int64_t f = m->n_inner + i * c->all / c->n;
    const int32_t *corner = triad_mesh_face(m, f);
    for (int a = 0; a < 3; a++) {
      double sum = 0;
      for (int k = 0; k < m->points[f]; k++) sum += m->x[corner[k]][a];
      c->x[3 * i + a] = sum / m->points[f];
    }
    c->v[i] = p[m->cell[f][0]];
  }
}

static int fill_mesh(source *s, const char *path, triad_guard *guard, triad_memory *memory)
{
  triad_mesh_contents contents = {.n = {0}};
  triad_faults faults = {0};
  triad_mesh *mesh;
  triad_h5 *file;
  double *p;
  const int64_t first = 0;
  TRIAD_TRY(triad_mesh_vtkhdf_parse(path, guard, &contents, &faults));
  TRIAD_TRY(triad_faults_end(&faults, triad_mesh_file_shapes(&mesh, memory, &contents)));
  TRIAD_TRY(triad_mesh_join(mesh));
  TRIAD_TRY(TRIAD_ALLOC(memory, "pressure", mesh->n_cells, &p));
  TRIAD_TRY(triad_h5_open(&file, path));
  TRIAD_TRY(triad_h5_root_reals(file, "t", 1, &s->c->t));
  TRIAD_TRY(triad_h5_read(file, "VTKHDF/CellData/p", 1, &first, &mesh->n_cells, 8, p));
  s->c->step = s->step;
  (void)snprintf(s->c->name, WORD, "outer faces");
  sample_faces(mesh, p, s->c);
  return triad_guard_give(guard, s->c, sizeof *s->c);
}

/* What is allocated ends with the process. */
static int read_mesh(void *self, triad_guard *guard)
{
  source *s = self;
  char path[64];
  struct stat about;
  triad_memory *memory;
  const int fd = triad_watch_open(s->dir, s->name);
  if (fd < 0 || fstat(fd, &about) != 0 || about.st_size > MESH_BYTES)
    return TRIAD_FAIL(TRIAD_ERR_INPUT, "%s: not a file, or too large", s->name);
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  TRIAD_TRY(triad_memory_create(&memory));
  return fill_mesh(s, path, guard, memory);
}

/* ---- JSON ---- */

static void put_values(triad_json *j, const char *name, const double *values, int n, int stride)
{
  triad_json_list(j, name, TRIAD_JSON_COMPACT);
  for (int i = 0; i < n; i++) triad_json_number(j, NULL, values[i * stride], 5);
  triad_json_end(j);
}

/* The process that read a file may have been led astray by it: its numbers are checked here. */
static int is_sound(const cloud *c) { return c->n >= 0 && c->n <= MOST && c->all >= c->n; }

static void put_cloud(triad_json *j, cloud *c, const char *kind, const char *value)
{
  if (!is_sound(c)) return;
  c->name[WORD - 1] = '\0';
  triad_json_object(j, NULL, TRIAD_JSON_LINE);
  triad_json_text(j, "of", kind);
  triad_json_text(j, "name", c->name);
  triad_json_text(j, "value", value);
  triad_json_integer(j, "step", c->step);
  triad_json_number(j, "t", c->t, 9);
  triad_json_integer(j, "all", c->all);
  for (int a = 0; a < 3; a++) put_values(j, (const char *const[]){"x", "y", "z"}[a], c->x + a, c->n, 3);
  put_values(j, "v", c->v, c->n, 1);
  triad_json_end(j);
}

static void put_particles(triad_json *j, const char *dir, char groups[MOST_CLOUDS][WORD], int n, cloud *c)
{
  for (int i = 0; i < n; i++) {
    source s = {.dir = dir, .name = groups[i], .c = c};
    memset(c, 0, sizeof *c);
    if (triad_guard_run(dir, read_particles, &s, c, sizeof *c) != TRIAD_OK) continue;
    (void)snprintf(c->name, WORD, "%.*s", WORD - 1, groups[i]);
    put_cloud(j, c, "particles", "speed");
  }
}

static void put_walls(triad_json *j, const char *dir, const char *file, int64_t step, cloud *c)
{
  wall_list list = {.n = 0};
  source s = {.dir = dir, .name = file, .step = step, .c = c};
  if (triad_guard_run(dir, list_walls, &s, &list, sizeof list) != TRIAD_OK) return;
  for (int i = 0; i < list.n && i < MOST_CLOUDS; i++) {
    memset(c, 0, sizeof *c);
    list.name[i][WORD - 1] = '\0';
    (void)snprintf(c->name, sizeof c->name, "%.*s", (int)sizeof list.name[i] - 1, list.name[i]);
    if (triad_guard_run(dir, read_wall, &s, c, sizeof *c) == TRIAD_OK) put_cloud(j, c, "walls", "p");
  }
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

void triad_watch_points(const char *dir, int64_t have, triad_json *j)
{
  char groups[MOST_CLOUDS][WORD], wall[1][NAME], mesh[1][NAME], file[PATH];
  int n_walls, n_meshes;
  const int n = find_groups(dir, groups);
  const int64_t wall_step = triad_watch_newest(dir, "surfaces", "surface-", ".h5", wall, 1, &n_walls);
  const int64_t mesh_step = triad_watch_newest(dir, "fields", "fields-", ".vtkhdf", mesh, 1, &n_meshes);
  int64_t stamp = wall_step + 1 + mesh_step + 1;
  qsort(groups, (size_t)n, sizeof groups[0], by_name);
  for (int i = 0; i < n; i++) {
    (void)snprintf(file, sizeof file, "%.*s.h5", WORD - 1, groups[i]);
    stamp += stamp_of(dir, "particles", file);
  }
  cloud *c = stamp > 0 && stamp != have ? calloc(1, sizeof *c) : NULL;
  if (!c) return;
  triad_json_object(j, "points", TRIAD_JSON_LINE);
  triad_json_integer(j, "stamp", stamp);
  triad_json_list(j, "clouds", TRIAD_JSON_LINE);
  put_particles(j, dir, groups, n, c);
  (void)snprintf(file, sizeof file, "surfaces/%.*s", NAME, n_walls ? wall[0] : "");
  if (n_walls) put_walls(j, dir, file, wall_step, c);
  (void)snprintf(file, sizeof file, "fields/%.*s", NAME, n_meshes ? mesh[0] : "");
  memset(c, 0, sizeof *c);
  source whole = {.dir = dir, .name = file, .step = mesh_step, .c = c};
  if (n_meshes && triad_guard_run(file, read_mesh, &whole, c, sizeof *c) == TRIAD_OK) put_cloud(j, c, "mesh", "p");
  triad_json_end(j);
  triad_json_end(j);
  triad_message_clear(); /* what cannot be read is not shown */
  free(c);
}
