/* Write the table of keys as the manual page triad-case(5), and as words for shell completion. */
#include "base/status.h"
#include "base/text.h"
#include "case/schema.h"
#include "case/schema/schema_manual.h"

#include <string.h>

static const char *const opening[] = {
  "A case is a TOML file. Each key is checked before anything is written; all errors are reported together with file, "
  "line and column. A number may also be written as text, a formula: \"2pi\", \"1/400\", \"U*L/Re\" of numbers and of "
  "names in the table [parameters]. Arrays over the axes are in the order x, y, z. Units are those of the case.",
  "--set table.key=value on the command line replaces a value of the file; a later --set overrides an earlier one."};

static void write_key(FILE *file, const triad_schema *s, int i)
{
  const triad_schema_row *row = &s->row[i];
  const triad_key *key = row->key;
  const triad_word *w;
  size_t table = triad_schema_table_length(key);
  char solvers[TRIAD_SOLVER_NAMES], name[256], facts[TRIAD_KIND + 256], all[TRIAD_KIND + 1024];
  if (triad_schema_opens(s, i))
    (void)fprintf(file, ".SS %s%.*s%s\n",
                  !table          ? "Top level"
                  : key->repeated ? "[["
                                  : "[",
                  (int)table, key->name,
                  !table          ? ""
                  : key->repeated ? "]]"
                                  : "]");
  (void)fputs(".TP\n", file);
  triad_roff_bold(file, triad_schema_short_name(key));
  triad_roff_line(file, key->help);
  for (int at = 0; (w = triad_schema_told(key, &at, name, sizeof name)) != NULL;) {
    (void)snprintf(all, sizeof all, "%s: %s.", name, w->about);
    (void)fputs(".br\n", file);
    triad_roff_line(file, all);
  }
  (void)fputs(".br\n", file);
  triad_schema_facts(key, 1, facts, sizeof facts);
  (void)triad_schema_row_solvers(row, solvers);
  (void)snprintf(all, sizeof all, "%s.%s%s%s", facts, solvers[0] ? " Solvers: " : "", solvers, solvers[0] ? "." : "");
  triad_roff_line(file, all);
}

int triad_schema_write_manual(FILE *file)
{
  triad_roff_title(file, "triad-case", 5);
  (void)fputs(".SH NAME\ntriad\\-case \\- the case file of triad\n.SH DESCRIPTION\n", file);
  for (size_t i = 0; i < sizeof opening / sizeof *opening; i++) {
    if (i > 0) (void)fputs(".PP\n", file);
    triad_roff_line(file, opening[i]);
  }
  (void)fputs(".SH KEYS\n", file);
  TRIAD_TRY(triad_schema_each(file, "the manual page of the case file", write_key));
  (void)fputs(".SH SEE ALSO\n.BR triad (1)\n", file);
  return TRIAD_OK;
}

static int is_first_of_name(const triad_schema *s, int i)
{
  return triad_schema_find(s, s->row[i].key->name, strlen(s->row[i].key->name)) == i;
}

/* Words of every row of a name, each once. */
static void write_words_of(FILE *file, const triad_schema *s, int first)
{
  const triad_word *w;
  char before[2048] = " ";
  for (int i = first; i < s->n && strcmp(s->row[i].key->name, s->row[first].key->name) == 0; i++)
    for (int j = 0; (w = triad_key_word(s->row[i].key, j)) != NULL; j++) {
      if (triad_solver_among(before, w->name) || strlen(before) + strlen(w->name) + 2 > sizeof before) continue;
      (void)fprintf(file, " %s", w->name);
      (void)strcat(strcat(before, w->name), " ");
    }
}

static void write_branch(FILE *file, const triad_schema *s, int i)
{
  const triad_key *key = s->row[i].key;
  if (!is_first_of_name(s, i)) return;
  (void)fprintf(file, "    %s=)", key->name);
  if (key->type == TRIAD_KEY_FLAG) (void)fputs(" echo true false", file);
  if (key->type == TRIAD_KEY_WORD && key->count == 1) {
    (void)fputs(" echo", file);
    write_words_of(file, s, i);
  }
  (void)fputs(" ;;\n", file);
}

int triad_schema_write_words(FILE *file) { return triad_schema_each(file, "the words of the case file", write_branch); }

static void write_name(FILE *file, const triad_schema *s, int i)
{
  if (is_first_of_name(s, i)) (void)fprintf(file, "%s%s=", i ? " " : "", s->row[i].key->name);
}

int triad_schema_write_names(FILE *file) { return triad_schema_each(file, "the keys of the case file", write_name); }
