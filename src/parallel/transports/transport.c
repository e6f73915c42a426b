/* Choose the transport between GPUs that the case names, or the best available one. */
#include "parallel/transports/transport.h"
#include "parallel/transports/messages.h"

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <string.h>

#ifdef TRIAD_NCCL
enum { NCCL_BUILT = 1 };
#else
enum { NCCL_BUILT = 0 };
#endif

/* HIP has no call that queues waits for flags of several peers. */
#ifdef TRIAD_HIP
enum { IPC_BUILT = 0 };
#else
enum { IPC_BUILT = 1 };
#endif

static const char *const names_of[TRIAD_TRANSPORTS] = {"nccl", "ipc", "put", "staged", "cuda-mpi"};

const char *triad_transport_name(triad_transport transport) { return names_of[transport]; }

static int mpi_takes_device_memory(void)
{
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return 0;
#endif
}

typedef struct neighbourhood {
  int one_node; /* all ranks are on one node                */
  int sharing;  /* ranks that share a GPU with another, all */
  int can_map;  /* each reaches the others' GPUs            */
} neighbourhood;

/* Same GPU: same node and same PCI id. */
static int inspect(neighbourhood *n, const triad_context *context, const triad_device *device)
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

static int choose(triad_transport *out, const char *word, const neighbourhood *n)
{
  if (strcmp(word, "auto") == 0) {
    /* within a node copies by the copy engines leave the multiprocessors to the arithmetic (docs/performance.md) */
    *out = IPC_BUILT && n->one_node && n->can_map ? TRIAD_TRANSPORT_IPC
           : NCCL_BUILT && n->sharing == 0        ? TRIAD_TRANSPORT_NCCL
           : mpi_takes_device_memory()            ? TRIAD_TRANSPORT_CUDA_MPI
                                                  : TRIAD_TRANSPORT_STAGED;
    return TRIAD_OK;
  }
  if (strcmp(word, "nccl") == 0) {
    if (!NCCL_BUILT)
      return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                        "parallel.transport = \"nccl\": this build has no NCCL: use \"ipc\" or \"staged\"");
    if (n->sharing > 0)
      return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                        "parallel.transport = \"nccl\" requires one GPU per rank, but %d ranks share one: use \"ipc\", "
                        "\"staged\" or \"auto\", or fewer ranks",
                        n->sharing);
    *out = TRIAD_TRANSPORT_NCCL;
    return TRIAD_OK;
  }
  if (strcmp(word, "ipc") == 0 || strcmp(word, "put") == 0) {
    if (!IPC_BUILT)
      return TRIAD_FAIL(
        TRIAD_ERR_FEATURE,
        "parallel.transport = \"%s\" is not available on AMD GPUs: use \"nccl\", \"staged\" or \"auto\"", word);
    if (!n->one_node)
      return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                        "parallel.transport = \"%s\" requires ranks on one node, but these are on several: use "
                        "\"nccl\", \"staged\" or \"auto\"",
                        word);
    *out = word[0] == 'i' ? TRIAD_TRANSPORT_IPC : TRIAD_TRANSPORT_PUT;
    return TRIAD_OK;
  }
  if (strcmp(word, "staged") == 0) {
    *out = TRIAD_TRANSPORT_STAGED;
    return TRIAD_OK;
  }
  if (strcmp(word, "cuda-mpi") == 0) {
    if (!mpi_takes_device_memory())
      return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                        "parallel.transport = \"cuda-mpi\": this MPI library does not support GPU memory "
                        "(MPIX_Query_cuda_support() says no): use \"nccl\", \"ipc\" or \"staged\"");
    *out = TRIAD_TRANSPORT_CUDA_MPI;
    return TRIAD_OK;
  }
  return TRIAD_FAIL(
    TRIAD_ERR_FEATURE,
    "parallel.transport = \"%s\" is for CPUs: between GPUs use \"nccl\", \"ipc\", \"staged\" or \"auto\"", word);
}

int triad_transport_choose(triad_transport *out, const char *word, const triad_context *context,
                           const triad_device *device)
{
  neighbourhood n = {0};
  int st = inspect(&n, context, device);
  if (st == TRIAD_OK) st = choose(out, word, &n);
  return triad_agree(&context->comm, st);
}

int triad_transport_meets(int *meets, const triad_context *context, const triad_device *device)
{
  neighbourhood n = {0};
  int st = triad_agree(&context->comm, inspect(&n, context, device));
  *meets = IPC_BUILT && n.one_node && n.can_map && n.sharing == 0;
  return st;
}

int triad_transport_list(const triad_context *context, const triad_device *device, const char **names, int *n)
{
  neighbourhood beside = {0};
  *n = 0;
  TRIAD_TRY(triad_agree(&context->comm, inspect(&beside, context, device)));
  if (NCCL_BUILT && beside.sharing == 0) names[(*n)++] = names_of[TRIAD_TRANSPORT_NCCL];
  if (IPC_BUILT && beside.one_node && beside.can_map) {
    names[(*n)++] = names_of[TRIAD_TRANSPORT_PUT];
    names[(*n)++] = names_of[TRIAD_TRANSPORT_IPC];
  }
  names[(*n)++] = names_of[TRIAD_TRANSPORT_STAGED];
  if (mpi_takes_device_memory()) names[(*n)++] = names_of[TRIAD_TRANSPORT_CUDA_MPI];
  return TRIAD_OK;
}
