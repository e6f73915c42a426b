/* The command `triad watch`: serve the page of one or several runs, or write it as files. */
#include "command/watch/watch.h"
#include "command/watch/watch_page.h"
#include "command/watch/watch_server.h"
#include "command/watch/watch_run.h"
#include "command/watch/watch_json.h"

#include "command/command.h"
#include "command/options.h"
#include "base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { ROWS = 1500 /* of a run, in a page without a server */, TOKEN = 33 };

static volatile int ended; /* by a signal */

static void end(int number)
{
  (void)number;
  ended = 1;
}

/* 128 bits that nobody can guess. */
static int make_token(char token[TOKEN])
{
  unsigned char bits[16];
  if (getrandom(bits, sizeof bits, 0) != (ssize_t)sizeof bits)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "cannot generate a random token: %s", strerror(errno));
  for (int i = 0; i < 16; i++) (void)snprintf(token + 2 * i, 3, "%02x", bits[i]);
  return TRIAD_OK;
}

/* Write the page with its data. *alive: 1 if a run is active. */
static int put_page(triad_watched *runs, int n, FILE *out, int *alive)
{
  const char *marker = strstr(triad_watch_page, TRIAD_WATCH_MARKER);
  const triad_watch_wish wish = {.spectrum = -1, .slice = -1, .points = -1, .most = ROWS, .thinned = 1};
  if (!marker) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "the page has no placeholder for data");
  (void)fwrite(triad_watch_page, 1, (size_t)(marker - triad_watch_page), out);
  (void)fputs("<script type=\"application/json\" id=\"data\">[", out);
  *alive = 0;
  for (int i = 0; i < n; i++) {
    int goes = 0;
    if (i) (void)fputs(",\n", out);
    do TRIAD_TRY(triad_watched_look(&runs[i]));
    while (runs[i].behind && !ended);
    TRIAD_TRY(triad_watched_json(&runs[i], &wish, n, out, &goes));
    *alive |= goes;
  }
  (void)fputs("]</script>", out);
  (void)fputs(marker + strlen(TRIAD_WATCH_MARKER), out);
  return TRIAD_OK;
}

static int write_page(triad_watched *runs, int n, const char *folder, int *alive)
{
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  int st = f ? put_page(runs, n, f, alive) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the page");
  if (f && fclose(f) != 0 && st == TRIAD_OK) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "the page");
  if (st == TRIAD_OK) st = triad_disk_replace_shared(folder, "watch.html", text, (int64_t)size);
  free(text);
  return st;
}

/* Write files until no run is active. */
static int write_files(triad_watched *runs, int n, const char *folder, int every)
{
  TRIAD_TRY(triad_disk_make_folder(folder));
  for (int alive = 1, first = 1; alive && !ended; first = 0) {
    TRIAD_TRY(write_page(runs, n, folder, &alive));
    if (first) (void)printf("%s/watch.html\n", folder);
    (void)fflush(stdout);
    const double until = triad_now() + every;
    while (alive && !ended && triad_now() < until) (void)nanosleep(&(struct timespec){0, 200 * 1000 * 1000}, NULL);
  }
  return TRIAD_OK;
}

typedef struct choices {
  const char *port, *files, *every;
  int no_token;
} choices;

static int work(triad_watched *runs, const triad_arguments *a, const choices *o)
{
  char token[TOKEN];
  int port = 0, every = 10;
  if (o->port) TRIAD_TRY(triad_options_count("--port", o->port, &port));
  if (port > 65535) return TRIAD_FAIL(TRIAD_ERR_USAGE, "--port %d: the port must be a number up to 65535", port);
  if (o->every) TRIAD_TRY(triad_options_count("--every", o->every, &every));
  if (a->n_words > TRIAD_MAX_WATCHED)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "%d runs: a page can show at most %d", a->n_words, TRIAD_MAX_WATCHED);
  for (int i = 0; i < a->n_words; i++) TRIAD_TRY(triad_watched_open(&runs[i], a->words[i]));
  struct sigaction action = {.sa_handler = end};
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) (void)sigaction(numbers[i], &action, NULL);
  (void)signal(SIGPIPE, SIG_IGN);
  if (o->files) return write_files(runs, a->n_words, o->files, every);
  TRIAD_TRY(make_token(token));
  return triad_watch_serve(runs, a->n_words, port, o->no_token ? NULL : token, &ended);
}

static int watch(int argc, char **argv)
{
  choices o = {0};
  const triad_option table[] = {{"--port", &o.port, NULL},
                                {"--files", &o.files, NULL},
                                {"--every", &o.every, NULL},
                                {"--no-token", NULL, &o.no_token},
                                {NULL, NULL, NULL}};
  triad_arguments a;
  triad_watched *runs = calloc(TRIAD_MAX_WATCHED, sizeof *runs);
  int st = runs ? triad_options_parse(argc, argv, table, &a) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the runs");
  if (st == TRIAD_OK) st = triad_options_words(&a, "watch", 1, TRIAD_MAX_ARGUMENTS, "run directories");
  if (st == TRIAD_OK) st = work(runs, &a, &o);
  for (int i = 0; runs && i < TRIAD_MAX_WATCHED; i++) triad_watched_close(&runs[i]);
  free(runs);
  triad_message_print(-1);
  return st;
}

const triad_command triad_command_watch = {.name = "watch",
                                           .summary = "show runs in a browser",
                                           .help =
                                             "Usage: triad watch DIR... [--port N]\n"
                                             "       triad watch DIR... --files FOLDER [--every SECONDS]\n"
                                             "\n"
                                             "Serves a page about these runs on 127.0.0.1, and prints its address, "
                                             "which contains a token. The page shows progress,\n"
                                             "series, spectra with k^(-5/3), the newest slices, particles, walls and "
                                             "meshes in space, warnings, changes of the case,\n"
                                             "memory, and time by phase. Runs may be active, ended, or active on "
                                             "another machine that shares the disk. Files are\n"
                                             "only read. Control-C ends the server; the runs are not affected.\n"
                                             "\n"
                                             "  --port N         port (default: a free one)\n"
                                             "  --no-token       allow every account on this machine to see the page\n"
                                             "  --files FOLDER   start no server: write FOLDER/watch.html, one "
                                             "self-contained file, repeatedly until the runs have\n"
                                             "                   ended; for a job on a cluster\n"
                                             "  --every SECONDS  interval of --files (default 10)\n",
                                           .alone = 1,
                                           .run = watch};
