/* A text of rank 0 on all ranks (parallel/share_text.h).   ranks: 1 3 */
#include "test.h"

#include "parallel/share_text.h"

#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *text, size_t bytes)
{
  char *copy = calloc(bytes + 1, 1);
  memcpy(copy, text, bytes);
  return copy;
}

/* Ranks above 0 have another text, or none. */
TRIAD_TEST(all_ranks_get_the_text_of_rank_0)
{
  const triad_comm *comm = triad_test_comm();
  for (int some = 0; some < 2; some++) {
    char *text = comm->rank == 0 ? copy_of("wing", 4) : some ? copy_of("another text", 12) : NULL;
    TRIAD_CHECK(triad_comm_share_text(comm, &text, NULL));
    TRIAD_HOLDS(text && strcmp(text, "wing") == 0, "\"%s\" is not the text of rank 0", text ? text : "");
    free(text);
  }
}

TRIAD_TEST(a_text_with_zeros_in_it_keeps_its_length)
{
  const triad_comm *comm = triad_test_comm();
  const char bytes[6] = {'a', 0, 'b', 0, 0, 'c'};
  int64_t length = comm->rank == 0 ? 6 : 100;
  char *text = comm->rank == 0 ? copy_of(bytes, 6) : NULL;
  TRIAD_CHECK(triad_comm_share_text(comm, &text, &length));
  TRIAD_HOLDS(length == 6 && text && memcmp(text, bytes, 6) == 0 && text[6] == 0, "other bytes");
  free(text);
}

TRIAD_TEST(an_empty_text_is_a_text_and_none_is_none)
{
  const triad_comm *comm = triad_test_comm();
  char *text = comm->rank == 0 ? copy_of("", 0) : NULL, *none = comm->rank == 0 ? NULL : copy_of("mine", 4);
  TRIAD_CHECK(triad_comm_share_text(comm, &text, NULL));
  TRIAD_HOLDS(text && *text == 0, "no empty text");
  TRIAD_CHECK(triad_comm_share_text(comm, &none, NULL));
  TRIAD_HOLDS(comm->rank == 0 ? !none : none && strcmp(none, "mine") == 0, "a text where rank 0 has none");
  free(text);
  free(none);
}

TRIAD_MAIN
