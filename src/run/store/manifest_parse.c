#include "run/store/manifest.h"

#include "run/store/lines.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Lines are read in the order in which they are written; `at` is the next byte. */
typedef struct reader {
  const char *path, *at, *end;
  int line;
} reader;

#define BAD(r, ...) reject((r), __LINE__, __VA_ARGS__)
static int __attribute__((format(printf, 3, 4))) reject(const reader *r, int source, const char *format, ...)
{
  char what[256];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(what, sizeof what, format, args);
  va_end(args);
  triad_note(__FILE__, source, "%s: line %d: %s", r->path, r->line, what);
  return TRIAD_ERR_CASE;
}

static int starts(const reader *r, const char *key)
{
  size_t n = strlen(key);
  return (size_t)(r->end - r->at) > n && memcmp(r->at, key, n) == 0 && r->at[n] == ' ';
}

static int take_key(reader *r, const char *key)
{
  if (!starts(r, key)) return BAD(r, "\"%s\" expected", key);
  r->at += strlen(key);
  return TRIAD_OK;
}

/* One blank, then a word of at most size - 1 printing characters. */
static int take_word(reader *r, char *word, size_t size)
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

static int take_integer(reader *r, int64_t least, int64_t most, int64_t *out)
{
  char word[32], *stop;
  TRIAD_TRY(take_word(r, word, sizeof word));
  errno = 0;
  long long value = strtoll(word, &stop, 10);
  if (*stop || errno || value < least || value > most) return BAD(r, "%s is not a valid integer here", word);
  *out = value;
  return TRIAD_OK;
}

static int take_real(reader *r, double *out)
{
  char word[64], *stop;
  TRIAD_TRY(take_word(r, word, sizeof word));
  *out = strtod(word, &stop);
  return *stop ? BAD(r, "%s is not a number", word) : TRIAD_OK;
}

static int take_hash(reader *r, uint64_t *out)
{
  char word[32];
  TRIAD_TRY(take_word(r, word, sizeof word));
  if (strlen(word) != 16 || strspn(word, "0123456789abcdef") != 16) return BAD(r, "%s is not a checksum", word);
  *out = strtoull(word, NULL, 16);
  return TRIAD_OK;
}

static int take_line_end(reader *r)
{
  if (r->at >= r->end || *r->at != '\n') return BAD(r, "something follows the last value");
  r->at++;
  r->line++;
  return TRIAD_OK;
}

static int hex_digit(char c)
{
  const char *digits = "0123456789abcdef", *place = c ? strchr(digits, c) : NULL;
  return place ? (int)(place - digits) : -1;
}

static int take_text(reader *r, char **out)
{
  if (r->end - r->at < 3 || r->at[0] != ' ' || r->at[1] != '"') return BAD(r, "a text in quotes expected");
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
    return BAD(r, "a text that does not end, or an unknown escape in it");
  }
  *to = '\0';
  r->at = p + 1;
  *out = text;
  return TRIAD_OK;
}

static int take_choice(reader *r, const char *key, const char *const *words, int n, int *out)
{
  char word[64];
  TRIAD_TRY(take_key(r, key));
  TRIAD_TRY(take_word(r, word, sizeof word));
  for (*out = 0; *out < n; ++*out)
    if (strcmp(word, words[*out]) == 0) return take_line_end(r);
  return BAD(r, "unknown %s \"%s\"", key, word);
}

static int take_named_integer(reader *r, const char *key, int64_t least, int64_t most, int64_t *out)
{
  TRIAD_TRY(take_key(r, key));
  TRIAD_TRY(take_integer(r, least, most, out));
  return take_line_end(r);
}

static int take_named_real(reader *r, const char *key, double *out)
{
  TRIAD_TRY(take_key(r, key));
  TRIAD_TRY(take_real(r, out));
  return take_line_end(r);
}

static int take_grid(reader *r, triad_grid *g)
{
  int64_t n[3];
  double length[3];
  int truncation;
  TRIAD_TRY(take_key(r, "n"));
  for (int i = 0; i < 3; i++) TRIAD_TRY(take_integer(r, 1, INT64_C(1) << 20, &n[i]));
  TRIAD_TRY(take_line_end(r));
  TRIAD_TRY(take_key(r, "length"));
  for (int i = 0; i < 3; i++) TRIAD_TRY(take_real(r, &length[i]));
  TRIAD_TRY(take_line_end(r));
  TRIAD_TRY(take_choice(r, "truncation", triad_truncation_name, 3, &truncation));
  return triad_grid_init(g, n, length, (triad_truncation)truncation);
}

/* The numbers of columns and kz belong to the grid. The columns of a sphere are counted only by making the layout,
 * which is left for when the file has shown that it is as large as they need; bounds do here. */
static int check_counts(reader *r, const triad_grid *g, int64_t columns, int64_t nkz)
{
  int64_t kx = g->kmax[0] + 1, ky = 2 * g->kmax[1] + 1;
  if (nkz != (2 * g->kmax[2] == g->n[2] ? g->n[2] : 2 * g->kmax[2] + 1))
    return BAD(r, "%lld kz do not fit the grid", (long long)nkz);
  if (columns > kx * ky || columns < kx * ky / 8)
    return BAD(r, "%lld columns do not fit the grid", (long long)columns);
  return TRIAD_OK;
}

static int take_field(reader *r, triad_manifest *m)
{
  if (m->n_fields == TRIAD_MANIFEST_FIELDS) return BAD(r, "more than %d fields", TRIAD_MANIFEST_FIELDS);
  triad_manifest_field *f = &m->fields[m->n_fields];
  TRIAD_TRY(take_key(r, "field"));
  TRIAD_TRY(take_word(r, f->name, sizeof f->name));
  if (!triad_notes_good_name(f->name) || triad_manifest_find(m, f->name) >= 0)
    return BAD(r, "a field named twice, or badly");
  TRIAD_TRY(take_integer(r, 1, m->file_bytes, &f->offset));
  TRIAD_TRY(take_line_end(r));
  int64_t bytes = triad_manifest_field_bytes(m);
  if (bytes > m->file_bytes || f->offset > m->file_bytes - bytes) return BAD(r, "the field does not lie in the file");
  for (int g = 0; g < m->n_fields; g++) {
    int64_t other = m->fields[g].offset;
    if (f->offset < other + bytes && other < f->offset + bytes) return BAD(r, "fields overlap");
  }
  f->sums = calloc((size_t)m->n_blocks, sizeof *f->sums);
  if (!f->sums) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %lld checksums", r->path, (long long)m->n_blocks);
  m->n_fields++;
  for (int64_t b = 0; b < m->n_blocks; b++) {
    if (b % 8 == 0) TRIAD_TRY(take_key(r, "sums"));
    TRIAD_TRY(take_hash(r, &f->sums[b]));
    if (b % 8 == 7 || b == m->n_blocks - 1) TRIAD_TRY(take_line_end(r));
  }
  return TRIAD_OK;
}

static int take_note(reader *r, triad_notes *notes)
{
  static const char *const kinds[] = {"real", "integer", "text"};
  int kind = 0;
  while (kind < 3 && !starts(r, kinds[kind])) kind++;
  if (kind == 3) return BAD(r, "an item of an unknown kind");
  r->at += strlen(kinds[kind]);
  char name[64], *text = NULL;
  int64_t integer = 0;
  double real = 0;
  TRIAD_TRY(take_word(r, name, sizeof name));
  if (!triad_notes_good_name(name) || triad_notes_has(notes, name)) return BAD(r, "a value named twice, or badly");
  if (kind == TRIAD_NOTE_REAL) TRIAD_TRY(take_real(r, &real));
  if (kind == TRIAD_NOTE_INTEGER) TRIAD_TRY(take_integer(r, INT64_MIN, INT64_MAX, &integer));
  if (kind == TRIAD_NOTE_TEXT) TRIAD_TRY(take_text(r, &text));
  int st = kind == TRIAD_NOTE_REAL      ? triad_notes_set_real(notes, name, real)
           : kind == TRIAD_NOTE_INTEGER ? triad_notes_set_integer(notes, name, integer)
                                        : triad_notes_set_text(notes, name, text);
  free(text);
  return st == TRIAD_OK ? take_line_end(r) : st;
}

static int parse(reader *r, triad_manifest *m)
{
  static const char *const precisions[] = {"double", "single"};
  int64_t version;
  int precision;
  TRIAD_TRY(take_key(r, "triad-checkpoint"));
  TRIAD_TRY(take_integer(r, 0, INT64_MAX, &version));
  if (version != 1) return BAD(r, "format %lld, this version of Triad reads format 1", (long long)version);
  TRIAD_TRY(take_line_end(r));
  TRIAD_TRY(take_key(r, "writer"));
  TRIAD_TRY(take_text(r, &m->writer));
  TRIAD_TRY(take_line_end(r));
  TRIAD_TRY(take_named_integer(r, "step", 0, INT64_MAX, &m->step));
  TRIAD_TRY(take_named_real(r, "t", &m->t));
  TRIAD_TRY(take_named_real(r, "dt", &m->dt));
  if (!isfinite(m->t) || !isfinite(m->dt)) return BAD(r, "a time that is not finite");
  TRIAD_TRY(take_key(r, "solver"));
  TRIAD_TRY(take_word(r, m->solver, sizeof m->solver));
  TRIAD_TRY(take_line_end(r));
  TRIAD_TRY(take_choice(r, "precision", precisions, 2, &precision));
  m->element = precision ? 4 : 8;
  TRIAD_TRY(take_grid(r, &m->grid));
  TRIAD_TRY(take_named_integer(r, "columns", 1, INT64_C(1) << 40, &m->columns));
  TRIAD_TRY(take_named_integer(r, "kz", 1, INT64_C(1) << 20, &m->nkz));
  if (m->columns > INT64_MAX / 64 / m->nkz) return BAD(r, "%lld columns: too many", (long long)m->columns);
  TRIAD_TRY(check_counts(r, &m->grid, m->columns, m->nkz));
  TRIAD_TRY(take_named_integer(r, "file", 1, INT64_MAX / 4, &m->file_bytes));
  TRIAD_TRY(take_key(r, "header"));
  TRIAD_TRY(take_hash(r, &m->header));
  TRIAD_TRY(take_line_end(r));
  TRIAD_TRY(take_named_integer(r, "block", 1, INT64_MAX, &m->block_columns));
  if (m->block_columns != triad_lines_per_block(m->columns)) return BAD(r, "wrong columns per checksum");
  m->n_blocks = (m->columns + m->block_columns - 1) / m->block_columns;
  while (starts(r, "field")) TRIAD_TRY(take_field(r, m));
  if (m->n_fields == 0) return BAD(r, "no fields");
  while (r->at < r->end) TRIAD_TRY(take_note(r, m->notes));
  return TRIAD_OK;
}

/* The last line is "end H\n"; it is looked at first, since nothing else deserves belief before it. */
static int check_end(reader *r, const char *text, int64_t bytes)
{
  enum { LAST = 4 + 16 + 1 };
  char expected[LAST + 1];
  if (bytes <= LAST || memchr(text, '\0', (size_t)bytes)) return BAD(r, "not a manifest");
  r->end = text + bytes - LAST;
  (void)snprintf(expected, sizeof expected, "end %016llx\n",
                 (unsigned long long)XXH3_64bits(text, (size_t)(bytes - LAST)));
  return memcmp(r->end, expected, LAST) == 0 ? TRIAD_OK
                                             : BAD(r, "damaged: its checksum does not match, or it is not complete");
}

int triad_manifest_parse(triad_manifest **out, const char *path, const char *text, int64_t bytes)
{
  *out = NULL;
  reader r = {path, text, text + bytes, 1};
  TRIAD_TRY(check_end(&r, text, bytes));
  triad_manifest *m = calloc(1, sizeof *m);
  if (!m) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: the manifest", path);
  int st = triad_notes_create(&m->notes);
  if (st == TRIAD_OK) st = parse(&r, m);
  if (st != TRIAD_OK) triad_manifest_destroy(&m);
  *out = m;
  return st;
}
