/* Programs that are run without a shell: what they say, how they end, and that they always do.   ranks: 1 2
 * quick: 1 */
#include "test.h"

#include "base/child.h"
#include "base/clock.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const double plenty = 30; /* s: none of these takes a tenth of it on an idle machine */

static triad_child run(const char *script, double limit, const volatile sig_atomic_t *stop)
{
  const char *argv[] = {"sh", "-c", script, NULL};
  triad_child child;
  triad_child_run(&child, argv, limit, stop);
  return child;
}

TRIAD_TEST(what_a_program_says_and_its_code_come_back)
{
  triad_child c = run("echo out; echo err >&2; exit 65", plenty, NULL);
  TRIAD_EQUAL(c.started, 1, "it started");
  TRIAD_EQUAL(c.in_time, 1, "it ended by itself");
  TRIAD_EQUAL(c.code, 65, "its code");
  TRIAD_HOLDS(strcmp(c.said, "out\nerr\n") == 0, "it said %s", c.said);
  c = run("kill -SEGV $$", plenty, NULL);
  TRIAD_EQUAL(c.code, 128 + SIGSEGV, "its code");
}

TRIAD_TEST(a_program_that_is_not_there_is_told_of)
{
  const char *argv[] = {"/no/such/program", NULL};
  triad_child c;
  triad_child_run(&c, argv, plenty, NULL);
  TRIAD_EQUAL(c.started, 0, "it started");
  TRIAD_HOLDS(strstr(c.said, "/no/such/program") != NULL, "it said %s", c.said);
  argv[0] = "/etc/passwd"; /* there, but no program */
  triad_child_run(&c, argv, plenty, NULL);
  TRIAD_EQUAL(c.started, 0, "it started");
}

TRIAD_TEST(a_program_that_says_too_much_is_cut_and_ends)
{
  triad_child c =
    run("i=0; while [ $i -lt 5000 ]; do echo 0123456789012345678901234567890123456789; i=$((i+1)); done", plenty, NULL);
  TRIAD_EQUAL(c.in_time, 1, "it ended by itself");
  TRIAD_EQUAL(c.code, 0, "its code");
  TRIAD_EQUAL((int64_t)strlen(c.said), TRIAD_CHILD_SAID - 1, "bytes kept");
}

/* Does the process whose id stands at the start of the text still live? A zombie whom nobody collects counts as
 * gone. */
static int lives(const char *text)
{
  char path[64], state = 'X';
  long pid = strtol(text, NULL, 10);
  (void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
  FILE *f = fopen(path, "r");
  if (!f) return 0;
  if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1) state = 'X';
  (void)fclose(f);
  return state != 'Z' && state != 'X';
}

TRIAD_TEST(time_that_is_up_ends_the_program_and_what_it_started)
{
  double begin = triad_now();
  triad_child c = run("sleep 300 & echo $!; wait", 0.5, NULL);
  TRIAD_EQUAL(c.in_time, 0, "it ended by itself");
  TRIAD_EQUAL(c.code, 128 + SIGKILL, "its code");
  TRIAD_HOLDS(triad_now() - begin < plenty, "it took %g s", triad_now() - begin);
  for (int i = 0; i < 200 && lives(c.said); i++) (void)usleep(20000);
  TRIAD_HOLDS(!lives(c.said), "process %s", c.said);
}

TRIAD_TEST(a_pipe_that_others_keep_open_holds_nothing_up)
{
  double begin = triad_now();
  triad_child c = run("sleep 300 & echo $!", plenty, NULL); /* sleep has our pipe */
  TRIAD_EQUAL(c.in_time, 1, "it ended by itself");
  TRIAD_EQUAL(c.code, 0, "its code");
  TRIAD_HOLDS(triad_now() - begin < plenty, "it took %g s", triad_now() - begin);
  (void)kill((pid_t)strtol(c.said, NULL, 10), SIGKILL);
}

TRIAD_TEST(a_request_to_stop_ends_it)
{
  static volatile sig_atomic_t stop = 1;
  triad_child c = run("sleep 300", plenty, &stop);
  TRIAD_EQUAL(c.in_time, 0, "it ended by itself");
  TRIAD_EQUAL(c.code, 128 + SIGKILL, "its code");
}

TRIAD_TEST(it_is_no_rank_reads_nothing_and_can_be_signalled)
{
  (void)setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  (void)setenv("PMI_RANK", "1", 1);
  (void)setenv("TRIAD_TEST_KEPT", "yes", 1);
  triad_child c = run("echo ${OMPI_COMM_WORLD_SIZE-none} ${PMI_RANK-none} $TRIAD_TEST_KEPT; cat", plenty, NULL);
  TRIAD_HOLDS(strcmp(c.said, "none none yes\n") == 0, "it said %s", c.said);
  (void)unsetenv("PMI_RANK");
  void (*before)(int) = signal(SIGPIPE, SIG_IGN);
  c = run("kill -PIPE $$; echo ignored", plenty, NULL);
  (void)signal(SIGPIPE, before);
  TRIAD_EQUAL(c.code, 128 + SIGPIPE, "its code");
}

TRIAD_MAIN
