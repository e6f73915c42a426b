#include "case/schema.h"

#include "base/status.h"

#include <string.h>

static int written(FILE *file, const char *what)
{
  return ferror(file) ? TRIAD_FAIL(TRIAD_ERR_IO, "writing %s", what) : TRIAD_OK;
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

/* "a number at least 0 [length^2/time]; default 0.5" */
static void write_facts(FILE *file, const char *margin, const triad_key *key)
{
  char kind[512], preset[128], all[1280];
  triad_schema_describe(key, 1, kind, sizeof kind);
  triad_schema_preset(key, preset, sizeof preset);
  (void)snprintf(all, sizeof all, "%s%s%s%s; %s%s", kind, key->unit ? " [" : "", key->unit ? key->unit : "",
                 key->unit ? "]" : "", key->preset ? "default " : "required", key->preset ? preset : "");
  write_wrapped(file, margin, all);
  if (key->solvers) {
    (void)snprintf(all, sizeof all, "solvers: %s", key->solvers);
    write_wrapped(file, margin, all);
  }
}

static int same_table(const triad_key *a, const triad_key *b)
{
  size_t length = triad_schema_table_length(a);
  return length == triad_schema_table_length(b) && memcmp(a->name, b->name, length) == 0;
}

static int opens_table(int i) { return i == 0 || !same_table(&triad_schema[i], &triad_schema[i - 1]); }

static const char *example_solver(void)
{
  int i = triad_schema_find("equations.solver", strlen("equations.solver"));
  return i < 0 ? NULL : triad_schema[i].example;
}

int triad_schema_write_defaults(FILE *file)
{
  (void)fputs("# Every key of a Triad case, with its default; of the required ones, an example.\n"
              "# Numbers may be written as text, too: \"2pi\", \"pi/2\", \"1/400\".\n",
              file);
  for (int i = 0; i < triad_schema_size; i++) {
    const triad_key *key = &triad_schema[i];
    size_t table = triad_schema_table_length(key);
    if (table && opens_table(i)) (void)fprintf(file, "\n[%.*s]\n", (int)table, key->name);
    (void)fputc('\n', file);
    write_wrapped(file, "# ", key->help);
    write_facts(file, "# ", key);
    char value[128];
    triad_schema_preset(key, value, sizeof value);
    /* keys that the example's solver does not know would make the file invalid */
    (void)fprintf(file, "%s%s = %s\n", triad_schema_applies(key, example_solver()) ? "" : "# ",
                  triad_schema_short_name(key), value);
  }
  return written(file, "the default case");
}

static const char preamble[] =
  "# The case file\n\n"
  "<!-- Generated from src/case/schema_table.c: edit the table, not this page. -->\n\n"
  "A case is a [TOML](https://toml.io) file. Each key is checked before anything is written; all errors are\n"
  "reported at once with file, line and column. A number may also be written as text that multiplies and\n"
  "divides numbers and pi: `\"2pi\"`, `\"pi/2\"`, `\"4*pi\"`, `\"1/400\"`. Arrays over the axes are in the\n"
  "order x, y, z. Units are those of the case: whatever length and time its numbers are meant in.\n\n"
  "`--set table.key=value` on the command line replaces a value of the file, the later the stronger. The value\n"
  "is TOML, and a bare word needs no quotes: `--set initial.kind=abc --set grid.n=[32,32,32]`. Setting one of\n"
  "`time.dt` and `time.cfl` takes the place of the other in the file. The case as it was understood, with the\n"
  "origin of each value, is written to `case.resolved.toml` in the run directory.\n";

int triad_schema_write_reference(FILE *file)
{
  (void)fputs(preamble, file);
  for (int i = 0; i < triad_schema_size; i++) {
    const triad_key *key = &triad_schema[i];
    size_t table = triad_schema_table_length(key);
    if (opens_table(i)) {
      if (table)
        (void)fprintf(file, "\n## [%.*s]\n\n", (int)table, key->name);
      else
        (void)fputs("\n## Top level\n\n", file);
      (void)fputs("| key | value | default | unit | solvers | meaning |\n"
                  "| --- | --- | --- | --- | --- | --- |\n",
                  file);
    }
    char kind[512], preset[128];
    triad_schema_describe(key, 1, kind, sizeof kind);
    triad_schema_preset(key, preset, sizeof preset);
    (void)fprintf(file, "| `%s` | %s | ", triad_schema_short_name(key), kind);
    if (key->preset)
      (void)fprintf(file, "`%s`", preset);
    else
      (void)fprintf(file, "required, such as `%s`", preset);
    (void)fprintf(file, " | %s | %s | ", key->unit ? key->unit : "", key->solvers ? key->solvers : "all");
    for (const char *c = key->help; *c; c++) (void)fprintf(file, *c == '|' ? "\\|" : "%c", *c);
    (void)fputs(" |\n", file);
  }
  return written(file, "the case reference");
}

int triad_schema_write_help(FILE *file, const char *prefix, int *count)
{
  size_t length = prefix ? strlen(prefix) : 0;
  *count = 0;
  for (int i = 0; i < triad_schema_size; i++) {
    const triad_key *key = &triad_schema[i];
    if (length && (strncmp(key->name, prefix, length) != 0 || (key->name[length] != '\0' && key->name[length] != '.')))
      continue;
    (void)fprintf(file, "%s%s\n", *count ? "\n" : "", key->name);
    write_facts(file, "    ", key);
    write_wrapped(file, "    ", key->help);
    *count += 1;
  }
  return written(file, "help");
}
