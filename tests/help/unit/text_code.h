/* Texts in C of equations as text, written for tests that compile them (tests/cuda/test_nvrtc.py). */
#ifndef TRIAD_TESTS_HELP_UNIT_TEXT_CODE_H
#define TRIAD_TESTS_HELP_UNIT_TEXT_CODE_H

#include "flow.h"

#include <stdlib.h>

/* Write `code` to NAME-NUMBER.c of the folder TRIAD_TEXT_CODE of the environment. Returns 0 if it is not set. */
static inline int test_text_code_write(const char *name, int number, const char *code)
{
  const char *folder = getenv("TRIAD_TEXT_CODE");
  char path[512];
  if (!folder) return 0;
  (void)snprintf(path, sizeof path, "%s/%s-%d.c", folder, name, number);
  FILE *to = fopen(path, "we");
  assert_non_null(to);
  (void)fputs(code, to);
  TRIAD_EQUAL(fclose(to), 0, path);
  return 1;
}

#endif
