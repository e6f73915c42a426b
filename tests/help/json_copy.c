/* Read texts from standard input, each after its length on a line of its own, and print each in a line: "refused", or
 * the JSON that src/base/json.c has understood, written by it. For tests/base/test_json_python.py. */
#include "base/json.h"

#include <stdlib.h>

static void copy(triad_json *j, const char *name, triad_json_value v);

static void copy_items(triad_json *j, const char *name, triad_json_value v)
{
  triad_json_value key, item;
  triad_json_walk w = triad_json_items(v);
  if (w.close == '}') triad_json_object(j, name, TRIAD_JSON_LINE);
  else triad_json_list(j, name, TRIAD_JSON_COMPACT);
  while (triad_json_next(&w, &key, &item)) {
    char *member = triad_json_decode(key);
    copy(j, member, item);
    free(member);
  }
  if (!w.whole) abort();
  triad_json_end(j);
}

static void copy(triad_json *j, const char *name, triad_json_value v)
{
  int64_t whole;
  double real;
  if (triad_json_is_object(v) || triad_json_is_list(v)) {
    copy_items(j, name, v);
  } else if (triad_json_is_text(v)) {
    char *text = triad_json_decode(v);
    triad_json_text(j, name, text);
    free(text);
  } else if (triad_json_to_integer(v, &whole)) {
    triad_json_integer(j, name, whole);
  } else if (triad_json_to_number(v, &real)) {
    triad_json_number(j, name, real, TRIAD_JSON_EXACT);
  } else if (*v.at == 'n') {
    triad_json_null(j, name);
  } else {
    triad_json_bool(j, name, *v.at == 't');
  }
}

int main(void)
{
  unsigned long n;
  while (scanf("%lu", &n) == 1 && getchar() == '\n') {
    size_t bad = 0;
    triad_json_value v;
    char *text = malloc(n + !n); /* without an end, so that a sanitizer sees what is read behind it */
    if (!text || fread(text, 1, n, stdin) != n) return 1;
    if (!triad_json_parse(&v, text, n, &bad)) {
      if (bad > n) abort();
      (void)puts("refused");
    } else {
      triad_json j = {.out = stdout};
      copy(&j, NULL, v);
      (void)putchar('\n');
    }
    free(text);
  }
  return 0;
}
