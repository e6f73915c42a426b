/* The message of a failure: its beginning by code, its location at the end.   ranks: 1 quick: 1 */
#include "test.h"

#include <string.h>

static void expect(const char *beginning)
{
  const char *text = triad_message();
  TRIAD_HOLDS(strncmp(text, beginning, strlen(beginning)) == 0, "\"%s\" begins with \"%s\"", text, beginning);
  TRIAD_HOLDS(strstr(text, " [") && strstr(text, "test_message.c:") && text[strlen(text) - 1] == ']',
              "\"%s\" ends with its location", text);
  triad_message_clear();
}

TRIAD_TEST(codes_say_how_a_message_begins)
{
  triad_message_clear();
  TRIAD_EQUAL(TRIAD_FAIL(TRIAD_ERR_MEMORY, "the flow"), TRIAD_ERR_MEMORY, "code");
  expect("out of memory: cannot allocate memory for the flow [");
  TRIAD_EQUAL(TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a sum"), TRIAD_ERR_INTERNAL, "code");
  expect("internal error: a sum [");
  TRIAD_EQUAL(TRIAD_FAIL(TRIAD_ERR_IO, "%s: writing", "a.h5"), TRIAD_ERR_IO, "code");
  expect("I/O error: a.h5: writing [");
  TRIAD_EQUAL(TRIAD_FAIL(TRIAD_ERR_CASE, "grid.n is 0"), TRIAD_ERR_CASE, "code");
  expect("grid.n is 0 [");
  TRIAD_EQUAL(TRIAD_FAIL_PLAIN(TRIAD_ERR_IO, "a run is active here"), TRIAD_ERR_IO, "code");
  expect("a run is active here [");
}

TRIAD_TEST(a_long_message_keeps_its_location)
{
  char text[3000];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  triad_message_clear();
  (void)TRIAD_FAIL(TRIAD_ERR_CASE, "%s", text);
  expect("xxxxxxxx");
}

TRIAD_TEST(the_first_failure_is_kept_and_its_reason_has_no_location)
{
  char why[200];
  triad_message_clear();
  (void)TRIAD_FAIL(TRIAD_ERR_CASE, "first [with brackets: 1]");
  (void)TRIAD_FAIL(TRIAD_ERR_CASE, "second");
  triad_message_reason(why, sizeof why);
  TRIAD_HOLDS(strcmp(why, "first [with brackets: 1]") == 0, "\"%s\"", why);
  triad_note_again("of another process [no location]");
  triad_message_reason(why, sizeof why);
  TRIAD_HOLDS(strcmp(why, "of another process [no location]") == 0, "\"%s\"", why);
}

TRIAD_MAIN
