/* Arguments of --set, any bytes, a line each: a case, or errors. */
#include "fuzz.h"

#include "case/case.h"
#include "solvers/list.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc;
  (void)argv;
  triad_solvers_register();
  return 0;
}

static const char text[] = "[equations]\nsolver = \"hd\"\nviscosity = 0.01\n[grid]\nn = [8, 8, 8]\n[initial]\n"
                           "kind = \"taylor-green\"\n[time]\nend = 1.0\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  enum { MOST = 16 };
  const char *sets[MOST];
  int n = 0;
  triad_case *c = NULL;
  char *words = copy_of(data, size), *rest = NULL;
  for (char *word = strtok_r(words, "\n", &rest); word && n < MOST; word = strtok_r(NULL, "\n", &rest))
    if (strchr(word, '=')) sets[n++] = word; /* the command line asks for that before */
  int st = triad_case_parse(&c, "fuzz.toml", text, sizeof text - 1, sets, n);
  MUST(st == TRIAD_OK || st == TRIAD_ERR_CASE);
  MUST(c && (st == TRIAD_OK) == (triad_case_error_count(c) == 0));
  for (const char *p = triad_case_errors(c); *p; p++) MUST(*p == '\n' || *p == '\t' || (unsigned char)*p >= 32);
  triad_case_destroy(&c);
  triad_message_clear();
  free(words);
  return 0;
}
