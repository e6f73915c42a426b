/* Blocks cover a grid once on any number of ranks, and halos hold what a formula says of the whole grid.
 * ranks: 1 2 3 4 8   threads: 1 2   precision: both quick: 1 */
#include "test.h"

#include "grid/fields/halo.h"

typedef struct sample {
  int64_t n[3];
  int periodic[3];
  int64_t width;
} sample;

/* uneven, flat, thin; closed in every way and open in some */
static const sample samples[] = {
  {{13, 11, 9}, {1, 1, 1}, 1},  {{16, 17, 19}, {1, 1, 1}, 2}, {{9, 26, 10}, {1, 0, 1}, 1}, {{12, 12, 25}, {0, 0, 0}, 3},
  {{33, 35, 1}, {1, 1, 1}, 4},  {{1, 24, 25}, {0, 1, 0}, 3},  {{70, 1, 1}, {1, 1, 1}, 4},  {{1, 1, 41}, {0, 0, 0}, 3},
  {{24, 24, 24}, {0, 1, 1}, 3}, {{8, 9, 10}, {1, 1, 1}, 0},
};
enum { SAMPLES = sizeof samples / sizeof *samples, FIELDS = 3 };

static const double untouched = -7;

/* The value of a field at a point of the whole grid: exact in both precisions, all different. */
static double value_at(const sample *s, int field, const int64_t at[3])
{
  return (double)(((at[2] * s->n[1] + at[1]) * s->n[0] + at[0]) * FIELDS + field);
}

/* The grid point that the local point (x, y, z) is a copy of; 0 where there is none. */
static int find_source(const triad_partition *b, const int64_t local[3], int64_t at[3])
{
  for (int i = 0; i < 3; i++) {
    at[i] = b->begin[i] + local[i];
    if (at[i] >= 0 && at[i] < b->n[i]) continue;
    if (!b->periodic[i]) return 0;
    at[i] = (at[i] + b->n[i]) % b->n[i];
  }
  return 1;
}

/* What a point must hold after an exchange of `width` points as far as `reach`. */
static double expected(const sample *s, const triad_partition *b, int64_t width, int reach, int field,
                       const int64_t local[3])
{
  int64_t at[3];
  int out = 0;
  for (int i = 0; i < 3; i++) {
    int64_t past = local[i] < 0 ? -local[i] : local[i] - b->local[i] + 1;
    if (past > width) return untouched;
    out += past > 0;
  }
  if (out > reach || !find_source(b, local, at)) return untouched;
  return value_at(s, field, at);
}

static void each_point(const triad_partition *b, void (*visit)(const int64_t local[3], void *who), void *who)
{
  int64_t p[3];
  for (p[2] = -b->halo[2]; p[2] < b->local[2] + b->halo[2]; p[2]++)
    for (p[1] = -b->halo[1]; p[1] < b->local[1] + b->halo[1]; p[1]++)
      for (p[0] = -b->halo[0]; p[0] < b->local[0] + b->halo[0]; p[0]++) visit(p, who);
}

typedef struct job {
  const sample *s;
  const triad_partition *b;
  int64_t width;
  int reach, field;
  triad_real *values;
  int64_t wrong;
} job;

static int is_own(const triad_partition *b, const int64_t p[3])
{
  int own = 1;
  for (int i = 0; i < 3; i++) own = own && p[i] >= 0 && p[i] < b->local[i];
  return own;
}

static void fill_one(const int64_t p[3], void *who)
{
  job *j = who;
  int64_t at[3];
  triad_real *v = &j->values[triad_partition_at(j->b, p[0], p[1], p[2])];
  *v = (triad_real)untouched;
  if (is_own(j->b, p) && find_source(j->b, p, at)) *v = (triad_real)value_at(j->s, j->field, at);
}

static void check_one(const int64_t p[3], void *who)
{
  job *j = who;
  double is = (double)j->values[triad_partition_at(j->b, p[0], p[1], p[2])];
  double should = expected(j->s, j->b, j->width, j->reach, j->field, p);
  if (fabs(is - should) <= 0) return;
  if (j->wrong++ == 0)
    triad_test_fail(__FILE__, __LINE__,
                    "%" PRId64 "x%" PRId64 "x%" PRId64 " in %dx%dx%d blocks, field %d, width %" PRId64
                    ", reach %d: point (%" PRId64 ", %" PRId64 ", %" PRId64 ") holds %g, not %g",
                    j->s->n[0], j->s->n[1], j->s->n[2], j->b->dims[0], j->b->dims[1], j->b->dims[2], j->field, j->width,
                    j->reach, p[0], p[1], p[2], is, should);
}

/* Exchange n_fields of FIELDS and compare every point of every one with the formula. */
static void check_exchange(const sample *s, const triad_partition *b, int64_t width, int reach, int n_fields)
{
  triad_halo *halo;
  triad_real *fields[FIELDS];
  TRIAD_CHECK(triad_halo_create_of(&halo, triad_test_context(), b, width, FIELDS, (triad_halo_reach)reach));
  for (int f = 0; f < FIELDS; f++) {
    fields[f] = calloc((size_t)b->volume, sizeof **fields);
    job fill = {.s = s, .b = b, .field = f, .values = fields[f]};
    each_point(b, fill_one, &fill);
  }
  for (int round = 0; round < 2; round++) triad_halo_exchange(halo, fields, n_fields); /* an exchange can be repeated */
  for (int f = 0; f < FIELDS; f++) {
    job check = {.s = s, .b = b, .width = f < n_fields ? width : 0, .reach = reach, .field = f, .values = fields[f]};
    each_point(b, check_one, &check);
    free(fields[f]);
  }
  triad_halo_destroy(&halo);
}

/* Every way to write the number of ranks as a product of three, where the grid can be divided so. */
static int each_division(const sample *s, void (*visit)(const sample *, const triad_partition *))
{
  const triad_comm *comm = triad_test_comm();
  int count = 0;
  for (int x = 1; x <= comm->size; x++)
    for (int y = 1; y <= comm->size / x; y++) {
      if (comm->size % (x * y)) continue;
      triad_partition b;
      const int wanted[3] = {x, y, comm->size / x / y};
      if (triad_partition_init(&b, s->n, s->periodic, s->width, comm->rank, comm->size, wanted) != TRIAD_OK) {
        triad_message_clear();
        continue;
      }
      visit(s, &b);
      count++;
    }
  return count;
}

static void check_all(const sample *s, const triad_partition *b)
{
  for (int reach = TRIAD_HALO_FACES; reach <= TRIAD_HALO_CORNERS; reach++)
    check_exchange(s, b, s->width, reach, FIELDS);
  if (s->width > 1) check_exchange(s, b, s->width - 1, TRIAD_HALO_EDGES, FIELDS - 1);
}

/* With halos along divided axes alone; as any rank sees them, any other does. */
static void check_divided(const sample *s, const triad_partition *b)
{
  const triad_partition mine = triad_partition_divided(b, b->rank);
  int64_t volume = 1, told = 0;
  for (int i = 0; i < 3; i++) volume *= b->local[i] + (b->dims[i] > 1 ? 2 * b->halo[i] : 0);
  TRIAD_EQUAL(mine.volume, volume, "points with halos");
  for (int reach = TRIAD_HALO_FACES; reach <= TRIAD_HALO_CORNERS; reach++)
    check_exchange(s, &mine, s->width, reach, FIELDS);
  for (int r = 0; r < b->size; r++) {
    const triad_partition other = triad_partition_divided(b, r);
    const int64_t seen[3] = {other.volume, other.origin, other.stride[2]};
    int64_t is[3] = {mine.volume, mine.origin, mine.stride[2]};
    TRIAD_CHECK(TRIAD_MPI(MPI_Bcast(is, 3, MPI_INT64_T, r, triad_test_comm()->mpi)));
    told += memcmp(is, seen, sizeof is) == 0;
  }
  TRIAD_EQUAL(told, b->size, "ranks whose memory is as others see it");
}

TRIAD_TEST(halos_hold_the_neighbours_values_on_every_rank_grid)
{
  for (int i = 0; i < SAMPLES; i++)
    TRIAD_HOLDS(each_division(&samples[i], check_all) > 0, "sample %d is never divided", i);
}

TRIAD_TEST(halos_along_divided_axes_hold_them_too)
{
  for (int i = 0; i < SAMPLES; i++) (void)each_division(&samples[i], check_divided);
}

/* The exchange returns while messages travel, and what a solver does to points that are not sent does no harm. */
TRIAD_TEST(halo_points_are_written_by_the_end_only_from_values_at_the_beginning)
{
  const sample *s = &samples[1];
  const triad_comm *comm = triad_test_comm();
  triad_partition b;
  triad_halo *halo;
  TRIAD_CHECK(triad_partition_init(&b, s->n, s->periodic, s->width, comm->rank, comm->size, NULL));
  TRIAD_CHECK(triad_halo_create_of(&halo, triad_test_context(), &b, s->width, 1, TRIAD_HALO_EDGES));
  triad_real *field = calloc((size_t)b.volume, sizeof *field);
  job j = {.s = s, .b = &b, .width = s->width, .reach = TRIAD_HALO_EDGES, .field = 0, .values = field};
  each_point(&b, fill_one, &j);
  triad_halo_progress(halo); /* before begin: nothing */
  triad_halo_begin(halo, &field, 1);
  int64_t middle = triad_partition_at(&b, b.local[0] / 2, b.local[1] / 2, b.local[2] / 2);
  triad_real was = field[middle];
  field[middle] = 0;
  for (int i = 0; i < 3; i++) triad_halo_progress(halo);
  triad_halo_end(halo);
  field[middle] = was;
  each_point(&b, check_one, &j);
  free(field);
  triad_halo_destroy(&halo);
}

TRIAD_TEST(blocks_cover_the_grid_once)
{
  for (int i = 0; i < SAMPLES; i++)
    for (int size = 1; size <= 12; size++) {
      const sample *s = &samples[i];
      triad_partition b;
      int64_t points = s->n[0] * s->n[1] * s->n[2];
      char *seen = calloc((size_t)points, 1);
      int dealt = 1;
      for (int r = 0; r < size && dealt; r++) {
        dealt = triad_partition_init(&b, s->n, s->periodic, s->width, r, size, NULL) == TRIAD_OK;
        if (!dealt) continue;
        TRIAD_EQUAL(b.dims[0] * b.dims[1] * b.dims[2], size, "blocks");
        for (int64_t z = b.begin[2]; z < b.begin[2] + b.local[2]; z++)
          for (int64_t y = b.begin[1]; y < b.begin[1] + b.local[1]; y++)
            for (int64_t x = b.begin[0]; x < b.begin[0] + b.local[0]; x++) seen[(z * s->n[1] + y) * s->n[0] + x]++;
        for (int a = 0; a < 3; a++)
          TRIAD_HOLDS(b.local[a] >= s->width || s->n[a] == 1, "a block of %" PRId64 " points along axis %d", b.local[a],
                      a);
      }
      for (int64_t p = 0; p < points && dealt; p++)
        if (seen[p] != 1) {
          TRIAD_EQUAL(seen[p], 1, "owners of a point");
          break;
        }
      triad_message_clear();
      free(seen);
    }
}

/* Own points of the largest block and those across its faces that others own, counted one by one. */
static int64_t count_work(const triad_partition *b)
{
  int64_t most = 0;
  for (int r = 0; r < b->size; r++) {
    triad_partition mine;
    int64_t work = 0, p[3];
    TRIAD_CHECK(triad_partition_init(&mine, b->n, b->periodic, b->halo[0], r, b->size, b->dims));
    for (p[2] = -mine.halo[2]; p[2] < mine.local[2] + mine.halo[2]; p[2]++)
      for (p[1] = -mine.halo[1]; p[1] < mine.local[1] + mine.halo[1]; p[1]++)
        for (p[0] = -mine.halo[0]; p[0] < mine.local[0] + mine.halo[0]; p[0]++) {
          int out = 0, other = 0;
          for (int i = 0; i < 3; i++) {
            int beyond = p[i] < 0 ? 1 : p[i] >= mine.local[i] ? 2 : 0;
            out += beyond > 0;
            if (beyond) other = mine.neighbour[i][beyond - 1] != r && mine.neighbour[i][beyond - 1] >= 0;
          }
          work += out == 0 || (out == 1 && other);
        }
    if (work > most) most = work;
  }
  return most;
}

TRIAD_TEST(no_division_has_less_to_compute_and_receive)
{
  const int64_t n[][3] = {{16, 16, 16}, {12, 20, 31}, {40, 9, 9}, {9, 40, 12}, {30, 25, 1}};
  for (int i = 0; i < 5 * 2; i++)
    for (int size = 1; size <= 12; size++) {
      triad_partition best, b;
      const int closed[3] = {i % 2, 1, i % 2};
      if (triad_partition_init(&best, n[i / 2], closed, 2, 0, size, NULL) != TRIAD_OK) continue; /* 11 on 16^3 */
      int64_t least = count_work(&best);
      for (int x = 1; x <= size; x++)
        for (int y = 1; y <= size / x; y++) {
          const int dims[3] = {x, y, size / x / y};
          if (size % (x * y) || triad_partition_init(&b, n[i / 2], closed, 2, 0, size, dims) != TRIAD_OK) continue;
          TRIAD_HOLDS(count_work(&b) >= least, "%dx%dx%d blocks take %" PRId64 ", the chosen %dx%dx%d %" PRId64, x, y,
                      dims[2], count_work(&b), best.dims[0], best.dims[1], best.dims[2], least);
        }
      triad_message_clear();
    }
}

TRIAD_TEST(blocks_have_the_least_surface)
{
  const struct {
    int64_t n[3];
    int size, dims[3];
  } known[] = {{{64, 64, 64}, 27, {3, 3, 3}}, {{64, 64, 64}, 2, {1, 1, 2}},   {{256, 64, 64}, 4, {4, 1, 1}},
               {{64, 256, 64}, 4, {1, 4, 1}}, {{512, 512, 1}, 16, {4, 4, 1}}, {{200, 1, 1}, 7, {7, 1, 1}},
               {{64, 64, 64}, 1, {1, 1, 1}}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    triad_partition b;
    TRIAD_CHECK(triad_partition_init(&b, known[i].n, (const int[3]){1, 1, 1}, 4, 0, known[i].size, NULL));
    for (int a = 0; a < 3; a++) TRIAD_EQUAL(b.dims[a], known[i].dims[a], "blocks along an axis");
  }
}

TRIAD_TEST(what_cannot_be_divided_is_refused_with_advice)
{
  triad_partition b;
  const int closed[3] = {1, 1, 1};
  TRIAD_FAILS(triad_partition_init(&b, (const int64_t[3]){16, 16, 1}, closed, 4, 0, 17, NULL), TRIAD_ERR_CASE,
              "use 16 ranks");
  TRIAD_FAILS(triad_partition_init(&b, (const int64_t[3]){16, 2, 1}, closed, 4, 0, 1, NULL), TRIAD_ERR_CASE,
              "2 points along y are fewer than the 4");
  TRIAD_FAILS(triad_partition_init(&b, (const int64_t[3]){16, 16, 16}, closed, 4, 0, 4, (const int[3]){3, 0, 0}),
              TRIAD_ERR_CASE, "parallel.blocks");
}

TRIAD_TEST(bytes_sent_are_those_of_the_faces)
{
  const triad_comm *comm = triad_test_comm();
  triad_partition b;
  triad_halo *halo;
  TRIAD_CHECK(triad_partition_init(&b, (const int64_t[3]){10, 12, 32}, (const int[3]){1, 1, 1}, 3, comm->rank,
                                   comm->size, (const int[3]){1, 1, comm->size}));
  TRIAD_CHECK(triad_halo_create_of(&halo, triad_test_context(), &b, 3, 5, TRIAD_HALO_FACES));
  int64_t reals = comm->size == 1 ? 0 : 2 * 3 * 10 * 12 * 5;
  TRIAD_EQUAL(triad_halo_bytes(halo, 5), reals * (int64_t)sizeof(triad_real), "bytes sent");
  triad_halo_destroy(&halo);
}

TRIAD_MAIN
