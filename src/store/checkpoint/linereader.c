/* Read keys, words, numbers and texts from the lines of a manifest, with an error for each deviation. */
#include "store/checkpoint/linereader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAD TRIAD_READER_FAIL

int triad_reader_fail(const triad_reader *r, const char *source, int source_line, const char *format, ...)
{
  char what[256];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(what, sizeof what, format, args);
  va_end(args);
  triad_note(source, source_line, 0, "%s: line %d: %s", r->path, r->line, what);
  return TRIAD_ERR_CASE;
}

int triad_reader_starts(const triad_reader *r, const char *key)
{
  size_t n = strlen(key);
  return (size_t)(r->end - r->at) > n && memcmp(r->at, key, n) == 0 && r->at[n] == ' ';
}

int triad_reader_key(triad_reader *r, const char *key)
{
  if (!triad_reader_starts(r, key)) return BAD(r, "\"%s\" expected", key);
  r->at += strlen(key);
  return TRIAD_OK;
}

/* One blank, then a word of at most size - 1 printing characters. */
int triad_reader_word(triad_reader *r, char *word, size_t size)
{
  size_t n = 0;
  if (*r->at != ' ') return BAD(r, "a value is missing");
  for (r->at++; r->at < r->end && (unsigned char)*r->at > ' ' && (unsigned char)*r->at < 127; r->at++) {
    if (n + 1 >= size) return BAD(r, "a value is too long");
    word[n++] = *r->at;
  }
  word[n] = '\0';
  return n ? TRIAD_OK : BAD(r, "a value is missing");
}

int triad_reader_integer(triad_reader *r, int64_t least, int64_t most, int64_t *out)
{
  char word[32], *stop;
  TRIAD_TRY(triad_reader_word(r, word, sizeof word));
  errno = 0;
  long long value = strtoll(word, &stop, 10);
  if (*stop || errno || value < least || value > most) return BAD(r, "%s is not a valid integer", word);
  *out = value;
  return TRIAD_OK;
}

int triad_reader_real(triad_reader *r, double *out)
{
  char word[64], *stop;
  TRIAD_TRY(triad_reader_word(r, word, sizeof word));
  *out = strtod(word, &stop);
  return *stop ? BAD(r, "%s is not a number", word) : TRIAD_OK;
}

int triad_reader_hash(triad_reader *r, uint64_t *out)
{
  char word[32];
  TRIAD_TRY(triad_reader_word(r, word, sizeof word));
  if (strlen(word) != 16 || strspn(word, "0123456789abcdef") != 16) return BAD(r, "%s is not a checksum", word);
  *out = strtoull(word, NULL, 16);
  return TRIAD_OK;
}

int triad_reader_line_end(triad_reader *r)
{
  if (r->at >= r->end || *r->at != '\n') return BAD(r, "extra text after the last value");
  r->at++;
  r->line++;
  return TRIAD_OK;
}

static int hex_digit(char c)
{
  const char *digits = "0123456789abcdef", *place = c ? strchr(digits, c) : NULL;
  return place ? (int)(place - digits) : -1;
}

int triad_reader_text(triad_reader *r, char **out)
{
  if (r->end - r->at < 3 || r->at[0] != ' ' || r->at[1] != '"') return BAD(r, "expected text in quotes");
  r->at += 2;
  const char *line_end = memchr(r->at, '\n', (size_t)(r->end - r->at));
  char *text = malloc((size_t)((line_end ? line_end : r->end) - r->at) + 1), *to = text;
  if (!text) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: a text", r->path);
  const char *p = r->at;
  int bad = !line_end;
  while (!bad && p < line_end && *p != '"') {
    if (*p != '\\') {
      *to++ = *p++;
      continue;
    }
    static const char codes[] = "\\\"nrt", bytes[] = "\\\"\n\r\t";
    const char *code = p[1] ? strchr(codes, p[1]) : NULL;
    if (code) {
      *to++ = bytes[code - codes];
      p += 2;
    } else if (p[1] == 'x' && hex_digit(p[2]) >= 0 && hex_digit(p[3]) >= 0 && (p[2] != '0' || p[3] != '0')) {
      *to++ = (char)(16 * hex_digit(p[2]) + hex_digit(p[3]));
      p += 4;
    } else {
      bad = 1;
    }
  }
  if (bad || p >= line_end) {
    free(text);
    return BAD(r, "text without closing quote, or with an unknown escape");
  }
  *to = '\0';
  r->at = p + 1;
  *out = text;
  return TRIAD_OK;
}
