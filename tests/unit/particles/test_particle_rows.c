/* Particles that go to their ranks, and into the order of their numbers. ranks: 1 3 quick: 1 */
#include "test.h"
#include "solvers/particles/exchange.h"

#include "solvers/spectral/plain/groups.h"

#include <inttypes.h>
#include <stdlib.h>

/* More than a rank sends at once, of three ranks too. */
enum { MANY = 3 * TRIAD_ROWS_AT_ONCE + 17, WIDTH = TRIAD_TRACER_WIDTH };

/* All in the first eighth of the box along z: its owner gets all, the others none. */
static double z_of(int64_t id) { return (double)(id % 1001) / 1001 / 8; }

static int aside(void *self, const triad_group *g, int64_t begin, int64_t end, double *rows)
{
  int64_t *asked = self;
  *asked += end - begin;
  for (int64_t i = begin; i < end; i++, rows += g->width) {
    rows[TRIAD_PARTICLE_X] = (double)i;
    rows[TRIAD_PARTICLE_X + 2] = z_of(i);
  }
  return TRIAD_OK;
}

static int none(void *self, const triad_group *g, int64_t begin, int64_t end, double *rows)
{
  (void)self, (void)g, (void)begin, (void)end, (void)rows;
  return triad_test_comm()->rank == triad_test_comm()->size - 1 ? TRIAD_FAIL(TRIAD_ERR_IO, "no place for them")
                                                                : TRIAD_OK;
}

typedef struct box {
  const triad_context *context;
  triad_layout *layout;
  triad_group group;
} box;

static box make(void)
{
  box b = {.group = {.name = "all", .count = MANY, .width = WIDTH}};
  triad_grid grid;
  b.context = triad_test_context();
  TRIAD_CHECK(triad_grid_init(&grid, (const int64_t[3]){8, 8, 8}, (const double[3]){1, 1, 1}, TRIAD_SPHERE));
  TRIAD_CHECK(triad_layout_create(&b.layout, &grid, triad_test_comm()->rank, triad_test_comm()->size, 1));
  return b;
}

static void drop(box *b)
{
  triad_group_destroy(&b->group, b->context->memory);
  triad_layout_destroy(&b->layout);
}

TRIAD_TEST(all_come_to_the_owner_of_their_plane_once)
{
  box b = make();
  const triad_comm *comm = triad_test_comm();
  int64_t asked = 0, n = 0;
  TRIAD_CHECK(triad_group_take(&b.group, b.context, b.layout, aside, &asked));
  assert_int_equal(asked, triad_deal(MANY, comm->rank + 1, comm->size) - triad_deal(MANY, comm->rank, comm->size));
  assert_int_equal(b.group.n, comm->rank == 0 ? MANY : 0);
  char *seen = calloc(MANY, 1);
  for (int64_t i = 0; i < b.group.n; i++) {
    const double *r = triad_group_record(&b.group, i);
    const int64_t id = (int64_t)r[TRIAD_PARTICLE_ID];
    TRIAD_HOLDS(id >= 0 && id < MANY && !seen[id], "number %" PRId64, id);
    TRIAD_HOLDS(r[TRIAD_PARTICLE_X] == (double)id && r[TRIAD_PARTICLE_X + 2] == z_of(id),
                "particle %" PRId64 " is elsewhere", id);
    for (int k = 4; k < WIDTH; k++) TRIAD_HOLDS(r[k] == 0, "particle %" PRId64 " has %g", id, r[k]);
    seen[id] = 1;
    n++;
  }
  assert_int_equal(n, b.group.n);
  free(seen);
  drop(&b);
}

TRIAD_TEST(rows_come_by_number_wherever_they_were)
{
  const triad_comm *comm = triad_test_comm();
  const int64_t n = comm->rank == 0 ? MANY : 0; /* the last number first */
  int64_t first, count;
  double *rows = malloc((size_t)(n * 3 + 1) * sizeof *rows), *out;
  for (int64_t i = 0; i < n; i++) {
    const int64_t id = MANY - 1 - i;
    rows[3 * i] = (double)id;
    rows[3 * i + 1] = 2. * (double)id;
    rows[3 * i + 2] = -(double)id;
  }
  TRIAD_CHECK(triad_particles_by_number(comm, MANY, 2, n, rows, &out, &first, &count));
  assert_int_equal(first, triad_deal(MANY, comm->rank, comm->size));
  for (int64_t k = 0; k < count; k++)
    TRIAD_HOLDS(out[2 * k] == 2. * (double)(first + k) && out[2 * k + 1] == -(double)(first + k), "row %" PRId64,
                first + k);
  free(out);
  free(rows);
}

TRIAD_TEST(what_one_rank_cannot_place_ends_it_on_all)
{
  box b = make();
  assert_int_equal(triad_group_take(&b.group, b.context, b.layout, none, NULL), TRIAD_ERR_IO);
  drop(&b);
}

TRIAD_MAIN
