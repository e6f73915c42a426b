#include "base/case_own.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static int find_word(const triad_key *key, const char *text, size_t length, int *word)
{
  for (*word = 0; key->words[*word]; ++*word)
    if (strncmp(key->words[*word], text, length) == 0 && key->words[*word][length] == '\0') return 1;
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
  int good = 1;
  fresh.n = key->count;
  for (int i = 0; at && i < key->count; i++) {
    if (key->list && !*at) {
      fresh.n = i;
      break;
    }
    size_t n = key->count > 1 ? strcspn(at, " ") : strlen(at);
    switch (key->type) {
    case TRIAD_KEY_REAL:
      good &= triad_number_read(at, n, &fresh.real[i]) && triad_in_range(key, fresh.real[i]);
      break;
    case TRIAD_KEY_INTEGER:
      fresh.integer[i] = strtoll(at, NULL, 10);
      good &= triad_in_range(key, (double)fresh.integer[i]);
      break;
    case TRIAD_KEY_FLAG: fresh.flag = strcmp(at, "true") == 0; break;
    case TRIAD_KEY_TEXT:
      fresh.text[i] = strndup(at, n);
      if (!fresh.text[i]) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "default of %s", key->name);
      break;
    case TRIAD_KEY_WORD:
      good &= find_word(key, at, n, i == 0 ? &fresh.word : &fresh.second);
      break;
    }
    at += n;
    at += strspn(at, " ");
  }
  triad_case_drop_texts(slot);
  *slot = fresh;
  return good ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_INTERNAL, "the schema's default of %s is not valid", key->name);
}
