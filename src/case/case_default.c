/* Split the defaults of the schema into values, convert each to the type of its key, and store it in the case. */
#include "case/case_internal.h"
#include "case/case_default.h"
#include "case/read/case_value.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Count the values in a preset; they are separated by blanks. */
static int count_values(const triad_key *key, const char *at)
{
  int n = 0;
  if (!key->list) return key->count;
  for (; at && *at; n++) {
    at += strcspn(at, " ");
    at += strspn(at, " ");
  }
  return n;
}

/* One value, `n` bytes at `at`; 0 where it is none. A text is NULL without memory. */
static int take_one(triad_case_slot *slot, const triad_key *key, int i, const char *at, size_t n)
{
  const triad_word *w;
  switch (key->type) {
  case TRIAD_KEY_REAL: return triad_number_read(at, n, &slot->real[i]) && triad_in_range(key, slot->real[i]);
  case TRIAD_KEY_INTEGER:
    slot->integer[i] = strtoll(at, NULL, 10);
    return triad_in_range(key, (double)slot->integer[i]);
  case TRIAD_KEY_FLAG: slot->flag = strcmp(at, "true") == 0; return 1;
  case TRIAD_KEY_TEXT: slot->text[i] = strndup(at, n); return 1;
  case TRIAD_KEY_WORD:
    w = triad_find_word(key, NULL, at, n);
    slot->word[i] = w ? w->name : NULL;
    return w != NULL;
  }
  return 0;
}

int triad_case_take_default(triad_case *c, int row)
{
  const triad_key *key = c->schema->row[row].key;
  const char *at = key->preset;
  triad_case_slot *slot = &c->slots[row], fresh = {.bad = !key->preset};
  int good = 1, room = triad_case_room(&fresh, key, count_values(key, at));
  for (int i = 0; room && at && i < fresh.n; i++) {
    size_t n = key->count > 1 ? strcspn(at, " ") : strlen(at);
    good &= take_one(&fresh, key, i, at, n);
    room &= key->type != TRIAD_KEY_TEXT || fresh.text[i];
    at += n;
    at += strspn(at, " ");
  }
  triad_case_empty(slot);
  *slot = fresh;
  if (!room) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "default of %s", key->name);
  return good ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_INTERNAL, "the schema's default of %s is not valid", key->name);
}
