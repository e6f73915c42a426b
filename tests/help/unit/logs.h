/* A log whose outputs are files, and what stands in them. For test_log*.c. */
#ifndef TRIAD_TESTS_UNIT_LOGS_H
#define TRIAD_TESTS_UNIT_LOGS_H

#include "test.h"

#include "base/log.h"
#include "base/text.h"

#include <fcntl.h>
#include <unistd.h>

/* A log whose outputs are files in a folder of this rank's own. */
typedef struct bench {
  char folder[64], out[96], err[96], file[96];
  triad_log_options opt;
  triad_log *log;
} bench;

static inline bench set_up(int rank)
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

static inline void start(bench *b) { TRIAD_CHECK(triad_log_create(&b->log, &b->opt)); }

static inline void tear_down(bench *b)
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
static inline const char *contents(const char *path)
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

static inline void expect_text(const char *text, const char *expected, int line)
{
  if (strcmp(text, expected) != 0) triad_test_fail(__FILE__, line, "read \"%s\", expected \"%s\"", text, expected);
}
#define READS(path, expected) expect_text(contents(path), (expected), __LINE__)

/* As READS, with every time stamp in the text (its form checked) turned into "TIME". */
static inline void expect_stamped(const char *text, const char *expected, int line)
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

#endif
