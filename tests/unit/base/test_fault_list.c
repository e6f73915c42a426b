/* Faults that are gathered and told in one go (base/faults.h). */
#include "test.h"

#include "base/faults.h"
#include "base/guard.h"

TRIAD_TEST(a_list_without_faults_is_no_failure)
{
  triad_faults none = {0};
  triad_faults_of(&none, "nozzle.msh");
  TRIAD_CHECK(triad_faults_tell(&none));
  TRIAD_HOLDS(triad_message()[0] == '\0', "no message: %s", triad_message());
}

TRIAD_TEST(faults_are_told_in_their_order_each_behind_what_it_is_of)
{
  triad_faults f = {0};
  triad_faults_of(&f, "nozzle.msh");
  triad_fault(&f, "%d cells", 3);
  triad_fault(&f, "a side");
  triad_faults_of(&f, "boundaries.patches");
  triad_faults_of(&f, "grid.n"); /* of patches there is none */
  triad_fault(&f, "a number");
  TRIAD_EQUAL(f.n, 3, "faults");
  TRIAD_FAILS(triad_faults_tell(&f), TRIAD_ERR_CASE, "nozzle.msh: 3 cells; a side; grid.n: a number");
}

TRIAD_TEST(what_there_is_no_room_for_is_counted_and_what_is_told_is_whole)
{
  triad_faults f = {0};
  char one[64];
  size_t told = 0;
  for (int i = 0; i < 1000; i++) triad_fault(&f, "fault number %04d of a thousand of them", i);
  TRIAD_EQUAL(f.n, 1000, "faults");
  for (int i = 0; i < f.n - f.untold; i++) {
    (void)snprintf(one, sizeof one, "%sfault number %04d of a thousand of them", i > 0 ? "; " : "", i);
    TRIAD_HOLDS(strncmp(f.text + told, one, strlen(one)) == 0, "fault %d stands in its place", i);
    told += strlen(one);
  }
  TRIAD_EQUAL(strlen(f.text), told, "letters");
  TRIAD_HOLDS(f.n - f.untold > 10, "%d are told", (int)(f.n - f.untold));
  (void)snprintf(one, sizeof one, "of a thousand of them; and %d more", (int)f.untold);
  TRIAD_FAILS(triad_faults_tell(&f), TRIAD_ERR_CASE, one); /* the end has room in a message */
}

/* A short one must not be told after a long one that was left out. */
TRIAD_TEST(none_is_told_after_one_that_was_left_out)
{
  triad_faults f = {0};
  char cut[2 * TRIAD_FAULT_TEXT];
  memset(cut, 'x', sizeof cut);
  cut[sizeof cut - 1] = '\0';
  for (int i = 0; i < 2; i++) triad_fault(&f, "%s", cut);
  triad_fault(&f, "short");
  TRIAD_EQUAL(f.untold, 2, "left out");
  TRIAD_EQUAL(strlen(f.text), TRIAD_FAULT_TEXT - 1, "letters of a fault that was cut");
}

TRIAD_TEST(of_a_long_path_the_end_is_told)
{
  triad_faults f = {0};
  char path[2000];
  memset(path, '/', sizeof path);
  (void)snprintf(path + 1900, 100, "nozzle.msh");
  triad_faults_of(&f, path);
  triad_fault(&f, "no mesh");
  TRIAD_HOLDS(strncmp(f.text, ".../", 4) == 0 && strstr(f.text, "/nozzle.msh: no mesh"), "told: %s", f.text);
}

static int broken(int status, const char *what) { return TRIAD_FAIL(status, "nozzle.msh: %s", what); }

TRIAD_TEST(what_failed_by_itself_becomes_a_fault_and_the_rest_goes_on)
{
  triad_faults f = {0};
  triad_faults_of(&f, "nozzle.msh");
  TRIAD_CHECK(triad_faults_take(&f, broken(TRIAD_ERR_CASE, "no node 7")));
  TRIAD_CHECK(triad_faults_take(&f, TRIAD_OK));
  TRIAD_HOLDS(triad_message()[0] == '\0', "no message is kept: %s", triad_message());
  TRIAD_CHECK(triad_faults_take(&f, broken(TRIAD_ERR_CASE, "no node 8")));
  TRIAD_EQUAL(f.n, 2, "faults");
  TRIAD_FAILS(triad_faults_end(&f, broken(TRIAD_ERR_CASE, "it ends here")), TRIAD_ERR_CASE,
              "nozzle.msh: no node 7; no node 8; it ends here");
}

TRIAD_TEST(what_is_no_fault_of_the_case_stays_what_it_is)
{
  triad_faults f = {0};
  TRIAD_FAILS(triad_faults_take(&f, broken(TRIAD_ERR_MEMORY, "5 bytes")), TRIAD_ERR_MEMORY, "5 bytes");
  TRIAD_EQUAL(f.n, 0, "faults");
  TRIAD_CHECK(triad_faults_end(&f, TRIAD_OK));
  triad_fault(&f, "a cell");
  TRIAD_FAILS(triad_faults_end(&f, broken(TRIAD_ERR_MEMORY, "6 bytes")), TRIAD_ERR_MEMORY, "6 bytes");
  TRIAD_FAILS(triad_faults_end(&f, TRIAD_OK), TRIAD_ERR_CASE, "a cell");
}

static int note_there(void *self, triad_guard *guard)
{
  triad_faults f = {0};
  triad_faults_of(&f, self);
  triad_fault(&f, "line %d", 7);
  return triad_guard_give(guard, &f, sizeof f);
}

TRIAD_TEST(faults_come_over_from_another_process)
{
  char name[] = "nozzle.msh";
  triad_faults f = {0};
  TRIAD_CHECK(triad_guard_run(name, note_there, name, &f, sizeof f));
  triad_fault(&f, "line 8");
  TRIAD_FAILS(triad_faults_tell(&f), TRIAD_ERR_CASE, "nozzle.msh: line 7; line 8");
}

TRIAD_TEST(names_are_listed_as_far_as_there_is_room)
{
  triad_names few = {0}, many = {0};
  triad_names_add(&few, "inlet");
  triad_names_add(&few, "outlet");
  TRIAD_HOLDS(strcmp(triad_names_text(&few), "inlet, outlet") == 0, "told: %s", triad_names_text(&few));
  for (int i = 0; i < 100; i++) triad_names_add(&many, "inlet");
  const char *text = triad_names_text(&many);
  TRIAD_EQUAL(many.untold, 100 - (TRIAD_NAMES_TEXT - 1 + 2) / 7, "left out: a name takes five letters and two between");
  TRIAD_HOLDS(strstr(text, "inlet, inlet and ") && strstr(text, " more"), "told: %s", text);
}

TRIAD_MAIN
