/* Assign GPUs to the ranks of a node: a separate GPU for each if possible, near the rank's cores, otherwise equal
 * shares. */
#include "parallel/host/gpus.h"

#include <stdlib.h>
#include <string.h>

/* Ranks before r that have taken the GPU. */
static int users(int r, const char *bus, const triad_gpu_offer (*offers)[TRIAD_GPUS_MAX], const int *choice)
{
  int n = 0;
  for (int i = 0; i < r; i++) n += choice[i] >= 0 && strcmp(offers[i][choice[i]].bus, bus) == 0;
  return n;
}

void triad_gpus_deal(int ranks, const int32_t *count, const triad_gpu_offer (*offers)[TRIAD_GPUS_MAX], int *choice)
{
  for (int r = 0; r < ranks; r++) {
    int best = 0;
    choice[r] = -1;
    for (int i = 0; i < count[r]; i++) {
      int cost = 2 * users(r, offers[r][i].bus, offers, choice) + !offers[r][i].near;
      if (choice[r] >= 0 && cost >= best) continue;
      /* users() looks at ranks before r only, so choice[r] may be set while it is searched */
      choice[r] = i;
      best = cost;
    }
  }
}

typedef struct offers {
  int32_t count;
  triad_gpu_offer list[TRIAD_GPUS_MAX];
} offers;

static void list_gpus(offers *mine, const triad_binding *binding)
{
  char name[256];
  int count = triad_device_count();
  memset(mine, 0, sizeof *mine);
  for (int i = 0; i < count && i < TRIAD_GPUS_MAX; i++) {
    triad_gpu_offer *o = &mine->list[i];
    if (!triad_device_describe(i, name, o->bus)) break;
    o->near = !binding || triad_binding_near(binding, o->bus);
    mine->count++;
  }
}

static int deal(int *number, int *sharers, int rank, int size, const offers *all)
{
  int32_t *count = calloc((size_t)size, sizeof *count);
  triad_gpu_offer(*list)[TRIAD_GPUS_MAX] = calloc((size_t)size, sizeof *list);
  int *choice = calloc((size_t)size, sizeof *choice);
  int st = count && list && choice ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the GPUs of %d ranks", size);
  if (st == TRIAD_OK) {
    for (int r = 0; r < size; r++) {
      count[r] = all[r].count;
      memcpy(list[r], all[r].list, sizeof list[r]);
    }
    triad_gpus_deal(size, count, (const triad_gpu_offer(*)[TRIAD_GPUS_MAX])list, choice);
    *number = choice[rank];
    *sharers = 0;
    if (*number >= 0)
      *sharers = users(size, list[rank][choice[rank]].bus, (const triad_gpu_offer(*)[TRIAD_GPUS_MAX])list, choice);
  }
  free(count);
  free(list);
  free(choice);
  return st;
}

static int choose(int *number, int *sharers, MPI_Comm node, int world_rank, const triad_binding *binding)
{
  triad_comm beside = {node, 0, 1};
  int rank = 0;
  const int size = (int)sizeof(offers);
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_rank(node, &rank)));
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_size(node, &beside.size)));
  beside.rank = world_rank; /* named by its rank in the run if it fails */
  offers *all = calloc((size_t)beside.size + 1, sizeof *all);
  int st = triad_agree(&beside, all ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the GPUs of %d ranks", beside.size));
  if (st == TRIAD_OK) {
    offers *mine = all + beside.size;
    list_gpus(mine, binding);
    st = TRIAD_MPI(MPI_Allgather(mine, size, MPI_BYTE, all, size, MPI_BYTE, node));
    if (st == TRIAD_OK) st = deal(number, sharers, rank, beside.size, all);
  }
  free(all);
  return st;
}

int triad_gpus_choose(int *number, int *sharers, const triad_comm *comm, const triad_binding *binding)
{
  MPI_Comm node = MPI_COMM_NULL;
  *number = -1;
  *sharers = 0;
  int st = TRIAD_MPI(MPI_Comm_split_type(comm->mpi, MPI_COMM_TYPE_SHARED, comm->rank, MPI_INFO_NULL, &node));
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN));
  if (st == TRIAD_OK) st = choose(number, sharers, node, comm->rank, binding);
  if (node != MPI_COMM_NULL) (void)MPI_Comm_free(&node);
  return triad_agree(comm, st);
}

/* Set by a caller that starts several runs at a time; read before optional memory is allocated. */
static int64_t share;

void triad_gpus_set_share(int64_t bytes) { share = bytes; }
int64_t triad_gpus_share(void) { return share; }
