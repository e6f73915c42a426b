/* A case file of any bytes: a case, or errors. A good one, resolved, is the same case. */
#include "fuzz.h"

#include "case/case.h"
#include "case/case_write.h"
#include "solvers/list.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc;
  (void)argv;
  triad_solvers_register();
  return 0;
}

static char *resolved(const triad_case *c)
{
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  MUST(f && triad_case_write_resolved(c, f) == TRIAD_OK && fclose(f) == 0);
  return text;
}

/* The same but for comments, which tell each value's origin. */
static int same_values(const char *a, const char *b)
{
  while (*a && *b) {
    size_t n = strcspn(a, "#\n"), m = strcspn(b, "#\n");
    if (n != m || strncmp(a, b, n) != 0) return 0;
    a += strcspn(a, "\n");
    b += strcspn(b, "\n");
    a += *a == '\n';
    b += *b == '\n';
  }
  return *a == *b;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  triad_case *c = NULL, *again = NULL;
  char *text = copy_of(data, size);
  int st = triad_case_parse(&c, "fuzz.toml", text, size, NULL, 0);
  MUST(st == TRIAD_OK || st == TRIAD_ERR_CASE);
  MUST(c && (st == TRIAD_OK) == (triad_case_error_count(c) == 0));
  for (const char *p = triad_case_errors(c); *p; p++) MUST(*p == '\n' || *p == '\t' || (unsigned char)*p >= 32);
  if (st == TRIAD_OK && !memchr(data, '#', size)) { /* a text with # in it ends what same_values compares */
    char *once = resolved(c);
    MUST(triad_case_parse(&again, "again.toml", once, strlen(once), NULL, 0) == TRIAD_OK);
    char *twice = resolved(again);
    MUST(same_values(once, twice));
    free(once);
    free(twice);
  }
  triad_case_destroy(&c);
  triad_case_destroy(&again);
  triad_message_clear();
  free(text);
  return 0;
}
