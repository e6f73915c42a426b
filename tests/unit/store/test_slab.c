/* Fields of any space become whole lines of their dataset and come back: blocks of a box on any rank grid, numbers
 * dealt at random as a mesh has them, modes, planes; and the faces of a walled box go to a checkpoint and back.
 * ranks: 1 2 3 4 8   precision: both quick: 1 */
#include "test.h"

#include "folder.h"
#include "grid/fields/slab.h"
#include "store/fields/checkpoint.h"
#include "store/checkpoint/commit.h"
#include "store/hdf5/h5read.h"

static triad_real value_at(int64_t global, int part) { return (triad_real)(2 * global + part + 1); }

/* The values of a formula at this rank's entries; ghosts are -1. */
static triad_real *field_of(const triad_space *s)
{
  triad_real *field = calloc((size_t)(s->memory * s->parts) + 1, sizeof *field);
  for (int64_t i = 0; i < s->memory * s->parts; i++) field[i] = -1;
  for (int64_t i = 0; i < s->n_runs; i++) {
    triad_space_run r;
    s->kind->run(s, i, &r);
    for (int64_t k = 0; k < r.count; k++)
      for (int p = 0; p < s->parts; p++) field[(r.at + k * r.step) * s->parts + p] = value_at(r.global + k, p);
  }
  return field;
}

/* Gather what a formula put at the entries, compare the lines with it; scatter the lines, compare all of the memory. */
static void check(const triad_context *context, const triad_space *s, int direct)
{
  triad_slab *slab = NULL;
  int64_t wrong = 0;
  TRIAD_CHECK(triad_slab_create(&slab, context, s));
  int64_t reals = triad_slab_reals(slab), count = triad_slab_count(slab), first = triad_slab_first(slab), all = 0;
  triad_real *field = field_of(s), *lines = calloc((size_t)(count * reals) + 1, sizeof *lines);
  if (direct >= 0) TRIAD_EQUAL(triad_slab_is_direct(slab), direct, "is nothing exchanged");
  TRIAD_CHECK(triad_slab_gather(slab, field, lines));
  for (int64_t i = 0; i < count * reals; i++)
    wrong += fabs((double)(lines[i] - value_at((first * reals + i) / s->parts, (int)(i % s->parts)))) > 0;
  TRIAD_EQUAL(wrong, 0, "values that are wrong in lines");
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(&count, &all, 1, MPI_INT64_T, MPI_SUM, context->comm.mpi)));
  TRIAD_EQUAL(all * reals, s->all * s->parts, "reals in the lines of all ranks");
  triad_real *back = calloc((size_t)(s->memory * s->parts) + 1, sizeof *back);
  for (int64_t i = 0; i < s->memory * s->parts; i++) back[i] = -1;
  TRIAD_CHECK(triad_slab_scatter(slab, lines, back));
  TRIAD_EQUAL(memcmp(field, back, (size_t)(s->memory * s->parts) * sizeof *field), 0, "fields that came back differ");
  free(field);
  free(lines);
  free(back);
  triad_slab_destroy(&slab);
}

static const double length[3] = {1, 2, 3};

TRIAD_TEST(blocks_of_a_box_become_lines_and_come_back)
{
  static const struct {
    int64_t n[3], width;
  } samples[] = {{{13, 11, 9}, 1}, {{16, 17, 1}, 2}, {{70, 1, 1}, 4}, {{1, 1, 41}, 3}, {{1, 24, 25}, 3}};
  const triad_comm *comm = triad_test_comm();
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
    for (int x = 1; x <= comm->size; x++)
      for (int y = 1; y <= comm->size / x; y++) {
        const int dims[3] = {x, y, comm->size / x / y}, closed[3] = {1, 0, 1};
        triad_partition b;
        triad_space space;
        if (comm->size % (x * y) || triad_partition_init(&b, samples[i].n, closed, samples[i].width, comm->rank,
                                                         comm->size, dims) != TRIAD_OK) {
          triad_message_clear();
          continue;
        }
        triad_space_box(&space, &b, length);
        check(triad_test_context(), &space, x == 1 && y == 1 ? 1 : -1);
        b = triad_partition_bare(&b);
        triad_space_box(&space, &b, length);
        check(triad_test_context(), &space, x == 1 && y == 1 ? 1 : -1);
      }
}

TRIAD_TEST(modes_and_planes_are_lines_where_they_lie)
{
  const triad_comm *comm = triad_test_comm();
  for (int shape = 0; shape < 2; shape++) {
    const int64_t n[3] = {15, 9, shape ? 3 : 21}; /* also fewer planes than ranks */
    triad_grid grid;
    triad_layout *l = NULL;
    triad_space space;
    TRIAD_CHECK(triad_grid_init(&grid, n, length, TRIAD_SPHERE));
    TRIAD_CHECK(triad_layout_create(&l, &grid, comm->rank, comm->size, TRIAD_LANES));
    triad_space_modes(&space, l);
    check(triad_test_context(), &space, 1);
    triad_space_planes(&space, l);
    check(triad_test_context(), &space, 1);
    triad_layout_destroy(&l);
  }
}

/* ---- a toy kind of another code: entries numbered at random, one run each, as a mesh has them ---- */

enum { ENTRIES = 211 };

static int owner(int64_t global, int size) { return (int)(triad_test_bits(7, (uint64_t)global) % (uint64_t)size); }

static void run_of_mesh(const triad_space *s, int64_t i, triad_space_run *run)
{
  const int64_t *numbers = s->own;
  *run = (triad_space_run){.global = numbers[i], .at = 2 * (s->n_runs - 1 - i), .step = 1, .count = 1, .weight = 1};
}

static const triad_space_kind mesh = {.name = "mesh", .run = run_of_mesh};

static void make_mesh(triad_space *s, int64_t *numbers)
{
  const triad_comm *comm = triad_test_comm();
  *s = (triad_space){.kind = &mesh, .n_dims = 1, .parts = 1, .dims = {ENTRIES}, .all = ENTRIES, .own = numbers};
  for (int64_t g = 0; g < ENTRIES; g++)
    if (owner(g, comm->size) == comm->rank) numbers[s->n_runs++] = g;
  s->here = s->n_runs;
  s->memory = 2 * s->n_runs; /* every other one is a ghost */
}

TRIAD_TEST(entries_of_a_mesh_become_lines_and_come_back)
{
  int64_t numbers[ENTRIES];
  triad_space space;
  make_mesh(&space, numbers);
  check(triad_test_context(), &space, -1);
}

/* ---- and one more: components at the faces of a box with walls along z ---- */

/* w stands at n + 1 faces along z, the last one on the last rank; u and p at n centres. */
typedef struct faces {
  int64_t n[3], begin, local; /* of the dataset; planes of this rank */
} faces;

static void run_of_faces(const triad_space *s, int64_t i, triad_space_run *run)
{
  const faces *f = s->own;
  *run = (triad_space_run){.global = (f->begin * f->n[1] + i) * f->n[0],
                           /* a plane of ghosts below */
                           .at = (1 + i / f->n[1]) * f->n[1] * f->n[0] + i % f->n[1] * f->n[0],
                           .step = 1,
                           .count = f->n[0],
                           .weight = 1};
}

static const triad_space_kind at_faces = {.name = "faces", .run = run_of_faces};

static void make_faces(triad_space *s, faces *f, const triad_comm *comm, const int64_t n[3], int extra)
{
  int last = comm->rank == comm->size - 1;
  int64_t begin = triad_deal(n[2], comm->rank, comm->size), end = triad_deal(n[2], comm->rank + 1, comm->size);
  *f = (faces){{n[0], n[1], n[2] + extra}, begin, end - begin + (last ? extra : 0)};
  *s = (triad_space){.kind = &at_faces,
                     .n_dims = 3,
                     .parts = 1,
                     .dims = {f->n[2], f->n[1], f->n[0]},
                     .all = f->n[0] * f->n[1] * f->n[2],
                     .here = f->n[0] * f->n[1] * f->local,
                     .memory = f->n[0] * f->n[1] * (f->local + 2),
                     .n_runs = f->n[1] * f->local,
                     .own = f};
  for (int i = 0; i < 3; i++) s->axis[i] = (triad_axis){.n = n[i], .periodic = i < 2, .length = length[i]};
}

enum { COMPONENTS = 3 };
static const triad_field_info components[COMPONENTS] = {
  {"u", "", "U", TRIAD_SCALAR}, {"w", "", "U", TRIAD_SCALAR}, {"p", "", "U^2", TRIAD_SCALAR}};

typedef struct staggered {
  faces centre, wall;
  triad_space space[2];
  triad_state *state;
  triad_real *memory[COMPONENTS];
} staggered;

static void make_staggered(staggered *s, const triad_context *context, const int64_t n[3], int filled)
{
  make_faces(&s->space[0], &s->centre, &context->comm, n, 0);
  make_faces(&s->space[1], &s->wall, &context->comm, n, 1);
  TRIAD_CHECK(triad_state_create(&s->state, context->memory, &s->space[0], components, COMPONENTS));
  TRIAD_CHECK(triad_state_set_space(s->state, 1, &s->space[1]));
  for (int f = 0; f < COMPONENTS; f++) {
    s->memory[f] = field_of(&s->space[f == 1]);
    for (int64_t i = 0; i < s->space[f == 1].memory && !filled; i++) s->memory[f][i] = -1;
    triad_state_attach(s->state, f, TRIAD_HOST, s->memory[f]);
  }
}

static void drop_staggered(staggered *s)
{
  triad_state_destroy(&s->state);
  for (int f = 0; f < COMPONENTS; f++) free(s->memory[f]);
}

TRIAD_TEST(a_checkpoint_holds_components_of_different_sizes)
{
  const triad_context *all = triad_test_context();
  const int64_t n[3] = {6, 5, 16}, taller[3] = {6, 5, 17};
  triad_checkpoint_info info = {.step = 3, .t = 0.5, .dt = 0.25, .solver = "toy", .writer = "test"};
  for (int gather = 0; gather < 2; gather++) {
    char dir[TRIAD_PATH], folder[TRIAD_PATH];
    staggered a, b, c;
    triad_manifest *about = NULL;
    folder_make(dir);
    info.gather = gather;
    make_staggered(&a, all, n, 1);
    make_staggered(&b, all, n, 0);
    make_staggered(&c, all, taller, 0);
    TRIAD_CHECK(triad_checkpoint_write(all, a.state, dir, &info, 2));
    TRIAD_CHECK(triad_checkpoint_find(&all->comm, dir, NULL, NULL, folder, &about));
    assert_non_null(about);
    TRIAD_EQUAL(about->fields[0].lines, n[1] * n[2], "lines of u");
    TRIAD_EQUAL(about->fields[1].lines, n[1] * (n[2] + 1), "lines of w");
    TRIAD_EQUAL(strcmp(about->space, "faces"), 0, "space of the manifest");
    TRIAD_CHECK(triad_checkpoint_read(all, b.state, folder, about, COMPONENTS, NULL, NULL));
    for (int f = 0; f < COMPONENTS; f++)
      TRIAD_EQUAL(memcmp(a.memory[f], b.memory[f], (size_t)a.space[f == 1].memory * sizeof **a.memory), 0,
                  components[f].name);
    hush();
    int misfit = triad_checkpoint_read(all, c.state, folder, about, COMPONENTS, NULL, NULL);
    speak();
    TRIAD_EQUAL(misfit, TRIAD_ERR_CASE, "reading into a taller box");
    triad_manifest_destroy(&about);
    drop_staggered(&a);
    drop_staggered(&b);
    drop_staggered(&c);
    folder_delete(dir);
  }
}

static char *load(const char *dir, const char *name, int64_t *bytes)
{
  char path[TRIAD_PATH], *text = NULL;
  TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/step-00000003/%s", dir, name));
  TRIAD_CHECK(triad_disk_load(path, 1 << 24, &text, bytes));
  return text;
}

/* All ranks together, and the first of them alone. */
TRIAD_TEST(its_bytes_are_the_same_on_any_number_of_ranks)
{
  static const char *const files[] = {"points.h5", "manifest.txt"};
  const triad_context *all = triad_test_context();
  const int64_t n[3] = {6, 5, 16};
  triad_checkpoint_info info = {.step = 3, .t = 0.5, .dt = 0.25, .solver = "toy", .writer = "test"};
  char dir[2][TRIAD_PATH];
  triad_context *alone = NULL;
  MPI_Comm self;
  staggered a, b;
  folder_make(dir[0]);
  folder_make(dir[1]);
  TRIAD_CHECK(MPI_Comm_split(all->comm.mpi, all->comm.rank, 0, &self));
  TRIAD_CHECK(triad_context_create(&alone, self, 1));
  make_staggered(&a, all, n, 1);
  make_staggered(&b, alone, n, 1);
  TRIAD_CHECK(triad_checkpoint_write(all, a.state, dir[0], &info, 2));
  if (all->comm.rank == 0) TRIAD_CHECK(triad_checkpoint_write(alone, b.state, dir[1], &info, 2));
  (void)MPI_Barrier(all->comm.mpi);
  for (int i = 0; i < 2; i++) {
    int64_t bytes[2];
    char *text[2] = {load(dir[0], files[i], &bytes[0]), load(dir[1], files[i], &bytes[1])};
    TRIAD_HOLDS(bytes[0] == bytes[1] && memcmp(text[0], text[1], (size_t)bytes[0]) == 0, "%s differs", files[i]);
    free(text[0]);
    free(text[1]);
  }
  (void)MPI_Barrier(all->comm.mpi);
  drop_staggered(&a);
  drop_staggered(&b);
  triad_context_destroy(&alone);
  (void)MPI_Comm_free(&self);
  folder_delete(dir[0]);
  folder_delete(dir[1]);
}

TRIAD_MAIN
