/* Works that take turns in one thread (parallel/fibers.h): their order, what each keeps to itself, and how they end.
 * ranks: 1   threads: 2 quick: 1 */
#include "test.h"

#include "parallel/fibers.h"

#include <omp.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum { WORKS = 3, STEPS = 4 };

typedef struct notes {
  int n, number[WORKS * STEPS + 20], rounds;
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
  for (int i = 0; i < WORKS; i++)
    TRIAD_HOLDS(all.sum[i] == expected, "work %d: %.17g, not %.17g", i, all.sum[i], expected);
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
  TRIAD_EQUAL(triad_fibers_run(TRIAD_FIBERS_MAX + 1, nest, NULL, seen), TRIAD_ERR_INTERNAL, "too many");
  triad_message_clear();
}

/* ---- what a work waits for ---- */

static int counts_down(void *self) { return --*(int *)self <= 0; }

static int wait_and_note(void *self, int number)
{
  notes *all = self;
  int left = 2 * number;
  triad_fibers_wait(counts_down, &left);
  all->number[all->n++] = number;
  return left;
}

TRIAD_TEST(a_work_that_waits_is_asked_once_a_round_and_has_no_turn)
{
  notes all = {0};
  TRIAD_CHECK(triad_fibers_run(WORKS, wait_and_note, count, &all));
  /* 0 is ready in the round after the first, 1 when it is asked the second time, 2 the fourth */
  for (int i = 0; i < WORKS; i++) TRIAD_EQUAL(all.number[i], i, "the order in which they are ready");
  TRIAD_EQUAL(all.rounds, 1 + 4, "rounds");
  triad_fibers_wait(counts_down, NULL); /* outside of works nothing is asked */
}

/* A call that waits for what another work does only after it has been given. */
typedef struct pipes {
  int end[2], sent;
  pthread_t caller[2];
} pipes;

static void hear(void *self)
{
  pipes *p = self;
  char byte = 0;
  p->caller[1] = pthread_self();
  if (read(p->end[0], &byte, 1) != 1 || byte != 'x') p->sent = -1;
}

static int hear_and_say(void *self, int number)
{
  pipes *p = self;
  p->caller[0] = pthread_self();
  if (number == 0) triad_fibers_aside(hear, p);
  else p->sent = write(p->end[1], "x", 1) == 1;
  return p->sent == 1 ? TRIAD_OK : TRIAD_ERR_IO;
}

TRIAD_TEST(while_the_system_makes_one_wait_the_others_go_on)
{
  pipes p = {.sent = 0};
  TRIAD_EQUAL(pipe(p.end), 0, "pipe");
  TRIAD_CHECK(triad_fibers_run(2, hear_and_say, NULL, &p));
  TRIAD_HOLDS(!pthread_equal(p.caller[0], p.caller[1]), "another thread has called");
  /* outside of works there is nobody who could go on */
  TRIAD_EQUAL(write(p.end[1], "x", 1), 1, "write");
  triad_fibers_aside(hear, &p);
  TRIAD_HOLDS(pthread_equal(p.caller[0], p.caller[1]), "the caller itself has called");
  TRIAD_EQUAL(p.sent, 1, "heard");
  for (int i = 0; i < 2; i++) (void)close(p.end[i]);
}

enum { CALLERS = 20 /* more than there are threads */, CALLS_EACH = 3 };

static void nap(void *self)
{
  const struct timespec pause = {0, 20 * 1000 * 1000};
  (void)nanosleep(&pause, NULL);
  ++*(int *)self;
}

static int nap_often(void *self, int number)
{
  notes *all = self;
  int naps = 0;
  for (int i = 0; i < CALLS_EACH; i++) {
    triad_fibers_aside(nap, &naps);
    if (naps != i + 1) return TRIAD_ERR_INTERNAL;
  }
  all->number[number] = naps;
  return TRIAD_OK;
}

TRIAD_TEST(where_all_wait_for_the_system_nobody_asks_again_and_again)
{
  notes all = {0};
  TRIAD_CHECK(triad_fibers_run(CALLERS, nap_often, count, &all));
  for (int i = 0; i < CALLERS; i++) TRIAD_EQUAL(all.number[i], CALLS_EACH, "calls");
  /* each round but the first two begins because a call has ended, or follows such a one, whose turns might have left
   * more to do */
  TRIAD_HOLDS(all.rounds <= 2 * CALLERS * CALLS_EACH + 2, "%d rounds for %d calls", all.rounds, CALLERS * CALLS_EACH);
}
TRIAD_MAIN
