/* Start and end MPI, the log and the context of a subcommand, and load a case on rank 0 for all ranks. */
#include "command/session/session.h"
#include "command/session/startup.h"
#include "case/case_load.h"

#include "command/command.h"
#include "command/session/settings.h"
#include "parallel/share_text.h"
#include "parallel/host/gpus.h"
#include "run/check.h"
#include "run/resources.h"
#include "solvers/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One process without a launcher sends messages only to itself. So Open MPI need not start its daemon or search for
 * networks, which takes longer than the first step of a small flow. It also need not create a session folder: all such
 * processes of a user share it, and one that ends could remove that of one that starts. Settings of the user take
 * precedence. */
static void spare_open_mpi(void)
{
  if (triad_launched_as() >= 0) return;
  (void)setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  (void)setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  (void)setenv("OMPI_MCA_pml", "ob1", 0);
  (void)setenv("OMPI_MCA_btl", "self", 0);
}

int triad_session_mpi(int *started)
{
  int there = 0, provided;
  triad_solvers_register();
  TRIAD_TRY(TRIAD_MPI(MPI_Initialized(&there)));
  *started = !there;
  if (there) return TRIAD_OK;
  spare_open_mpi();
  triad_startup_look();
  return TRIAD_MPI(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided));
}

static int check_threads(void)
{
  int provided = MPI_THREAD_SINGLE;
  TRIAD_TRY(TRIAD_MPI(MPI_Query_thread(&provided)));
  if (provided >= MPI_THREAD_FUNNELED) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                    "this MPI library does not allow other threads than its own (MPI_THREAD_FUNNELED)");
}

int triad_session_open(triad_session *s, const triad_log_options *log)
{
  triad_log_options own = *log;
  own.rank = s->comm.rank;
  TRIAD_TRY(triad_agree(&s->comm, check_threads()));
  TRIAD_TRY(triad_agree(&s->comm, triad_log_create(&s->log, &own)));
  triad_startup_tell(s->log);
  return triad_binding_create(&s->binding, &s->comm);
}

static int begin(triad_session *s, int argc, char **argv, const triad_option *table, triad_arguments *a)
{
  int started;
  memset(s, 0, sizeof *s);
  s->comm = (triad_comm){MPI_COMM_NULL, 0, 1};
  TRIAD_TRY(triad_session_mpi(&started));
  TRIAD_TRY(triad_comm_create(&s->comm, MPI_COMM_WORLD));
  int st = triad_options_parse(argc, argv, table, a);
  a->log.rank = s->comm.rank;
  TRIAD_TRY(triad_agree(&s->comm, st));
  return triad_session_open(s, &a->log);
}

static int parse(triad_session *s, const char *name, const triad_arguments *a)
{
  int st = triad_case_parse(&s->given, name, s->text, s->text_length, a->sets, a->n_sets);
  if (st == TRIAD_ERR_CASE && s->given) {
    if (s->comm.rank == 0 && !s->silent) (void)fprintf(stderr, "%s", triad_case_errors(s->given));
    triad_message_clear(); /* the errors say it all */
  }
  return st;
}

/* Before anything else touches a GPU. */
static int take_gpu(triad_session *s, int *gpu)
{
  char name[256], bus[TRIAD_DEVICE_BUS];
  int sharers = s->sharers;
  *gpu = s->gpu;
  if (sharers == 0) TRIAD_TRY(triad_gpus_choose(gpu, &sharers, &s->comm, s->binding));
  if (*gpu >= 0 && triad_device_describe(*gpu, name, bus)) triad_binding_seat(s->binding, name, bus, sharers);
  return TRIAD_OK;
}

static int make_context(triad_session *s, const char *path)
{
  int gpu = -1;
  if (!triad_case_is(s->given, "parallel.device", "cpu")) TRIAD_TRY(take_gpu(s, &gpu));
  if (s->takes_tuned) TRIAD_TRY(triad_tuned_apply(s, path));
  int asked = (int)triad_case_integer(s->given, "parallel.threads");
  int threads = asked > 0 ? asked : s->threads > 0 ? s->threads : triad_binding_threads(s->binding);
  TRIAD_TRY(triad_context_create(&s->context, s->comm.mpi, threads));
  s->context->gpu = gpu;
  return triad_binding_gather(s->binding, &s->comm, s->context->threads);
}

int triad_session_case_text(triad_session *s, const char *name, const char *text, const triad_arguments *a)
{
  s->text_length = strlen(text);
  s->text = strdup(text);
  int st = s->text ? parse(s, name, a) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the case's text");
  TRIAD_TRY(triad_agree(&s->comm, st));
  if (s->dir) TRIAD_TRY(triad_settings_hold(s, name, a));
  return make_context(s, name);
}

int triad_session_text(triad_session *s, const char *path)
{
  int st = s->comm.rank == 0 ? triad_case_load_text(path, &s->text, &s->text_length) : TRIAD_OK;
  int64_t length = (int64_t)s->text_length;
  TRIAD_TRY(triad_agree(&s->comm, st));
  TRIAD_TRY(triad_comm_share_text(&s->comm, &s->text, &length));
  s->text_length = (size_t)length;
  return TRIAD_OK;
}

int triad_session_case(triad_session *s, const char *path, const triad_arguments *a)
{
  TRIAD_TRY(triad_session_text(s, path));
  TRIAD_TRY(triad_agree(&s->comm, parse(s, path, a)));
  if (s->dir) TRIAD_TRY(triad_settings_hold(s, path, a));
  return make_context(s, path);
}

int triad_session_check(triad_session *s, triad_needs *needs)
{
  needs->brief = s->comm.rank > 0;
  needs->ranks = &s->comm;
  TRIAD_TRY(triad_agree(&s->comm, triad_check(s->given, s->comm.size, s->context->threads, needs)));
  for (int i = 0; i < needs->warnings.n; i++) triad_log_warning(s->log, "%s", needs->warnings.text[i]);
  if (!s->dir) triad_needs_drop_files(&needs->rank); /* it writes nothing */
  TRIAD_TRY(triad_resources_memory(&s->comm, s->given, needs, s->log));
  return triad_resources_gpu(s->context, s->given, needs, triad_binding_place(s->binding)->gpu_ranks, s->log);
}

void triad_session_record(triad_session *s, int status)
{
  enum { MOST = 1024 };
  char text[MOST] = "";
  if (status == TRIAD_OK || status == TRIAD_STOPPED) return;
  (void)snprintf(text, sizeof text, "%s", triad_message());
  int mine = text[0] ? s->comm.rank : s->comm.size, first = mine;
  if (MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, s->comm.mpi) != MPI_SUCCESS || first == s->comm.size) return;
  if (MPI_Bcast(text, MOST, MPI_CHAR, first, s->comm.mpi) != MPI_SUCCESS) return;
  if (s->comm.size > 1) triad_log_record(s->log, TRIAD_LOG_ERROR, "rank %d: %s", first, text);
  else triad_log_record(s->log, TRIAD_LOG_ERROR, "%s", text);
}

void triad_session_close(triad_session *s)
{
  triad_case_destroy(&s->given);
  free(s->text);
  s->text = NULL;
  triad_context_destroy(&s->context);
  triad_binding_destroy(&s->binding);
  triad_log_destroy(&s->log);
  triad_comm_destroy(&s->comm);
}

static int end(triad_session *s, int status)
{
  /* what ranks have agreed on has been printed; this is for a failure that all met alike */
  if (status != TRIAD_OK && s->comm.rank == 0) {
    triad_log_clear(s->log);
    triad_message_print(-1);
  }
  triad_session_close(s);
  int initialised = 0;
  (void)MPI_Initialized(&initialised);
  if (initialised) (void)MPI_Finalize();
  return status;
}

int triad_session_run(int argc, char **argv, const triad_option *table, triad_session_work *work, void *choices)
{
  triad_session s;
  triad_arguments a;
  int st = begin(&s, argc, argv, table, &a);
  return end(&s, st == TRIAD_OK ? work(&s, &a, choices) : st);
}

int triad_session_alone(int argc, char **argv, const triad_option *table, triad_session_work_alone *work, void *choices)
{
  triad_arguments a;
  triad_log *log = NULL;
  if (triad_launched_as() > 0) return TRIAD_OK;
  int st = triad_options_parse(argc, argv, table, &a);
  if (st == TRIAD_OK) st = triad_log_create(&log, &a.log);
  if (st == TRIAD_OK) st = work(log, &a, choices);
  if (st != TRIAD_OK) {
    triad_log_clear(log);
    triad_message_print(-1);
  }
  triad_log_destroy(&log);
  return st;
}
