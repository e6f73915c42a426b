/* Planes of a field packed by zfp, the same bytes on any ranks: chunks of TRIAD_PACK_PLANES planes, the length of
 * zfp's blocks, each packed by the rank that has its first plane, to which others send theirs. */
#ifndef TRIAD_STORE_FIELDS_FIELDPACK_H
#define TRIAD_STORE_FIELDS_FIELDPACK_H

#include "base/precision.h"
#include "parallel/context.h"
#include "store/hdf5/h5file.h"

enum { TRIAD_PACK_PLANES = 4 };

typedef struct triad_field_pack triad_field_pack;

/* Create the compressor for fields of dims (z, y, x), whose planes are distributed over ranks in order; single: pack
 * as reals of 4 bytes, else of 8. TRIAD_ERR_FEATURE without zfp, TRIAD_ERR_MEMORY. Collective. */
int triad_field_pack_create(triad_field_pack **out, const triad_context *context, const int64_t dims[3], int single);
void triad_field_pack_destroy(triad_field_pack **pack); /* accepts NULL */

/* Pack this rank's planes with no value off by more than 2^exponent (TRIAD_ZFP_LOSSLESS: none at all); out: as they
 * come back, which may be the same memory. TRIAD_ERR_MEMORY, TRIAD_ERR_INTERNAL. Collective. */
int triad_field_pack_encode(triad_field_pack *pack, const triad_real *planes, int exponent, triad_real *out);

/* What was packed last, as a dataset of a file that is open on rank 0 (others: NULL), and the bytes it took.
 * Collective. */
int triad_field_pack_store(triad_field_pack *pack, triad_h5 *file, const char *name, int64_t *bytes);

/* Bytes that it takes on a rank, packed bytes among them, at most. */
int64_t triad_field_pack_memory(const int64_t dims[3], int size);

#endif
