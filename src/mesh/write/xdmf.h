/* fields.xmf of a folder of VTKHDF files (vtkhdf.h). */
#ifndef TRIAD_MESH_WRITE_XDMF_H
#define TRIAD_MESH_WRITE_XDMF_H

#include "mesh/write/vtkhdf.h"

/* Rewrite folder/fields.xmf for the files listed in folder/times.txt, to which this step is added. Steps from this one
 * on, from an earlier run that was rolled back, are removed. size: of each file. Not collective. */
int triad_vtkhdf_collect(const char *folder, const triad_vtkhdf_size *size, const triad_field_info *fields,
                         int n_fields, int element, int64_t step, double t);

#endif
