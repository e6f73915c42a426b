/* Who owns what: planes, columns and modes are each held once, and counted right, on any grid and any rank count.
 * A layout is made for any (rank, size) without messages, so one rank sees them all.   ranks: 1 quick: 1 */
#include "test.h"

#include "grid/layout_split.h"
#include "grid/shells.h"

typedef struct sample {
  int64_t n[3];
  triad_truncation truncation;
} sample;

/* odd, even, anisotropic, flat and tiny grids */
static const sample samples[] = {
  {{16, 16, 16}, TRIAD_SPHERE}, {{16, 16, 16}, TRIAD_BOX},  {{16, 16, 16}, TRIAD_NONE}, {{15, 9, 21}, TRIAD_SPHERE},
  {{15, 9, 21}, TRIAD_NONE},    {{24, 10, 7}, TRIAD_BOX},   {{8, 12, 5}, TRIAD_NONE},   {{12, 5, 8}, TRIAD_NONE},
  {{5, 8, 12}, TRIAD_NONE},     {{32, 4, 1}, TRIAD_SPHERE}, {{1, 16, 12}, TRIAD_NONE},  {{16, 1, 4}, TRIAD_NONE},
  {{2, 2, 2}, TRIAD_NONE},      {{1, 1, 1}, TRIAD_NONE},    {{1, 1, 1}, TRIAD_SPHERE},  {{3, 3, 3}, TRIAD_BOX},
};
enum { SAMPLES = sizeof samples / sizeof *samples };
static const int sizes[] = {1, 2, 3, 5, 7, 40};
enum { SIZES = sizeof sizes / sizeof *sizes };

static triad_grid grid_of(const sample *s)
{
  triad_grid grid;
  TRIAD_CHECK(triad_grid_init(&grid, s->n, (double[]){1, 2, 3}, s->truncation));
  return grid;
}

static triad_layout *layout_of(const sample *s, int rank, int size, int64_t lanes)
{
  triad_grid grid = grid_of(s);
  triad_layout *layout = NULL;
  TRIAD_CHECK(triad_layout_create(&layout, &grid, rank, size, lanes));
  return layout;
}

/* "16x16x16 sphere", for messages. */
static const char *name_of(const sample *s)
{
  static char text[96];
  static const char *const words[] = {"sphere", "box", "none"};
  (void)snprintf(text, sizeof text, "%" PRId64 "x%" PRId64 "x%" PRId64 " %s", s->n[0], s->n[1], s->n[2],
                 words[s->truncation]);
  return text;
}

/* Modes of the grid that the truncation keeps, both signs of every wavenumber, Nyquist ones once. */
static int64_t count_kept(const triad_grid *g)
{
  int64_t count = 0;
  for (int64_t kx = -((g->n[0] - 1) / 2); kx <= g->n[0] / 2; kx++)
    for (int64_t ky = -((g->n[1] - 1) / 2); ky <= g->n[1] / 2; ky++)
      for (int64_t kz = -((g->n[2] - 1) / 2); kz <= g->n[2] / 2; kz++) count += triad_grid_keeps(g, kx, ky, kz);
  return count;
}

TRIAD_TEST(dealing_is_even_complete_and_in_order)
{
  const int64_t counts[] = {0, 1, 2, 7, 64, 1000, INT64_C(1) << 40};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (int size = 1; size <= 1 << 20; size = 3 * size + 1) {
      int64_t least = counts[i] / size, most = (counts[i] + size - 1) / size;
      TRIAD_EQUAL(triad_deal(counts[i], 0, size), 0, "first of rank 0");
      TRIAD_EQUAL(triad_deal(counts[i], size, size), counts[i], "end of the last rank");
      for (int r = 0; r < size; r += 1 + size / 100) {
        int64_t share = triad_deal(counts[i], r + 1, size) - triad_deal(counts[i], r, size);
        TRIAD_HOLDS(share == least || share == most, "rank %d of %d has %" PRId64 " of %" PRId64, r, size, share,
                    counts[i]);
      }
    }
}

TRIAD_TEST(every_plane_has_one_owner)
{
  for (int i = 0; i < SAMPLES; i++)
    for (int s = 0; s < SIZES; s++) {
      int64_t next = 0;
      for (int r = 0; r < sizes[s]; r++) {
        triad_layout *l = layout_of(&samples[i], r, sizes[s], 4);
        TRIAD_EQUAL(l->plane_begin[r], next, name_of(&samples[i]));
        TRIAD_EQUAL(l->plane_begin[r] + l->n_planes, l->plane_begin[r + 1], name_of(&samples[i]));
        next = l->plane_begin[r + 1];
        triad_layout_destroy(&l);
      }
      TRIAD_EQUAL(next, samples[i].n[2], name_of(&samples[i]));
    }
}

TRIAD_TEST(weights_count_every_kept_mode_once)
{
  for (int i = 0; i < SAMPLES; i++)
    for (int s = 0; s < SIZES; s++) {
      triad_grid grid = grid_of(&samples[i]);
      int64_t modes = 0;
      for (int r = 0; r < sizes[s]; r++) {
        triad_layout *l = layout_of(&samples[i], r, sizes[s], 4);
        for (int64_t c = 0; c < l->n_blocks * l->lanes; c++)
          for (int64_t j = 0; j < l->nkz; j++) {
            int64_t kz = l->kz[j];
            if ((kz < 0 ? -kz : kz) <= l->kz_extent[c]) modes += (int64_t)l->weight[c];
          }
        triad_layout_destroy(&l);
      }
      TRIAD_EQUAL(modes, count_kept(&grid), name_of(&samples[i]));
    }
}

TRIAD_TEST(extent_of_a_column_is_where_the_truncation_ends)
{
  for (int i = 0; i < SAMPLES; i++) {
    triad_layout *l = layout_of(&samples[i], 0, 1, 8);
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        int kept = triad_grid_keeps(&l->grid, l->kx[c], l->ky[c], l->kz[j]);
        TRIAD_EQUAL((l->kz[j] < 0 ? -l->kz[j] : l->kz[j]) <= l->kz_extent[c], kept, name_of(&samples[i]));
      }
    triad_layout_destroy(&l);
  }
}

TRIAD_TEST(ranks_together_hold_the_columns_of_one_rank_in_order)
{
  for (int i = 0; i < SAMPLES; i++) {
    triad_layout *whole = layout_of(&samples[i], 0, 1, 1);
    for (int s = 1; s < SIZES; s++) {
      int64_t column = 0;
      for (int r = 0; r < sizes[s]; r++) {
        triad_layout *part = layout_of(&samples[i], r, sizes[s], 4);
        for (int64_t c = 0; c < part->n_columns && column < whole->n_columns; c++, column++) {
          TRIAD_EQUAL(part->kx[c], whole->kx[column], name_of(&samples[i]));
          TRIAD_EQUAL(part->ky[c], whole->ky[column], name_of(&samples[i]));
          TRIAD_NEAR(part->weight[c], whole->weight[column], 0, name_of(&samples[i]));
        }
        triad_layout_destroy(&part);
      }
      TRIAD_EQUAL(column, whole->n_columns, name_of(&samples[i]));
    }
    triad_layout_destroy(&whole);
  }
}

/* ---- groups of ranks that share planes ---- */

static const int splits[][2] = {{2, 2}, {6, 2}, {6, 3}, {6, 6}, {12, 4}, {24, 3}, {24, 12}, {7, 7}, {40, 5}};
enum { SPLITS = sizeof splits / sizeof *splits };

static triad_layout *split_of(const sample *s, int rank, const int split[2])
{
  triad_grid grid = grid_of(s);
  triad_layout *layout = NULL;
  TRIAD_CHECK(triad_layout_create_split(&layout, &grid, rank, split[0], split[1], 4));
  return layout;
}

TRIAD_TEST(groups_hold_each_column_once_and_all_ranks_know_where)
{
  for (int i = 0; i < SAMPLES; i++) {
    triad_layout *whole = layout_of(&samples[i], 0, 1, 1);
    for (int s = 0; s < SPLITS; s++) {
      triad_layout *other = split_of(&samples[i], splits[s][0] - 1, splits[s]);
      int64_t held = 0, wrong = 0;
      for (int r = 0; r < splits[s][0]; r++) {
        triad_layout *l = split_of(&samples[i], r, splits[s]);
        wrong += triad_layout_columns_of(other, r) != l->n_columns;
        for (int64_t c = 0; c < l->n_columns; c++, held++) {
          int64_t number = triad_layout_number(l, c), local = -1;
          wrong += triad_layout_owner(other, number, &local) != r || local != c || triad_layout_local(l, number) != c;
          wrong += l->kx[c] != whole->kx[number] || l->ky[c] != whole->ky[number] ||
                   l->kz_extent[c] != whole->kz_extent[number];
          wrong += c > 0 && number <= triad_layout_number(l, c - 1);
        }
        for (int64_t n = 0; r == 0 && n < l->all_columns; n++) { /* of another's there is no local number */
          int64_t local = -1;
          wrong += (triad_layout_owner(other, n, &local) == 0) != (triad_layout_local(l, n) >= 0);
        }
        triad_layout_destroy(&l);
      }
      TRIAD_EQUAL(held, whole->all_columns, name_of(&samples[i]));
      TRIAD_EQUAL(wrong, 0, name_of(&samples[i]));
      triad_layout_destroy(&other);
    }
    triad_layout_destroy(&whole);
  }
}

TRIAD_TEST(groups_have_each_row_of_points_once_and_pairs_are_not_cut)
{
  for (int i = 0; i < SAMPLES; i++)
    for (int s = 0; s < SPLITS; s++) {
      const int64_t ny = samples[i].n[1], nz = samples[i].n[2];
      unsigned char *seen = calloc((size_t)(ny * nz), 1);
      int64_t wrong = 0, points = 0;
      if (!seen) TRIAD_CHECK(TRIAD_ERR_MEMORY);
      for (int r = 0; r < splits[s][0]; r++) {
        triad_layout *l = split_of(&samples[i], r, splits[s]);
        wrong += l->first_y % 2 != 0 && l->n_y > 0;
        points += triad_layout_points(l);
        for (int64_t z = l->first_plane; z < l->first_plane + l->n_planes; z++)
          for (int64_t y = l->first_y; y < l->first_y + l->n_y; y++) {
            wrong += seen[z * ny + y]++ != 0;
            wrong += triad_layout_row(l, y, z) < 0 || triad_layout_row(l, y, z) + l->grid.n[0] > triad_layout_points(l);
          }
        triad_layout_destroy(&l);
      }
      TRIAD_EQUAL(wrong, 0, name_of(&samples[i]));
      TRIAD_EQUAL(points, samples[i].n[0] * ny * nz, name_of(&samples[i]));
      free(seen);
    }
}

/* Of the sphere at 256^3 kx = 1 has some 170 columns and kx = 85 one: members still have columns within 6 percent, and
 * lines within one deal. */
TRIAD_TEST(members_of_a_group_have_lines_and_columns_alike)
{
  const sample s = {{256, 256, 256}, TRIAD_SPHERE};
  for (int group = 2; group <= 4; group++) {
    const int split[2] = {2 * group, group};
    for (int r = 0; r < 2 * group; r++) {
      triad_layout *l = split_of(&s, r, split);
      const double even = (double)l->all_columns / split[0], lines = (double)(l->grid.kmax[0] + 1) / group;
      TRIAD_WITHIN((double)l->n_columns / even, 1, 0.06, "columns of a rank over the mean");
      TRIAD_WITHIN((double)triad_split_lines(l->split, l->member), lines, 4, "lines of a member");
      triad_layout_destroy(&l);
    }
  }
}

TRIAD_TEST(find_knows_each_kept_column_or_its_conjugate)
{
  for (int i = 0; i < SAMPLES; i++) {
    triad_layout *l = layout_of(&samples[i], 0, 1, 1);
    const triad_grid *g = &l->grid;
    for (int64_t kx = 0; kx <= g->n[0] / 2; kx++)
      for (int64_t ky = -((g->n[1] - 1) / 2); ky <= g->n[1] / 2; ky++) {
        int conjugate = -1;
        int64_t c = triad_layout_find(l, kx, ky, &conjugate);
        TRIAD_EQUAL(c >= 0, triad_grid_keeps(g, kx, ky, 0), name_of(&samples[i]));
        if (c < 0 || c >= l->n_columns) continue;
        TRIAD_EQUAL(l->kx[c], kx, name_of(&samples[i]));
        TRIAD_EQUAL(l->ky[c], conjugate ? -ky : ky, name_of(&samples[i]));
        /* only where -kx is the same wavenumber does the conjugate lie at the same kx */
        if (conjugate) TRIAD_HOLDS(kx == 0 || 2 * kx == g->n[0], "kx = %" PRId64, kx);
        int self = (kx == 0 || 2 * kx == g->n[0]) && (ky == 0 || 2 * ky == g->n[1]);
        TRIAD_EQUAL(l->self[c], self, name_of(&samples[i]));
      }
    triad_layout_destroy(&l);
  }
}

TRIAD_TEST(places_fill_the_storage_once)
{
  const int64_t lanes[] = {1, 4, 8, 16};
  for (int i = 0; i < SAMPLES; i++)
    for (size_t w = 0; w < sizeof lanes / sizeof *lanes; w++) {
      triad_layout *l = layout_of(&samples[i], 1, 3, lanes[w]);
      unsigned char *seen = calloc((size_t)l->modes + 1, 1);
      if (!seen) {
        triad_layout_destroy(&l);
        TRIAD_CHECK(TRIAD_ERR_MEMORY);
      }
      int64_t outside = 0, twice = 0;
      for (int64_t c = 0; c < l->n_blocks * l->lanes; c++)
        for (int64_t j = 0; j < l->nkz; j++) {
          int64_t place = triad_layout_place(l, c, j);
          if (place < 0 || place >= l->modes) outside++;
          else twice += seen[place]++ != 0;
        }
      TRIAD_EQUAL(outside, 0, "places outside the storage");
      TRIAD_EQUAL(twice, 0, "places used twice");
      for (int64_t j = 0; j < l->nkz; j++) TRIAD_EQUAL(triad_layout_kz_number(l, l->kz[j]), j, "number of kz");
      free(seen);
      triad_layout_destroy(&l);
    }
}

/* Columns of the sphere are those of a cylinder: pi/2 (N/3)^2 of them, 2N/3 modes long. Lattice points in a disc of
 * radius K differ from its area by less than its perimeter's worth, 2 sqrt(2) pi K (Gauss); half of them are held. */
TRIAD_TEST(stored_share_is_that_of_the_truncation)
{
  for (int64_t k = 20; k <= 160; k *= 2) {
    int64_t n = 3 * k + 1;
    triad_layout *sphere = layout_of(&(sample){{n, n, n}, TRIAD_SPHERE}, 0, 1, 8);
    triad_layout *box = layout_of(&(sample){{n, n, n}, TRIAD_BOX}, 0, 1, 8);
    const double pi = TRIAD_PI;
    TRIAD_WITHIN(sphere->all_columns, pi / 2 * (double)(k * k), sqrt(2) * pi * (double)k + 2, "columns of the sphere");
    /* one of each pair (kx, ky), (-kx, -ky) of (2K + 1)^2, the mean mode alone */
    TRIAD_EQUAL(box->all_columns, ((2 * k + 1) * (2 * k + 1) + 1) / 2, "columns of the box");
    TRIAD_EQUAL(sphere->nkz, 2 * k + 1, "modes along a column");
    triad_layout_destroy(&sphere);
    triad_layout_destroy(&box);
  }
}

TRIAD_TEST(sphere_keeps_lattice_points_on_its_surface)
{
  /* K = 25 on every axis: 7^2 + 24^2 = 15^2 + 20^2 = 25^2, 9^2 + 12^2 + 20^2 = 25^2 */
  triad_grid g = grid_of(&(sample){{76, 76, 76}, TRIAD_SPHERE});
  TRIAD_EQUAL(g.kmax[0], 25, "K");
  const int64_t on[][3] = {{7, 24, 0}, {15, -20, 0}, {9, 12, 20}, {0, 0, -25}, {-12, 20, 9}};
  for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
    TRIAD_EQUAL(triad_grid_keeps(&g, on[i][0], on[i][1], on[i][2]), 1, "a mode on the sphere is kept");
    TRIAD_EQUAL(triad_grid_keeps(&g, on[i][0], on[i][1], on[i][2] < 0 ? on[i][2] - 1 : on[i][2] + 1), 0,
                "one farther out is not");
  }
}

/* Against counting: the shell of every kept mode, found without triad_bin. */
static int64_t last_shell(const triad_grid *g)
{
  int64_t last = 0;
  for (int64_t x = 0; x <= g->kmax[0]; x++)
    for (int64_t y = -g->kmax[1]; y <= g->kmax[1]; y++)
      for (int64_t z = -g->kmax[2]; z <= g->kmax[2]; z++) {
        if (!triad_grid_keeps(g, x, y, z)) continue;
        double a = triad_grid_size_wavenumber(g, 0, x), b = triad_grid_size_wavenumber(g, 1, y);
        double c = triad_grid_size_wavenumber(g, 2, z), k = sqrt(a * a + b * b + c * c);
        int64_t shell = (int64_t)floor(k / triad_grid_k_min(g) + 0.5);
        if (shell > last) last = shell;
      }
  return last;
}

TRIAD_TEST(the_last_shell_holds_a_mode_and_none_lies_beyond)
{
  for (int i = 0; i < SAMPLES; i++) {
    triad_grid g = grid_of(&samples[i]);
    TRIAD_EQUAL(triad_shell_count(&g), last_shell(&g) + 1, name_of(&samples[i]));
    for (int shifted = 0; shifted < 2 && g.truncation == TRIAD_SPHERE; shifted++) {
      int64_t most = g.n[0] > g.n[1] ? g.n[0] : g.n[1];
      if (g.n[2] > most) most = g.n[2];
      TRIAD_CHECK(triad_grid_set_sphere(&g, shifted ? 0 : (double)((most - 1) / 3) + 0.97, shifted));
      TRIAD_EQUAL(triad_shell_count(&g), last_shell(&g) + 1, "another sphere");
    }
  }
}

TRIAD_TEST(init_sets_every_member)
{
  const int64_t n[3] = {12, 8, 9};
  triad_grid g;
  for (int poison = 0; poison < 256; poison += 85) {
    memset(&g, poison, sizeof g);
    TRIAD_CHECK(triad_grid_init(&g, n, (double[]){1, 2, 3}, TRIAD_BOX));
    for (int i = 0; i < 3; i++)
      TRIAD_HOLDS(g.n[i] == n[i] && g.length[i] == i + 1 && g.kmax[i] == (n[i] - 1) / 3 &&
                    g.radius[i] == (double)((n[i] - 1) / 3),
                  "axis %d on memory of 0x%02X", i, (unsigned)poison);
    TRIAD_HOLDS(g.truncation == TRIAD_BOX && g.shifted == 0, "truncation on memory of 0x%02X", (unsigned)poison);
    TRIAD_HOLDS(g.lean == 0, "lean = %g on memory of 0x%02X", g.lean, (unsigned)poison);
    TRIAD_EQUAL(triad_shell_count(&g), last_shell(&g) + 1, "shells");
  }
}

TRIAD_TEST(modes_at_half_the_points_do_not_lean)
{
  triad_grid with = grid_of(&(sample){{8, 8, 8}, TRIAD_NONE}), without = grid_of(&(sample){{8, 8, 8}, TRIAD_BOX});
  triad_layout *l = NULL;
  TRIAD_CHECK(triad_layout_create(&l, &with, 0, 1, TRIAD_LANES));
  TRIAD_FAILS(triad_layout_set_skew(l, 0.5), TRIAD_ERR_INTERNAL, "cannot lean");
  triad_layout_destroy(&l);
  TRIAD_CHECK(triad_layout_create(&l, &without, 0, 1, TRIAD_LANES));
  TRIAD_CHECK(triad_layout_set_skew(l, 0.5));
  for (int64_t c = 0; c < l->n_columns; c++)
    TRIAD_NEAR(l->wy[c], triad_grid_size_wavenumber(&without, 1, l->ky[c]) - 0.5 * l->wx[c], 0, "k_y - skew k_x");
  triad_layout_destroy(&l);
}

/* cos(pi x/h) has the values 1, -1 at the points: its slope there is 0, and its Laplacian -(pi/h)^2 of it. */
TRIAD_TEST(size_and_derivative_differ_at_half_the_points_alone)
{
  triad_grid g = grid_of(&(sample){{8, 7, 1}, TRIAD_NONE}), cut = grid_of(&(sample){{8, 7, 1}, TRIAD_BOX});
  for (int axis = 0; axis < 3; axis++)
    for (int64_t k = -g.kmax[axis]; k <= g.kmax[axis]; k++) {
      const int half = k != 0 && 2 * llabs(k) == g.n[axis];
      const double w = 6.283185307179586476925 * (double)k / g.length[axis];
      TRIAD_WITHIN(triad_grid_size_wavenumber(&g, axis, k), w, 1e-15 * fabs(w), "size");
      TRIAD_WITHIN(triad_grid_derivative_wavenumber(&g, axis, k), half ? 0 : w, 1e-15 * fabs(w), "derivative");
    }
  TRIAD_EQUAL(triad_grid_has_nyquist(&g), 1, "8 points");
  TRIAD_EQUAL(triad_grid_has_nyquist(&cut), 0, "a truncation leaves them out");
  TRIAD_EQUAL(triad_grid_keeps(&g, 4, 3, 0), 1, "kept");
  TRIAD_EQUAL(triad_grid_excites(&g, 4, 3, 0), 0, "not excited");
  TRIAD_EQUAL(triad_grid_excites(&g, 3, -3, 0), 1, "excited");
}

TRIAD_TEST(truncation_leaves_no_room_for_aliases)
{
  /* a product of two kept modes reaches 2K; its alias 2K - N must lie beyond -K */
  for (int64_t n = 1; n <= 4096; n++) {
    triad_grid g = grid_of(&(sample){{n, n, n}, TRIAD_BOX});
    TRIAD_HOLDS(2 * g.kmax[0] - n < -g.kmax[0], "N = %" PRId64 ", K = %" PRId64, n, g.kmax[0]);
    TRIAD_HOLDS(2 * (g.kmax[0] + 1) - n >= -(g.kmax[0] + 1), "N = %" PRId64 ": K = %" PRId64 " is not the largest", n,
                g.kmax[0]);
  }
}

TRIAD_TEST(indices_of_4096_cubed_fit)
{
  triad_layout *l = layout_of(&(sample){{4096, 4096, 4096}, TRIAD_SPHERE}, 1, 3, 8);
  TRIAD_EQUAL(triad_grid_points(&l->grid), INT64_C(68719476736), "points");
  int64_t last = triad_layout_place(l, l->n_blocks * l->lanes - 1, l->nkz - 1);
  TRIAD_EQUAL(last, l->modes - 1, "the last place");
  TRIAD_HOLDS(l->modes > INT64_C(1) << 31, "%" PRId64 " modes do not test what they should", l->modes);
  TRIAD_EQUAL(l->modes, l->n_blocks * 2731 * 8, "modes of a rank");
  triad_layout_destroy(&l);
}

TRIAD_TEST(sizes_and_lengths_out_of_range_are_refused)
{
  triad_grid g;
  const double one[3] = {1, 1, 1};
  TRIAD_FAILS(triad_grid_init(&g, (int64_t[]){0, 8, 8}, one, TRIAD_BOX), TRIAD_ERR_CASE, "along x");
  TRIAD_FAILS(triad_grid_init(&g, (int64_t[]){8, -8, 8}, one, TRIAD_BOX), TRIAD_ERR_CASE, "-8 points along y");
  TRIAD_FAILS(triad_grid_init(&g, (int64_t[]){8, 8, INT64_MAX}, one, TRIAD_BOX), TRIAD_ERR_CASE, "along z");
  TRIAD_FAILS(triad_grid_init(&g, (int64_t[]){8, 8, 8}, (double[]){1, 0, 1}, TRIAD_BOX), TRIAD_ERR_CASE, "along y");
  TRIAD_FAILS(triad_grid_init(&g, (int64_t[]){8, 8, 8}, (double[]){1, 1, NAN}, TRIAD_BOX), TRIAD_ERR_CASE, "along z");
  TRIAD_FAILS(triad_grid_init(&g, (int64_t[]){8, 8, 8}, (double[]){INFINITY, 1, 1}, TRIAD_BOX), TRIAD_ERR_CASE,
              "along x");
}

TRIAD_MAIN
