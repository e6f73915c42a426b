/* Checkpoints: nothing corrupt is trusted, and what comes back is what was written, on any number of ranks, in either
 * precision and at any resolution.   ranks: 1 2 3 5   threads: 1   precision: both */
#include "folder.h"

#include "store/checkpoint.h"
#include "store/commit.h"
#include "transpose/remap.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

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


/* ---- fields whose value at a mode depends on the mode only ---- */

static const double box_length[3] = {6.25, 3.5, 9.75};
static const triad_field_info fields[] = {{"u", "", "U", TRIAD_COMPONENT("velocity", 0, 1)},
                                          {"v", "", "U", TRIAD_COMPONENT("velocity", 1, 1)},
                                          {"w", "", "U", TRIAD_COMPONENT("velocity", 2, 1)}};
enum { FIELDS = 3 };

static double mode_value(int field, int part, int64_t kx, int64_t ky, int64_t kz)
{
  uint64_t mode = (uint64_t)(kx + 4096) << 26 | (uint64_t)(ky + 4096) << 13 | (uint64_t)(kz + 4096);
  /* exact in either precision; 24 bits by arithmetic on integers, which no conversion can round */
  return ldexp((double)(triad_test_bits((uint64_t)(2 * field + part), mode) >> 40), -24) - 0.5;
}

/* Values with all the bits of this precision. */
static double mode_full(int field, int part, int64_t kx, int64_t ky, int64_t kz)
{
  return (double)(triad_real)(mode_value(field, part, kx, ky, kz) / 3);
}

typedef double mode_function(int field, int part, int64_t kx, int64_t ky, int64_t kz);

typedef struct flow {
  triad_layout *layout;
  triad_cplx *u[FIELDS];
  triad_state *state;
} flow;

/* A state of these modes, with memory for each field. */
static triad_state *state_of(const triad_context *ctx, const triad_layout *l, const triad_field_info *list, int n,
                             void *const *memory)
{
  triad_space space;
  triad_state *state;
  triad_space_modes(&space, l);
  TRIAD_CHECK(triad_state_create(&state, ctx->memory, &space, list, n));
  for (int f = 0; f < n; f++) triad_state_attach(state, f, TRIAD_HOST, memory[f]);
  return state;
}

static flow flow_make(const triad_context *ctx, const int64_t n[3], triad_truncation truncation, int64_t lanes,
                      mode_function *value)
{
  triad_grid grid;
  flow f = {NULL, {NULL}, NULL};
  TRIAD_CHECK(triad_grid_init(&grid, n, box_length, truncation));
  TRIAD_CHECK(triad_layout_create(&f.layout, &grid, ctx->comm.rank, ctx->comm.size, lanes));
  const triad_layout *l = f.layout;
  for (int i = 0; i < FIELDS; i++) {
    f.u[i] = calloc((size_t)l->modes + 1, sizeof *f.u[i]);
    assert_non_null(f.u[i]);
    for (int64_t c = 0; c < l->n_columns && value; c++)
      for (int64_t j = 0; j < l->nkz; j++)
        if (triad_grid_keeps(&grid, l->kx[c], l->ky[c], l->kz[j]))
          f.u[i][triad_layout_place(l, c, j)] = (triad_cplx){(triad_real)value(i, 0, l->kx[c], l->ky[c], l->kz[j]),
                                                             (triad_real)value(i, 1, l->kx[c], l->ky[c], l->kz[j])};
    for (int64_t m = 0; m < l->modes && !value; m++) f.u[i][m] = (triad_cplx){(triad_real)NAN, (triad_real)NAN};
  }
  f.state = state_of(ctx, l, fields, FIELDS, (void *const[]){f.u[0], f.u[1], f.u[2]});
  return f;
}

static void flow_free(flow *f)
{
  triad_state_destroy(&f->state);
  triad_layout_destroy(&f->layout);
  for (int i = 0; i < FIELDS; i++) free(f->u[i]);
}

/* Bytes, so that -0 and +0 differ; padding must be zero. */
static int flow_differs(const flow *a, const flow *b)
{
  for (int i = 0; i < FIELDS; i++)
    if (memcmp(a->u[i], b->u[i], (size_t)a->layout->modes * sizeof(triad_cplx)) != 0) return 1;
  return 0;
}

static triad_checkpoint_info info_of(int64_t step)
{
  return (triad_checkpoint_info){.step = step, .t = 0.1 * (double)step, .dt = 1.0 / 3, .solver = "hd",
                                 .writer = "triad test"};
}

static int write_step(const triad_context *ctx, const flow *f, const char *dir, int64_t step)
{
  triad_checkpoint_info info = info_of(step);
  return triad_checkpoint_write(ctx, f->state, dir, &info, 3);
}

static int read_newest(const triad_context *ctx, const char *dir, flow *f, double *dropped)
{
  char folder[TRIAD_PATH];
  triad_manifest *about;
  int st = triad_checkpoint_find(&ctx->comm, dir, NULL, NULL, folder, &about);
  if (st == TRIAD_OK && !about) st = TRIAD_FAIL(TRIAD_ERR_INPUT, "no valid checkpoint");
  if (st == TRIAD_OK)
    st = triad_checkpoint_read(ctx, f->state, folder, about, FIELDS, NULL, dropped);
  triad_manifest_destroy(&about);
  return st;
}

/* The step of the newest valid checkpoint, -1 when there is none; how many were rejected, and the last reason. */
typedef struct rejections {
  int count;
  char why[1024];
} rejections;
static void note_rejection(void *who, const char *name, const char *why)
{
  rejections *r = who;
  (void)name;
  r->count++;
  (void)snprintf(r->why, sizeof r->why, "%s", why);
}
static int64_t newest_step(const char *dir, rejections *r)
{
  char folder[TRIAD_PATH];
  triad_manifest *about = NULL;
  rejections none;
  if (!r) r = &none;
  *r = (rejections){0};
  TRIAD_CHECK(triad_checkpoint_find(triad_test_comm(), dir, note_rejection, r, folder, &about));
  (void)MPI_Bcast(r, (int)sizeof *r, MPI_CHAR, 0, triad_test_comm()->mpi);
  int64_t step = about ? about->step : -1;
  triad_manifest_destroy(&about);
  return step;
}

static const struct {
  int64_t n[3];
  triad_truncation truncation;
  int64_t lanes;
} shapes[] = {
    {{16, 16, 16}, TRIAD_SPHERE, 8}, {{15, 9, 21}, TRIAD_SPHERE, 4}, {{12, 20, 7}, TRIAD_BOX, 8},
    {{8, 6, 10}, TRIAD_NONE, 4},     {{7, 5, 9}, TRIAD_NONE, 1},     {{32, 1, 1}, TRIAD_SPHERE, 8},
    {{1, 24, 18}, TRIAD_BOX, 8},     {{4, 4, 64}, TRIAD_BOX, 16},    {{1, 1, 1}, TRIAD_SPHERE, 8},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

TRIAD_TEST(same_grid_comes_back_bit_for_bit)
{
  const triad_context *ctx = triad_test_context();
  char dir[TRIAD_PATH];
  folder_make(dir);
  for (int s = 0; s < SHAPES; s++) {
    flow a = flow_make(ctx, shapes[s].n, shapes[s].truncation, shapes[s].lanes, mode_full);
    flow b = flow_make(ctx, shapes[s].n, shapes[s].truncation, shapes[s].lanes, NULL);
    double dropped = 1;
    TRIAD_CHECK(write_step(ctx, &a, dir, s));
    TRIAD_CHECK(read_newest(ctx, dir, &b, &dropped));
    TRIAD_EQUAL(flow_differs(&a, &b), 0, "fields differ");
    TRIAD_EQUAL(dropped > 0, 0, "energy dropped");
    flow_free(&a);
    flow_free(&b);
  }
  folder_delete(dir);
}

/* A context over the first `count` ranks; NULL on the others. */
static triad_context *some_ranks(int count)
{
  MPI_Comm sub = MPI_COMM_NULL;
  triad_context *ctx = NULL;
  int in = triad_test_comm()->rank < count;
  (void)MPI_Comm_split(triad_test_comm()->mpi, in ? 0 : MPI_UNDEFINED, 0, &sub);
  if (!in) return NULL;
  TRIAD_CHECK(triad_context_create(&ctx, sub, 1));
  (void)MPI_Comm_free(&sub);
  return ctx;
}

TRIAD_TEST(any_rank_count_reads_what_any_other_wrote)
{
  int size = triad_test_comm()->size;
  char dir[TRIAD_PATH];
  folder_make(dir);
  for (int w = 1; w <= size; w++)
    for (int r = 1; r <= size; r++)
      for (int s = 0; s < 2; s++) {
        int64_t step = (w * 10 + r) * 10 + s;
        triad_context *writer = some_ranks(w);
        if (writer) {
          flow a = flow_make(writer, shapes[s].n, shapes[s].truncation, shapes[s].lanes, mode_full);
          TRIAD_CHECK(write_step(writer, &a, dir, step));
          flow_free(&a);
        }
        triad_context_destroy(&writer);
        (void)MPI_Barrier(triad_test_comm()->mpi);
        triad_context *reader = some_ranks(r);
        if (reader) {
          flow a = flow_make(reader, shapes[s].n, shapes[s].truncation, shapes[s].lanes, mode_full);
          flow b = flow_make(reader, shapes[s].n, shapes[s].truncation, shapes[s].lanes, NULL);
          TRIAD_CHECK(read_newest(reader, dir, &b, NULL));
          TRIAD_HOLDS(!flow_differs(&a, &b), "written on %d ranks, read on %d", w, r);
          flow_free(&a);
          flow_free(&b);
        }
        triad_context_destroy(&reader);
        (void)MPI_Barrier(triad_test_comm()->mpi);
      }
  folder_delete(dir);
}

TRIAD_TEST(files_are_the_same_on_any_rank_count)
{
  char dir[TRIAD_PATH], one[TRIAD_PATH], all[TRIAD_PATH];
  folder_make(dir);
  triad_context *alone = some_ranks(1);
  const int64_t n[3] = {15, 9, 21};
  char *text[2] = {NULL, NULL}, path[TRIAD_PATH];
  int64_t bytes[2] = {0, 1};
  TRIAD_CHECK(triad_disk_path(one, "%s/one", dir));
  TRIAD_CHECK(triad_disk_path(all, "%s/all", dir));
  if (alone) {
    assert_int_equal(mkdir(one, 0700), 0);
    assert_int_equal(mkdir(all, 0700), 0);
    flow a = flow_make(alone, n, TRIAD_SPHERE, 4, mode_full);
    TRIAD_CHECK(write_step(alone, &a, one, 12));
    flow_free(&a);
  }
  triad_context_destroy(&alone);
  (void)MPI_Barrier(triad_test_comm()->mpi);
  flow b = flow_make(triad_test_context(), n, TRIAD_SPHERE, 8, mode_full);
  TRIAD_CHECK(write_step(triad_test_context(), &b, all, 12));
  flow_free(&b);
  for (int file = 0; file < 2 && triad_test_comm()->rank == 0; file++) {
    for (int i = 0; i < 2; i++) {
      TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/step-00000012/%s", i ? all : one,
                                  file ? TRIAD_MANIFEST_FILE : TRIAD_MODES_FILE));
      TRIAD_CHECK(triad_disk_load(path, 1 << 24, &text[i], &bytes[i]));
    }
    TRIAD_EQUAL(bytes[0], bytes[1], "size of the file");
    if (bytes[0] == bytes[1]) TRIAD_EQUAL(memcmp(text[0], text[1], (size_t)bytes[0]), 0, "its bytes");
    free(text[0]);
    free(text[1]);
  }
  folder_delete(dir);
}

TRIAD_TEST(rank_0_writing_for_all_makes_the_same_bytes)
{
  const triad_context *ctx = triad_test_context();
  char dir[2][TRIAD_PATH], path[TRIAD_PATH], *text[2][2];
  int64_t bytes[2][2];
  static const char *const files[2] = {"modes.h5", "manifest.txt"};
  /* the last one takes several rounds: 4 MiB of staging hold a fifth of a field */
  static const int64_t n[3][3] = {{15, 9, 21}, {1, 1, 1}, {200, 200, 40}};
  for (int p = 0; p < 3; p++) {
    flow a = flow_make(ctx, n[p], TRIAD_BOX, 4, mode_full);
    for (int gather = 0; gather < 2; gather++) {
      triad_checkpoint_info info = info_of(7);
      info.gather = gather;
      folder_make(dir[gather]);
      TRIAD_CHECK(triad_checkpoint_write(ctx, a.state, dir[gather], &info, 3));
      for (int f = 0; f < 2; f++) {
        TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/step-00000007/%s", dir[gather], files[f]));
        TRIAD_CHECK(triad_disk_load(path, INT64_MAX, &text[gather][f], &bytes[gather][f]));
      }
    }
    for (int f = 0; f < 2; f++) {
      TRIAD_EQUAL(bytes[1][f], bytes[0][f], files[f]);
      TRIAD_HOLDS(bytes[1][f] == bytes[0][f] && memcmp(text[1][f], text[0][f], (size_t)bytes[0][f]) == 0,
                  "%s differs for shape %d", files[f], p);
      for (int gather = 0; gather < 2; gather++) free(text[gather][f]);
    }
    for (int gather = 0; gather < 2; gather++) folder_delete(dir[gather]);
    flow_free(&a);
  }
}

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
      {{15, 21, 9}, {20, 11, 24}, TRIAD_SPHERE, TRIAD_BOX},     {{24, 24, 24}, {24, 24, 24}, TRIAD_BOX, TRIAD_SPHERE},
      {{13, 17, 12}, {13, 17, 12}, TRIAD_SPHERE, TRIAD_NONE},   {{1, 30, 40}, {1, 40, 30}, TRIAD_BOX, TRIAD_SPHERE},
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

/* Two checkpoints of steps 1 and 2; then damage to the newer one. */
static void two_checkpoints(char dir[TRIAD_PATH])
{
  const int64_t n[3] = {12, 10, 9};
  folder_make(dir);
  flow a = flow_make(triad_test_context(), n, TRIAD_SPHERE, 4, mode_full);
  TRIAD_CHECK(write_step(triad_test_context(), &a, dir, 1));
  TRIAD_CHECK(write_step(triad_test_context(), &a, dir, 2));
  flow_free(&a);
}

static void newer_file(const char *dir, const char *name, char path[TRIAD_PATH])
{
  TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/step-00000002/%s", dir, name));
}

static void flip(const char *path, int64_t at, int bit)
{
  unsigned char byte;
  int fd;
  if (triad_test_comm()->rank == 0) {
    TRIAD_CHECK(triad_disk_open(path, 1, &fd));
    TRIAD_CHECK(triad_disk_read(fd, path, &byte, 1, at));
    byte = (unsigned char)(byte ^ 1u << bit);
    TRIAD_CHECK(triad_disk_write(fd, path, &byte, 1, at));
    (void)triad_disk_close(&fd, path);
  }
  (void)MPI_Barrier(triad_test_comm()->mpi);
}

TRIAD_TEST(a_flipped_bit_anywhere_is_detected)
{
  static const char *const files[] = {TRIAD_MODES_FILE, TRIAD_MANIFEST_FILE};
  enum { SAMPLES = 150 };
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  two_checkpoints(dir);
  for (int f = 0; f < 2; f++) {
    struct stat about;
    newer_file(dir, files[f], path);
    assert_int_equal(stat(path, &about), 0);
    for (uint64_t i = 0; i < SAMPLES; i++) {
      /* every region: the samples are spread over the file, at a random place in each stretch; the ends, too */
      int64_t size = about.st_size, stretch = size / SAMPLES + 1;
      int64_t at = (int64_t)i * stretch + triad_test_below(20, i, stretch);
      if (i == 0) at = 0;
      if (at >= size) at = size - 1;
      int bit = (int)triad_test_below(21, i, 8);
      rejections r;
      flip(path, at, bit);
      int64_t step = newest_step(dir, &r);
      TRIAD_HOLDS(step == 1 && r.count == 1, "%s, byte %lld, bit %d: step %lld is trusted, %d rejected", files[f],
                  (long long)at, bit, (long long)step, r.count);
      flip(path, at, bit);
    }
  }
  TRIAD_EQUAL(newest_step(dir, NULL), 2, "step that is valid once all is put right");
  folder_delete(dir);
}

TRIAD_TEST(reading_verifies_what_it_reads)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {12, 10, 9};
  char dir[TRIAD_PATH], path[TRIAD_PATH], folder[TRIAD_PATH];
  triad_manifest *about = NULL;
  two_checkpoints(dir);
  newer_file(dir, TRIAD_MODES_FILE, path);
  TRIAD_CHECK(triad_checkpoint_about(&ctx->comm, path, folder, &about));
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, NULL);
  flip(path, about->fields[2].offset + triad_manifest_field_bytes(about, 2) - 3, 5);
  hush();
  int all = triad_checkpoint_read(ctx, a.state, folder, about, FIELDS, NULL, NULL);
  int two = triad_checkpoint_read(ctx, a.state, folder, about, 2, NULL, NULL);
  speak();
  TRIAD_EQUAL(all, TRIAD_ERR_CASE, "reading a damaged field");
  TRIAD_EQUAL(two, TRIAD_OK, "reading the fields beside it");
  flow_free(&a);
  triad_manifest_destroy(&about);
  folder_delete(dir);
}

TRIAD_TEST(incomplete_and_foreign_folders_are_rejected_with_a_reason)
{
  static const char *const whats[] = {"cut",     "empty",       "missing", "no manifest", "manifest cut",
                                      "a pipe",  "long",        "a folder", "empty manifest"};
  static const char *const reasons[] = {"the manifest says", "the manifest says", "No such file", "not a complete",
                                        "damaged",           "not a regular",     "the manifest says",
                                        "not a regular",     "not a manifest"};
  for (int what = 0; what < 9; what++) {
    char dir[TRIAD_PATH], modes[TRIAD_PATH], manifest[TRIAD_PATH];
    rejections r;
    two_checkpoints(dir);
    newer_file(dir, TRIAD_MODES_FILE, modes);
    newer_file(dir, TRIAD_MANIFEST_FILE, manifest);
    if (triad_test_comm()->rank == 0) {
      struct stat about;
      int bad = stat(modes, &about);
      switch (what) {
      case 0: bad |= truncate(modes, about.st_size - 1); break;
      case 1: bad |= truncate(modes, 0); break;
      case 2: bad |= unlink(modes); break;
      case 3: bad |= unlink(manifest); break;
      case 4: bad |= truncate(manifest, 300); break;
      case 5: bad |= unlink(modes) | mkfifo(modes, 0600); break;
      case 6: bad |= truncate(modes, about.st_size + 4096); break;
      case 7: bad |= unlink(modes) | mkdir(modes, 0700); break;
      case 8: bad |= truncate(manifest, 0); break;
      default: break;
      }
      assert_int_equal(bad, 0);
    }
    (void)MPI_Barrier(triad_test_comm()->mpi);
    TRIAD_EQUAL(newest_step(dir, &r), 1, whats[what]);
    TRIAD_HOLDS(r.count == 1 && strstr(r.why, reasons[what]), "%s: %d rejected, \"%s\"", whats[what], r.count, r.why);
    folder_delete(dir);
  }
}

TRIAD_TEST(a_run_without_checkpoints_has_none)
{
  char dir[TRIAD_PATH], folder[TRIAD_PATH];
  triad_manifest *about = NULL;
  folder_make(dir);
  TRIAD_EQUAL(newest_step(dir, NULL), -1, "newest step");
  hush();
  int st = triad_checkpoint_about(triad_test_comm(), "/nowhere/at/all", folder, &about);
  speak();
  TRIAD_EQUAL(st, TRIAD_ERR_INPUT, "a checkpoint that is not there");
  folder_delete(dir);
}

TRIAD_TEST(names_and_values_come_back)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {6, 6, 6};
  char dir[TRIAD_PATH], folder[TRIAD_PATH], *long_text = malloc(100001);
  triad_notes *notes;
  folder_make(dir);
  memset(long_text, 'x', 100000);
  long_text[100000] = '\0';
  TRIAD_CHECK(triad_notes_create(&notes));
  TRIAD_CHECK(triad_notes_set_real(notes, "forcing.phase", 1.0 / 3));
  TRIAD_CHECK(triad_notes_set_real(notes, "tiny", 4.9e-324));
  TRIAD_CHECK(triad_notes_set_integer(notes, "counter", INT64_MIN));
  TRIAD_CHECK(triad_notes_set_text(notes, "case", "a = \"b\"\n\tc = '\\'\r\x01\x7f \xc3\xa9"));
  TRIAD_CHECK(triad_notes_set_text(notes, "long", long_text));
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, mode_full);
  triad_checkpoint_info info = info_of(1234567890123);
  info.notes = notes;
  TRIAD_CHECK(triad_checkpoint_write(ctx, a.state, dir, &info, 2));
  triad_notes_destroy(&notes);
  triad_manifest *m;
  TRIAD_CHECK(triad_checkpoint_find(&ctx->comm, dir, NULL, NULL, folder, &m));
  assert_non_null(m);
  TRIAD_EQUAL(m->step, 1234567890123, "step");
  TRIAD_EQUAL(memcmp(&m->t, &info.t, sizeof m->t) | memcmp(&m->dt, &info.dt, sizeof m->dt), 0, "bits of t and dt");
  TRIAD_EQUAL(strcmp(m->solver, "hd") | strcmp(m->writer, "triad test"), 0, "solver and writer");
  double real = 0, third = 1.0 / 3;
  const char *text = "";
  TRIAD_CHECK(triad_notes_real(m->notes, "forcing.phase", &real));
  TRIAD_EQUAL(memcmp(&real, &third, sizeof real), 0, "bits of a real");
  TRIAD_CHECK(triad_notes_real(m->notes, "tiny", &real));
  TRIAD_EQUAL(real > 0, 1, "the smallest real");
  int i = 0;
  while (i < m->notes->count - 1 && strcmp(m->notes->items[i].name, "counter") != 0) i++;
  TRIAD_EQUAL(m->notes->items[i].kind, TRIAD_NOTE_INTEGER, "kind of an integer");
  TRIAD_EQUAL(m->notes->items[i].integer, INT64_MIN, "an integer");
  TRIAD_CHECK(triad_notes_text(m->notes, "case", &text));
  TRIAD_EQUAL(strcmp(text, "a = \"b\"\n\tc = '\\'\r\x01\x7f \xc3\xa9"), 0, "a text with odd bytes");
  TRIAD_CHECK(triad_notes_text(m->notes, "long", &text));
  TRIAD_EQUAL(strcmp(text, long_text), 0, "a long text");
  TRIAD_FAILS(triad_notes_real(m->notes, "counter", &real), TRIAD_ERR_CASE, "integer");
  triad_manifest_destroy(&m);
  flow_free(&a);
  free(long_text);
  folder_delete(dir);
}

TRIAD_TEST(misfits_are_refused)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {12, 10, 9};
  static const triad_field_info others[] = {{"u", "", "U", TRIAD_SCALAR}, {"theta", "", "U", TRIAD_SCALAR}};
  char dir[TRIAD_PATH], folder[TRIAD_PATH];
  triad_manifest *m = NULL;
  two_checkpoints(dir);
  TRIAD_CHECK(triad_checkpoint_find(&ctx->comm, dir, NULL, NULL, folder, &m));
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, NULL);
  hush();
  triad_state *wrong = state_of(ctx, a.layout, others, 2, (void *const[]){a.u[0], a.u[1]});
  int name = triad_checkpoint_read(ctx, wrong, folder, m, 2, NULL, NULL);
  triad_state_destroy(&wrong);
  a.layout->grid.length[1] *= 1 + 1e-11;
  int length = triad_checkpoint_read(ctx, a.state, folder, m, FIELDS, NULL, NULL);
  a.layout->grid.length[1] = box_length[1] * (1 + 4e-13);
  int near = triad_checkpoint_read(ctx, a.state, folder, m, FIELDS, NULL, NULL);
  speak();
  TRIAD_EQUAL(name, TRIAD_ERR_CASE, "a field that is not there");
  TRIAD_EQUAL(length, TRIAD_ERR_CASE, "another box");
  TRIAD_EQUAL(near, TRIAD_OK, "a box that differs by round-off");
  triad_manifest_destroy(&m);
  flow_free(&a);
  folder_delete(dir);
}

TRIAD_TEST(a_field_that_is_not_finite_is_never_written)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {12, 10, 9};
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  two_checkpoints(dir);
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, mode_full);
  if (ctx->comm.rank == ctx->comm.size - 1) a.u[1][triad_layout_place(a.layout, 0, 0)].im = (triad_real)NAN;
  hush();
  int st = write_step(ctx, &a, dir, 3), again = write_step(ctx, &a, dir, 2);
  speak();
  TRIAD_EQUAL(st, TRIAD_ERR_BLOWUP, "writing NaN");
  TRIAD_EQUAL(again, TRIAD_ERR_BLOWUP, "writing NaN over a good checkpoint");
  TRIAD_EQUAL(newest_step(dir, NULL), 2, "newest valid step");
  TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/.tmp-step-00000003", dir));
  TRIAD_EQUAL(access(path, F_OK) == 0, 0, "the temporary folder is left");
  flow_free(&a);
  folder_delete(dir);
}

TRIAD_TEST(old_ones_go_but_never_the_last_good_ones)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {8, 8, 8};
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  folder_make(dir);
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, mode_full);
  for (int64_t step = 1; step <= 3; step++) TRIAD_CHECK(write_step(ctx, &a, dir, step));
  if (ctx->comm.rank == 0) { /* step 3 loses its tail, step 1 gets a visitor */
    TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/step-00000003/" TRIAD_MODES_FILE, dir));
    assert_int_equal(truncate(path, 100), 0);
    TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/step-00000001/notes-of-mine", dir));
    assert_int_equal(mkdir(path, 0700), 0);
    /* a folder that a killed run left */
    TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/.tmp-step-00000004", dir));
    assert_int_equal(mkdir(path, 0700), 0);
    TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/.tmp-step-00000004/" TRIAD_MODES_FILE, dir));
    int fd;
    TRIAD_CHECK(triad_disk_create(path, &fd));
    (void)triad_disk_close(&fd, path);
  }
  (void)MPI_Barrier(ctx->comm.mpi);
  for (int64_t step = 4; step <= 6; step++) {
    triad_checkpoint_info info = info_of(step);
    TRIAD_CHECK(triad_checkpoint_write(ctx, a.state, dir, &info, 0)); /* keep 0 means 2 */
    if (step == 4) { /* 4 and 2 are sound, 3 is not: it must not push 2 out */
      TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/step-00000002", dir));
      TRIAD_EQUAL(access(path, F_OK), 0, "step 2 stands while step 3 is broken");
    }
  }
  int64_t *steps;
  int count;
  TRIAD_CHECK(triad_commit_list(dir, &steps, &count));
  TRIAD_EQUAL(count, 3, "checkpoints that stand");
  if (count == 3) TRIAD_EQUAL(steps[0] * 100 + steps[1] * 10 + steps[2], 651, "their steps");
  free(steps);
  if (ctx->comm.rank == 0) {
    char *text;
    int64_t bytes;
    TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/latest", dir));
    TRIAD_CHECK(triad_disk_load(path, 100, &text, &bytes));
    TRIAD_EQUAL(strcmp(text, "step-00000006\n"), 0, "latest");
    free(text);
  }
  flow_free(&a);
  folder_delete(dir);
}

TRIAD_TEST(the_same_step_is_replaced_in_one_piece)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {12, 10, 9};
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  two_checkpoints(dir);
  newer_file(dir, TRIAD_MODES_FILE, path);
  flip(path, 5000, 1);
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, mode_value), b = flow_make(ctx, n, TRIAD_SPHERE, 4, NULL);
  TRIAD_CHECK(write_step(ctx, &a, dir, 2));
  TRIAD_CHECK(read_newest(ctx, dir, &b, NULL));
  TRIAD_EQUAL(flow_differs(&a, &b), 0, "fields differ");
  TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/.tmp-step-00000002", dir));
  TRIAD_EQUAL(access(path, F_OK) == 0, 0, "the temporary folder is left");
  flow_free(&a);
  flow_free(&b);
  folder_delete(dir);
}

TRIAD_TEST(failure_on_rank_0_fails_all)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {8, 8, 8};
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, mode_full);
  hush();
  int st = write_step(ctx, &a, "/nowhere/at/all", 1);
  speak();
  TRIAD_EQUAL(st, TRIAD_ERR_IO, "writing to a folder that is not there");
  flow_free(&a);
}

/* A tmpfs of a few pages is filled to a different degree each time, so that each stage of a write meets the end of the
 * disk. Whatever happens, ranks agree and the checkpoint that stood still stands. */
TRIAD_TEST(a_full_disk_is_an_error_on_all_ranks_and_loses_nothing)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {12, 10, 9};
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  int mounted = 0;
  folder_make(dir);
  if (ctx->comm.rank == 0) mounted = mount("none", dir, "tmpfs", 0, "size=1m,mode=700") == 0;
  (void)MPI_Bcast(&mounted, 1, MPI_INT, 0, ctx->comm.mpi);
  if (!mounted) {
    folder_delete(dir);
    TRIAD_SKIP("mounting a tmpfs is not allowed here");
  }
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, mode_full), b = flow_make(ctx, n, TRIAD_SPHERE, 4, NULL);
  TRIAD_CHECK(write_step(ctx, &a, dir, 1));
  int failed = 0, succeeded = 0;
  TRIAD_CHECK(triad_disk_path(path, "%s/ballast", dir));
  for (int64_t pages = 0; pages < 40; pages++) {
    if (ctx->comm.rank == 0) { /* fill the disk, but for some pages */
      struct stat about;
      char page[4096];
      memset(page, 1, sizeof page);
      int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
      while (write(fd, page, sizeof page) > 0) continue;
      (void)fstat(fd, &about);
      (void)ftruncate(fd, about.st_size - pages * 4096);
      (void)close(fd);
    }
    (void)MPI_Barrier(ctx->comm.mpi);
    hush();
    int st = write_step(ctx, &a, dir, 2 + pages);
    speak();
    int same[2] = {st, -st};
    (void)MPI_Allreduce(MPI_IN_PLACE, same, 2, MPI_INT, MPI_MAX, ctx->comm.mpi);
    TRIAD_EQUAL(same[0], -same[1], "status on all ranks");
    TRIAD_HOLDS(st == TRIAD_OK || st == TRIAD_ERR_IO, "status %d with %lld pages", st, (long long)pages);
    failed += st != TRIAD_OK;
    succeeded += st == TRIAD_OK;
    TRIAD_CHECK(read_newest(ctx, dir, &b, NULL));
    TRIAD_HOLDS(!flow_differs(&a, &b), "fields differ with %lld pages", (long long)pages);
    if (st == TRIAD_OK) break;
  }
  TRIAD_HOLDS(failed > 3 && succeeded == 1, "%d writes failed, %d succeeded", failed, succeeded);
  flow_free(&a);
  flow_free(&b);
  (void)MPI_Barrier(ctx->comm.mpi);
  if (ctx->comm.rank == 0) (void)umount2(dir, MNT_DETACH);
  folder_delete(dir);
}

TRIAD_MAIN
