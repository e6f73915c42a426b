#include "case/case_own.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Values in a preset, parted by blanks. */
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

static int find_word(const triad_key *key, const char *text, size_t length, int *word)
{
  for (*word = 0; key->words[*word]; ++*word)
    if (strncmp(key->words[*word], text, length) == 0 && key->words[*word][length] == '\0') return 1;
  return 0;
}

/* One value, `n` bytes at `at`; 0 where it is none. A text is NULL without memory. */
static int take_one(triad_case_slot *slot, const triad_key *key, int i, const char *at, size_t n)
{
  switch (key->type) {
  case TRIAD_KEY_REAL: return triad_number_read(at, n, &slot->real[i]) && triad_in_range(key, slot->real[i]);
  case TRIAD_KEY_INTEGER:
    slot->integer[i] = strtoll(at, NULL, 10);
    return triad_in_range(key, (double)slot->integer[i]);
  case TRIAD_KEY_FLAG: slot->flag = strcmp(at, "true") == 0; return 1;
  case TRIAD_KEY_TEXT: slot->text[i] = strndup(at, n); return 1;
  case TRIAD_KEY_WORD: return find_word(key, at, n, i == 0 ? &slot->word : &slot->second);
  }
  return 0;
}

/* "compressible ssprk3" of the key time.scheme: the solver, and the default that it has instead of the others'. */
static const char *preset_of(const triad_case *c, const triad_key *key)
{
  const char *solver = triad_case_solver(c);
  size_t n = solver ? strlen(solver) : 0;
  int own = key->own_preset && n > 0 && strncmp(key->own_preset, solver, n) == 0 && key->own_preset[n] == ' ';
  return own ? key->own_preset + n + 1 : key->preset;
}

int triad_case_take_own_default(triad_case *c, int row)
{
  const triad_case_slot *slot = &c->slots[row];
  if (!triad_schema[row].own_preset || slot->seen || slot->bad) return TRIAD_OK;
  return triad_case_take_default(c, row);
}

int triad_case_take_default(triad_case *c, int row)
{
  const triad_key *key = &triad_schema[row];
  const char *at = preset_of(c, key);
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
