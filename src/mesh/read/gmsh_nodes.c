/* Read nodes block by block, in the formats 2.2 and 4.1, and map their tags to points. */
#include "mesh/read/gmsh_nodes.h"
#include "mesh/read/gmsh_reader.h"
#include "mesh/read/gmsh_numbers.h"
#include "mesh/read/gmsh_faults.h"

#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* If two nodes have the same number, elements use the first. */
static int note_node(triad_gmsh_reader *r, int64_t tag)
{
  if (tag < 0 || tag > r->most_tag) return triad_gmsh_bad(r, "the number of a node is out of range");
  const int32_t place = (int32_t)r->out->n.points++;
  if (r->place[tag] >= 0) triad_gmsh_note(r, TRIAD_GMSH_TWICE, 1, tag);
  else r->place[tag] = place;
  return TRIAD_OK;
}

static int take_point(triad_gmsh_reader *r, int64_t number, int more)
{
  double x[3], unused;
  for (int a = 0; a < 3; a++) TRIAD_TRY(triad_gmsh_take_real(r, &x[a]));
  for (int a = 0; a < more; a++) TRIAD_TRY(triad_gmsh_take_real(r, &unused));
  if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2])) triad_gmsh_note(r, TRIAD_GMSH_NO_NUMBER, 1, number + 1);
  r->low = fmin(r->low, x[2]);
  r->high = fmax(r->high, x[2]);
  if (r->out->x && number >= r->out->room.points)
    return triad_gmsh_bad(r, "the file changed: it now contains more nodes");
  if (r->out->x) memcpy(r->out->x[number], x, sizeof x);
  return TRIAD_OK;
}

static int make_places(triad_gmsh_reader *r, int64_t n, int64_t most)
{
  if (n > INT32_MAX || most < 0 || most > 64 * n + 1024)
    return triad_gmsh_bad(r, "the node numbers are too far apart, or too large");
  r->most_tag = most;
  r->place = malloc((size_t)(most + 1) * sizeof *r->place);
  if (!r->place) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " nodes", r->path, n);
  for (int64_t i = 0; i <= most; i++) r->place[i] = -1;
  return TRIAD_OK;
}

static int take_block_of_nodes(triad_gmsh_reader *r)
{
  int64_t dim, tag, parametric, n, number = r->out->n.points;
  TRIAD_TRY(triad_gmsh_take_int(r, &dim));
  TRIAD_TRY(triad_gmsh_take_int(r, &tag));
  TRIAD_TRY(triad_gmsh_take_int(r, &parametric));
  TRIAD_TRY(triad_gmsh_take_count(r, 8, &n));
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(triad_gmsh_take_size(r, &tag));
    TRIAD_TRY(note_node(r, tag));
  }
  for (int64_t i = 0; i < n; i++) TRIAD_TRY(take_point(r, number + i, parametric ? (int)dim : 0));
  triad_guard_alive(r->guard);
  return TRIAD_OK;
}

static int take_nodes_41(triad_gmsh_reader *r, triad_faults *faults)
{
  int64_t blocks, n, least, most;
  TRIAD_TRY(triad_gmsh_take_count(r, 4, &blocks));
  TRIAD_TRY(triad_gmsh_take_count(r, 6, &n));
  TRIAD_TRY(triad_gmsh_take_size(r, &least));
  TRIAD_TRY(triad_gmsh_take_size(r, &most));
  TRIAD_TRY(make_places(r, n, most));
  for (int64_t b = 0; b < blocks; b++) TRIAD_TRY(take_block_of_nodes(r));
  if (r->out->n.points != n)
    triad_fault(faults, "the blocks of $Nodes contain %" PRId64 " nodes, but %" PRId64 " are declared",
                r->out->n.points, n);
  return TRIAD_OK;
}

static int take_nodes_22(triad_gmsh_reader *r)
{
  int64_t n, tag;
  TRIAD_TRY(triad_gmsh_take_text_integer(r, &n)); /* as text in binary files too */
  if (n < 0 || n > r->size / 8) return triad_gmsh_bad(r, "the file contains fewer nodes than it declares");
  if (r->binary) triad_gmsh_skip_line(r);
  TRIAD_TRY(make_places(r, n, 16 * n + 1024));
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(triad_gmsh_take_int(r, &tag));
    TRIAD_TRY(note_node(r, tag));
    TRIAD_TRY(take_point(r, i, 0));
    if (i % 65536 == 0) triad_guard_alive(r->guard);
  }
  return TRIAD_OK;
}

int triad_gmsh_take_nodes(triad_gmsh_reader *r, triad_faults *faults)
{
  if (!triad_gmsh_find_section(r, "Nodes")) return triad_gmsh_bad(r, "$Nodes is missing");
  TRIAD_TRY(r->version == 4 ? take_nodes_41(r, faults) : take_nodes_22(r));
  return triad_gmsh_end_section(r);
}
