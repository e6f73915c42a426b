/* The table of loops for the CPU, and the loops that are short. */
#include "solvers/compressible/host/host_loops.h"
#include "solvers/compressible/state/differences.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* ---- where ---- */

static triad_real *const *vector_of(const triad_compressible *w, int number)
{
  return number == 0 ? w->u : w->stage[number - 1];
}

/* Points at either of `sides` ends of an axis of n that wait for another rank's halo, h at least. Tiles are cut there,
 * and what two tiles share is computed twice: as many points, then, as leave the fewest tiles between. */
static int64_t margin_of(int64_t n, int sides, int64_t h, int64_t tile)
{
  int64_t best = h, fewest = INT64_MAX;
  for (int64_t m = h; sides > 0 && m <= tile && sides * m < n; m++) {
    int64_t tiles = (n - sides * m + tile - 1) / tile;
    if (tiles < fewest) best = m;
    if (tiles < fewest) fewest = tiles;
  }
  return best;
}

/* Own points that are worked at while halos travel. */
static triad_box inner_box(const triad_compressible *w)
{
  static const int64_t tile[3] = {TRIAD_COMPRESSIBLE_LANES, TRIAD_COMPRESSIBLE_TILE_Y, TRIAD_COMPRESSIBLE_TILE_Z};
  const triad_partition *b = &w->blocks;
  int64_t margin[3];
  for (int i = 0; i < 3; i++) {
    int sides = 0;
    for (int upper = 0; upper < 2; upper++)
      sides += b->neighbour[i][upper] != TRIAD_NO_NEIGHBOUR && b->neighbour[i][upper] != b->rank;
    margin[i] = margin_of(b->local[i], sides, b->halo[i], tile[i]);
  }
  return triad_box_inner(b, margin);
}

/* ---- a stage ---- */

static void begin_halos(triad_compressible *w, triad_real *const *u)
{
  triad_halo_begin(w->halo, u, TRIAD_COMPRESSIBLE_FIELDS);
}

static void end_halos(triad_compressible *w) { triad_halo_end(w->halo); }

static void fill_boundaries(triad_compressible *w, triad_real *const *u, int again)
{
  (void)again;
  triad_compressible_fill(w, u);
}

static void charge_phase(triad_compressible *w, int phase)
{
  if (phase == TRIAD_COMPRESSIBLE_PHASE_RATES) triad_laps_add(&w->laps, &w->charged);
  else triad_phases_charge(&w->phases, phase, &w->charged);
}

/* Loops on the CPU follow each other at all times, and do not fail. */
static void time_apart(triad_compressible *w, int on)
{
  (void)w;
  (void)on;
}

static int settle_stage(triad_compressible *w)
{
  (void)w;
  return TRIAD_OK;
}

static int check_state(triad_compressible *w, triad_compressible_state_check *found)
{
  const triad_box own = triad_box_own(&w->blocks);
  /* with a closure the caller has made them */
  if (!triad_compressible_has_closure(w)) triad_compressible_primitives_of(w, w->u, &own);
  *found = triad_compressible_state_check_at(w, w->u);
  return TRIAD_OK;
}

/* ---- what is measured ---- */

static triad_real *const *velocity_of(const triad_compressible *w) { return w->primitive; }

static int copy_vector(const triad_compressible *w, int number, triad_real *const *to)
{
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++)
    memcpy(to[f], vector_of(w, number)[f], (size_t)w->blocks.volume * sizeof(triad_real));
  return TRIAD_OK;
}

/* Sums and extremes of this rank's points. */
static int sum_points(triad_compressible *w, triad_sum sums[TRIAD_COMPRESSIBLE_SUMS],
                      double extreme[TRIAD_COMPRESSIBLE_EXTREMES])
{
  const triad_partition *b = &w->blocks;
  const triad_compressible_differences d = triad_compressible_differences_of(w);
  for (int s = 0; s < TRIAD_COMPRESSIBLE_SUMS; s++) triad_sum_clear(&sums[s]);
  for (int e = 0; e < TRIAD_COMPRESSIBLE_EXTREMES; e++) extreme[e] = -INFINITY;
#pragma omp parallel num_threads(w->context->threads)
  {
    triad_sum mine[TRIAD_COMPRESSIBLE_SUMS];
    double most[TRIAD_COMPRESSIBLE_EXTREMES], term[TRIAD_COMPRESSIBLE_SUMS], value[TRIAD_COMPRESSIBLE_EXTREMES];
    for (int s = 0; s < TRIAD_COMPRESSIBLE_SUMS; s++) triad_sum_clear(&mine[s]);
    for (int e = 0; e < TRIAD_COMPRESSIBLE_EXTREMES; e++) most[e] = -INFINITY;
#pragma omp for collapse(2) schedule(static)
    for (int64_t z = 0; z < b->local[2]; z++)
      for (int64_t y = 0; y < b->local[1]; y++)
        for (int64_t x = 0; x < b->local[0]; x++) {
          triad_compressible_terms(&d, w->u, w->primitive, triad_partition_at(b, x, y, z), term, value);
          for (int s = 0; s < TRIAD_COMPRESSIBLE_SUMS; s++) triad_sum_add(&mine[s], term[s]);
          for (int e = 0; e < TRIAD_COMPRESSIBLE_EXTREMES; e++) most[e] = fmax(most[e], value[e]);
        }
#pragma omp critical(triad_compressible_budget)
    {
      for (int s = 0; s < TRIAD_COMPRESSIBLE_SUMS; s++) triad_sum_merge(&sums[s], &mine[s]);
      for (int e = 0; e < TRIAD_COMPRESSIBLE_EXTREMES; e++) extreme[e] = fmax(extreme[e], most[e]);
    }
  }
  return TRIAD_OK;
}

/* Points of this rank whose divergence is below `bound`. */
static int count_below(triad_compressible *w, double bound, int64_t *points)
{
  const triad_partition *b = &w->blocks;
  const triad_compressible_differences d = triad_compressible_differences_of(w);
  int64_t count = 0;
#pragma omp parallel for collapse(2) schedule(static) num_threads(w->context->threads) reduction(+ : count)
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++)
        count += triad_compressible_divergence(&d, w->primitive, triad_partition_at(b, x, y, z)) < bound;
  *points = count;
  return TRIAD_OK;
}

static int conserved_at(triad_compressible *w, int64_t n, const int64_t *at, triad_real *out)
{
  TRIAD_TRY(triad_state_read_all(w->state, TRIAD_HOST));
  for (int64_t i = 0; i < n; i++)
    for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++)
      out[f * n + i] = w->u[f][triad_compressible_own_point(w, at[i])];
  return TRIAD_OK;
}

static int64_t sent_bytes(const triad_compressible *w) { return triad_halo_bytes(w->halo, TRIAD_COMPRESSIBLE_FIELDS); }

static const char *transport_word(const triad_compressible *w)
{
  (void)w;
  return "mpi";
}

/* Their memory is the solver's own (compressible.c). */
static void free_nothing(triad_compressible *w) { (void)w; }

const triad_compressible_loops triad_compressible_host_loops = {.where = TRIAD_HOST,
                                                                .keeps_primitives = 1,
                                                                .vector = vector_of,
                                                                .inner = inner_box,
                                                                .begin = begin_halos,
                                                                .end = end_halos,
                                                                .fill = fill_boundaries,
                                                                .primitives = triad_compressible_primitives_of,
                                                                .rates = triad_compressible_tiles,
                                                                .charge = charge_phase,
                                                                .time_apart = time_apart,
                                                                .settle = settle_stage,
                                                                .check_state = check_state,
                                                                .velocity = velocity_of,
                                                                .copy = copy_vector,
                                                                .sum = sum_points,
                                                                .count = count_below,
                                                                .conserved_at = conserved_at,
                                                                .sent_bytes = sent_bytes,
                                                                .transport = transport_word,
                                                                .free = free_nothing};
