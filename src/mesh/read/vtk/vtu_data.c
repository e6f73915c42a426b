/* Decode the arrays of VTK's XML files (vtu_data.h; VTK's XML formats). An array that is not packed is its size in
 * bytes, then the bytes, as one stream of base64. A packed one has a header: number of blocks, size of a block, size of
 * the last block (0: it is whole), size of each packed block; in base64 the header is a stream of its own. */
#include "mesh/read/vtk/vtu_data.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#ifdef TRIAD_ZLIB
#include <zlib.h>
#endif

enum { EXPANSION = 1100 /* of zlib, at most */ };

typedef struct bytes {
  char *at;
  int64_t n;
} bytes;

static int damaged(const triad_vtu_form *f, const char *what)
{
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: an array is damaged: %s", f->path, what);
}

static int allocate(const triad_vtu_form *f, bytes *b, int64_t n)
{
  b->at = malloc((size_t)n + 8);
  b->n = n;
  return b->at ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " bytes of an array", f->path, n);
}

/* ---- base64 ---- */

static int value_of(char c)
{
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = c ? memchr(letters, c, 64) : NULL;
  return at ? (int)(at - letters) : -1;
}

/* Decode `n` bytes from base64 at *from, which moves behind whole groups of four letters. */
static int decode(const triad_vtu_form *f, const char **from, const char *end, int64_t n, bytes *out)
{
  int64_t done = 0;
  TRIAD_TRY(allocate(f, out, n));
  while (done < n) {
    int v[4], k = 0;
    for (; k < 4 && *from < end; ++*from) {
      if (strchr(" \t\r\n", **from) && **from) continue;
      v[k] = **from == '=' ? -2 : value_of(**from);
      if (v[k] == -1) return damaged(f, "a letter that base64 does not have");
      k++;
    }
    if (k < 4) return damaged(f, "its base64 ends early");
    const unsigned triple = (unsigned)(v[0] & 63) << 18 | (unsigned)(v[1] & 63) << 12 |
                            (unsigned)(v[2] < 0 ? 0 : v[2]) << 6 | (unsigned)(v[3] < 0 ? 0 : v[3]);
    const int have = v[2] == -2 ? 1 : v[3] == -2 ? 2 : 3;
    for (int i = 0; i < have && done < n; i++) out->at[done++] = (char)(triple >> (16 - 8 * i));
    if (have < 3 && done < n) return damaged(f, "its base64 ends early");
  }
  return TRIAD_OK;
}

/* n bytes, decoded or copied. */
static int take(const triad_vtu_form *f, int raw, const char **from, const char *end, int64_t n, bytes *out)
{
  if (n < 0 || n > end - *from) return damaged(f, "it is longer than the file");
  if (!raw) return decode(f, from, end, n, out);
  TRIAD_TRY(allocate(f, out, n));
  memcpy(out->at, *from, (size_t)n);
  *from += n;
  return TRIAD_OK;
}

static int64_t header_word(const triad_vtu_form *f, const char *at, int64_t i)
{
  triad_mesh_scan s = {
    .text = (char *)(uintptr_t)at, .size = INT64_MAX, .at = i * (f->wide ? 8 : 4), .swapped = f->swapped};
  int64_t value = 0;
  (void)triad_mesh_scan_binary_integer(&s, f->wide ? 8 : 4, &value);
  return f->wide ? value : (int64_t)(uint32_t)value;
}

/* ---- packed ---- */

#ifdef TRIAD_ZLIB
static int inflate_blocks(const triad_vtu_form *f, const bytes *header, int64_t blocks, const bytes *packed, bytes *out)
{
  const int64_t size = header_word(f, header->at, 1), last = header_word(f, header->at, 2);
  int64_t at = 0, done = 0;
  if (size < 0 || last < 0 || last > size || size > EXPANSION * (packed->n + 1024) ||
      blocks > (EXPANSION * (packed->n + 1024)) / (size + 1))
    return damaged(f, "its blocks are larger than zlib can make of them");
  TRIAD_TRY(allocate(f, out, blocks > 0 ? (blocks - 1) * size + (last > 0 ? last : size) : 0));
  for (int64_t b = 0; b < blocks; b++) {
    const int64_t from = header_word(f, header->at, 3 + b), wanted = b + 1 == blocks && last > 0 ? last : size;
    uLongf made = (uLongf)wanted;
    if (from < 0 || from > packed->n - at) return damaged(f, "a block is longer than the array");
    if (uncompress((Bytef *)(out->at + done), &made, (const Bytef *)(packed->at + at), (uLong)from) != Z_OK ||
        (int64_t)made != wanted)
      return damaged(f, "zlib cannot unpack it");
    at += from;
    done += wanted;
    triad_guard_alive(f->guard);
  }
  return TRIAD_OK;
}
#else
static int inflate_blocks(const triad_vtu_form *f, const bytes *header, int64_t blocks, const bytes *packed, bytes *out)
{
  (void)header;
  (void)blocks;
  (void)packed;
  (void)out;
  return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                    "%s: packed by zlib, which this build does not have: install zlib1g-dev and build "
                    "again, or write the file without compression",
                    f->path);
}
#endif

static int take_packed(const triad_vtu_form *f, int raw, const char *from, const char *end, bytes *out)
{
  const int word = f->wide ? 8 : 4;
  const char *again = from;
  bytes count = {NULL, 0}, header = {NULL, 0}, packed = {NULL, 0};
  int64_t blocks = 0, sum = 0;
  int st = take(f, raw, &again, end, word, &count);
  if (st == TRIAD_OK) {
    blocks = header_word(f, count.at, 0);
    if (blocks < 0 || blocks > (end - from) / word) st = damaged(f, "it has more blocks than the file has bytes");
  }
  if (st == TRIAD_OK) st = take(f, raw, &from, end, (3 + blocks) * word, &header);
  for (int64_t b = 0; st == TRIAD_OK && b < blocks; b++) {
    const int64_t size = header_word(f, header.at, 3 + b);
    if (size < 0 || size > end - from - sum) st = damaged(f, "a block is longer than the file");
    sum += st == TRIAD_OK ? size : 0;
  }
  if (st == TRIAD_OK) st = take(f, raw, &from, end, sum, &packed);
  if (st == TRIAD_OK) st = inflate_blocks(f, &header, blocks, &packed, out);
  free(count.at);
  free(header.at);
  free(packed.at);
  return st;
}

static int take_plain(const triad_vtu_form *f, int raw, const char *from, const char *end, bytes *out)
{
  const int word = f->wide ? 8 : 4;
  const char *again = from;
  bytes count = {NULL, 0};
  int st = take(f, raw, &again, end, word, &count);
  const int64_t n = st == TRIAD_OK ? header_word(f, count.at, 0) : 0;
  free(count.at);
  if (st != TRIAD_OK) return st;
  if (n < 0 || n > end - from) return damaged(f, "it is longer than the file");
  TRIAD_TRY(take(f, raw, &from, end, n + word, out));
  memmove(out->at, out->at + word, (size_t)n);
  out->n = n;
  return TRIAD_OK;
}

/* ---- numbers ---- */

static int room_for(const triad_vtu_form *f, triad_vtk_array *out, int64_t n)
{
  double *more = realloc(out->at, ((size_t)(out->n + n) + 1) * sizeof *more);
  if (!more) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " numbers", f->path, out->n + n);
  out->at = more;
  return TRIAD_OK;
}

static int convert(const triad_vtu_form *f, const char *type, const bytes *from, triad_vtk_array *out)
{
  const int real = strncmp(type, "Float", 5) == 0, is_signed = strncmp(type, "Int", 3) == 0;
  const int bits = (int)strtol(type + strcspn(type, "0123456789"), NULL, 10), size = bits / 8;
  if ((!real && !is_signed && strncmp(type, "UInt", 4) != 0) || (size != 1 && size != 2 && size != 4 && size != 8) ||
      (real && size < 4))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: an array of type %.20s cannot be read", f->path, type);
  if (from->n % size != 0) return damaged(f, "its bytes are no whole number of values");
  triad_mesh_scan s = {.path = f->path, .text = from->at, .size = from->n, .binary = 1, .swapped = f->swapped};
  TRIAD_TRY(room_for(f, out, from->n / size));
  for (int64_t i = 0; i < from->n / size; i++) {
    int64_t whole = 0;
    double value = 0;
    if (real) TRIAD_TRY(triad_mesh_scan_binary_real(&s, size, &value));
    else TRIAD_TRY(triad_mesh_scan_binary_integer(&s, size, &whole));
    if (!real) value = !is_signed && whole < 0 && size < 8 ? (double)(whole + (INT64_C(1) << bits)) : (double)whole;
    out->at[out->n++] = value;
    if (i % 65536 == 0) triad_guard_alive(f->guard);
  }
  return TRIAD_OK;
}

int triad_vtu_binary(const triad_vtu_form *f, const char *type, int raw, const char *from, int64_t n,
                     triad_vtk_array *out)
{
  const char *end = from + n;
  bytes data = {NULL, 0};
  while (!raw && from < end && strchr(" \t\r\n", *from) && *from) from++;
  int st = f->packed ? take_packed(f, raw, from, end, &data) : take_plain(f, raw, from, end, &data);
  if (st == TRIAD_OK) st = convert(f, type, &data, out);
  free(data.at);
  return st;
}

int triad_vtu_text(const triad_vtu_form *f, const char *from, int64_t n, triad_vtk_array *out)
{
  triad_mesh_scan s = {.path = f->path, .text = (char *)(uintptr_t)from, .size = n, .before = f->before};
  TRIAD_TRY(room_for(f, out, n / 2 + 1));
  while (!triad_mesh_scan_at_end(&s)) {
    double value;
    TRIAD_TRY(triad_mesh_scan_real(&s, &value));
    out->at[out->n++] = value;
  }
  return TRIAD_OK;
}
