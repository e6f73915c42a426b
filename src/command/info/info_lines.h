/* Lines of the report of `triad info`, and lines of text files. */
#ifndef TRIAD_COMMAND_INFO_INFO_LINES_H
#define TRIAD_COMMAND_INFO_INFO_LINES_H

#include "command/info/info.h"

/* One line of the report, as printf: escaped, so that no file's text reaches the terminal as anything but text. */
void triad_info_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "  WRONG: ...", one line, escaped. Returns TRIAD_ERR_CASE. */
int triad_info_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Report the stored message as a fault of the file; a status that is not the file's fault (memory, I/O) is returned
 * with its message. */
int triad_info_blame(int status);

/* "12.3 MB" */
const char *triad_info_size(char buffer[32], double bytes);

/* Open a regular file. malloc'd; close it in any case. TRIAD_ERR_INPUT, TRIAD_ERR_IO, TRIAD_ERR_MEMORY. */
int triad_info_lines_open(triad_info_lines **out, const char *path);

/* The next line: 1, or 0 at the end. A line longer than the room is cut, and its rest passed over. */
int triad_info_lines_next(triad_info_lines *lines);

/* Returns TRIAD_ERR_IO when reading failed, else `status`. Accepts NULL. */
int triad_info_lines_close(triad_info_lines **lines, int status);

#endif
