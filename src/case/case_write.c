/* Write the resolved case as TOML and list the differences between two cases. */
#include "case/case_internal.h"
#include "case/case_write.h"
#include "case/case_text.h"
#include "case/case_void.h"
#include "case/read/case_parameters.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

int triad_case_write_resolved(const triad_case *c, FILE *file)
{
  char origin[512], why[512], open_table[64] = "";
  (void)fprintf(file, "# %s as it was understood: every key with its value and the origin of the value.\n\n", c->name);
  for (int i = 0; i < c->schema->n; i++) {
    const triad_key *key = c->schema->row[i].key;
    int table = (int)triad_schema_table_length(key);
    if (strlen(open_table) != (size_t)table || strncmp(open_table, key->name, (size_t)table) != 0) {
      (void)snprintf(open_table, sizeof open_table, "%.*s", table, key->name);
      int plain = (int)strcspn(open_table, "["), many = open_table[plain] != '\0';
      (void)fprintf(file, "\n%s%.*s%s\n", many ? "[[" : "[", plain, open_table, many ? "]]" : "]");
    }
    /* given in the file that is read again, it would be a warning */
    const int is_void = triad_case_is_void(c, key, why, sizeof why);
    (void)fprintf(file, "%s%s = ", is_void ? "# " : "", triad_schema_short_name(key));
    triad_case_write_value(file, key, &c->slots[i]);
    (void)triad_case_origin(c, key->name, origin, sizeof origin);
    (void)fprintf(file, " # %s%s%s\n", origin, is_void ? ", not used: " : "", is_void ? why : "");
  }
  triad_case_write_parameters(c, file);
  return ferror(file) ? TRIAD_FAIL(TRIAD_ERR_IO, "writing the resolved case to standard output or memory") : TRIAD_OK;
}

int triad_case_resolved(const triad_case *c, char **text, size_t *length)
{
  FILE *f = open_memstream(text, length);
  if (f) (void)triad_case_write_resolved(c, f);
  int good = f && !ferror(f);
  if (f && fclose(f) == 0 && good) return TRIAD_OK;
  if (f) free(*text);
  *text = NULL;
  triad_message_clear();
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the resolved case as text");
}

/* malloc'd; "" for a key that the case does not have, and for a void one; NULL without memory. */
static char *value_text(const triad_case *c, const triad_key *key)
{
  return triad_case_slot_of(c, key->name) && triad_case_is_void(c, key, NULL, 0) ? strdup("")
                                                                                 : triad_case_slot_text(c, key);
}

char *triad_case_value(const triad_case *c, const char *key)
{
  int row = triad_schema_find(c->schema, key, strlen(key));
  return row < 0 ? strdup("") : value_text(c, c->schema->row[row].key);
}

int triad_case_may_change(const triad_case *c, const char *name)
{
  int row = triad_schema_find(c->schema, name, strlen(name));
  if (row < 0) return 0;
  const triad_key *key = c->schema->row[row].key;
  const size_t n = triad_schema_table_length(key);
  const int timing = strncmp(name, "time.", n + 1) == 0 || strncmp(name, "output.", n + 1) == 0;
  const int number = key->type == TRIAD_KEY_REAL && !key->list;
  if (n == 0 || key->lasting) return 0;
  if (timing) return number || key->type == TRIAD_KEY_INTEGER || key->type == TRIAD_KEY_FLAG;
  if (strncmp(name, "forcing.", n + 1) == 0) return number && key->count == 1;
  return number && (strncmp(name, "equations.", n + 1) == 0 || strncmp(name, "solver.", n + 1) == 0);
}

static int compare_key(const triad_case *was, const triad_case *is, const triad_key *key, triad_case_difference *call,
                       void *who)
{
  char *before = value_text(was, key), *now = value_text(is, key);
  int good = before && now, same = good && strcmp(before, now) == 0;
  /* a key that acts since another one changed, with the value that it had, is no change of its own */
  if (good && !same && (!before[0] || !now[0])) {
    char *one = triad_case_slot_text(was, key), *other = triad_case_slot_text(is, key);
    good = one && other;
    same = good && strcmp(one, other) == 0;
    free(one);
    free(other);
  }
  if (good && !same) call(who, key->name, before, now);
  free(before);
  free(now);
  return good ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the values of %s", key->name);
}

int triad_case_compare(const triad_case *was, const triad_case *is, triad_case_difference *call, void *who)
{
  for (int i = 0; i < is->schema->n; i++) TRIAD_TRY(compare_key(was, is, is->schema->row[i].key, call, who));
  for (int i = 0; i < was->schema->n; i++)
    if (!triad_case_slot_of(is, was->schema->row[i].key->name))
      TRIAD_TRY(compare_key(was, is, was->schema->row[i].key, call, who));
  triad_case_compare_parameters(was, is, call, who);
  return TRIAD_OK;
}
