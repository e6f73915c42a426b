/* Plans that are remembered, in a run's own file and in the user's: whose are taken, and where new ones stand.
 * ranks: 1 2   precision: both */
#include "folder.h"
#include "test.h"

#include "fft/lines/wisdom.h"

#ifdef TRIAD_SINGLE
#define PREFIX "fftwf_"
#else
#define PREFIX "fftw_"
#endif

enum { POINTS = 16, MOST = 64 };

static char top[TRIAD_PATH], folder[TRIAD_PATH + 8];

/* A line of n points, out of place; what FFTW calls its plan, and whether it knew it. */
typedef struct line {
  _Alignas(64) triad_cplx from[MOST], to[MOST]; /* so that there is more than one way */
  int n, knew;
  FFTW(plan) plan;
  char name[256];
} line;

static line one;

static FFTW(plan) plan_of(line *l, unsigned flags)
{
  return FFTW(plan_dft_1d)(l->n, (FFTW(complex) *)l->from, (FFTW(complex) *)l->to, FFTW_FORWARD, flags);
}

static int make(void *self, unsigned flags)
{
  line *l = self;
  FFTW(plan) known = plan_of(l, FFTW_PATIENT | FFTW_WISDOM_ONLY);
  l->knew = known != NULL;
  if (known) FFTW(destroy_plan)(known);
  triad_wisdom_put(&l->plan, plan_of(l, flags));
  if (!l->plan) return TRIAD_FAIL(TRIAD_ERR_CASE, "no plan");
  char *name = FFTW(sprint_plan)(l->plan);
  (void)snprintf(l->name, sizeof l->name, "%s", name);
  free(name);
  return TRIAD_OK;
}

/* Plans a line of n points as a program that starts does. */
static void plan(int n, unsigned flags, const char *where)
{
  FFTW(forget_wisdom)();
  one.n = n;
  TRIAD_CHECK(triad_wisdom_plan(triad_test_comm(), flags, where, make, &one));
  triad_wisdom_put(&one.plan, NULL);
}

static void begin(void)
{
  char users[TRIAD_PATH + 8];
  folder_make(top);
  (void)snprintf(users, sizeof users, "%s/users", top);
  (void)snprintf(folder, sizeof folder, "%s/run", top);
  (void)setenv("TRIAD_WISDOM", users, 1);
  if (triad_test_comm()->rank == 0) (void)mkdir(folder, 0755);
  (void)MPI_Barrier(triad_test_comm()->mpi);
}

/* Is there a plan for n points in the user's file, or in that of a folder? */
static int has(const char *where, int n)
{
  (void)MPI_Barrier(triad_test_comm()->mpi);
  FFTW(forget_wisdom)();
  one.n = n;
  FFTW(plan) found = triad_wisdom_read(where) ? plan_of(&one, FFTW_PATIENT | FFTW_WISDOM_ONLY) : NULL;
  if (found) FFTW(destroy_plan)(found);
  FFTW(forget_wisdom)();
  return found != NULL;
}

static void forget_users(void)
{
  char file[TRIAD_PATH + 32];
  (void)snprintf(file, sizeof file, "%s/users-%s", top, TRIAD_PRECISION_NAME);
  (void)MPI_Barrier(triad_test_comm()->mpi);
  if (triad_test_comm()->rank == 0) (void)unlink(file);
  (void)MPI_Barrier(triad_test_comm()->mpi);
}

TRIAD_TEST(new_plans_stand_in_both_files)
{
  begin();
  plan(POINTS, FFTW_PATIENT, folder);
  TRIAD_HOLDS(!one.knew || triad_test_comm()->rank > 0, "nothing was remembered");
  TRIAD_HOLDS(has(NULL, POINTS) && has(folder, POINTS), "what was measured stands in both files");
  plan(POINTS, FFTW_PATIENT, NULL);
  TRIAD_HOLDS(one.knew, "another run begins with the user's");
  folder_delete(top);
}

TRIAD_TEST(a_grid_that_a_run_changes_to_takes_the_users_plans_and_gives_its_own)
{
  begin();
  plan(20, FFTW_PATIENT, NULL);
  plan(POINTS, FFTW_PATIENT, folder);
  plan(24, FFTW_PATIENT, NULL); /* by another run, later */
  plan(24, FFTW_PATIENT, folder);
  TRIAD_HOLDS(one.knew, "the user's plan of a size that the run has not had");
  TRIAD_HOLDS(has(folder, 24) && has(folder, POINTS), "the run keeps both");
  plan(30, FFTW_PATIENT, folder);
  TRIAD_HOLDS(has(NULL, 30) && has(folder, 30), "a size that nobody has had stands in both");
  TRIAD_HOLDS(has(NULL, 20) && has(NULL, 24), "the user's file loses none");
  folder_delete(top);
}

TRIAD_TEST(a_run_that_has_its_plans_reads_and_writes_no_others)
{
  begin();
  plan(POINTS, FFTW_PATIENT, folder);
  forget_users();
  plan(24, FFTW_PATIENT, NULL);
  plan(POINTS, FFTW_PATIENT, folder);
  TRIAD_HOLDS(one.knew && !has(folder, 24) && !has(NULL, POINTS), "the run's own alone");
  folder_delete(top);
}

/* The text of the other's plan for POINTS points: the library's plain code in place of what it chose. */
static int write_plain(const char *where)
{
  char *text = FFTW(export_wisdom_to_string)(), *found = strstr(text, "(" PREFIX "codelet_n"), changed[8192];
  char *end = found ? strchr(found, ' ') : NULL;
  const int alone = end && !strstr(end, "codelet");
  if (alone) {
    (void)snprintf(changed, sizeof changed, "%.*s(" PREFIX "codelet_n1_16%s", (int)(found - text), text, end);
    FFTW(forget_wisdom)();
    if (FFTW(import_wisdom_from_string)(changed)) triad_wisdom_write(where);
  }
  free(text);
  return alone;
}

TRIAD_TEST(where_both_have_a_plan_each_file_keeps_its_own)
{
  char chosen[256];
  int made = 1;
  begin();
  plan(POINTS, FFTW_PATIENT, NULL);
  (void)snprintf(chosen, sizeof chosen, "%s", one.name);
  if (triad_test_comm()->rank == 0) {
    FFTW(forget_wisdom)();
    (void)triad_wisdom_read(NULL);
    made = write_plain(folder);
  }
  TRIAD_CHECK(TRIAD_MPI(MPI_Bcast(&made, 1, MPI_INT, 0, triad_test_comm()->mpi)));
  plan(POINTS, FFTW_PATIENT, folder);
  if (!made || !one.knew || strcmp(one.name, chosen) == 0) {
    folder_delete(top);
    TRIAD_SKIP("FFTW has only one plan here");
  }
  char plain[256];
  (void)snprintf(plain, sizeof plain, "%s", one.name);
  plan(24, FFTW_PATIENT, folder); /* which neither has: both files are read and written */
  TRIAD_HOLDS(has(NULL, 24) && has(folder, 24), "both were written");
  plan(POINTS, FFTW_PATIENT, folder);
  TRIAD_HOLDS(strcmp(one.name, plain) == 0, "a run that goes back to its first grid has its plan of then");
  plan(POINTS, FFTW_PATIENT, NULL);
  TRIAD_HOLDS(strcmp(one.name, chosen) == 0, "the user's is not replaced by an older one");
  /* nor does what this process remembers of another run */
  one.n = POINTS;
  TRIAD_CHECK(triad_wisdom_plan(triad_test_comm(), FFTW_PATIENT, folder, make, &one));
  TRIAD_HOLDS(strcmp(one.name, plain) == 0, "nor by what this process has planned before");
  TRIAD_CHECK(triad_wisdom_plan(triad_test_comm(), FFTW_ESTIMATE, folder, make, &one));
  TRIAD_HOLDS(!one.knew, "what is planned by rule does not hang on what is remembered");
  triad_wisdom_put(&one.plan, NULL);
  folder_delete(top);
}

TRIAD_TEST(plans_by_rule_touch_no_file)
{
  begin();
  plan(POINTS, FFTW_ESTIMATE, folder);
  TRIAD_HOLDS(!has(NULL, POINTS) && !has(folder, POINTS), "neither file");
  folder_delete(top);
}

TRIAD_TEST(what_the_program_around_remembers_stays)
{
  begin();
  FFTW(forget_wisdom)();
  one.n = 24;
  FFTW(plan) its_own = plan_of(&one, FFTW_PATIENT);
  one.n = POINTS;
  TRIAD_CHECK(triad_wisdom_plan(triad_test_comm(), FFTW_ESTIMATE, NULL, make, &one));
  one.n = 24;
  FFTW(plan) again = plan_of(&one, FFTW_PATIENT | FFTW_WISDOM_ONLY);
  TRIAD_HOLDS(again != NULL, "a host's wisdom");
  if (again) FFTW(destroy_plan)(again);
  FFTW(destroy_plan)(its_own);
  triad_wisdom_put(&one.plan, NULL);
  folder_delete(top);
}

TRIAD_MAIN
