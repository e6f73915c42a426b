/* Formats of meshes that other programs write. Names decide only if the first bytes do not. */
#include "store/formats/foreign.h"

#include <string.h>
#include <strings.h>

/* is_mesh: src/mesh/read reads this format; for readers of block grids it is foreign all the same. */
typedef struct kind {
  const char *mark, *format;
  int is_mesh;
} kind;

/* clang-format off */
static const kind begins[] = {
  {"# vtk DataFile", "a VTK file", 1},
  {"<VTKFile", "a VTK file", 1},
  {"NDIME", "an SU2 mesh", 1},
  {"$MeshFormat", "a Gmsh mesh", 1},
  {"$NOD", "a Gmsh mesh", 1},
  {"MeshVersionFormatted", "a medit mesh", 1},
  {"FoamFile", "one file of an OpenFOAM mesh (name the folder of the case instead)", 1},
  {"<?xml", "an XML file", 0},
  {"MFEM mesh", "an MFEM mesh", 0},
  {"(0 \"", "a Fluent case", 0},
  {"(1 \"", "a Fluent case", 0},
  {"solid ", "an STL surface", 0},
  {"*HEADING", "an Abaqus mesh", 0},
  {"BEGIN BULK", "a Nastran mesh", 0},
  {"#v00", "a mesh of Nek5000", 0},
  {"CDF\001", "a NetCDF file (Exodus?)", 0},
  {"CDF\002", "a NetCDF file (Exodus?)", 0},
  {"CDF\005", "a NetCDF file (Exodus?)", 0},
  {"version https://git-lfs", "a pointer of Git LFS, not the file itself (git lfs pull gets it)", 0},
  {"<!DOCTYPE html", "a web page", 0},
  {"<html", "a web page", 0},
  {"mesh3d", "a mesh of Netgen", 0},
  {"BZh", "a bzip2 file (unpack it with bunzip2 -k)", 0},
  {"\3757zXZ", "an xz file (unpack it with unxz -k)", 0},
  {"\050\265\057\375", "a zstd file (unpack it with unzstd)", 0},
  {"PK\003\004", "a zip file (unpack it with unzip)", 0}};

static const kind ends[] = {
  {".su2", "an SU2 mesh", 1},
  {".msh.h5", "a Fluent mesh in HDF5", 0},
  {".cas.h5", "a Fluent case in HDF5", 0},
  {".msh", "a Gmsh mesh", 1},
  {".vtk", "a VTK file", 1},
  {".vtu", "a VTK file", 1},
  {".ugrid", "a UGRID mesh", 1},
  {".mesh", "a medit mesh", 1},
  {".meshb", "a medit mesh", 1},
  {".foam", "an OpenFOAM case", 1},
  {".cas", "a Fluent case", 0},
  {".stl", "an STL surface", 0},
  {".inp", "an Abaqus mesh", 0},
  {".neu", "a Gambit mesh", 0},
  {".exo", "an Exodus mesh", 0},
  {".med", "a MED mesh of Salome", 0},
  {".geo", "geometry for Gmsh: gmsh -3 makes a mesh of it", 0},
  {".unv", "a UNV mesh", 0},
  {".bdf", "a Nastran mesh", 0},
  {".nas", "a Nastran mesh", 0}};
/* clang-format on */

/* Behind blank lines and comments of SU2. */
static const char *first_word(const char *at, const char *end)
{
  while (at < end && (strchr(" \t\r\n", *at) || (*at == '%' && memchr(at, '\n', (size_t)(end - at)))) && *at) {
    if (*at == '%') at = memchr(at, '\n', (size_t)(end - at));
    at++;
  }
  return at;
}

triad_foreign triad_foreign_of(const char *path, const char *bytes, int64_t length)
{
  const char *end = bytes + length, *at = first_word(bytes, end);
  const size_t n = strlen(path);
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
    const size_t m = strlen(begins[i].mark);
    if ((size_t)(end - at) >= m && memcmp(at, begins[i].mark, m) == 0)
      return (triad_foreign){begins[i].format, begins[i].is_mesh, 0};
  }
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    const size_t m = strlen(ends[i].mark);
    if (n > m && strcasecmp(path + n - m, ends[i].mark) == 0)
      return (triad_foreign){ends[i].format, ends[i].is_mesh, 1};
  }
  return (triad_foreign){NULL, 0, 0};
}
