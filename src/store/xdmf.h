/* fields.xmf: what ParaView and VisIt open to see every fields-<step>.h5 of a folder as one series in time. */
#ifndef TRIAD_STORE_XDMF_H
#define TRIAD_STORE_XDMF_H

#include "base/status.h"

#include <stdint.h>

/* Name of the file of a step, "fields-00001200.h5". */
enum { TRIAD_FIELDS_NAME = 40 };
void triad_xdmf_name(char name[TRIAD_FIELDS_NAME], int64_t step);

/* Write FOLDER/fields.xmf anew for all fields-<step>.h5 that stand there now: XDMF 2, a temporal collection of uniform
 * grids, or, of files with stretched axes, rectilinear ones (VXVYVZ, their coordinates the files' own), paths relative
 * to the folder; each dataset (z, y, x) is an attribute at nodes, NumberType and Precision as in
 * the file. Files that cannot be read are left out. What each file holds is remembered in FOLDER/index.txt, so that
 * a file is opened once only; a line there counts as long as the file has the size that it says, and the line of step
 * `fresh`, which has just been written, does not count. Both files are replaced by rename.
 * One rank calls it; not collective. TRIAD_ERR_IO, TRIAD_ERR_MEMORY. */
int triad_xdmf_update(const char *folder, int64_t fresh);

#endif
