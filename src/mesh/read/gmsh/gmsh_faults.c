/* Counts of invalid nodes and elements of a Gmsh file. */
#include "mesh/read/gmsh/gmsh_faults.h"
#include "mesh/read/gmsh/gmsh_reader.h"

#include <inttypes.h>

void triad_gmsh_note(triad_gmsh_reader *r, triad_gmsh_kind kind, int64_t n, int64_t number)
{
  if (r->fault[kind].n == 0) {
    r->fault[kind].at = r->s.at;
    r->fault[kind].number = number;
  }
  r->fault[kind].n += n;
}

void triad_gmsh_tell(const triad_gmsh_reader *r, triad_faults *faults)
{
  static const char *const text[TRIAD_GMSH_KINDS] = {
    [TRIAD_GMSH_NO_NUMBER] = "nodes with a coordinate that is not finite: %" PRId64 ", the first, number %" PRId64
                             " in the order of the file, at %s",
    [TRIAD_GMSH_TWICE] = "nodes with a repeated number: %" PRId64 ", the first, number %" PRId64 ", at %s",
    [TRIAD_GMSH_UNKNOWN] =
      "elements of unknown type: %" PRId64 ", the first, of type %" PRId64 ", at %s: it cannot be read",
    [TRIAD_GMSH_NO_NODE] =
      "elements with a node that does not exist: %" PRId64 ", the first, with node %" PRId64 ", at %s"};
  for (int k = 0; k < TRIAD_GMSH_KINDS; k++) {
    char place[TRIAD_MESH_SCAN_PLACE];
    if (r->fault[k].n == 0) continue;
    triad_mesh_scan_place(&r->s, r->fault[k].at, place);
    triad_fault(faults, text[k], r->fault[k].n, r->fault[k].number, place);
  }
}
