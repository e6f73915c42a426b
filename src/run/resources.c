/* Compare the memory that a run needs with the memory of its nodes and GPUs, and suggest a grid, a precision or a
 * number of ranks that fits. */
#include "run/resources.h"
#include "run/check.h"

#include "base/size.h"
#include "parallel/device.h"
#include "parallel/host/host_memory.h"
#include "store/disk.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/types.h>

#include <fts.h> /* needs the headers above */

/* By which the tables fall short: code, libraries and MPI's own buffers of a rank; what CUDA and the transport take for
 * each process on a GPU, and for each run of a process. */
enum { RANK_EXTRA = 64 << 20, PROCESS_EXTRA = 768 << 20, RUN_EXTRA = 32 << 20 };

static const char *plural(int64_t n) { return n == 1 ? "" : "s"; }

static int is_smooth(int64_t n)
{
  static const int primes[] = {2, 3, 5, 7};
  for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
    while (n % primes[i] == 0) n /= primes[i];
  return n == 1;
}

int64_t triad_resources_size(int64_t n, double factor)
{
  if (n == 1) return 1;
  int64_t m = (int64_t)((double)n * factor) / 2 * 2;
  while (m > 2 && !is_smooth(m)) m -= 2;
  return m < 2 ? 2 : m;
}

/* The grid that would take `part` of the memory that this one takes, in words. */
static const char *fitting(const triad_case *given, double part, char text[128])
{
  int64_t n[3], m[3];
  triad_case_integers(given, "grid.n", n, 3);
  int dimensions = (n[0] > 1) + (n[1] > 1) + (n[2] > 1);
  double factor = 0.97 * pow(part, 1.0 / (dimensions > 0 ? dimensions : 1));
  for (int i = 0; i < 3; i++) m[i] = triad_resources_size(n[i], factor);
  (void)snprintf(text, 128, "grid.n = [%" PRId64 ", %" PRId64 ", %" PRId64 "]", m[0], m[1], m[2]);
  return text;
}

static const char *single_fits(const triad_case *given, double part)
{
  return triad_case_is(given, "precision", "double") && 1.9 * part > 1 ? ", or precision = \"single\"" : "";
}

static int refuse(const triad_case *given, const triad_rank_needs *rank, const triad_host_memory *node, double needed)
{
  char nodes[96] = "", grid[128], all[32], one[32], is_free[32], total[32];
  if (node->ranks > 1)
    (void)snprintf(nodes, sizeof nodes, ", these ranks over %.0f such nodes", ceil(needed / (double)node->free));
  return TRIAD_FAIL_PLAIN(
    TRIAD_ERR_MEMORY,
    "memory of %s: required %s (%d rank%s of up to %s), free %s of %s%s; largest user: %s. Possible here: %s%s%s",
    node->host, triad_size_text(all, needed), node->ranks, plural(node->ranks),
    triad_size_text(one, (double)rank->total), triad_size_text(is_free, (double)node->free),
    triad_size_text(total, (double)node->total), node->limited ? " (the limit of this job or container)" : "",
    node->holders[0] ? node->holders : "processes that are not visible",
    fitting(given, (double)node->free / needed, grid), nodes, single_fits(given, (double)node->free / needed));
}

int triad_resources_memory(const triad_comm *comm, const triad_case *given, const triad_needs *needs, triad_log *log)
{
  triad_host_memory node;
  TRIAD_TRY(triad_agree(comm, triad_host_memory_measure(&node, comm)));
  for (int i = 0; i < needs->rank.n; i++)
    triad_log_detail(log, "memory of a rank: %-20s %10.1f MB  %s", needs->rank.row[i].owner,
                     1e-6 * (double)needs->rank.row[i].bytes, needs->rank.row[i].remark);
  triad_log_detail(log, "memory of a rank: %-20s %10.1f MB; %d rank%s on %s, which has %.1f MB free", "total",
                   1e-6 * (double)needs->rank.total, node.ranks, plural(node.ranks), node.host,
                   1e-6 * (double)node.free);
  double needed = (double)node.ranks * ((double)needs->rank.total + RANK_EXTRA);
  int too_much = node.free > 0 && needed > (double)node.free;
  return triad_agree(comm, too_much ? refuse(given, &needs->rank, &node, needed) : TRIAD_OK);
}

/* ---- GPUs ---- */

/* The largest owners, for a message. */
static void list_owners(const triad_rank_needs *gpu, char *text, size_t size)
{
  size_t at = 0;
  for (int i = 0; i < gpu->n && at < size; i++) {
    int written =
      snprintf(text + at, size - at, "%s%s %.3g", i ? ", " : "", gpu->row[i].owner, 1e-9 * (double)gpu->row[i].bytes);
    at += written > 0 ? (size_t)written : 0;
  }
}

/* Fields that pass through the GPU need little memory, that of a few planes at least. */
static int refuse_offload(const char *name, int sharers, double needed, double available)
{
  double left = available / sharers - PROCESS_EXTRA;
  return TRIAD_FAIL_PLAIN(TRIAD_ERR_MEMORY,
                          "memory of the GPU %s: required %.3g GB (%d rank%s), free %.3g GB: use parallel.gpu_memory = "
                          "%.2g, or fewer ranks per GPU",
                          name, 1e-9 * needed, sharers, plural(sharers), 1e-9 * available,
                          1e-9 * fmax(0.8 * left, 1e7));
}

static int refuse_gpu(const triad_case *given, const triad_rank_needs *gpu, const char *name, int sharers, int ranks,
                      double needed, double available, double total)
{
  char owners[256] = "", grid[128];
  if (triad_case_is(given, "parallel.device", "offload")) return refuse_offload(name, sharers, needed, available);
  list_owners(gpu, owners, sizeof owners);
  return TRIAD_FAIL_PLAIN(
    TRIAD_ERR_MEMORY,
    "memory of the GPU %s: required %.3g GB (%d rank%s; %s GB each), free %.3g GB of %.3g GB; other processes use %.3g "
    "GB (nvidia-smi lists them). Possible here: %s, or about %.0f GPUs like this, one per rank%s%s",
    name, 1e-9 * needed, sharers, plural(sharers), owners, 1e-9 * available, 1e-9 * total, 1e-9 * (total - available),
    fitting(given, available / needed, grid), ceil(needed / available * ranks / sharers),
    single_fits(given, available / needed),
    triad_case_applies(given, "parallel.gpu_memory") ? ", or parallel.device = \"offload\", with the fields on the host"
                                                     : "");
}

static int check_gpu(const triad_context *context, const triad_case *given, const triad_rank_needs *gpu, int sharers)
{
  triad_device *device = NULL;
  int64_t available = 0, total = 0;
  TRIAD_TRY(triad_device_create(&device, context->gpu));
  int st = triad_device_memory(device, &available, &total);
  double needed = (double)sharers * ((double)gpu->total + PROCESS_EXTRA), limit = 0;
  if (triad_case_applies(given, "parallel.gpu_memory")) limit = 1e9 * triad_case_real(given, "parallel.gpu_memory");
  if (st == TRIAD_OK && limit > 0 && (double)gpu->total > limit)
    st =
      refuse_gpu(given, gpu, "limited by parallel.gpu_memory", 1, context->comm.size, (double)gpu->total, limit, limit);
  if (st == TRIAD_OK && needed > (double)available)
    st = refuse_gpu(given, gpu, triad_device_name(device), sharers, context->comm.size, needed, (double)available,
                    (double)total);
  triad_device_destroy(&device);
  return st;
}

int triad_resources_gpu(const triad_context *context, const triad_case *given, const triad_needs *needs, int sharers,
                        triad_log *log)
{
  const triad_rank_needs *gpu = &needs->gpu;
  int here = gpu->n > 0 && context->gpu >= 0, all = 0;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&here, &all, 1, MPI_INT, MPI_MIN, context->comm.mpi)));
  if (!all) return TRIAD_OK;
  for (int i = 0; i < gpu->n; i++)
    triad_log_info(log, "GPU memory of a rank: %-14s %10.1f MB  %s", gpu->row[i].owner,
                   1e-6 * (double)gpu->row[i].bytes, gpu->row[i].remark);
  triad_log_info(log, "GPU memory of a rank: %-14s %10.1f MB", "total", 1e-6 * (double)gpu->total);
  if (needs->rank.pinned > 0)
    triad_log_info(log, "host memory of a rank: %.1f MB, of which %.1f MB are pinned", 1e-6 * (double)needs->rank.total,
                   1e-6 * (double)needs->rank.pinned);
  return triad_agree(&context->comm, check_gpu(context, given, gpu, sharers > 0 ? sharers : 1));
}

/* The memory of a GPU that this process may use for its runs. */
static int look_at_gpu(int gpu, int sharers, double *own)
{
  triad_device *device = NULL;
  int64_t available = 0, total = 0;
  TRIAD_TRY(triad_device_create(&device, gpu));
  int st = triad_device_memory(device, &available, &total);
  triad_device_destroy(&device);
  *own = (double)available / (sharers > 0 ? sharers : 1) - PROCESS_EXTRA;
  return st;
}

int triad_resources_runs(int gpu, int sharers, int64_t bytes, int *fits)
{
  double own = 0;
  TRIAD_TRY(look_at_gpu(gpu, sharers, &own));
  const double n = own / ((double)bytes + RUN_EXTRA);
  *fits = n < 0 ? 0 : n < INT_MAX ? (int)n : INT_MAX;
  return TRIAD_OK;
}

int triad_resources_share(int gpu, int sharers, int runs, int64_t *each)
{
  double own = 0;
  TRIAD_TRY(look_at_gpu(gpu, sharers, &own));
  *each = (int64_t)fmax(own / runs - RUN_EXTRA, 1);
  return TRIAD_OK;
}

/* ---- disk ---- */

/* Bytes that the files of a run take, not those of runs that were moved aside; what cannot be read counts as
 * nothing. */
static double disk_use(const char *folder)
{
  char *roots[] = {(char *)folder, NULL};
  double bytes = 0;
  FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
  if (!tree) return 0;
  for (FTSENT *entry = fts_read(tree); entry; entry = fts_read(tree))
    if (entry->fts_info == FTS_D && strncmp(entry->fts_name, "before-", 7) == 0) (void)fts_set(tree, entry, FTS_SKIP);
    else if (entry->fts_info == FTS_F) bytes += 512.0 * (double)entry->fts_statp->st_blocks;
  (void)fts_close(tree);
  return bytes;
}

static int check_disk(const triad_case *given, const triad_needs *needs, const char *run_dir, int from_start,
                      triad_log *log)
{
  struct statvfs disk;
  char more[32], is_free[32];
  if (statvfs(run_dir, &disk) != 0) return TRIAD_OK; /* the file system does not provide it */
  double available = (double)disk.f_bavail * (double)disk.f_frsize;
  double left = needs->total_bytes - (from_start ? 0 : disk_use(run_dir));
  if (left <= available) return TRIAD_OK;
  if (triad_case_is(given, "output.disk_check", "warn")) {
    triad_log_warning(log, "the planned output requires %s more, but the disk has %s free", triad_size_text(more, left),
                      triad_size_text(is_free, available));
    return TRIAD_OK;
  }
  return TRIAD_FAIL_PLAIN(
    TRIAD_ERR_IO,
    "%.300s: the planned output requires %s more, but the disk has %s free: increase the intervals under [output], "
    "reduce output.keep, use another --dir, or set output.disk_check = \"warn\" if files will be moved away in time",
    run_dir, triad_size_text(more, left), triad_size_text(is_free, available));
}

int triad_resources_disk(const triad_comm *comm, const triad_case *given, const triad_needs *needs, const char *run_dir,
                         int from_start, triad_log *log)
{
  return triad_agree(comm, comm->rank == 0 ? check_disk(given, needs, run_dir, from_start, log) : TRIAD_OK);
}
