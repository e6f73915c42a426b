/* The order in which a stage of a compressible flow calls the loops of its device, on a table that writes down who was
 * called, and which points each is given.   ranks: 1 2 */
#include "compressible.h"

#include "solvers/compressible/step/loops.h"

static char calls[512];
static int64_t rated, made; /* points that rates, and primitives, were asked for */
static triad_box inside;

static void add(const char *call) { strncat(calls, call, sizeof calls - strlen(calls) - 1); }

static triad_real *const *on_vector(const triad_compressible *w, int number)
{
  (void)number;
  return w->u;
}

static triad_box on_inner(const triad_compressible *w)
{
  (void)w;
  return inside;
}

static void on_begin(triad_compressible *w, triad_real *const *u) { (void)w, (void)u, add("begin "); }
static void on_end(triad_compressible *w) { (void)w, add("end "); }

static void on_fill(triad_compressible *w, triad_real *const *u, int again)
{
  (void)w, (void)u;
  add(again ? "fill-again " : "fill ");
}

static void on_primitives(triad_compressible *w, triad_real *const *u, const triad_box *box)
{
  (void)w, (void)u;
  if (strlen(calls) < 5 || strcmp(calls + strlen(calls) - 5, "prim ") != 0) add("prim ");
  made += triad_box_points(box);
}

static void on_rates(triad_compressible *w, triad_real *const *u, const triad_box *box,
                     const triad_compressible_update *update)
{
  (void)w, (void)u, (void)update;
  if (strlen(calls) < 6 || strcmp(calls + strlen(calls) - 6, "rates ") != 0) add("rates ");
  rated += triad_box_points(box);
}

static void on_charge(triad_compressible *w, int phase) { (void)w, (void)phase; }

static int on_settle(triad_compressible *w)
{
  (void)w;
  add("settle ");
  return TRIAD_OK;
}

static int on_copy(const triad_compressible *w, int number, triad_real *const *to)
{
  (void)w, (void)to;
  add(number == 1 ? "copy1 " : "copy? ");
  return TRIAD_OK;
}

static const triad_compressible_loops written_down = {.vector = on_vector,
                                                      .inner = on_inner,
                                                      .begin = on_begin,
                                                      .end = on_end,
                                                      .fill = on_fill,
                                                      .primitives = on_primitives,
                                                      .rates = on_rates,
                                                      .charge = on_charge,
                                                      .settle = on_settle,
                                                      .copy = on_copy};

static void expect(const char *order)
{
  TRIAD_HOLDS(strcmp(calls, order) == 0, "%s", calls);
  calls[0] = '\0';
}

TRIAD_TEST(rates_of_the_interior_are_found_while_halos_travel)
{
  const int periodic[3] = {1, 1, 1};
  const triad_comm *comm = triad_test_comm();
  triad_compressible w = {.context = triad_test_now.context, .loops = &written_down};
  w.setup = test_gas_setup(16, 12, 10, 1, 1, 1);
  TRIAD_CHECK(triad_partition_init(&w.blocks, w.setup.n, periodic, triad_compressible_halo(&w.setup), comm->rank,
                                   comm->size, NULL));
  const triad_box own = triad_box_own(&w.blocks), padded = triad_box_padded(&w.blocks);
  inside = triad_box_inner(&w.blocks, w.blocks.halo);
  rated = made = 0;
  TRIAD_CHECK(triad_compressible_rhs(&w, NULL));
  expect(comm->size == 1 ? "begin fill prim rates end fill-again settle copy1 " /* no halo is another rank's */
                         : "begin fill prim rates end fill-again prim rates settle copy1 ");
  TRIAD_EQUAL(rated, triad_box_points(&own), "points whose rates are found");
  TRIAD_EQUAL(made, triad_box_points(&padded), "points whose primitives are found");
  rated = made = 0;
  TRIAD_CHECK(triad_compressible_bring(&w));
  expect(comm->size == 1 ? "begin fill prim end fill-again settle " : "begin fill prim end fill-again prim settle ");
  TRIAD_EQUAL(rated, 0, "rates that nobody asked for");
  TRIAD_EQUAL(made, triad_box_points(&padded), "points whose primitives are found");
}

TRIAD_MAIN
