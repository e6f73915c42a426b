/* Read a Gmsh file: sections in their order (gmsh_reader.h). */
#include "mesh/read/gmsh/gmsh_reader.h"
#include "mesh/read/gmsh/gmsh_numbers.h"
#include "mesh/read/gmsh/gmsh_groups.h"
#include "mesh/read/gmsh/gmsh_faults.h"
#include "mesh/read/gmsh/gmsh_nodes.h"
#include "mesh/read/gmsh/gmsh_elements.h"

#include "base/status.h"
#include <stdlib.h>

/* By a known section: Nastran's comments begin with "$" too. */
int triad_mesh_gmsh_is(const triad_mesh_look *look)
{
  static const char *const sections[] = {"$MeshFormat",    "$NOD",         "$Comment",
                                         "$PhysicalNames", "$MeshVersion", "$PostFormat"};
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
    if (triad_mesh_look_begins(look, 0, sections[i])) return 1;
  return 0;
}

static int parse(triad_gmsh_reader *r)
{
  TRIAD_TRY(triad_gmsh_take_format(r));
  TRIAD_TRY(triad_gmsh_take_groups(r));
  if (r->version >= 40) TRIAD_TRY(triad_gmsh_take_entities(r));
  TRIAD_TRY(triad_gmsh_take_nodes(r));
  TRIAD_TRY(triad_gmsh_take_elements(r));
  r->d.left_out = r->fault[TRIAD_GMSH_UNKNOWN].n + r->fault[TRIAD_GMSH_NO_NODE].n;
  return triad_mesh_draft_give(&r->d);
}

int triad_mesh_gmsh_parse(const char *path, triad_guard *guard, triad_mesh_contents *out, triad_faults *faults)
{
  triad_gmsh_reader r = {.d = {.out = out, .faults = faults, .checked = 1}};
  r.d.scan = &r.s;
  int st = triad_mesh_scan_load(&r.s, path, guard);
  if (st == TRIAD_OK) st = parse(&r);
  if (r.s.text) triad_gmsh_tell(&r, faults);
  triad_mesh_draft_free(&r.d);
  triad_mesh_scan_free(&r.s);
  free(r.name);
  free(r.entities);
  free(r.ghost);
  free(r.node);
  free(r.place);
  return st;
}
