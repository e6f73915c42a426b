/* What the user reads: levels, formats, the log file, and text that reaches no terminal as it is.   ranks: 1 2 */
#include "logs.h"

#include "base/log.h"
#include "base/size.h"
#include "base/text.h"

#include <sys/stat.h>
#include <unistd.h>

static void say_one_of_each(triad_log *log)
{
  triad_log_error(log, "an %s", "error");
  triad_log_warning(log, "a warning");
  triad_log_info(log, "info %d\n", 1);
  triad_log_detail(log, "detail");
}

TRIAD_TEST(levels_choose_what_is_shown_and_where)
{
  static const char *const out[] = {[TRIAD_LOG_ERROR] = "",
                                    [TRIAD_LOG_WARNING] = "",
                                    [TRIAD_LOG_INFO] = "info 1\n",
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
  triad_log_error(b.log, "gr\xc3\xbc\xc3\x9f"
                         "e \x1b[31m \x7f \xff \xc3");
  triad_log_progress(b.log, "t = 1", 1);
  READS_STAMPED(b.out, "{\"time\":\"TIME\",\"level\":\"info\",\"text\":\"say \\\"hi\\\" \\\\ tab\\t two\\nlines\"}\n"
                       "{\"time\":\"TIME\",\"level\":\"progress\",\"text\":\"t = 1\"}\n");
  READS_STAMPED(b.err, "{\"time\":\"TIME\",\"level\":\"error\",\"text\":"
                       "\"gr\xc3\xbc\xc3\x9f"
                       "e \\u001b[31m \\u007f \\\\xff \\\\xc3\"}\n");
  TRIAD_EQUAL(strlen(contents(b.file)), strlen(contents(b.out)) + strlen(contents(b.err)), "bytes in the file");
  tear_down(&b);
}

TRIAD_TEST(text_reaches_no_terminal_as_a_control_sequence)
{
  bench b = set_up(0);
  start(&b);
  /* ESC, CSI as a C1 control, carriage return, overlong and surrogate forms, a byte beyond Unicode */
  triad_log_warning(b.log, "a\x1b[2J\rb \xc2\x9b"
                           "1m \xc0\xaf \xed\xa0\x80 \xf5 \xe2\x80\xa8 \xe2\x82\xac\tc");
  READS(b.err, "triad: warning: a\\x1b[2J\\x0db \\x9b1m \\xc0\\xaf \\xed\\xa0\\x80 \\xf5 \\u2028 \xe2\x82\xac\tc\n");
  tear_down(&b);
}

TRIAD_TEST(escaped_text_is_cut_between_characters_only)
{
  const char text[] = "a\xc3\xbc\n\xff\xf0\x9f\x8c\x80"
                      "b";
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
  TRIAD_EQUAL(triad_escape_fit("a\xc3\xbc"
                               "b",
                               4, 2),
              3, "bytes in two columns");
  TRIAD_EQUAL(triad_escape_fit("\xe4\xb8\xad"
                               "b",
                               4, 1),
              0, "a wide character takes two");
}

TRIAD_TEST(sizes_have_three_digits_and_a_unit)
{
  static const struct {
    double bytes;
    const char *expected;
  } how[] = {{0, "0 B"}, {999, "999 B"}, {999.6, "1 kB"}, {472000, "472 kB"}, {1.54e12, "1.54 TB"}, {2e18, "2e+03 PB"}};
  for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
    char text[32];
    expect_text(triad_size_text(text, how[i].bytes), how[i].expected, __LINE__);
  }
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

TRIAD_MAIN
