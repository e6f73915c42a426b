/* Read and write the entries of tune.toml by machine and problem. */
#include "store/formats/tuned.h"

#include "base/status.h"
#include "base/users_file.h"
#include "case/read/toml.h"
#include "store/disk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, SLUG = 160 };

/* Fowler, Noll and Vo's hash: only to keep names of machines out of the table's name. */
static uint32_t hash(uint32_t h, const char *text)
{
  for (; *text; text++) h = (h ^ (unsigned char)*text) * 16777619u;
  return (h ^ 1u) * 16777619u;
}

/* The table's name, as SOLVER-double-512x512x512-sphere-4-on-1-1a2b3c4d. */
static void make_slug(const triad_tuned_key *k, char out[SLUG])
{
  (void)snprintf(out, SLUG, "%s-%s-%" PRId64 "x%" PRId64 "x%" PRId64 "-%s-%d-on-%d-%08" PRIx32, k->solver, k->precision,
                 k->n[0], k->n[1], k->n[2], k->truncation, k->ranks, k->nodes,
                 hash(hash(2166136261u, k->node), k->gpu));
}

/* The file's text, "" where there is none. */
static int load(const char *path, char **text, int64_t *bytes)
{
  FILE *f = fopen(path, "r");
  *bytes = 0;
  if (f) {
    (void)fclose(f);
    return triad_disk_load(path, MOST_BYTES, text, bytes);
  }
  *text = calloc(1, 1);
  return *text ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%.300s", path);
}

/* "grid.loops=colours grid.numbering=morton" */
static void take_own(triad_tuned *out, const char *text)
{
  int used = 0;
  out->n_own = 0;
  while (out->n_own < TRIAD_TUNED_MAX) {
    triad_tuned_own *o = &out->own[out->n_own];
    if (sscanf(text, " %39[^= ]=%23[^ ]%n", o->key, o->word, &used) != 2) return;
    text += used;
    out->n_own++;
  }
}

static void put_own(FILE *to, const triad_tuned *e)
{
  (void)fputs("own = \"", to);
  for (int i = 0; i < e->n_own; i++) (void)fprintf(to, "%s%s=%s", i > 0 ? " " : "", e->own[i].key, e->own[i].word);
  (void)fputs("\"\n", to);
}

static void read_item(triad_tuned *out, const char *name, const triad_toml_item *item)
{
  const triad_toml_value *v = &item->values[0];
  double number = item->type == TRIAD_TOML_INTEGER ? (double)v->integer : item->type == TRIAD_TOML_REAL ? v->real : 0;
  if (strcmp(name, "nstreams") == 0 && item->type == TRIAD_TOML_INTEGER) out->nstreams = (int)v->integer;
  if (strcmp(name, "threads") == 0 && item->type == TRIAD_TOML_INTEGER) out->threads = (int)v->integer;
  if (strcmp(name, "group") == 0 && item->type == TRIAD_TOML_INTEGER) out->group = (int)v->integer;
  if (strcmp(name, "transport") == 0 && item->type == TRIAD_TOML_TEXT)
    (void)snprintf(out->transport, sizeof out->transport, "%s", v->text);
  if (strcmp(name, "own") == 0 && item->type == TRIAD_TOML_TEXT) take_own(out, v->text);
  if (strcmp(name, "step_s") == 0) out->step_s = number;
  if (strcmp(name, "default_s") == 0) out->default_s = number;
}

/* An item of the entry: does it say that the machine is another one, though their hashes are equal? */
static int differs(const triad_tuned_key *key, const char *name, const triad_toml_item *item)
{
  const char *mine = strcmp(name, "node") == 0 ? key->node : strcmp(name, "gpu") == 0 ? key->gpu : NULL;
  return mine && (item->type != TRIAD_TOML_TEXT || strcmp(item->values[0].text, mine) != 0);
}

static int search(const triad_toml *doc, const triad_tuned_key *key, triad_tuned *out)
{
  char slug[SLUG];
  int line = 0;
  make_slug(key, slug);
  size_t length = strlen(slug);
  for (int64_t i = 0; i < doc->n; i++) {
    const triad_toml_item *item = &doc->items[i];
    if (item->type == TRIAD_TOML_TABLE && strcmp(item->key, slug) == 0) line = item->line;
    if (item->parent_length != length || strncmp(item->key, slug, length) != 0 || item->n != 1) continue;
    if (differs(key, item->key + length + 1, item)) return 0;
    read_item(out, item->key + length + 1, item);
  }
  return line;
}

static int parse(const char *path, const char *text, int64_t bytes, triad_toml **doc)
{
  int st = triad_toml_parse(doc, text, (size_t)bytes);
  if (st != TRIAD_ERR_CASE) return st;
  st = TRIAD_FAIL(TRIAD_ERR_CASE, "%.300s:%d:%d: %.200s; remove it, or run triad tune again", path, (*doc)->error_line,
                  (*doc)->error_column, (*doc)->error);
  triad_toml_destroy(doc);
  return st;
}

int triad_tuned_find(const char *path, const triad_tuned_key *key, triad_tuned *out, int *line)
{
  char *text = NULL;
  int64_t bytes;
  triad_toml *doc = NULL;
  *line = 0;
  *out = (triad_tuned){.transport = "auto"};
  int st = load(path, &text, &bytes);
  if (st == TRIAD_OK) st = parse(path, text, bytes, &doc);
  if (st == TRIAD_OK) *line = search(doc, key, out);
  triad_toml_destroy(&doc);
  free(text);
  return st;
}

/* Everything but the table `slug`. */
static void copy_others(FILE *to, const char *text, const char *slug)
{
  char header[SLUG + 4];
  int inside = 0;
  (void)snprintf(header, sizeof header, "[%s]", slug);
  for (const char *line = text; *line;) {
    size_t n = strcspn(line, "\n");
    if (line[0] == '[') inside = strncmp(line, header, strlen(header)) == 0;
    if (!inside) (void)fprintf(to, "%.*s\n", (int)n, line);
    line += n + (line[n] == '\n');
  }
}

static void write_entry(FILE *to, const char *slug, const triad_tuned_key *k, const triad_tuned *e)
{
  (void)fprintf(to, "[%s]\nnode = \"%s\"\ngpu = \"%s\"\nsolver = \"%s\"\nprecision = \"%s\"\n", slug, k->node, k->gpu,
                k->solver, k->precision);
  (void)fprintf(to, "grid = [%" PRId64 ", %" PRId64 ", %" PRId64 "]\ntruncation = \"%s\"\nranks = %d\nnodes = %d\n",
                k->n[0], k->n[1], k->n[2], k->truncation, k->ranks, k->nodes);
  (void)fprintf(to, "nstreams = %d\ntransport = \"%s\"\nthreads = %d\n", e->nstreams, e->transport, e->threads);
  if (e->group > 0) (void)fprintf(to, "group = %d\n", e->group);
  if (e->n_own > 0) put_own(to, e);
  (void)fprintf(to, "step_s = %.6e\ndefault_s = %.6e\n", e->step_s, e->default_s);
}

int triad_tuned_write(const char *folder, const char *name, const triad_tuned_key *key, const triad_tuned *entry)
{
  char path[TRIAD_PATH], lock_path[TRIAD_PATH], slug[SLUG], *old = NULL, *text = NULL;
  size_t size = 0;
  int64_t bytes;
  triad_toml *doc = NULL;
  make_slug(key, slug);
  TRIAD_TRY(triad_disk_path(path, "%s/%s", folder, name));
  TRIAD_TRY(triad_disk_path(lock_path, "%s/.%s.lock", folder, name));
  const int lock = triad_users_lock(lock_path); /* another triad tune may be adding its own entry */
  int st = load(path, &old, &bytes);
  if (st == TRIAD_OK) st = parse(path, old, bytes, &doc); /* what is no TOML is not ours to rewrite */
  triad_toml_destroy(&doc);
  FILE *f = st == TRIAD_OK ? open_memstream(&text, &size) : NULL;
  if (st == TRIAD_OK && !f) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%.300s", path);
  if (f) {
    if (!*old)
      (void)fputs(
        "# Written by triad tune; triad run and triad bench use the entry that matches the machine and the case.\n", f);
    copy_others(f, old, slug);
    write_entry(f, slug, key, entry);
    if (fclose(f) != 0) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%.300s", path);
  }
  if (st == TRIAD_OK) st = triad_disk_replace_shared(folder, name, text, (int64_t)size);
  triad_users_unlock(lock);
  free(old);
  free(text);
  return st;
}

void triad_tuned_cache(char *out, int size)
{
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  out[0] = '\0';
  if (xdg && *xdg) (void)snprintf(out, (size_t)size, "%s/triad", xdg);
  else if (home && *home) (void)snprintf(out, (size_t)size, "%s/.cache/triad", home);
}
