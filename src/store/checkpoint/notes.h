/* Named values stored in a file: an open-ended list of reals, integers and texts. */
#ifndef TRIAD_STORE_CHECKPOINT_NOTES_H
#define TRIAD_STORE_CHECKPOINT_NOTES_H

#include "base/status.h"

#include <stdint.h>

typedef enum triad_note_kind { TRIAD_NOTE_REAL, TRIAD_NOTE_INTEGER, TRIAD_NOTE_TEXT } triad_note_kind;

typedef struct triad_note_item {
  char *name;
  triad_note_kind kind;
  double real;
  int64_t integer;
  char *text;
} triad_note_item;

/* The note of a checkpoint or a file of fields whose modes lean (grid/layout.h): their skew, a real. */
#define TRIAD_NOTE_SKEW "shear_skew"

typedef struct triad_notes {
  triad_note_item *items;
  int count, room;
} triad_notes;

int triad_notes_create(triad_notes **out);
int triad_notes_copy(triad_notes **out, const triad_notes *notes); /* of NULL: empty ones */
void triad_notes_destroy(triad_notes **notes);                     /* accepts NULL */

/* Set a value; one of that name is replaced. A name is 1 to 63 letters, digits, '_', '-' or '.', else
 * TRIAD_ERR_INTERNAL: names come from our own sources. Name and text are copied. Not collective. */
int triad_notes_set(triad_notes *notes, const triad_note_item *value);
int triad_notes_set_real(triad_notes *notes, const char *name, double value);
int triad_notes_set_integer(triad_notes *notes, const char *name, int64_t value);
int triad_notes_set_text(triad_notes *notes, const char *name, const char *value);

/* Get a value; TRIAD_ERR_CASE when there is none of that name and kind (the value is left alone).
 * The text belongs to the notes. */
int triad_notes_real(const triad_notes *notes, const char *name, double *value);
int triad_notes_text(const triad_notes *notes, const char *name, const char **value);

/* Many reals as one text, bit by bit: 16 hexadecimal digits each. reals: 1 where there are exactly n of that name,
 * which go to values; otherwise 0, and they are left alone. */
int triad_notes_set_reals(triad_notes *notes, const char *name, int64_t n, const double *values);
int triad_notes_reals(const triad_notes *notes, const char *name, int64_t n, double *values);

int triad_notes_has(const triad_notes *notes, const char *name);

/* Is it a name as described above? */
int triad_notes_good_name(const char *name);

#endif
