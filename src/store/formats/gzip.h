/* Files that may be compressed by gzip, loaded whole. Not collective. */
#ifndef TRIAD_STORE_FORMATS_GZIP_H
#define TRIAD_STORE_FORMATS_GZIP_H

#include "base/guard.h"

#include <stdint.h>

/* Do these first bytes of a file say that it is packed by gzip? */
int triad_gzip_is(const char *text, int64_t n);

/* Load a file into *text, which the caller frees; a NUL follows its last byte. A gzip file, known by its first bytes,
 * is inflated, all members of it. TRIAD_ERR_INPUT: there is no such file; TRIAD_ERR_CASE: it is cut off or damaged, or
 * more than 1000 times as large as its compressed form; TRIAD_ERR_FEATURE: a build without zlib; TRIAD_ERR_MEMORY. */
int triad_gzip_load(const char *path, triad_guard *guard, char **text, int64_t *bytes);

/* The first bytes of a file, inflated; *bytes: how many there are, at most `room`. */
int triad_gzip_head(const char *path, char *head, int64_t room, int64_t *bytes);

#endif
