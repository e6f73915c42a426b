/* Declarations shared by the files of the time loop: loop.c, loop_*.c, and run.c, which runs one case after another. */
#ifndef TRIAD_RUN_LOOP_H
#define TRIAD_RUN_LOOP_H

#include "run/outputs.h"
#include "run/run.h"

struct triad_loop {
  triad_simulation sim;
  const triad_run_options *options;
  const triad_case *next; /* the case to continue with, NULL: this one */
  int changes;            /* how often it has changed */
  int64_t grid[3];        /* or of as many points, for a reason; grid[0] = 0: as they are */
  char why[192];
  triad_log *log;
  const triad_instant *at; /* where the flow is */
  triad_step step;
  const char *limit;     /* of the step before */
  int warned;            /* 1: the warning about too long steps was printed */
  int told_of_diffusion; /* 1: the message about explicit diffusion was printed */
  /* tiny: consecutive steps that reach no output time; stuck: there were too many, or a blow-up was reported */
  int tiny, stuck;
  triad_progress progress;
  triad_status status;
  triad_stop_requests stop;
  triad_outputs out;
  double land_on; /* for who drives it: a time not to be stepped over; infinity: none */
  int resumed, is_open;
  int missed;                 /* its last step has come before the flow has settled, as its case asks */
  triad_column_info *columns; /* [out.info.n] where columns have been added, else NULL */
};

/* ---- loop_end.c; not collective ---- */

#endif
