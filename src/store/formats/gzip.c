/* Load files that may be compressed by gzip (RFC 1952), with zlib (zlib.net). */
#include "store/formats/gzip.h"

#include "base/status.h"
#include "store/disk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 1 << 16 };

int triad_gzip_is(const char *text, int64_t n) { return n >= 3 && memcmp(text, "\037\213\010", 3) == 0; }

#ifdef TRIAD_ZLIB
#include <zlib.h>

enum { PIECE = 1 << 22, EXPANSION = 1000 };

typedef struct inflating {
  const char *path;
  triad_guard *guard;
  const char *from; /* compressed bytes */
  int64_t n_from;
  char *text;
  int64_t n, room;
  int64_t limit; /* stop after this many bytes without an error; 0: at the end */
} inflating;

static int grow(inflating *w)
{
  const int64_t room = w->room + w->room / 2 + PIECE;
  if (w->n / EXPANSION > w->n_from + HEAD)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its contents are more than %d times as large as the gzip file: damaged",
                      w->path, EXPANSION);
  char *more = realloc(w->text, (size_t)room + 1);
  if (!more) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " inflated bytes", w->path, room);
  w->text = more;
  w->room = room;
  return TRIAD_OK;
}

/* One member, from byte *at on. */
static int inflate_member(inflating *w, z_stream *z, int64_t *at)
{
  for (int state = Z_OK; state != Z_STREAM_END;) {
    if (w->room - w->n < PIECE / 2) TRIAD_TRY(grow(w));
    const int64_t in = w->n_from - *at < PIECE ? w->n_from - *at : PIECE, out = w->room - w->n;
    z->next_in = (Bytef *)(uintptr_t)(w->from + *at);
    z->avail_in = (uInt)in;
    z->next_out = (Bytef *)(w->text + w->n);
    z->avail_out = (uInt)(out < PIECE ? out : PIECE);
    const uInt before = z->avail_out;
    state = inflate(z, Z_NO_FLUSH);
    const int64_t used = in - z->avail_in, made = before - z->avail_out;
    *at += used;
    w->n += made;
    triad_guard_alive(w->guard);
    if (w->limit > 0 && w->n >= w->limit) return TRIAD_OK;
    if (state == Z_STREAM_END) break;
    if (state != Z_OK && state != Z_BUF_ERROR)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: byte %" PRId64 ": the gzip file is damaged (%s): copy it again", w->path,
                        *at, z->msg ? z->msg : "no gzip data");
    if (used == 0 && made == 0)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the gzip file is cut off after %" PRId64 " bytes: copy it again", w->path,
                        w->n_from);
  }
  return TRIAD_OK;
}

static int inflate_all(inflating *w)
{
  int64_t at = 0;
  int st = TRIAD_OK;
  while (st == TRIAD_OK && triad_gzip_is(w->from + at, w->n_from - at) && (w->limit == 0 || w->n < w->limit)) {
    z_stream z = {.zalloc = Z_NULL};
    if (inflateInit2(&z, 15 + 16) != Z_OK) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: zlib", w->path);
    st = inflate_member(w, &z, &at);
    (void)inflateEnd(&z);
  }
  if (st != TRIAD_OK || w->limit > 0) return st;
  for (int64_t i = at; i < w->n_from; i++) /* zeros may fill a block of a tape */
    if (w->from[i])
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: byte %" PRId64 ": the gzip file is damaged (no gzip data): copy it again",
                        w->path, i);
  return TRIAD_OK;
}

static int unpack(const char *path, triad_guard *guard, char **text, int64_t *bytes)
{
  inflating w = {.path = path, .guard = guard, .from = *text, .n_from = *bytes};
  const int st = inflate_all(&w);
  free(*text);
  *text = NULL;
  if (st != TRIAD_OK) {
    free(w.text);
    return st;
  }
  w.text[w.n] = '\0';
  *text = w.text;
  *bytes = w.n;
  return TRIAD_OK;
}

/* A head that cannot be inflated is left as it is. */
static void unpack_head(const char *path, char *head, int64_t room, int64_t *bytes)
{
  inflating w = {.path = path, .from = head, .n_from = *bytes, .limit = room};
  if (inflate_all(&w) != TRIAD_OK) triad_message_clear();
  if (w.n > 0) {
    *bytes = w.n < room ? w.n : room;
    memcpy(head, w.text, (size_t)*bytes);
  }
  free(w.text);
}
#else
static int unpack(const char *path, triad_guard *guard, char **text, int64_t *bytes)
{
  (void)guard;
  free(*text);
  *text = NULL;
  *bytes = 0;
  return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                    "%s: a gzip file, and this build has no zlib: unpack it with gunzip -k %s, or "
                    "install zlib1g-dev and build again",
                    path, path);
}

static void unpack_head(const char *path, char *head, int64_t room, int64_t *bytes)
{
  (void)path;
  (void)head;
  (void)room;
  (void)bytes;
}
#endif

int triad_gzip_load(const char *path, triad_guard *guard, char **text, int64_t *bytes)
{
  TRIAD_TRY(triad_disk_load(path, INT64_C(1) << 40, text, bytes));
  return triad_gzip_is(*text, *bytes) ? unpack(path, guard, text, bytes) : TRIAD_OK;
}

int triad_gzip_head(const char *path, char *head, int64_t room, int64_t *bytes)
{
  int fd;
  TRIAD_TRY(triad_disk_open(path, 0, &fd));
  int st = triad_disk_size(fd, path, bytes);
  if (*bytes > room) *bytes = room;
  if (st == TRIAD_OK) st = triad_disk_read(fd, path, head, *bytes, 0);
  (void)close(fd);
  if (st == TRIAD_OK && triad_gzip_is(head, *bytes)) unpack_head(path, head, room, bytes);
  return st;
}
