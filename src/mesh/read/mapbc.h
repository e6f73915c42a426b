/* Names of surfaces in FUN3D's .mapbc files. */
#ifndef TRIAD_MESH_READ_MAPBC_H
#define TRIAD_MESH_READ_MAPBC_H

#include "mesh/read/draft.h"

/* Add the surfaces that the .mapbc of a UGRID file names as groups of a draft; without such a file nothing
 * happens. A surface without a name, or with one that another has, is not named here. */
int triad_mesh_mapbc_names(triad_mesh_draft *draft, const char *path);

#endif
