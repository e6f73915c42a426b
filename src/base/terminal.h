/* What kind of terminal, if any, a descriptor leads to. */
#ifndef TRIAD_BASE_TERMINAL_H
#define TRIAD_BASE_TERMINAL_H

/* Columns of the terminal behind `fd`; 0 if it is none, or one that cannot move its cursor (TERM unset or dumb).
 * Open MPI gives each rank a pseudo-terminal without a size and copies what appears on it to the output of mpirun, so
 * for one of those the answer is that of the parent process's standard output. */
int triad_terminal_columns(int fd);

/* 1 if the user wants no colour: NO_COLOR set and not empty (no-color.org). */
int triad_terminal_no_colour(void);

/* 1 if text for `fd` may be coloured: a terminal, and the user did not say no. */
int triad_terminal_colour(int fd);

#endif
