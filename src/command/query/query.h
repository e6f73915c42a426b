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

#endif
