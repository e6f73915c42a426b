/* The formats of mesh files (formats.h). To add one: its reader, and a row here. */
#include "mesh/read/formats.h"
#include "mesh/read/cgns/cgns_reader.h"
#include "mesh/read/foam/foam.h"
#include "mesh/read/gmsh/gmsh_reader.h"
#include "mesh/read/medit.h"
#include "mesh/read/su2.h"
#include "mesh/read/ugrid.h"
#include "mesh/read/vtk/vtk.h"
#include "mesh/read/vtk/vtkhdf.h"
#include "mesh/read/vtk/vtu.h"

#include "base/status.h"
#include "store/formats/cgns.h"
#include "store/formats/foreign.h"
#include "store/formats/gzip.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Files of HDF5 are taken for CGNS, unless their name says another format. */
static int is_cgns(const triad_mesh_look *look)
{
  return look->length > 0 && triad_cgns_is(look->path) && !triad_foreign_of(look->path, "", 0).format;
}

/* In the order in which they are tried. */
/* clang-format off */
static const triad_mesh_format formats[] = {
  {"Gmsh", triad_mesh_gmsh_is, triad_mesh_gmsh_parse, 1},
  {"SU2", triad_mesh_su2_is, triad_mesh_su2_parse, 1},
  {"OpenFOAM", triad_mesh_foam_is, triad_mesh_foam_parse, 0},
  {"VTK", triad_mesh_vtk_is, triad_mesh_vtk_parse, 1},
  {"VTU", triad_mesh_vtu_is, triad_mesh_vtu_parse, 1},
  {"VTKHDF", triad_mesh_vtkhdf_is, triad_mesh_vtkhdf_parse, 1},
  {"medit", triad_mesh_medit_is, triad_mesh_medit_parse, 1},
  {"UGRID", triad_mesh_ugrid_is, triad_mesh_ugrid_parse, 1},
  {"CGNS", is_cgns, triad_mesh_cgns_parse, 0},
};
/* clang-format on */
enum { FORMATS = sizeof formats / sizeof *formats };

const triad_mesh_format *triad_mesh_format_at(int i) { return i >= 0 && i < FORMATS ? &formats[i] : NULL; }

static int unknown(const triad_mesh_look *look)
{
  char text[TRIAD_MESH_FORMATS_TEXT] = "";
  const triad_foreign foreign = triad_foreign_of(look->path, look->head, look->length);
  if (!look->folder && look->length == 0) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the file is empty", look->path);
  if (foreign.format && foreign.is_mesh && foreign.by_name && !look->folder)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: its name is that of %s, but it does not begin like one: damaged, or another format",
                      look->path, foreign.format);
  for (int i = 0, at = 0; i < FORMATS; i++)
    at += snprintf(text + at, sizeof text - (size_t)at, "%s%s",
                   i == 0            ? ""
                   : i + 1 < FORMATS ? ", "
                                     : " and ",
                   formats[i].name);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: this is %s: meshes of %s can be read", look->path,
                    look->folder     ? "a folder without a mesh of OpenFOAM"
                    : foreign.format ? foreign.format
                                     : "no mesh of a known format",
                    text);
}

int triad_mesh_format_find(const triad_mesh_format **format, const char *path)
{
  triad_mesh_look look = {.path = path};
  struct stat s;
  look.folder = stat(path, &s) == 0 && S_ISDIR(s.st_mode);
  if (!look.folder) TRIAD_TRY(triad_gzip_head(path, look.head, TRIAD_MESH_HEAD, &look.length));
  for (int i = 0; i < FORMATS; i++) {
    if (!formats[i].is(&look)) continue;
    *format = &formats[i];
    return TRIAD_OK;
  }
  return unknown(&look);
}
