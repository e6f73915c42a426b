/* The end of a command's standard output. */
#ifndef TRIAD_BASE_OUTPUT_H
#define TRIAD_BASE_OUTPUT_H

#include <stdio.h>

/* Flush the output of a command. Returns `status`, or TRIAD_ERR_IO if `out` (standard output) did not accept all of
 * it. It is no failure if the reader has closed the pipe, as head does. Not collective. */
int triad_output_end(FILE *out, int status);

#endif
