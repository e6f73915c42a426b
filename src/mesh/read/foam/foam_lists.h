/* Lists of OpenFOAM's files, ASCII or binary. */
#ifndef TRIAD_MESH_READ_FOAM_FOAM_LISTS_H
#define TRIAD_MESH_READ_FOAM_FOAM_LISTS_H

#include "mesh/read/scan.h"

enum { TRIAD_FOAM_WORD = 128 };

/* A file behind its header. binary: its lists are; label, scalar: bytes of a number, 0 if the header does not say. */
typedef struct triad_foam_file {
  triad_mesh_scan s;
  int binary, label, scalar;
  char class[TRIAD_FOAM_WORD];
  char path[4096];
} triad_foam_file;

/* A list of numbers that its user frees. */
typedef struct triad_foam_list {
  int64_t n, *at;
} triad_foam_list;

/* open: load FOLDER/NAME, or NAME.gz, and read its header; the caller frees file->s.text, also after an error. */
int triad_foam_open(triad_foam_file *file, const char *folder, const char *name, triad_guard *guard);

/* labels: a list of whole numbers, at most `most` of them. faces: lists of points: face f has those from first->at[f]
 * on; first->n is one more than the number of faces. points: n vectors, which the caller frees. */
int triad_foam_labels(triad_foam_file *file, int64_t most, triad_foam_list *out);
int triad_foam_faces(triad_foam_file *file, triad_foam_list *first, triad_foam_list *points);
int triad_foam_points(triad_foam_file *file, double (**x)[3], int64_t *n);

/* skip: move over blanks and comments. sign: 1 if this character is next, which is then read. word: the next word or
 * quoted text. */
void triad_foam_skip(triad_mesh_scan *scan);
int triad_foam_sign(triad_mesh_scan *scan, char sign);
int triad_foam_word(triad_mesh_scan *scan, char word[TRIAD_FOAM_WORD]);
/* Move behind the end of an entry of a dictionary: behind ";", or behind the braces that its value is in. */
int triad_foam_skip_entry(triad_mesh_scan *scan);

#endif
