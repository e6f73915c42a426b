/* What the user reads: levels, formats, the log file, the progress line, and outputs that fail.   ranks: 1 2 */
#include "test.h"

#include "base/log.h"
#include "base/text.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A log whose outputs are files in a folder of this rank's own. */
typedef struct bench {
  char folder[64], out[96], err[96], file[96];
  triad_log_options opt;
  triad_log *log;
} bench;

static bench set_up(int rank)
{
  bench b = {.folder = "/tmp/triad-test-log-XXXXXX"};
  if (!mkdtemp(b.folder)) triad_test_fail(__FILE__, __LINE__, "mkdtemp %s", b.folder);
  (void)snprintf(b.out, sizeof b.out, "%s/out", b.folder);
  (void)snprintf(b.err, sizeof b.err, "%s/err", b.folder);
  (void)snprintf(b.file, sizeof b.file, "%s/log.txt", b.folder);
  b.opt = triad_log_defaults(rank);
  b.opt.out = open(b.out, O_RDWR | O_CREAT | O_APPEND, 0600);
  b.opt.err = open(b.err, O_RDWR | O_CREAT | O_APPEND, 0600);
  b.opt.columns = 0;
  return b;
}

static void start(bench *b) { TRIAD_CHECK(triad_log_create(&b->log, &b->opt)); }

static void tear_down(bench *b)
{
  triad_log_destroy(&b->log);
  (void)close(b->opt.out);
  (void)close(b->opt.err);
  (void)unlink(b->out);
  (void)unlink(b->err);
  (void)unlink(b->file);
  (void)rmdir(b->folder);
}

/* The whole of a file; valid until the second call from now. */
static const char *contents(const char *path)
{
  static char room[2][1 << 18];
  static int turn;
  char *text = room[turn ^= 1];
  FILE *f = fopen(path, "r");
  size_t n = f ? fread(text, 1, sizeof room[0] - 1, f) : 0;
  if (f) (void)fclose(f);
  text[n] = '\0';
  return text;
}

static void expect_text(const char *text, const char *expected, int line)
{
  if (strcmp(text, expected) != 0) triad_test_fail(__FILE__, line, "read \"%s\", expected \"%s\"", text, expected);
}
#define READS(path, expected) expect_text(contents(path), (expected), __LINE__)

/* As READS, with every time stamp in the text (its form checked) turned into "TIME". */
static void expect_stamped(const char *text, const char *expected, int line)
{
  static char plain[1 << 18];
  static const char form[] = "dddd-dd-ddTdd:dd:dd.dddZ";
  size_t used = 0;
  while (*text) {
    size_t i = 0;
    while (form[i] && (form[i] == 'd' ? text[i] >= '0' && text[i] <= '9' : text[i] == form[i])) i++;
    if (form[i]) {
      plain[used++] = *text++;
    } else {
      memcpy(plain + used, "TIME", 4);
      used += 4;
      text += i;
    }
  }
  plain[used] = '\0';
  expect_text(plain, expected, line);
}
#define READS_STAMPED(path, expected) expect_stamped(contents(path), (expected), __LINE__)

static void say_one_of_each(triad_log *log)
{
  triad_log_error(log, "an %s", "error");
  triad_log_warning(log, "a warning");
  triad_log_info(log, "info %d\n", 1);
  triad_log_detail(log, "detail");
}

TRIAD_TEST(levels_choose_what_is_shown_and_where)
{
  static const char *const out[] = {[TRIAD_LOG_ERROR] = "", [TRIAD_LOG_WARNING] = "", [TRIAD_LOG_INFO] = "info 1\n",
                                    [TRIAD_LOG_DETAIL] = "info 1\ndetail\n"};
  for (triad_level level = TRIAD_LOG_ERROR; level <= TRIAD_LOG_DETAIL; level++) {
    bench b = set_up(0);
    b.opt.level = level;
    start(&b);
    say_one_of_each(b.log);
    READS(b.out, out[level]);
    READS(b.err, level == TRIAD_LOG_ERROR ? "triad: error: an error\n"
                                          : "triad: error: an error\ntriad: warning: a warning\n");
    tear_down(&b);
  }
}

TRIAD_TEST(arguments_set_level_and_format)
{
  triad_log_options o = triad_log_defaults(0);
  int taken;
  TRIAD_EQUAL(o.level, TRIAD_LOG_INFO, "level at the start");
  TRIAD_CHECK(triad_log_option(&o, "-q", &taken));
  TRIAD_EQUAL(taken, 1, "-q is taken");
  TRIAD_EQUAL(o.level, TRIAD_LOG_WARNING, "level under -q");
  TRIAD_CHECK(triad_log_option(&o, "--verbose", &taken));
  TRIAD_EQUAL(o.level, TRIAD_LOG_DETAIL, "level under --verbose");
  TRIAD_CHECK(triad_log_option(&o, "--log-format=jsonl", &taken));
  TRIAD_EQUAL(o.json && taken, 1, "jsonl");
  TRIAD_CHECK(triad_log_option(&o, "--log-format=text", &taken));
  TRIAD_EQUAL(o.json, 0, "text");
  TRIAD_FAILS(triad_log_option(&o, "--log-format=xml", &taken), TRIAD_ERR_USAGE, "xml");
  TRIAD_CHECK(triad_log_option(&o, "--set", &taken));
  TRIAD_EQUAL(taken, 0, "--set is not ours");
}

TRIAD_TEST(only_rank_zero_speaks)
{
  bench b = set_up(3);
  start(&b);
  TRIAD_CHECK(triad_log_file(b.log, b.file));
  say_one_of_each(b.log);
  triad_log_progress(b.log, "not mine to show", 1);
  READS(b.out, "");
  READS(b.err, "");
  TRIAD_HOLDS(access(b.file, F_OK) != 0, "a file of a rank that says nothing");
  tear_down(&b);
}

TRIAD_TEST(a_null_log_is_silent)
{
  say_one_of_each(NULL);
  triad_log_progress(NULL, "text", 1);
  triad_log_clear(NULL);
  TRIAD_CHECK(triad_log_file(NULL, "nowhere"));
  triad_log *none = NULL;
  triad_log_destroy(&none);
}

TRIAD_TEST(log_file_gets_everything_also_from_before_and_below_the_level)
{
  bench b = set_up(0);
  b.opt.level = TRIAD_LOG_ERROR;
  start(&b);
  triad_log_info(b.log, "before the file");
  TRIAD_CHECK(triad_log_file(b.log, b.file));
  say_one_of_each(b.log);
  triad_log_info(b.log, "two\nlines");
  triad_log_progress(b.log, "t = 1", 0);
  triad_log_progress(b.log, "t = 2", 0); /* within the interval */
  triad_log_progress(b.log, "t = 3", 1);
  READS_STAMPED(b.file, "TIME info     before the file\n"
                        "TIME error    an error\nTIME warning  a warning\nTIME info     info 1\nTIME detail   detail\n"
                        "TIME info     two\nTIME info     lines\n"
                        "TIME progress t = 1\nTIME progress t = 3\n");
  READS(b.out, "");
  tear_down(&b);
}

TRIAD_TEST(log_file_is_continued)
{
  bench b = set_up(0);
  start(&b);
  TRIAD_CHECK(triad_log_file(b.log, b.file));
  triad_log_info(b.log, "first run");
  triad_log_destroy(&b.log);
  start(&b);
  TRIAD_CHECK(triad_log_file(b.log, b.file));
  triad_log_info(b.log, "second run");
  READS_STAMPED(b.file, "TIME info     first run\nTIME info     second run\n");
  tear_down(&b);
}

TRIAD_TEST(log_file_must_be_a_regular_file)
{
  bench b = set_up(0);
  start(&b);
  char other[128];
  (void)snprintf(other, sizeof other, "%s/other", b.folder);
  TRIAD_EQUAL(symlink(b.out, other), 0, "symlink");
  TRIAD_FAILS(triad_log_file(b.log, other), TRIAD_ERR_IO, "link");
  (void)unlink(other);
  TRIAD_EQUAL(mkfifo(other, 0600), 0, "mkfifo");
  TRIAD_FAILS(triad_log_file(b.log, other), TRIAD_ERR_IO, other); /* at once, though nobody reads it */
  (void)unlink(other);
  TRIAD_FAILS(triad_log_file(b.log, b.folder), TRIAD_ERR_IO, "directory");
  (void)snprintf(other, sizeof other, "%s/missing/log.txt", b.folder);
  TRIAD_FAILS(triad_log_file(b.log, other), TRIAD_ERR_IO, "No such file");
  triad_log_info(b.log, "goes on");
  READS(b.out, "goes on\n");
  tear_down(&b);
}

TRIAD_TEST(json_lines_hold_one_object_each)
{
  bench b = set_up(0);
  b.opt.json = 1;
  start(&b);
  TRIAD_CHECK(triad_log_file(b.log, b.file));
  triad_log_info(b.log, "say \"hi\" \\ tab\t two\nlines");
  triad_log_error(b.log, "gr\xc3\xbc\xc3\x9f" "e \x1b[31m \x7f \xff \xc3");
  triad_log_progress(b.log, "t = 1", 1);
  READS_STAMPED(b.out, "{\"time\":\"TIME\",\"level\":\"info\",\"text\":\"say \\\"hi\\\" \\\\ tab\\t two\\nlines\"}\n"
                       "{\"time\":\"TIME\",\"level\":\"progress\",\"text\":\"t = 1\"}\n");
  READS_STAMPED(b.err, "{\"time\":\"TIME\",\"level\":\"error\",\"text\":"
                       "\"gr\xc3\xbc\xc3\x9f" "e \\u001b[31m \\u007f \\\\xff \\\\xc3\"}\n");
  TRIAD_EQUAL(strlen(contents(b.file)), strlen(contents(b.out)) + strlen(contents(b.err)), "bytes in the file");
  tear_down(&b);
}

TRIAD_TEST(text_reaches_no_terminal_as_a_control_sequence)
{
  bench b = set_up(0);
  start(&b);
  /* ESC, CSI as a C1 control, carriage return, overlong and surrogate forms, a byte beyond Unicode */
  triad_log_warning(b.log, "a\x1b[2J\rb \xc2\x9b" "1m \xc0\xaf \xed\xa0\x80 \xf5 \xe2\x80\xa8 \xe2\x82\xac\tc");
  READS(b.err, "triad: warning: a\\x1b[2J\\x0db \\x9b1m \\xc0\\xaf \\xed\\xa0\\x80 \\xf5 \\u2028 \xe2\x82\xac\tc\n");
  tear_down(&b);
}

TRIAD_TEST(escaped_text_is_cut_between_characters_only)
{
  const char text[] = "a\xc3\xbc\n\xff\xf0\x9f\x8c\x80" "b";
  char whole[64], cut[64];
  for (int kind = TRIAD_ESCAPE_PLAIN; kind <= TRIAD_ESCAPE_JSON; kind++) {
    size_t need = triad_escape(whole, sizeof whole, text, strlen(text), kind);
    TRIAD_EQUAL(need, strlen(whole), "bytes needed");
    for (size_t room = 0; room <= need + 1; room++) {
      memset(cut, '#', sizeof cut);
      TRIAD_EQUAL(triad_escape(room ? cut : NULL, room, text, strlen(text), kind), need, "bytes needed");
      if (room == 0) continue;
      size_t kept = strlen(cut);
      TRIAD_HOLDS(kept < room && strncmp(cut, whole, kept) == 0, "room %zu kept %zu", room, kept);
      TRIAD_HOLDS(cut[room] == '#', "room %zu overrun", room);
      TRIAD_HOLDS(((unsigned char)whole[kept] & 0xc0) != 0x80, "room %zu cuts a character", room);
    }
  }
  TRIAD_EQUAL(triad_escape_fit("a\xc3\xbc" "b", 4, 2), 3, "bytes in two columns");
  TRIAD_EQUAL(triad_escape_fit("\xe4\xb8\xad" "b", 4, 1), 0, "a wide character takes two");
}

TRIAD_TEST(long_messages_are_whole)
{
  bench b = set_up(0);
  start(&b);
  static char text[50000], expected[50002];
  memset(text, 'x', sizeof text - 1);
  (void)snprintf(expected, sizeof expected, "%s\n", text);
  triad_log_info(b.log, "%s", text);
  READS(b.out, expected);
  tear_down(&b);
}

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
  READS(b.out, "\r\033[K123456789"     /* one column stays free                 */
               "\r\033[Kmessage\n"     /* erased for the message                */
               "\r\033[Ktoo soon"      /* and back below it, the newest text    */
               "\r\033[K\xc3\xa4\\x0a\xc3\xb6\n" /* the last one stays          */
               "after\n");
  tear_down(&b);
  (void)unsetenv("NO_COLOR");
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
  while (read(ends[0], drain, sizeof drain) > 0) {
  }
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
  (void)close(b.opt.out); /* files of outputs would be full as well */
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
  expect_text(text, "triad: warning: the log file loses messages: File too large\n", __LINE__);
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
