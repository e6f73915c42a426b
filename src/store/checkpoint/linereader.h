/* Read a text of our own format item by item, from untrusted bytes: "KEY VALUE VALUE ..\n". Each call checks an item
 * and advances; failures are TRIAD_ERR_CASE with the path and line. Not collective. */
#ifndef TRIAD_STORE_CHECKPOINT_LINEREADER_H
#define TRIAD_STORE_CHECKPOINT_LINEREADER_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct triad_reader {
  const char *path;     /* for messages                                                        */
  const char *at, *end; /* next byte, and the end; *end must be a character other than a blank */
  int line;             /* from 1                                                              */
} triad_reader;

int triad_reader_starts(const triad_reader *r, const char *key); /* is KEY and a blank what comes next? */
int triad_reader_key(triad_reader *r, const char *key);          /* KEY, not the blank behind it        */
int triad_reader_line_end(triad_reader *r);

/* Values, each with the one blank before it: a word of printing ASCII that fits into word[size]; a decimal integer
 * in a range; a real; 16 hexadecimal digits; a text in double quotes with escapes \\ \" \n \r \t \xHH (free *out). */
int triad_reader_word(triad_reader *r, char *word, size_t size);
int triad_reader_integer(triad_reader *r, int64_t least, int64_t most, int64_t *out);
int triad_reader_real(triad_reader *r, double *out);
int triad_reader_hash(triad_reader *r, uint64_t *out);
int triad_reader_text(triad_reader *r, char **out);

/* TRIAD_ERR_CASE with "path: line 7: what". */
#define TRIAD_READER_FAIL(r, ...) triad_reader_fail((r), __FILE__, __LINE__, __VA_ARGS__)
int triad_reader_fail(const triad_reader *r, const char *source, int source_line, const char *format, ...)
  __attribute__((format(printf, 4, 5)));

#endif
