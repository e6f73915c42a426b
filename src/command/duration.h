/* Durations as batch systems write them. */
#ifndef TRIAD_COMMAND_DURATION_H
#define TRIAD_COMMAND_DURATION_H

/* "5400", "90:00", "01:30:00", "1-06:00:00" -> seconds, above 0. TRIAD_ERR_USAGE, naming the option. Not collective. */
int triad_duration_read(const char *option, const char *text, double *seconds);

#endif
