/* Store named reals, integers and texts in a list, and arrays of reals as text that keeps every bit. */
#include "store/checkpoint/notes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int triad_notes_create(triad_notes **out)
{
  *out = calloc(1, sizeof **out);
  return *out ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a list of named values");
}

void triad_notes_destroy(triad_notes **notes)
{
  if (!notes || !*notes) return;
  for (int i = 0; i < (*notes)->count; i++) {
    free((*notes)->items[i].name);
    free((*notes)->items[i].text);
  }
  free((*notes)->items);
  free(*notes);
  *notes = NULL;
}

int triad_notes_good_name(const char *name)
{
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  size_t n = strlen(name);
  return n >= 1 && n <= 63 && strspn(name, allowed) == n;
}

static triad_note_item *find(const triad_notes *notes, const char *name)
{
  for (int i = 0; notes && i < notes->count; i++)
    if (strcmp(notes->items[i].name, name) == 0) return &notes->items[i];
  return NULL;
}

/* Room for one more. */
static int grow(triad_notes *notes)
{
  int room = notes->room ? 2 * notes->room : 16;
  if (notes->count < notes->room) return TRIAD_OK;
  triad_note_item *items = realloc(notes->items, (size_t)room * sizeof *items);
  if (!items) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a list of %d named values", room);
  notes->items = items;
  notes->room = room;
  return TRIAD_OK;
}

int triad_notes_set(triad_notes *notes, const triad_note_item *value)
{
  triad_note_item *item = find(notes, value->name), fresh = *value;
  if (!triad_notes_good_name(value->name))
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "\"%s\" is not a valid name of a value", value->name);
  if (!item) TRIAD_TRY(grow(notes));
  fresh.name = strdup(value->name);
  fresh.text = value->kind == TRIAD_NOTE_TEXT ? strdup(value->text) : NULL;
  if (!fresh.name || (value->kind == TRIAD_NOTE_TEXT && !fresh.text)) {
    free(fresh.name);
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the value %s", value->name);
  }
  if (item) {
    free(item->name);
    free(item->text);
  } else {
    item = &notes->items[notes->count++];
  }
  *item = fresh;
  return TRIAD_OK;
}

int triad_notes_set_real(triad_notes *notes, const char *name, double value)
{
  return triad_notes_set(notes, &(triad_note_item){.name = (char *)name, .kind = TRIAD_NOTE_REAL, .real = value});
}

int triad_notes_set_integer(triad_notes *notes, const char *name, int64_t value)
{
  return triad_notes_set(notes, &(triad_note_item){.name = (char *)name, .kind = TRIAD_NOTE_INTEGER, .integer = value});
}

int triad_notes_set_text(triad_notes *notes, const char *name, const char *value)
{
  return triad_notes_set(notes,
                         &(triad_note_item){.name = (char *)name, .kind = TRIAD_NOTE_TEXT, .text = (char *)value});
}

int triad_notes_copy(triad_notes **out, const triad_notes *notes)
{
  int st = triad_notes_create(out);
  for (int i = 0; st == TRIAD_OK && notes && i < notes->count; i++) st = triad_notes_set(*out, &notes->items[i]);
  if (st != TRIAD_OK) triad_notes_destroy(out);
  return st;
}

static int get(const triad_notes *notes, const char *name, triad_note_kind kind, const triad_note_item **out)
{
  static const char *const kinds[] = {"real", "integer", "text"};
  *out = find(notes, name);
  if (!*out) return TRIAD_FAIL(TRIAD_ERR_CASE, "no value named \"%s\"", name);
  if ((*out)->kind == kind) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "\"%s\" is a value of kind %s, not %s", name, kinds[(*out)->kind], kinds[kind]);
}

int triad_notes_real(const triad_notes *notes, const char *name, double *value)
{
  const triad_note_item *item;
  TRIAD_TRY(get(notes, name, TRIAD_NOTE_REAL, &item));
  *value = item->real;
  return TRIAD_OK;
}

int triad_notes_text(const triad_notes *notes, const char *name, const char **value)
{
  const triad_note_item *item;
  TRIAD_TRY(get(notes, name, TRIAD_NOTE_TEXT, &item));
  *value = item->text;
  return TRIAD_OK;
}

int triad_notes_has(const triad_notes *notes, const char *name) { return find(notes, name) != NULL; }

/* ---- many reals as one text ---- */

enum { DIGITS = 16 };

int triad_notes_set_reals(triad_notes *notes, const char *name, int64_t n, const double *values)
{
  char *text = malloc((size_t)(n * DIGITS) + 1);
  if (!text) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the values %s", name);
  text[0] = 0;
  for (int64_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    (void)snprintf(text + i * DIGITS, DIGITS + 1, "%016" PRIx64, bits);
  }
  int st = triad_notes_set_text(notes, name, text);
  free(text);
  return st;
}

int triad_notes_reals(const triad_notes *notes, const char *name, int64_t n, double *values)
{
  const triad_note_item *item = find(notes, name);
  if (!item || item->kind != TRIAD_NOTE_TEXT || strlen(item->text) != (size_t)(n * DIGITS) ||
      strspn(item->text, "0123456789abcdef") != (size_t)(n * DIGITS))
    return 0;
  for (int64_t i = 0; i < n; i++) {
    char digits[DIGITS + 1] = "";
    memcpy(digits, item->text + i * DIGITS, DIGITS);
    uint64_t bits = strtoull(digits, NULL, 16);
    memcpy(&values[i], &bits, sizeof bits);
  }
  return 1;
}
