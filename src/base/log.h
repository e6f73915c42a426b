/* What the user reads: messages by level, a progress line, and the log file of a run.
 *
 *   triad: error: ...     stderr                 Only rank 0 speaks.
 *   triad: warning: ...   stderr
 *   info                  stdout, bare           Not shown under -q.
 *   detail                stdout                 Shown under -v only.
 *
 * The log file gets every message of every level, one a line, with UTC time (2030-01-31T23:59:59.123Z) and level.
 * With --log-format=jsonl each line on stdout, on stderr and in the file is one JSON object
 *   {"time":"...","level":"info","text":"..."}
 * Text is escaped (base/text.h): nothing a case file holds can reach the terminal as a control sequence. A message of
 * several lines stays so in text, each line with its prefix, and is one object in JSON.
 * Colour is used on a terminal only, and not if NO_COLOR is set or TERM is dumb.
 *
 * No call fails because a message cannot be delivered. A closed pipe silences that output; a full disk loses lines,
 * which are counted and owned up to when writing works again. While a log exists SIGPIPE and SIGXFSZ are ignored.
 * Thread-safe. A NULL log is silent, so a library function can be called without one. Nothing is collective. */
#ifndef TRIAD_BASE_LOG_H
#define TRIAD_BASE_LOG_H

typedef struct triad_log triad_log;

typedef enum triad_level { TRIAD_LOG_ERROR, TRIAD_LOG_WARNING, TRIAD_LOG_INFO, TRIAD_LOG_DETAIL } triad_level;

typedef struct triad_log_options {
  int rank;          /* of this process                                                         */
  triad_level level; /* the last level shown: -q TRIAD_LOG_WARNING, -v TRIAD_LOG_DETAIL          */
  int json;          /* --log-format=jsonl                                                      */
  double interval;   /* least time between progress lines where they cannot be rewritten [s]    */
  int columns;       /* width of the terminal on `out`; 0: not a terminal; -1: find out         */
  int out, err;      /* descriptors: 1 and 2; -1: none                                          */
  void (*hear)(void *who, triad_level level, const char *text); /* every message too; NULL: nobody. Not from within */
  void *who;
} triad_log_options;

/* Level info, text, 30 s, stdout and stderr. */
triad_log_options triad_log_defaults(int rank);

/* If `arg` is one of -q --quiet -v --verbose --log-format=text --log-format=jsonl, set it and *taken = 1, else 0.
 * TRIAD_ERR_USAGE for another format. */
int triad_log_option(triad_log_options *options, const char *arg, int *taken);

int triad_log_create(triad_log **out, const triad_log_options *options); /* TRIAD_ERR_MEMORY */
void triad_log_destroy(triad_log **log);                                 /* ends the progress line, closes the file */

/* Append everything to the file `path` from here on, and what was said before (the last 64 KiB at most). Rank 0 does:
 * TRIAD_ERR_IO if it cannot; agree before the next collective call. */
int triad_log_file(triad_log *log, const char *path);

/* A message from rank 0, as printf. Line ends inside start a new line; one at the end is dropped. */
void triad_log_say(triad_log *log, triad_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));

#define triad_log_error(log, ...) triad_log_say((log), TRIAD_LOG_ERROR, __VA_ARGS__)
#define triad_log_warning(log, ...) triad_log_say((log), TRIAD_LOG_WARNING, __VA_ARGS__)
#define triad_log_info(log, ...) triad_log_say((log), TRIAD_LOG_INFO, __VA_ARGS__)
#define triad_log_detail(log, ...) triad_log_say((log), TRIAD_LOG_DETAIL, __VA_ARGS__)

/* Into the log file alone: what the screen has been told already. */
void triad_log_record(triad_log *log, triad_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Warnings so far, of this rank; those that are not shown count too. */
int triad_log_warnings(const triad_log *log);

/* Where the run is, in one line. On a terminal it rewrites itself (cut to the width, ten times a second at most) below
 * the other messages; elsewhere, and in the file, it becomes a line with the time every `interval` seconds.
 * final: always shown, and ends the line. Call it as often as you like; cheap when nothing is due. */
void triad_log_progress(triad_log *log, const char *text, int final);

/* Take the progress line off the terminal before something else writes there, e.g. triad_message_print. */
void triad_log_clear(triad_log *log);

#endif
