/* Which transport between GPUs: the case's word, or by what is there. */
#include "transpose/gpu_transport.h"

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <string.h>

static int mpi_takes_device_memory(void)
{
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return 0;
#endif
}

typedef struct neighbourhood {
  int one_node;  /* all ranks are on one node                */
  int sharing;   /* ranks that share a GPU with another, all */
  int can_map;   /* each reaches the others' GPUs            */
} neighbourhood;

/* Same GPU: same node and same PCI id. */
static int look(neighbourhood *n, const triad_context *context, const triad_device *device)
{
  const triad_comm *comm = &context->comm;
  MPI_Comm node = MPI_COMM_NULL;
  int local = 0, mine = 0, maps = 1, sharing = 0, one_node = 0;
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_split_type(comm->mpi, MPI_COMM_TYPE_SHARED, comm->rank, MPI_INFO_NULL, &node)));
  (void)MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN);
  int st = TRIAD_MPI(MPI_Comm_size(node, &local));
  for (int r = 0; st == TRIAD_OK && r < local; r++) {
    char bus[TRIAD_DEVICE_BUS] = "";
    int rank = 0;
    (void)MPI_Comm_rank(node, &rank);
    if (rank == r) (void)memcpy(bus, triad_device_bus(device), sizeof bus);
    st = TRIAD_MPI(MPI_Bcast(bus, TRIAD_DEVICE_BUS, MPI_CHAR, r, node));
    if (rank == r || st != TRIAD_OK) continue;
    if (strcmp(bus, triad_device_bus(device)) == 0) mine = 1;
    if (!triad_device_reaches(device, bus)) maps = 0;
  }
  (void)MPI_Comm_free(&node);
  one_node = local == comm->size;
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Allreduce(&mine, &sharing, 1, MPI_INT, MPI_SUM, comm->mpi));
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Allreduce(&one_node, &n->one_node, 1, MPI_INT, MPI_MIN, comm->mpi));
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Allreduce(&maps, &n->can_map, 1, MPI_INT, MPI_MIN, comm->mpi));
  n->sharing = sharing;
  return st;
}

static int choose(const triad_gpu_transport **out, const char *word, const neighbourhood *n)
{
  int automatic = strcmp(word, "auto") == 0, nccl_built = triad_gpu_nccl.start_in != NULL;
  if (automatic) {
    /* as they came out where they were timed (docs/performance.md); a flow times them itself (src/run/gpu_fastest.h) */
    *out = n->one_node && n->can_map            ? &triad_gpu_put
           : nccl_built && n->sharing == 0      ? &triad_gpu_nccl
           : mpi_takes_device_memory()          ? &triad_gpu_cuda_mpi
                                                : &triad_gpu_staged;
    return TRIAD_OK;
  }
  if (strcmp(word, "nccl") == 0) {
    if (n->sharing > 0)
      return TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.transport = \"nccl\": NCCL wants a GPU for each rank, and %d ranks share "
                                           "one; take \"ipc\", \"staged\" or \"auto\", or fewer ranks", n->sharing);
    *out = &triad_gpu_nccl;
    return TRIAD_OK;
  }
  if (strcmp(word, "ipc") == 0 || strcmp(word, "put") == 0) {
    if (!n->one_node)
      return TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.transport = \"%s\" works within a node, and these ranks are on several; "
                                           "take \"nccl\", \"staged\" or \"auto\"", word);
    *out = word[0] == 'i' ? &triad_gpu_ipc : &triad_gpu_put;
    return TRIAD_OK;
  }
  if (strcmp(word, "staged") == 0) {
    *out = &triad_gpu_staged;
    return TRIAD_OK;
  }
  if (strcmp(word, "cuda-mpi") == 0) {
    if (!mpi_takes_device_memory())
      return TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.transport = \"cuda-mpi\": this MPI library does not take GPU memory "
                                           "(MPIX_Query_cuda_support() says no); take \"nccl\", \"ipc\" or \"staged\"");
    *out = &triad_gpu_cuda_mpi;
    return TRIAD_OK;
  }
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.transport = \"%s\" is for the CPU; between GPUs take \"nccl\", \"ipc\", "
                                       "\"staged\" or \"auto\"", word);
}

int triad_gpu_transport_choose(const triad_gpu_transport **out, const char *word, const triad_context *context,
                               const triad_device *device)
{
  neighbourhood n = {0};
  int st = look(&n, context, device);
  if (st == TRIAD_OK) st = choose(out, word, &n);
  return triad_agree(&context->comm, st);
}

int triad_gpu_exchange_transports(triad_context *context, const triad_device *device, const char **names, int *n)
{
  neighbourhood beside = {0};
  *n = 0;
  TRIAD_TRY(triad_agree(&context->comm, look(&beside, context, device)));
  if (beside.one_node && beside.can_map) names[(*n)++] = "put";
  if (triad_gpu_nccl.start_in && beside.sharing == 0) names[(*n)++] = "nccl";
  if (beside.one_node && beside.can_map) names[(*n)++] = "ipc";
  names[(*n)++] = "staged";
  if (mpi_takes_device_memory()) names[(*n)++] = "cuda-mpi";
  return TRIAD_OK;
}
