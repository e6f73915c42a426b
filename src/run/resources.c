#include "run/check.h"

#include "parallel/host/host_memory.h"
#include "store/disk.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>

#include <fts.h> /* wants the ones above */

/* Code, libraries and MPI's own buffers of a rank, by which the table falls short. */
enum { RANK_EXTRA = 64 << 20 };

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

static int refuse(const triad_case *given, const triad_rank_needs *rank, const triad_host_memory *node, double needed)
{
  int64_t n[3], m[3];
  char nodes[96] = "";
  triad_case_integers(given, "grid.n", n, 3);
  int dimensions = (n[0] > 1) + (n[1] > 1) + (n[2] > 1);
  double factor = 0.97 * pow((double)node->free / needed, 1.0 / (dimensions > 0 ? dimensions : 1));
  for (int i = 0; i < 3; i++) m[i] = triad_resources_size(n[i], factor);
  if (node->ranks > 1)
    (void)snprintf(nodes, sizeof nodes, ", these ranks over %.0f such nodes", ceil(needed / (double)node->free));
  return TRIAD_FAIL(
      TRIAD_ERR_MEMORY,
      "memory of %s: needed %.3g GB (%d rank%s of up to %.3g GB), free %.3g GB of %.3g GB%s; held most by %s. "
      "What would fit here: grid.n = [%" PRId64 ", %" PRId64 ", %" PRId64 "]%s%s",
      node->host, 1e-9 * needed, node->ranks, node->ranks == 1 ? "" : "s", 1e-9 * (double)rank->total,
      1e-9 * (double)node->free, 1e-9 * (double)node->total,
      node->limited ? " (the limit of this job or container)" : "",
      node->holders[0] ? node->holders : "processes that cannot be seen", m[0], m[1], m[2], nodes,
      triad_case_is(given, "precision", "double") && needed < 1.9 * (double)node->free ? ", or precision = \"single\""
                                                                                       : "");
}

int triad_resources_memory(const triad_comm *comm, const triad_case *given, const triad_needs *needs, triad_log *log)
{
  triad_host_memory node;
  TRIAD_TRY(triad_agree(comm, triad_host_memory_measure(&node, comm)));
  for (int i = 0; i < needs->rank.n; i++)
    triad_log_detail(log, "memory of a rank: %-20s %10.1f MB  %s", needs->rank.row[i].owner,
                     1e-6 * (double)needs->rank.row[i].bytes, needs->rank.row[i].remark);
  triad_log_detail(log, "memory of a rank: %-20s %10.1f MB; %d rank%s on %s, which has %.1f MB free", "total",
                   1e-6 * (double)needs->rank.total, node.ranks, node.ranks == 1 ? "" : "s", node.host,
                   1e-6 * (double)node.free);
  double needed = (double)node.ranks * ((double)needs->rank.total + RANK_EXTRA);
  int too_much = node.free > 0 && needed > (double)node.free;
  return triad_agree(comm, too_much ? refuse(given, &needs->rank, &node, needed) : TRIAD_OK);
}

/* Bytes that the files below a folder take; what cannot be read counts as nothing. */
static double disk_use(const char *folder)
{
  char *roots[] = {(char *)folder, NULL};
  double bytes = 0;
  FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
  if (!tree) return 0;
  for (FTSENT *entry = fts_read(tree); entry; entry = fts_read(tree))
    if (entry->fts_info == FTS_F) bytes += 512.0 * (double)entry->fts_statp->st_blocks;
  (void)fts_close(tree);
  return bytes;
}

static int check_disk(const triad_case *given, const triad_needs *needs, const char *run_dir, triad_log *log)
{
  struct statvfs disk;
  if (statvfs(run_dir, &disk) != 0) return TRIAD_OK; /* a file system that does not tell */
  double available = (double)disk.f_bavail * (double)disk.f_frsize;
  double left = needs->total_bytes - disk_use(run_dir);
  if (left <= available) return TRIAD_OK;
  if (triad_case_is(given, "output.disk_check", "warn")) {
    triad_log_warning(log, "the planned output takes %.3g GB more, and the disk has %.3g GB free", 1e-9 * left,
                      1e-9 * available);
    return TRIAD_OK;
  }
  return TRIAD_FAIL(
      TRIAD_ERR_IO,
      "%.300s: the planned output takes %.3g GB more, and the disk has %.3g GB free: raise the intervals under "
      "[output], lower output.keep, take another --dir, or set output.disk_check = \"warn\" if files will be "
      "moved away in time",
      run_dir, 1e-9 * left, 1e-9 * available);
}

int triad_resources_disk(const triad_comm *comm, const triad_case *given, const triad_needs *needs, const char *run_dir,
                    triad_log *log)
{
  return triad_agree(comm, comm->rank == 0 ? check_disk(given, needs, run_dir, log) : TRIAD_OK);
}
