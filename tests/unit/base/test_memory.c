/* The memory ledger: what it hands out, what it refuses, what it counts.   ranks: 1 */
#include "test.h"

#include "base/memory.h"

static triad_memory *fresh(void)
{
  triad_memory *memory = NULL;
  TRIAD_CHECK(triad_memory_create(&memory));
  return memory;
}

TRIAD_TEST(memory_is_zeroed_and_aligned)
{
  triad_memory *memory = fresh();
  const int64_t counts[] = {1, 7, 63, 64, 65, 4097, 2 << 20, (8 << 20) + 1};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    unsigned char *p = NULL;
    TRIAD_CHECK(TRIAD_ALLOC(memory, "bytes", counts[i], &p));
    /* dirty what will be handed out again */
    int64_t dirty = 0;
    for (int64_t b = 0; b < counts[i]; b++) dirty += p[b] != 0;
    TRIAD_EQUAL(dirty, 0, "bytes that are not zero");
    TRIAD_EQUAL((uintptr_t)p % 64, 0, "address modulo a cache line");
    if (counts[i] >= 8 << 20) TRIAD_EQUAL((uintptr_t)p % (2 << 20), 0, "address of a large piece modulo a huge page");
    memset(p, 0xff, (size_t)counts[i]);
    TRIAD_FREE(memory, &p);
    TRIAD_HOLDS(p == NULL, "a pointer given back");
  }
  triad_memory_destroy(&memory);
}

/* Else pinning one would pin, and letting it go let go, part of another. */
TRIAD_TEST(large_pieces_share_no_page_with_others)
{
  enum { PIECES = 40, PAGE = 4096 };
  triad_memory *memory = fresh();
  char *piece[PIECES];
  int64_t count[PIECES];
  for (int i = 0; i < PIECES; i++) {
    count[i] = i % 2 ? 1 + triad_test_below(3, (uint64_t)i, PAGE)
                     : TRIAD_MEMORY_OWN_PAGES + triad_test_below(3, (uint64_t)i, 16 * PAGE);
    TRIAD_CHECK(TRIAD_ALLOC(memory, "a piece", count[i], &piece[i]));
  }
  for (int i = 0; i < PIECES; i += 2) {
    uintptr_t first = (uintptr_t)piece[i] / PAGE, last = ((uintptr_t)piece[i] + (uintptr_t)count[i] - 1) / PAGE;
    for (int k = 0; k < PIECES; k++) {
      uintptr_t begin = (uintptr_t)piece[k] / PAGE, end = ((uintptr_t)piece[k] + (uintptr_t)count[k] - 1) / PAGE;
      TRIAD_HOLDS(k == i || end < first || begin > last, "pages of a large piece are its own");
    }
  }
  for (int i = 0; i < PIECES; i++) TRIAD_FREE(memory, &piece[i]);
  triad_memory_destroy(&memory);
}

TRIAD_TEST(ledger_balances_in_any_order_of_return)
{
  enum { PIECES = 200 };
  triad_memory *memory = fresh();
  double *piece[PIECES];
  int64_t count[PIECES], held = 0;
  for (int i = 0; i < PIECES; i++) {
    count[i] = 1 + triad_test_below(1, (uint64_t)i, 1000);
    TRIAD_CHECK(TRIAD_ALLOC(memory, "a piece", count[i], &piece[i]));
    held += count[i] * (int64_t)sizeof(double);
    piece[i][count[i] - 1] = i;
  }
  TRIAD_EQUAL(triad_memory_held(memory), held, "bytes held");
  for (int i = PIECES - 1; i > 0; i--) { /* Fisher and Yates */
    int64_t j = triad_test_below(2, (uint64_t)i, i + 1);
    double *p = piece[i];
    int64_t c = count[i];
    piece[i] = piece[j], count[i] = count[j];
    piece[j] = p, count[j] = c;
  }
  for (int i = 0; i < PIECES; i++) {
    held -= count[i] * (int64_t)sizeof(double);
    TRIAD_FREE(memory, &piece[i]);
    TRIAD_EQUAL(triad_memory_held(memory), held, "bytes held after a return");
  }
  triad_memory_destroy(&memory);
}

TRIAD_TEST(nothing_can_be_taken_and_given_back)
{
  triad_memory *memory = fresh();
  double *p = NULL;
  TRIAD_CHECK(TRIAD_ALLOC(memory, "nothing", 0, &p));
  TRIAD_HOLDS(p != NULL, "a rank without planes needs a valid pointer too");
  TRIAD_EQUAL(triad_memory_held(memory), 0, "bytes held");
  TRIAD_FREE(memory, &p);
  TRIAD_FREE(memory, &p); /* NULL by now */
  triad_memory_free(memory, NULL);
  triad_memory_destroy(&memory);
}

TRIAD_TEST(what_no_machine_has_is_refused_with_owner_and_size)
{
  triad_memory *memory = fresh();
  double *p = NULL;
  TRIAD_FAILS(TRIAD_ALLOC(memory, "work columns", INT64_MAX, &p), TRIAD_ERR_MEMORY, "work columns");
  TRIAD_FAILS(TRIAD_ALLOC(memory, "work columns", INT64_MAX / 8 + 1, &p), TRIAD_ERR_MEMORY, "8 bytes");
  TRIAD_FAILS(TRIAD_ALLOC(memory, "work columns", INT64_C(1) << 56, &p), TRIAD_ERR_MEMORY, "5.76e+11 MB");
  TRIAD_FAILS(TRIAD_ALLOC(memory, "work columns", -1, &p), TRIAD_ERR_MEMORY, "-1");
  TRIAD_HOLDS(p == NULL, "after a refusal");
  TRIAD_EQUAL(triad_memory_held(memory), 0, "bytes held after refusals");
  triad_memory_destroy(&memory);
}

TRIAD_TEST(destroy_frees_what_was_not_given_back)
{
  triad_memory *memory = fresh();
  char *p = NULL;
  TRIAD_CHECK(TRIAD_ALLOC(memory, "left over", 1 << 16, &p)); /* the leak checker of SANITIZE=1 looks */
  triad_memory_destroy(&memory);
  TRIAD_HOLDS(memory == NULL, "after destroy");
  triad_memory_destroy(&memory);
}

TRIAD_MAIN
