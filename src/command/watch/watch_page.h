/* The page of `triad watch`, as a string. */
#ifndef TRIAD_COMMAND_WATCH_WATCH_PAGE_H
#define TRIAD_COMMAND_WATCH_WATCH_PAGE_H

#include "command/watch/watch.h"

/* The page, terminated by NUL; in a page without a server the data replaces triad_watch_marker. */
extern const char triad_watch_page[];
#define TRIAD_WATCH_MARKER "<!--DATA-->"

#endif
