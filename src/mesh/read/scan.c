/* Read numbers and words of a mesh file that is in memory (scan.h). */
#include "mesh/read/scan.h"

#include "base/status.h"
#include "store/disk.h"
#include "store/formats/gzip.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NUMBER = 64 /* bytes of the longest number that is read */ };

/* Map a file, with a NUL behind its end: the rest of its last page, or another page, is zero. */
static int map(triad_mesh_scan *s, int fd)
{
  const int64_t page = sysconf(_SC_PAGESIZE), bytes = (s->size / page + 1) * page;
  void *room = mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: a map of %" PRId64 " bytes", s->path, bytes);
  s->text = room;
  s->mapped = bytes;
  if (s->size == 0 || mmap(room, (size_t)s->size, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == room) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_IO, "%s: %s", s->path, strerror(errno));
}

void triad_mesh_scan_free(triad_mesh_scan *s)
{
  if (s->mapped > 0) (void)munmap(s->text, (size_t)s->mapped);
  else free(s->text);
  s->text = NULL;
  s->mapped = 0;
}

/* A file that can be mapped, which one packed by gzip is not. */
static int load(triad_mesh_scan *s)
{
  char head[4] = "";
  int fd;
  TRIAD_TRY(triad_disk_open(s->path, 0, &fd));
  int st = triad_disk_size(fd, s->path, &s->size);
  if (st == TRIAD_OK && s->size >= 3) st = triad_disk_read(fd, s->path, head, 3, 0);
  const int packed = triad_gzip_is(head, 3);
  if (st == TRIAD_OK && !packed) st = map(s, fd);
  (void)close(fd);
  return st == TRIAD_OK && packed ? triad_gzip_load(s->path, s->guard, &s->text, &s->size) : st;
}

int triad_mesh_scan_load(triad_mesh_scan *s, const char *path, triad_guard *guard)
{
  s->path = path;
  s->guard = guard;
  TRIAD_TRY(load(s));
  if (s->size >= 3 && memcmp(s->text, "\xef\xbb\xbf", 3) == 0) s->at = 3; /* byte order mark */
  return TRIAD_OK;
}

void triad_mesh_scan_place(const triad_mesh_scan *s, int64_t at, char text[TRIAD_MESH_SCAN_PLACE])
{
  int64_t line = s->before + 1;
  for (int64_t i = 0; i < at && i < s->size && !s->binary; i++) line += s->text[i] == '\n';
  (void)snprintf(text, TRIAD_MESH_SCAN_PLACE, s->binary ? "byte %" PRId64 : "line %" PRId64, s->binary ? at : line);
}

int triad_mesh_scan_bad(const triad_mesh_scan *s, const char *format, ...)
{
  char text[400], place[TRIAD_MESH_SCAN_PLACE];
  va_list list;
  va_start(list, format);
  (void)vsnprintf(text, sizeof text, format, list);
  va_end(list);
  triad_mesh_scan_place(s, s->at, place);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %s: %s", s->path, place, text);
}

/* ---- text ---- */

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

void triad_mesh_scan_skip_line(triad_mesh_scan *s)
{
  const char *end = s->at < s->size ? memchr(s->text + s->at, '\n', (size_t)(s->size - s->at)) : NULL;
  s->at = end ? end - s->text + 1 : s->size;
}

void triad_mesh_scan_skip(triad_mesh_scan *s)
{
  while (s->at < s->size && (is_blank(s->text[s->at]) || (s->comment && s->text[s->at] == s->comment))) {
    if (is_blank(s->text[s->at])) s->at++;
    else triad_mesh_scan_skip_line(s);
  }
}

int triad_mesh_scan_at_end(triad_mesh_scan *s)
{
  triad_mesh_scan_skip(s);
  return s->at >= s->size;
}

/* Error: the file has something else where `wanted` is required. */
static int not_a(triad_mesh_scan *s, const char *wanted)
{
  char word[24] = "";
  if (triad_mesh_scan_at_end(s)) return triad_mesh_scan_bad(s, "the file ends here, expected %s", wanted);
  for (int i = 0; i < 20 && s->at + i < s->size && !is_blank(s->text[s->at + i]); i++)
    word[i] = s->text[s->at + i] > ' ' && s->text[s->at + i] < 127 ? s->text[s->at + i] : '?';
  return triad_mesh_scan_bad(s, "expected %s, found \"%s\"", wanted, word);
}

/* May a number end at this byte? */
static int is_end(const triad_mesh_scan *s, const char *end)
{
  return end >= s->text + s->size || is_blank(*end) || (s->comment && *end == s->comment) ||
         (s->closers && *end && strchr(s->closers, *end));
}

int triad_mesh_scan_integer(triad_mesh_scan *s, int64_t *out)
{
  char *end;
  triad_mesh_scan_skip(s);
  errno = 0;
  const long long value = strtoll(s->text + s->at, &end, 10);
  if (end == s->text + s->at || !is_end(s, end) || errno == ERANGE) return not_a(s, "a whole number");
  s->at = end - s->text;
  *out = value;
  return TRIAD_OK;
}

/* Fortran's exponent of double precision, D, which begins at *end. 0: the number is too long. */
static int take_exponent(const triad_mesh_scan *s, const char **end, double *out)
{
  char number[NUMBER], *stop;
  const char *from = s->text + s->at;
  const int64_t before = *end - from;
  int64_t n = before + 1;
  while (n < NUMBER - 1 && from[n] && strchr("+-0123456789", from[n])) n++;
  if (n >= NUMBER - 1) return 0;
  memcpy(number, from, (size_t)n);
  number[before] = 'e';
  number[n] = '\0';
  *out = strtod(number, &stop);
  *end = from + (stop - number);
  return 1;
}

int triad_mesh_scan_any_real(triad_mesh_scan *s, double *out)
{
  char *stop;
  triad_mesh_scan_skip(s);
  const char *begin = s->text + s->at;
  *out = strtod(begin, &stop);
  const char *end = stop;
  if ((*end == 'd' || *end == 'D') && end > begin && !take_exponent(s, &end, out)) return not_a(s, "a number");
  /* strtod reads 0x1f too */
  if (end == begin || !is_end(s, end) || memchr(begin, 'x', (size_t)(end - begin)) ||
      memchr(begin, 'X', (size_t)(end - begin)))
    return not_a(s, "a number");
  s->at = end - s->text;
  return TRIAD_OK;
}

int triad_mesh_scan_real(triad_mesh_scan *s, double *out)
{
  const int64_t at = (triad_mesh_scan_skip(s), s->at);
  TRIAD_TRY(triad_mesh_scan_any_real(s, out));
  if (isfinite(*out)) return TRIAD_OK;
  s->at = at;
  return not_a(s, "a number");
}

int triad_mesh_scan_word(triad_mesh_scan *s, char *out, int64_t room)
{
  int64_t n = 0;
  triad_mesh_scan_skip(s);
  while (s->at + n < s->size && !is_blank(s->text[s->at + n])) n++;
  if (n == 0 || n >= room) return not_a(s, "a word");
  memcpy(out, s->text + s->at, (size_t)n);
  out[n] = '\0';
  s->at += n;
  return TRIAD_OK;
}

void triad_mesh_scan_rest(triad_mesh_scan *s, char *out, int64_t room)
{
  int64_t begin = s->at;
  triad_mesh_scan_skip_line(s);
  int64_t end = s->at;
  while (begin < end && is_blank(s->text[begin])) begin++;
  while (end > begin && is_blank(s->text[end - 1])) end--;
  const int64_t n = end - begin < room ? end - begin : room - 1;
  memcpy(out, s->text + begin, (size_t)n);
  out[n] = '\0';
}

int64_t triad_mesh_scan_words_left(const triad_mesh_scan *s)
{
  int64_t n = 0;
  for (int64_t at = s->at; at < s->size && s->text[at] != '\n' && !(s->comment && s->text[at] == s->comment); at++)
    n += !is_blank(s->text[at]) && (at == s->at || is_blank(s->text[at - 1]));
  return n;
}

int triad_mesh_scan_check(const triad_mesh_scan *s, int64_t count, int64_t least, const char *items)
{
  if (count < 0 || count > (s->size - s->at) / least)
    return triad_mesh_scan_bad(s, "%" PRId64 " %s are declared, but the rest of the file has room for %" PRId64, count,
                               items, (s->size - s->at) / least);
  return TRIAD_OK;
}

int triad_mesh_scan_count(triad_mesh_scan *s, int64_t least, const char *items, int64_t *out)
{
  TRIAD_TRY(triad_mesh_scan_integer(s, out));
  return triad_mesh_scan_check(s, *out, least, items);
}

/* ---- binary values ---- */

static int take_bytes(triad_mesh_scan *s, int bytes, unsigned char out[8])
{
  if (bytes > s->size - s->at) return triad_mesh_scan_bad(s, "the file ends here");
  for (int i = 0; i < bytes; i++) out[i] = (unsigned char)s->text[s->at + (s->swapped ? bytes - 1 - i : i)];
  s->at += bytes;
  return TRIAD_OK;
}

int triad_mesh_scan_binary_integer(triad_mesh_scan *s, int bytes, int64_t *out)
{
  unsigned char b[8];
  int32_t four;
  int16_t two;
  TRIAD_TRY(take_bytes(s, bytes, b));
  if (bytes == 8) {
    memcpy(out, b, sizeof *out);
  } else if (bytes == 4) {
    memcpy(&four, b, sizeof four);
    *out = four;
  } else if (bytes == 2) {
    memcpy(&two, b, sizeof two);
    *out = two;
  } else {
    *out = (int8_t)b[0];
  }
  return TRIAD_OK;
}

int triad_mesh_scan_binary_real(triad_mesh_scan *s, int bytes, double *out)
{
  unsigned char b[8];
  float narrow;
  TRIAD_TRY(take_bytes(s, bytes, b));
  if (bytes == 8) {
    memcpy(out, b, sizeof *out);
  } else {
    memcpy(&narrow, b, sizeof narrow);
    *out = narrow;
  }
  return TRIAD_OK;
}
