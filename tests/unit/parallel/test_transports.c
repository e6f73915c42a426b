/* What goes between GPUs, by every transport, over a CUDA runtime on the host (tests/help/fake) that does at once what
 * it is told: the right bytes come to the right places, and flags, counts and slots add up. What overlaps is for
 * tests/gpu/gpus.py. ranks: 1 2 3 4 */
#include "test.h"

#include "grid/fields/gpu_halo.h"
#include "grid/fields/halo.h"
#include "parallel/transports/messages.h"
#include "parallel/transports/transport.h"
#include "transpose/gpu_exchange.h"

enum { FIELDS = 3, RUNS = 40, SOURCES = 500, MOST = 30 };

static triad_device *device;

/* The words of all transports that work here; "auto" on one rank, which has no messages. */
static int words(const char **word)
{
  int n = 1;
  word[0] = "auto";
  if (!device) TRIAD_CHECK(triad_device_create(&device, 0));
  if (triad_test_comm()->size > 1) TRIAD_CHECK(triad_transport_list(triad_test_context(), device, word, &n));
  return n;
}

TRIAD_TEST(every_transport_is_there)
{
  const char *word[TRIAD_TRANSPORTS];
  int n = words(word);
  if (triad_test_comm()->size == 1) TRIAD_SKIP("one rank has no messages");
  TRIAD_HOLDS(n == TRIAD_TRANSPORTS || (n == TRIAD_TRANSPORTS - 1 && strcmp(word[n - 1], "staged") == 0), "%d words",
              n);
}

/* ---- halos: the same as on the host, to the last bit of all memory ---- */

typedef struct twice {
  triad_halo *host;
  triad_gpu_halo *gpu;
  int64_t volume;
  triad_real *there[FIELDS], *here[FIELDS];
} twice;

static void compare_halos(twice *t, const char *word)
{
  for (int f = 0; f < FIELDS; f++) {
    t->here[f] = calloc((size_t)t->volume, sizeof **t->here);
    TRIAD_CHECK(triad_device_alloc(device, "a field", t->volume, sizeof **t->there, (void **)&t->there[f]));
  }
  for (int round = 0; round < 4; round++) {
    int n = round == 1 ? 1 : round == 2 ? 2 : FIELDS;
    for (int f = 0; f < FIELDS; f++)
      for (int64_t i = 0; i < t->volume; i++)
        t->here[f][i] = t->there[f][i] = (triad_real)triad_test_random((uint64_t)(round * FIELDS + f), (uint64_t)i);
    triad_halo_exchange(t->host, t->here, n);
    triad_gpu_halo_begin(t->gpu, t->there, n, triad_device_stream(device));
    triad_gpu_halo_end(t->gpu, triad_device_stream(device));
    for (int f = 0; f < FIELDS; f++)
      TRIAD_HOLDS(memcmp(t->here[f], t->there[f], (size_t)t->volume * sizeof **t->here) == 0,
                  "%s: field %d of %d differs in round %d", word, f, n, round);
    TRIAD_EQUAL(triad_gpu_halo_bytes(t->gpu, n), triad_halo_bytes(t->host, n), "bytes sent");
  }
  for (int f = 0; f < FIELDS; f++) {
    free(t->here[f]);
    triad_device_free(device, (void **)&t->there[f]);
  }
  triad_halo_destroy(&t->host);
  triad_gpu_halo_destroy(&t->gpu);
}

static int serves_halos(const char *word) { return strcmp(word, "put") != 0; }

TRIAD_TEST(halos_of_a_partition_are_those_of_the_host)
{
  const char *word[TRIAD_TRANSPORTS];
  static const int64_t sizes[][3] = {{12, 16, 20}, {33, 24, 1}, {70, 1, 1}};
  const triad_comm *comm = triad_test_comm();
  int n = words(word);
  for (int w = 0; w < n; w++)
    for (int i = 0; i < 3 * 3 * 2 && serves_halos(word[w]); i++) {
      twice t;
      triad_partition b;
      const int periodic[3] = {i % 2, 1, 1};
      triad_halo_reach reach = (triad_halo_reach)(1 + i / 2 % 3);
      TRIAD_CHECK(triad_partition_init(&b, sizes[i / 6], periodic, 3, comm->rank, comm->size, NULL));
      t.volume = b.volume;
      TRIAD_CHECK(triad_halo_create_of(&t.host, triad_test_context(), &b, 2 + i % 2, FIELDS, reach));
      TRIAD_CHECK(
        triad_gpu_halo_create_of(&t.gpu, triad_test_now.context, device, &b, 2 + i % 2, FIELDS, reach, word[w]));
      compare_halos(&t, word[w]);
    }
}

static int64_t run_size(int from, int to, int i)
{
  return (from + to) % 3 == 1 && from > to ? 0 : triad_test_below(40, (uint64_t)((from * 8 + to) * RUNS + i), MOST);
}

/* More runs than a launch takes, lists among them, of other sizes there than back; some pairs send one way only. */
static triad_exchange_plan *many_runs(void)
{
  const triad_comm *comm = triad_test_comm();
  triad_exchange_plan *p;
  int64_t list[MOST], other[MOST];
  TRIAD_CHECK(triad_exchange_plan_create(&p));
  for (int r = 0; r < comm->size; r++)
    for (int i = 0; i < RUNS; i++) {
      int64_t n_out = run_size(comm->rank, r, i), n_in = run_size(r, comm->rank, i),
              first = SOURCES + (r * RUNS + i) * MOST;
      for (int k = 0; k < MOST; k++) {
        list[k] = triad_test_below(41, (uint64_t)((r * RUNS + i) * MOST + k), SOURCES);
        other[k] = first + (11 * k) % MOST;
      }
      triad_exchange_run out = triad_exchange_run_of_list(list, n_out), in = triad_exchange_run_of_list(other, n_in);
      if (i % 2) in = (triad_exchange_run){.first = first + n_in - 1, .count = {n_in, 1, 1}, .stride = {-1, 1, 1}};
      if (r == comm->rank) {
        in.count[0] = n_out;
        TRIAD_CHECK(triad_exchange_plan_copy(p, &out, &in));
      } else {
        TRIAD_CHECK(triad_exchange_plan_send(p, r, &out));
        TRIAD_CHECK(triad_exchange_plan_receive(p, r, &in));
      }
    }
  return p;
}

TRIAD_TEST(plans_of_many_runs_and_lists_do_as_on_the_host)
{
  const char *word[TRIAD_TRANSPORTS];
  int n = words(word);
  for (int w = 0; w < n; w++) {
    if (!serves_halos(word[w])) continue;
    twice t = {.volume = SOURCES + triad_test_comm()->size * RUNS * MOST};
    triad_exchange_plan *plan = many_runs();
    TRIAD_CHECK(triad_halo_create(&t.host, triad_test_context(), &plan, FIELDS));
    plan = many_runs();
    TRIAD_CHECK(triad_gpu_halo_create(&t.gpu, triad_test_now.context, device, &plan, FIELDS, word[w]));
    compare_halos(&t, word[w]);
  }
}

TRIAD_TEST(put_is_refused_for_halos)
{
  const char *word[TRIAD_TRANSPORTS];
  (void)words(word);
  if (triad_test_comm()->size == 1) TRIAD_SKIP("one rank has no messages");
  triad_exchange_plan *plan = many_runs();
  triad_gpu_halo *halo;
  TRIAD_FAILS(triad_gpu_halo_create(&halo, triad_test_now.context, device, &plan, 1, "put"), TRIAD_ERR_FEATURE, "");
  TRIAD_HOLDS(halo == NULL && plan == NULL, "something is left of it");
}

/* ---- the transpose: columns to planes and results back ---- */

static triad_cplx value_of(int way, int r, int64_t z, int f, int64_t c)
{
  return (triad_cplx){(triad_real)(1000000 * way + 10000 * r + c), (triad_real)(100 * z + f)};
}

static int64_t differs(triad_cplx a, triad_cplx b) { return a.re < b.re || a.re > b.re || a.im < b.im || a.im > b.im; }

/* Where rank r's columns at a plane of a chunk begin, counted from the chunk's first: fill or compare them. */
static int64_t each_column(triad_cplx *at, int way, int r, int64_t z, int f, int64_t columns, int fill)
{
  int64_t wrong = 0;
  for (int64_t c = 0; c < columns; c++) {
    triad_cplx value = value_of(way, r, z, f, c);
    if (fill) at[c] = value;
    wrong += differs(at[c], value);
  }
  return wrong;
}

/* This rank's columns at every plane, `n` fields of others' planes and of its own; `stride` fields apart in others'. */
static int64_t each_work(triad_gpu_exchange *x, const triad_layout *l, int way, int n, int stride, int slots, int fill)
{
  triad_cplx *work = triad_gpu_exchange_work(x);
  int64_t columns = triad_gpu_columns_padded(l, l->rank), wrong = 0;
  triad_gpu_chunks c = triad_gpu_exchange_chunks(x);
  for (int p = 0; p < l->size; p++)
    for (int64_t chunk = 0, begin, end; chunk < c.count; chunk++) {
      triad_gpu_exchange_planes(x, p, chunk, &begin, &end);
      for (int64_t i = 0; i < end - begin; i++)
        for (int f = 0; f < n; f++) {
          int64_t z0 = l->plane_begin[p] + begin, apart = p == l->rank ? slots : stride;
          triad_cplx *at = work + (z0 * slots + i * apart + f) * columns;
          wrong += each_column(at, way, l->rank, z0 + i, f, columns, fill);
        }
    }
  return wrong;
}

/* The others' columns of a chunk of this rank's planes, in a slot of n fields. */
static int64_t each_slot(triad_gpu_exchange *x, const triad_layout *l, triad_cplx *slot, int64_t chunk, int way, int n,
                         int fill)
{
  int64_t before = 0, wrong = 0, begin, end;
  triad_gpu_exchange_planes(x, l->rank, chunk, &begin, &end);
  for (int r = 0; r < l->size; r++) {
    int64_t columns = triad_gpu_columns_padded(l, r);
    if (r == l->rank) continue;
    for (int64_t i = 0; i < end - begin; i++)
      for (int f = 0; f < n; f++)
        wrong += each_column(slot + before * triad_gpu_exchange_chunks(x).planes * n + (i * n + f) * columns, way, r,
                             l->plane_begin[l->rank] + begin + i, f, columns, fill);
    before += columns;
  }
  return wrong;
}

/* One pass: what arrives is what was sent; results come back to every place. */
static void check_pass(triad_gpu_exchange *x, const triad_layout *l, int n_in, int n_out, const char *word)
{
  void *stream = triad_device_stream(device);
  int slots = n_in > n_out ? n_in : n_out;
  int64_t columns = triad_gpu_columns_padded(l, l->rank), wrong = 0, begin, end;
  triad_gpu_exchange_fields(x, n_in, n_out);
  (void)each_work(x, l, 1, n_in, n_in, slots, 1);
  triad_gpu_exchange_begin(x, stream);
  for (int64_t chunk = 0; chunk < triad_gpu_exchange_chunks(x).count; chunk++) {
    triad_gpu_exchange_wait(x, chunk, stream);
    if (l->size > 1) wrong += each_slot(x, l, triad_gpu_exchange_arrived(x, chunk), chunk, 1, n_in, 0);
    if (l->size > 1) (void)each_slot(x, l, triad_gpu_exchange_leaving(x, chunk), chunk, 2, slots, 1);
    triad_gpu_exchange_planes(x, l->rank, chunk, &begin, &end);
    for (int64_t i = 0; i < (end - begin) * slots; i++)
      (void)each_column(triad_gpu_exchange_own(x, chunk) + i * columns, 2, l->rank,
                        l->plane_begin[l->rank] + begin + i / slots, (int)(i % slots), columns, 1);
    triad_gpu_exchange_send(x, chunk, stream);
  }
  triad_gpu_exchange_end(x, stream);
  TRIAD_EQUAL(wrong, 0, "numbers that did not arrive");
  if (n_out > 0) wrong = each_work(x, l, 2, slots, slots, slots, 0);
  TRIAD_HOLDS(wrong == 0, "%s: %d in, %d out: %" PRId64 " results did not come back", word, n_in, n_out, wrong);
}

TRIAD_TEST(columns_travel_to_planes_and_results_back_by_every_transport)
{
  const char *word[TRIAD_TRANSPORTS];
  const triad_comm *comm = triad_test_comm();
  static const int64_t sizes[][3] = {{16, 18, 20}, {12, 10, 31}, {24, 12, 3}};
  const double length[3] = {1, 1, 1};
  int n = words(word);
  for (int w = 0; w < n; w++)
    for (int i = 0; i < 3 * 4; i++) {
      triad_grid grid;
      triad_layout *l;
      triad_gpu_exchange *x;
      triad_gpu_exchange_options options = {.nstreams = i % 4 * (i % 4), .transport = word[w]};
      TRIAD_CHECK(triad_grid_init(&grid, sizes[i / 4], length, TRIAD_SPHERE));
      TRIAD_CHECK(triad_layout_create(&l, &grid, comm->rank, comm->size, 1));
      TRIAD_CHECK(triad_gpu_exchange_create(&x, triad_test_now.context, device, l, 4, 5, &options));
      if (comm->size > 1)
        TRIAD_HOLDS(strcmp(triad_gpu_exchange_name(x), word[w]) == 0, "%s, not %s", triad_gpu_exchange_name(x),
                    word[w]);
      check_pass(x, l, 3, 5, word[w]);
      check_pass(x, l, 4, 2, word[w]);
      check_pass(x, l, 2, 0, word[w]);
      check_pass(x, l, 4, 5, word[w]);
      triad_gpu_exchange_destroy(&x);
      triad_layout_destroy(&l);
    }
  triad_device_destroy(&device);
}

TRIAD_MAIN
