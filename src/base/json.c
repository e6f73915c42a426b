/* Write JSON with commas, escapes and line breaks; read it in place. The reader has no tree: an item is found by
 * scanning the ones before it, which for files of our size costs less than building one. */
#include "base/json.h"

#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

static void put_bytes(triad_json *j, const char *bytes, size_t n)
{
  if (j->put) j->put(j->to, bytes, n);
  else (void)fwrite(bytes, 1, n, j->out);
}

static void put_plain(triad_json *j, const char *text) { put_bytes(j, text, strlen(text)); }

static void put_escaped(triad_json *j, const char *safe, size_t n)
{
  size_t first = 0;
  for (size_t i = 0; j->html && i < n; i++) {
    char piece[8];
    if (safe[i] != '<' && safe[i] != '>' && safe[i] != '&') continue;
    put_bytes(j, safe + first, i - first);
    (void)snprintf(piece, sizeof piece, "\\u%04x", (unsigned)safe[i]);
    put_plain(j, piece);
    first = i + 1;
  }
  put_bytes(j, safe + first, n - first);
}

static void put_string(triad_json *j, const char *text, size_t length)
{
  enum { PIECE = 256 };
  char safe[6 * PIECE + 1];
  put_bytes(j, "\"", 1);
  for (size_t n; length > 0; text += n, length -= n) {
    n = length < PIECE ? length : PIECE;
    for (int i = 0; i < 3 && n < length && ((unsigned char)text[n] & 0xc0) == 0x80; i++) n--; /* between characters */
    put_escaped(j, safe, triad_escape(safe, sizeof safe, text, n, TRIAD_ESCAPE_JSON));
  }
  put_bytes(j, "\"", 1);
}

static void put_break(triad_json *j)
{
  put_bytes(j, "\n", 1);
  for (int i = 0; i < j->indent; i++) put_bytes(j, "  ", 2);
}

/* Write the comma or line break before an item, and its name. */
static void begin_item(triad_json *j, const char *name)
{
  int compact = 0;
  if (j->depth > 0) {
    triad_json_layout layout = j->open[j->depth - 1].layout;
    compact = layout == TRIAD_JSON_COMPACT;
    if (j->open[j->depth - 1].some) put_plain(j, layout == TRIAD_JSON_LINE ? ", " : ",");
    if (layout == TRIAD_JSON_LINES || layout == TRIAD_JSON_FLUSH) put_break(j);
    j->open[j->depth - 1].some = true;
  }
  if (!name) return;
  put_string(j, name, strlen(name));
  put_plain(j, compact ? ":" : ": ");
}

static void open_container(triad_json *j, const char *name, triad_json_layout layout, const char *brackets)
{
  begin_item(j, name);
  if (j->depth == TRIAD_JSON_DEPTH) abort();
  put_bytes(j, brackets, 1);
  j->open[j->depth].layout = layout;
  j->open[j->depth].close = brackets[1];
  j->open[j->depth++].some = false;
  j->indent += layout == TRIAD_JSON_LINES;
}

void triad_json_object(triad_json *j, const char *name, triad_json_layout layout)
{
  open_container(j, name, layout, "{}");
}

void triad_json_list(triad_json *j, const char *name, triad_json_layout layout)
{
  open_container(j, name, layout, "[]");
}

void triad_json_end(triad_json *j)
{
  if (j->depth == 0) abort();
  triad_json_layout layout = j->open[--j->depth].layout;
  j->indent -= layout == TRIAD_JSON_LINES;
  if (j->open[j->depth].some && (layout == TRIAD_JSON_LINES || layout == TRIAD_JSON_FLUSH)) put_break(j);
  put_bytes(j, &j->open[j->depth].close, 1);
}

void triad_json_chars(triad_json *j, const char *name, const char *text, size_t length)
{
  begin_item(j, name);
  put_string(j, text, length);
}

void triad_json_text(triad_json *j, const char *name, const char *text)
{
  if (text) triad_json_chars(j, name, text, strlen(text));
  else triad_json_null(j, name);
}

static void put_number(triad_json *j, const char *name, double value, const char *format, int digits)
{
  char text[400]; /* the digits of the largest double */
  begin_item(j, name);
  (void)snprintf(text, sizeof text, isfinite(value) ? format : "null", digits, value);
  put_plain(j, text);
}

void triad_json_number(triad_json *j, const char *name, double value, int digits)
{
  put_number(j, name, value, "%.*g", digits < TRIAD_JSON_EXACT ? digits : TRIAD_JSON_EXACT);
}

void triad_json_whole(triad_json *j, const char *name, double value) { put_number(j, name, value, "%.*f", 0); }

void triad_json_integer(triad_json *j, const char *name, int64_t value)
{
  char text[24];
  begin_item(j, name);
  (void)snprintf(text, sizeof text, "%" PRId64, value);
  put_plain(j, text);
}

void triad_json_bool(triad_json *j, const char *name, bool value)
{
  begin_item(j, name);
  put_plain(j, value ? "true" : "false");
}

void triad_json_null(triad_json *j, const char *name)
{
  begin_item(j, name);
  put_plain(j, "null");
}

void triad_json_raw(triad_json *j, const char *name, const char *json)
{
  begin_item(j, name);
  put_plain(j, json ? json : "null");
}

void triad_json_copy(triad_json *j, const char *container)
{
  triad_json_walk w = triad_json_items_of(container ? container : "", container ? strlen(container) : 0);
  triad_json_value name, value;
  while (triad_json_next(&w, &name, &value)) {
    begin_item(j, NULL);
    put_bytes(j, name.at, (size_t)(name.end - name.at));
    if (w.close == '}') put_plain(j, j->open[j->depth - 1].layout == TRIAD_JSON_COMPACT ? ":" : ": ");
    put_bytes(j, value.at, (size_t)(value.end - value.at));
  }
}

/* ---- reading ---- */

enum { DEEPEST = 64 };

typedef struct reader {
  const char *at, *end;
} reader;

static void skip_blanks(reader *r)
{
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n')) r->at++;
}

static int accept_character(reader *r, char c)
{
  if (r->at == r->end || *r->at != c) return 0;
  r->at++;
  return 1;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int hex_value(char c)
{
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The four digits at s[0 .. 3]; -1 if there are none before `end`. */
static int32_t read_hex(const char *s, const char *end)
{
  int32_t code = 0;
  for (int i = 0; i < 4; i++) {
    int digit = s + i < end ? hex_value(s[i]) : -1;
    if (digit < 0) return -1;
    code = 16 * code + digit;
  }
  return code;
}

static int scan_escape(reader *r)
{
  if (r->at == r->end || !*r->at || !strchr("\"\\/bfnrtu", *r->at)) return 0;
  if (*r->at++ != 'u') return 1;
  if (read_hex(r->at, r->end) < 0) return 0;
  r->at += 4;
  return 1;
}

static int scan_string(reader *r)
{
  if (!accept_character(r, '"')) return 0;
  while (r->at < r->end && *r->at != '"') {
    uint32_t code;
    size_t n = triad_utf8(r->at, (size_t)(r->end - r->at), &code);
    if (n == 0 || code < 0x20) return 0;
    r->at += n;
    if (code == '\\' && !scan_escape(r)) return 0;
  }
  return accept_character(r, '"');
}

static int scan_digits(reader *r)
{
  const char *first = r->at;
  while (r->at < r->end && is_digit(*r->at)) r->at++;
  return r->at > first;
}

static int scan_number(reader *r)
{
  (void)accept_character(r, '-');
  if (!accept_character(r, '0') && !scan_digits(r)) return 0;
  if (accept_character(r, '.') && !scan_digits(r)) return 0;
  if (accept_character(r, 'e') || accept_character(r, 'E')) {
    if (!accept_character(r, '+')) (void)accept_character(r, '-');
    return scan_digits(r);
  }
  return 1;
}

static int scan_word(reader *r)
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

static int scan_value(reader *r, int depth);

static int scan_member(reader *r, int depth)
{
  skip_blanks(r);
  if (!scan_string(r)) return 0;
  skip_blanks(r);
  return accept_character(r, ':') && scan_value(r, depth + 1);
}

static int scan_items(reader *r, int depth, char close)
{
  skip_blanks(r);
  if (accept_character(r, close)) return 1;
  do {
    if (!(close == '}' ? scan_member(r, depth) : scan_value(r, depth + 1))) return 0;
    skip_blanks(r);
  } while (accept_character(r, ','));
  return accept_character(r, close);
}

static int scan_value(reader *r, int depth)
{
  if (depth > DEEPEST) return 0;
  skip_blanks(r);
  if (r->at == r->end) return 0;
  if (accept_character(r, '{')) return scan_items(r, depth, '}');
  if (accept_character(r, '[')) return scan_items(r, depth, ']');
  if (*r->at == '"') return scan_string(r);
  return *r->at == '-' || is_digit(*r->at) ? scan_number(r) : scan_word(r);
}

bool triad_json_parse(triad_json_value *value, const char *text, size_t length, size_t *bad)
{
  reader r = {text, text + length};
  skip_blanks(&r);
  value->at = r.at;
  int good = scan_value(&r, 1);
  value->end = r.at;
  if (good) skip_blanks(&r);
  *bad = (size_t)(r.at - text);
  return good && r.at == r.end;
}

triad_json_walk triad_json_items_of(const char *text, size_t length)
{
  reader r = {text, text + length};
  skip_blanks(&r);
  triad_json_walk w = {.end = r.end};
  if (accept_character(&r, '{')) w.close = '}';
  else if (accept_character(&r, '[')) w.close = ']';
  w.at = r.at;
  return w;
}

triad_json_walk triad_json_items(triad_json_value container)
{
  return triad_json_items_of(container.at, (size_t)(container.end - container.at));
}

bool triad_json_next(triad_json_walk *w, triad_json_value *name, triad_json_value *value)
{
  reader r = {w->at, w->end};
  int good = w->close && !w->whole;
  *name = (triad_json_value){r.at, r.at};
  if (!good) return false;
  skip_blanks(&r);
  w->at = r.at;
  w->whole = accept_character(&r, w->close);
  if (!w->whole && w->some) good = accept_character(&r, ',');
  if (good && !w->whole) {
    skip_blanks(&r);
    name->at = name->end = r.at;
    if (w->close == '}') {
      good = scan_string(&r);
      name->end = r.at;
      skip_blanks(&r);
      good = good && accept_character(&r, ':');
      skip_blanks(&r);
    }
    value->at = r.at;
    good = good && scan_value(&r, 2);
    value->end = r.at;
    w->some = true;
  }
  w->at = r.at;
  if (!good) w->close = '\0'; /* a fault ends the walk */
  return good && !w->whole;
}

bool triad_json_member(triad_json_value object, const char *name, triad_json_value *value)
{
  triad_json_walk w = triad_json_items(object);
  triad_json_value key, item;
  bool found = false;
  while (triad_json_next(&w, &key, &item)) {
    if (!triad_json_equals(key, name)) continue;
    *value = item;
    found = true;
  }
  return found;
}

bool triad_json_last(triad_json_value list, triad_json_value *value)
{
  triad_json_walk w = triad_json_items(list);
  triad_json_value key, item;
  bool found = false;
  while (triad_json_is_list(list) && triad_json_next(&w, &key, &item)) {
    *value = item;
    found = true;
  }
  return found;
}

static bool begins_with(triad_json_value v, char c) { return v.at < v.end && *v.at == c; }

bool triad_json_is_object(triad_json_value value) { return begins_with(value, '{'); }

bool triad_json_is_list(triad_json_value value) { return begins_with(value, '['); }

bool triad_json_is_text(triad_json_value value) { return begins_with(value, '"'); }

/* UTF-8 of a code point; returns its length. */
static size_t encode(uint32_t c, char out[4])
{
  size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t i = n - 1; i > 0; i--, c >>= 6) out[i] = (char)(0x80 | (c & 0x3f));
  out[0] = (char)(first[n] | c);
  return n;
}

/* Decode the escape after a backslash at *s, and with it the second half of a surrogate pair. */
static uint32_t decode_escape(const char **s, const char *end)
{
  enum { UNKNOWN = 0xfffd };
  static const char letters[] = "\"\\/bfnrt", codes[] = "\"\\/\b\f\n\r\t";
  char c = *(*s)++;
  if (c != 'u') return (unsigned char)codes[strchr(letters, c) - letters];
  uint32_t code = (uint32_t)read_hex(*s, end);
  *s += 4;
  if (code >= 0xd800 && code < 0xdc00 && end - *s >= 6 && (*s)[0] == '\\' && (*s)[1] == 'u') {
    uint32_t low = (uint32_t)read_hex(*s + 2, end);
    if (low >= 0xdc00 && low < 0xe000) {
      *s += 6;
      return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
  }
  return code == 0 || (code >= 0xd800 && code < 0xe000) ? UNKNOWN : code;
}

char *triad_json_decode(triad_json_value value)
{
  reader r = {value.at, value.end};
  if (!triad_json_is_text(value) || !scan_string(&r) || r.at != r.end) return NULL;
  char *text = malloc((size_t)(value.end - value.at)); /* no escape is shorter than its character */
  size_t n = 0;
  for (const char *s = value.at + 1; text && s < value.end - 1;) {
    if (*s != '\\') {
      text[n++] = *s++;
      continue;
    }
    s++;
    n += encode(decode_escape(&s, value.end - 1), text + n);
  }
  if (text) text[n] = '\0';
  return text;
}

bool triad_json_equals(triad_json_value value, const char *text)
{
  char *decoded = triad_json_decode(value);
  bool same = decoded && strcmp(decoded, text) == 0;
  free(decoded);
  return same;
}

/* Copy a number of at most `size` - 1 characters to out, with which strtod ends; 0 if `value` is none or longer. */
static size_t copy_number(triad_json_value value, char *out, size_t size)
{
  reader r = {value.at, value.end};
  size_t n = (size_t)(value.end - value.at);
  if (n == 0 || n >= size || !scan_number(&r) || r.at != r.end) return 0;
  memcpy(out, value.at, n);
  out[n] = '\0';
  return n;
}

bool triad_json_to_number(triad_json_value value, double *number)
{
  char small[64];
  size_t n = (size_t)(value.end - value.at);
  char *text = n < sizeof small ? small : malloc(n + 1);
  bool good = text && copy_number(value, text, n < sizeof small ? sizeof small : n + 1) > 0;
  if (good) *number = strtod(text, NULL);
  if (text != small) free(text);
  return good;
}

bool triad_json_to_integer(triad_json_value value, int64_t *number)
{
  char text[24], *end;
  if (copy_number(value, text, sizeof text) == 0) return false;
  errno = 0;
  long long whole = strtoll(text, &end, 10);
  if (*end || errno == ERANGE) return false;
  *number = whole;
  return true;
}
