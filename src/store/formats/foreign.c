/* Formats of meshes that other programs write. Names decide only if the first bytes do not. */
#include "store/formats/foreign.h"

#include <string.h>
#include <strings.h>

static const struct {
  const char *begin, *format;
} begins[] = {{"# vtk DataFile", "a VTK file"},
              {"<VTKFile", "a VTK file"},
              {"<?xml", "an XML file (VTK?)"},
              {"NDIME", "an SU2 mesh"},
              {"MeshVersionFormatted", "a Medit mesh"},
              {"MFEM mesh", "an MFEM mesh"},
              {"FoamFile", "an OpenFOAM file"},
              {"(0 \"", "a Fluent case"},
              {"(1 \"", "a Fluent case"},
              {"solid ", "an STL surface"},
              {"$NOD", "a Gmsh mesh of MSH 1"},
              {"*HEADING", "an Abaqus mesh"},
              {"CDF\001", "a NetCDF file (Exodus?)"},
              {"CDF\002", "a NetCDF file (Exodus?)"},
              {"version https://git-lfs", "a pointer of Git LFS, not the file itself (git lfs pull gets it)"},
              {"<!DOCTYPE html", "a web page"},
              {"<html", "a web page"},
              {"mesh3d", "a mesh of Netgen"},
              {"BZh", "a bzip2 file (unpack it with bunzip2 -k)"},
              {"\3757zXZ", "an xz file (unpack it with unxz -k)"},
              {"\050\265\057\375", "a zstd file (unpack it with unzstd)"},
              {"PK\003\004", "a zip file (unpack it with unzip)"}},
  ends[] = {
    {".su2", "an SU2 mesh"},      {".vtk", "a VTK file"},     {".vtu", "a VTK file"},
    {".ugrid", "a UGRID mesh"},   {".cas", "a Fluent case"},  {".mesh", "a Medit mesh"},
    {".meshb", "a Medit mesh"},   {".stl", "an STL surface"}, {".inp", "an Abaqus mesh"},
    {".neu", "a Gambit mesh"},    {".exo", "an Exodus mesh"}, {".geo", "geometry for Gmsh: gmsh -3 makes a mesh of it"},
    {".unv", "a UNV mesh"},       {".bdf", "a Nastran mesh"}, {".nas", "a Nastran mesh"},
    {".foam", "an OpenFOAM file"}};

/* Behind blank lines and comments of SU2. */
static const char *first_word(const char *at, const char *end)
{
  while (at < end && (strchr(" \t\r\n", *at) || (*at == '%' && memchr(at, '\n', (size_t)(end - at)))) && *at) {
    if (*at == '%') at = memchr(at, '\n', (size_t)(end - at));
    at++;
  }
  return at;
}

const char *triad_foreign_format(const char *path, const char *bytes, int64_t length)
{
  const char *end = bytes + length, *at = first_word(bytes, end);
  const size_t n = strlen(path);
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
    const size_t m = strlen(begins[i].begin);
    if ((size_t)(end - at) >= m && memcmp(at, begins[i].begin, m) == 0) return begins[i].format;
  }
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    const size_t m = strlen(ends[i].begin);
    if (n > m && strcasecmp(path + n - m, ends[i].begin) == 0) return ends[i].format;
  }
  return NULL;
}
