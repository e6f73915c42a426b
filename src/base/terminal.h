/* What kind of terminal, if any, a descriptor leads to. */
#ifndef TRIAD_BASE_TERMINAL_H
#define TRIAD_BASE_TERMINAL_H

/* Columns of the terminal behind `fd`; 0 if it is none, one without a size, or one that cannot move its cursor (TERM
 * unset or dumb). Open MPI gives each rank on the node of mpirun a pseudo-terminal of its own and copies what appears
 * there to wherever mpirun writes, a terminal or not: under Open MPI the answer is that of mpirun's standard output. */
int triad_terminal_columns(int fd);

/* 1 if what is written to `err` appears on the same terminal as `out`, also through a launcher, which gives no order
 * between the two. */
int triad_terminal_shared(int out, int err);

/* 1 if the user wants no colour: NO_COLOR set and not empty (no-color.org). */
int triad_terminal_no_colour(void);

/* 1 if text for `fd` may be coloured: a terminal, and the user did not say no. */
int triad_terminal_colour(int fd);

#endif
