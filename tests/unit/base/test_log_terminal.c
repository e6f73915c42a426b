/* The progress line and colours: on a terminal, and where there is none.   ranks: 1 2 */
#include "logs.h"

#include "base/log.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

TRIAD_TEST(progress_is_a_line_now_and_then_where_it_cannot_be_rewritten)
{
  bench b = set_up(0);
  b.opt.interval = 3600;
  start(&b);
  for (int i = 0; i < 1000; i++) triad_log_progress(b.log, i ? "later" : "first", 0);
  triad_log_progress(b.log, "done", 1);
  READS_STAMPED(b.out, "TIME first\nTIME done\n");
  tear_down(&b);

  b = set_up(0);
  b.opt.interval = 0;
  start(&b);
  for (int i = 0; i < 3; i++) triad_log_progress(b.log, "step", 0);
  READS_STAMPED(b.out, "TIME step\nTIME step\nTIME step\n");
  tear_down(&b);

  b = set_up(0);
  b.opt.level = TRIAD_LOG_WARNING;
  start(&b);
  triad_log_progress(b.log, "quiet", 1);
  READS(b.out, "");
  tear_down(&b);
}

TRIAD_TEST(progress_line_fits_and_is_not_torn_by_messages)
{
  bench b = set_up(0);
  b.opt.columns = 10;
  (void)setenv("NO_COLOR", "1", 1);
  start(&b);
  triad_log_progress(b.log, "123456789012345", 0);
  triad_log_progress(b.log, "too soon", 0);
  triad_log_info(b.log, "message");
  triad_log_progress(b.log, "\xc3\xa4\n\xc3\xb6", 1);
  triad_log_info(b.log, "after");
  READS(b.out, "\r\033[K123456789"               /* one column stays free                 */
               "\r\033[Kmessage\n"               /* erased for the message                */
               "\r\033[Ktoo soon"                /* and back below it, the newest text    */
               "\r\033[K\xc3\xa4\\x0a\xc3\xb6\n" /* the last one stays          */
               "after\n");
  tear_down(&b);
  (void)unsetenv("NO_COLOR");
}

TRIAD_TEST(narrow_terminals_show_how_far_it_is_and_how_long_it_takes)
{
  static const char all[] = "step 1/9  t 0.5  dt 1e-2  E 0.25  11%  ETA 00:01";
  static const struct {
    int columns;
    const char *expected;
  } how[] = {{49, all},
             {48, "step 1/9  t 0.5  E 0.25  11%  ETA 00:01"},
             {39, "step 1/9  t 0.5  11%  ETA 00:01"},
             {31, "step 1/9  t 0.5  ETA 00:01"},
             {20, "step 1/9  t 0.5  ET"}};
  for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
    bench b = set_up(0);
    char expected[80];
    (void)snprintf(expected, sizeof expected, "\r\033[K%s\n", how[i].expected);
    b.opt.columns = how[i].columns;
    start(&b);
    triad_log_progress(b.log, all, 1);
    READS(b.out, expected);
    tear_down(&b);
  }
}

TRIAD_TEST(warnings_take_the_progress_line_away_first)
{
  bench b = set_up(0);
  b.opt.columns = 40;
  (void)setenv("NO_COLOR", "1", 1);
  (void)close(b.opt.err);
  b.opt.err = dup(b.opt.out); /* a terminal shows both */
  start(&b);
  triad_log_progress(b.log, "step 1", 0);
  triad_log_warning(b.log, "careful");
  triad_log_clear(b.log);
  READS(b.out, "\r\033[Kstep 1\r\033[Ktriad: warning: careful\n\r\033[Kstep 1\r\033[K");
  tear_down(&b);
  (void)unsetenv("NO_COLOR");
}

TRIAD_TEST(colour_only_on_a_terminal_and_not_against_the_users_will)
{
  static const struct {
    int columns;
    const char *no_color, *expected;
  } how[] = {{80, NULL, "\033[1;31mtriad: error:\033[0m bad\n"},
             {80, "", "\033[1;31mtriad: error:\033[0m bad\n"},
             {80, "1", "triad: error: bad\n"},
             {0, NULL, "triad: error: bad\n"}};
  for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
    bench b = set_up(0);
    b.opt.columns = how[i].columns;
    if (how[i].no_color) (void)setenv("NO_COLOR", how[i].no_color, 1);
    else (void)unsetenv("NO_COLOR");
    start(&b);
    TRIAD_CHECK(triad_log_file(b.log, b.file));
    triad_log_error(b.log, "bad");
    READS(b.err, how[i].expected);
    READS_STAMPED(b.file, "TIME error    bad\n");
    tear_down(&b);
  }
  (void)unsetenv("NO_COLOR");
}

TRIAD_TEST(a_real_terminal_is_found_and_its_width_followed)
{
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  const char *name = master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0 ? ptsname(master) : NULL;
  int slave = name ? open(name, O_RDWR | O_NOCTTY) : -1;
  int any_missing = slave < 0;
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &any_missing, 1, MPI_INT, MPI_MAX, triad_test_comm()->mpi)));
  if (any_missing) {
    if (slave >= 0) (void)close(slave);
    if (master >= 0) (void)close(master);
    TRIAD_SKIP("no pseudo-terminals here");
  }
  bench b = set_up(0);
  int file = b.opt.out;
  char *term = getenv("TERM") ? strdup(getenv("TERM")) : NULL;
  b.opt.out = slave;
  b.opt.columns = -1;
  (void)setenv("TERM", "xterm", 1);
  char *launched = getenv("OMPI_COMM_WORLD_RANK") ? strdup(getenv("OMPI_COMM_WORLD_RANK")) : NULL;
  (void)unsetenv("OMPI_COMM_WORLD_RANK"); /* under Open MPI the terminal of mpirun would count */
  (void)ioctl(slave, TIOCSWINSZ, &(struct winsize){.ws_col = 6});
  start(&b);
  triad_log_progress(b.log, "123456789", 0);
  (void)ioctl(slave, TIOCSWINSZ, &(struct winsize){.ws_col = 4});
  triad_log_progress(b.log, "123456789", 1);
  (void)setenv("TERM", "dumb", 1);
  triad_log_progress(b.log, "plain", 1);
  char text[256] = "";
  size_t used = 0;
  struct pollfd there = {.fd = master, .events = POLLIN};
  while (!strstr(text, "plain\r\n") && used < sizeof text - 1 && poll(&there, 1, 5000) > 0) {
    ssize_t n = read(master, text + used, sizeof text - 1 - used);
    if (n <= 0) break;
    used += (size_t)n;
    text[used] = '\0';
  }
  expect_stamped(text, "\r\033[K12345\r\033[K123\r\nTIME plain\r\n", __LINE__);
  triad_log_destroy(&b.log);
  (void)close(slave);
  (void)close(master);
  b.opt.out = file;
  tear_down(&b);
  if (term) (void)setenv("TERM", term, 1);
  else (void)unsetenv("TERM");
  free(term);
  if (launched) (void)setenv("OMPI_COMM_WORLD_RANK", launched, 1);
  free(launched);
}

TRIAD_MAIN
