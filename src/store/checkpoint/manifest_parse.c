/* Parse the text of a manifest. Counts and sizes are checked against the grid and the file before memory is
 * allocated for them. */
#include "store/checkpoint/manifest_parse.h"
#include "store/checkpoint/manifest.h"

#include "store/checkpoint/linereader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Lines are read in the order in which they are written. */
#define BAD TRIAD_READER_FAIL
typedef triad_reader reader;

static int take_one_of(reader *r, const char *what, const char *const *words, int n, int *out)
{
  char word[64];
  TRIAD_TRY(triad_reader_word(r, word, sizeof word));
  for (*out = 0; *out < n; ++*out)
    if (strcmp(word, words[*out]) == 0) return triad_reader_line_end(r);
  return BAD(r, "unknown %s \"%s\"", what, word);
}

static int take_choice(reader *r, const char *key, const char *const *words, int n, int *out)
{
  TRIAD_TRY(triad_reader_key(r, key));
  return take_one_of(r, key, words, n, out);
}

static int take_named_integers(reader *r, const char *key, int n, int64_t least, int64_t most, int64_t *out)
{
  TRIAD_TRY(triad_reader_key(r, key));
  for (int i = 0; i < n; i++) TRIAD_TRY(triad_reader_integer(r, least, most, &out[i]));
  return triad_reader_line_end(r);
}

static int take_named_reals(reader *r, const char *key, int n, double *out)
{
  TRIAD_TRY(triad_reader_key(r, key));
  for (int i = 0; i < n; i++) TRIAD_TRY(triad_reader_real(r, &out[i]));
  return triad_reader_line_end(r);
}

static int take_sphere(reader *r, triad_grid *g)
{
  double radius;
  int shifted = 0;
  TRIAD_TRY(triad_reader_key(r, "radius"));
  TRIAD_TRY(triad_reader_real(r, &radius));
  TRIAD_TRY(take_one_of(r, "dealiasing", triad_dealiasing_name, 2, &shifted));
  if (!(radius > 0)) return BAD(r, "a radius of %g modes", radius);
  return triad_grid_set_sphere(g, radius, shifted);
}

static int take_grid(reader *r, triad_grid *g, int *points, char *space, size_t size)
{
  int64_t n[3];
  double length[3];
  int truncation = TRIAD_NONE;
  TRIAD_TRY(take_named_integers(r, "n", 3, 1, INT64_C(1) << 20, n));
  TRIAD_TRY(take_named_reals(r, "length", 3, length));
  if (triad_reader_starts(r, "space")) {
    TRIAD_TRY(triad_reader_key(r, "space"));
    TRIAD_TRY(triad_reader_word(r, space, size));
    TRIAD_TRY(triad_reader_line_end(r));
  }
  *points = space[0] || !triad_reader_starts(r, "truncation");
  if (!*points) TRIAD_TRY(take_choice(r, "truncation", triad_truncation_name, 3, &truncation));
  TRIAD_TRY(triad_grid_init(g, n, length, (triad_truncation)truncation));
  return !*points && triad_reader_starts(r, "radius") ? take_sphere(r, g) : TRIAD_OK;
}

/* The numbers of columns and kz belong to the grid. The columns of a sphere are counted only by making the layout,
 * which is left for when the file has shown that it is as large as they need; bounds do here. */
static int check_counts(reader *r, const triad_grid *g, int64_t columns, int64_t nkz)
{
  int64_t kx = g->kmax[0] + 1, ky = 2 * g->kmax[1] + 1;
  if (nkz != (2 * g->kmax[2] == g->n[2] ? g->n[2] : 2 * g->kmax[2] + 1))
    return BAD(r, "%lld kz do not match the grid", (long long)nkz);
  if (columns > kx * ky || columns < kx * ky / 8)
    return BAD(r, "%lld columns do not match the grid", (long long)columns);
  return TRIAD_OK;
}

/* Room for one more; the list doubles as it grows. */
static int next_field(reader *r, triad_manifest *m, triad_manifest_field **field)
{
  int n = m->n_fields;
  if (n == TRIAD_MANIFEST_FIELDS) return BAD(r, "more than %d fields", TRIAD_MANIFEST_FIELDS);
  if ((n & (n - 1)) == 0) { /* 0, and the powers of two, are when it is full */
    triad_manifest_field *longer = realloc(m->fields, (n > 0 ? 2 * (size_t)n : 1) * sizeof *longer);
    if (!longer) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %d fields", r->path, n + 1);
    m->fields = longer;
  }
  *field = &m->fields[n];
  **field = (triad_manifest_field){.sums = NULL};
  return TRIAD_OK;
}

enum { LINE = 1 << 20 }; /* numbers in a line, at most */

/* The lines of the arrays, as the grid has them. */
static int take_counts(reader *r, triad_manifest *m)
{
  TRIAD_TRY(take_named_integers(r, m->points ? "rows" : "columns", 1, 1, INT64_C(1) << 40, &m->columns));
  TRIAD_TRY(take_named_integers(r, m->points ? "points" : "kz", 1, 1, LINE, &m->nkz));
  if (m->columns > INT64_MAX / 64 / m->nkz) return BAD(r, "%lld lines: too many", (long long)m->columns);
  if (!m->points) return check_counts(r, &m->grid, m->columns, m->nkz);
  if (m->space[0]) return TRIAD_OK;
  if (m->columns == m->grid.n[1] * m->grid.n[2] && m->nkz == m->grid.n[0]) return TRIAD_OK;
  return BAD(r, "%lld rows of %lld points do not match the grid", (long long)m->columns, (long long)m->nkz);
}

/* An array of so many bytes lies in the file, apart from those before it. */
static int check_room(reader *r, const triad_manifest *m, const triad_manifest_field *f, int64_t bytes)
{
  if (bytes > m->file_bytes || f->offset > m->file_bytes - bytes) return BAD(r, "the field is outside the file");
  for (int g = 0; g < m->n_fields; g++) {
    int64_t other = m->fields[g].offset;
    if (f->offset < other + triad_manifest_field_bytes(m, g) && other < f->offset + bytes)
      return BAD(r, "fields overlap");
  }
  return TRIAD_OK;
}

static int take_field(reader *r, triad_manifest *m)
{
  triad_manifest_field *f = NULL;
  TRIAD_TRY(next_field(r, m, &f));
  TRIAD_TRY(triad_reader_key(r, "field"));
  TRIAD_TRY(triad_reader_word(r, f->name, sizeof f->name));
  if (!triad_notes_good_name(f->name) || triad_manifest_find(m, f->name) >= 0)
    return BAD(r, "a repeated or invalid field name");
  TRIAD_TRY(triad_reader_integer(r, 1, m->file_bytes, &f->offset));
  TRIAD_TRY(triad_reader_line_end(r));
  int64_t lines = m->columns, line = m->nkz;
  if (m->points && triad_reader_starts(r, "array")) {
    TRIAD_TRY(triad_reader_key(r, "array"));
    TRIAD_TRY(triad_reader_integer(r, 1, INT64_C(1) << 40, &lines));
    TRIAD_TRY(triad_reader_integer(r, 1, LINE, &line));
    TRIAD_TRY(triad_reader_line_end(r));
    if (lines > INT64_MAX / 64 / line) return BAD(r, "%lld lines: too many", (long long)lines);
  }
  TRIAD_TRY(check_room(r, m, f, lines * line * (m->points ? 1 : 2) * m->element));
  TRIAD_TRY(triad_manifest_resize(m, m->n_fields++, lines, line));
  for (int64_t b = 0; b < f->n_blocks; b++) {
    if (b % 8 == 0) TRIAD_TRY(triad_reader_key(r, "sums"));
    TRIAD_TRY(triad_reader_hash(r, &f->sums[b]));
    if (b % 8 == 7 || b == f->n_blocks - 1) TRIAD_TRY(triad_reader_line_end(r));
  }
  return TRIAD_OK;
}

static int take_note(reader *r, triad_notes *notes)
{
  static const char *const kinds[] = {"real", "integer", "text"}; /* as triad_note_kind has them */
  int kind = 0;
  while (kind < 3 && !triad_reader_starts(r, kinds[kind])) kind++;
  if (kind == 3) return BAD(r, "an item of an unknown kind");
  r->at += strlen(kinds[kind]);
  char name[64];
  triad_note_item n = {.name = name, .kind = (triad_note_kind)kind};
  TRIAD_TRY(triad_reader_word(r, name, sizeof name));
  if (!triad_notes_good_name(name) || triad_notes_has(notes, name)) return BAD(r, "a repeated or invalid value name");
  if (n.kind == TRIAD_NOTE_REAL) TRIAD_TRY(triad_reader_real(r, &n.real));
  if (n.kind == TRIAD_NOTE_INTEGER) TRIAD_TRY(triad_reader_integer(r, INT64_MIN, INT64_MAX, &n.integer));
  if (n.kind == TRIAD_NOTE_TEXT) TRIAD_TRY(triad_reader_text(r, &n.text));
  int st = triad_notes_set(notes, &n);
  free(n.text);
  return st == TRIAD_OK ? triad_reader_line_end(r) : st;
}

static int parse(reader *r, triad_manifest *m)
{
  static const char *const precisions[] = {"double", "single"};
  int64_t version;
  int precision;
  TRIAD_TRY(triad_reader_key(r, "triad-checkpoint"));
  TRIAD_TRY(triad_reader_integer(r, 0, INT64_MAX, &version));
  if (version != 1) return BAD(r, "format %lld, but this version of Triad reads format 1", (long long)version);
  TRIAD_TRY(triad_reader_line_end(r));
  TRIAD_TRY(triad_reader_key(r, "writer"));
  TRIAD_TRY(triad_reader_text(r, &m->writer));
  TRIAD_TRY(triad_reader_line_end(r));
  TRIAD_TRY(take_named_integers(r, "step", 1, 0, INT64_MAX, &m->step));
  TRIAD_TRY(take_named_reals(r, "t", 1, &m->t));
  TRIAD_TRY(take_named_reals(r, "dt", 1, &m->dt));
  if (!isfinite(m->t) || !isfinite(m->dt)) return BAD(r, "a time that is not finite");
  TRIAD_TRY(triad_reader_key(r, "solver"));
  TRIAD_TRY(triad_reader_word(r, m->solver, sizeof m->solver));
  TRIAD_TRY(triad_reader_line_end(r));
  TRIAD_TRY(take_choice(r, "precision", precisions, 2, &precision));
  m->element = precision ? 4 : 8;
  TRIAD_TRY(take_grid(r, &m->grid, &m->points, m->space, sizeof m->space));
  TRIAD_TRY(take_counts(r, m));
  TRIAD_TRY(take_named_integers(r, "file", 1, 1, INT64_MAX / 4, &m->file_bytes));
  TRIAD_TRY(triad_reader_key(r, "header"));
  TRIAD_TRY(triad_reader_hash(r, &m->header));
  TRIAD_TRY(triad_reader_line_end(r));
  int64_t block;
  TRIAD_TRY(take_named_integers(r, "block", 1, 1, INT64_MAX, &block));
  if (block != triad_lines_per_block(m->columns)) return BAD(r, "wrong number of lines per checksum");
  while (triad_reader_starts(r, "field")) TRIAD_TRY(take_field(r, m));
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
                                             : BAD(r, "damaged: its checksum does not match, or it is incomplete");
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
