/* The state of a run as JSON for the page of `triad watch`. */
#ifndef TRIAD_COMMAND_WATCH_WATCH_JSON_H
#define TRIAD_COMMAND_WATCH_WATCH_JSON_H

#include "command/watch/watch.h"

/* Write one JSON object; the text is also safe inside a <script>. alive: 1 if the run is active. */
int triad_watched_json(const triad_watched *w, const triad_watch_wish *wish, int n_runs, FILE *out, int *alive);

#endif
