/* Create a manifest, compute the checksums of lines, and write it as text. */
#include "store/checkpoint/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

const char *const triad_truncation_name[3] = {"sphere", "box", "none"};
const char *const triad_dealiasing_name[2] = {"truncation", "phase-shift"};

int triad_manifest_create(triad_manifest **out, const triad_grid *grid, int64_t columns, int64_t nkz, int n_fields)
{
  *out = NULL;
  if (n_fields < 1 || n_fields > TRIAD_MANIFEST_FIELDS)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%d fields in a checkpoint, 1 to %d expected", n_fields,
                      TRIAD_MANIFEST_FIELDS);
  triad_manifest *m = calloc(1, sizeof *m);
  if (!m) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the manifest");
  m->grid = *grid;
  m->columns = columns;
  m->nkz = nkz;
  int st = triad_notes_create(&m->notes);
  m->fields = calloc((size_t)n_fields, sizeof *m->fields);
  if (m->fields) m->n_fields = n_fields;
  else st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "a manifest of %d fields", n_fields);
  for (int f = 0; f < n_fields && st == TRIAD_OK; f++) st = triad_manifest_resize(m, f, columns, nkz);
  if (st != TRIAD_OK) triad_manifest_destroy(&m);
  *out = m;
  return st;
}

void triad_manifest_destroy(triad_manifest **manifest)
{
  if (!manifest || !*manifest) return;
  triad_manifest *m = *manifest;
  for (int f = 0; f < m->n_fields; f++) free(m->fields[f].sums);
  free(m->fields);
  free(m->writer);
  triad_notes_destroy(&m->notes);
  free(m);
  *manifest = NULL;
}

int triad_manifest_resize(triad_manifest *m, int f, int64_t lines, int64_t line)
{
  triad_manifest_field *field = &m->fields[f];
  field->lines = lines;
  field->line = line;
  field->block = triad_lines_per_block(lines);
  field->n_blocks = (lines + field->block - 1) / field->block;
  free(field->sums);
  field->sums = calloc((size_t)field->n_blocks, sizeof *field->sums);
  return field->sums ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld checksums", (long long)field->n_blocks);
}

int64_t triad_manifest_line_bytes(const triad_manifest *m, int f)
{
  return m->fields[f].line * (m->points ? 1 : 2) * m->element;
}

int64_t triad_manifest_field_bytes(const triad_manifest *m, int f)
{
  return m->fields[f].lines * triad_manifest_line_bytes(m, f);
}

int64_t triad_manifest_longest(const triad_manifest *m)
{
  int64_t most = 0;
  for (int f = 0; f < m->n_fields; f++)
    if (triad_manifest_line_bytes(m, f) > most) most = triad_manifest_line_bytes(m, f);
  return most;
}

int64_t triad_manifest_blocks(const triad_manifest *m, int f)
{
  int64_t n = 0;
  for (int i = 0; i < f; i++) n += m->fields[i].n_blocks;
  return n;
}

const char *triad_manifest_file(const triad_manifest *m) { return m->points ? TRIAD_POINTS_FILE : TRIAD_MODES_FILE; }

int triad_manifest_find(const triad_manifest *m, const char *name)
{
  for (int f = 0; f < m->n_fields; f++)
    if (strcmp(m->fields[f].name, name) == 0) return f;
  return -1;
}

static void put_text(FILE *out, const char *text)
{
  (void)putc('"', out);
  for (const unsigned char *p = (const unsigned char *)text; *p; p++) switch (*p) {
    case '\\': (void)fputs("\\\\", out); break;
    case '"': (void)fputs("\\\"", out); break;
    case '\n': (void)fputs("\\n", out); break;
    case '\r': (void)fputs("\\r", out); break;
    case '\t': (void)fputs("\\t", out); break;
    default:
      if (*p < 32 || *p == 127) (void)fprintf(out, "\\x%02x", *p);
      else (void)putc(*p, out);
    }
  (void)fputs("\"\n", out);
}

static void put_field(FILE *out, const triad_manifest *m, const triad_manifest_field *field)
{
  int64_t n_blocks = field->n_blocks;
  (void)fprintf(out, "field %s %lld\n", field->name, (long long)field->offset);
  if (field->lines != m->columns || field->line != m->nkz)
    (void)fprintf(out, "array %lld %lld\n", (long long)field->lines, (long long)field->line);
  for (int64_t b = 0; b < n_blocks; b++)
    (void)fprintf(out, "%s%016llx%s", b % 8 == 0 ? "sums " : " ", (unsigned long long)field->sums[b],
                  b % 8 == 7 || b == n_blocks - 1 ? "\n" : "");
}

static void put_note(FILE *out, const triad_note_item *item)
{
  switch (item->kind) {
  case TRIAD_NOTE_REAL: (void)fprintf(out, "real %s %.17g\n", item->name, item->real); break;
  case TRIAD_NOTE_INTEGER: (void)fprintf(out, "integer %s %lld\n", item->name, (long long)item->integer); break;
  case TRIAD_NOTE_TEXT:
    (void)fprintf(out, "text %s ", item->name);
    put_text(out, item->text);
    break;
  }
}

static void put_modes(FILE *out, const triad_manifest *m)
{
  double radius;
  (void)fprintf(out, "truncation %s\n", triad_truncation_name[m->grid.truncation]);
  if (triad_grid_has_sphere(&m->grid, &radius))
    (void)fprintf(out, "radius %.17g %s\n", radius, triad_dealiasing_name[m->grid.shifted]);
  (void)fprintf(out, "columns %lld\nkz %lld\n", (long long)m->columns, (long long)m->nkz);
}

int triad_manifest_format(const triad_manifest *m, char **text, int64_t *bytes)
{
  size_t size = 0;
  *text = NULL;
  FILE *out = open_memstream(text, &size);
  if (!out) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the text of a manifest");
  const triad_grid *g = &m->grid;
  (void)fputs("triad-checkpoint 1\nwriter ", out);
  put_text(out, m->writer ? m->writer : "");
  (void)fprintf(out, "step %lld\nt %.17g\ndt %.17g\nsolver %s\nprecision %s\n", (long long)m->step, m->t, m->dt,
                m->solver, m->element == 4 ? "single" : "double");
  (void)fprintf(out, "n %lld %lld %lld\n", (long long)g->n[0], (long long)g->n[1], (long long)g->n[2]);
  (void)fprintf(out, "length %.17g %.17g %.17g\n", g->length[0], g->length[1], g->length[2]);
  if (m->space[0]) (void)fprintf(out, "space %s\n", m->space);
  if (m->points) (void)fprintf(out, "rows %lld\npoints %lld\n", (long long)m->columns, (long long)m->nkz);
  else put_modes(out, m);
  (void)fprintf(out, "file %lld\nheader %016llx\nblock %lld\n", (long long)m->file_bytes, (unsigned long long)m->header,
                (long long)triad_lines_per_block(m->columns));
  for (int f = 0; f < m->n_fields; f++) put_field(out, m, &m->fields[f]);
  for (int i = 0; i < m->notes->count; i++) put_note(out, &m->notes->items[i]);
  int bad = fflush(out) != 0;
  uint64_t sum = bad ? 0 : XXH3_64bits(*text, size);
  (void)fprintf(out, "end %016llx\n", (unsigned long long)sum);
  bad = ferror(out) || bad;
  bad = fclose(out) != 0 || bad;
  *bytes = (int64_t)size;
  if (!bad && *bytes <= TRIAD_MANIFEST_BYTES) return TRIAD_OK;
  free(*text);
  *text = NULL;
  return bad ? TRIAD_FAIL(TRIAD_ERR_MEMORY, "the text of a manifest")
             : TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a manifest of %lld bytes, at most %d allowed", (long long)*bytes,
                          TRIAD_MANIFEST_BYTES);
}

enum { MOST_BLOCKS = 256 };

void triad_lines_sum(int64_t first, int64_t count, int64_t line_bytes, const void *lines, int64_t block, uint64_t *sums)
{
  const char *bytes = lines;
  for (int64_t i = 0; i < count; i++) {
    int64_t line = first + i;
    sums[line / block] += XXH3_64bits_withSeed(bytes + i * line_bytes, (size_t)line_bytes, (uint64_t)line);
  }
}

int64_t triad_lines_per_block(int64_t lines) { return lines / MOST_BLOCKS + 1; }
