/* How GPUs are dealt to the ranks of a node: each its own while there are enough, near its cores, shared evenly after.
 *   ranks: 1 2 */
#include "test.h"

#include "parallel/host/gpus.h"

enum { MOST = 16 };

typedef triad_gpu_offer offers[MOST][TRIAD_GPUS_MAX];

static void offer(triad_gpu_offer *o, const char *bus, int is_near)
{
  memset(o, 0, sizeof *o);
  (void)snprintf(o->bus, sizeof o->bus, "%s", bus);
  o->near = is_near;
}

/* Every rank sees `gpus` of them; rank r sits beside those of number g with r * gpus / ranks == g where `split`. */
static void all_see(offers list, int32_t *count, int ranks, int gpus, int split)
{
  for (int r = 0; r < ranks; r++) {
    count[r] = gpus;
    for (int g = 0; g < gpus; g++) {
      char bus[TRIAD_DEVICE_BUS];
      (void)snprintf(bus, sizeof bus, "0000:%02x:00.0", 0x10 + g);
      offer(&list[r][g], bus, !split || r * gpus / ranks == g);
    }
  }
}

TRIAD_TEST(each_rank_has_its_own_while_there_are_enough)
{
  offers list;
  int32_t count[MOST];
  int choice[MOST];
  for (int ranks = 1; ranks <= 8; ranks++)
    for (int gpus = ranks; gpus <= 8; gpus++) {
      int used[8] = {0};
      all_see(list, count, ranks, gpus, 0);
      triad_gpus_deal(ranks, count, (const triad_gpu_offer(*)[TRIAD_GPUS_MAX])list, choice);
      for (int r = 0; r < ranks; r++) TRIAD_EQUAL(used[choice[r]]++, 0, "ranks before on the same GPU");
    }
}

TRIAD_TEST(too_many_ranks_share_evenly)
{
  offers list;
  int32_t count[MOST];
  int choice[MOST], used[3] = {0};
  all_see(list, count, 8, 3, 0);
  triad_gpus_deal(8, count, (const triad_gpu_offer(*)[TRIAD_GPUS_MAX])list, choice);
  for (int r = 0; r < 8; r++) used[choice[r]]++;
  for (int g = 0; g < 3; g++) TRIAD_HOLDS(used[g] == 2 || used[g] == 3, "8 ranks on 3 GPUs: 2 or 3 on each");
}

TRIAD_TEST(a_gpu_near_the_cores_is_preferred)
{
  offers list;
  int32_t count[MOST];
  int choice[MOST];
  all_see(list, count, 4, 4, 1);
  for (int r = 0; r < 4; r++) /* rank r sits beside GPU 3 - r */
    for (int g = 0; g < 4; g++) list[r][g].near = g == 3 - r;
  triad_gpus_deal(4, count, (const triad_gpu_offer(*)[TRIAD_GPUS_MAX])list, choice);
  for (int r = 0; r < 4; r++) TRIAD_EQUAL(choice[r], 3 - r, "the GPU beside the rank");
}

TRIAD_TEST(numbers_of_a_process_do_not_matter_but_addresses_do)
{
  offers list;
  int32_t count[MOST] = {1, 1, 2, 0};
  int choice[MOST];
  /* a launcher that shows each rank one GPU calls each of them number 0 */
  offer(&list[0][0], "0000:17:00.0", 1);
  offer(&list[1][0], "0000:65:00.0", 1);
  offer(&list[2][0], "0000:17:00.0", 1);
  offer(&list[2][1], "0000:ca:00.0", 0);
  triad_gpus_deal(4, count, (const triad_gpu_offer(*)[TRIAD_GPUS_MAX])list, choice);
  TRIAD_EQUAL(choice[0], 0, "choice of rank 0");
  TRIAD_EQUAL(choice[1], 0, "choice of rank 1");
  TRIAD_EQUAL(choice[2], 1, "choice of rank 2"); /* far, but nobody's */
  TRIAD_EQUAL(choice[3], -1, "choice of rank 3");
}

TRIAD_TEST(without_a_gpu_none_is_chosen)
{
  int number = 0, sharers = 0;
  if (triad_device_count() > 0) TRIAD_SKIP("there is a GPU here");
  TRIAD_CHECK(triad_gpus_choose(&number, &sharers, &triad_test_context()->comm, NULL));
  TRIAD_EQUAL(number, -1, "GPU of a rank that sees none");
  TRIAD_EQUAL(sharers, 0, "ranks that share it");
}

TRIAD_MAIN
