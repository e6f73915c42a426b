/* The manifest of a checkpoint: what modes.h5 beside it holds, and the checksums that prove it.
 *
 * A text file, one item a line, UTF-8, fields parted by one blank:
 *   triad-checkpoint 1                       format and its version; always the first line
 *   writer TEXT                              program and version that wrote it
 *   step I | t R | dt R | solver NAME
 *   precision double                         or single: reals of 8 or 4 bytes in modes.h5
 *   n I I I | length R R R | truncation sphere     the grid, x y z
 *   columns I | kz I                         columns of the layout, kept kz of each
 *   file I                                   bytes of modes.h5
 *   header H                                 XXH3_64 of all bytes of modes.h5 outside the fields' arrays, in order
 *   block I                                  columns per checksum
 *   field NAME I                             offset of a field's array [column][kz][2] in modes.h5
 *   sums H H H ..                            its block checksums (lines.h), up to 8 a line
 *   real NAME R | integer NAME I | text NAME TEXT  named values, any number
 *   end H                                    XXH3_64 of all bytes before this line; always the last line
 * I: decimal integer; R: decimal real with 17 digits, which reads back to the same bits; H: 16 hexadecimal digits;
 * TEXT: between double quotes, with \\ \" \n \r \t and \xHH for other bytes below 32 and 127.
 * Anything else, or anything out of place, makes the manifest invalid. Nothing here is collective. */
#ifndef TRIAD_RUN_STORE_MANIFEST_H
#define TRIAD_RUN_STORE_MANIFEST_H

#include "grid/grid.h"
#include "run/store/notes.h"

enum { TRIAD_MANIFEST_FIELDS = 4096, TRIAD_MANIFEST_BYTES = 16 << 20 };

typedef struct triad_manifest_field {
  char name[64];
  int64_t offset;  /* bytes into modes.h5                  */
  uint64_t *sums;  /* [n_blocks], see lines.h            */
} triad_manifest_field;

typedef struct triad_manifest {
  char *writer;
  int64_t step;
  double t, dt;
  char solver[64];
  int element; /* bytes of a real in modes.h5: 8 or 4   */
  triad_grid grid;
  int64_t columns, nkz;
  int64_t file_bytes;
  uint64_t header;
  int64_t block_columns, n_blocks;
  int n_fields;
  triad_manifest_field *fields; /* [n_fields], malloc'd        */
  triad_notes *notes;
} triad_manifest;

/* A manifest of n_fields fields with room for their checksums (all 0), empty notes, and nothing else filled in but
 * the grid, columns and kz. */
int triad_manifest_create(triad_manifest **out, const triad_grid *grid, int64_t columns, int64_t nkz, int n_fields);
void triad_manifest_destroy(triad_manifest **manifest); /* accepts NULL */

/* Bytes of one field's array. */
int64_t triad_manifest_field_bytes(const triad_manifest *manifest);

/* Number of the field of that name, -1 when there is none. */
int triad_manifest_find(const triad_manifest *manifest, const char *name);

/* The text (free it). */
int triad_manifest_format(const triad_manifest *manifest, char **text, int64_t *bytes);

/* From text (NUL behind its end). `path` is what messages name. TRIAD_ERR_CASE says what is wrong with it; whatever
 * the bytes are, nothing larger than the file sizes that it states is consistent with is believed or allocated. */
int triad_manifest_parse(triad_manifest **out, const char *path, const char *text, int64_t bytes);

extern const char *const triad_truncation_name[3];

#endif
