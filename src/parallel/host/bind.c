/* Find the cores and caches that this rank may use by hwloc, compare them with the other ranks of the node, and
 * suggest a number of threads. */
#include "parallel/host/bind.h"

#include <errno.h>
#include <hwloc.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct triad_binding {
  hwloc_topology_t topology;
  hwloc_cpuset_t cpus;  /* hardware threads that this rank may run on                     */
  hwloc_bitmap_t cores; /* the same as logical indices of cores                           */
  double share;         /* of the node's cores: each counts 1 / ranks that may use it     */
  int local_size;       /* ranks on the node                                              */
  triad_place me, *all; /* all: on rank 0 after the gather                                */
  int n_all;
};

static void set_places_of_openmp(hwloc_cpuset_t cpus)
{
  /* with OMP_PROC_BIND the first thread is bound to one place before main starts, and its mask shows no other */
  if (omp_get_proc_bind() == omp_proc_bind_false) return;
  for (int p = 0; p < omp_get_num_places(); p++) {
    int n = omp_get_place_num_procs(p);
    int *id = n > 0 ? malloc((size_t)n * sizeof *id) : NULL;
    if (!id) continue;
    omp_get_place_proc_ids(p, id);
    for (int i = 0; i < n; i++) (void)hwloc_bitmap_set(cpus, (unsigned)id[i]);
    free(id);
  }
}

static void cut_list(char *out, size_t room, hwloc_const_bitmap_t set)
{
  static const char more[] = "...";
  int n = hwloc_bitmap_list_snprintf(out, room, set);
  if (n < 0) out[0] = '\0';
  else if ((size_t)n >= room) memcpy(out + room - sizeof more, more, sizeof more);
}

/* Read this process's binding, topology and quota. */
static int look_around(triad_binding *b)
{
  if (hwloc_topology_init(&b->topology) != 0) {
    b->topology = NULL;
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the machine's topology");
  }
  if (hwloc_topology_load(b->topology) != 0)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "hwloc cannot read the machine's topology: %s", strerror(errno));
  b->cpus = hwloc_bitmap_alloc();
  b->cores = hwloc_bitmap_alloc();
  hwloc_nodeset_t numa = hwloc_bitmap_alloc();
  if (!b->cpus || !b->cores || !numa) {
    hwloc_bitmap_free(numa);
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the sets of cores");
  }
  hwloc_const_cpuset_t allowed = hwloc_topology_get_allowed_cpuset(b->topology);
  if (hwloc_get_cpubind(b->topology, b->cpus, HWLOC_CPUBIND_THREAD) != 0) (void)hwloc_bitmap_copy(b->cpus, allowed);
  set_places_of_openmp(b->cpus);
  (void)hwloc_bitmap_and(b->cpus, b->cpus, allowed);
  if (hwloc_bitmap_iszero(b->cpus)) (void)hwloc_bitmap_copy(b->cpus, allowed);

  int n_cores = hwloc_get_nbobjs_by_type(b->topology, HWLOC_OBJ_CORE);
  hwloc_obj_type_t unit = n_cores > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU; /* what counts as a core */
  int units = hwloc_get_nbobjs_by_type(b->topology, unit);
  for (int i = 0; i < units; i++) {
    hwloc_obj_t core = hwloc_get_obj_by_type(b->topology, unit, (unsigned)i);
    if (hwloc_bitmap_intersects(core->cpuset, b->cpus)) (void)hwloc_bitmap_set(b->cores, (unsigned)i);
  }
  (void)hwloc_cpuset_to_nodeset(b->topology, b->cpus, numa);

  triad_place *me = &b->me;
  if (gethostname(me->host, sizeof me->host) != 0) (void)strcpy(me->host, "?");
  me->host[sizeof me->host - 1] = '\0';
  cut_list(me->cpus, sizeof me->cpus, b->cpus);
  cut_list(me->numa, sizeof me->numa, numa);
  me->cores = hwloc_bitmap_weight(b->cores);
  me->hardware_threads = hwloc_bitmap_weight(b->cpus);
  me->node_cores = units;
  me->quota = triad_cpu_limit();
  hwloc_bitmap_free(numa);
  return TRIAD_OK;
}

/* Compare with the ranks of the node: masks[r * words ...] are the cores of local rank r. */
static void compare(triad_binding *b, const unsigned long *masks, int words)
{
  const int bits = 8 * (int)sizeof *masks;
  const unsigned long *mine = masks + (size_t)b->me.local_rank * (size_t)words;
  for (int core = 0; core < words * bits; core++) {
    int users = 0, i = core / bits, j = core % bits;
    for (int r = 0; r < b->local_size; r++) users += (int)(masks[(size_t)r * (size_t)words + (size_t)i] >> j & 1);
    if (users > 0) b->me.ranks_cores++;
    if (mine[i] >> j & 1) b->share += 1.0 / users;
  }
  for (int r = 0; b->me.cores == 1 && r < b->local_size; r++)
    b->me.same_core += memcmp(mine, masks + (size_t)r * (size_t)words, (size_t)words * sizeof *mine) == 0;
}

static int look_beside(triad_binding *b, const triad_comm *comm, MPI_Comm node)
{
  int words = hwloc_bitmap_last(b->cores) / (8 * (int)sizeof(unsigned long)) + 1;
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_rank(node, &b->me.local_rank)));
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_size(node, &b->local_size)));
  b->me.rank = comm->rank;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&b->me.rank, &b->me.node, 1, MPI_INT32_T, MPI_MIN, node)));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &words, 1, MPI_INT, MPI_MAX, node)));
  unsigned long *masks = calloc((size_t)(b->local_size + 1) * (size_t)words, sizeof *masks);
  triad_comm beside = {node, comm->rank, b->local_size}; /* named by its rank in the run if it fails */
  int st = masks ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the masks of %d ranks", b->local_size);
  st = triad_agree(&beside, st);
  if (st == TRIAD_OK) {
    unsigned long *mine = masks + (size_t)b->local_size * (size_t)words;
    for (int i = 0; i < words; i++) mine[i] = hwloc_bitmap_to_ith_ulong(b->cores, (unsigned)i);
    st = TRIAD_MPI(MPI_Allgather(mine, words, MPI_UNSIGNED_LONG, masks, words, MPI_UNSIGNED_LONG, node));
    if (st == TRIAD_OK) compare(b, masks, words);
  }
  free(masks);
  return st;
}

int triad_binding_create(triad_binding **out, const triad_comm *comm)
{
  *out = NULL;
  triad_binding *b = calloc(1, sizeof *b);
  int st = triad_agree(comm, b ? look_around(b) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the binding"));
  if (st == TRIAD_OK) {
    MPI_Comm node = MPI_COMM_NULL;
    st = TRIAD_MPI(MPI_Comm_split_type(comm->mpi, MPI_COMM_TYPE_SHARED, comm->rank, MPI_INFO_NULL, &node));
    if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN));
    if (st == TRIAD_OK) st = look_beside(b, comm, node);
    if (node != MPI_COMM_NULL) (void)MPI_Comm_free(&node);
    st = triad_agree(comm, st);
  }
  if (st != TRIAD_OK) triad_binding_destroy(&b);
  *out = b;
  return st;
}

void triad_binding_destroy(triad_binding **binding)
{
  if (!binding || !*binding) return;
  hwloc_bitmap_free((*binding)->cpus);
  hwloc_bitmap_free((*binding)->cores);
  if ((*binding)->topology) hwloc_topology_destroy((*binding)->topology);
  free((*binding)->all);
  free(*binding);
  *binding = NULL;
}

int triad_binding_threads(const triad_binding *b)
{
  const char *wanted = getenv("OMP_NUM_THREADS");
  if (wanted && *wanted) return omp_get_max_threads(); /* OpenMP has read it, lists and limits included */
  double share = b->share + 1e-9;                      /* thirds add up to one */
  if (b->me.quota > 0 && b->me.quota / b->local_size < share) share = b->me.quota / b->local_size;
  int threads = share > 1 ? (int)share : 1;
  int limit = omp_get_thread_limit();
  return threads < limit ? threads : limit;
}

int triad_binding_near(const triad_binding *b, const char *bus)
{
  char path[128], list[4096] = "";
  (void)snprintf(path, sizeof path, "/sys/bus/pci/devices/%.40s/local_cpulist", bus);
  FILE *f = fopen(path, "r");
  if (!f) return 1;
  hwloc_bitmap_t beside = hwloc_bitmap_alloc();
  int known = fgets(list, sizeof list, f) && beside && hwloc_bitmap_list_sscanf(beside, list) == 0 &&
              !hwloc_bitmap_iszero(beside);
  int near = !known || hwloc_bitmap_intersects(beside, b->cpus);
  hwloc_bitmap_free(beside);
  (void)fclose(f);
  return near;
}

void triad_binding_node(const triad_binding *b, char *text, size_t size)
{
  hwloc_obj_t package = hwloc_get_obj_by_type(b->topology, HWLOC_OBJ_PACKAGE, 0);
  const char *model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
  (void)snprintf(text, size, "%s, %d core%s", model ? model : "unknown CPU", b->me.node_cores,
                 b->me.node_cores == 1 ? "" : "s");
}

void triad_binding_seat(triad_binding *b, const char *name, const char *bus, int sharers)
{
  (void)snprintf(b->me.gpu, sizeof b->me.gpu, "%s", name);
  (void)snprintf(b->me.gpu_bus, sizeof b->me.gpu_bus, "%s", bus);
  b->me.gpu_ranks = sharers;
}

const triad_place *triad_binding_place(const triad_binding *b) { return &b->me; }

int triad_binding_gather(triad_binding *b, const triad_comm *comm, int threads)
{
  int st = TRIAD_OK;
  b->me.threads = threads;
  if (comm->rank == 0 && !b->all) {
    b->all = calloc((size_t)comm->size, sizeof *b->all);
    if (!b->all) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "the host positions of %d ranks", comm->size);
  }
  TRIAD_TRY(triad_agree(comm, st));
  const int size = (int)sizeof b->me;
  TRIAD_TRY(triad_agree(comm, TRIAD_MPI(MPI_Gather(&b->me, size, MPI_BYTE, b->all, size, MPI_BYTE, 0, comm->mpi))));
  if (comm->rank == 0) {
    b->n_all = comm->size;
    triad_cores_sort(b->all, b->n_all);
  }
  return TRIAD_OK;
}

const triad_place *triad_binding_places(const triad_binding *b, int *n)
{
  *n = b->n_all;
  return b->n_all ? b->all : NULL;
}

void triad_binding_log(const triad_binding *b, triad_log *log)
{
  if (!b->n_all) return;
  char *table = triad_cores_text(b->all, b->n_all), *warnings = triad_cores_warnings(b->all, b->n_all);
  if (table) triad_log_info(log, "%s", table);
  if (warnings && *warnings) triad_log_warning(log, "%s", warnings);
  free(table);
  free(warnings);
}
