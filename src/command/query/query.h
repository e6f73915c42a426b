/* Internal to `triad query`: points, checkpoints, the requested quantities, and the answer. One process. */
#ifndef TRIAD_COMMAND_QUERY_QUERY_H
#define TRIAD_COMMAND_QUERY_QUERY_H

#include "command/session/session.h"
#include "fft/at_points/at_points.h"
#include "store/disk.h"
#include "store/checkpoint/manifest.h"

#include <stdio.h>

enum { TRIAD_QUERY_COLUMNS = 512 };

typedef struct triad_query_points {
  int64_t n;
  double *x; /* [n][3] */
} triad_query_points;

/* One checkpoint, or the two that a time lies between. */
typedef struct triad_query_source {
  int n;
  char folder[2][TRIAD_PATH];
  triad_manifest *about[2];
  double t, share; /* the time asked for; of the second one */
} triad_query_source;

/* A number of each point: of which field, and which of triad_at_points; name: "u", "du_dx", "d2u_dxdy". */
typedef struct triad_query_column {
  char name[80], field[64];
  int number;
  double difference; /* of two checkpoints: rms over the points */
} triad_query_column;

/* Times of parts [s], in addition to those of triad_at_about. */
typedef struct triad_query_took {
  double points, checkpoint, pressure, start, answer;
} triad_query_took;

typedef struct triad_query {
  triad_query_points points;
  triad_query_source source;
  int n_columns;
  triad_query_column columns[TRIAD_QUERY_COLUMNS];
  double filter;  /* |k| that is kept; 0: all */
  double *values; /* [column][point]          */
  int threads;
  const char *device_word; /* of --device; NULL: auto           */
  int chosen;              /* 1 once it is known where          */
  triad_device *device;    /* NULL: the host                    */
  triad_at_about done;     /* of all fields                     */
  triad_query_took took;
} triad_query;

/* query_device.c: can the word of --device be had? TRIAD_ERR_USAGE, TRIAD_ERR_FEATURE. */
int triad_query_device_check(triad_query *q);

/* Create the evaluation at the points, with derivatives up to `order`, on the device of --device. auto: on a GPU if
 * one is available with enough memory, and if the host would need more time than starting the GPU; `fields`: number of
 * fields in all. TRIAD_ERR_FEATURE, TRIAD_ERR_MEMORY. */
int triad_query_at(triad_at_points **out, triad_query *q, const triad_session *s, const triad_layout *layout, int order,
                   double fields);
void triad_query_at_done(triad_query *q, triad_at_points **at); /* its times are kept; accepts NULL within */
void triad_query_report(const triad_query *q, triad_log *log);

/* query_points.c: from a file of rows x, y, z, an HDF5 file with a dataset `position`, or "lattice NX NY NZ" of a
 * box: points at L i/N, x fastest. Free points->x. TRIAD_ERR_INPUT, TRIAD_ERR_CASE with the row, TRIAD_ERR_USAGE,
 * TRIAD_ERR_MEMORY. */
int triad_query_points_make(triad_query_points *points, const char *at, const double length[3]);

/* Warn of points of a table that are not in the box, by more than a period below 0 or above its end. Not collective. */
void triad_query_points_doubt(const triad_query_points *points, const char *at, const double length[3], triad_log *log);

/* query_source.c: a run or a checkpoint, at a time (NULL: the newest). Every byte has been verified. TRIAD_ERR_INPUT,
 * TRIAD_ERR_CASE. The message is kept or printed. */
int triad_query_source_find(triad_query_source *source, const triad_session *s, const char *path, const char *time);
void triad_query_source_forget(triad_query_source *source);

/* All modes of a field of source number i: modes[column][kz][2]. */
int triad_query_source_read(const triad_query_source *source, int i, const char *field, double *modes);

/* query_values.c: what --what asks for, of the fields that there are. TRIAD_ERR_USAGE, TRIAD_ERR_CASE. */
int triad_query_columns(triad_query *q, const char *what);

/* Fill q->values, and the differences. */
int triad_query_evaluate(triad_query *q, const triad_session *s);

/* query_pressure.c: its modes, as of a field: modes[column][kz][2]. TRIAD_ERR_CASE where the checkpoint's solver has
 * none. */
#define TRIAD_QUERY_PRESSURE "pressure"
int triad_query_pressure(const triad_query_source *source, int i, triad_log *log, int threads, double *modes);

/* query_advect.c: points of `at` carried by the velocity of a run's checkpoints from one time to another, in
 * path->steps steps; free the path in any case. TRIAD_ERR_CASE where no checkpoints lie about a time, or they have
 * no velocity. */
typedef struct triad_query_path {
  int steps;
  double *t, *x, *u; /* [steps + 1]; places and velocities [steps + 1][n][3] */
} triad_query_path;
int triad_query_advect(triad_query *q, const triad_session *s, const char *run, const char *at, double from, double to,
                       triad_query_path *path);

/* query_paths.c */
void triad_query_path_free(triad_query_path *path);
int triad_query_path_csv(const triad_query *q, const triad_query_path *path, const char *shown, FILE *out);
int triad_query_path_h5(const triad_query *q, const triad_query_path *path, const char *shown, const char *name);

/* query_write.c: as CSV, or as an HDF5 file. */
int triad_query_write_csv(const triad_query *q, const char *shown, FILE *out);
int triad_query_write_h5(const triad_query *q, const char *shown, const char *path);

#endif
