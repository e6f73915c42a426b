/* Checkpoints read in the other precision and at another resolution.
 * ranks: 1 2 3 5   threads: 1   precision: both */
#include "checkpoints.h"

#include "store/fields/checkpoint.h"
#include "store/checkpoint/commit.h"
#include "transpose/remap.h"

/* The same calls in the other precision, from the same library. */
#ifdef TRIAD_SINGLE
typedef double other_real;
#else
typedef float other_real;
#endif
#define OTHER(name) triadf_##name
int OTHER(checkpoint_write)(const triad_context *, triad_state *, const char *, const triad_checkpoint_info *, int);
int OTHER(checkpoint_read)(const triad_context *, triad_state *, const char *, const triad_manifest *, int, const int *,
                           double *);

TRIAD_TEST(the_other_precision_is_converted)
{
  const triad_context *ctx = triad_test_context();
  char dir[TRIAD_PATH], folder[TRIAD_PATH];
  const int64_t n[3] = {15, 9, 21};
  triad_manifest *about;
  triad_checkpoint_info info = info_of(5);
  folder_make(dir);
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, mode_value), b = flow_make(ctx, n, TRIAD_SPHERE, 4, NULL);
  size_t reals = 2 * (size_t)a.layout->modes;
  other_real *o[FIELDS];
  for (int f = 0; f < FIELDS; f++) o[f] = calloc(reals + 2, sizeof *o[f]);
  triad_state *state = state_of(ctx, a.layout, fields, FIELDS, (void *const[]){o[0], o[1], o[2]});

  /* ours -> other -> ours */
  TRIAD_CHECK(write_step(ctx, &a, dir, 4));
  TRIAD_CHECK(triad_checkpoint_find(&ctx->comm, dir, NULL, NULL, folder, &about));
  assert_non_null(about);
  TRIAD_EQUAL(about->element, sizeof(triad_real), "bytes of a real in the file");
  TRIAD_CHECK(OTHER(checkpoint_read)(ctx, state, folder, about, FIELDS, NULL, NULL));
  triad_manifest_destroy(&about);
  int64_t wrong = 0;
  for (int f = 0; f < FIELDS; f++)
    for (size_t i = 0; i < reals; i++) {
      double here = (double)((const triad_real *)a.u[f])[i], there = (double)o[f][i];
      wrong += memcmp(&here, &there, sizeof here) != 0;
    }
  TRIAD_EQUAL(wrong, 0, "values that changed");
  TRIAD_CHECK(OTHER(checkpoint_write)(ctx, state, dir, &info, 3));
  TRIAD_CHECK(read_newest(ctx, dir, &b, NULL));
  TRIAD_EQUAL(flow_differs(&a, &b), 0, "fields differ");

  /* a value that single precision cannot hold is refused, not made infinite */
  if (sizeof(triad_real) == 4 && a.layout->n_columns > 0) o[0][0] = (other_real)1e30 * (other_real)1e30;
  info.step = 6;
  if (sizeof(triad_real) == 4) {
    TRIAD_CHECK(OTHER(checkpoint_write)(ctx, state, dir, &info, 3));
    hush();
    int st = read_newest(ctx, dir, &b, NULL);
    speak();
    TRIAD_EQUAL(st, TRIAD_ERR_CASE, "reading 1e60 in single precision");
  }
  for (int f = 0; f < FIELDS; f++) free(o[f]);
  triad_state_destroy(&state);
  flow_free(&a);
  flow_free(&b);
  folder_delete(dir);
}

static double lost_by_hand(const flow *a, const triad_grid *to)
{
  const triad_layout *l = a->layout;
  double sum = 0;
  for (int f = 0; f < FIELDS; f++)
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        triad_cplx u = a->u[f][triad_layout_place(l, c, j)];
        if (!triad_grid_keeps(to, l->kx[c], l->ky[c], l->kz[j]))
          sum += (l->kx[c] > 0 || l->ky[c] != 0 ? 1 : 0.5) * (pow((double)u.re, 2) + pow((double)u.im, 2));
      }
  (void)MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, triad_test_comm()->mpi);
  return sum;
}

TRIAD_TEST(another_resolution_keeps_the_modes_that_both_hold)
{
  static const struct {
    int64_t from[3], to[3];
    triad_truncation from_truncation, to_truncation;
  } pairs[] = {
    {{32, 32, 32}, {48, 48, 48}, TRIAD_SPHERE, TRIAD_SPHERE},
    {{48, 48, 48}, {32, 32, 32}, TRIAD_SPHERE, TRIAD_SPHERE},
    {{15, 21, 9}, {20, 11, 24}, TRIAD_SPHERE, TRIAD_BOX},
    {{24, 24, 24}, {24, 24, 24}, TRIAD_BOX, TRIAD_SPHERE},
    {{13, 17, 12}, {13, 17, 12}, TRIAD_SPHERE, TRIAD_NONE},
    {{1, 30, 40}, {1, 40, 30}, TRIAD_BOX, TRIAD_SPHERE},
    {{16, 1, 27}, {30, 9, 1}, TRIAD_SPHERE, TRIAD_BOX},
    {{300, 300, 40}, {288, 320, 32}, TRIAD_BOX, TRIAD_BOX}, /* more than one round of messages, and of staging */
  };
  const triad_context *ctx = triad_test_context();
  char dir[TRIAD_PATH];
  folder_make(dir);
  for (int p = 0; p < (int)(sizeof pairs / sizeof *pairs); p++) {
    flow a = flow_make(ctx, pairs[p].from, pairs[p].from_truncation, 4, mode_full);
    flow b = flow_make(ctx, pairs[p].to, pairs[p].to_truncation, 8, NULL);
    double dropped = -1;
    TRIAD_CHECK(write_step(ctx, &a, dir, p));
    TRIAD_CHECK(read_newest(ctx, dir, &b, &dropped));
    const triad_layout *l = b.layout;
    int64_t wrong = 0;
    for (int f = 0; f < FIELDS; f++)
      for (int64_t c = 0; c < l->n_blocks * l->lanes; c++)
        for (int64_t j = 0; j < l->nkz; j++) {
          int both = c < l->n_columns && triad_grid_keeps(&a.layout->grid, l->kx[c], l->ky[c], l->kz[j]) &&
                     triad_grid_keeps(&l->grid, l->kx[c], l->ky[c], l->kz[j]);
          triad_cplx want = {both ? (triad_real)mode_full(f, 0, l->kx[c], l->ky[c], l->kz[j]) : 0,
                             both ? (triad_real)mode_full(f, 1, l->kx[c], l->ky[c], l->kz[j]) : 0};
          wrong += memcmp(&want, &b.u[f][triad_layout_place(l, c, j)], sizeof want) != 0;
        }
    TRIAD_HOLDS(wrong == 0, "%lld modes wrong for pair %d", (long long)wrong, p);
    /* sums of at most 2e6 positive terms in double: relative error below 2 * 2e6 * 2^-53 = 4.5e-10 */
    TRIAD_NEAR(dropped, lost_by_hand(&a, &b.layout->grid), 4.5e-10, "energy dropped");
    flow_free(&a);
    flow_free(&b);
  }
  folder_delete(dir);
}

TRIAD_TEST(finer_and_back_is_the_identity)
{
  const triad_context *ctx = triad_test_context();
  const int64_t coarse[3] = {32, 32, 32}, fine[3] = {48, 48, 48};
  char dir[TRIAD_PATH];
  double dropped[2] = {-1, -1};
  folder_make(dir);
  flow a = flow_make(ctx, coarse, TRIAD_SPHERE, 8, mode_full), b = flow_make(ctx, fine, TRIAD_SPHERE, 8, NULL);
  flow c = flow_make(ctx, coarse, TRIAD_SPHERE, 8, NULL);
  TRIAD_CHECK(write_step(ctx, &a, dir, 1));
  TRIAD_CHECK(read_newest(ctx, dir, &b, &dropped[0]));
  TRIAD_CHECK(write_step(ctx, &b, dir, 2));
  TRIAD_CHECK(read_newest(ctx, dir, &c, &dropped[1]));
  TRIAD_EQUAL(flow_differs(&a, &c), 0, "fields differ");
  TRIAD_EQUAL(dropped[0] > 0 || dropped[1] > 0, 0, "energy dropped");
  flow_free(&a);
  flow_free(&b);
  flow_free(&c);
  folder_delete(dir);
}

TRIAD_TEST(nyquist_modes_move_only_between_equal_numbers_of_points)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {8, 6, 10}, wider[3] = {12, 6, 10}, taller[3] = {8, 6, 14};
  const int64_t *const to[] = {n, wider, taller};
  for (int p = 0; p < 3; p++) {
    flow a = flow_make(ctx, n, TRIAD_NONE, 4, mode_full), b = flow_make(ctx, to[p], TRIAD_NONE, 4, NULL);
    double dropped;
    TRIAD_CHECK(triad_remap(&ctx->comm, a.layout, a.u, b.layout, b.u, FIELDS, &dropped));
    const triad_layout *l = b.layout;
    int64_t wrong = 0;
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        int64_t kx = l->kx[c], ky = l->ky[c], kz = l->kz[j];
        int both = kx <= 4 && kz >= -5 && kz <= 5;
        if (p == 1 && kx == 4) both = 0;
        if (p == 2 && (kz == 5 || kz == -5)) both = 0;
        triad_cplx want = {both ? (triad_real)mode_full(0, 0, kx, ky, kz) : 0,
                           both ? (triad_real)mode_full(0, 1, kx, ky, kz) : 0};
        wrong += memcmp(&want, &b.u[0][triad_layout_place(l, c, j)], sizeof want) != 0;
      }
    TRIAD_HOLDS(wrong == 0, "%lld modes wrong for pair %d", (long long)wrong, p);
    TRIAD_EQUAL(dropped > 0, p > 0, "is energy dropped");
    flow_free(&a);
    flow_free(&b);
  }
}

TRIAD_MAIN
