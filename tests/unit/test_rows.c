/* Fields of blocks become whole rows and come back, on any rank grid and for any deal of the rows.
 * ranks: 1 2 3 4 8   precision: both */
#include "test.h"

#include "grid/layout.h"
#include "grid/rows.h"

typedef struct sample {
  int64_t n[3];
  int64_t width;
} sample;

static const sample samples[] = {{{13, 11, 9}, 1}, {{16, 17, 1}, 2}, {{70, 1, 1}, 4}, {{1, 1, 41}, 3}, {{1, 24, 25}, 3}};
enum { SAMPLES = sizeof samples / sizeof *samples };

static triad_real value_at(int64_t row, int64_t x, int64_t nx) { return (triad_real)(row * nx + x + 1); }

/* Gather what a formula put at the points, compare the rows with it; scatter the rows, compare the points. */
static void check(const triad_partition *b, const int64_t *first)
{
  triad_rows *rows;
  const triad_real halo = -1;
  TRIAD_CHECK(triad_rows_create(&rows, triad_test_context(), b, first));
  int64_t count = triad_rows_count(rows), begin = triad_rows_first(rows), wrong = 0;
  if (first) TRIAD_EQUAL(begin, first[triad_test_comm()->rank], "first row");
  triad_real *field = calloc((size_t)b->volume, sizeof *field), *all = calloc((size_t)(count * b->n[0]) + 1, sizeof *all);
  for (int64_t i = 0; i < b->volume; i++) field[i] = halo;
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++)
        field[triad_partition_at(b, x, y, z)] =
            value_at((b->begin[2] + z) * b->n[1] + b->begin[1] + y, b->begin[0] + x, b->n[0]);
  TRIAD_CHECK(triad_rows_gather(rows, b, field, all));
  for (int64_t i = 0; i < count; i++)
    for (int64_t x = 0; x < b->n[0]; x++) wrong += fabs((double)(all[i * b->n[0] + x] - value_at(begin + i, x, b->n[0]))) > 0;
  TRIAD_EQUAL(wrong, 0, "values that are wrong in rows");
  triad_real *back = calloc((size_t)b->volume, sizeof *back);
  for (int64_t i = 0; i < b->volume; i++) back[i] = halo;
  TRIAD_CHECK(triad_rows_scatter(rows, all, b, back));
  TRIAD_EQUAL(memcmp(field, back, (size_t)b->volume * sizeof *field), 0, "fields that came back differ");
  free(field);
  free(all);
  free(back);
  triad_rows_destroy(&rows);
}

TRIAD_TEST(rows_hold_the_points_and_give_them_back)
{
  const triad_comm *comm = triad_test_comm();
  int64_t *first = calloc((size_t)comm->size + 1, sizeof *first);
  for (int i = 0; i < SAMPLES; i++)
    for (int x = 1; x <= comm->size; x++)
      for (int y = 1; y <= comm->size / x; y++) {
        const sample *s = &samples[i];
        const int dims[3] = {x, y, comm->size / x / y}, closed[3] = {1, 0, 1};
        triad_partition b;
        if (comm->size % (x * y) ||
            triad_partition_init(&b, s->n, closed, s->width, comm->rank, comm->size, dims) != TRIAD_OK) {
          triad_message_clear();
          continue;
        }
        check(&b, NULL);
        for (int r = 0; r <= comm->size; r++) first[r] = triad_deal(s->n[2], r, comm->size) * s->n[1]; /* whole planes */
        check(&b, first);
        for (int r = 0; r <= comm->size; r++) first[r] = r == 0 ? 0 : s->n[1] * s->n[2]; /* all on one rank */
        check(&b, first);
      }
  free(first);
}

TRIAD_MAIN
