/* What the time loop does each step besides computing, timed by itself: stop requests, the watchdog, what is due, progress. */
#ifndef TRIAD_RUN_CHECKS_H
#define TRIAD_RUN_CHECKS_H

#include "case/case.h"
#include "parallel/comm.h"

/* Seconds a step of these checks, mean of many, on this rank. That values are finite and that all ranks heed a request is
 * part of the reduction which finds dt, and costs nothing more. TRIAD_ERR_MEMORY. Not collective. */
int triad_checks_time(const triad_comm *comm, const triad_case *given, double *seconds);

#endif
