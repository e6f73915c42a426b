/* Field values compressed by zfp with a bound on their error (P. Lindstrom 2014, IEEE Trans. Vis. Comput. Graph. 20,
 * 2674), stored with the registered HDF5 filter 32013 (H5Z-ZFP), so that every reader with that filter can read them:
 * this program by triad_zfp_register, others by the plugin in lib/triad/hdf5 (zfpfilter.c). zfp.c needs the library
 * (libzfp-dev). */
#ifndef TRIAD_STORE_HDF5_ZFP_H
#define TRIAD_STORE_HDF5_ZFP_H

#include "base/status.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

enum { TRIAD_ZFP_FILTER = 32013, TRIAD_ZFP_NUMBERS = 8, TRIAD_ZFP_LOSSLESS = INT_MIN };

/* TRIAD_ERR_FEATURE if the program was built without the library. what: the feature that needs it. */
int triad_zfp_need(const char *what);

/* HDF5 reads packed datasets from now on, in this process; nothing without the library. */
void triad_zfp_register(void);

/* A box of n[3] reals of 4 or 8 bytes, last dimension fastest, none of which is off by more than 2^exponent when it
 * comes back; with TRIAD_ZFP_LOSSLESS all bits do. bytes[room], of triad_zfp_room; *size: how many it took.
 * TRIAD_ERR_INTERNAL. */
size_t triad_zfp_room(int element, const int64_t n[3]);
int triad_zfp_encode(int element, const int64_t n[3], int exponent, const void *values, void *bytes, size_t room,
                     size_t *size);
int triad_zfp_decode(int element, const int64_t n[3], int exponent, const void *bytes, size_t size, void *values);

/* The filter's parameters for such boxes. */
int triad_zfp_numbers(int element, const int64_t n[3], int exponent, unsigned numbers[TRIAD_ZFP_NUMBERS],
                      size_t *n_numbers);

#endif
