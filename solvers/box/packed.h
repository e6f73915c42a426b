/* Files of fields compressed with a bound on the relative error of each shell of wavenumbers, output.fields_error:
 * search for the tolerance, and verification by decompression before the file is written. */
#ifndef TRIAD_SOLVERS_BOX_PACKED_H
#define TRIAD_SOLVERS_BOX_PACKED_H

#include "base/precision.h"
#include "grid/space.h"
#include "parallel/context.h"
#include "store/fields/fieldpack.h"

typedef struct triad_packed triad_packed;

/* For fields at all points of a periodic box with these planes. bound: of the rms of the error's modes in a shell
 * over that of the field's. TRIAD_ERR_FEATURE without zfp, TRIAD_ERR_MEMORY. Collective. */
int triad_packed_create(triad_packed **out, triad_context *context, const triad_space *space, int single, double bound);
void triad_packed_destroy(triad_packed **packed); /* accepts NULL */

/* Pack this rank's planes of field `name` as loosely as the bound allows (the largest power of two that no value is
 * off by). *error: the largest of the shells', as measured; shells of less than 64 roundings of the field's rms are
 * left out. TRIAD_ERR_CASE where the numbers of the file cannot hold the bound. Collective. */
int triad_packed_find(triad_packed *packed, const char *name, const triad_real *planes, double *error);

/* What was packed. */
triad_field_pack *triad_packed_pack(triad_packed *packed);

#endif
