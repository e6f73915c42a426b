/* Create the log, send each message to the screen and the file, and redraw the progress line on a terminal. */
#include "base/log.h"

#include "base/clock.h"
#include "base/logline.h"
#include "base/sink.h"
#include "base/status.h"
#include "base/text.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double redraw_interval = 0.1; /* s, on a terminal */

struct triad_log {
  triad_log_options opt;
  pthread_mutex_t lock;
  triad_outlet out, err, file;
  int told_of_loss;       /* that the file loses messages                                */
  char progress[512];     /* the line that belongs on the terminal, escaped; "" for none */
  int drawn;              /* 1: the progress line is on the screen */
  double last, last_kept; /* when progress was shown, and when written to the file       */
  double looked;          /* when the terminal was looked at                             */
  struct sigaction sigpipe, sigxfsz;
  int warnings;
};

triad_log_options triad_log_defaults(int rank)
{
  return (triad_log_options){.rank = rank, .level = TRIAD_LOG_INFO, .interval = 30, .columns = -1, .out = 1, .err = 2};
}

int triad_log_option(triad_log_options *o, const char *arg, int *taken)
{
  static const char format[] = "--log-format=";
  *taken = 1;
  if (strcmp(arg, "-q") == 0 || strcmp(arg, "--quiet") == 0) {
    o->level = TRIAD_LOG_WARNING;
  } else if (strcmp(arg, "-v") == 0 || strcmp(arg, "--verbose") == 0) {
    o->level = TRIAD_LOG_DETAIL;
  } else if (strncmp(arg, format, sizeof format - 1) == 0) {
    const char *name = arg + sizeof format - 1;
    o->json = strcmp(name, "jsonl") == 0;
    if (!o->json && strcmp(name, "text") != 0)
      return TRIAD_FAIL(TRIAD_ERR_USAGE, "--log-format must be text or jsonl, not \"%s\"", name);
  } else {
    *taken = 0;
  }
  return TRIAD_OK;
}

/* Ignore a signal whose default would end the run, unless somebody has taken it over. */
static void ignore(int signal_number, struct sigaction *before)
{
  struct sigaction quiet = {.sa_handler = SIG_IGN};
  if (sigaction(signal_number, NULL, before) == 0 && before->sa_handler == SIG_DFL)
    (void)sigaction(signal_number, &quiet, NULL);
}

static void restore(int signal_number, const struct sigaction *before)
{
  if (before->sa_handler == SIG_DFL) (void)sigaction(signal_number, before, NULL);
}

static int wants_colour(const triad_log_options *o, int fd)
{
  if (o->columns >= 0) return o->columns > 0 && !triad_terminal_no_colour();
  return triad_terminal_colour(fd);
}

int triad_log_create(triad_log **out, const triad_log_options *options)
{
  triad_log *log = *out = calloc(1, sizeof *log);
  if (!log) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the log");
  log->opt = *options;
  triad_logstyle screen = options->json ? TRIAD_LOGSTYLE_JSON : TRIAD_LOGSTYLE_SCREEN;
  triad_outlet_init(&log->out, options->out, screen, wants_colour(options, options->out));
  triad_outlet_init(&log->err, options->err, screen, wants_colour(options, options->err));
  triad_outlet_init(&log->file, -1, options->json ? TRIAD_LOGSTYLE_JSON : TRIAD_LOGSTYLE_FILE, 0);
  log->last = log->last_kept = log->looked = -1e300;
  (void)pthread_mutex_init(&log->lock, NULL);
  ignore(SIGPIPE, &log->sigpipe);
  ignore(SIGXFSZ, &log->sigxfsz);
  return TRIAD_OK;
}

/* --- the progress line on a terminal ---------------------------------------------------------------------------- */

/* Width of the terminal on which a line can be rewritten; 0 if there is none. */
static int rewritable_columns(const triad_log *log)
{
  if (log->opt.json) return 0;
  return log->opt.columns >= 0 ? log->opt.columns : triad_terminal_columns(log->opt.out);
}

static const char erase_line[] = "\r\033[K";

static void erase(triad_log *log)
{
  if (log->drawn) (void)triad_sink_write(&log->out.sink, erase_line, sizeof erase_line - 1);
  log->drawn = 0;
}

/* One column stays free: a full line would make some terminals wrap. */
static void draw(triad_log *log)
{
  if (!log->progress[0] || log->drawn) return;
  char text[sizeof erase_line + sizeof log->progress], *line = text + sizeof erase_line - 1;
  int room = rewritable_columns(log) - 1;
  memcpy(text, erase_line, sizeof erase_line - 1);
  memcpy(line, log->progress, strlen(log->progress) + 1);
  triad_escape_squeeze(line, room);
  size_t fits = triad_escape_fit(line, strlen(line), room);
  (void)fflush(stdout);
  (void)triad_sink_write(&log->out.sink, text, sizeof erase_line - 1 + fits);
  log->drawn = 1;
}

/* Leave the progress line and continue on the next line. */
static void finish(triad_log *log)
{
  if (log->drawn) (void)triad_sink_write(&log->out.sink, "\n", 1);
  log->drawn = 0;
  log->progress[0] = '\0';
}

/* --- the file --------------------------------------------------------------------------------------------------- */

/* Into the file, or kept until there is one. */
static void keep_line(triad_log *log, const triad_logline *line)
{
  if (log->file.sink.fd < 0) {
    triad_outlet_keep(&log->file, line);
  } else if (triad_outlet_write(&log->file, line)) {
    log->told_of_loss = 0;
  } else if (!log->told_of_loss) {
    char text[256];
    triad_logline note = *line;
    note.level = TRIAD_LOG_WARNING;
    note.text = text;
    const char *why = strerror(log->file.sink.error);
    note.length = (size_t)snprintf(text, sizeof text, "messages are missing in the log file: %s", why);
    erase(log);
    (void)triad_outlet_write(&log->err, &note);
    log->told_of_loss = 1;
  }
}

int triad_log_file(triad_log *log, const char *path)
{
  if (!log || log->opt.rank != 0) return TRIAD_OK;
  pthread_mutex_lock(&log->lock);
  const char *why = triad_outlet_open(&log->file, path);
  pthread_mutex_unlock(&log->lock);
  return why ? TRIAD_FAIL(TRIAD_ERR_IO, "cannot write the log file %s: %s", path, why) : TRIAD_OK;
}

/* --- messages --------------------------------------------------------------------------------------------------- */

static void say(triad_log *log, triad_level level, const char *format, va_list args)
{
  char small[1024], *text = small;
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(small, sizeof small, format, args);
  size_t length = n < 0 ? 0 : (size_t)n;
  if (length >= sizeof small) {
    text = malloc(length + 1);
    if (text) {
      (void)vsnprintf(text, length + 1, format, again);
    } else { /* better cut short than silent */
      text = small;
      length = sizeof small - 1;
    }
  }
  va_end(again);
  if (length > 0 && text[length - 1] == '\n') length--;

  triad_logline line = {.level = (int)level, .text = text, .length = length};
  pthread_mutex_lock(&log->lock);
  triad_logline_stamp(&line);
  if (log->opt.hear) log->opt.hear(log->opt.who, level, text);
  if (level <= log->opt.level) {
    int is_trouble = level <= TRIAD_LOG_WARNING;
    /* a launcher may pass stderr on before or after what happens on stdout: erase there too, in one piece */
    if (is_trouble && log->drawn && log->opt.columns < 0 && triad_terminal_shared(log->opt.out, log->opt.err))
      log->err.lead = erase_line;
    erase(log);
    if (!is_trouble) (void)fflush(stdout); /* keep the order with what others print */
    (void)triad_outlet_write(is_trouble ? &log->err : &log->out, &line);
  }
  keep_line(log, &line);
  draw(log);
  pthread_mutex_unlock(&log->lock);
  if (text != small) free(text);
}

void triad_log_say(triad_log *log, triad_level level, const char *format, ...)
{
  if (!log || log->opt.rank != 0) return;
  va_list args;
  va_start(args, format);
  if (level == TRIAD_LOG_WARNING) {
    (void)pthread_mutex_lock(&log->lock);
    log->warnings++;
    (void)pthread_mutex_unlock(&log->lock);
  }
  say(log, level, format, args);
  va_end(args);
}

void triad_log_record(triad_log *log, triad_level level, const char *format, ...)
{
  char text[2048];
  if (!log || log->opt.rank != 0) return;
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  triad_logline line = {.level = (int)level, .text = text, .length = strlen(text)};
  pthread_mutex_lock(&log->lock);
  triad_logline_stamp(&line);
  keep_line(log, &line);
  draw(log);
  pthread_mutex_unlock(&log->lock);
}

int triad_log_warnings(const triad_log *log) { return log ? log->warnings : 0; }

static void remember(triad_log *log, const char *text)
{
  (void)triad_escape(log->progress, sizeof log->progress, text, strlen(text), TRIAD_ESCAPE_PLAIN);
}

static void show_progress(triad_log *log, const triad_logline *line, double now, int final)
{
  log->looked = now;
  if (rewritable_columns(log) > 0) {
    remember(log, line->text);
    log->drawn = 0;
    draw(log);
    log->last = now;
    if (final) finish(log);
  } else {
    finish(log); /* there was a terminal a moment ago */
    if (!final && now - log->last < log->opt.interval) return;
    (void)fflush(stdout);
    (void)triad_outlet_write(&log->out, line);
    log->last = now;
  }
}

void triad_log_progress(triad_log *log, const char *text, int final)
{
  if (!log || log->opt.rank != 0) return;
  pthread_mutex_lock(&log->lock);
  double now = triad_now();
  int shown = log->opt.level >= TRIAD_LOG_INFO;
  int due = shown && (final || now - log->looked >= fmin(redraw_interval, log->opt.interval));
  int due_in_file = final || now - log->last_kept >= log->opt.interval;
  if (shown && log->progress[0]) remember(log, text); /* the next redraw shows the newest */
  if (due || due_in_file) {
    triad_logline line = {.level = TRIAD_LOGLINE_PROGRESS, .text = text, .length = strlen(text)};
    triad_logline_stamp(&line);
    if (due) show_progress(log, &line, now, final);
    if (due_in_file) {
      keep_line(log, &line);
      draw(log);
      log->last_kept = now;
    }
  }
  pthread_mutex_unlock(&log->lock);
}

void triad_log_clear(triad_log *log)
{
  if (!log) return;
  pthread_mutex_lock(&log->lock);
  erase(log);
  pthread_mutex_unlock(&log->lock);
}

void triad_log_destroy(triad_log **log)
{
  if (!log || !*log) return;
  finish(*log);
  restore(SIGPIPE, &(*log)->sigpipe);
  restore(SIGXFSZ, &(*log)->sigxfsz);
  (void)pthread_mutex_destroy(&(*log)->lock);
  triad_outlet_free(&(*log)->out);
  triad_outlet_free(&(*log)->err);
  triad_outlet_free(&(*log)->file);
  free(*log);
  *log = NULL;
}
