#include "base/case_own.h"

#include <string.h>

/* Bytes of the UTF-8 character at text, and its code point; 0 when it is none. */
static size_t utf8_length(const unsigned char *text, size_t left, uint32_t *code)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char c = text[0];
  size_t n = c < 0x80 ? 1 : c < 0xc0 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf8 ? 4 : 0;
  if (n == 0 || n > left) return 0;
  *code = n == 1 ? c : c & (0x7fu >> n);
  for (size_t i = 1; i < n; i++) {
    if ((text[i] & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (text[i] & 0x3fu);
  }
  if (*code < least[n] || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff)) return 0;
  return n;
}

/* Controls (C0, DEL, C1), line separators and the marks that reverse the order of what follows. */
static int is_unsafe(uint32_t code)
{
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0x200e || code == 0x200f || code == 0xfeff;
}

int triad_is_utf8(const char *text, size_t length)
{
  uint32_t code;
  for (size_t i = 0, n; i < length; i += n) {
    n = utf8_length((const unsigned char *)text + i, length - i, &code);
    if (n == 0) return 0;
  }
  return 1;
}

/* Whole characters only; *taken tells how many bytes of text fitted. */
static size_t escape(char *buffer, size_t size, const char *text, size_t length, size_t *taken)
{
  static const char digits[] = "0123456789abcdef";
  const unsigned char *from = (const unsigned char *)text;
  size_t used = 0, i = 0;
  while (i < length) {
    uint32_t code = 0;
    size_t n = utf8_length(from + i, length - i, &code);
    if (n > 0 && !is_unsafe(code)) {
      if (used + n + 1 > size) break;
      memcpy(buffer + used, text + i, n);
      used += n;
      i += n;
      continue;
    }
    if (n == 0) n = 1;
    if (used + 4 * n + 1 > size) break;
    for (size_t j = 0; j < n; j++, i++) {
      buffer[used++] = '\\';
      buffer[used++] = 'x';
      buffer[used++] = digits[from[i] >> 4];
      buffer[used++] = digits[from[i] & 15];
    }
  }
  buffer[used] = '\0';
  *taken = i;
  return used;
}

char *triad_escape(char *buffer, size_t size, const char *text, size_t length)
{
  size_t taken;
  (void)escape(buffer, size, text, length, &taken);
  return buffer;
}

char *triad_quote(char buffer[TRIAD_QUOTE_SIZE], const char *text, size_t length)
{
  size_t taken;
  buffer[0] = '"';
  size_t used = 1 + escape(buffer + 1, TRIAD_QUOTE_SIZE - 6, text, length, &taken);
  (void)strcpy(buffer + used, taken < length ? "...\"" : "\"");
  return buffer;
}

const char *triad_did_you_mean(char buffer[TRIAD_QUOTE_SIZE], const char *near)
{
  buffer[0] = '\0';
  if (near) (void)snprintf(buffer, TRIAD_QUOTE_SIZE, ", did you mean \"%s\"?", near);
  return buffer;
}
