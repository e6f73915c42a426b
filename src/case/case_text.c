#include "case/case_own.h"

#include "base/escape.h"

#include <string.h>

char *triad_quote(char buffer[TRIAD_QUOTE_SIZE], const char *text, size_t length)
{
  size_t room = TRIAD_QUOTE_SIZE - 5; /* beside the marks and the dots */
  buffer[0] = '"';
  int cut = triad_escape(buffer + 1, room, text, length, TRIAD_ESCAPE_PLAIN) >= room;
  (void)strcat(buffer, cut ? "...\"" : "\"");
  return buffer;
}

const char *triad_did_you_mean(char buffer[TRIAD_QUOTE_SIZE], const char *near)
{
  buffer[0] = '\0';
  if (near) (void)snprintf(buffer, TRIAD_QUOTE_SIZE, ", did you mean \"%s\"?", near);
  return buffer;
}

/* RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
static size_t utf8_length(const unsigned char *text, size_t left)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char c = text[0];
  size_t n = c < 0x80 ? 1 : c < 0xc0 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf8 ? 4 : 0;
  if (n == 0 || n > left) return 0;
  uint32_t code = n == 1 ? c : c & (0x7fu >> n);
  for (size_t i = 1; i < n; i++) {
    if ((text[i] & 0xc0) != 0x80) return 0;
    code = code << 6 | (text[i] & 0x3fu);
  }
  return code < least[n] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? 0 : n;
}

int triad_is_utf8(const char *text, size_t length)
{
  for (size_t i = 0, n; i < length; i += n) {
    n = utf8_length((const unsigned char *)text + i, length - i);
    if (n == 0) return 0;
  }
  return 1;
}
