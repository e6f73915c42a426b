/* What the sources of `triad info` share; nobody else includes it. One function a kind of file: each prints what the
 * file says, on standard output, and returns TRIAD_OK, or TRIAD_ERR_CASE when something is wrong with it and the report
 * says what; a failure that the report does not tell has its message kept. Nothing is collective. */
#ifndef TRIAD_COMMAND_INFO_OWN_H
#define TRIAD_COMMAND_INFO_OWN_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* One line of the report, as printf: escaped, so that no file's text reaches the terminal as anything but text. */
void triad_info_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "  WRONG: ...", one line, likewise. Returns TRIAD_ERR_CASE. */
int triad_info_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The kept message without its place in the sources, which is then forgotten. */
void triad_info_why(char *why, size_t size);

/* The same, told as wrong; a status that is not the file's fault (memory, I/O) is returned with its message kept. */
int triad_info_blame(int status);

/* The kept message on standard error, escaped; then it is forgotten. */
void triad_info_tell(void);

/* "12.3 MB" */
const char *triad_info_size(char buffer[32], double bytes);

int triad_info_run(const char *path);
int triad_info_part(const char *path, const char *run, const char *part); /* a folder of a run directory */
int triad_info_checkpoint(const char *path);
int triad_info_series(const char *path, int brief);
int triad_info_case(const char *path);
int triad_info_json(const char *path);
int triad_info_wisdom(const char *path);
int triad_info_log(const char *path);
int triad_info_xdmf(const char *path);
int triad_info_png(const char *path);

/* BRIEF: one line, for a list; SILENT: only what is wrong; and values of fields are then not read. */
enum { TRIAD_INFO_WHOLE, TRIAD_INFO_BRIEF, TRIAD_INFO_SILENT };
int triad_info_hdf5(const char *path, int how);

/* "step-00000010  valid ..", for a list, and step and time of a valid one; the report is triad_info_checkpoint. */
int triad_info_checkpoint_brief(const char *folder, int64_t *step, double *t);

#endif
