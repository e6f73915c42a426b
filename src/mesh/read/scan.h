/* Read numbers and words of a mesh file that is in memory, as text or as binary values, with the position of an error.
 * Nothing reads beyond the end of the file. Not collective. */
#ifndef TRIAD_MESH_READ_SCAN_H
#define TRIAD_MESH_READ_SCAN_H

#include "base/guard.h"

#include <stdint.h>

/* text: the whole file, with a NUL behind its end. comment: the character that starts a comment up to the end of the
 * line; 0: there are no comments. closers: characters that may follow a number, NULL: only a blank, a line end or a
 * comment may. binary: positions are given in bytes, not in lines. swapped: binary values have the other byte order.
 * before: lines of the file before the text, if that is a part of it. */
typedef struct triad_mesh_scan {
  const char *path;
  triad_guard *guard;
  char *text;
  int64_t size, at;
  char comment;
  const char *closers;
  int binary, swapped;
  int64_t before;
  int64_t mapped; /* bytes of the mapping of a file; 0: the text is in allocated memory */
} triad_mesh_scan;

/* Load a file: one that is packed by gzip is inflated in memory, any other is mapped, so that what was read need not
 * stay in memory. The text must not be written to. free: also after an error. */
int triad_mesh_scan_load(triad_mesh_scan *scan, const char *path, triad_guard *guard);
void triad_mesh_scan_free(triad_mesh_scan *scan);

/* A message with the path and the position, "a.su2: line 3: ..."; returns TRIAD_ERR_CASE. */
int triad_mesh_scan_bad(const triad_mesh_scan *scan, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A position as text: "line 7" of a text file, "byte 1234" of a binary one. */
enum { TRIAD_MESH_SCAN_PLACE = 40 };
void triad_mesh_scan_place(const triad_mesh_scan *scan, int64_t at, char text[TRIAD_MESH_SCAN_PLACE]);

/* skip: move over blanks, line ends and comments. skip_line: move behind the end of this line. at_end: 1 if nothing
 * else follows. */
void triad_mesh_scan_skip(triad_mesh_scan *scan);
void triad_mesh_scan_skip_line(triad_mesh_scan *scan);
int triad_mesh_scan_at_end(triad_mesh_scan *scan);

/* The next word of the text: a whole number; a real number, with an exponent of E or D; the same, or nan or inf; any
 * word, of at most room - 1 bytes; the rest of this line, without blanks at its ends and cut to room - 1 bytes. A word
 * that only begins with a number, such as 1.5.2 or 12abc, is no number. */
int triad_mesh_scan_integer(triad_mesh_scan *scan, int64_t *out);
int triad_mesh_scan_real(triad_mesh_scan *scan, double *out);
int triad_mesh_scan_any_real(triad_mesh_scan *scan, double *out);
int triad_mesh_scan_word(triad_mesh_scan *scan, char *out, int64_t room);
void triad_mesh_scan_rest(triad_mesh_scan *scan, char *out, int64_t room);

/* The number of words from here to the end of this line, without a comment. */
int64_t triad_mesh_scan_words_left(const triad_mesh_scan *scan);

/* A count of items that need at least `least` bytes each in the rest of the file. `items` names them in the message. */
int triad_mesh_scan_check(const triad_mesh_scan *scan, int64_t count, int64_t least, const char *items);
int triad_mesh_scan_count(triad_mesh_scan *scan, int64_t least, const char *items, int64_t *out);

/* A binary value: a signed whole number of 1, 2, 4 or 8 bytes; a real of 4 or 8. */
int triad_mesh_scan_binary_integer(triad_mesh_scan *scan, int bytes, int64_t *out);
int triad_mesh_scan_binary_real(triad_mesh_scan *scan, int bytes, double *out);

#endif
