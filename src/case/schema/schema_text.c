/* The keys as text for a user: a complete case, help, quantities. */
#include "case/schema.h"
#include "base/status.h"

#include <string.h>

static int written(FILE *file, const char *what)
{
  return ferror(file) ? TRIAD_FAIL(TRIAD_ERR_IO, "writing %s", what) : TRIAD_OK;
}

int triad_schema_each(FILE *file, const char *what, triad_schema_writer *write)
{
  triad_schema *s;
  TRIAD_TRY(triad_schema_create(&s, NULL));
  for (int i = 0; i < s->n; i++) write(file, s, i);
  triad_schema_destroy(&s);
  return written(file, what);
}

/* A paragraph of at most 78 columns, each line opened by `margin`. */
static void write_wrapped(FILE *file, const char *margin, const char *text)
{
  size_t width = 78 - strlen(margin);
  while (*text) {
    size_t length = strlen(text);
    if (length > width) {
      length = width;
      while (length > 0 && text[length] != ' ') length--;
      if (length == 0) length = strcspn(text, " ");
    }
    (void)fprintf(file, "%s%.*s\n", margin, (int)length, text);
    text += length;
    text += strspn(text, " ");
  }
}

static void write_facts(FILE *file, const char *margin, const triad_schema_row *row)
{
  char solvers[TRIAD_SOLVER_NAMES], all[TRIAD_KIND + 256];
  triad_schema_facts(row->key, 0, all, sizeof all);
  write_wrapped(file, margin, all);
  if (!row->part) return;
  (void)snprintf(all, sizeof all, "solvers: %s", triad_schema_row_solvers(row, solvers));
  write_wrapped(file, margin, all);
}

/* "  NAME (its solvers): what it is" of each word that says what it is */
static void write_words(FILE *file, const char *margin, const triad_key *key)
{
  const triad_word *w;
  char name[256], all[1024];
  for (int i = 0; (w = triad_schema_told(key, &i, name, sizeof name)) != NULL;) {
    (void)snprintf(all, sizeof all, "%s: %s", name, w->about);
    write_wrapped(file, margin, all);
  }
}

int triad_schema_opens(const triad_schema *s, int i)
{
  const triad_key *a = s->row[i].key, *b = i > 0 ? s->row[i - 1].key : NULL;
  size_t length = triad_schema_table_length(a);
  return !b || length != triad_schema_table_length(b) || memcmp(a->name, b->name, length) != 0;
}

static void write_default(FILE *file, const triad_schema *s, int i)
{
  char value[128];
  /* keys that the example's solver does not know would make the file invalid */
  const char *solver = triad_solver_word(0)->name;
  const triad_case_part *part = s->row[i].part;
  const triad_key *key = s->row[i].key;
  size_t table = triad_schema_table_length(key);
  int applies = (!part || triad_case_part_has(part, solver)) && triad_solver_among(key->solvers, solver);
  if (table && triad_schema_opens(s, i))
    (void)fprintf(file, key->repeated ? "\n# [[%.*s]], may be repeated:\n" : "\n[%.*s]\n", (int)table, key->name);
  (void)fputc('\n', file);
  write_wrapped(file, "# ", key->help);
  write_words(file, "#   ", key);
  write_facts(file, "# ", &s->row[i]);
  triad_schema_preset(key, value, sizeof value);
  (void)fprintf(file, "%s%s = %s\n", applies && !key->repeated ? "" : "# ", triad_schema_short_name(key), value);
}

int triad_schema_write_defaults(FILE *file)
{
  (void)fputs("# Every key of a Triad case, with its default, or an example if it is required.\n# Numbers may also be "
              "written as text: \"2pi\", \"1/400\", \"U*L/Re\" with names in [parameters].\n",
              file);
  return triad_schema_each(file, "the default case", write_default);
}

int triad_schema_write_help(FILE *file, const char *prefix, int *count)
{
  size_t length = prefix ? strlen(prefix) : 0;
  triad_schema *s;
  *count = 0;
  TRIAD_TRY(triad_schema_create(&s, NULL));
  for (int i = 0; i < s->n; i++) {
    const triad_key *key = s->row[i].key;
    if (length && (strncmp(key->name, prefix, length) != 0 || (key->name[length] != '\0' && key->name[length] != '.')))
      continue;
    (void)fprintf(file, "%s%s\n", *count ? "\n" : "", key->name);
    write_facts(file, "    ", &s->row[i]);
    write_wrapped(file, "    ", key->help);
    write_words(file, "      ", key);
    *count += 1;
  }
  triad_schema_destroy(&s);
  return written(file, "help");
}

/* "scalar%d" with another text for its %d. */
static void write_numbered(FILE *file, const char *form, const char *number)
{
  size_t stem = strcspn(form, "%");
  (void)fprintf(file, "%.*s%s%s", (int)stem, form, form[stem] ? number : "", form[stem] ? form + stem + 2 : "");
}

/* Write a quantity and all solvers that have the same one, unless an earlier family has written it. */
static void write_quantity(FILE *file, int part, const triad_quantity *q)
{
  char solvers[TRIAD_SOLVER_NAMES], by[TRIAD_SOLVER_NAMES], last[16];
  for (int p = 0; p < part; p++)
    for (const triad_quantity *other = triad_case_part_at(p)->quantities; other->name; other++)
      if (triad_quantity_reads_alike(other, q)) return;
  (void)triad_schema_quantity_solvers(q->name, q, solvers);
  (void)snprintf(last, sizeof last, "%d", q->most);
  (void)fputs("| `", file);
  write_numbered(file, q->name, "1");
  if (q->most > 0) (void)fputs("` to `", file);
  if (q->most > 0) write_numbered(file, q->name, last);
  (void)fprintf(file, "` | %s | %s | ", q->unit, solvers);
  for (const char *c = q->long_name; *c; c++)
    if (*c == '%') {
      (void)fputc('N', file);
      c++;
    } else {
      (void)fprintf(file, *c == '|' ? "\\|" : "%c", *c);
    }
  if (*triad_schema_quantity_shown_by(q, by)) {
    (void)fputs("; shown by default", file);
    if (strcmp(by, solvers) != 0) (void)fprintf(file, ", by %s", by);
  }
  (void)fputs(" |\n", file);
}

int triad_schema_write_quantities(FILE *file)
{
  (void)fputs("| quantity | unit | solvers | meaning |\n| --- | --- | --- | --- |\n", file);
  for (int p = 0; triad_case_part_at(p); p++)
    for (const triad_quantity *q = triad_case_part_at(p)->quantities; q->name; q++) write_quantity(file, p, q);
  return written(file, "the quantities");
}
