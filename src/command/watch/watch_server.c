/* The HTTP server of `triad watch`: check the token of each request, limit strangers, and answer with the page, JSON
 * or pictures. */
#include "command/watch/watch_server.h"
#include "command/watch/watch.h"
#include "command/watch/watch_page.h"
#include "command/watch/watch_json.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#ifdef TRIAD_MICROHTTPD
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/socket.h>

/* Returns 1 if this is a name of this machine as its own browser gives it: 127.0.0.1, localhost or [::1], with or
 * without a port. */
static int is_own_host(const char *host)
{
  static const char *const own[] = {"127.0.0.1", "localhost", "[::1]"};
  for (size_t i = 0; host && i < sizeof own / sizeof *own; i++) {
    const size_t n = strlen(own[i]);
    if (strncmp(host, own[i], n) != 0) continue;
    if (!host[n] || (host[n] == ':' && host[n + 1] && strspn(host + n + 1, "0123456789") == strlen(host + n + 1)))
      return 1;
  }
  return 0;
}

enum { MOST_ROWS = 4000 /* of an answer */, PAUSE = 250 /* ms */, CONNECTIONS = 128 };

/* A connection that has not asked for anything it may have is cut off after STRANGER seconds, sooner while most
 * places are taken; a browser that has been answered keeps its own for GUEST. */
static const double STRANGER = 5, STRANGER_IN_A_CROWD = 1, GUEST = 60;

typedef struct caller {
  struct MHD_Connection *connection; /* NULL: a free place */
  int fd, guest;
  double since; /* of its begin, or of its last good request [s] */
} caller;

typedef struct server {
  triad_watched *runs;
  int n;
  const char *token;
  caller caller[CONNECTIONS];
} server;

static caller *caller_of(server *s, const struct MHD_Connection *c)
{
  for (int i = 0; i < CONNECTIONS; i++)
    if (s->caller[i].connection == c) return &s->caller[i];
  return NULL;
}

static void come_or_go(void *self, struct MHD_Connection *c, void **context, enum MHD_ConnectionNotificationCode what)
{
  server *s = self;
  (void)context;
  caller *found = caller_of(s, what == MHD_CONNECTION_NOTIFY_STARTED ? NULL : c);
  if (!found) return;
  *found = (caller){0};
  if (what != MHD_CONNECTION_NOTIFY_STARTED) return;
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (info) *found = (caller){.connection = c, .fd = info->connect_fd, .since = triad_now()};
}

/* The server closes them when it next looks at them. */
static void cut_off(server *s)
{
  const double now = triad_now();
  int n = 0;
  for (int i = 0; i < CONNECTIONS; i++) n += s->caller[i].connection != NULL;
  const double stranger = n > CONNECTIONS / 2 ? STRANGER_IN_A_CROWD : STRANGER;
  for (int i = 0; i < CONNECTIONS; i++) {
    const caller *c = &s->caller[i];
    if (c->connection && now - c->since > (c->guest ? GUEST : stranger)) (void)shutdown(c->fd, SHUT_RDWR);
  }
}

/* In a time that does not depend on where they differ. */
static int same(const char *a, const char *b)
{
  const size_t n = strlen(a);
  unsigned differ = strlen(b) != n;
  for (size_t i = 0; strlen(b) == n && i < n; i++) differ |= (unsigned)((unsigned char)a[i] ^ (unsigned char)b[i]);
  return differ == 0;
}

static enum MHD_Result answer(struct MHD_Connection *c, unsigned code, const char *type, const char *text, size_t size)
{
  /* the page may run its own scripts, show pictures in its data, and contact this server; nothing else */
  static const char *const headers[][2] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
     "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cache-Control", "no-store"},
    {"Cross-Origin-Resource-Policy", "same-origin"}};
  struct MHD_Response *r = MHD_create_response_from_buffer(size, (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY);
  if (!r) return MHD_NO;
  (void)MHD_add_response_header(r, "Content-Type", type);
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    (void)MHD_add_response_header(r, headers[i][0], headers[i][1]);
  enum MHD_Result done = MHD_queue_response(c, code, r);
  MHD_destroy_response(r);
  return done;
}

static enum MHD_Result refuse(struct MHD_Connection *c, unsigned code, const char *text)
{
  return answer(c, code, "text/plain; charset=utf-8", text, strlen(text));
}

static int64_t asked(struct MHD_Connection *c, const char *name, int64_t otherwise)
{
  const char *text = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, name);
  char *after;
  if (!text || !*text) return otherwise;
  int64_t value = strtoll(text, &after, 10);
  return *after || value < 0 ? otherwise : value;
}

static enum MHD_Result data(const server *s, struct MHD_Connection *c)
{
  int64_t number = asked(c, "run", 0);
  if (number >= s->n) return refuse(c, MHD_HTTP_NOT_FOUND, "there is no such run\n");
  const char *inode = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "inode");
  triad_watch_wish wish = {.inode = inode ? strtoull(inode, NULL, 10) : 0,
                           .row = asked(c, "row", 0),
                           .most = MOST_ROWS,
                           .spectrum = asked(c, "spectrum", -1),
                           .slice = asked(c, "slice", -1),
                           .points = asked(c, "points", -1)};
  triad_watched *w = &s->runs[number];
  char *text = NULL;
  size_t size = 0;
  int alive;
  FILE *f = triad_watched_look(w) == TRIAD_OK ? open_memstream(&text, &size) : NULL;
  int good = f && triad_watched_json(w, &wish, s->n, f, &alive) == TRIAD_OK;
  if (f && fclose(f) != 0) good = 0;
  triad_message_clear();
  enum MHD_Result done = good ? answer(c, MHD_HTTP_OK, "application/json", text, size)
                              : refuse(c, MHD_HTTP_INTERNAL_SERVER_ERROR, "out of memory");
  free(text);
  return done;
}

static enum MHD_Result handle(void *self, struct MHD_Connection *c, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **state)
{
  server *s = self;
  (void)version;
  (void)upload;
  if (!*state) { /* the first call has the headers alone */
    *state = self;
    return MHD_YES;
  }
  *upload_size = 0;
  if (!is_own_host(MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host")))
    return refuse(c, MHD_HTTP_FORBIDDEN, "this page is available to browsers on this machine only\n");
  if (strcmp(method, "GET") != 0) return refuse(c, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET\n");
  const char *token = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "token");
  if (s->token && !(token && same(s->token, token)))
    return refuse(c, MHD_HTTP_FORBIDDEN,
                  "the address printed by triad watch contains a token: use the whole address\n");
  caller *guest = caller_of(s, c);
  if (guest) guest->guest = 1, guest->since = triad_now();
  if (strcmp(url, "/") == 0)
    return answer(c, MHD_HTTP_OK, "text/html; charset=utf-8", triad_watch_page, strlen(triad_watch_page));
  if (strcmp(url, "/data") == 0) return data(s, c);
  return refuse(c, MHD_HTTP_NOT_FOUND, "not here\n");
}

int triad_watch_serve(triad_watched *runs, int n, int port, const char *token, const volatile int *end)
{
  server s = {.runs = runs, .n = n, .token = token};
  struct sockaddr_in address = {
    .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
  struct MHD_Daemon *daemon =
    MHD_start_daemon(MHD_NO_FLAG, (uint16_t)port, NULL, NULL, handle, &s, MHD_OPTION_SOCK_ADDR, &address,
                     MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, 60U,
                     MHD_OPTION_NOTIFY_CONNECTION, come_or_go, &s, MHD_OPTION_END);
  if (!daemon)
    return TRIAD_FAIL_PLAIN(TRIAD_ERR_IO, "cannot serve on port %d of this machine: use another --port, or none", port);
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  (void)printf("http://127.0.0.1:%d/%s%s\n", info ? info->port : port, token ? "?token=" : "", token ? token : "");
  (void)fflush(stdout);
  while (!*end && MHD_run_wait(daemon, PAUSE) == MHD_YES) cut_off(&s);
  MHD_stop_daemon(daemon);
  return TRIAD_OK;
}
#else
int triad_watch_serve(triad_watched *runs, int n, int port, const char *token, const volatile int *end)
{
  (void)runs, (void)n, (void)port, (void)token, (void)end;
  return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                    "this build has no web server: install libmicrohttpd (apt install libmicrohttpd-dev) and rebuild, "
                    "or let triad watch write a page with --files DIR");
}
#endif
