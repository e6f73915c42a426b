/* The table of keys as the manual page triad-case(5), and as words for the shell's completion. */
#include "base/roff.h"
#include "case/schema.h"
#include "base/status.h"

#include <string.h>

static const char *const opening[] = {
  "A case is a TOML file. Each key is checked before anything is written; all errors are reported at once with file, line "
  "and column. A number may also be written as text that multiplies and divides numbers and pi: \"2pi\", \"pi/2\", "
  "\"1/400\". Arrays over the axes are in the order x, y, z. Units are those of the case.",
  "--set table.key=value on the command line replaces a value of the file, the later the stronger."};

static void write_facts(FILE *file, const triad_key *key)
{
  char kind[512], preset[128], all[1400];
  triad_schema_describe(key, 1, kind, sizeof kind);
  triad_schema_preset(key, preset, sizeof preset);
  (void)snprintf(all, sizeof all, "%s%s%s%s; %s%s.%s%s%s", kind, key->unit ? " [" : "", key->unit ? key->unit : "",
                 key->unit ? "]" : "", key->preset ? "default " : "required, such as ", preset,
                 key->solvers ? " Solvers: " : "", key->solvers ? key->solvers : "", key->solvers ? "." : "");
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
  for (int i = 0; i < triad_schema_size; i++) {
    const triad_key *key = &triad_schema[i], *before = key - 1;
    size_t table = triad_schema_table_length(key);
    if (i == 0 || table != triad_schema_table_length(before) || memcmp(key->name, before->name, table) != 0)
      (void)fprintf(file, ".SS %s%.*s%s\n", table ? "[" : "Top level", (int)table, key->name, table ? "]" : "");
    (void)fputs(".TP\n", file);
    triad_roff_bold(file, triad_schema_short_name(key));
    triad_roff_line(file, key->help);
    (void)fputs(".br\n", file);
    write_facts(file, key);
  }
  (void)fputs(".SH SEE ALSO\n.BR triad (1)\n", file);
  return ferror(file) ? TRIAD_FAIL(TRIAD_ERR_IO, "writing the manual page of the case file") : TRIAD_OK;
}

int triad_schema_write_words(FILE *file)
{
  for (int i = 0; i < triad_schema_size; i++) {
    const triad_key *key = &triad_schema[i];
    (void)fprintf(file, "    %s=)", key->name);
    if (key->type == TRIAD_KEY_FLAG) (void)fputs(" echo true false", file);
    if (key->type == TRIAD_KEY_WORD && key->count == 1) {
      (void)fputs(" echo", file);
      for (const char *const *word = key->words; *word; word++) (void)fprintf(file, " %s", *word);
    }
    (void)fputs(" ;;\n", file);
  }
  return ferror(file) ? TRIAD_FAIL(TRIAD_ERR_IO, "writing the words of the case file") : TRIAD_OK;
}
