/* Fields know what they are, states which copy is the newest, and vectors of states add up to the same bits on any
 * number of ranks and threads.   ranks: 1 2 3 4   threads: 1 3   precision: both */
#include "test.h"

#include "grid/state.h"

static const triad_field_info fields[] = {
  {"u", "", "U", TRIAD_COMPONENT("velocity", 0, 1)}, {"v", "", "U", TRIAD_COMPONENT("velocity", 1, 1)},
  {"w", "", "U", TRIAD_COMPONENT("velocity", 2, 1)}, {"theta", "", "U", TRIAD_SCALAR},
  {"psi_re", "", "U", TRIAD_REAL_PART("psi")},       {"psi_im", "", "U", TRIAD_IMAGINARY_PART("psi")}};
enum { FIELDS = sizeof fields / sizeof *fields };

/* ---- roles ---- */

TRIAD_TEST(roles_tell_vectors_scalars_and_complex_fields)
{
  TRIAD_CHECK(triad_fields_check(fields, FIELDS));
  triad_field_group u = triad_field_group_find(fields, FIELDS, "velocity"),
                    t = triad_field_group_find(fields, FIELDS, "theta"),
                    p = triad_field_group_find(fields, FIELDS, "psi"),
                    b = triad_field_group_find(fields, FIELDS, "magnetic field");
  TRIAD_EQUAL(u.first, 0, "first field of the velocity");
  TRIAD_EQUAL(u.n, 3, "its components");
  TRIAD_EQUAL(u.solenoidal, 1, "has it no divergence");
  TRIAD_EQUAL(t.first, 3, "theta");
  TRIAD_EQUAL(t.n, 1, "fields of a scalar");
  TRIAD_EQUAL(p.first, 4, "real part of psi");
  TRIAD_EQUAL(p.n, 2, "parts of psi");
  TRIAD_EQUAL(b.n, 0, "fields of what is not there");
  TRIAD_EQUAL(triad_field_find(fields, FIELDS, "w"), 2, "number of w");
  TRIAD_EQUAL(triad_field_find(fields, FIELDS, "velocity"), -1, "a field called as a vector is");
}

/* Two vectors of one name, a vector without its last component, parts in another order, one name twice. */
TRIAD_TEST(groups_that_are_not_whole_are_an_error)
{
  const triad_field_info missing[] = {fields[0], fields[1], fields[3]}, order[] = {fields[1], fields[0], fields[2]},
                         half[] = {fields[4], fields[3]}, alone[] = {fields[5]}, twice[] = {fields[3], fields[3]};
  const struct {
    const triad_field_info *list;
    int n;
  } bad[] = {{missing, 3}, {order, 3}, {half, 2}, {alone, 1}, {twice, 2}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    TRIAD_EQUAL(triad_fields_check(bad[i].list, bad[i].n), TRIAD_ERR_INTERNAL, "a list that is not in order");
    TRIAD_HOLDS(strlen(triad_message()) > 0, "list %d: no message", (int)i);
    triad_message_clear();
  }
}

/* ---- the newest copy ---- */

enum { POINTS = 5 };

typedef struct copies {
  triad_real here[2][POINTS], there[2][POINTS];
  int brought, broken;
} copies;

static int bring(void *who, int field, triad_where to)
{
  copies *c = who;
  if (c->broken) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "the device is lost");
  c->brought++;
  memcpy(to == TRIAD_HOST ? c->here[field] : c->there[field], to == TRIAD_HOST ? c->there[field] : c->here[field],
         sizeof c->here[field]);
  return TRIAD_OK;
}

static triad_state *state_of(copies *c, const triad_space *space)
{
  triad_state *s = NULL;
  TRIAD_CHECK(triad_state_create(&s, triad_test_now.context->memory, space, fields + 3, 1));
  triad_state_attach(s, 0, TRIAD_HOST, c->here[0]);
  return s;
}

static triad_space line_space(void)
{
  triad_space space;
  triad_partition b;
  TRIAD_CHECK(triad_partition_init(&b, (const int64_t[3]){POINTS, 1, 1}, (const int[3]){1, 1, 1}, 0, 0, 1, NULL));
  triad_space_box(&space, &b, (const double[3]){1, 1, 1});
  return space;
}

TRIAD_TEST(a_copy_is_brought_when_the_other_one_was_written)
{
  copies c = {.brought = 0};
  triad_space space = line_space();
  triad_state *s = state_of(&c, &space);
  const void *read = NULL;
  void *written = NULL;
  triad_state_attach(s, 0, TRIAD_DEVICE, c.there[0]);
  triad_state_set_copy(s, bring, &c);
  TRIAD_CHECK(triad_state_overwrite(s, 0, TRIAD_HOST, &written));
  TRIAD_HOLDS(written == c.here[0], "another copy came than the host's");
  c.here[0][2] = 7;
  TRIAD_CHECK(triad_state_read(s, 0, TRIAD_DEVICE, &read));
  TRIAD_EQUAL(c.brought, 1, "copies made for the first reading");
  TRIAD_NEAR((double)((const triad_real *)read)[2], 7, 0, "what was written on the host");
  TRIAD_CHECK(triad_state_read(s, 0, TRIAD_DEVICE, &read));
  TRIAD_CHECK(triad_state_read(s, 0, TRIAD_HOST, &read));
  TRIAD_EQUAL(c.brought, 1, "copies made when both were good");
  TRIAD_CHECK(triad_state_write(s, 0, TRIAD_DEVICE, NULL));
  c.there[0][2] = 8;
  TRIAD_CHECK(triad_state_read_all(s, TRIAD_HOST));
  TRIAD_EQUAL(c.brought, 2, "copies made after the device's was written");
  TRIAD_NEAR((double)c.here[0][2], 8, 0, "what was written on the device");
  TRIAD_CHECK(triad_state_overwrite_all(s, TRIAD_DEVICE));
  TRIAD_CHECK(triad_state_overwrite_all(s, TRIAD_HOST));
  TRIAD_EQUAL(c.brought, 2, "copies made to overwrite");
  triad_state_destroy(&s);
}

TRIAD_TEST(reading_an_out_of_date_copy_that_cannot_be_brought_is_an_error)
{
  copies c = {.brought = 0};
  triad_space space = line_space();
  triad_state *s = state_of(&c, &space);
  TRIAD_EQUAL(triad_state_read_all(s, TRIAD_DEVICE), TRIAD_ERR_INTERNAL, "reading a copy that is not there");
  TRIAD_HOLDS(strstr(triad_message(), "theta") != NULL, "the message does not name the field: %s", triad_message());
  triad_message_clear();
  triad_state_attach(s, 0, TRIAD_DEVICE, c.there[0]);
  TRIAD_EQUAL(triad_state_read_all(s, TRIAD_DEVICE), TRIAD_ERR_INTERNAL, "reading what nothing brings");
  TRIAD_HOLDS(strstr(triad_message(), "out of date") != NULL, "the message: %s", triad_message());
  triad_message_clear();
  TRIAD_EQUAL(triad_state_read(s, 1, TRIAD_HOST, NULL), TRIAD_ERR_INTERNAL, "a field that is not there");
  triad_message_clear();
  c.broken = 1;
  triad_state_set_copy(s, bring, &c);
  TRIAD_EQUAL(triad_state_write_all(s, TRIAD_DEVICE), TRIAD_ERR_INTERNAL, "a device that is lost");
  triad_message_clear();
  TRIAD_CHECK(triad_state_read_all(s, TRIAD_HOST)); /* which is the newest still */
  triad_state_destroy(&s);
}

/* ---- vectors ---- */

enum { STATES = 3, VECTOR = 4 /* fields: the velocity and theta */, HALO = 2 };

typedef struct vectors {
  triad_space space;
  triad_layout *layout;
  triad_state *state[STATES];
  triad_real *u[STATES][VECTOR];
} vectors;

/* A number by state, field, entry of the dataset and part; of every magnitude from 1e-6 to 1e6. */
static triad_real value_of(int state, int field, int64_t global, int part)
{
  double r = triad_test_random((uint64_t)(state * VECTOR + field), (uint64_t)(2 * global + part));
  return (triad_real)((r - 0.5) * pow(10, 6 * triad_test_random(99, (uint64_t)global)));
}

static void make(vectors *v, const triad_context *context, int modes)
{
  const triad_comm *comm = &context->comm;
  const int64_t n[3] = {15, 9, 10};
  memset(v, 0, sizeof *v);
  if (modes) {
    triad_grid grid;
    TRIAD_CHECK(triad_grid_init(&grid, n, (const double[3]){1, 2, 3}, TRIAD_SPHERE));
    TRIAD_CHECK(triad_layout_create(&v->layout, &grid, comm->rank, comm->size, TRIAD_LANES));
    triad_space_modes(&v->space, v->layout);
  } else {
    triad_partition b;
    TRIAD_CHECK(triad_partition_init(&b, n, (const int[3]){1, 0, 1}, HALO, comm->rank, comm->size, NULL));
    triad_space_box(&v->space, &b, (const double[3]){1, 2, 3});
  }
  for (int s = 0; s < STATES; s++) {
    TRIAD_CHECK(triad_state_create(&v->state[s], context->memory, &v->space, fields, VECTOR));
    for (int f = 0; f < VECTOR; f++) {
      int64_t reals = v->space.memory * v->space.parts;
      v->u[s][f] = calloc((size_t)reals + 1, sizeof(triad_real));
      for (int64_t i = 0; i < reals; i++) v->u[s][f][i] = 77; /* ghosts and padding are nobody's business */
      triad_state_attach(v->state[s], f, TRIAD_HOST, v->u[s][f]);
      for (int64_t i = 0; i < v->space.n_runs; i++) {
        triad_space_run r;
        v->space.kind->run(&v->space, i, &r);
        for (int64_t k = 0; k < r.count * v->space.parts; k++)
          v->u[s][f][(r.at + k / v->space.parts * r.step) * v->space.parts + k % v->space.parts] =
            value_of(s, f, r.global + k / v->space.parts, (int)(k % v->space.parts));
      }
    }
  }
}

static void destroy(vectors *v)
{
  for (int s = 0; s < STATES; s++) {
    triad_state_destroy(&v->state[s]);
    for (int f = 0; f < VECTOR; f++) free(v->u[s][f]);
  }
  triad_layout_destroy(&v->layout);
}

/* Entries held by all ranks, and the sum of their numbers: each of the dataset once. */
TRIAD_TEST(runs_hold_each_entry_of_the_dataset_once)
{
  for (int modes = 0; modes < 2; modes++) {
    vectors v;
    make(&v, triad_test_now.context, modes);
    int64_t mine[2] = {0, 0}, all[2], n = v.space.all;
    for (int64_t i = 0; i < v.space.n_runs; i++) {
      triad_space_run r;
      v.space.kind->run(&v.space, i, &r);
      mine[0] += r.count;
      for (int64_t k = 0; k < r.count; k++) mine[1] += r.global + k;
    }
    TRIAD_EQUAL(mine[0], v.space.here, "entries of the runs");
    TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_SUM, triad_test_comm()->mpi)));
    TRIAD_EQUAL(all[0], n, "entries of all ranks");
    TRIAD_EQUAL(all[1], n * (n - 1) / 2, "sum of their numbers");
    destroy(&v);
  }
}

/* y <- a0 x0 + a1 x1 + y within rounding of three terms; ghosts stay. */
TRIAD_TEST(combine_is_what_a_plain_loop_makes)
{
  const double a[STATES] = {0.75, -1.5, 2};
  for (int modes = 0; modes < 2; modes++) {
    vectors v;
    double worst = 0;
    int64_t ghosts = 0, wrong = 0;
    make(&v, triad_test_now.context, modes);
    TRIAD_CHECK(triad_state_combine(v.state[2], STATES, a, v.state, triad_test_now.context->threads));
    for (int f = 0; f < VECTOR; f++) {
      for (int64_t i = 0; i < v.space.n_runs; i++) {
        triad_space_run r;
        v.space.kind->run(&v.space, i, &r);
        for (int64_t k = 0; k < r.count * v.space.parts; k++) {
          int64_t global = r.global + k / v.space.parts;
          int part = (int)(k % v.space.parts);
          double sum = 0, size = 0;
          for (int s = 0; s < STATES; s++) {
            sum += a[s] * (double)value_of(s, f, global, part);
            size += fabs(a[s] * (double)value_of(s, f, global, part));
          }
          double is = (double)v.u[2][f][(r.at + k / v.space.parts * r.step) * v.space.parts + part];
          worst = fmax(worst, fabs(is - sum) / size);
        }
      }
      for (int64_t i = 0; i < v.space.memory * v.space.parts; i++) ghosts += !(fabs((double)v.u[2][f][i] - 77) > 0);
      wrong += ghosts;
      ghosts = 0;
    }
    TRIAD_WITHIN(worst, 0, 4 * TRIAD_EPSILON, "what differs, over the size of the terms");
    TRIAD_EQUAL(wrong, VECTOR * (v.space.memory - v.space.here) * v.space.parts,
                "reals of ghosts and padding that stayed");
    destroy(&v);
  }
}

TRIAD_TEST(axpy_adds_a_multiple)
{
  vectors v;
  double worst = 0;
  make(&v, triad_test_now.context, 0);
  TRIAD_CHECK(triad_state_axpy(v.state[1], -2.5, v.state[0], triad_test_now.context->threads));
  for (int64_t i = 0; i < v.space.n_runs; i++) {
    triad_space_run r;
    v.space.kind->run(&v.space, i, &r);
    for (int64_t k = 0; k < r.count; k++) {
      double y = (double)value_of(1, 3, r.global + k, 0), x = (double)value_of(0, 3, r.global + k, 0);
      worst = fmax(worst, fabs((double)v.u[1][3][r.at + k] - (y - 2.5 * x)) / (fabs(y) + fabs(2.5 * x)));
    }
  }
  TRIAD_WITHIN(worst, 0, 2 * TRIAD_EPSILON, "what differs from y + a x");
  destroy(&v);
}

/* The exact sum has one value however it is cut. */
TRIAD_TEST(dot_has_the_same_bits_on_any_ranks_and_threads)
{
  triad_context *alone = NULL;
  TRIAD_CHECK(triad_context_create(&alone, MPI_COMM_SELF, 1));
  for (int modes = 0; modes < 2; modes++) {
    vectors v, w;
    double all = 0, one = 0, plain = 0, size = 0;
    make(&v, triad_test_now.context, modes);
    make(&w, alone, modes);
    TRIAD_CHECK(
      triad_state_dot(&triad_test_now.context->comm, v.state[0], v.state[1], triad_test_now.context->threads, &all));
    TRIAD_CHECK(triad_state_dot(&alone->comm, w.state[0], w.state[1], 1, &one));
    TRIAD_HOLDS(memcmp(&all, &one, sizeof all) == 0, "%.17g of all ranks, %.17g of one", all, one);
    for (int f = 0; f < VECTOR; f++)
      for (int64_t i = 0; i < w.space.n_runs; i++) {
        triad_space_run r;
        w.space.kind->run(&w.space, i, &r);
        for (int64_t k = 0; k < r.count * w.space.parts; k++) {
          int64_t global = r.global + k / w.space.parts;
          int part = (int)(k % w.space.parts);
          double term = r.weight * (double)value_of(0, f, global, part) * (double)value_of(1, f, global, part);
          plain += term;
          size += fabs(term);
        }
      }
    /* n terms added one after the other are off by n epsilon of their size at most */
    TRIAD_WITHIN(all, plain, 2e-16 * size * (double)(VECTOR * w.space.all * w.space.parts), "a plain sum");
    destroy(&v);
    destroy(&w);
  }
  triad_context_destroy(&alone);
}

TRIAD_TEST(states_that_differ_do_not_go_together)
{
  vectors v, w;
  double out;
  make(&v, triad_test_now.context, 0);
  make(&w, triad_test_now.context, 1);
  TRIAD_EQUAL(triad_state_axpy(v.state[0], 1, w.state[0], 1), TRIAD_ERR_INTERNAL, "points and modes");
  triad_message_clear();
  TRIAD_EQUAL(triad_state_dot(triad_test_comm(), v.state[0], w.state[0], 1, &out), TRIAD_ERR_INTERNAL,
              "their dot product");
  triad_message_clear();
  destroy(&v);
  destroy(&w);
}

TRIAD_MAIN
