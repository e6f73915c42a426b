#include "base/case_own.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

int triad_case_take_default(triad_case *c, int row)
{
  const triad_key *key = &triad_schema[row];
  const char *at = key->preset;
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
      while (key->words[fresh.word] && strcmp(key->words[fresh.word], at) != 0) fresh.word++;
      good &= key->words[fresh.word] != NULL;
      break;
    }
    at += n;
    at += strspn(at, " ");
  }
  triad_case_drop_texts(slot);
  *slot = fresh;
  return good ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_INTERNAL, "the schema's default of %s is not valid", key->name);
}
