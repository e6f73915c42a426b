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
  const char *limit; /* of the step before */
  int warned;        /* 1: the warning about too long steps was printed */
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

/* Returns 1 if this step, at this time, is the last. */
int triad_loop_is_last(const triad_progress *progress, int64_t step, double t);

/* Progress of a flow that ends when it no longer changes, 0 to 1. */
double triad_loop_settled(const triad_loop *loop);

/* ---- loop_find.c ---- */

/* The newest valid checkpoint; or, where rows of the series that it has seen are gone, the newest one before it that
 * misses none, so that they are made again. *about is NULL where there is no checkpoint. Collective. */
int triad_loop_find(triad_loop *loop, char folder[TRIAD_PATH], triad_manifest **about);

/* What cannot be right whatever the flow, before it is made; the rest is seen when the checkpoint is read:
 * TRIAD_ERR_CASE. Not collective. */
int triad_loop_check_found(const triad_loop *loop, const char *folder, const triad_manifest *about);

/* The flow becomes that of the checkpoint. Collective. */
int triad_loop_resume(triad_loop *loop, const char *folder, const triad_manifest *about);

/* ---- loop_step.c ---- */

/* Warnings of the solver about the present state (solvers/solver.h, check_state). Collective. */
int triad_loop_check_state(triad_loop *r, const char *when);

/* Perform one step, write the files that are due, and handle requests. Returns TRIAD_STOPPED, TRIAD_LOOP_CHANGED or
 * TRIAD_ERR_BLOWUP. Collective. */
int triad_loop_advance(triad_loop *loop);

/* Returns st. Explains a blow-up once, even if the caller continues. */
int triad_loop_blown(triad_loop *loop, int st);

/* ---- loop_change.c: a change of the case; collective; TRIAD_LOOP_CHANGED if there is one ---- */

/* `triad set`: create the flow again from the checkpoint just written, with the changed case, which is equivalent to a
 * stop and a restart. */
int triad_loop_change_case(triad_loop *loop, int saved);

/* Adaptive grid size: if another grid serves the flow better, create the flow again there from the checkpoint just
 * written, as after a stop. */
int triad_loop_follow(triad_loop *loop);

/* A resumed run continues on the grid of its checkpoint, whatever grid the case began with. */
int triad_loop_follow_found(triad_loop *loop, const triad_manifest *found);

#endif
