/* Cases from texts, good ones and bad ones. For test_case*.c. */
#ifndef TRIAD_TESTS_UNIT_CASES_H
#define TRIAD_TESTS_UNIT_CASES_H

#include "test.h"
#include "families.h"

#include "base/text.h"
#include "case/case.h"
#include "case/case_write.h"
#include "case/case_internal.h"
#include "case/schema.h"

#define SMALLEST \
  "[equations]\nsolver = \"hd\"\n" \
  "[grid]\nn = [32, 32, 32]\n" \
  "[initial]\nkind = \"taylor-green\"\n" \
  "[time]\nend = 1.0\n"

/* Parse text with up to three arguments of --set; *status as returned. */
static inline triad_case *parsed(const char *text, int *status, const char *set0, const char *set1, const char *set2)
{
  const char *sets[] = {set0, set1, set2};
  int n = 0;
  while (n < 3 && sets[n]) n++;
  triad_case *c = NULL;
  *status = triad_case_parse(&c, "case.toml", text, strlen(text), sets, n);
  return c;
}

/* A case that must be good. */
static inline triad_case *good(const char *text, const char *set0, const char *set1)
{
  int status;
  triad_case *c = parsed(text, &status, set0, set1, NULL);
  TRIAD_HOLDS(status == TRIAD_OK && c, "status %d\n%s", status, c ? triad_case_errors(c) : "");
  if (status != TRIAD_OK) {
    triad_case_destroy(&c);
    fail();
  }
  return c;
}

/* Text with this argument must fail with so many errors, this among them. */
static inline void fails_with(const char *text, const char *set, const char *line, int errors)
{
  int status;
  triad_case *c = parsed(text, &status, set, NULL, NULL);
  TRIAD_EQUAL(status, TRIAD_ERR_CASE, text);
  if (!c) return;
  TRIAD_HOLDS(strstr(triad_case_errors(c), line), "the errors of\n%s\nare\n%swithout\n%s", text, triad_case_errors(c),
              line);
  TRIAD_HOLDS(errors == triad_case_error_count(c), "%d errors, expected %d:\n%s", triad_case_error_count(c), errors,
              triad_case_errors(c));
  triad_case_destroy(&c);
}

static inline char *resolved(const triad_case *c)
{
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  TRIAD_HOLDS(file != NULL, "no memory");
  if (file) {
    TRIAD_CHECK(triad_case_write_resolved(c, file));
    TRIAD_EQUAL(fclose(file), 0, "fclose");
  }
  return text;
}

/* Bit for bit. */
static inline int same_values(const triad_key *key, const triad_case_slot *a, const triad_case_slot *b)
{
  size_t n = (size_t)a->n;
  if (a->n != b->n || a->flag != b->flag) return 0;
  for (size_t i = 0; key->type == TRIAD_KEY_WORD && i < n; i++)
    if (strcmp(a->word[i], b->word[i]) != 0) return 0;
  if (key->type == TRIAD_KEY_REAL) return memcmp(a->real, b->real, n * sizeof *a->real) == 0;
  if (key->type == TRIAD_KEY_INTEGER) return memcmp(a->integer, b->integer, n * sizeof *a->integer) == 0;
  for (size_t i = 0; key->type == TRIAD_KEY_TEXT && i < n; i++)
    if (strcmp(a->text[i], b->text[i]) != 0) return 0;
  return 1;
}

#define OWN "[parameters]\nnu = \"U*L/Re\"\nRe = 1_600\nU = 2.0\nL = \"2pi/k\"\nk = 4\n"

#endif
