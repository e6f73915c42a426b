/* Read a checkpoint into fields of this grid, precision and number of ranks, and verify every line on the way. */
#include "store/fields/checkpoint.h"

#include "store/checkpoint/commit.h"
#include "store/checkpoint/manifest.h"
#include "store/fields/modejob.h"
#include "transpose/remap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where lines of a field go, as they come from the file: into its memory, or, where they are other ranks' too, one
 * after another. */
typedef struct sink {
  const triad_slab *slab;
  int element;
  triad_real *field, *lines, *converted; /* converted: room for a line */
  int64_t bad;
} sink;

/* Numbers of the file in this precision; returns how many of them are not finite, be it in the file or by overflow. */
static int64_t convert(int64_t n, int element, const void *from, triad_real *to)
{
  const float *singles = from;
  const double *doubles = from;
  int64_t bad = 0;
#pragma omp parallel for reduction(+ : bad) schedule(static)
  for (int64_t i = 0; i < n; i++) {
    to[i] = element == 4 ? (triad_real)singles[i] : (triad_real)doubles[i];
    bad += !isfinite(to[i]);
  }
  return bad;
}

static int take_lines(void *who, int64_t offset, int64_t count, const void *lines)
{
  sink *s = who;
  int64_t reals = triad_slab_reals(s->slab);
  triad_real *to = s->field ? s->converted : s->lines + offset * reals;
  s->bad += convert(count * reals, s->element, lines, to);
  if (s->field) triad_slab_unpack(s->slab, offset, count, to, s->field);
  return TRIAD_OK;
}

/* Collective: one field of the file, into the memory of the space that its slab was made for. */
static int read_field(triad_modejob *j, const triad_manifest *m, int f, const triad_space *space, triad_real *converted,
                      triad_real *out)
{
  const triad_comm *comm = &j->ctx->comm;
  triad_slab *slab = j->slab[f];
  int direct = triad_slab_is_direct(slab);
  uint64_t *sums = j->sums + triad_manifest_blocks(m, f);
  sink s = {slab, m->element, direct ? out : NULL, j->lines, converted, 0};
  if (space->padded) memset(out, 0, (size_t)(space->memory * space->parts) * sizeof *out);
  int st = triad_modefile_read(j->fd, j->path, m, f, triad_slab_first(slab), triad_slab_count(slab), j->buffer,
                               triad_modejob_lines(j, m, f), sums, take_lines, &s);
  TRIAD_TRY(triad_agree(comm, st));
  TRIAD_TRY(triad_modefile_add_sums(comm, sums, m->fields[f].n_blocks));
  st = triad_modejob_check(j, m, f, 0, m->fields[f].n_blocks - 1);
  if (st == TRIAD_OK && s.bad)
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %lld values of field %s are not finite in " TRIAD_PRECISION_NAME " precision",
                    j->path, (long long)s.bad, m->fields[f].name);
  TRIAD_TRY(triad_agree(comm, st));
  return direct ? TRIAD_OK : triad_slab_scatter(slab, j->lines, out);
}

/* ---- does it fit? ---- */

static int check_name(const char *folder, const triad_manifest *m, const char *name)
{
  char there[512] = "";
  if (triad_manifest_find(m, name) >= 0) return TRIAD_OK;
  for (int g = 0, n = 0; g < m->n_fields && n < (int)sizeof there; g++)
    n += snprintf(there + n, sizeof there - (size_t)n, "%s%s", g ? ", " : "", m->fields[g].name);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: no field %s in this checkpoint of solver %s; it has %s", folder, name,
                    m->solver, there);
}

static int check_length(const char *folder, double there, double here, int axis)
{
  if (fabs(there - here) <= 1e-12 * here) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its box has length %.17g along %c, but that of this run %.17g", folder, there,
                    "xyz"[axis], here);
}

static int check_kind(const triad_space *s, const char *folder, const triad_manifest *m)
{
  const char *kind = triad_space_is_box(s) ? "" : s->kind->name;
  if (s->layout && m->points)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: a checkpoint of solver %s contains values at points, but Fourier modes are required: start "
                      "from its field files, initial.kind = \"file\"",
                      folder, m->solver);
  if (!s->layout && !m->points)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: a checkpoint of solver %s contains Fourier modes, but values at points are required: start "
                      "from its field files, initial.kind = \"file\"",
                      folder, m->solver);
  if (s->layout || strcmp(m->space, kind) == 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: a checkpoint of solver %s in space \"%s\", but \"%s\" is required", folder,
                    m->solver, m->space[0] ? m->space : "box", s->kind->name);
}

#define ELSEWHERE \
  "to start on another grid use field files, if the solver has an initial.kind for them (docs/restart.md)"

/* The grid along an axis, of modes its length alone. */
static int check_axes(const triad_space *s, const char *folder, const triad_manifest *m)
{
  for (int i = 0; i < 3; i++) {
    if (s->layout) {
      TRIAD_TRY(check_length(folder, m->grid.length[i], s->layout->grid.length[i], i));
      continue;
    }
    if (s->axis[i].n == 0) continue;
    if (m->grid.n[i] != s->axis[i].n)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its grid has %lld points along %c, that of this run %lld; " ELSEWHERE,
                        folder, (long long)m->grid.n[i], "xyz"[i], (long long)s -> axis[i].n);
    TRIAD_TRY(check_length(folder, m->grid.length[i], s->axis[i].length, i));
  }
  return TRIAD_OK;
}

static int check_fit(const triad_state *state, const char *folder, const triad_manifest *m, int n, const int *list)
{
  TRIAD_TRY(check_kind(triad_state_space(state, 0), folder, m));
  TRIAD_TRY(check_axes(triad_state_space(state, 0), folder, m));
  for (int i = 0; i < n; i++) {
    int f = list ? list[i] : i;
    const triad_space *s = triad_state_space(state, f);
    const char *name = triad_state_field(state, f)->name;
    TRIAD_TRY(check_name(folder, m, name));
    const triad_manifest_field *field = &m->fields[triad_manifest_find(m, name)];
    int64_t line = s->n_dims > 1 ? s->dims[s->n_dims - 1] : 1;
    if (!s->layout && (field->line != line || field->lines != s->all / line))
      return TRIAD_FAIL(
        TRIAD_ERR_CASE, "%s: field %s has %lld lines of %lld numbers, in this run %lld of %lld; " ELSEWHERE, folder,
        name, (long long)field->lines, (long long)field->line, (long long)(s->all / line), (long long)line);
  }
  return TRIAD_OK;
}

/* ---- modes of another grid ---- */

/* What lies in the file: where it is modes, a layout of the file's own, dealt as this run is. Made only after the size
 * of the file has shown that the manifest's counts are not invented. */
typedef struct origin {
  triad_layout *layout; /* NULL: values in the state's own spaces */
  triad_space modes;
  triad_cplx *aside; /* a field of the file's grid where it is another one; NULL: the same */
  triad_real *converted;
  const triad_space **spaces; /* [n_fields of the file] */
} origin;

static int file_layout(triad_layout **out, const triad_layout *l, const char *folder, const triad_manifest *m)
{
  TRIAD_TRY(triad_layout_create_split(out, &m->grid, l->rank, l->size, l->group, l->lanes));
  if ((*out)->all_columns == m->columns && (*out)->nkz == m->nkz) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %lld columns of %lld; this version of Triad has %lld of %lld on that grid",
                    folder, (long long)m->columns, (long long)m->nkz, (long long)(*out)->all_columns,
                    (long long)(*out)->nkz);
}

static int same_modes(const triad_grid *a, const triad_grid *b)
{
  return memcmp(a->n, b->n, sizeof a->n) == 0 && a->truncation == b->truncation &&
         memcmp(a->radius, b->radius, sizeof a->radius) == 0;
}

static int make_origin(origin *o, const triad_context *ctx, const triad_state *state, const char *folder,
                       const triad_manifest *m)
{
  const triad_layout *here = triad_state_space(state, 0)->layout;
  TRIAD_TRY(TRIAD_ALLOC(ctx->memory, "checkpoint staging", m->n_fields, &o->spaces));
  if (here) {
    TRIAD_TRY(file_layout(&o->layout, here, folder, m));
    triad_space_modes(&o->modes, o->layout);
    if (!same_modes(&o->layout->grid, &here->grid))
      TRIAD_TRY(TRIAD_ALLOC(ctx->memory, "a field of the checkpoint's grid", o->layout->modes, &o->aside));
  }
  for (int f = 0; f < m->n_fields; f++) { /* a field of the file that is not read may have any space */
    int number = triad_state_find(state, m->fields[f].name);
    o->spaces[f] = o->layout ? &o->modes : triad_state_space(state, number >= 0 ? number : 0);
  }
  return TRIAD_OK;
}

static void drop_origin(origin *o, const triad_context *ctx)
{
  TRIAD_FREE(ctx->memory, &o->spaces);
  TRIAD_FREE(ctx->memory, &o->aside);
  TRIAD_FREE(ctx->memory, &o->converted);
  triad_layout_destroy(&o->layout);
}

static int read_all(triad_modejob *j, const origin *o, triad_state *state, const triad_manifest *m, int n,
                    const int *list, double *dropped)
{
  for (int i = 0; i < n; i++) {
    int f = list ? list[i] : i, there = triad_manifest_find(m, triad_state_field(state, f)->name);
    double lost = 0;
    void *field = NULL;
    TRIAD_TRY(triad_state_overwrite(state, f, TRIAD_HOST, &field));
    TRIAD_TRY(
      read_field(j, m, there, o->spaces[there], o->converted, o->aside ? (triad_real *)(void *)o->aside : field));
    if (o->aside) {
      triad_cplx *to = field, *from = o->aside;
      TRIAD_TRY(triad_remap(&j->ctx->comm, o->layout, &from, triad_state_space(state, f)->layout, &to, 1, &lost));
    }
    *dropped += lost;
  }
  return TRIAD_OK;
}

int triad_checkpoint_read(const triad_context *ctx, triad_state *state, const char *folder, const triad_manifest *about,
                          int n, const int *list, double *dropped)
{
  const triad_comm *comm = &ctx->comm;
  double lost = 0;
  origin o = {NULL};
  triad_modejob j = {.fd = -1, .ctx = ctx};
  int st = check_fit(state, folder, about, n, list);
  if (st == TRIAD_OK) st = make_origin(&o, ctx, state, folder, about);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = triad_modejob_open(&j, ctx, about, o.spaces);
  if (st == TRIAD_OK) {
    int64_t reals = j.room / about->element;
    st = TRIAD_ALLOC(ctx->memory, "checkpoint staging", reals, &o.converted);
    if (st == TRIAD_OK) st = triad_disk_path(j.path, "%s/%s", folder, triad_manifest_file(about));
    if (st == TRIAD_OK) st = triad_disk_open(j.path, 0, &j.fd);
    st = triad_agree(comm, st);
  }
  if (st == TRIAD_OK) st = read_all(&j, &o, state, about, n, list, &lost);
  triad_modejob_close(&j);
  drop_origin(&o, ctx);
  if (dropped) *dropped = lost;
  return st;
}
