/* Where ranks sit and how many threads suit them; the table, its warnings and its JSON; CPU quotas.   ranks: 1 2 3 */
#include "test.h"

#include "parallel/host/bind.h"
#include "parallel/host/cpu_limit.h"
#include "parallel/host/spare.h"

#include <omp.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

static void expect_text(char *text, const char *expected, int line)
{
  if (!text || strcmp(text, expected) != 0)
    triad_test_fail(__FILE__, line, "wrote\n%s\nexpected\n%s", text ? text : "(nothing)", expected);
  free(text);
}
#define WRITES(call, expected) expect_text((call), (expected), __LINE__)

/* n ranks on each of m nodes of 8 cores; each rank has `cores` of its own, or all 8 when cores = 8. */
static int make_places(triad_place *p, int m, int n, int threads, int cores)
{
  for (int i = 0; i < m * n; i++) {
    int r = i % n, first = cores == 8 ? 0 : r * cores;
    p[i] = (triad_place){.rank = i,
                         .node = i / n * n,
                         .local_rank = r,
                         .threads = threads,
                         .cores = cores,
                         .hardware_threads = cores,
                         .node_cores = 8,
                         .ranks_cores = cores == 8 ? 8 : n * cores};
    (void)snprintf(p[i].host, sizeof p[i].host, "node%02d", i / n + 1);
    if (cores > 1) (void)snprintf(p[i].cpus, sizeof p[i].cpus, "%d-%d", first, first + cores - 1);
    else (void)snprintf(p[i].cpus, sizeof p[i].cpus, "%d", first);
    (void)snprintf(p[i].numa, sizeof p[i].numa, "%d", cores == 8 ? 0 : first / 4);
  }
  return m * n;
}

TRIAD_TEST(equal_nodes_and_ranks_are_folded)
{
  triad_place p[64];
  int n = make_places(p, 12, 4, 2, 2);
  WRITES(triad_cores_text(p, n), "48 ranks, 96 threads, on 12 nodes with 96 cores\n"
                                 "  node01 ... node12 (12 nodes)\n"
                                 "    2 ranks of 2 threads on 2 cores each, CPU 0-1 ... 2-3, memory 0\n"
                                 "    2 ranks of 2 threads on 2 cores each, CPU 4-5 ... 6-7, memory 1");
  WRITES(triad_cores_warnings(p, n), "");
  n = make_places(p, 2, 2, 4, 8);
  WRITES(triad_cores_text(p, n), "4 ranks, 16 threads, on 2 nodes with 16 cores\n"
                                 "  node01 and node02\n"
                                 "    2 ranks of 4 threads on the same 8 cores, CPU 0-7, memory 0");
  n = make_places(p, 1, 1, 1, 1);
  p[0].hardware_threads = 2;
  p[0].node_cores = 1;
  p[0].quota = 0.5;
  (void)strcpy(p[0].cpus, "0,4");
  p[0].numa[0] = '\0';
  WRITES(triad_cores_text(p, n), "1 rank, 1 thread, on 1 node with 1 core\n  node01\n"
                                 "    1 rank of 1 thread on 1 core (2 hardware threads), CPU 0,4\n"
                                 "    limited to the time of 0.5 CPUs");
}

TRIAD_TEST(ranks_dealt_round_the_nodes_are_sorted_by_node)
{
  triad_place p[8], dealt[8];
  int n = make_places(p, 2, 4, 2, 2);
  for (int i = 0; i < n; i++) dealt[i] = p[i % 2 * 4 + i / 2];
  triad_cores_sort(dealt, n);
  TRIAD_HOLDS(memcmp(dealt, p, sizeof p) == 0, "order after sorting");
}

TRIAD_TEST(one_mistake_is_one_warning)
{
  triad_place p[32];
  int n = make_places(p, 3, 4, 4, 8); /* 16 threads on 8 cores */
  WRITES(triad_cores_warnings(p, n), "node01 ... node03 (3 nodes): 16 threads on 8 cores: use fewer ranks, or set "
                                     "OMP_NUM_THREADS");
  n = make_places(p, 2, 2, 4, 1); /* bound to one core each, with 4 threads */
  for (int i = 0; i < n; i++) p[i].same_core = 1;
  WRITES(triad_cores_warnings(p, n), "node01 and node02: 2 ranks are bound to 1 core for 4 threads: try mpirun "
                                     "--map-by slot:PE=4, or --bind-to none");
  n = make_places(p, 1, 2, 1, 1); /* two jobs' ranks on core 0 */
  for (int i = 0; i < n; i++) p[i].same_core = 2, p[i].ranks_cores = 1;
  WRITES(triad_cores_warnings(p, n), "node01: 2 ranks are bound to a core that another rank uses (2 on one): "
                                     "bind each rank to separate cores, or try mpirun --bind-to none");
  n = make_places(p, 1, 4, 1, 2); /* all four on the same two cores */
  for (int i = 0; i < n; i++) p[i].ranks_cores = 2;
  WRITES(triad_cores_warnings(p, n),
         "node01: 4 threads on the 2 cores that these ranks may use, of 8: bind to more cores, "
         "or use fewer threads");
  n = make_places(p, 1, 1, 8, 8);
  p[0].quota = 2;
  WRITES(triad_cores_warnings(p, n),
         "node01: 8 threads, but the container or job is limited to the time of 2 CPUs: use fewer");
  p[0].quota = 7.5;
  WRITES(triad_cores_warnings(p, n), "");
  /* only the node that has the trouble is named */
  n = make_places(p, 3, 1, 8, 8);
  p[1].threads = 9;
  WRITES(triad_cores_warnings(p, n), "node02: 9 threads on 8 cores: use fewer ranks, or set OMP_NUM_THREADS");
}

TRIAD_TEST(json_names_every_rank_and_is_escaped)
{
  triad_place p[4];
  int n = make_places(p, 2, 2, 1, 1);
  p[2].quota = p[3].quota = 1.5;
  (void)strcpy(p[0].host, "a\"b\\\x01\xff");
  WRITES(triad_cores_json(p, n),
         "{\"ranks\":4,\"nodes\":[{\"host\":\"a\\\"b\\\\\\u0001\\\\xff\",\"cores\":8,\"quota\":null,\"ranks\":["
         "{\"rank\":0,\"threads\":1,\"cores\":1,\"hardware_threads\":1,\"cpus\":\"0\",\"numa\":\"0\"},"
         "{\"rank\":1,\"threads\":1,\"cores\":1,\"hardware_threads\":1,\"cpus\":\"1\",\"numa\":\"0\"}]},"
         "{\"host\":\"node02\",\"cores\":8,\"quota\":1.5,\"ranks\":["
         "{\"rank\":2,\"threads\":1,\"cores\":1,\"hardware_threads\":1,\"cpus\":\"0\",\"numa\":\"0\"},"
         "{\"rank\":3,\"threads\":1,\"cores\":1,\"hardware_threads\":1,\"cpus\":\"1\",\"numa\":\"0\"}]}]}");
  WRITES(triad_cores_json(p, 0), "{\"ranks\":0,\"nodes\":[]}");
}

/* --- quotas --------------------------------------------------------------------------------------------------- */

static void put_file(const char *root, const char *path, const char *text)
{
  char full[256];
  (void)snprintf(full, sizeof full, "%s/%s", root, path);
  for (char *slash = strchr(full + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    (void)mkdir(full, 0700);
    *slash = '/';
  }
  FILE *f = fopen(full, "w");
  TRIAD_HOLDS(f && fputs(text, f) >= 0 && fclose(f) == 0, "writing %s", full);
}

static void remove_file(const char *root, const char *path)
{
  char full[256];
  (void)snprintf(full, sizeof full, "%s/%s", root, path);
  (void)unlink(full);
  for (char *slash; (slash = strrchr(full, '/')) && (size_t)(slash - full) >= strlen(root);) {
    *slash = '\0';
    (void)rmdir(full);
  }
}

TRIAD_TEST(least_quota_on_the_way_up_counts)
{
  static const struct {
    const char *membership, *files[3][2];
    double quota;
  } trial[] = {
    {"0::/job/step\n", {{"job/step/cpu.max", "max 100000\n"}, {"job/cpu.max", "250000 100000\n"}}, 2.5},
    {"0::/job/step\n", {{"job/step/cpu.max", "100000 100000\n"}, {"job/cpu.max", "400000 100000\n"}}, 1},
    {"0::/the/hosts/path\n", {{"cpu.max", "150000 100000\n"}}, 1.5}, /* seen from inside a container */
    {"0::/\n", {{"cpu.max", "max 100000\n"}}, 0},
    {"0::/\n", {{"nothing", ""}}, 0},
    {"0::/\n", {{"cpu.max", ""}}, 0},
    {"5:cpuset:/\n4:cpu,cpuacct:/a\n0::/\n",
     {{"cpu,cpuacct/a/cpu.cfs_quota_us", "50000\n"}, {"cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"}},
     0.5},
    {"4:cpuacct,cpu:/a\n", {{"cpu/a/cpu.cfs_quota_us", "-1\n"}, {"cpu/a/cpu.cfs_period_us", "100000\n"}}, 0},
    {"4:cpu:/a\n", {{"cpu/a/cpu.cfs_quota_us", "300000\n"}, {"cpu/a/cpu.cfs_period_us", "100000\n"}}, 3},
    {"nonsense\n::\n7\n", {{"cpu.max", "100000 100000\n"}}, 1},
  };
  for (size_t t = 0; t < sizeof trial / sizeof *trial; t++) {
    char root[] = "/tmp/triad-test-quota-XXXXXX", membership[64];
    TRIAD_HOLDS(mkdtemp(root) != NULL, "%s", root);
    put_file(root, "membership", trial[t].membership);
    (void)snprintf(membership, sizeof membership, "%s/membership", root);
    for (int i = 0; i < 3 && trial[t].files[i][0]; i++) put_file(root, trial[t].files[i][0], trial[t].files[i][1]);
    TRIAD_NEAR(triad_cpu_limit_of(membership, root), trial[t].quota, 1e-15, trial[t].membership);
    for (int i = 0; i < 3 && trial[t].files[i][0]; i++) remove_file(root, trial[t].files[i][0]);
    remove_file(root, "membership");
    (void)rmdir(root);
  }
  TRIAD_NEAR(triad_cpu_limit_of("/nonexistent", "/nonexistent"), 0.0, 0, "no cgroups");
}

/* --- this machine --------------------------------------------------------------------------------------------- */

TRIAD_TEST(place_agrees_with_the_affinity_mask)
{
  triad_binding *b = NULL;
  TRIAD_CHECK(triad_binding_create(&b, triad_test_comm()));
  const triad_place *p = triad_binding_place(b);
  cpu_set_t mask;
  TRIAD_EQUAL(sched_getaffinity(0, sizeof mask, &mask), 0, "sched_getaffinity");
  if (omp_get_proc_bind() == omp_proc_bind_false)
    TRIAD_EQUAL(p->hardware_threads, CPU_COUNT(&mask), "hardware threads that this rank may use");
  TRIAD_HOLDS(p->cores >= 1 && p->cores <= p->hardware_threads, "%d cores", p->cores);
  TRIAD_HOLDS(p->cores <= p->ranks_cores && p->ranks_cores <= p->node_cores, "%d, %d, %d cores", p->cores,
              p->ranks_cores, p->node_cores);
  TRIAD_EQUAL(p->rank, triad_test_comm()->rank, "rank");
  TRIAD_HOLDS(p->host[0] && p->cpus[0], "host %s, CPUs %s", p->host, p->cpus);
  triad_binding_destroy(&b);
  triad_binding_destroy(&b);
}

TRIAD_TEST(threads_follow_omp_num_threads_or_share_the_cores)
{
  triad_binding *b = NULL;
  const triad_comm *comm = triad_test_comm();
  TRIAD_CHECK(triad_binding_create(&b, comm));
  const triad_place *p = triad_binding_place(b);
  char *given = getenv("OMP_NUM_THREADS") ? strdup(getenv("OMP_NUM_THREADS")) : NULL;
  (void)setenv("OMP_NUM_THREADS", "given", 1);
  TRIAD_EQUAL(triad_binding_threads(b), omp_get_max_threads(), "threads when OpenMP has been told");
  (void)unsetenv("OMP_NUM_THREADS");
  int threads = triad_binding_threads(b), sum = threads, ranks = comm->size;
  TRIAD_HOLDS(threads >= 1 && threads <= p->cores, "%d threads on %d cores", threads, p->cores);
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm->mpi)));
  /* the tests run on one node: more threads than cores only if there are more ranks than cores */
  TRIAD_HOLDS(sum <= (ranks > p->ranks_cores ? ranks : p->ranks_cores), "%d threads on %d cores for %d ranks", sum,
              p->ranks_cores, ranks);
  if (given) (void)setenv("OMP_NUM_THREADS", given, 1);
  free(given);
  triad_binding_destroy(&b);
}

TRIAD_TEST(table_reaches_rank_zero)
{
  triad_binding *b = NULL;
  const triad_comm *comm = triad_test_comm();
  TRIAD_CHECK(triad_binding_create(&b, comm));
  int n = -1;
  TRIAD_HOLDS(triad_binding_places(b, &n) == NULL && n == 0, "before the gather");
  TRIAD_CHECK(triad_binding_gather(b, comm, 3 + comm->rank));
  const triad_place *p = triad_binding_places(b, &n);
  TRIAD_EQUAL(n, comm->rank == 0 ? comm->size : 0, "places known here");
  for (int i = 0; i < n; i++) {
    TRIAD_EQUAL(p[i].rank, i, "rank"); /* one node: its ranks in order */
    TRIAD_EQUAL(p[i].local_rank, i, "local rank");
    TRIAD_EQUAL(p[i].threads, 3 + i, "threads");
  }
  triad_binding_log(b, NULL);
  triad_binding_destroy(&b);
}

/* All ranks of the test are on one node: as if on one core with a thread each, or on their cores without any. */
TRIAD_TEST(cores_that_threads_leave_free)
{
  const triad_comm *comm = triad_test_comm();
  cpu_set_t all, one;
  double spare = NAN;
  const double quota = triad_cpu_limit();
  assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&one);
  for (size_t c = 0; c < CPU_SETSIZE && CPU_COUNT(&one) == 0; c++)
    if (CPU_ISSET(c, &all)) CPU_SET(c, &one);
  TRIAD_CHECK(TRIAD_MPI(MPI_Bcast(&one, sizeof one, MPI_BYTE, 0, comm->mpi)));
  TRIAD_CHECK(triad_spare_cores(comm, &one, 1, &spare));
  TRIAD_NEAR(spare, 1 - comm->size, 1e-14, "of a core that all ranks use");
  TRIAD_CHECK(triad_spare_cores(comm, &all, 0, &spare));
  const double cores = CPU_COUNT(&all);
  TRIAD_NEAR(spare, quota > 0 && quota < cores ? quota : cores, 1e-12, "without threads");
}

TRIAD_MAIN
