/* Outputs of a log that fail or stall, signals, and threads that speak at once.   ranks: 1 2 */
#include "logs.h"

#include "base/log.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

TRIAD_TEST(a_closed_pipe_silences_that_output_only)
{
  bench b = set_up(0);
  int ends[2], file = b.opt.out;
  TRIAD_EQUAL(pipe(ends), 0, "pipe");
  b.opt.out = ends[1];
  start(&b);
  TRIAD_CHECK(triad_log_file(b.log, b.file));
  triad_log_info(b.log, "read");
  (void)close(ends[0]);
  triad_log_info(b.log, "unread"); /* SIGPIPE would end the test here */
  triad_log_progress(b.log, "t = 1", 1);
  triad_log_warning(b.log, "still here");
  READS(b.err, "triad: warning: still here\n");
  READS_STAMPED(b.file, "TIME info     read\nTIME info     unread\nTIME progress t = 1\nTIME warning  still here\n");
  (void)close(ends[1]);
  b.opt.out = file;
  tear_down(&b);
}

TRIAD_TEST(a_reader_that_stalls_delays_the_run_once)
{
  bench b = set_up(0);
  int ends[2], file = b.opt.out;
  TRIAD_EQUAL(pipe2(ends, O_NONBLOCK), 0, "pipe");
  b.opt.out = ends[1];
  start(&b);
  static char text[4000];
  memset(text, 'x', sizeof text - 1);
  double begin = MPI_Wtime();
  for (int i = 0; i < 200; i++) triad_log_info(b.log, "%s", text); /* 800 kB: far more than a pipe holds */
  double took = MPI_Wtime() - begin;
  TRIAD_HOLDS(took < 10, "200 messages took %g s, though one wait is a second", took);
  static char drain[1 << 20];
  while (read(ends[0], drain, sizeof drain) > 0) {}
  triad_log_info(b.log, "back");
  ssize_t n = read(ends[0], drain, sizeof drain - 1);
  drain[n > 0 ? n : 0] = '\0';
  TRIAD_HOLDS(strstr(drain, " messages are missing here: ") && strstr(drain, "\nback\n"), "read \"%s\"", drain);
  (void)close(ends[0]);
  (void)close(ends[1]);
  b.opt.out = file;
  tear_down(&b);
}

TRIAD_TEST(a_full_disk_loses_lines_and_owns_up)
{
  bench b = set_up(0);
  start(&b);
  TRIAD_CHECK(triad_log_file(b.log, b.file));
  triad_log_info(b.log, "one");
  struct rlimit before, full;
  TRIAD_EQUAL(getrlimit(RLIMIT_FSIZE, &before), 0, "getrlimit");
  full = before;
  full.rlim_cur = strlen(contents(b.file)) + 10; /* the next line gets ten bytes in */
  (void)close(b.opt.out);                        /* files of outputs would be full as well */
  (void)close(b.opt.err);
  int out[2], err[2];
  TRIAD_EQUAL(pipe(out), 0, "pipe");
  TRIAD_EQUAL(pipe(err), 0, "pipe");
  TRIAD_EQUAL(dup2(out[1], b.opt.out), b.opt.out, "dup2");
  TRIAD_EQUAL(dup2(err[1], b.opt.err), b.opt.err, "dup2");
  TRIAD_EQUAL(setrlimit(RLIMIT_FSIZE, &full), 0, "setrlimit");
  triad_log_info(b.log, "two"); /* SIGXFSZ would end the test here */
  triad_log_info(b.log, "three");
  TRIAD_EQUAL(setrlimit(RLIMIT_FSIZE, &before), 0, "setrlimit");
  triad_log_info(b.log, "four");
  READS_STAMPED(b.file, "TIME info     one\nTIME warning  2 messages are missing here: File too large\n"
                        "TIME info     four\n");
  char text[256];
  ssize_t n = read(err[0], text, sizeof text - 1);
  text[n > 0 ? n : 0] = '\0';
  expect_text(text, "triad: warning: messages are missing in the log file: File too large\n", __LINE__);
  for (int i = 0; i < 2; i++) {
    (void)close(out[i]);
    (void)close(err[i]);
  }
  tear_down(&b);
}

TRIAD_TEST(output_to_a_full_device_is_survived)
{
  bench b = set_up(0);
  int file = b.opt.out, full = open("/dev/full", O_WRONLY);
  TRIAD_HOLDS(full >= 0, "/dev/full");
  b.opt.out = full;
  start(&b);
  for (int i = 0; i < 10; i++) triad_log_info(b.log, "lost");
  triad_log_progress(b.log, "lost too", 1);
  triad_log_warning(b.log, "kept");
  READS(b.err, "triad: warning: kept\n");
  (void)close(full);
  b.opt.out = file;
  tear_down(&b);
}

TRIAD_TEST(signals_are_put_back_and_foreign_handlers_left)
{
  struct sigaction seen;
  struct sigaction before;
  TRIAD_EQUAL(sigaction(SIGPIPE, NULL, &before), 0, "sigaction");
  for (int own = 0; own < 2; own++) {
    void (*handler)(int) = own ? SIG_IGN : SIG_DFL;
    (void)sigaction(SIGPIPE, &(struct sigaction){.sa_handler = handler}, NULL);
    bench b = set_up(0);
    start(&b);
    (void)sigaction(SIGPIPE, NULL, &seen);
    TRIAD_HOLDS(seen.sa_handler == SIG_IGN, "while there is a log");
    tear_down(&b);
    (void)sigaction(SIGPIPE, NULL, &seen);
    TRIAD_HOLDS(seen.sa_handler == handler, "afterwards");
  }
  (void)sigaction(SIGPIPE, &before, NULL);
}

static void *talk(void *log)
{
  for (int i = 0; i < 500; i++) {
    triad_log_info(log, "abcdefghijklmnopqrstuvwxyz");
    triad_log_progress(log, "abcdefghijklmnopqrstuvwxyz", 0);
  }
  return NULL;
}

TRIAD_TEST(threads_do_not_mix_their_lines)
{
  bench b = set_up(0);
  start(&b);
  pthread_t thread[4];
  for (int i = 0; i < 4; i++) TRIAD_EQUAL(pthread_create(&thread[i], NULL, talk, b.log), 0, "pthread_create");
  for (int i = 0; i < 4; i++) TRIAD_EQUAL(pthread_join(thread[i], NULL), 0, "pthread_join");
  int whole = 0, progress = 0;
  for (const char *at = contents(b.out), *end; (end = strchr(at, '\n')); at = end + 1) {
    if (end - at == 26 && strncmp(at, "abcdefghijklmnopqrstuvwxyz", 26) == 0) whole++;
    else progress++;
  }
  TRIAD_EQUAL(whole, 2000, "whole lines");
  TRIAD_EQUAL(progress, 1, "progress lines in the interval");
  tear_down(&b);
}

TRIAD_MAIN
