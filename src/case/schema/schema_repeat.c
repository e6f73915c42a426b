/* Repeatable tables, [[particles]]: each instance has rows of its own, named particles[1].count and so on, so that all
 * code for keys applies to each of them. */
#include "case/schema.h"

#include "base/status.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int triad_schema_number(const char *name, size_t length)
{
  const char *open = memchr(name, '"', length) ? NULL : memchr(name, '[', length); /* a quoted name may have any */
  return open && isdigit((unsigned char)open[1]) ? atoi(open + 1) : 0;
}

size_t triad_schema_plain(const char *name, size_t length, char out[TRIAD_SCHEMA_NAME])
{
  const char *open = memchr(name, '[', length),
             *close = open ? memchr(open, ']', length - (size_t)(open - name)) : NULL;
  size_t head = close && triad_schema_number(name, length) > 0 ? (size_t)(open - name) : length;
  size_t tail = head < length ? length - (size_t)(close + 1 - name) : 0;
  if (head + tail >= TRIAD_SCHEMA_NAME) head = tail = 0; /* no key is as long */
  memcpy(out, name, head);
  if (tail) memcpy(out + head, close + 1, tail);
  out[head + tail] = '\0';
  return head + tail;
}

const triad_key *triad_schema_repeated(const char *name, size_t length)
{
  for (int p = -1; p < 0 || triad_case_part_at(p); p++)
    for (const triad_key *key = p < 0 ? triad_common_keys : triad_case_part_at(p)->keys; key->name; key++)
      if (key->repeated && triad_schema_table_length(key) == length && memcmp(key->name, name, length) == 0) return key;
  return NULL;
}

/* Row number i with the number of its table in its name. */
static int add(triad_schema *s, const triad_schema_row *row, int number)
{
  triad_key *key = malloc(sizeof *key);
  char *name = NULL;
  if (!key || asprintf(&name, "%.*s[%d].%s", (int)triad_schema_table_length(row->key), row->key->name, number,
                       triad_schema_short_name(row->key)) < 0) {
    free(key);
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the keys of a case");
  }
  *key = *row->key;
  key->name = name;
  s->row[s->n++] = (triad_schema_row){key, row->part};
  s->made = 1;
  return TRIAD_OK;
}

static int replace(triad_schema *s, const triad_schema_row *was, int n, triad_schema_count *count, void *who)
{
  int status = TRIAD_OK;
  for (int i = 0, end; i < n && status == TRIAD_OK; i = end) {
    const triad_key *key = was[i].key;
    size_t table = triad_schema_table_length(key);
    for (end = i + 1; key->repeated && end < n && triad_schema_table_length(was[end].key) == table &&
                      memcmp(was[end].key->name, key->name, table) == 0;)
      end++;
    int times = key->repeated ? count(who, key->name, table) : 0;
    if (!key->repeated) s->row[s->n++] = was[i];
    for (int number = 1; number <= times; number++)
      for (int j = i; j < end && status == TRIAD_OK; j++) status = add(s, &was[j], number);
  }
  return status;
}

int triad_schema_repeat(triad_schema *s, triad_schema_count *count, void *who)
{
  triad_schema_row *was = s->row;
  int n = s->n, most = 0;
  for (int i = 0; i < n; i++)
    most += was[i].key->repeated ? count(who, was[i].key->name, triad_schema_table_length(was[i].key)) : 1;
  s->row = calloc((size_t)most + 1, sizeof *s->row);
  if (!s->row) {
    s->row = was;
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the keys of a case");
  }
  s->n = 0;
  int status = replace(s, was, n, count, who);
  free(was);
  return status;
}

void triad_schema_unmake(triad_schema *s)
{
  for (int i = 0; s->made && i < s->n; i++) {
    if (!triad_schema_number(s->row[i].key->name, strlen(s->row[i].key->name))) continue;
    free((char *)s->row[i].key->name);
    free((triad_key *)s->row[i].key);
  }
}
