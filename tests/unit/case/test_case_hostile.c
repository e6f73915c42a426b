/* Texts that would harm a careless reader of cases or the terminal: they are errors like others.   ranks: 1
 * timeout: 300 */
#include "cases.h"

#include "base/text.h"
#include "case/case.h"
#include "case/case_load.h"
#include "case/case_internal.h"
#include "case/case_errors.h"
#include "case/schema.h"

#include <sys/stat.h>
#include <unistd.h>

/* Texts on which the parsing library would stop the program or leave the language: they are errors like others. */
TRIAD_TEST(weak_spots_of_the_library_are_guarded)
{
  static const char *const good_texts[] = {
    "\"../../\xc3\xa9 \\\" # = [ ......................................................................\"",
    "'\\\xc3\xa9 \" ...................................................................................'",
    "\"\"\"\n\xc3\xa9 \"\" \\\"\"\" \\\n  x\"\"\"\"\"",
    "'''\n\xc3\xa9 '' \\'''''",
    "\"\"",
    "''"};
  fails_with(SMALLEST "\n[[[1]]]\n", NULL, "case.toml:10:1: error: not understood", 1);
  fails_with("# caf\xc3\xa9\nprecision = caf\xc3\xa9\n", NULL,
             "case.toml:2:16: error: a character outside ASCII requires quotes", 1);
  fails_with("precision = 1\"\xc3\xa9\"\n", NULL, "case.toml:1:14: error: misplaced quotation mark", 1);
  fails_with("precision = [1.\"\xc3\xa9\"]\n", NULL, "case.toml:1:16: error: misplaced quotation mark", 1);
  fails_with("precision = [[1], 2={\"\xc3\xa9\"]\n", NULL, "case.toml:1:22: error: misplaced quotation mark", 1);
  fails_with("precision.\"\xc3\xa9\" = 1\n", NULL, "case.toml:1:12: error: a key contains a character outside ASCII",
             1);
  fails_with("precision = \"\\\xc3\xa9\"\n", NULL, "case.toml:1:15: error: only ASCII may follow a backslash", 1);
  fails_with("precision = \"\"\"\\ \n  \xc3\xa9\"\"\"\n", NULL, "case.toml:2:3: error: only ASCII may follow", 1);
  for (size_t i = 0; i < sizeof good_texts / sizeof *good_texts; i++) {
    char text[512];
    (void)snprintf(text, sizeof text, "# %s \xc3\xa9\n%sinitial.'file' = %s # \"it's\n[output]\nkeep = 3\n",
                   "..........................................................................................",
                   "equations.solver = 'hd'\ngrid.n = [4, 4, 4]\ntime.end = 1\n", good_texts[i]);
    triad_case *c = good(text, "initial.kind=abc", NULL);
    triad_case_destroy(&c);
  }
}

TRIAD_TEST(user_text_cannot_write_controls_to_the_terminal)
{
  char quote[TRIAD_QUOTE_SIZE], longest[1000];
  assert_string_equal(triad_quote(quote, "a\x1b[1m\n\x7f", 7), "\"a\\x1b[1m\\x0a\\x7f\"");
  assert_string_equal(triad_quote(quote, "\xc3\xa9\xff", 3), "\"\xc3\xa9\\xff\"");
  assert_string_equal(triad_quote(quote, "", 0), "\"\"");
  for (size_t n = 100; n < 140; n++) { /* around the length at which text is cut */
    memset(longest, 'a', sizeof longest);
    (void)triad_quote(quote, longest, n);
    int cut = strstr(quote, "...\"") != NULL;
    TRIAD_EQUAL(strlen(quote), cut ? TRIAD_QUOTE_SIZE - 6 + 5 : n + 2, "length of the quotation");
  }
  memset(longest, 7, sizeof longest);
  (void)triad_quote(quote, longest, sizeof longest);
  TRIAD_HOLDS(strlen(quote) < TRIAD_QUOTE_SIZE && strstr(quote, "\\x07...\""), "%s", quote);
  fails_with("precision = \"\\u001b[31m\"\n", NULL, "precision: \"\\x1b[31m\" is not one of", 3);
  fails_with("\"\\u001b\" = 1\n", NULL, "unknown key \"\"\\u001b\"\"", 3);
  int status;
  triad_case *c = NULL;
  status = triad_case_parse(&c, "runs/\x1b[31m\n.toml", "x", 1, NULL, 0);
  TRIAD_EQUAL(status, TRIAD_ERR_CASE, "status");
  TRIAD_HOLDS(c && strstr(triad_case_errors(c), "runs/\\x1b[31m\\x0a.toml:1:"), "%s", c ? triad_case_errors(c) : "");
  triad_case_destroy(&c);
}

TRIAD_TEST(case_files_that_are_none_are_refused)
{
  char folder[] = "/tmp/triad-case-XXXXXX", path[64], *text = NULL;
  size_t length = 0;
  assert_non_null(mkdtemp(folder));
  (void)snprintf(path, sizeof path, "%s/case.toml", folder);
  TRIAD_FAILS(triad_case_load_text(path, &text, &length), TRIAD_ERR_INPUT, "case.toml");
  TRIAD_FAILS(triad_case_load_text(folder, &text, &length), TRIAD_ERR_CASE, "directory");
  TRIAD_FAILS(triad_case_load_text("/dev/zero", &text, &length), TRIAD_ERR_CASE, "regular");
  TRIAD_EQUAL(mkfifo(path, 0600), 0, "mkfifo");
  TRIAD_FAILS(triad_case_load_text(path, &text, &length), TRIAD_ERR_CASE, "regular"); /* and does not wait for it */
  (void)unlink(path);
  FILE *file = fopen(path, "w");
  (void)fwrite("a\0b", 1, 3, file);
  (void)fclose(file);
  TRIAD_FAILS(triad_case_load_text(path, &text, &length), TRIAD_ERR_CASE, "NUL");
  file = fopen(path, "w");
  for (int i = 0; i < TRIAD_CASE_MOST_BYTES; i++) (void)fputc('\n', file);
  (void)fclose(file);
  TRIAD_CHECK(triad_case_load_text(path, &text, &length));
  TRIAD_EQUAL(length, TRIAD_CASE_MOST_BYTES, "the longest file");
  TRIAD_EQUAL(text[length], 0, "closing NUL");
  free(text);
  file = fopen(path, "a");
  (void)fputc('\n', file);
  (void)fclose(file);
  TRIAD_FAILS(triad_case_load_text(path, &text, &length), TRIAD_ERR_CASE, "longer");
  TRIAD_HOLDS(text == NULL, "nothing is left behind");
  (void)unlink(path);
  (void)rmdir(folder);
}

/* `unit` repeated: texts that would exhaust a careless parser's stack, memory or time. */
static void hostile(const char *head, const char *unit, size_t times, const char *tail)
{
  size_t step = strlen(unit), length = strlen(head) + times * step + strlen(tail);
  char *text = malloc(length + 1), *at = text;
  assert_non_null(text);
  at = stpcpy(at, head);
  for (size_t i = 0; i < times; i++, at += step) memcpy(at, unit, step);
  (void)strcpy(at, tail);
  int status;
  triad_case *c = parsed(text, &status, NULL, NULL, NULL);
  TRIAD_EQUAL(status, TRIAD_ERR_CASE, unit);
  if (c) TRIAD_HOLDS(strlen(triad_case_errors(c)) < 100000, "%zu bytes of errors", strlen(triad_case_errors(c)));
  triad_case_destroy(&c);
  free(text);
}

TRIAD_TEST(deep_long_and_crowded_texts_only_give_errors)
{
  hostile("a = ", "[", 200000, "");
  hostile("a = ", "{a=", 200000, "");
  hostile("a", ".a", 200000, " = 1\n");
  hostile("[a", ".a", 200000, "]\n");
  hostile("a", ".\"a\"", 100000, " = 1\n");
  hostile("", "[[grid]]\n", 50000, "");
  hostile("[grid]\nn = [", "1,", 300000, "1]\n");
  hostile("a = 1", "0", 500000, "\n");
  hostile("a = 1.", "0", 500000, "e1\n");
  hostile("grid.length = [\"", "1", 500000, "\", 1, 1]\n");
  hostile("", "a", 500000, " = 1\n");
  hostile("a = \"", "\xc3\xa9", 200000, "");
  hostile("a = '''", "\n", 200000, "");
  hostile("", "#", 500000, "");
  hostile("[grid", " ", 500000, "");
  hostile("", "\xff", 1000, "");
  hostile("", "x = \n", 50000, "");
  char *many = malloc(1 << 20), *at = many;
  assert_non_null(many);
  for (int i = 0; i < 60000; i++) at += sprintf(at, "key%d = %d\n", i, i);
  int status;
  triad_case *c = parsed(many, &status, NULL, NULL, NULL);
  TRIAD_EQUAL(status, TRIAD_ERR_CASE, "60000 unknown keys");
  TRIAD_EQUAL(triad_case_error_count(c), 60002, "all are counted");
  TRIAD_HOLDS(strstr(triad_case_errors(c), "60002 errors in case.toml\n"), "the count line");
  triad_case_destroy(&c);
  free(many);
}

/* Mutants of a full case: bytes flipped, pieces cut, doubled and swapped. Only the status is known beforehand. */
TRIAD_TEST(damaged_cases_give_a_case_or_errors)
{
  static const char *const pieces[] = {"[",
                                       "]",
                                       "{",
                                       "}",
                                       "\"",
                                       "'''",
                                       "\"\"\"",
                                       "=",
                                       ".",
                                       "\n",
                                       ",",
                                       "#",
                                       "1e",
                                       "-",
                                       "inf",
                                       "nan",
                                       "\\u0000",
                                       "\\",
                                       "\xff",
                                       "\xef\xbb\xbf",
                                       "0x",
                                       "[[",
                                       "]]",
                                       "true",
                                       "1979-05-27T07:32:00Z",
                                       "2pi",
                                       "9223372036854775808",
                                       "\r",
                                       "grid",
                                       "\"a.b\""};
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  TRIAD_CHECK(triad_schema_write_defaults(file));
  TRIAD_EQUAL(fclose(file), 0, "fclose");
  char *mutant = malloc(2 * length + 1024);
  assert_non_null(mutant);
  int64_t good_ones = 0;
  for (uint64_t i = 0; i < 1500; i++) {
    size_t n = length;
    memcpy(mutant, text, n);
    int64_t damages = 1 + triad_test_below(20, i, 4);
    for (uint64_t j = 0; j < (uint64_t)damages; j++) {
      uint64_t draw = 16 * i + 4 * j;
      size_t at = (size_t)triad_test_below(21, draw, (int64_t)n), run = (size_t)triad_test_below(22, draw, 40);
      const char *piece = pieces[triad_test_below(23, draw, (int64_t)(sizeof pieces / sizeof *pieces))];
      if (run > n - at) run = n - at;
      switch (triad_test_below(24, draw, 4)) {
      case 0: mutant[at] = (char)triad_test_below(25, draw, 256); break;
      case 1:
        memmove(mutant + at, mutant + at + run, n - at - run);
        n -= run;
        break;
      case 2:
        memmove(mutant + at + strlen(piece), mutant + at, n - at);
        memcpy(mutant + at, piece, strlen(piece));
        n += strlen(piece);
        break;
      default:
        memmove(mutant + at + run, mutant + at, n - at);
        n += run;
        break;
      }
      if (n == 0) break;
    }
    triad_case *c = NULL;
    int status = triad_case_parse(&c, "mutant.toml", mutant, n, NULL, 0);
    TRIAD_HOLDS(status == TRIAD_OK || status == TRIAD_ERR_CASE, "status %d", status);
    TRIAD_HOLDS(c && (status == TRIAD_OK) == (triad_case_error_count(c) == 0), "errors and status %d agree", status);
    if (c && status == TRIAD_OK) good_ones++;
    triad_case_destroy(&c);
  }
  TRIAD_HOLDS(good_ones > 0 && good_ones < 1500, "%" PRId64 " of 1500 mutants were good", good_ones);
  free(mutant);
  free(text);
}

TRIAD_MAIN
