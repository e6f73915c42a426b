/* Print what the mesh of a file is: cells, volumes, patches, quality (triad grid FILE). */
#ifndef TRIAD_COMMAND_MESH_REPORT_H
#define TRIAD_COMMAND_MESH_REPORT_H

#include "mesh/mesh.h"

#include <stdio.h>

/* is: 1 if the file is of a format of meshes; with unless_case, if its name is not that of a case, .toml. read: the
 * mesh of a file, measured, which the caller destroys. print: the report. Not collective. */
int triad_mesh_report_is(const char *path, int unless_case);
int triad_mesh_report_read(triad_mesh **mesh, triad_memory *memory, const char *path);
int triad_mesh_report_print(FILE *out, const triad_mesh *mesh, const char *path);

#endif
