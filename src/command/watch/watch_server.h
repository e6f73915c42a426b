/* The HTTP server of `triad watch`. */
#ifndef TRIAD_COMMAND_WATCH_WATCH_SERVER_H
#define TRIAD_COMMAND_WATCH_WATCH_SERVER_H

#include "command/watch/watch.h"

/* Serve the page on 127.0.0.1 until *end is not 0. token NULL: everybody on this machine may look. TRIAD_ERR_FEATURE
 * in a build without libmicrohttpd; TRIAD_ERR_IO where the port is taken. */
int triad_watch_serve(triad_watched *runs, int n, int port, const char *token, const volatile int *end);

#endif
