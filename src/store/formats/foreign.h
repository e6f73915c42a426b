/* Recognise unsupported file formats by their first bytes or by their names, for messages. */
#ifndef TRIAD_STORE_FORMATS_FOREIGN_H
#define TRIAD_STORE_FORMATS_FOREIGN_H

#include <stdint.h>

/* The name of the format, with an article, "an SU2 mesh"; NULL: it is none of those. bytes: the begin of the file,
 * `length` of them. */
const char *triad_foreign_format(const char *path, const char *bytes, int64_t length);

#endif
