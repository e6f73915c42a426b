#include "run/check.h"

#include "parallel/device.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* What CUDA and the transport take beside the table, for each process on a GPU. */
enum { PROCESS_EXTRA = 768 << 20 };

static const char *plural(int64_t n) { return n == 1 ? "" : "s"; }

/* The largest owners, for a message. */
static void list_owners(const triad_rank_needs *gpu, char *text, size_t size)
{
  size_t at = 0;
  for (int i = 0; i < gpu->n && at < size; i++) {
    int written = snprintf(text + at, size - at, "%s%s %.3g", i ? ", " : "", gpu->row[i].owner,
                           1e-9 * (double)gpu->row[i].bytes);
    at += written > 0 ? (size_t)written : 0;
  }
}

/* What passes through takes any memory there is, down to a few planes. */
static int refuse_offload(const char *name, int sharers, double needed, double available)
{
  double left = available / sharers - PROCESS_EXTRA;
  return TRIAD_FAIL(TRIAD_ERR_MEMORY,
                    "memory of the GPU %s: needed %.3g GB (%d rank%s), free %.3g GB; take parallel.gpu_memory = "
                    "%.2g, or fewer ranks a GPU",
                    name, 1e-9 * needed, sharers, plural(sharers), 1e-9 * available, 1e-9 * fmax(0.8 * left, 1e7));
}

static int refuse(const triad_case *given, const triad_rank_needs *gpu, const char *name, int sharers, int ranks,
                  double needed, double available, double total)
{
  int64_t n[3], m[3];
  char owners[256] = "";
  if (triad_case_is(given, "parallel.device", "offload")) return refuse_offload(name, sharers, needed, available);
  triad_case_integers(given, "grid.n", n, 3);
  int dimensions = (n[0] > 1) + (n[1] > 1) + (n[2] > 1);
  double factor = 0.97 * pow(available / needed, 1.0 / (dimensions > 0 ? dimensions : 1));
  for (int i = 0; i < 3; i++) m[i] = triad_resources_size(n[i], factor);
  list_owners(gpu, owners, sizeof owners);
  return TRIAD_FAIL(
      TRIAD_ERR_MEMORY,
      "memory of the GPU %s: needed %.3g GB (%d rank%s; %s GB each), free %.3g GB of %.3g GB; other processes "
      "hold %.3g GB (nvidia-smi lists them). What would fit here: grid.n = [%" PRId64 ", %" PRId64 ", %" PRId64
      "], or about %.0f GPUs like this, a rank each%s%s",
      name, 1e-9 * needed, sharers, plural(sharers), owners, 1e-9 * available, 1e-9 * total, 1e-9 * (total - available),
      m[0], m[1], m[2], ceil(needed / available * ranks / sharers),
      triad_case_is(given, "precision", "double") && needed < 1.9 * available ? ", or precision = \"single\"" : "",
      triad_case_applies(given, "parallel.gpu_memory")
          ? ", or parallel.device = \"offload\", with the fields on the host"
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
    st = refuse(given, gpu, "as parallel.gpu_memory has it", 1, context->comm.size, (double)gpu->total, limit, limit);
  if (st == TRIAD_OK && needed > (double)available)
    st = refuse(given, gpu, triad_device_name(device), sharers, context->comm.size, needed, (double)available,
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
