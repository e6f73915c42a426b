/* Write ensemble.csv, a row per run: its values, its exit code, and the last row of its series. */
#include "command/sweep/sweep_table.h"
#include "command/sweep/sweep.h"
#include "command/sweep/sweep_values.h"

#include "base/text.h"
#include "base/version.h"
#include "store/disk.h"
#include "store/rows/seriestable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text as CSV has it. */
static void put_text(FILE *f, const char *text)
{
  if (!strpbrk(text, ",\"\n")) {
    (void)fprintf(f, "%s", text);
    return;
  }
  (void)fputc('"', f);
  for (; *text; text++) {
    if (*text == '"') (void)fputc('"', f);
    (void)fputc(*text, f);
  }
  (void)fputc('"', f);
}

/* The series of run number `run`; one that has none is empty. */
static void load(const char *dir, int run, triad_series_table *table)
{
  char path[TRIAD_PATH];
  memset(table, 0, sizeof *table);
  if (triad_disk_path(path, "%s/run-%03d/series.csv", dir, run + 1) != TRIAD_OK ||
      triad_series_table_add(table, path) != TRIAD_OK) {
    triad_message_clear();
    triad_series_table_free(table);
    memset(table, 0, sizeof *table);
  }
}

/* The last number of a column of this name; empty where it means nothing. */
static void put_last(FILE *f, const triad_series_table *table, const char *name)
{
  for (int c = 0; c < table->n_columns && table->rows > 0; c++)
    if (strcmp(table->columns[c].name, name) == 0) {
      double value = table->values[(table->rows - 1) * table->n_columns + c];
      if (!isnan(value)) (void)fprintf(f, "%.17g", value);
    }
}

static void put_head(FILE *f, const triad_sweep *sweep, const triad_series_table *first)
{
  (void)fprintf(f, "# triad %s: the runs of a sweep; after exit_code, the last row of each series\n", triad_version());
  for (int c = 0; c < first->n_columns; c++)
    if (first->columns[c].unit)
      (void)fprintf(f, "# %s [%s]: %s\n", first->columns[c].name, first->columns[c].unit,
                    first->columns[c].formula ? first->columns[c].formula : "");
  (void)fprintf(f, "run");
  for (int k = 0; k < sweep->n_keys; k++) {
    (void)fputc(',', f);
    put_text(f, sweep->keys[k].key);
  }
  (void)fprintf(f, ",exit_code");
  for (int c = 0; c < first->n_columns; c++) (void)fprintf(f, ",%s", first->columns[c].name);
  (void)fputc('\n', f);
}

static void put_row(FILE *f, const triad_sweep *sweep, const char *dir, int run, int code,
                    const triad_series_table *first, triad_series_table *own)
{
  load(dir, run, own);
  (void)fprintf(f, "run-%03d", run + 1);
  for (int k = 0; k < sweep->n_keys; k++) {
    (void)fputc(',', f);
    put_text(f, triad_sweep_value(sweep, run, k));
  }
  (void)fprintf(f, ",%d", code);
  for (int c = 0; c < first->n_columns; c++) {
    (void)fputc(',', f);
    put_last(f, own, first->columns[c].name);
  }
  (void)fputc('\n', f);
  triad_series_table_free(own);
}

int triad_sweep_table(const triad_sweep *sweep, const char *dir, const int *codes)
{
  char *text = NULL;
  size_t size = 0;
  triad_series_table *tables = calloc(2, sizeof *tables);
  FILE *f = tables ? open_memstream(&text, &size) : NULL;
  if (f) {
    for (int run = 0; run < sweep->n_runs && tables[0].n_columns == 0; run++) load(dir, run, &tables[0]);
    put_head(f, sweep, &tables[0]);
    for (int run = 0; run < sweep->n_runs; run++) put_row(f, sweep, dir, run, codes[run], &tables[0], &tables[1]);
    triad_series_table_free(&tables[0]);
  }
  int st = f && fclose(f) == 0 ? triad_disk_replace(dir, "ensemble.csv", text, (int64_t)size)
                               : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the table of a sweep");
  free(tables);
  free(text);
  return st;
}
