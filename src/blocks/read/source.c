/* The grid of a case: its blocks cut out of a base box, or read from files. */
#include "blocks/read/source.h"

#include "blocks/read/plot3d.h"
#include "blocks/read/gridfile.h"
#include "blocks/make/aerofoil.h"
#include "blocks/make/cgrid.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- pieces of a base box ---- */

/* Turn number t of the 24 that leave a right-handed box right-handed. */
static triad_orientation turn_of(int t)
{
  static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  triad_orientation o;
  int odd = t / 4 % 6 >= 3, a = t % 4 & 1, b = t % 4 >> 1;
  const int flip[3] = {a, b, (a + b + odd) % 2};
  for (int i = 0; i < 3; i++) {
    o.axis[i] = order[t / 4 % 6][i];
    o.reversed[i] = flip[i];
  }
  return o;
}

static int allocate(triad_blocks_grid *g, int n)
{
  g->n = n;
  g->cells = calloc((size_t)n + 1, sizeof *g->cells);
  g->flat = calloc((size_t)n + 1, sizeof *g->flat);
  g->piece = calloc((size_t)n + 1, sizeof *g->piece);
  if (g->cells && g->flat && g->piece) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a grid of %d blocks", n);
}

static int cut(triad_blocks_grid *g, const triad_case *given)
{
  int64_t by[3];
  int turned = triad_case_flag(given, "grid.turned");
  triad_case_integers(given, "grid.blocks", by, 3);
  for (int a = 0; a < 3; a++)
    if (by[a] > g->base[a])
      return TRIAD_FAIL(TRIAD_ERR_CASE, "grid.blocks: %lld blocks of %lld cells along axis %c", (long long)by[a],
                        (long long)g->base[a], "ijk"[a]);
  TRIAD_TRY(allocate(g, (int)(by[0] * by[1] * by[2])));
  for (int z = 0; z < g->n; z++) {
    const int64_t place[3] = {z % by[0], z / by[0] % by[1], z / by[0] / by[1]};
    triad_blocks_zone_piece *p = &g->piece[z];
    p->turn = turn_of(turned ? 7 * z % 24 : 0);
    g->flat[z] = TRIAD_ZONE_NOT_FLAT;
    for (int a = 0; a < 3; a++) {
      const int *eighths = a == 0 && by[0] == 4 ? g->shape->eighths : NULL;
      p->low[a] = eighths ? g->base[a] * eighths[place[a]] / 8 : g->base[a] * place[a] / by[a];
      p->high[a] = eighths ? g->base[a] * eighths[place[a] + 1] / 8 : g->base[a] * (place[a] + 1) / by[a];
    }
    for (int a = 0; a < 3; a++) {
      int to = p->turn.axis[a];
      g->cells[z][a] = p->high[to] - p->low[to];
      if (to == 2 && g->base[2] == 1) g->flat[z] = a;
    }
  }
  return TRIAD_OK;
}

/* ---- from a case ---- */

static int make_grid(triad_blocks_grid *g, const triad_case *given)
{
  const triad_blocks_shape *shape = triad_blocks_shapes;
  while (!triad_case_is(given, "grid.kind", shape->word.name)) shape++;
  g->shape = shape;
  triad_case_integers(given, "grid.n", g->base, 3);
  triad_case_reals(given, "grid.length", g->length, 3);
  triad_case_reals(given, "grid.origin", g->origin, 3);
  triad_case_reals(given, "grid.radii", g->radii, 2);
  triad_case_reals(given, "grid.angles", g->angles, 2);
  g->angle = triad_case_real(given, "grid.angle");
  g->upstream = triad_case_real(given, "grid.upstream");
  g->smooth = triad_case_real(given, "grid.smooth");
  g->random = triad_case_real(given, "grid.random");
  g->seed = triad_case_integer(given, "grid.seed");
  g->far = triad_case_real(given, "grid.far");
  g->stretch = triad_case_real(given, "grid.stretch");
  if (shape->parts > 1 && g->base[0] % shape->parts != 0)
    return TRIAD_FAIL(
      TRIAD_ERR_CASE,
      "grid.n: grid.kind = \"%s\" requires that the cells along i are a multiple of %d: use %lld or %lld instead of "
      "%lld",
      shape->word.name, shape->parts,
      (long long)(g->base[0] / shape->parts > 0 ? g->base[0] / shape->parts * shape->parts : shape->parts),
      (long long)((g->base[0] / shape->parts + 1) * shape->parts), (long long)g->base[0]);
  if (shape->node == triad_blocks_aerofoil || shape->node == triad_blocks_cgrid)
    TRIAD_TRY(triad_blocks_section_read(g, triad_case_word(given, "grid.section")));
  if (shape->node == triad_blocks_cgrid || shape->node == triad_blocks_wing) TRIAD_TRY(triad_blocks_cgrid_prepare(g));
  g->n_patches = shape->more ? 7 : 6;
  g->patch = calloc((size_t)g->n_patches, sizeof *g->patch);
  if (!g->patch) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "names of patches");
  for (int i = 0; i < g->n_patches; i++)
    (void)snprintf(g->patch[i], TRIAD_BLOCKS_NAME, "%s", i < 6 ? shape->face[i] : shape->more);
  return cut(g, given);
}

static int read_files(triad_blocks_grid *g, const triad_case *given)
{
  char *path = triad_case_path(given, "grid.file"),
       *map = *triad_case_word(given, "grid.map") ? triad_case_path(given, "grid.map") : NULL;
  int st = !path || (!map && *triad_case_word(given, "grid.map")) ? TRIAD_FAIL(TRIAD_ERR_MEMORY, "grid.file")
                                                                  : triad_blocks_file_read(g, path, map ? map : "");
  free(path);
  free(map);
  return st;
}

int triad_blocks_grid_create(triad_blocks_grid **out, const triad_case *given)
{
  triad_blocks_grid *g = *out = calloc(1, sizeof *g);
  if (!g) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a grid");
  triad_case_reals(given, "grid.period", g->period, 3);
  int st = triad_case_is(given, "grid.kind", "file") ? read_files(g, given) : make_grid(g, given);
  if (st != TRIAD_OK) triad_blocks_grid_destroy(out);
  return st;
}
