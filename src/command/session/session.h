/* Set-up of run, bench and spectra: MPI, the log, the ranks and threads, and a case that all ranks share. */
#ifndef TRIAD_COMMAND_SESSION_SESSION_H
#define TRIAD_COMMAND_SESSION_SESSION_H

#include "case/case.h"
#include "command/options.h"
#include "parallel/host/bind.h"
#include "parallel/context.h"
#include "solvers/needs.h"
#include "store/formats/tuned.h"

typedef struct triad_session {
  triad_comm comm; /* of the session itself; the context duplicates it */
  triad_log *log;
  triad_binding *binding;
  triad_context *context; /* after triad_session_case */
  triad_case *given;
  const char *dir; /* set by a command whose case goes with a run: what `triad set` has changed there holds; NULL */
  int changes;     /* how often it has */
  int threads;     /* of a rank where the case does not say, 0: as its cores allow */
  int takes_tuned; /* set by a command that steps: what triad tune has found goes into the case */
  /* this rank's GPU and the number of ranks on it; sharers 0: not assigned yet */
  int gpu, sharers;
  double steps; /* that were taken, and those times points, on rank 0 */
  double work;
  char *text; /* of the case file */
  size_t text_length;
  const char *program; /* that drives it, for the provenance; NULL: triad run */
  int silent;          /* errors of the case are for who calls to read, and are not printed */
} triad_session;

/* The parts of a session without a command line, in this order. mpi: initialise MPI if necessary (*started). open:
 * with s->comm made, open the log and read the binding. After triad_session_case and the work everything except MPI is
 * freed. Collective. */
int triad_session_mpi(int *started);
int triad_session_open(triad_session *s, const triad_log_options *log);
void triad_session_close(triad_session *s);

/* Run a subcommand from its options to its exit code: MPI_Init, the options (an error is reported once), `work`,
 * pending messages, MPI_Finalize. Collective. */
typedef int triad_session_work(triad_session *s, triad_arguments *arguments, void *choices);
int triad_session_run(int argc, char **argv, const triad_option *table, triad_session_work *work, void *choices);

/* Likewise for work of one process, without MPI: of several ranks all but the first have nothing to do. */
typedef int triad_session_work_alone(triad_log *log, triad_arguments *arguments, void *choices);
int triad_session_alone(int argc, char **argv, const triad_option *table, triad_session_work_alone *work,
                        void *choices);

/* The text of the case file, from rank 0 to all. Collective. */
int triad_session_text(triad_session *s, const char *path);

/* Load the case on rank 0, parse it everywhere, make the context with its threads. All errors of the case have been
 * printed when it returns TRIAD_ERR_CASE. Collective. */
int triad_session_case(triad_session *s, const char *path, const triad_arguments *arguments);

/* The same for a case whose text is in memory on every rank. */
int triad_session_case_text(triad_session *s, const char *name, const char *text, const triad_arguments *arguments);

/* Can the case run on these ranks, and do they have the memory (run/check.h)? Before anything is written.
 * Collective. */
int triad_session_check(triad_session *s, triad_needs *needs);

/* After a failure that has been printed: into the log's file too, whichever rank met it. Collective. */
void triad_session_record(triad_session *s, int status);

/* ---- tuned.c: results of `triad tune` for commands that compute steps: next to the case, then in the user's cache
 * ---- */

/* Which entry this session's case and machine have. Collective. */
int triad_tuned_key_of(const triad_session *s, triad_tuned_key *key);

/* The folder of a case file, "." for one without; in out[size]. */
void triad_tuned_folder(const char *case_path, char *out, size_t size);

/* Put an entry's values in the place of the keys that the case leaves open (nstreams 0, transport auto, threads 0); the
 * log says so. Collective. */
int triad_tuned_apply(triad_session *s, const char *case_path);

/* The values of `entry` into such keys of a case. Not collective. */
int triad_tuned_put(triad_case *given, const triad_tuned *entry, const char *origin);

/* Is nothing in it that a case would not take by itself? Its keys of the solver's own, each after a comma. */
enum { TRIAD_TUNED_TEXT = TRIAD_TUNED_MAX * 68 };
int triad_tuned_is_default(const triad_tuned *entry);
const char *triad_tuned_own_text(const triad_tuned *entry, char text[TRIAD_TUNED_TEXT]);

#endif
