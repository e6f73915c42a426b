/* Error messages that are the same on every rank; captured log messages; agreement of ranks on the
 * results of callers. */
#include "drive/drive_internal.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char last[TRIAD_DRIVE_TEXT + 32];

const char *triad_drive_message(void) { return last; }

void triad_drive_begin(triad_drive *d)
{
  last[0] = '\0';
  triad_message_silence(1);
  triad_message_clear();
  if (d) d->errors[0] = '\0';
}

void triad_drive_hear(void *who, triad_level level, const char *text)
{
  static const char *const names[] = {"error", "warning", "info", "detail"};
  triad_drive *d = who;
  size_t n = strlen(names[level]) + 1 + strlen(text) + 2, errors = strlen(d->errors);
  if (level == TRIAD_LOG_ERROR)
    (void)snprintf(d->errors + errors, sizeof d->errors - errors, "%s%s", errors ? "\n" : "", text);
  if (d->n_said + n > 8 * TRIAD_DRIVE_TEXT) return;
  char *longer = realloc(d->said, d->n_said + n);
  if (!longer) return;
  d->said = longer;
  d->n_said += (size_t)sprintf(d->said + d->n_said, "%s %s\n", names[level], text);
}

const char *triad_drive_said(triad_drive *d)
{
  free(d->shown);
  d->shown = d->said;
  d->said = NULL;
  d->n_said = 0;
  return d->shown ? d->shown : "";
}

/* The text that this rank has: the message of the failure, errors in the case, or the captured log. */
static void find_text(triad_drive *d, char text[TRIAD_DRIVE_TEXT])
{
  if (triad_message()[0]) triad_message_reason(text, TRIAD_DRIVE_TEXT);
  else if (d && d->session.given && triad_case_error_count(d->session.given) > 0)
    (void)snprintf(text, TRIAD_DRIVE_TEXT, "%s", triad_case_errors(d->session.given));
  else (void)snprintf(text, TRIAD_DRIVE_TEXT, "%s", d ? d->errors : "");
  size_t n = strlen(text);
  while (n > 0 && text[n - 1] == '\n') text[--n] = '\0';
}

int triad_drive_end_local(triad_drive *d, int status)
{
  if (status != TRIAD_OK) find_text(d, last);
  triad_message_clear();
  return status;
}

int triad_drive_end(triad_drive *d, int status) { return triad_drive_end_on(&d->session.comm, d, status); }

int triad_drive_end_on(const triad_comm *comm, triad_drive *d, int status)
{
  char text[TRIAD_DRIVE_TEXT] = "";
  if (status == TRIAD_OK || comm->mpi == MPI_COMM_NULL || comm->size == 1) return triad_drive_end_local(d, status);
  find_text(d, text);
  int mine = text[0] ? comm->rank : comm->size, first = mine;
  if (MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm->mpi) == MPI_SUCCESS && first < comm->size)
    (void)MPI_Bcast(text, TRIAD_DRIVE_TEXT, MPI_CHAR, first, comm->mpi);
  (void)snprintf(last, sizeof last, "%s", text);
  triad_message_clear();
  return status;
}

/* Returns 1 when all ranks have arrived, 0 if they have not within `patience` seconds. */
static int met(MPI_Request *request, double patience)
{
  const struct timespec pause = {0, 200 * 1000};
  int done = 0;
  for (double begin = triad_now();;) {
    if (MPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return 0;
    if (done || triad_now() - begin > patience) return done;
    if (patience < INFINITY) (void)nanosleep(&pause, NULL);
  }
}

/* What ranks say to each other: maxima, each with the rank that has it. */
typedef struct saying {
  int status, rank, what, what_rank, other, other_rank; /* other: -what, so that its maximum is the least what */
} saying;

enum { LEAVING = 0, CALL_BACK = 1 /* numbers of calls */, SAYINGS = 3 };

static int post(const triad_comm *comm, int what, int status, saying *mine, saying *worst, MPI_Request *request)
{
  *mine = *worst = (saying){status, comm->rank, what, comm->rank, -what, comm->rank};
  return MPI_Iallreduce(mine, worst, SAYINGS, MPI_2INT, MPI_MAXLOC, comm->mpi, request) == MPI_SUCCESS;
}

int triad_drive_meet(triad_drive *d, int what, int status, const char *text, double patience)
{
  TRIAD_PLAIN_TEXT;
  const triad_comm *comm = &d->voices;
  saying mine, worst = {.status = status, .rank = comm->rank, .what = what, .other = -what};
  char why[TRIAD_DRIVE_TEXT] = "";
  triad_drive_begin(d);
  (void)snprintf(why, sizeof why, "%s", text ? text : "");
  if (comm->size > 1) {
    MPI_Request request;
    if (!post(comm, what, status, &mine, &worst, &request) ||
        !met(&request, status == TRIAD_OK ? INFINITY : patience)) {
      (void)fprintf(stderr,
                    "triad: rank %d: %s\ntriad: other ranks wait for this rank in another call: all ranks end\n",
                    comm->rank, why);
      (void)fflush(stderr);
      (void)MPI_Abort(comm->mpi, status);
    }
    if (-worst.other == LEAVING) {
      (void)snprintf(last, sizeof last, "rank %d: its program has ended, while rank %d calls the flow: %.500s",
                     worst.other_rank, comm->rank, why);
      return TRIAD_ERR_INTERNAL;
    }
    if (worst.status != TRIAD_OK) (void)MPI_Bcast(why, TRIAD_DRIVE_TEXT, MPI_CHAR, worst.rank, comm->mpi);
  }
  if (worst.status != TRIAD_OK && comm->size > 1) (void)snprintf(last, sizeof last, "rank %d: %s", worst.rank, why);
  else if (worst.status != TRIAD_OK) (void)snprintf(last, sizeof last, "%s", why);
  if (worst.status == TRIAD_OK && worst.what != -worst.other) {
    (void)snprintf(last, sizeof last, "ranks call different functions of a flow at the same time: rank %d calls %.500s",
                   comm->rank, why[0] ? why : "no function that is called by all ranks: its callback has returned");
    return TRIAD_ERR_USAGE;
  }
  return worst.status;
}

int triad_drive_agree(triad_drive *d, int status, const char *text, double patience)
{
  return triad_drive_meet(d, CALL_BACK, status, text, patience);
}

typedef struct leaving {
  saying mine, worst;
  MPI_Request request;
  int done;
} leaving;

/* Another rank calls this flow: it has been given 70 by that call, and may say so before all end. */
static void leave_alone(const triad_comm *comm, const leaving *l, double patience)
{
  const struct timespec pause = {(time_t)patience, (long)(1e9 * (patience - floor(patience)))};
  (void)fprintf(stderr, "triad: rank %d: its program has ended, while rank %d calls the flow: all ranks end\n",
                comm->rank, l->worst.what_rank);
  (void)fflush(stderr);
  (void)nanosleep(&pause, NULL);
  (void)MPI_Abort(comm->mpi, TRIAD_ERR_INTERNAL);
}

int triad_drive_leave(triad_drive **drives, int n, double patience)
{
  const struct timespec pause = {0, 2 * 1000 * 1000};
  leaving *l = calloc((size_t)n + 1, sizeof *l);
  int left = n;
  if (!l) return TRIAD_ERR_MEMORY;
  for (int i = 0; i < n; i++) /* of all flows at once: the others may be about to leave or to call any of them */
    if (!post(&drives[i]->voices, LEAVING, TRIAD_OK, &l[i].mine, &l[i].worst, &l[i].request)) {
      free(l);
      return TRIAD_ERR_INTERNAL;
    }
  while (left > 0) {
    for (int i = 0; i < n; i++) {
      if (l[i].done || MPI_Test(&l[i].request, &l[i].done, MPI_STATUS_IGNORE) != MPI_SUCCESS || !l[i].done) continue;
      left--;
      if (l[i].worst.what != LEAVING) leave_alone(&drives[i]->voices, &l[i], patience);
    }
    if (left > 0) (void)nanosleep(&pause, NULL);
  }
  free(l);
  return TRIAD_OK;
}

int triad_drive_reduce(triad_drive *d, int what, int n, double *x)
{
  const MPI_Op op = what == 0 ? MPI_SUM : what == 1 ? MPI_MIN : MPI_MAX;
  triad_drive_begin(d);
  return triad_drive_end_local(d, TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, op, d->session.comm.mpi)));
}
