/* Mark the cells of boxes and of random cubes as solid. */
#include "solvers/staggered/plain/solids.h"

#include "base/random.h"
#include "solvers/staggered/case/part.h"

#include <stdio.h>
#include <stdlib.h>

enum { CUBES_STREAM = 0x534f4c49 /* random numbers for nothing else */, ATTEMPTS = 1000 /* a cube */ };

int triad_staggered_has_solids(const triad_case *given, double t)
{
  double release = triad_case_real(given, "solids.release");
  return !triad_case_is(given, "solids.kind", "none") && !(release > 0 && t >= release);
}

/* "case.toml:4: " and the like, where a key was given. */
static const char *place_of(const triad_case *given, const char *key, char text[160])
{
  char origin[128];
  snprintf(text, 160, "%s: ", triad_case_origin(given, key, origin, sizeof origin));
  return text;
}

/* Cells first .. first + count - 1 along each axis, continued at the beginning of a periodic axis. */
typedef struct body {
  int64_t first[3], count[3];
} body;

/* Mark its cells one by one: there may be hundreds of bodies, each small compared with the grid. */
static void mark_body(const triad_partition *b, const body *s, uint8_t *solid)
{
  int64_t own[3], at[3];
  for (at[2] = 0; at[2] < s->count[2]; at[2]++)
    for (at[1] = 0; at[1] < s->count[1]; at[1]++)
      for (at[0] = 0; at[0] < s->count[0]; at[0]++) {
        int here = 1;
        for (int a = 0; a < 3; a++) {
          own[a] = (s->first[a] + at[a]) % b->n[a] - b->begin[a];
          here = here && own[a] >= 0 && own[a] < b->local[a];
        }
        if (here) solid[(own[2] * b->local[1] + own[1]) * b->local[0] + own[0]] = 1;
      }
}

/* ---- boxes ---- */

static int check_box(const triad_case *given, const triad_partition *b, const body *s, int number)
{
  char text[160];
  for (int a = 0; a < 3; a++) {
    int64_t end = s->first[a] + s->count[a];
    if (s->count[a] < 1 || s->first[a] >= b->n[a] || (!b->periodic[a] && end > b->n[a]))
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%ssolids.boxes: box %d has cells %lld to %lld along %c, outside the grid, 0 to %lld: move it, "
                        "or make it smaller",
                        place_of(given, "solids.boxes", text), number, (long long)s->first[a], (long long)end - 1,
                        "xyz"[a], (long long)b -> n[a] - 1);
    if (b->periodic[a] && s->count[a] > b->n[a])
      return TRIAD_FAIL(
        TRIAD_ERR_CASE,
        "%ssolids.boxes: box %d overlaps its own periodic image along %c: it has %lld cells of %lld; use fewer",
        place_of(given, "solids.boxes", text), number, "xyz"[a], (long long)s -> count[a], (long long)b -> n[a]);
  }
  return TRIAD_OK;
}

static int boxes(const triad_case *given, const triad_partition *b, uint8_t *solid)
{
  char text[160];
  double list[TRIAD_STAGGERED_BOXES * TRIAD_STAGGERED_BOX];
  int n = triad_case_list(given, "solids.boxes", list, TRIAD_STAGGERED_BOXES * TRIAD_STAGGERED_BOX);
  for (int i = 0; i < n / TRIAD_STAGGERED_BOX; i++) {
    body s;
    for (int j = 0; j < TRIAD_STAGGERED_BOX; j++) {
      double value = list[i * TRIAD_STAGGERED_BOX + j];
      if (value > floor(value) || value > 1e9)
        return TRIAD_FAIL(TRIAD_ERR_CASE, "%ssolids.boxes: %g of box %d is not a whole number of cells",
                          place_of(given, "solids.boxes", text), value, i);
      (j < 3 ? s.first : s.count)[j % 3] = (int64_t)value;
    }
    TRIAD_TRY(check_box(given, b, &s, i));
    if (solid) mark_body(b, &s, solid);
  }
  return TRIAD_OK;
}

/* ---- random cubes ---- */

static int overlap(const triad_partition *b, const body *s, const body *t)
{
  for (int a = 0; a < 3; a++) {
    int64_t ahead = (t->first[a] - s->first[a] + b->n[a]) % b->n[a],
            behind = (s->first[a] - t->first[a] + b->n[a]) % b->n[a];
    if (ahead >= s->count[a] && behind >= t->count[a]) return 0;
  }
  return 1;
}

/* Draw number `draw` of places: the first cell of a cube, which may lie across a periodic boundary, not beyond
 * another. */
static body place_body(const triad_partition *b, uint64_t key, int64_t side, uint32_t draw)
{
  body s;
  triad_bits low = triad_random_bits(key, 0, 0, 0, draw), high = triad_random_bits(key, 1, 0, 0, draw);
  const double part[3] = {triad_random_uniform(low, 0), triad_random_uniform(low, 1), triad_random_uniform(high, 0)};
  for (int a = 0; a < 3; a++) {
    s.count[a] = b->n[a] > 1 ? side : 1;
    s.first[a] = (int64_t)(part[a] * (double)(b->periodic[a] ? b->n[a] : b->n[a] - s.count[a] + 1));
  }
  return s;
}

static int fits_beside(const triad_partition *b, const body *list, int64_t n, const body *s)
{
  for (int64_t i = 0; i < n; i++)
    if (overlap(b, &list[i], s)) return 0;
  return 1;
}

static int cubes(const triad_case *given, const triad_partition *b, uint8_t *solid)
{
  int64_t count = triad_case_integer(given, "solids.count"), side = triad_case_integer(given, "solids.side"), n = 0;
  uint64_t key = triad_random_key((uint64_t)triad_case_integer(given, "solids.seed"), CUBES_STREAM);
  char text[160];
  int together = triad_case_flag(given, "solids.overlap");
  for (int a = 0; a < 3; a++)
    if (b->n[a] > 1 && side >= b->n[a])
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%ssolids.side = %lld: a cube overlaps its own periodic image along %c, which has %lld cells: "
                        "use a smaller side",
                        place_of(given, "solids.side", text), (long long)side, "xyz"[a], (long long)b -> n[a]);
  body *list = calloc((size_t)count, sizeof *list);
  if (!list) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld cubes", (long long)count);
  for (int64_t draw = 0; n < count && draw < count * ATTEMPTS; draw++) {
    list[n] = place_body(b, key, side, (uint32_t)draw);
    if (together || fits_beside(b, list, n, &list[n])) n++;
  }
  for (int64_t i = 0; solid && i < n; i++) mark_body(b, &list[i], solid);
  free(list);
  if (n == count) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE,
                    "%ssolids.count = %lld: only %lld cubes of %lld cells fit without overlap: use fewer or smaller "
                    "cubes, or solids.overlap = true",
                    place_of(given, "solids.count", text), (long long)count, (long long)n, (long long)side);
}

int triad_staggered_solids(const triad_case *given, const triad_partition *b, uint8_t *solid)
{
  if (triad_case_is(given, "solids.kind", "boxes")) return boxes(given, b, solid);
  return triad_case_is(given, "solids.kind", "random-cubes") ? cubes(given, b, solid) : TRIAD_OK;
}
