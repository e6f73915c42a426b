/* Time series as tables: pieces of series.csv read, joined, and written as HDF5. */
#ifndef TRIAD_STORE_ROWS_SERIESTABLE_H
#define TRIAD_STORE_ROWS_SERIESTABLE_H

#include "base/status.h"

#include <stdint.h>

enum { TRIAD_SERIES_COLUMNS = 5200 /* a thousand scalars have five each */ };

typedef struct triad_series_column {
  char *name, *unit, *formula; /* from the "#" lines of the file */
} triad_series_column;

typedef struct triad_series_table {
  char *about;   /* the first line, without "# " */
  int n_columns; /* the first is step, the second t */
  triad_series_column columns[TRIAD_SERIES_COLUMNS];
  int64_t rows, room;
  double *values; /* [rows][n_columns] */
  int64_t gone;   /* rows that gave way to those of the piece added last */
} triad_series_table;

/* Add the rows of a series.csv to a table, which is empty ({0}) or has the same columns. Rows that the table has from
 * the step of the piece's first row on give way, as they do when a run resumes. A torn last line is left out.
 * TRIAD_ERR_INPUT, TRIAD_ERR_CASE with path and line for what is no series of Triad's, whatever bytes it holds. */
int triad_series_table_add(triad_series_table *table, const char *path);
void triad_series_table_free(triad_series_table *table);

/* Write it under a path that must not exist, and compare what reads back: a dataset [rows] a column, of 64-bit integers
 * for step and of doubles for the others, with unit and formula as attributes units and long_name, and t as their
 * dimension scale. TRIAD_ERR_IO; nothing is then left. */
int triad_series_table_write(const triad_series_table *table, const char *path);

#endif
