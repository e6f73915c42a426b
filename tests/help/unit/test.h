/* Property tests of MPI programs, on top of cmocka. A test file reads
 *
 *   // What is tested.  ranks: 1 2 3   threads: 1 2   precision: both        (its first comment, a C comment)
 *   #include "test.h"
 *   TRIAD_TEST(parseval_holds)
 *   {
 *     TRIAD_CHECK(triad_forward(pass, layout, 1, u, uk));
 *     TRIAD_NEAR(sum_modes(uk), mean_square(u), 1e-13, "mean |u|^2 = sum |uk|^2");
 *   }
 *   TRIAD_MAIN
 *
 * tests/help/unit_programs.py launches the program on each count of ranks and threads that the comment names (default
 * 1; also `timeout:` in seconds, default 120) and, with `precision: both`, a second program compiled with TRIAD_SINGLE.
 * Tests run in the order of the file, each on every rank; one that fails on any rank has failed. Comparisons note what
 * they find and go on, so that the ranks stay together; TRIAD_CHECK and cmocka's own assert_* leave the test at once.
 * When one rank leaves alone and the others cannot finish the test without it, the program is ended after a while. */
#ifndef TRIAD_TESTS_UNIT_TEST_H
#define TRIAD_TESTS_UNIT_TEST_H

#include "base/precision.h"
#include "base/status.h"
#include "parallel/context.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#define TRIAD_TEST_LEAKS() __lsan_do_recoverable_leak_check()
#else
#define TRIAD_TEST_LEAKS() 0
#endif

enum { TRIAD_TEST_ROOM = 256, TRIAD_TEST_LINES = 10 };

/* May a column of the series of a flow in motion be empty? Only those that the flow's viscosity or dimensions give no
 * meaning. */
static inline int test_may_be_empty(const char *column) { return strcmp(column, "kmax_eta") == 0; }

/* How the running test stands on this rank. */
typedef struct triad_test_state {
  triad_context *context;
  MPI_Comm verdicts; /* apart from the tests' own messages, which may be left half-way */
  uint64_t seed;
  const char *name;
  int failures, skips, agreed;
  int failed_tests; /* on any rank: the same on all */
  size_t count;
  struct CMUnitTest tests[TRIAD_TEST_ROOM];
} triad_test_state;
static triad_test_state triad_test_now;

/* The ranks and threads that tests run on, and this rank's ledger. */
static inline const triad_context *triad_test_context(void) { return triad_test_now.context; }
static inline const triad_comm *triad_test_comm(void) { return &triad_test_now.context->comm; }

/* Note one failure; a test that fails everywhere prints its first lines only. */
__attribute__((format(printf, 3, 4))) static inline void triad_test_fail(const char *file, int line, const char *format,
                                                                         ...)
{
  triad_test_state *now = &triad_test_now;
  if (now->failures++ >= TRIAD_TEST_LINES) return;
  char text[1024];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  /* one call, so that lines of several ranks do not mix */
  (void)fprintf(stderr, "%s:%d: %s: rank %d of %d: %s\n", file, line, now->name, triad_test_comm()->rank,
                triad_test_comm()->size, text);
  (void)fflush(stderr);
}

/* The call must return TRIAD_OK; leaves the test otherwise. */
#define TRIAD_CHECK(call) triad_test_check((call), #call, __FILE__, __LINE__)
static inline void triad_test_check(int status, const char *call, const char *file, int line)
{
  if (status == TRIAD_OK) return;
  const char *why = triad_message();
  triad_test_fail(file, line, "%s returned %d%s%s", call, status, *why ? ": " : "", why);
  triad_message_clear();
  _fail(file, line);
}

/* The call must return `code`, and say `part` somewhere in its message ("" for any; triad_agree leaves the message on
 * the rank that failed only, so ask for text only of calls that are not collective). The message is cleared. */
#define TRIAD_FAILS(call, code, part) triad_test_fails((call), (code), (part), #call, __FILE__, __LINE__)
static inline void triad_test_fails(int status, int code, const char *part, const char *call, const char *file,
                                    int line)
{
  if (status != code) triad_test_fail(file, line, "%s returned %d, expected %d", call, status, code);
  else if (!strstr(triad_message(), part))
    triad_test_fail(file, line, "%s said \"%s\", expected it to name \"%s\"", call, triad_message(), part);
  triad_message_clear();
}

/* |value - expected| <= tolerance |expected|: relative, so expected = 0 asks for 0. NaN is never near. */
#define TRIAD_NEAR(value, expected, tolerance, what) \
  triad_test_near((double)(value), (double)(expected), (double)(tolerance), 1, (what), __FILE__, __LINE__)

/* |value - expected| <= tolerance: absolute. */
#define TRIAD_WITHIN(value, expected, tolerance, what) \
  triad_test_near((double)(value), (double)(expected), (double)(tolerance), 0, (what), __FILE__, __LINE__)

static inline void triad_test_near(double value, double expected, double tolerance, int relative, const char *what,
                                   const char *file, int line)
{
  /* fabs() <= 0 is equality that does not trip -Wfloat-equal; it holds for infinities only through the first test */
  if ((value >= expected && value <= expected) || fabs(value - expected) <= tolerance * (relative ? fabs(expected) : 1))
    return;
  double difference = relative ? fabs(value - expected) / fabs(expected) : fabs(value - expected);
  triad_test_fail(file, line, "%s: %.17g, expected %.17g, %s difference %.3g, tolerance %.3g", what, value, expected,
                  relative ? "relative" : "absolute", difference, tolerance);
}

/* Two integers are equal. */
#define TRIAD_EQUAL(value, expected, what) \
  triad_test_equal((int64_t)(value), (int64_t)(expected), (what), __FILE__, __LINE__)
static inline void triad_test_equal(int64_t value, int64_t expected, const char *what, const char *file, int line)
{
  if (value != expected) triad_test_fail(file, line, "%s: %" PRId64 ", expected %" PRId64, what, value, expected);
}

/* The condition holds; what follows is a printf format that says more, numbers included. */
#define TRIAD_HOLDS(condition, ...) \
  do { \
    if (!(condition)) triad_test_fail(__FILE__, __LINE__, #condition " does not hold: " __VA_ARGS__); \
  } while (0)

/* Leave a test that cannot run here, and say why; on all ranks or none. It counts as skipped, never as passed. */
#define TRIAD_SKIP(...) \
  do { \
    triad_test_skip(__VA_ARGS__); \
    _skip(__FILE__, __LINE__); \
  } while (0)
__attribute__((format(printf, 1, 2))) static inline void triad_test_skip(const char *format, ...)
{
  triad_test_now.skips = 1;
  if (triad_test_comm()->rank != 0) return;
  char text[512];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  (void)printf("SKIP %s: %s\n", triad_test_now.name, text);
}

/* Random bits and numbers that depend on the program's seed and on (stream, i) only, so that every rank can make any
 * of them. splitmix64's finaliser (Steele, Lea, Flood 2014, OOPSLA) over a counter. The seed is printed at the start;
 * TRIAD_TEST_SEED in the environment sets it. */
static inline uint64_t triad_test_bits(uint64_t stream, uint64_t i)
{
  uint64_t z = triad_test_now.seed;
  for (int round = 0; round < 3; round++) {
    z += UINT64_C(0x9e3779b97f4a7c15) + (round == 0 ? stream : round == 1 ? i : 0);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
  }
  return z;
}

/* Uniform in [-1, 1). */
static inline double triad_test_random(uint64_t stream, uint64_t i)
{
  return (double)(triad_test_bits(stream, i) >> 11) * 0x1p-52 - 1;
}

/* Uniform among 0 .. n - 1 (to n / 2^64). */
static inline int64_t triad_test_below(uint64_t stream, uint64_t i, int64_t n)
{
  return (int64_t)(triad_test_bits(stream, i) % (uint64_t)n);
}

/* ---- how tests are registered and run ---- */

#define TRIAD_TEST(name) \
  static void triad_test_body_##name(void); \
  static void name(void **state) \
  { \
    (void)state; \
    triad_test_run(triad_test_body_##name, #name); \
  } \
  __attribute__((constructor)) static void triad_test_register_##name(void) \
  { \
    triad_test_register((struct CMUnitTest){#name, name, NULL, triad_test_end, NULL}); \
  } \
  static void triad_test_body_##name(void)

/* How long a rank that left a test alone waits for the others [s]. */
static inline int64_t triad_test_patience(void)
{
  const char *given = getenv("TRIAD_TEST_PATIENCE");
  return given && *given ? strtoll(given, NULL, 10) : 20;
}

/* The verdict of all ranks: [0] failures of the worst, [1] did any skip, [2] did any not skip. A rank that left its
 * test alone waits here for others that may be stuck in a message it will never send: it waits in bounded time. */
static inline void triad_test_agree(int left, int verdict[3])
{
  triad_test_state *now = &triad_test_now;
  int mine[3] = {now->failures, now->skips, !now->skips};
  MPI_Request request;
  int done = 0;
  now->agreed = 1;
  (void)MPI_Iallreduce(mine, verdict, 3, MPI_INT, MPI_MAX, now->verdicts, &request);
  for (int64_t millisecond = 0; !done; millisecond++) {
    (void)MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) break;
    if (left && millisecond > 1000 * triad_test_patience()) {
      (void)fprintf(stderr, "%s: rank %d left this test and others do not come to its end without it: giving up\n",
                    now->name, triad_test_comm()->rank);
      (void)MPI_Abort(MPI_COMM_WORLD, 1);
    }
    (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
  if (verdict[1] && verdict[2]) {
    if (triad_test_comm()->rank == 0) (void)fprintf(stderr, "%s: skipped on some ranks only\n", now->name);
    if (verdict[0] == 0) verdict[0] = 1;
  }
  if (verdict[0]) now->failed_tests++;
}

/* Runs a body, then shares the verdict; rank 0 speaks for all, so that a test appears once. */
static inline void triad_test_run(void (*body)(void), const char *name)
{
  triad_test_state *now = &triad_test_now;
  now->name = name;
  now->failures = now->skips = now->agreed = 0;
  triad_message_clear();
  body();
  int verdict[3];
  triad_test_agree(0, verdict);
  if (verdict[0] && triad_test_comm()->rank == 0) fail();
}

/* cmocka comes here after each test, also after one that was left half-way. */
static inline int triad_test_end(void **state)
{
  (void)state;
  triad_test_state *now = &triad_test_now;
  if (now->agreed) return 0;
  if (!now->skips && now->failures == 0) now->failures = 1; /* one of cmocka's own asserts, which it prints itself */
  int verdict[3];
  triad_test_agree(1, verdict);
  return now->skips && verdict[0] ? -1 : 0;
}

static inline void triad_test_register(struct CMUnitTest test)
{
  if (triad_test_now.count == TRIAD_TEST_ROOM) {
    (void)fprintf(stderr, "tests/help/unit/test.h: more than %d tests in one file\n", (int)TRIAD_TEST_ROOM);
    abort();
  }
  triad_test_now.tests[triad_test_now.count++] = test;
}

static inline int triad_test_main(int argc, char **argv, const char *file)
{
  triad_test_state *now = &triad_test_now;
  int level;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) return 1;
  if (triad_context_create(&now->context, MPI_COMM_WORLD, 0) != TRIAD_OK ||
      MPI_Comm_dup(MPI_COMM_WORLD, &now->verdicts) != MPI_SUCCESS) {
    (void)MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
  }
  const char *seed = getenv("TRIAD_TEST_SEED");
  now->seed = seed && *seed ? strtoull(seed, NULL, 0) : 1;
  if (now->context->comm.rank == 0)
    (void)printf("%s: %d ranks x %d threads, %s, TRIAD_TEST_SEED=%" PRIu64 "\n", file, now->context->comm.size,
                 now->context->threads, TRIAD_PRECISION_NAME, now->seed);
  else if (!freopen("/dev/null", "w", stdout)) /* cmocka's "OK" once, not once a rank; stderr stays */
    (void)fprintf(stderr, "cannot silence rank %d\n", now->context->comm.rank);
  (void)fflush(stdout);
  /* cmocka's macro wants an array whose length the compiler knows */
  int failed = _cmocka_run_group_tests(file, now->tests, now->count, NULL, NULL);
  triad_context_destroy(&now->context);
  int mine = failed > 0 || now->failed_tests > 0 || now->count == 0 || TRIAD_TEST_LEAKS(), any = 1;
  (void)MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, now->verdicts);
  (void)MPI_Comm_free(&now->verdicts);
  (void)MPI_Finalize();
  return any;
}

#define TRIAD_MAIN \
  int main(int argc, char **argv) { return triad_test_main(argc, argv, __FILE__); }

#endif
