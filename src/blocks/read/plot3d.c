/* Read PLOT3D grids. The layout (formatted or unformatted, byte order, precision, iblank) is found by trying each
 * until the lengths of all records agree. */
#include "blocks/read/plot3d.h"

#include "store/formats/foreign.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t most_nodes = (int64_t)1 << 33, most_size = 1 << 20;

/* ---- formatted: a list of numbers ---- */

typedef struct list {
  const char *at, *end; /* the byte at end is 0 */
  int64_t again;        /* how often the last number comes once more */
  double value;
} list;

static int is_gap(char c) { return isspace((unsigned char)c) || c == ','; }

/* Read the next number; 0: end of the list, -1: no number. */
static int next(list *l, double *value)
{
  char word[64], *stop;
  if (l->again > 0) {
    l->again--;
    *value = l->value;
    return 1;
  }
  while (l->at < l->end && is_gap(*l->at)) l->at++;
  if (l->at >= l->end) return 0;
  size_t n = 0;
  while (l->at < l->end && !is_gap(*l->at)) {
    if (n + 1 >= sizeof word) return -1;
    word[n++] = *l->at == 'd' || *l->at == 'D' ? 'e' : *l->at;
    l->at++;
  }
  word[n] = '\0';
  char *star = strchr(word, '*'), *begin = star ? star + 1 : word;
  if (star) {
    const long long repeats = strtoll(word, &stop, 10);
    if (stop != star || repeats < 1 || repeats > most_nodes) return -1;
    l->again = repeats - 1;
  }
  l->value = strtod(begin, &stop);
  if (stop == begin || *stop || !isfinite(l->value)) return -1;
  *value = l->value;
  return 1;
}

static int line_of(const char *bytes, const char *at)
{
  int line = 1;
  for (const char *p = bytes; p < at; p++) line += *p == '\n';
  return line;
}

static int count_numbers(const char *path, const char *bytes, int64_t length, int64_t *n)
{
  list l = {.at = bytes, .end = bytes + length};
  double v;
  int got;
  for (*n = 0; (got = next(&l, &v)) == 1; (*n)++) {
    *n += l.again;
    l.again = 0;
  }
  if (got == 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: line %d: not a number", path, line_of(bytes, l.at));
}

/* Sizes that follow; 0 where they cannot be. */
static int sizes_from(list *l, triad_blocks_layout *out)
{
  out->nodes = 0;
  for (int b = 0; b < out->n; b++) {
    int64_t all = 1;
    out->size[b][2] = 1;
    for (int a = 0; a < out->dims; a++) {
      double v;
      if (next(l, &v) != 1 || v < 1 || v > (double)most_size || fabs(v - floor(v)) > 0) return 0;
      out->size[b][a] = (int64_t)v;
      all *= (int64_t)v;
    }
    out->nodes += all;
    if (out->nodes > most_nodes) return 0;
  }
  return 1;
}

static int formatted(const char *path, const char *bytes, int64_t length, triad_blocks_layout *out)
{
  int64_t numbers;
  TRIAD_TRY(count_numbers(path, bytes, length, &numbers));
  for (int way = 0; way < 8; way++) { /* counted first, 3-D first, without iblank first */
    list l = {.at = bytes, .end = bytes + length};
    double v = 1;
    out->counted = !(way & 4);
    out->dims = way & 2 ? 2 : 3;
    out->blanks = way & 1;
    if (out->counted && (next(&l, &v) != 1 || v < 1 || v > TRIAD_BLOCKS_MAX || fabs(v - floor(v)) > 0)) continue;
    out->n = (int)v;
    if (!sizes_from(&l, out)) continue;
    if (numbers == out->counted + (int64_t)out->dims * out->n + out->nodes * (out->dims + out->blanks)) return TRIAD_OK;
  }
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its %lld numbers and sizes do not form a PLOT3D grid: it may be truncated",
                    path, (long long)numbers);
}

/* ---- unformatted: records ---- */

static uint32_t word_at(const char *p, int swapped)
{
  uint32_t w;
  memcpy(&w, p, sizeof w);
  return swapped ? __builtin_bswap32(w) : w;
}

/* The record at *at: its bytes, and *at behind it. 0: there is none. */
static int record(const char *bytes, int64_t length, int swapped, int64_t *at, const char **data, int64_t *size)
{
  if (length - *at < 8) return 0;
  *size = (int64_t)word_at(bytes + *at, swapped);
  if (*size > length - *at - 8 || (int64_t)word_at(bytes + *at + 4 + *size, swapped) != *size) return 0;
  *data = bytes + *at + 4;
  *at += *size + 8;
  return 1;
}

static int binary_sizes(const char *path, const char *data, triad_blocks_layout *out)
{
  out->nodes = 0;
  for (int b = 0; b < out->n; b++) {
    int64_t all = 1;
    out->size[b][2] = 1;
    for (int a = 0; a < out->dims; a++) {
      int64_t n = (int32_t)word_at(data + 4 * (out->dims * b + a), out->swapped);
      if (n < 1 || n > most_size)
        return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: block %d has %lld nodes", path, b + 1, (long long)n);
      out->size[b][a] = n;
      all *= n;
    }
    out->nodes += all;
    if (out->nodes > most_nodes) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: too many nodes", path);
  }
  return TRIAD_OK;
}

static int64_t nodes_of(const triad_blocks_layout *l, int b) { return l->size[b][0] * l->size[b][1] * l->size[b][2]; }

/* Find the size of reals and whether there is iblank from the length of the first block's record; all blocks must
 * agree. */
static int unformatted(const char *path, const char *bytes, int64_t length, triad_blocks_layout *out)
{
  const char *data;
  int64_t at = 0, size;
  if (!record(bytes, length, out->swapped, &at, &data, &size)) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: cut off", path);
  out->n = 1;
  out->counted = size == 4;
  if (out->counted) {
    out->n = (int)word_at(data, out->swapped);
    if (out->n < 1 || out->n > TRIAD_BLOCKS_MAX) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %d blocks", path, out->n);
    if (!record(bytes, length, out->swapped, &at, &data, &size)) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: cut off", path);
  }
  out->dims = size == 12 * (int64_t)out->n ? 3 : 2;
  if (size != 4 * (int64_t)out->dims * out->n)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: sizes of %d blocks in a record of %lld bytes", path, out->n,
                      (long long)size);
  TRIAD_TRY(binary_sizes(path, data, out));
  for (int b = 0; b < out->n; b++) {
    int64_t n = nodes_of(out, b);
    if (!record(bytes, length, out->swapped, &at, &data, &size))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the file ends within block %d", path, b + 1);
    int found = 0;
    for (int real = 4; real <= 8; real += 4)
      for (int blanks = 0; blanks < 2; blanks++) {
        if (size != n * (out->dims * real + 4 * blanks)) continue;
        if (b > 0 && (real != out->real || blanks != out->blanks)) continue;
        out->real = real;
        out->blanks = blanks;
        found = 1;
      }
    if (!found)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: block %d of %lld nodes has a record of %lld bytes", path, b + 1,
                        (long long)n, (long long)size);
  }
  if (at != length)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %lld extra bytes after the last block", path, (long long)(length - at));
  return TRIAD_OK;
}

/* A binary file without records has the layout with just its size: counted first, 3-D first, doubles first. 0: none. */
static int plain_layout(const char *path, const char *bytes, int64_t length, triad_blocks_layout *out)
{
  for (int way = 0; way < 32; way++) {
    out->plain = 1;
    out->swapped = way & 1;
    out->blanks = way >> 1 & 1;
    out->real = way & 4 ? 4 : 8;
    out->dims = way & 8 ? 2 : 3;
    out->counted = !(way & 16);
    const int64_t n = out->counted && length >= 4 ? (int64_t)word_at(bytes, out->swapped) : 1;
    if (n < 1 || n > TRIAD_BLOCKS_MAX) continue;
    out->n = (int)n;
    const int64_t sizes = 4 * (int64_t)out->counted, head = sizes + 4 * (int64_t)out->dims * n;
    if (head > length || binary_sizes(path, bytes + sizes, out) != TRIAD_OK) {
      triad_message_clear();
      continue;
    }
    if (length == head + out->nodes * (out->dims * out->real + 4 * out->blanks)) return 1;
  }
  memset(out, 0, sizeof *out);
  return 0;
}

static int find_layout(const char *path, const char *bytes, int64_t length, triad_blocks_layout *out)
{
  memset(out, 0, sizeof *out);
  for (int swapped = 0; swapped < 2; swapped++) {
    int64_t at = 0, size;
    const char *data;
    if (!record(bytes, length, swapped, &at, &data, &size) || (size != 4 && size != 8 && size != 12)) continue;
    out->swapped = swapped;
    return unformatted(path, bytes, length, out);
  }
  if (memchr(bytes, '\0', (size_t)length)) {
    if (plain_layout(path, bytes, length, out)) return TRIAD_OK;
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: neither a list of numbers nor Fortran records, as in PLOT3D files: it may be truncated",
                      path);
  }
  return formatted(path, bytes, length, out);
}

/* A grid may have any name: another format is looked for once the file has been found to be none. */
int triad_blocks_plot3d_layout(const char *path, const char *bytes, int64_t length, triad_blocks_layout *out)
{
  const int st = find_layout(path, bytes, length, out);
  if (st != TRIAD_ERR_CASE) return st;
  const triad_foreign foreign = triad_foreign_of(path, bytes, length);
  if (!foreign.format) return st;
  triad_message_clear();
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: this is %s, but only PLOT3D and CGNS grids can be read%s", path,
                    foreign.format, foreign.is_mesh ? ": use solver fct" : "");
}

/* ---- nodes ---- */

static int blanked(const char *path, int block)
{
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: block %d: iblank removes nodes, which this solver does not support", path,
                    block + 1);
}

static int formatted_nodes(const char *path, const char *bytes, int64_t length, const triad_blocks_layout *l, double *x)
{
  list text = {.at = bytes, .end = bytes + length};
  double v;
  for (int64_t i = 0; i < l->counted + (int64_t)l->dims * l->n; i++) (void)next(&text, &v);
  for (int b = 0; b < l->n; b++) {
    for (int64_t i = 0; i < l->dims * nodes_of(l, b); i++)
      if (next(&text, x++) != 1) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: cut off", path);
    for (int64_t i = 0; l->blanks && i < nodes_of(l, b); i++)
      if (next(&text, &v) != 1 || !(fabs(v) > 0)) return blanked(path, b);
  }
  return TRIAD_OK;
}

static double real_at(const char *p, const triad_blocks_layout *l)
{
  if (l->real == 4) {
    uint32_t w = word_at(p, l->swapped);
    float f;
    memcpy(&f, &w, sizeof f);
    return (double)f;
  }
  uint64_t w;
  double d;
  memcpy(&w, p, sizeof w);
  if (l->swapped) w = __builtin_bswap64(w);
  memcpy(&d, &w, sizeof d);
  return d;
}

static int not_finite(const char *path, const triad_blocks_layout *l, int b, int64_t node)
{
  const int64_t *n = l->size[b];
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: block %d, node (%lld, %lld, %lld): a coordinate is not finite", path, b + 1,
                    (long long)(node % n[0]) + 1, (long long)(node / n[0] % n[1]) + 1,
                    (long long)(node / n[0] / n[1]) + 1);
}

int triad_blocks_plot3d_nodes(const char *path, const char *bytes, int64_t length, const triad_blocks_layout *l,
                              double *x)
{
  int64_t at = 0, size;
  const char *data;
  if (l->real == 0) return formatted_nodes(path, bytes, length, l, x);
  for (int r = 0; r < 1 + l->counted && !l->plain; r++) (void)record(bytes, length, l->swapped, &at, &data, &size);
  if (l->plain) at = 4 * (int64_t)l->counted + 4 * (int64_t)l->dims * l->n;
  for (int b = 0; b < l->n; b++) {
    int64_t n = nodes_of(l, b);
    if (l->plain) {
      data = bytes + at;
      at += n * (l->dims * l->real + 4 * l->blanks);
    } else if (!record(bytes, length, l->swapped, &at, &data, &size)) {
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: cut off", path);
    }
    for (int64_t i = 0; i < l->dims * n; i++) {
      *x = real_at(data + i * l->real, l);
      if (!isfinite(*x++)) return not_finite(path, l, b, i % n);
    }
    for (int64_t i = 0; l->blanks && i < n; i++)
      if (word_at(data + l->dims * n * l->real + 4 * i, l->swapped) == 0) return blanked(path, b);
  }
  return TRIAD_OK;
}
