#include "command/info_json.h"

#include <string.h>

enum { DEEPEST = 64 };

typedef struct reader {
  const char *text, *at, *end;
  triad_json_member *tell;
  void *who;
} reader;

static void skip_blanks(reader *r)
{
  while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at) r->at++;
}

static int take(reader *r, char c)
{
  if (r->at == r->end || *r->at != c) return 0;
  r->at++;
  return 1;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

static int take_string(reader *r)
{
  if (!take(r, '"')) return 0;
  while (r->at < r->end && *r->at != '"') {
    unsigned char c = (unsigned char)*r->at;
    if (c < 0x20) return 0;
    r->at++;
    if (c != '\\') continue;
    if (r->at == r->end || !*r->at || !strchr("\"\\/bfnrtu", *r->at)) return 0;
    if (*r->at++ == 'u')
      for (int i = 0; i < 4; i++, r->at++)
        if (r->at == r->end || !is_hex(*r->at)) return 0;
  }
  return take(r, '"');
}

static int take_digits(reader *r)
{
  const char *first = r->at;
  while (r->at < r->end && is_digit(*r->at)) r->at++;
  return r->at > first;
}

static int take_number(reader *r)
{
  (void)take(r, '-');
  if (!take(r, '0') && !take_digits(r)) return 0;
  if (take(r, '.') && !take_digits(r)) return 0;
  if (take(r, 'e') || take(r, 'E')) {
    if (!take(r, '+')) (void)take(r, '-');
    return take_digits(r);
  }
  return 1;
}

static int take_word(reader *r)
{
  static const char *const words[] = {"true", "false", "null"};
  for (int i = 0; i < 3; i++) {
    size_t n = strlen(words[i]);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, words[i], n) != 0) continue;
    r->at += n;
    return 1;
  }
  return 0;
}

static int take_value(reader *r, int depth);

static int take_member(reader *r, int depth)
{
  skip_blanks(r);
  const char *name = r->at;
  if (!take_string(r)) return 0;
  const char *name_end = r->at;
  skip_blanks(r);
  if (!take(r, ':')) return 0;
  skip_blanks(r);
  const char *value = r->at;
  if (!take_value(r, depth + 1)) return 0;
  if (depth == 0) r->tell(r->who, name + 1, (size_t)(name_end - name - 2), value, (size_t)(r->at - value));
  return 1;
}

static int take_list(reader *r, int depth, char close, int (*take_one)(reader *r, int depth))
{
  skip_blanks(r);
  if (take(r, close)) return 1;
  do {
    if (!take_one(r, depth)) return 0;
    skip_blanks(r);
  } while (take(r, ','));
  return take(r, close);
}

static int take_element(reader *r, int depth) { return take_value(r, depth + 1); }

static int take_value(reader *r, int depth)
{
  if (depth > DEEPEST) return 0;
  skip_blanks(r);
  if (r->at == r->end) return 0;
  if (take(r, '{')) return take_list(r, depth, '}', take_member);
  if (take(r, '[')) return take_list(r, depth, ']', take_element);
  if (*r->at == '"') return take_string(r);
  return *r->at == '-' || is_digit(*r->at) ? take_number(r) : take_word(r);
}

int triad_json_look(const char *text, size_t length, triad_json_member *tell, void *who, size_t *bad)
{
  reader r = {text, text, text + length, tell, who};
  skip_blanks(&r);
  int good = r.at < r.end && *r.at == '{' && take_value(&r, 0);
  if (good) skip_blanks(&r);
  *bad = (size_t)(r.at - text);
  return good && r.at == r.end;
}
