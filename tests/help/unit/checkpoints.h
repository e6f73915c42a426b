/* Flows whose modes are a function of their wavenumbers, written to checkpoints and read. For test_checkpoint*.c. */
#ifndef TRIAD_TESTS_UNIT_CHECKPOINTS_H
#define TRIAD_TESTS_UNIT_CHECKPOINTS_H

#include "folder.h"

#include "store/fields/checkpoint.h"
#include "store/checkpoint/commit.h"

static const double box_length[3] = {6.25, 3.5, 9.75};
static const triad_field_info fields[] = {{"u", "", "U", TRIAD_COMPONENT("velocity", 0, 1)},
                                          {"v", "", "U", TRIAD_COMPONENT("velocity", 1, 1)},
                                          {"w", "", "U", TRIAD_COMPONENT("velocity", 2, 1)}};
enum { FIELDS = 3 };

static inline double mode_value(int field, int part, int64_t kx, int64_t ky, int64_t kz)
{
  uint64_t mode = (uint64_t)(kx + 4096) << 26 | (uint64_t)(ky + 4096) << 13 | (uint64_t)(kz + 4096);
  /* exact in either precision; 24 bits by arithmetic on integers, which no conversion can round */
  return ldexp((double)(triad_test_bits((uint64_t)(2 * field + part), mode) >> 40), -24) - 0.5;
}

/* Values with all the bits of this precision. */
static inline double mode_full(int field, int part, int64_t kx, int64_t ky, int64_t kz)
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
static inline triad_state *state_of(const triad_context *ctx, const triad_layout *l, const triad_field_info *list,
                                    int n, void *const *memory)
{
  triad_space space;
  triad_state *state;
  triad_space_modes(&space, l);
  TRIAD_CHECK(triad_state_create(&state, ctx->memory, &space, list, n));
  for (int f = 0; f < n; f++) triad_state_attach(state, f, TRIAD_HOST, memory[f]);
  return state;
}

static inline flow flow_make(const triad_context *ctx, const int64_t n[3], triad_truncation truncation, int64_t lanes,
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

static inline void flow_free(flow *f)
{
  triad_state_destroy(&f->state);
  triad_layout_destroy(&f->layout);
  for (int i = 0; i < FIELDS; i++) free(f->u[i]);
}

/* Bytes, so that -0 and +0 differ; padding must be zero. */
static inline int flow_differs(const flow *a, const flow *b)
{
  for (int i = 0; i < FIELDS; i++)
    if (memcmp(a->u[i], b->u[i], (size_t)a->layout->modes * sizeof(triad_cplx)) != 0) return 1;
  return 0;
}

static inline triad_checkpoint_info info_of(int64_t step)
{
  return (triad_checkpoint_info){
    .step = step, .t = 0.1 * (double)step, .dt = 1.0 / 3, .solver = "hd", .writer = "triad test"};
}

static inline int write_step(const triad_context *ctx, const flow *f, const char *dir, int64_t step)
{
  triad_checkpoint_info info = info_of(step);
  return triad_checkpoint_write(ctx, f->state, dir, &info, 3);
}

static inline int read_newest(const triad_context *ctx, const char *dir, flow *f, double *dropped)
{
  char folder[TRIAD_PATH];
  triad_manifest *about;
  int st = triad_checkpoint_find(&ctx->comm, dir, NULL, NULL, folder, &about);
  if (st == TRIAD_OK && !about) st = TRIAD_FAIL(TRIAD_ERR_INPUT, "no valid checkpoint");
  if (st == TRIAD_OK) st = triad_checkpoint_read(ctx, f->state, folder, about, FIELDS, NULL, dropped);
  triad_manifest_destroy(&about);
  return st;
}

/* The step of the newest valid checkpoint, -1 when there is none; how many were rejected, and the last reason. */
typedef struct rejections {
  int count;
  char why[1024];
} rejections;
static inline void note_rejection(void *who, const char *name, const char *why)
{
  rejections *r = who;
  (void)name;
  r->count++;
  (void)snprintf(r->why, sizeof r->why, "%s", why);
}
static inline int64_t newest_step(const char *dir, rejections *r)
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

/* Two checkpoints of steps 1 and 2; then damage to the newer one. */
static inline void two_checkpoints(char dir[TRIAD_PATH])
{
  const int64_t n[3] = {12, 10, 9};
  folder_make(dir);
  flow a = flow_make(triad_test_context(), n, TRIAD_SPHERE, 4, mode_full);
  TRIAD_CHECK(write_step(triad_test_context(), &a, dir, 1));
  TRIAD_CHECK(write_step(triad_test_context(), &a, dir, 2));
  flow_free(&a);
}

static inline void newer_file(const char *dir, const char *name, char path[TRIAD_PATH])
{
  TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/step-00000002/%s", dir, name));
}

static inline void flip(const char *path, int64_t at, int bit)
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

#endif
