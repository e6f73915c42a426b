/* The manifest of a checkpoint: the contents of the large file in the same folder, and the checksums that verify it.
 * The large file is modes.h5, Fourier modes by columns, or points.h5, values in any other space (grid/space.h), at
 * points by rows of x; both are arrays of *lines* (grid/fields/slab.h).
 *
 * A text file, one item per line, UTF-8, fields separated by one blank:
 *   triad-checkpoint 1                       format and its version; always the first line
 *   writer TEXT                              program and version that wrote it
 *   step I | t R | dt R | solver NAME
 *   precision double                         or single: reals of 8 or 4 bytes
 *   n I I I | length R R R | truncation sphere     the grid, x y z
 *   [radius R truncation]                    of a sphere other than the usual; or phase-shift (grid.dealiasing)
 *   columns I | kz I                         columns of the layout, kept kz of each
 * or, instead of truncation, columns and kz,
 *   [space NAME]                             if it is no box of points
 *   rows I | points I                        rows (z, y), and points x of each, of the first field
 * and in either case
 *   file I                                   bytes of the large file
 *   header H                                 XXH3_64 of all its bytes outside the fields' arrays, in order
 *   block I                                  lines per checksum
 *   field NAME I                             offset in it of a field's array: [column][kz][2], or [z][y][x]
 *   [array I I]                              its lines, and numbers in each, if they differ from those above
 *   sums H H H ..                            its block checksums (lines.h), up to 8 per line
 *   real NAME R | integer NAME I | text NAME TEXT  named values, any number
 *   end H                                    XXH3_64 of all bytes before this line; always the last line
 * I: decimal integer; R: decimal real with 17 digits, which reads back to the same bits; H: 16 hexadecimal digits;
 * TEXT: between double quotes, with \\ \" \n \r \t and \xHH for other bytes below 32 and 127. Any other content, or
 * another order, makes the manifest invalid. Nothing here is collective. */
#ifndef TRIAD_STORE_CHECKPOINT_MANIFEST_H
#define TRIAD_STORE_CHECKPOINT_MANIFEST_H

#include "grid/grid.h"
#include "store/checkpoint/notes.h"

#include <stdint.h>

#define TRIAD_MODES_FILE "modes.h5"
#define TRIAD_POINTS_FILE "points.h5"
#define TRIAD_MANIFEST_FILE "manifest.txt"
#define TRIAD_BESIDE_FILE "means.bin" /* the extra file of a checkpoint, if there is one; a note has its checksum */

enum { TRIAD_MANIFEST_FIELDS = 4096, TRIAD_MANIFEST_BYTES = 16 << 20 };

typedef struct triad_manifest_field {
  char name[64];
  int64_t offset;          /* bytes into the file                                         */
  int64_t lines, line;     /* lines of its array, and numbers in each: complex ones of modes */
  int64_t block, n_blocks; /* lines per checksum, and checksums                      */
  uint64_t *sums;          /* [n_blocks], see lines.h                                      */
} triad_manifest_field;

typedef struct triad_manifest {
  char *writer;
  int64_t step;
  double t, dt;
  char solver[64];
  int element; /* bytes of a real: 8 or 4               */
  triad_grid grid;
  int points;           /* 0: modes; 1: values in any other space                                  */
  char space[64];       /* its kind; "": a box of points                                           */
  int64_t columns, nkz; /* lines, and numbers in each: columns of kz; of points, rows (z, y) of x  */
  int64_t file_bytes;
  uint64_t header;
  int n_fields;
  triad_manifest_field *fields; /* [n_fields], malloc'd        */
  triad_notes *notes;
} triad_manifest;

/* A manifest of n_fields fields of so many lines each, with room for their checksums (all 0), empty notes, and nothing
 * else filled in but the grid, columns and kz. */
int triad_manifest_create(triad_manifest **out, const triad_grid *grid, int64_t columns, int64_t nkz, int n_fields);
void triad_manifest_destroy(triad_manifest **manifest); /* accepts NULL */

/* Field f has an array of its own size. TRIAD_ERR_MEMORY. */
int triad_manifest_resize(triad_manifest *manifest, int f, int64_t lines, int64_t line);

/* Bytes of a line of field f, and of its array; the largest line of all fields. */
int64_t triad_manifest_line_bytes(const triad_manifest *manifest, int f);
int64_t triad_manifest_field_bytes(const triad_manifest *manifest, int f);
int64_t triad_manifest_longest(const triad_manifest *manifest);

/* Checksums of the fields before f, of which those of all fields one after another have room; f = n_fields: of all. */
int64_t triad_manifest_blocks(const triad_manifest *manifest, int f);

/* Name of the large file. */
const char *triad_manifest_file(const triad_manifest *manifest);

/* Number of the field of that name, -1 when there is none. */
int triad_manifest_find(const triad_manifest *manifest, const char *name);

/* The text (free it). */
int triad_manifest_format(const triad_manifest *manifest, char **text, int64_t *bytes);

extern const char *const triad_truncation_name[3], *const triad_dealiasing_name[2];

/* Block checksums of a dataset by its lines (grid/slab.h). Lines are grouped into blocks of `block`; the checksum of a
 * block is sum over its lines c of XXH3_64(bytes of line c, seed c)  mod 2^64, so that ranks that share a block, on
 * however many ranks, add up what each has. sums[c / block] is increased for `count` lines of `line_bytes` that begin
 * with number `first`. */
void triad_lines_sum(int64_t first, int64_t count, int64_t line_bytes, const void *lines, int64_t block,
                     uint64_t *sums);

/* Lines per block, such that a field has at most 256 blocks. */
int64_t triad_lines_per_block(int64_t lines);

#endif
