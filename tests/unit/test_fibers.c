/* Works that take turns in one thread (parallel/fibers.h): their order, what each keeps to itself, and how they end.
 * ranks: 1   threads: 2 */
#include "test.h"

#include "parallel/fibers.h"

#include <omp.h>
#include <pthread.h>

enum { WORKS = 3, STEPS = 4 };

typedef struct notes {
  int n, number[WORKS * STEPS + 8], rounds;
  double sum[WORKS];
} notes;

static void count(void *self) { ((notes *)self)->rounds++; }

static int note_steps(void *self, int number)
{
  notes *all = self;
  for (int step = 0; step < STEPS - number; step++) {
    all->number[all->n++] = number;
    triad_fibers_yield();
  }
  return TRIAD_OK;
}

TRIAD_TEST(works_take_turns_until_each_has_ended)
{
  /* 4, 3 and 2 steps; the last round is that in which the longest returns */
  static const int expected[] = {0, 1, 2, 0, 1, 2, 0, 1, 0};
  notes all = {0};
  TRIAD_CHECK(triad_fibers_run(WORKS, note_steps, count, &all));
  TRIAD_EQUAL(all.n, 9, "steps");
  for (int i = 0; i < 9; i++) TRIAD_HOLDS(all.number[i] == expected[i], "step %d is of work %d", i, all.number[i]);
  TRIAD_EQUAL(all.rounds, STEPS + 1, "rounds");
}

static int fail_alone(void *self, int number)
{
  const char *const *text = self;
  int st = number == 1 ? TRIAD_OK : TRIAD_FAIL(number == 0 ? TRIAD_ERR_MEMORY : TRIAD_ERR_IO, "%s", text[number]);
  triad_fibers_yield();
  triad_fibers_yield();
  const char *kept = strstr(triad_message(), text[number]);
  if ((kept != NULL) != (number != 1) || (number == 1 && *triad_message())) return TRIAD_ERR_BLOWUP;
  triad_message_clear();
  return st;
}

TRIAD_TEST(each_keeps_its_own_message_and_the_worst_status_is_that_of_all)
{
  const char *text[WORKS] = {"the first went wrong", "nothing", "the third went wrong"};
  TRIAD_EQUAL(triad_fibers_run(WORKS, fail_alone, NULL, text), TRIAD_ERR_IO, "status");
  TRIAD_HOLDS(*triad_message() == '\0', "no message is left: %s", triad_message());
}

/* sum of 1/i over 1 MB of numbers on the work's own stack, with threads of its own, and turns in between */
static double harmonic(void)
{
  enum { N = 1 << 17 };
  volatile double x[N];
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < N; i++) x[i] = 1.0 / (i + 1);
  triad_fibers_yield();
  for (int i = 0; i < N; i++) sum += x[i];
  return sum;
}

static int add_up(void *self, int number)
{
  ((notes *)self)->sum[number] = harmonic();
  return TRIAD_OK;
}

TRIAD_TEST(stacks_are_apart_and_threads_serve_each)
{
  notes all = {0};
  double expected = harmonic();
  TRIAD_CHECK(triad_fibers_run(WORKS, add_up, NULL, &all));
  for (int i = 0; i < WORKS; i++) TRIAD_HOLDS(all.sum[i] == expected, "work %d: %.17g, not %.17g", i, all.sum[i], expected);
}

static void *elsewhere(void *self)
{
  *(int *)self = triad_fibers_inside();
  triad_fibers_yield();
  return NULL;
}

static int nest(void *self, int number)
{
  int *seen = self;
  pthread_t thread;
  (void)number;
  seen[0] = triad_fibers_inside();
  seen[1] = triad_fibers_run(1, nest, NULL, self);
  triad_message_clear();
  if (pthread_create(&thread, NULL, elsewhere, &seen[2]) != 0) return TRIAD_ERR_INTERNAL;
  (void)pthread_join(thread, NULL);
  return TRIAD_OK;
}

TRIAD_TEST(works_have_no_works_of_their_own_and_other_threads_none)
{
  int seen[3] = {0, 0, 1};
  triad_fibers_yield();
  TRIAD_EQUAL(triad_fibers_inside(), 0, "outside");
  TRIAD_CHECK(triad_fibers_run(1, nest, NULL, seen));
  TRIAD_EQUAL(seen[0], 1, "inside");
  TRIAD_EQUAL(seen[1], TRIAD_ERR_INTERNAL, "within a work");
  TRIAD_EQUAL(seen[2], 0, "on another thread");
  TRIAD_EQUAL(triad_fibers_inside(), 0, "outside again");
  TRIAD_EQUAL(triad_fibers_run(TRIAD_FIBERS_MOST + 1, nest, NULL, seen), TRIAD_ERR_INTERNAL, "too many");
  triad_message_clear();
}
TRIAD_MAIN
