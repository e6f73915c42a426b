/* Lines of a text file of any size, one at a time. */
#ifndef TRIAD_COMMAND_INFO_LINES_H
#define TRIAD_COMMAND_INFO_LINES_H

#include <stdint.h>
#include <stdio.h>

enum { TRIAD_INFO_LINE = 1 << 18 }; /* a row of a thousand scalars fits */

typedef struct triad_info_lines {
  const char *path;
  FILE *file;
  int64_t number; /* of the line, from 1 */
  int whole;      /* it ends with a line end and was not cut */
  size_t length;
  char text[TRIAD_INFO_LINE]; /* without its line end; a NUL behind it, and in it where the file has one */
} triad_info_lines;

/* Open a regular file. malloc'd; close it in any case. TRIAD_ERR_INPUT, TRIAD_ERR_IO, TRIAD_ERR_MEMORY. */
int triad_info_lines_open(triad_info_lines **out, const char *path);

/* The next line: 1, or 0 at the end. A line longer than the room is cut, and its rest passed over. */
int triad_info_lines_next(triad_info_lines *lines);

/* Returns TRIAD_ERR_IO when reading failed, else `status`. Accepts NULL. */
int triad_info_lines_close(triad_info_lines **lines, int status);

#endif
