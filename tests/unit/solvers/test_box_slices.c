/* What flows on points of a box share: slices of a flow that is nothing but points, with walls and stretched axes too,
 * the box and the needs of a case.   ranks: 1 3   precision: both */
#include "folder.h"
#include "families.h"

#include "solvers/box/box.h"
#include "store/hdf5/h5read.h"

enum { NX = 6, NY = 5, NZ = 4, FIELDS = 5 };

#define BASE \
  "[equations]\nsolver = \"compressible\"\n[grid]\nn = [6, 5, 4]\nlength = [3.0, 2.0, 1.0]\n" \
  "[initial]\nkind = \"uniform\"\n[time]\nend = 1\n" \
  "[output]\nslices_interval = 1\n" \
  "slices = [\"z=0.9: rho, speed, vorticity, vorticity_y, dilatation, schlieren, mach\"]\n"

static triad_case *make(const char *set)
{
  triad_case *c = NULL;
  TRIAD_CHECK(triad_case_parse(&c, "test", BASE, strlen(BASE), &set, set != NULL));
  return c;
}

/* A flow of fields that are linear in the position: differences of second order give their slopes exactly, at walls
 * and on stretched axes too. */
typedef struct points {
  triad_space space;
  triad_instant at;
} points;

static const double slope_of[FIELDS][3] = {{1, 2, -2}, {0.5, -3, 1}, {2, 0.25, -1}, {-1, 3, 0.75}, {0, 0, 0}};

static double linear(int f, const double x[3])
{
  return 1 + slope_of[f][0] * x[0] + slope_of[f][1] * x[1] + slope_of[f][2] * x[2];
}

static void values_info(const void *self, triad_values_info *info)
{
  static const triad_field_info fields[FIELDS] = {{"rho", "density", "1", TRIAD_SCALAR},
                                                  {"u", "u", "1", TRIAD_COMPONENT("velocity", 0, 0)},
                                                  {"v", "v", "1", TRIAD_COMPONENT("velocity", 1, 0)},
                                                  {"w", "w", "1", TRIAD_COMPONENT("velocity", 2, 0)},
                                                  {"p", "pressure", "1", TRIAD_SCALAR}};
  *info = (triad_values_info){FIELDS, fields, ((const points *)self)->space};
}

static int values(void *self, int number, void *out)
{
  const triad_space *s = &((const points *)self)->space;
  double x[3];
  for (int64_t i = 0; i < s->n_runs; i++) {
    triad_space_run run;
    s->kind->run(s, i, &run);
    for (int64_t k = 0; k < run.count; k++) {
      s->kind->position(s, run.global + k, x);
      ((triad_real *)out)[run.at + k * run.step] = (triad_real)linear(number, x);
    }
  }
  return TRIAD_OK;
}

static triad_instant *instant(void *self) { return &((points *)self)->at; }

static double twice_the_density(const void *self, int kind, const double *value)
{
  (void)self, (void)kind;
  return 2 * value[0];
}

static const triad_solver solver = {.instant = instant, .values_info = values_info, .values = values};

/* A dataset of the slice just written; [NY][NX]. */
static void read_back(const char *folder, const char *name, double out[NY * NX])
{
  char path[TRIAD_PATH];
  const int64_t first[2] = {0, 0}, count[2] = {NY, NX};
  triad_h5 *h5 = NULL;
  TRIAD_CHECK(triad_disk_path(path, "%s/slices/slice1-00000000.h5", folder));
  TRIAD_CHECK(triad_h5_open(&h5, path));
  TRIAD_CHECK(triad_h5_read(h5, name, 2, first, count, 8, out));
  TRIAD_CHECK(triad_h5_close(&h5, TRIAD_OK));
}

static double norm(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }

/* Values near 10 are rounded and divided by spacings of 0.1 and more: 1000 eps. */
static void check(const char *folder, const char *name, const triad_space *s, int row, double expected)
{
  double out[NY * NX], x[3] = {0, 0, triad_axis_position(&s->axis[2], row)};
  if (triad_test_comm()->rank != 0) return;
  read_back(folder, name, out);
  for (int j = 0; j < NY; j++)
    for (int i = 0; i < NX; i++) {
      x[0] = triad_axis_position(&s->axis[0], i);
      x[1] = triad_axis_position(&s->axis[1], j);
      double there = strcmp(name, "rho") == 0     ? linear(0, x)
                     : strcmp(name, "mach") == 0  ? 2 * linear(0, x)
                     : strcmp(name, "speed") == 0 ? norm(linear(1, x), linear(2, x), linear(3, x))
                                                  : expected;
      TRIAD_WITHIN(out[j * NX + i], there, 1000 * (double)TRIAD_EPSILON, name);
    }
}

/* along_z: differences along z over the slopes. */
static void show(const double *stretched, const double *edges, int closed, int64_t width, int row, double along_z)
{
  const int periodic[3] = {0, 0, closed};
  const double(*d)[3] = slope_of;
  const double turning[3] = {d[3][1] - along_z * d[2][2], along_z * d[1][2] - d[3][0], d[2][0] - d[1][1]};
  char folder[TRIAD_PATH];
  points p = {.at = {0, 0, 0}};
  triad_case *c = make(NULL);
  folder_make(folder);
  TRIAD_CHECK(triad_box_of_case(&p.space, c, periodic, width, triad_test_comm()->rank, triad_test_comm()->size));
  p.space.axis[2].at = stretched;
  p.space.axis[2].edge = edges;
  const triad_simulation sim = {triad_test_now.context, c, &solver, &p};
  TRIAD_CHECK(triad_box_slices(&sim, twice_the_density, folder, NULL));
  check(folder, "rho", &p.space, row, 0);
  check(folder, "speed", &p.space, row, 0);
  check(folder, "mach", &p.space, row, 0);
  check(folder, "vorticity", &p.space, row, norm(turning[0], turning[1], turning[2]));
  check(folder, "vorticity_y", &p.space, row, turning[1]);
  check(folder, "dilatation", &p.space, row, d[1][0] + d[2][1] + along_z * d[3][2]);
  check(folder, "schlieren", &p.space, row, norm(d[0][0], d[0][1], along_z * d[0][2]));
  triad_case_destroy(&c);
  folder_delete(folder);
}

TRIAD_TEST(slices_of_linear_fields_are_exact_up_to_the_walls)
{
  show(NULL, NULL, 0, 0, 3, 1); /* z = 0.9 of 0.125, 0.375, 0.625, 0.875 */
  show(NULL, NULL, 0, 2, 3, 1); /* fields that have halos */
}

TRIAD_TEST(slices_of_linear_fields_are_exact_on_a_stretched_axis)
{
  static const double at[NZ] = {0.05, 0.2, 0.45, 0.8}, edge[NZ + 1] = {0, 0.1, 0.3, 0.6, 1};
  show(at, edge, 0, 0, 3, 1);
  /* closed, 0.05 is next to 0.8, where the field jumps: from 0.45 on it falls by 0.4 of its slope over 0.6 */
  show(at, edge, 1, 0, 3, -0.4 / 0.6);
}

TRIAD_TEST(planes_are_moved_to_the_nearest_points)
{
  static const double at[NX] = {0.1, 0.2, 0.5, 1.0, 1.7, 2.6};
  static const struct {
    const char *set;
    int periodic, stretched;
    double at; /* NAN: it is not in the box */
  } row[] = {
    {"output.slices=[\"x=0.7: rho\"]", 1, 0, 0.5},          {"output.slices=[\"x=2.9: rho\"]", 1, 0, 0},
    {"output.slices=[\"x=-0.4: rho\"]", 1, 0, 2.5},         {"output.slices=[\"x=0.7: rho\"]", 0, 0, 0.75},
    {"output.slices=[\"x=0: rho\"]", 0, 0, 0.25},           {"output.slices=[\"x=3: rho\"]", 0, 0, 2.75},
    {"output.slices=[\"x=0.7: rho\"]", 0, 1, 0.5},          {"output.slices=[\"x=2.2: rho\"]", 0, 1, 2.6},
    {"output.slices=[\"x=2.9: rho\"]", 0, 1, 2.6},          {"output.slices=[\"x=2.9: rho\"]", 1, 1, 0.1},
    {"output.slices=[\"x=3.01: rho\"]", 0, 0, (double)NAN}, {"output.slices=[\"x=-0.4: rho\"]", 0, 0, (double)NAN}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    triad_slice list[TRIAD_SLICES];
    int n = 0, periodic[3] = {row[i].periodic, 1, 1};
    triad_space space;
    triad_case *c = make(row[i].set);
    TRIAD_CHECK(triad_box_of_case(&space, c, periodic, 0, 0, 1));
    if (row[i].stretched) space.axis[0].at = at;
    hush();
    int st = triad_box_slices_read(c, space.axis, list, &n);
    speak();
    triad_message_clear();
    TRIAD_EQUAL(st, isnan(row[i].at) ? TRIAD_ERR_CASE : TRIAD_OK, row[i].set);
    if (st == TRIAD_OK) TRIAD_WITHIN(list[0].at, row[i].at, 1e-15, row[i].set);
    triad_case_destroy(&c);
  }
}

TRIAD_TEST(the_box_of_a_case_is_divided_as_it_asks)
{
  triad_case *c = make("parallel.blocks=[1, 2, 1]");
  triad_space space;
  int64_t points_of_all = 0;
  for (int rank = 0; rank < 2; rank++) {
    TRIAD_CHECK(triad_box_of_case(&space, c, NULL, 1, rank, 2));
    TRIAD_EQUAL(space.blocks.dims[1], 2, "blocks along y");
    TRIAD_EQUAL(space.axis[0].periodic && space.axis[1].periodic && space.axis[2].periodic, 1, "without ends");
    TRIAD_EQUAL(space.blocks.halo[2], 1, "width of the halo");
    points_of_all += space.here;
  }
  TRIAD_EQUAL(points_of_all, NX * NY * NZ, "points");
  triad_needs needs = {0};
  TRIAD_CHECK(triad_box_needs(&needs, c, &space, FIELDS));
  TRIAD_EQUAL(needs.checkpoint_bytes, FIELDS * NX * NY * NZ * (int64_t)sizeof(triad_real), "bytes of a checkpoint");
  TRIAD_HOLDS(needs.slices_bytes > 7 * NX * NY * 8, "%" PRId64 " bytes of slices", needs.slices_bytes);
  triad_case_destroy(&c);
}

TRIAD_MAIN
