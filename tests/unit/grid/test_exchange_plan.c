/* Exchanges by a plan against a direct computation: index lists, joined faces of blocks that lie differently, unequal
 * sizes. ranks: 1 2 3 4   threads: 1 2   precision: both */
#include "test.h"

#include "grid/fields/halo.h"

enum { SPLITS = 3, MOST = 400, SENT_FROM = 1000, FIELDS = 2 };

/* The value that rank `rank` has at a place: exact in both precisions, all different. */
static triad_real value_at(int rank, int field, int64_t place)
{
  return (triad_real)((rank * FIELDS + field) * (int64_t)(1 << 18) + place + 1);
}

/* What goes from rank s to rank r: how many numbers, none for some; each rank can tell of any pair. */
static int64_t count_of(int s, int r)
{
  int64_t n = triad_test_below(11, (uint64_t)(16 * s + r), MOST);
  return n < MOST / 4 && s != r ? 0 : n;
}

static int64_t source_of(int s, int r, int64_t i)
{
  return triad_test_below(12 + (uint64_t)(16 * s + r), (uint64_t)i,
                          SENT_FROM); /* some places are sent more than once */
}

/* No place is filled twice: those of each sender are its own, and 7 has no factor in common with MOST. */
static int64_t target_of(int s, int64_t i) { return SENT_FROM + s * MOST + (7 * i + 13 * s) % MOST; }

/* The i-th of `parts` parts of n. */
static int64_t cut(int64_t n, int i, int parts) { return n * i / parts; }

static void add_lists(triad_exchange_plan *plan, int me, int other)
{
  int64_t out[MOST], in[MOST], n_out = count_of(me, other), n_in = count_of(other, me);
  for (int64_t i = 0; i < n_out; i++) out[i] = source_of(me, other, i);
  for (int64_t i = 0; i < n_in; i++) in[i] = target_of(other, i);
  if (me == other) {
    triad_exchange_run from = triad_exchange_run_of_list(out, n_out), to = triad_exchange_run_of_list(in, n_in);
    TRIAD_CHECK(triad_exchange_plan_copy(plan, &from, &to));
    return;
  }
  /* cut in other parts by the one side than by the other */
  for (int i = 0; i < SPLITS; i++) {
    triad_exchange_run run =
      triad_exchange_run_of_list(out + cut(n_out, i, SPLITS), cut(n_out, i + 1, SPLITS) - cut(n_out, i, SPLITS));
    TRIAD_CHECK(triad_exchange_plan_send(plan, other, &run));
  }
  for (int i = 0; i < SPLITS - 1; i++) {
    triad_exchange_run run = triad_exchange_run_of_list(in + cut(n_in, i, SPLITS - 1),
                                                        cut(n_in, i + 1, SPLITS - 1) - cut(n_in, i, SPLITS - 1));
    TRIAD_CHECK(triad_exchange_plan_receive(plan, other, &run));
  }
}

TRIAD_TEST(index_lists_of_any_sizes_bring_each_number_to_its_place)
{
  const triad_comm *comm = triad_test_comm();
  const int64_t volume = SENT_FROM + comm->size * MOST;
  triad_exchange_plan *plan;
  triad_halo *halo;
  triad_real *field[FIELDS];
  TRIAD_CHECK(triad_exchange_plan_create(&plan));
  for (int r = 0; r < comm->size; r++) add_lists(plan, comm->rank, r);
  TRIAD_CHECK(triad_halo_create(&halo, triad_test_context(), &plan, FIELDS));
  TRIAD_HOLDS(plan == NULL, "the plan is the exchange's now");
  for (int f = 0; f < FIELDS; f++) {
    field[f] = calloc((size_t)volume, sizeof **field);
    for (int64_t i = 0; i < SENT_FROM; i++) field[f][i] = value_at(comm->rank, f, i);
  }
  for (int round = 0; round < 2; round++) triad_halo_exchange(halo, field, FIELDS);
  int64_t filled = 0, sent = 0;
  for (int s = 0; s < comm->size; s++) {
    filled += count_of(s, comm->rank);
    if (s != comm->rank) sent += count_of(comm->rank, s);
    for (int f = 0; f < FIELDS; f++)
      for (int64_t i = 0; i < count_of(s, comm->rank); i++)
        TRIAD_EQUAL(field[f][target_of(s, i)], value_at(s, f, source_of(s, comm->rank, i)), "a number that has come");
  }
  TRIAD_EQUAL(triad_halo_bytes(halo, FIELDS), sent * FIELDS * (int64_t)sizeof(triad_real), "bytes sent");
  for (int f = 0; f < FIELDS; f++) {
    int64_t written = 0;
    for (int64_t i = SENT_FROM; i < volume; i++) written += field[f][i] > 0;
    TRIAD_EQUAL(written, filled, "places that were written");
    free(field[f]);
  }
  triad_halo_destroy(&halo);
}

/* The n-th of the 48 ways to lay a cube on a cube; the first 8 keep axis 0 and its direction. */
static triad_orientation orientation_of(int n)
{
  static const int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  triad_orientation o;
  int turn = n < 16 ? n % 2 : 2 + n % 4, signs = n < 8 ? n / 2 * 2 : n < 16 ? (n - 8) / 2 * 2 + 1 : (n - 16) / 4;
  for (int i = 0; i < 3; i++) {
    o.axis[i] = axes[turn][i];
    o.reversed[i] = signs >> i & 1;
  }
  return o;
}

TRIAD_TEST(there_are_48_orientations)
{
  for (int n = 0; n < 48; n++) {
    triad_orientation o = orientation_of(n);
    for (int m = 0; m < n; m++) {
      triad_orientation p = orientation_of(m);
      TRIAD_HOLDS(memcmp(&o, &p, sizeof o) != 0, "%d and %d are the same", n, m);
    }
    if (n < 8) TRIAD_HOLDS(o.axis[0] == 0 && !o.reversed[0], "orientation %d turns the axis across the face", n);
  }
}

/* A box of count points in an array of side[0] x side[1] x side[2], from `first` on. */
static triad_exchange_run box_run(const int64_t side[3], const int64_t first[3], const int64_t count[3])
{
  triad_exchange_run r = {.stride = {1, side[0], side[0] * side[1]}};
  for (int i = 0; i < 3; i++) {
    r.first += first[i] * r.stride[i];
    r.count[i] = count[i];
  }
  return r;
}

/* Send a box of 2 x 3 x 4 points from rank 0 into a box of the last rank whose axes lie by `o`; the sender or the
 * receiver allows for it. Every place of the receiver's array is compared with the formula. */
static void check_orientation(const triad_orientation *o, int by_receiver)
{
  const triad_comm *comm = triad_test_comm();
  const int64_t side[3] = {7, 8, 9}, first[3] = {1, 2, 1}, count[3] = {2, 3, 4}, volume = 7 * 8 * 9;
  const int last = comm->size - 1;
  int64_t there[3], at[3];
  triad_orientation back;
  for (int i = 0; i < 3; i++) {
    there[o->axis[i]] = count[i];
    back.axis[o->axis[i]] = i;
    back.reversed[o->axis[i]] = o->reversed[i];
  }
  triad_exchange_run from = box_run(side, first, count), to = box_run(side, first, there);
  if (by_receiver) to = triad_exchange_run_oriented(&to, &back);
  else from = triad_exchange_run_oriented(&from, o);
  triad_exchange_plan *plan;
  triad_halo *halo;
  TRIAD_CHECK(triad_exchange_plan_create(&plan));
  triad_real *field = calloc(2 * (size_t)volume, sizeof *field); /* what is received comes into the second half */
  to.first += volume;
  for (int64_t i = 0; i < volume; i++) field[i] = value_at(comm->rank, 0, i);
  if (last == 0) TRIAD_CHECK(triad_exchange_plan_copy(plan, &from, &to));
  if (last > 0 && comm->rank == 0) TRIAD_CHECK(triad_exchange_plan_send(plan, last, &from));
  if (last > 0 && comm->rank == last) TRIAD_CHECK(triad_exchange_plan_receive(plan, 0, &to));
  TRIAD_CHECK(triad_halo_create(&halo, triad_test_context(), &plan, 1));
  triad_halo_exchange(halo, &field, 1);
  for (at[2] = 0; at[2] < side[2]; at[2]++)
    for (at[1] = 0; at[1] < side[1]; at[1]++)
      for (at[0] = 0; at[0] < side[0]; at[0]++) {
        int64_t source = 0, stride[3] = {1, side[0], side[0] * side[1]};
        int inside = comm->rank == last;
        for (int i = 0; i < 3; i++) { /* along axis i there the point has this number in the box */
          int64_t q = at[o->axis[i]] - first[o->axis[i]];
          inside = inside && q >= 0 && q < count[i];
          source += (first[i] + (o->reversed[i] ? count[i] - 1 - q : q)) * stride[i];
        }
        int64_t place = at[0] + at[1] * stride[1] + at[2] * stride[2];
        TRIAD_EQUAL(field[volume + place], inside ? value_at(0, 0, source) : 0,
                    "a point of the box that was laid anew");
      }
  free(field);
  triad_halo_destroy(&halo);
}

TRIAD_TEST(a_box_arrives_in_each_of_48_orientations)
{
  for (int n = 0; n < 48; n++) {
    triad_orientation o = orientation_of(n);
    check_orientation(&o, 0);
    check_orientation(&o, 1);
  }
}

/* ---- two zones, joined at a face: A ends along x where B begins, their y and z lie by one of 8 orientations ---- */

enum { LAYERS = 2, NX = 4, NY = 3, NZ = 5 };

/* A value for each point of the joined zones in A's coordinates; x goes on into B. */
static triad_real joined_value(const int64_t a[3]) { return (triad_real)(a[0] + 20 * (a[1] + 20 * a[2]) + 1); }

/* B's point (x, y, z) in A's coordinates. */
static void in_a(const triad_orientation *o, const int64_t b[3], int64_t a[3])
{
  const int64_t count[3] = {NX, NY, NZ};
  a[0] = NX + b[0];
  for (int i = 1; i < 3; i++) a[i] = o->reversed[i] ? count[i] - 1 - b[o->axis[i]] : b[o->axis[i]];
}

static void join_zones(triad_exchange_plan *plan, const triad_orientation *o, const int64_t side_b[3], int64_t volume_a)
{
  const triad_comm *comm = triad_test_comm();
  const int64_t side_a[3] = {NX + LAYERS, NY, NZ}, layer_a[3] = {LAYERS, NY, NZ},
                layer_b[3] = {LAYERS, side_b[1], side_b[2]};
  const int64_t a_own[3] = {NX - LAYERS, 0, 0}, a_halo[3] = {NX, 0, 0}, b_own[3] = {LAYERS, 0, 0},
                b_halo[3] = {0, 0, 0};
  triad_exchange_run give_a = box_run(side_a, a_own, layer_a), take_a = box_run(side_a, a_halo, layer_a);
  triad_exchange_run give_b = box_run(side_b, b_own, layer_b), take_b = box_run(side_b, b_halo, layer_b);
  int other = comm->size - 1;
  give_a = triad_exchange_run_oriented(&give_a, o); /* A allows for both directions: B walks as it lies */
  take_a = triad_exchange_run_oriented(&take_a, o);
  if (other == 0) { /* both zones are here, B behind A */
    give_b.first += volume_a;
    take_b.first += volume_a;
    TRIAD_CHECK(triad_exchange_plan_copy(plan, &give_a, &take_b));
    TRIAD_CHECK(triad_exchange_plan_copy(plan, &give_b, &take_a));
  } else if (comm->rank == 0) {
    TRIAD_CHECK(triad_exchange_plan_send(plan, other, &give_a));
    TRIAD_CHECK(triad_exchange_plan_receive(plan, other, &take_a));
  } else if (comm->rank == other) {
    TRIAD_CHECK(triad_exchange_plan_receive(plan, 0, &take_b));
    TRIAD_CHECK(triad_exchange_plan_send(plan, 0, &give_b));
  }
}

/* Every point of a zone in turn: own ones are set, or all are compared. is_b: which zone. */
static void each_zone_point(triad_real *zone, const int64_t side[3], const triad_orientation *o, int is_b, int check)
{
  int64_t p[3], a[3];
  for (p[2] = 0; p[2] < side[2]; p[2]++)
    for (p[1] = 0; p[1] < side[1]; p[1]++)
      for (p[0] = 0; p[0] < side[0]; p[0]++) {
        int64_t b[3] = {p[0] - LAYERS, p[1], p[2]};
        if (is_b) in_a(o, b, a);
        else memcpy(a, p, sizeof a);
        triad_real *v = &zone[p[0] + side[0] * (p[1] + side[1] * p[2])];
        int own = is_b ? b[0] >= 0 : p[0] < NX;
        if (check) TRIAD_EQUAL(*v, joined_value(a), "a point of two joined zones");
        else *v = own ? joined_value(a) : 0;
      }
}

TRIAD_TEST(joined_faces_continue_the_field_in_all_8_orientations)
{
  const triad_comm *comm = triad_test_comm();
  for (int n = 0; n < 8; n++) {
    triad_orientation o = orientation_of(n);
    const int64_t side_a[3] = {NX + LAYERS, NY, NZ}, volume_a = (NX + LAYERS) * NY * NZ;
    int64_t side_b[3] = {NX + LAYERS, NY, NZ};
    side_b[o.axis[1]] = NY;
    side_b[o.axis[2]] = NZ;
    triad_exchange_plan *plan;
    triad_halo *halo;
    TRIAD_CHECK(triad_exchange_plan_create(&plan));
    join_zones(plan, &o, side_b, volume_a);
    TRIAD_CHECK(triad_halo_create(&halo, triad_test_context(), &plan, 1));
    triad_real *field = calloc(2 * (size_t)volume_a, sizeof *field), *b = comm->size == 1 ? field + volume_a : field;
    int has_a = comm->rank == 0, has_b = comm->rank == comm->size - 1;
    if (has_a) each_zone_point(field, side_a, &o, 0, 0);
    if (has_b) each_zone_point(b, side_b, &o, 1, 0);
    triad_halo_exchange(halo, &field, 1);
    if (has_a) each_zone_point(field, side_a, &o, 0, 1);
    if (has_b) each_zone_point(b, side_b, &o, 1, 1);
    free(field);
    triad_halo_destroy(&halo);
  }
}

TRIAD_TEST(sides_that_disagree_on_a_message_are_refused_on_all_ranks)
{
  const triad_comm *comm = triad_test_comm();
  if (comm->size == 1) TRIAD_SKIP("one rank sends no message");
  triad_exchange_plan *plan;
  const triad_exchange_run three = {.count = {3, 1, 1}, .stride = {1, 3, 3}},
                           four = {.count = {4, 1, 1}, .stride = {1, 4, 4}};
  TRIAD_CHECK(triad_exchange_plan_create(&plan));
  if (comm->rank == 0) TRIAD_CHECK(triad_exchange_plan_send(plan, 1, &three));
  if (comm->rank == 1) TRIAD_CHECK(triad_exchange_plan_receive(plan, 0, &four));
  TRIAD_FAILS(triad_exchange_plan_close(plan, comm), TRIAD_ERR_INTERNAL, "");
  triad_exchange_plan_destroy(&plan);
}

TRIAD_TEST(runs_that_make_no_sense_are_refused)
{
  const triad_comm *comm = triad_test_comm();
  const int64_t list[2] = {0, 1};
  const triad_exchange_run row = {.count = {2, 1, 1}, .stride = {1, 2, 2}},
                           box = {.count = {1, 2, 1}, .stride = {1, 1, 2}}, bad = {.count = {2, 2, 1}, .list = list},
                           none = {.count = {0, 5, 5}, .stride = {1, 1, 1}};
  triad_exchange_plan *plan;
  TRIAD_CHECK(triad_exchange_plan_create(&plan));
  TRIAD_FAILS(triad_exchange_plan_copy(plan, &row, &box), TRIAD_ERR_INTERNAL, "copy within a rank");
  TRIAD_FAILS(triad_exchange_plan_send(plan, 0, &bad), TRIAD_ERR_INTERNAL, "bad counts");
  TRIAD_CHECK(triad_exchange_plan_send(plan, (comm->rank + 1) % comm->size, &none));
  TRIAD_CHECK(triad_exchange_plan_order(plan, comm->rank, comm->size));
  TRIAD_EQUAL(plan->n_peers, 0, "ranks to exchange nothing with");
  TRIAD_CHECK(triad_exchange_plan_send(plan, comm->rank, &row));
  TRIAD_FAILS(triad_exchange_plan_order(plan, comm->rank, comm->size), TRIAD_ERR_INTERNAL, "exchanges with rank");
  triad_exchange_plan_destroy(&plan);
}

TRIAD_MAIN
