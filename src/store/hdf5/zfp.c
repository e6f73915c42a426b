/* Pack and unpack blocks of a field by zfp with a bound on the error, and give the parameters of HDF5 filter 32013. */
#include "store/hdf5/zfp.h"

#ifndef TRIAD_ZFP

int triad_zfp_need(const char *what)
{
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "%s: this program was built without zfp: install libzfp-dev and rebuild", what);
}

void triad_zfp_register(void) {}

size_t triad_zfp_room(int element, const int64_t n[3]) { return (void)element, (void)n, 0; }

int triad_zfp_encode(int element, const int64_t n[3], int exponent, const void *values, void *bytes, size_t room,
                     size_t *size)
{
  (void)element, (void)n, (void)exponent, (void)values, (void)bytes, (void)room, (void)size;
  return triad_zfp_need("packing a field");
}

int triad_zfp_decode(int element, const int64_t n[3], int exponent, const void *bytes, size_t size, void *values)
{
  (void)element, (void)n, (void)exponent, (void)bytes, (void)size, (void)values;
  return triad_zfp_need("unpacking a field");
}

int triad_zfp_numbers(int element, const int64_t n[3], int exponent, unsigned numbers[TRIAD_ZFP_NUMBERS],
                      size_t *n_numbers)
{
  (void)element, (void)n, (void)exponent, (void)numbers, (void)n_numbers;
  return triad_zfp_need("packing a field");
}

#else

#include <hdf5.h>
#include <math.h>
#include <string.h>
#include <zfp.h>

extern const H5Z_class2_t triad_zfp_filter; /* zfpfilter.c */

int triad_zfp_need(const char *what) { return (void)what, TRIAD_OK; }

void triad_zfp_register(void)
{
  if (H5Zfilter_avail(TRIAD_ZFP_FILTER) <= 0) (void)H5Zregister(&triad_zfp_filter);
}

static zfp_field *field_of(int element, const int64_t n[3], void *values)
{
  return zfp_field_3d(values, element == 4 ? zfp_type_float : zfp_type_double, (size_t)n[2], (size_t)n[1],
                      (size_t)n[0]);
}

/* A stream over bytes[size], set as asked; close both of *bits and it. NULL without memory. */
static zfp_stream *stream_of(int exponent, void *bytes, size_t size, bitstream **bits)
{
  *bits = stream_open(bytes, size);
  zfp_stream *z = *bits ? zfp_stream_open(*bits) : NULL;
  if (!z && *bits) stream_close(*bits);
  if (!z) return NULL;
  if (exponent == TRIAD_ZFP_LOSSLESS) zfp_stream_set_reversible(z);
  else (void)zfp_stream_set_accuracy(z, ldexp(1, exponent));
  zfp_stream_rewind(z);
  return z;
}

size_t triad_zfp_room(int element, const int64_t n[3])
{
  bitstream *bits;
  zfp_field *field = field_of(element, n, NULL);
  zfp_stream *z = stream_of(TRIAD_ZFP_LOSSLESS, NULL, 0, &bits);
  const size_t room = field && z ? zfp_stream_maximum_size(z, field) : 0;
  if (z) zfp_stream_close(z), stream_close(bits);
  if (field) zfp_field_free(field);
  return room;
}

/* Pack (in = 0) or unpack; the bytes that were passed, 0 on failure. */
static size_t move(int in, int element, const int64_t n[3], int exponent, void *bytes, size_t room, void *values)
{
  bitstream *bits;
  size_t size = 0;
  zfp_field *field = field_of(element, n, values);
  zfp_stream *z = stream_of(exponent, bytes, room, &bits);
  if (field && z) size = in ? zfp_decompress(z, field) : zfp_compress(z, field);
  if (z) zfp_stream_close(z), stream_close(bits);
  if (field) zfp_field_free(field);
  return size;
}

int triad_zfp_encode(int element, const int64_t n[3], int exponent, const void *values, void *bytes, size_t room,
                     size_t *size)
{
  *size = move(0, element, n, exponent, bytes, room, (void *)(uintptr_t)values);
  return *size > 0 && *size <= room ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_INTERNAL, "zfp packed nothing");
}

int triad_zfp_decode(int element, const int64_t n[3], int exponent, const void *bytes, size_t size, void *values)
{
  const size_t passed = move(1, element, n, exponent, (void *)(uintptr_t)bytes, size, values);
  return passed > 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_INTERNAL, "zfp unpacked nothing");
}

/* As H5Z-ZFP 1.x has them: versions of zfp, of its codec and of the filter, then zfp's own header. */
int triad_zfp_numbers(int element, const int64_t n[3], int exponent, unsigned numbers[TRIAD_ZFP_NUMBERS],
                      size_t *n_numbers)
{
  enum { FILTER_VERSION = 0x111 };
  uint64_t header[4] = {0};
  bitstream *bits;
  size_t written = 0;
  zfp_field *field = field_of(element, n, NULL);
  zfp_stream *z = stream_of(exponent, header, sizeof header, &bits);
  if (field && z) written = zfp_write_header(z, field, ZFP_HEADER_FULL);
  if (z) zfp_stream_flush(z), zfp_stream_close(z), stream_close(bits);
  if (field) zfp_field_free(field);
  if (written == 0 || written > 32 * (TRIAD_ZFP_NUMBERS - 1))
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "zfp's header of a box");
  numbers[0] = (unsigned)(ZFP_VERSION_MAJOR << 12 | ZFP_VERSION_MINOR << 8 | ZFP_VERSION_PATCH << 4) << 16 |
               (unsigned)ZFP_CODEC << 12 | FILTER_VERSION;
  *n_numbers = 1 + (written + 31) / 32;
  memcpy(numbers + 1, header, (*n_numbers - 1) * sizeof *numbers);
  return TRIAD_OK;
}

#endif
