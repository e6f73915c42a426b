/* Decode the arrays of VTK's XML files. */
#ifndef TRIAD_MESH_READ_VTK_VTU_DATA_H
#define TRIAD_MESH_READ_VTK_VTU_DATA_H

#include "mesh/read/scan.h"
#include "mesh/read/vtk/vtk_grid.h"

/* How arrays of a file are written. wide: sizes in their headers have 8 bytes, not 4. before: lines of the file before
 * the array, for messages. */
typedef struct triad_vtu_form {
  const char *path;
  triad_guard *guard;
  int wide, packed, swapped;
  int64_t before;
} triad_vtu_form;

/* Append the numbers of one array. type: "Int32", "Float64" .. binary: from[n] are base64 (`raw` 0) or bytes, and begin
 * with the header of the array; other data may follow. text: words of numbers. */
int triad_vtu_binary(const triad_vtu_form *form, const char *type, int raw, const char *from, int64_t n,
                     triad_vtk_array *out);
int triad_vtu_text(const triad_vtu_form *form, const char *from, int64_t n, triad_vtk_array *out);

#endif
