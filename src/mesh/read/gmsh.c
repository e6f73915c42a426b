/* Read a Gmsh file: sections in their order, twice (gmsh_reader.h). */
#include "mesh/read/gmsh_reader.h"
#include "mesh/read/gmsh_numbers.h"
#include "mesh/read/gmsh_groups.h"
#include "mesh/read/gmsh_faults.h"
#include "mesh/read/gmsh_nodes.h"
#include "mesh/read/gmsh_elements.h"

#include "base/status.h"
#include "store/disk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int no_cells(const triad_gmsh_reader *r)
{
  if (r->n_plane == 0) return triad_gmsh_bad(r, "the file contains no tetrahedra, pyramids, prisms or hexahedra");
  if (r->high > r->low) return triad_gmsh_bad(r, "a surface mesh without cells: mesh the volume in Gmsh (gmsh -3)");
  return triad_gmsh_bad(r, "a plane mesh: extrude it by one layer in Gmsh (Extrude {0,0,h} {Layers{1}; Recombine;})");
}

static int parse(triad_gmsh_reader *r, triad_faults *faults)
{
  TRIAD_TRY(triad_gmsh_take_format(r));
  TRIAD_TRY(triad_gmsh_take_groups(r));
  if (r->version == 4) TRIAD_TRY(triad_gmsh_take_entities(r));
  TRIAD_TRY(triad_gmsh_take_nodes(r, faults));
  TRIAD_TRY(triad_gmsh_take_elements(r, faults));
  r->out->n.patches = r->n_groups;
  r->out->n.left_out = r->fault[TRIAD_GMSH_UNKNOWN].n + r->fault[TRIAD_GMSH_NO_NODE].n;
  if (r->out->n.cells == 0) /* if all elements have faults, those are reported instead */
    return r->out->n.left_out > 0 ? TRIAD_ERR_CASE : no_cells(r);
  if (r->out->x && memcmp(&r->out->n, &r->out->room, sizeof r->out->n) != 0)
    return triad_gmsh_bad(r, "the file changed while it was being read");
  for (int i = 0; r->out->name && i < r->n_groups; i++) memcpy(r->out->name[i], r->group_name[i], TRIAD_MESH_NAME);
  return TRIAD_OK;
}

int triad_mesh_gmsh_parse(const char *path, triad_guard *guard, triad_mesh_contents *out, triad_faults *faults)
{
  triad_gmsh_reader r = {.guard = guard, .path = path, .out = out, .low = INFINITY, .high = -INFINITY};
  int st = triad_disk_load(path, INT64_C(1) << 40, &r.text, &r.size);
  if (st == TRIAD_OK) st = parse(&r, faults);
  if (r.text) triad_gmsh_tell(&r, faults);
  free(r.text);
  free(r.entities);
  free(r.ghost);
  free(r.place);
  return st;
}
