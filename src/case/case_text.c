/* Print the value of a key as TOML: numbers, words, text, lists. */
#include "case/case_internal.h"
#include "case/case_text.h"

#include <stdlib.h>

/* A TOML basic string. */
static void write_text(FILE *file, const char *text)
{
  (void)fputc('"', file);
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c == '"' || *c == '\\') (void)fprintf(file, "\\%c", *c);
    else if (*c < 0x20 || *c == 0x7f) (void)fprintf(file, "\\u%04x", *c);
    else (void)fputc(*c, file);
  }
  (void)fputc('"', file);
}

static void write_one(FILE *file, const triad_key *key, const triad_case_slot *slot, int i)
{
  char number[32];
  switch (key->type) {
  case TRIAD_KEY_REAL:
    if (key->words && slot->real[i] == strtod(key->preset, NULL)) {
      write_text(file, key->words[0].name);
      break;
    }
    triad_number_write(slot->real[i], number);
    (void)fputs(number, file);
    break;
  case TRIAD_KEY_INTEGER: (void)fprintf(file, "%lld", (long long)slot->integer[i]); break;
  case TRIAD_KEY_FLAG: (void)fputs(slot->flag ? "true" : "false", file); break;
  case TRIAD_KEY_WORD: write_text(file, slot->word[i]); break;
  case TRIAD_KEY_TEXT: write_text(file, slot->text[i]); break;
  }
}

void triad_case_write_value(FILE *file, const triad_key *key, const triad_case_slot *slot)
{
  if (key->count > 1) (void)fputc('[', file);
  for (int j = 0; j < slot->n; j++) {
    if (j) (void)fputs(", ", file);
    write_one(file, key, slot, j);
  }
  if (key->count > 1) (void)fputc(']', file);
}

char *triad_case_slot_text(const triad_case *c, const triad_key *key)
{
  char *text = NULL;
  size_t size = 0;
  const triad_case_slot *slot = triad_case_slot_of(c, key->name);
  FILE *f = open_memstream(&text, &size);
  if (!f) return NULL;
  if (slot) triad_case_write_value(f, key, slot);
  int bad = ferror(f);
  if (fclose(f) == 0 && !bad) return text;
  free(text);
  return NULL;
}
