/* User messages by level, a progress line, and the log file of a run.
 *
 *   triad: error: ...     stderr                 Only rank 0 prints.
 *   triad: warning: ...   stderr
 *   info                  stdout, without prefix Not shown under -q.
 *   detail                stdout                 Shown under -v only.
 *
 * The log file gets every message of every level, one per line, with UTC time (2030-01-31T23:59:59.123Z) and level.
 * With --log-format=jsonl each line on stdout, on stderr and in the file is one JSON object
 *   {"time":"...","level":"info","text":"..."}
 * Text is escaped (base/text.h), so nothing from a case file reaches the terminal as a control sequence. A message of
 * several lines is printed with a prefix on each line; in JSON it is one object. Colour is used on terminals only, and
 * not if NO_COLOR is set or TERM is dumb.
 *
 * No call fails because a message cannot be written. A closed pipe silences that output. On a full disk lines are
 * lost; their number is reported once writing works again. While a log exists, SIGPIPE and SIGXFSZ are ignored.
 * Thread-safe. A NULL log prints nothing. Nothing is collective. */
#ifndef TRIAD_BASE_LOG_H
#define TRIAD_BASE_LOG_H

typedef struct triad_log triad_log;

typedef enum triad_level { TRIAD_LOG_ERROR, TRIAD_LOG_WARNING, TRIAD_LOG_INFO, TRIAD_LOG_DETAIL } triad_level;

typedef struct triad_log_options {
  int rank;          /* of this process                                                         */
  triad_level level; /* the last level shown: -q TRIAD_LOG_WARNING, -v TRIAD_LOG_DETAIL          */
  int json;          /* --log-format=jsonl                                                      */
  double interval;   /* minimum time between progress lines if they cannot be overwritten [s] */
  int columns;       /* width of the terminal on `out`; 0: not a terminal; -1: find out         */
  int out, err;      /* descriptors: 1 and 2; -1: none                                          */
  /* called with every message; NULL: none. It must not call the log */
  void (*hear)(void *who, triad_level level, const char *text);
  void *who;
} triad_log_options;

/* Level info, text, 30 s, stdout and stderr. */
triad_log_options triad_log_defaults(int rank);

/* If `arg` is one of -q --quiet -v --verbose --log-format=text --log-format=jsonl, set it and *taken = 1, else 0.
 * TRIAD_ERR_USAGE for another format. */
int triad_log_option(triad_log_options *options, const char *arg, int *taken);

int triad_log_create(triad_log **out, const triad_log_options *options); /* TRIAD_ERR_MEMORY */
void triad_log_destroy(triad_log **log);                                 /* ends the progress line, closes the file */

/* Append all messages from here on to the file `path`, and earlier ones first (at most the last 64 KiB). On rank 0
 * TRIAD_ERR_IO if it cannot be opened; agree before the next collective call. */
int triad_log_file(triad_log *log, const char *path);

/* Print a message on rank 0, like printf. Line breaks inside start a new line; one at the end is dropped. */
void triad_log_say(triad_log *log, triad_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));

#define triad_log_error(log, ...) triad_log_say((log), TRIAD_LOG_ERROR, __VA_ARGS__)
#define triad_log_warning(log, ...) triad_log_say((log), TRIAD_LOG_WARNING, __VA_ARGS__)
#define triad_log_info(log, ...) triad_log_say((log), TRIAD_LOG_INFO, __VA_ARGS__)
#define triad_log_detail(log, ...) triad_log_say((log), TRIAD_LOG_DETAIL, __VA_ARGS__)

/* Write a message to the log file only, because it is already on the screen. */
void triad_log_record(triad_log *log, triad_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Number of warnings of this rank so far, including those that are not shown. */
int triad_log_warnings(const triad_log *log);

/* Show the progress of the run in one line. On a terminal the line is overwritten below the other messages (cut to the
 * width, at most ten times per second); elsewhere, and in the file, a line with the time is written every `interval`
 * seconds. final: always show it, and end the line. Cheap if nothing is due. */
void triad_log_progress(triad_log *log, const char *text, int final);

/* Remove the progress line from the terminal before something else writes there, for example triad_message_print. */
void triad_log_clear(triad_log *log);

#endif
