/* A driven run (src/drive/triad_drive.h) from C: the same whatever is looked at between its steps, failures that all
 * ranks are told of, and nothing left behind.   ranks: 1 2 3 quick: 1 */
#include "folder.h"
#include "inject.h"
#include "test.h"

#include "drive/triad_drive.h"

#include <math.h>
#include <string.h>

static const char text[] = "[equations]\nsolver = \"hd\"\nviscosity = 0.05\n[grid]\nn = [8, 6, 9]\n"
                           "[initial]\nkind = \"random\"\nwavenumber = 1\n[time]\nend = 0.2\n"
                           "[output]\nreport = false\n";

static int drive_make(triad_drive **d, const char *folder, const char *name, const char *set)
{
  char dir[TRIAD_PATH];
  const char *sets[1] = {set};
  TRIAD_TRY(triad_disk_path(dir, "%s/%s", folder, name));
  triad_drive_options o = {.dir = dir,
                           .text = text,
                           .sets = sets,
                           .n_sets = set != NULL,
                           .has_comm = 1,
                           .comm = MPI_Comm_c2f(triad_test_comm()->mpi),
                           .program = "test"};
  return triad_drive_create(d, "case.toml", &o);
}

static int counted(void *who, double *value)
{
  *value = ++*(int *)who;
  return 0;
}

static double energy(triad_drive *d)
{
  double numbers[64] = {0};
  TRIAD_CHECK(triad_drive_measure(d, numbers));
  return numbers[0];
}

/* sum of weight |u|^2 / 2 over the modes of all ranks, in the flow's own memory */
static double energy_of_modes(triad_drive *d)
{
  triad_drive_layout l;
  double sum = 0;
  TRIAD_CHECK(triad_drive_layout_of(d, &l));
  for (int f = 0; f < 3; f++) {
    void *memory;
    TRIAD_CHECK(triad_drive_memory(d, f, 0, 0, &memory));
    const double *u = memory;
    for (int64_t b = 0; b < l.n_blocks; b++)
      for (int64_t j = 0; j < l.nkz; j++)
        for (int64_t i = 0; i < l.lanes; i++) {
          int64_t at = (b * l.nkz + j) * l.lanes + i;
          sum += l.weight[b * l.lanes + i] * (u[2 * at] * u[2 * at] + u[2 * at + 1] * u[2 * at + 1]) / 2;
        }
  }
  TRIAD_CHECK(triad_drive_reduce(d, 0, 1, &sum));
  return sum;
}

TRIAD_TEST(looking_changes_nothing)
{
  char folder[TRIAD_PATH];
  triad_drive *plain, *seen;
  triad_drive_instant at;
  triad_drive_field box;
  folder_make(folder);
  TRIAD_CHECK(drive_make(&plain, folder, "plain", NULL));
  TRIAD_CHECK(drive_make(&seen, folder, "seen", NULL));
  TRIAD_CHECK(triad_drive_points(seen, &box));
  double *values = calloc((size_t)box.memory + 1, sizeof *values);
  while (!triad_drive_finished(plain)) {
    TRIAD_CHECK(triad_drive_step(plain, INFINITY));
    TRIAD_CHECK(triad_drive_step(seen, INFINITY));
    TRIAD_CHECK(triad_drive_values(seen, "vorticity", values));
    TRIAD_NEAR(energy_of_modes(seen), energy(plain), 1e-15, "its modes hold the other one's energy");
  }
  triad_drive_where(seen, &at);
  TRIAD_HOLDS(at.t == 0.2 && triad_drive_finished(seen), "it is at its end");
  TRIAD_HOLDS(energy(plain) == energy(seen), "the same bits");
  free(values);
  TRIAD_CHECK(triad_drive_close(&plain));
  TRIAD_CHECK(triad_drive_close(&seen));
  folder_delete(folder);
}

TRIAD_TEST(columns_and_texts_are_kept_where_it_goes_on)
{
  char folder[TRIAD_PATH];
  triad_drive *d;
  int calls = 0;
  folder_make(folder);
  for (int part = 0; part < 2; part++) {
    TRIAD_CHECK(drive_make(&d, folder, "run", "time.end=10"));
    TRIAD_HOLDS(strcmp(triad_drive_kept(d), part ? "kept" : "") == 0, "part %d finds \"%s\"", part,
                triad_drive_kept(d));
    TRIAD_CHECK(triad_drive_add_column(d, "calls", "1", "how often", counted, &calls));
    TRIAD_EQUAL(triad_drive_add_column(d, "energy", "1", "there is one", counted, &calls), 64, "a name that is there");
    TRIAD_EQUAL(triad_drive_add_column(d, "e e", "1", "", counted, &calls), 64, "a name that is none");
    TRIAD_CHECK(triad_drive_keep(d, "kept"));
    TRIAD_CHECK(triad_drive_steps(d, INFINITY, 2, 1e9));
    TRIAD_EQUAL(triad_drive_add_column(d, "late", "1", "", counted, &calls), 64, "after the first step");
    TRIAD_CHECK(triad_drive_close(&d));
  }
  TRIAD_EQUAL(calls, 5, "a row at the start and after each of four steps");
  folder_delete(folder);
}

TRIAD_TEST(all_ranks_are_told_why_a_call_failed)
{
  char folder[TRIAD_PATH];
  triad_drive *d;
  int rank = triad_test_comm()->rank, last = triad_test_comm()->size - 1;
  folder_make(folder);
  hush(); /* of what lies below, such as MPI: the library itself prints nothing */
  TRIAD_EQUAL(drive_make(&d, folder, "bad", "equations.viscosity=-1"), 65, "a bad case");
  TRIAD_HOLDS(!d && strstr(triad_drive_message(), "out of range"), "says \"%s\"", triad_drive_message());
  TRIAD_EQUAL(drive_make(&d, "/dev/null", "no", NULL), 74, "a folder that cannot be");
  TRIAD_HOLDS(strstr(triad_drive_message(), "/dev/null"), "says \"%s\"", triad_drive_message());
  TRIAD_CHECK(drive_make(&d, folder, "run", NULL));
  TRIAD_EQUAL(triad_drive_values(d, "vortisity", NULL), 65, "no such quantity");
  TRIAD_HOLDS(strstr(triad_drive_message(), "vorticity"), "says \"%s\"", triad_drive_message());
  TRIAD_EQUAL(triad_drive_agree(d, rank == last ? 70 : 0, rank == last ? "mine" : NULL, 10), 70, "the worst of all");
  TRIAD_HOLDS(strstr(triad_drive_message(), "mine"), "says \"%s\"", triad_drive_message());
  TRIAD_EQUAL(triad_drive_agree(d, 0, NULL, 10), 0, "and none");
  TRIAD_CHECK(triad_drive_close(&d));
  TRIAD_CHECK(triad_drive_close(&d)); /* again: nothing */
  speak();
  folder_delete(folder);
}

/* The first allocations of each kind, on one rank alone. */
TRIAD_TEST(all_ranks_are_told_that_one_has_no_memory)
{
  static const int kinds[] = {CALL_CALLOC, CALL_MALLOC, CALL_STRDUP};
  const triad_comm *comm = triad_test_comm();
  char folder[TRIAD_PATH];
  folder_make(folder);
  for (int i = 0; i < 6; i++) {
    const int kind = kinds[i / 2], k = 1 + i % 2;
    triad_drive *d = NULL;
    inject_arm(comm->rank == comm->size - 1 ? kind : -1, k);
    hush();
    const int st = drive_make(&d, folder, "run", NULL);
    speak();
    if (comm->rank == comm->size - 1) TRIAD_HOLDS(inject_struck(), "%s %d comes", call_name[kind], k);
    inject_arm(-1, 0);
    TRIAD_HOLDS(st == TRIAD_ERR_MEMORY, "%s %d: status %d", call_name[kind], k, st);
    TRIAD_HOLDS(!d && triad_drive_message()[0], "%s %d: no run, and a reason on every rank", call_name[kind], k);
    (void)triad_drive_close(&d);
  }
  folder_delete(folder);
}

TRIAD_TEST(a_state_that_is_set_becomes_one_of_the_equations)
{
  char folder[TRIAD_PATH];
  triad_drive *d;
  triad_drive_field box;
  folder_make(folder);
  TRIAD_CHECK(drive_make(&d, folder, "run", NULL));
  TRIAD_CHECK(triad_drive_points(d, &box));
  double *values = calloc((size_t)box.memory + 1, sizeof *values);
  for (int f = 0; f < 3; f++) {
    /* u = sin y, which has no divergence; v = cos y, which is a gradient */
    for (int64_t i = 0; i < box.memory; i++) {
      double y = 2 * acos(-1) * (double)(i / box.stride[1] % box.n[1]) / (double)box.n[1];
      values[i] = f == 0 ? sin(y) : f == 1 ? cos(y) : 0;
    }
    TRIAD_CHECK(triad_drive_put(d, f, values));
  }
  TRIAD_NEAR(energy(d), 0.25, 1e-15, "mean of sin(y)^2/2");
  TRIAD_HOLDS(strstr(triad_drive_said(d), "not divergence-free") || triad_test_comm()->rank > 0, "it is told");
  free(values);
  TRIAD_CHECK(triad_drive_close(&d));
  folder_delete(folder);
}

TRIAD_MAIN
