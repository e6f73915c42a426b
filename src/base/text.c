/* Escape text for terminals, JSON and manual pages, shorten it to a width in columns, and find the known word with
 * the smallest edit distance. */
#include "base/text.h"

#include "base/version.h"
#include "base/minmax.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

size_t triad_utf8(const char *text, size_t n, uint32_t *code)
{
  const unsigned char *s = (const unsigned char *)text;
  static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
  size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
  if (length == 0 || length > n) return 0;
  *code = length == 1 ? s[0] : s[0] & (0x7fu >> length);
  for (size_t i = 1; i < length; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (s[i] & 0x3f);
  }
  return *code < least[length] || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff) ? 0 : length;
}

/* The escape of one character: its length in `piece`, or 0 if the character needs none. */
static size_t replace(char piece[8], uint32_t c, int json)
{
  if (json) {
    char letter = c == '"' || c == '\\' ? (char)c : c == '\n' ? 'n' : c == '\t' ? 't' : c == '\r' ? 'r' : '\0';
    if (letter) return (size_t)snprintf(piece, 8, "\\%c", letter);
  }
  int shown = (c >= 0x20 && c < 0x7f) || (c > 0x9f && c != 0x2028 && c != 0x2029) || c == '\t';
  if (shown) return 0;
  return (size_t)snprintf(piece, 8, json || c > 0xff ? "\\u%04x" : "\\x%02x", (unsigned)(c & 0xffff));
}

size_t triad_escape(char *out, size_t room, const char *text, size_t length, int kind)
{
  const unsigned char *s = (const unsigned char *)text;
  int json = kind == TRIAD_ESCAPE_JSON;
  size_t whole = 0, kept = 0;
  for (size_t i = 0, n; i < length; i += n) {
    char piece[8];
    uint32_t code = 0;
    size_t size;
    n = triad_utf8(text + i, length - i, &code);
    if (n > 0) {
      size = replace(piece, code, json);
    } else {
      n = 1;
      size = (size_t)snprintf(piece, sizeof piece, json ? "\\\\x%02x" : "\\x%02x", s[i]);
    }
    const char *from = size ? piece : text + i;
    if (!size) size = n;
    if (kept == whole && whole + size < room) {
      memcpy(out + kept, from, size);
      kept += size;
    }
    whole += size;
  }
  if (room > 0) out[kept] = '\0';
  return whole;
}

/* Blanks, line ends, controls and marks of direction outside ASCII, of which none shows. */
static int is_hidden(uint32_t c)
{
  return c <= 0xa0 || c == 0xad || c == 0x1680 || (c >= 0x2000 && c <= 0x206f) || c == 0x3000 || c == 0xfeff ||
         (c & 0xfffe) == 0xfffe;
}

int triad_name_clean(char *name, const char *kept)
{
  int found = 0;
  for (size_t left = strlen(name), n; left > 0; name += n, left -= n) {
    uint32_t code = 0;
    n = triad_utf8(name, left, &code);
    if (n == 0) n = 1;
    else if (n == 1 ? isalnum((unsigned char)*name) : !is_hidden(code)) {
      found = 1;
      continue;
    } else if (n == 1 && strchr(kept, *name)) continue;
    memset(name, '_', n);
  }
  return found;
}

/* Characters that take two columns, or may: East Asian wide ranges and pictographs (Unicode TR 11), roughly. */
static int columns_of(uint32_t c)
{
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
             (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
             (c >= 0xffe0 && c <= 0xffe6) || c >= 0x1f300
           ? 2
           : 1;
}

size_t triad_escape_fit(const char *text, size_t length, int columns)
{
  size_t i = 0;
  while (i < length) {
    uint32_t code = 0;
    size_t n = triad_utf8(text + i, length - i, &code);
    if (n == 0) n = 1;
    columns -= columns_of(code);
    if (columns < 0) break;
    i += n;
  }
  return i;
}

void triad_escape_squeeze(char *text, int columns)
{
  char *second = strstr(text, "  "), *gap = second ? strstr(second + 2, "  ") : NULL;
  while (gap && triad_escape_fit(text, strlen(text), columns) < strlen(text)) {
    const char *next = strstr(gap + 2, "  ");
    if (!next) return;
    memmove(gap, next, strlen(next) + 1);
  }
}

enum { LONGEST = 63 };

static int folded(char c)
{
  if (c >= 'A' && c <= 'Z') return c - 'A' + 'a';
  return c == '_' ? '-' : (unsigned char)c;
}

static int length_of(const char *word) { return (int)strnlen(word, LONGEST); }

int triad_edits(const char *a, const char *b)
{
  int na = length_of(a), nb = length_of(b);
  int rows[3][LONGEST + 1]; /* of the table of distances between prefixes: before last, last, this */
  int *before = rows[0], *last = rows[1], *now = rows[2];
  for (int j = 0; j <= nb; j++) {
    last[j] = j;
    before[j] = j;
  }
  for (int i = 1; i <= na; i++) {
    now[0] = i;
    for (int j = 1; j <= nb; j++) {
      int same = folded(a[i - 1]) == folded(b[j - 1]);
      now[j] = triad_min_int(triad_min_int(last[j], now[j - 1]) + 1, last[j - 1] + !same);
      if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1]))
        now[j] = triad_min_int(now[j], before[j - 2] + 1);
    }
    int *free_row = before;
    before = last;
    last = now;
    now = free_row;
  }
  return last[nb];
}

int triad_nearest(const char *word, const char *const *words, int n)
{
  int best = -1, best_edits = length_of(word) / 3 + 1;
  if (length_of(word) < 2) return -1;
  for (int i = 0; i < n; i++) {
    int edits = triad_edits(word, words[i]);
    if (edits < best_edits && edits < length_of(words[i])) {
      best = i;
      best_edits = edits;
    }
  }
  return best;
}

void triad_roff_title(FILE *file, const char *name, int section)
{
  (void)fprintf(file, ".\\\" Made by the program itself.\n.TH \"");
  for (const char *c = name; *c; c++) (void)fputc(toupper((unsigned char)*c), file);
  (void)fprintf(file, "\" \"%d\" \"%s\" \"Triad %s\" \"Triad manual\"\n", section, triad_date(), triad_version());
}

void triad_roff_text(FILE *file, const char *text, size_t length)
{
  (void)fputs("\\&", file);
  for (size_t i = 0; i < length; i++) switch (text[i]) {
    case '\\': (void)fputs("\\e", file); break;
    case '-': (void)fputs("\\-", file); break;
    case '^': (void)fputs("\\(ha", file); break;
    case '~': (void)fputs("\\(ti", file); break;
    case '`': (void)fputs("\\(ga", file); break;
    case '\'': (void)fputs("\\(aq", file); break;
    case '"': (void)fputs("\\(dq", file); break;
    default: (void)fputc(text[i], file);
    }
}

void triad_roff_line(FILE *file, const char *text)
{
  triad_roff_text(file, text, strlen(text));
  (void)fputc('\n', file);
}

void triad_roff_bold(FILE *file, const char *text)
{
  (void)fputs("\\fB", file);
  triad_roff_text(file, text, strlen(text));
  (void)fputs("\\fP\n", file);
}
