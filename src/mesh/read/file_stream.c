/* Read a mesh file twice in a separate process, and pass on what it holds (file_stream.h). */
#include "mesh/read/file_stream.h"
#include "mesh/read/file_sides.h"
#include "mesh/read/stream.h"

#include "base/status.h"

#include <stdlib.h>

enum { ITEMS = TRIAD_MESH_STREAM_ITEMS };

/* The start of the reply. */
typedef struct head {
  triad_mesh_file_counts n;
  int fit, either_prism;
} head;

/* Counts of sides and patches, which are sent at the end. */
static triad_mesh_file_counts rest_of(const triad_mesh_file_counts *n)
{
  return (triad_mesh_file_counts){.sides = n->sides, .patches = n->patches};
}

typedef struct job {
  const char *path;
  triad_memory *memory;
  const triad_mesh_receiver *to;
  void *who;
  triad_mesh_contents *contents;
  void **block;
  int *fit;
} job;

static int same(const triad_mesh_file_counts *a, const triad_mesh_file_counts *b)
{
  return a->points == b->points && a->cells == b->cells && a->corners == b->corners && a->sides == b->sides &&
         a->patches == b->patches;
}

static int send_all(const job *j, triad_guard *guard, triad_mesh_stream *s, const triad_mesh_format *format,
                    const triad_mesh_file_counts *n)
{
  const triad_mesh_file_counts rest = rest_of(n);
  const triad_mesh_frame end = {.kind = TRIAD_MESH_FRAME_END};
  triad_mesh_contents c = {.stream = s}, unused;
  triad_faults faults = {0};
  s->x = malloc(ITEMS * sizeof *s->x);
  s->shape = malloc(ITEMS);
  s->corner = malloc((size_t)ITEMS * TRIAD_MESH_CORNERS * sizeof *s->corner);
  int st = s->x && s->shape && s->corner ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: buffers of its mesh", j->path);
  if (st == TRIAD_OK) st = format->parse(j->path, guard, &c, &faults);
  if (st == TRIAD_OK && (!same(&c.n, n) || faults.n > 0))
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the file changed while it was read", j->path);
  if (st == TRIAD_OK) st = triad_guard_give(guard, &end, sizeof end);
  if (st == TRIAD_OK) st = triad_guard_give(guard, c.block, triad_mesh_contents_place(&unused, &rest, NULL));
  free(c.block);
  free(s->x);
  free(s->shape);
  free(s->corner);
  return st;
}

int triad_mesh_stream_count(const char *path, triad_guard *guard, const triad_mesh_format *format,
                            triad_mesh_contents *c, triad_faults *faults, int *fit, int *either_prism)
{
  triad_mesh_stream s = {.lowest = INT32_MAX, .highest = -1};
  *c = (triad_mesh_contents){.counted = 1, .stream = &s};
  const int st = format->streams ? format->parse(path, guard, c, faults) : TRIAD_OK;
  *fit = st == TRIAD_OK && format->streams && !s.unfit && faults->n == 0 && c->n.left_out == 0 && !c->n.outside &&
         s.lowest >= 0 && s.highest < c->n.points;
  *either_prism = s.either_prism;
  c->stream = NULL;
  return st;
}

static int stream_there(void *self, triad_guard *guard)
{
  const job *j = self;
  const triad_mesh_format *format;
  triad_mesh_contents c;
  triad_faults faults = {0};
  head h = {.fit = 0};
  triad_faults_of(&faults, j->path);
  TRIAD_TRY(triad_mesh_format_find(&format, j->path));
  const int st = triad_mesh_stream_count(j->path, guard, format, &c, &faults, &h.fit, &h.either_prism);
  if (st != TRIAD_OK) return triad_faults_end(&faults, st);
  h.n = c.n;
  TRIAD_TRY(triad_guard_give(guard, &h, sizeof h));
  triad_mesh_stream s = {.sending = 1, .lowest = INT32_MAX, .highest = -1, .guard = guard};
  return h.fit ? send_all(j, guard, &s, format, &h.n) : TRIAD_OK;
}

/* ---- the receiving end ---- */

typedef struct buffers {
  double (*x)[3];
  uint8_t *shape;
  int32_t *corner;
} buffers;

static int take_rest(const job *j, triad_guard *guard)
{
  triad_mesh_contents *c = j->contents;
  const triad_mesh_file_counts n = c->n, rest = rest_of(&n);
  const int64_t bytes = triad_mesh_contents_place(c, &rest, NULL);
  TRIAD_TRY(triad_memory_alloc(j->memory, "mesh file", bytes, 1, j->block));
  (void)triad_mesh_contents_place(c, &rest, *j->block);
  c->n = n;
  return triad_guard_read(guard, *j->block, bytes);
}

/* A frame that the other process cannot have meant: it is as little trusted as the file. */
static int is_valid(const triad_mesh_frame *f, const triad_mesh_file_counts *n, int64_t points, int64_t cells)
{
  if (f->kind == TRIAD_MESH_FRAME_END) return points == n->points && cells == n->cells;
  if (f->n < 1 || f->n > ITEMS) return 0;
  if (f->kind == TRIAD_MESH_FRAME_POINTS) return f->first == points && f->n <= n->points - points;
  return f->kind == TRIAD_MESH_FRAME_CELLS && f->first == cells && f->n <= n->cells - cells && f->corners > 0 &&
         f->corners <= f->n * TRIAD_MESH_CORNERS;
}

static int take_frames(const job *j, triad_guard *guard, const buffers *b)
{
  const triad_mesh_file_counts *n = &j->contents->n;
  triad_mesh_frame f;
  for (int64_t points = 0, cells = 0;;) {
    TRIAD_TRY(triad_guard_read(guard, &f, sizeof f));
    if (!is_valid(&f, n, points, cells)) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: damaged", j->path);
    if (f.kind == TRIAD_MESH_FRAME_END) return take_rest(j, guard);
    if (f.kind == TRIAD_MESH_FRAME_POINTS) {
      TRIAD_TRY(triad_guard_read(guard, b->x, f.n * (int64_t)sizeof *b->x));
      TRIAD_TRY(j->to->points(j->who, f.first, f.n, (const double(*)[3])b->x));
      points += f.n;
      continue;
    }
    TRIAD_TRY(triad_guard_read(guard, b->shape, f.n));
    TRIAD_TRY(triad_guard_read(guard, b->corner, f.corners * (int64_t)sizeof *b->corner));
    TRIAD_TRY(j->to->cells(j->who, f.first, f.n, b->shape, b->corner, f.corners));
    cells += f.n;
  }
}

static int take(void *self, triad_guard *guard)
{
  const job *j = self;
  buffers b = {NULL, NULL, NULL};
  head h;
  TRIAD_TRY(triad_guard_read(guard, &h, sizeof h));
  *j->fit = h.fit;
  j->contents->n = h.n;
  if (!h.fit) return TRIAD_OK;
  int st = TRIAD_ALLOC(j->memory, "mesh file", ITEMS, &b.x);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(j->memory, "mesh file", ITEMS, &b.shape);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(j->memory, "mesh file", (int64_t)ITEMS * TRIAD_MESH_CORNERS, &b.corner);
  if (st == TRIAD_OK) st = j->to->begin(j->who, &h.n, h.either_prism);
  if (st == TRIAD_OK) st = take_frames(j, guard, &b);
  TRIAD_FREE(j->memory, &b.x);
  TRIAD_FREE(j->memory, &b.shape);
  TRIAD_FREE(j->memory, &b.corner);
  return st;
}

int triad_mesh_file_stream(const char *path, triad_memory *memory, const triad_mesh_receiver *to, void *who,
                           triad_mesh_contents *contents, void **block, int *fit)
{
  job j = {path, memory, to, who, contents, block, fit};
  *fit = 0;
  *contents = (triad_mesh_contents){.n = {0}};
  TRIAD_TRY(triad_guard_run_pieces(path, stream_there, &j, take));
  int64_t first;
  if (*fit && triad_mesh_sides_twice(contents, &first) > 0) *fit = 0;
  return TRIAD_OK;
}
