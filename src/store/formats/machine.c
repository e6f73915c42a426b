/* Read and write machine files through one table of settings. */
#include "store/formats/machine.h"

#include "base/text.h"
#include "case/read/toml.h"
#include "store/disk.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, KEYS = 64, SHOWN = 80 };
enum kind { TEXT, NUMBER, SHARE, LIST, RISING };

typedef struct setting {
  const char *name;
  enum kind kind;
  size_t at;        /* in triad_machine */
  const char *with; /* the list that has as many values; NULL */
} setting;

#define AT(member) offsetof(triad_machine, member)
#define RATES(who) \
  {#who ".memory", NUMBER, AT(who.memory), NULL}, {#who ".copies", NUMBER, AT(who.copies), NULL}, \
    {#who ".copies_all", NUMBER, AT(who.copies_all), NULL}, {#who ".lengths", RISING, AT(who.lengths), NULL}, \
    {#who ".x", LIST, AT(who.x[0]), #who ".lengths"}, {#who ".y", LIST, AT(who.y[0]), #who ".lengths"}, \
    {#who ".z", LIST, AT(who.z[0]), #who ".lengths"}, {#who ".x_single", LIST, AT(who.x[1]), #who ".lengths"}, \
    {#who ".y_single", LIST, AT(who.y[1]), #who ".lengths"}, {#who ".z_single", LIST, AT(who.z[1]), #who ".lengths"}, \
    {#who ".sets", RISING, AT(who.sets), NULL}, {#who ".transpose", LIST, AT(who.transpose[0]), #who ".sets"}, \
    {#who ".points", LIST, AT(who.points[0]), #who ".sets"}, \
    {#who ".transpose_single", LIST, AT(who.transpose[1]), #who ".sets"}, \
    {#who ".points_single", LIST, AT(who.points[1]), #who ".sets"}, {#who ".sizes", RISING, AT(who.sizes), NULL}, \
    {#who ".rates", LIST, AT(who.rates), #who ".sizes"}, \
  { \
#who ".overlap", SHARE, AT(who.overlap), NULL \
  }

static const setting keys[] = {{"node.name", TEXT, AT(name), NULL},
                               {"node.gpu", TEXT, AT(gpu_name), NULL},
                               {"node.cores", NUMBER, AT(cores), NULL},
                               {"node.gpus", NUMBER, AT(gpus), NULL},
                               RATES(core),
                               RATES(gpu),
                               {"network.latency", NUMBER, AT(network.latency), NULL},
                               {"network.message", NUMBER, AT(network.message), NULL},
                               {"network.bandwidth", NUMBER, AT(network.bandwidth), NULL},
                               {"disk.write", NUMBER, AT(write), NULL}};
enum { N_KEYS = (int)(sizeof keys / sizeof *keys) };

static const char *const table[] = {"node", "core", "gpu", "network", "disk"};
static const char *const about[] = {
  "its contents", "a core: bytes, bytes/s, ns", "a GPU: bytes, bytes/s, ns",
  "between nodes: latency in s, s, bytes/s out of a node. Add these by hand: they cannot be measured on one node",
  "bytes/s, all ranks together"};
enum { TABLES = (int)(sizeof table / sizeof *table) };

static void *address_of(const triad_machine *m, const setting *k) { return (char *)(uintptr_t)m + k->at; }

static const setting *find(const char *name)
{
  for (int i = 0; i < N_KEYS; i++)
    if (strcmp(keys[i].name, name) == 0) return &keys[i];
  return NULL;
}

/* ---- reading ---- */

static int unknown(const char *path, const triad_toml_item *item)
{
  const char *names[KEYS + TABLES];
  char shown[SHOWN + 1];
  int n = 0;
  for (int i = 0; i < N_KEYS; i++) names[n++] = keys[i].name;
  for (int i = 0; i < TABLES; i++) names[n++] = table[i];
  int near = triad_nearest(item->key, names, n);
  (void)triad_escape(shown, sizeof shown, item->key, strlen(item->key), TRIAD_ESCAPE_PLAIN);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%.300s:%d:%d: unknown %s \"%s\"%s%s%s", path, item->line, item->column,
                    item->type == TRIAD_TOML_TABLE ? "table" : "key", shown, near >= 0 ? ", did you mean \"" : "",
                    near >= 0 ? names[near] : "; docs/scaling.md has the keys of a machine file",
                    near >= 0 ? "\"?" : "");
}

static int take_number(const char *path, const setting *k, const triad_toml_value *v, double *out)
{
  int share = k->kind == SHARE;
  *out = v->type == TRIAD_TOML_INTEGER ? (double)v->integer : v->type == TRIAD_TOML_REAL ? v->real : NAN;
  if (!isfinite(*out) || *out < 0 || (share ? *out > 1 : *out <= 0))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%.300s:%d:%d: %s must be %s", path, v->line, v->column, k->name,
                      share               ? "a number from 0 to 1"
                      : k->kind == NUMBER ? "a number above 0"
                                          : "numbers above 0");
  return TRIAD_OK;
}

static int read_setting(const char *path, const setting *k, const triad_toml_item *item, triad_machine *m)
{
  const triad_toml_value *v = item->values;
  if (k->kind == TEXT) {
    if (item->type != TRIAD_TOML_TEXT)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%.300s:%d:%d: %s must be text", path, item->line, item->column, k->name);
    (void)triad_escape(address_of(m, k), sizeof m->name, v->text, v->length, TRIAD_ESCAPE_PLAIN);
    return TRIAD_OK;
  }
  if (k->kind == NUMBER || k->kind == SHARE)
    return item->n == 1 && item->type != TRIAD_TOML_ARRAY
             ? take_number(path, k, v, address_of(m, k))
             : TRIAD_FAIL(TRIAD_ERR_CASE, "%.300s:%d:%d: %s must be one number", path, item->line, item->column,
                          k->name);
  triad_machine_list *list = address_of(m, k);
  if (item->type != TRIAD_TOML_ARRAY || item->n < 1 || item->n > TRIAD_MACHINE_MAX)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%.300s:%d:%d: %s must be a list of 1 to %d numbers", path, item->line,
                      item->column, k->name, TRIAD_MACHINE_MAX);
  list->n = (int)item->n;
  for (int i = 0; i < list->n; i++) {
    TRIAD_TRY(take_number(path, k, &v[i], &list->value[i]));
    if (k->kind == RISING && i > 0 && list->value[i] <= list->value[i - 1])
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%.300s:%d:%d: %s must rise", path, v[i].line, v[i].column, k->name);
  }
  return TRIAD_OK;
}

static int take_all(const char *path, const triad_toml *doc, triad_machine *m)
{
  for (int64_t i = 0; i < doc->n; i++) {
    const triad_toml_item *item = &doc->items[i];
    const setting *k = find(item->key);
    int is_table = 0;
    for (int t = 0; t < TABLES && item->type == TRIAD_TOML_TABLE; t++) is_table |= strcmp(item->key, table[t]) == 0;
    if (is_table) continue;
    if (!k) return unknown(path, item);
    TRIAD_TRY(read_setting(path, k, item, m));
  }
  for (int64_t i = 0; i < doc->n; i++) { /* lists that go together */
    const setting *k = find(doc->items[i].key), *with = k && k->with ? find(k->with) : NULL;
    if (with && ((triad_machine_list *)address_of(m, with))->n != doc->items[i].n)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%.300s:%d:%d: %s must have as many values as %s, %d", path, doc->items[i].line,
                        doc->items[i].column, k->name, with->name, ((triad_machine_list *)address_of(m, with))->n);
  }
  return TRIAD_OK;
}

int triad_machine_read(const char *path, triad_machine *out)
{
  char *text = NULL;
  int64_t bytes = 0;
  triad_toml *doc = NULL;
  memset(out, 0, sizeof *out);
  int st = triad_disk_load(path, MOST_BYTES, &text, &bytes);
  if (st == TRIAD_OK) st = triad_toml_parse(&doc, text, (size_t)bytes);
  if (st == TRIAD_ERR_CASE && doc)
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%.300s:%d:%d: %.200s", path, doc->error_line, doc->error_column, doc->error);
  if (st == TRIAD_OK) st = take_all(path, doc, out);
  triad_toml_destroy(&doc);
  free(text);
  return st;
}

/* ---- writing ---- */

static int is_told(const triad_machine *m, const setting *k)
{
  const void *at = address_of(m, k);
  if (k->kind == TEXT) return *(const char *)at != '\0';
  if (k->kind == NUMBER || k->kind == SHARE) return *(const double *)at > 0;
  return ((const triad_machine_list *)at)->n > 0;
}

static void write_key(FILE *f, const triad_machine *m, const setting *k)
{
  const char *name = strchr(k->name, '.') + 1;
  if (k->kind == TEXT) {
    char safe[6 * sizeof m->name];
    (void)triad_escape(safe, sizeof safe, address_of(m, k), strlen(address_of(m, k)), TRIAD_ESCAPE_JSON);
    (void)fprintf(f, "%s = \"%s\"\n", name, safe);
    return;
  }
  if (k->kind == NUMBER || k->kind == SHARE) {
    (void)fprintf(f, "%s = %.6g\n", name, *(const double *)address_of(m, k));
    return;
  }
  const triad_machine_list *list = address_of(m, k);
  (void)fprintf(f, "%s = [", name);
  for (int i = 0; i < list->n; i++)
    (void)fprintf(f, "%s%.*g", i ? ", " : "", k->kind == RISING ? 12 : 4, list->value[i]);
  (void)fprintf(f, "]\n");
}

int triad_machine_text(const triad_machine *m, const char *how, char **text)
{
  size_t size = 0;
  *text = NULL;
  FILE *f = open_memstream(text, &size);
  if (!f) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the text of a machine");
  (void)fprintf(f, "# A machine for triad plan (docs/scaling.md). %s\n", how);
  for (int t = 0; t < TABLES; t++) {
    size_t length = strlen(table[t]);
    int told = 0, network = strcmp(table[t], "network") == 0;
    for (int i = 0; i < N_KEYS; i++) {
      int mine = strncmp(keys[i].name, table[t], length) == 0 && keys[i].name[length] == '.';
      if (!mine || (!is_told(m, &keys[i]) && !network)) continue;
      if (told++ == 0) (void)fprintf(f, "\n[%s] # %s\n", table[t], about[t]);
      if (is_told(m, &keys[i])) write_key(f, m, &keys[i]);
      else (void)fprintf(f, "# %s =\n", keys[i].name + length + 1);
    }
  }
  if (fclose(f) == 0) return TRIAD_OK;
  free(*text);
  *text = NULL;
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the text of a machine");
}

/* ---- asking ---- */

int triad_machine_wants(const char *path, const char *key, int there, const char *why)
{
  return there ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_CASE, "%.300s: %s is missing: %s", path, key, why);
}

double triad_machine_at(const triad_machine_list *at, const triad_machine_list *value, double where)
{
  int i = 0, n = at->n < value->n ? at->n : value->n;
  if (n == 0) return 0;
  if (where <= at->value[0]) return value->value[0];
  while (i + 1 < n && where > at->value[i + 1]) i++;
  if (i + 1 == n) return value->value[n - 1];
  double part = log(where / at->value[i]) / log(at->value[i + 1] / at->value[i]);
  return value->value[i] + part * (value->value[i + 1] - value->value[i]);
}
