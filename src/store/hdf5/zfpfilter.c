/* HDF5's filter 32013 for zfp, reading only. It is part of the program, and, compiled with TRIAD_PLUGIN, a plugin that
 * HDF5 loads in other programs if HDF5_PLUGIN_PATH names its folder. A plugin must not be linked with HDF5, so nothing
 * here calls it. */
typedef int triad_zfpfilter; /* a source may not be empty */

#ifdef TRIAD_ZFP

#include "store/hdf5/zfp.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <zfp.h>

/* Decode the field and the mode from the parameters; 0 if they are invalid. */
static int read_header(size_t n, const unsigned *numbers, zfp_stream *z, zfp_field *field)
{
  uint64_t header[8] = {0};
  if (n < 2 || (n - 1) * sizeof *numbers > sizeof header) return 0;
  memcpy(header, numbers + 1, (n - 1) * sizeof *numbers);
  bitstream *bits = stream_open(header, sizeof header);
  if (!bits) return 0;
  zfp_stream_set_bit_stream(z, bits);
  zfp_stream_rewind(z);
  const int good = zfp_read_header(z, field, ZFP_HEADER_FULL) != 0;
  zfp_stream_set_bit_stream(z, NULL);
  stream_close(bits);
  return good;
}

/* Bytes of the values of a field; 0 where they are too many for a chunk. */
static size_t bytes_of(const zfp_field *field)
{
  const size_t most = (size_t)1 << 32, x = field->nx ? field->nx : 1, y = field->ny ? field->ny : 1,
               z = field->nz ? field->nz : 1;
  if (field->nw > 1 || x > most || y > most || z > most || x > most / y || x * y > most / z) return 0;
  return x * y * z * (field->type == zfp_type_float ? 4 : field->type == zfp_type_double ? 8 : 0);
}

/* The values of compressed bytes; NULL if they are invalid. The stream never reads beyond the maximum size of such a
 * field, and missing bytes are zero: damage gives wrong numbers, never a read beyond the end. */
static void *unpack(zfp_stream *z, zfp_field *field, const void *bytes, size_t n)
{
  const size_t most = zfp_stream_maximum_size(z, field), room = (most > n ? most : n) + 16;
  void *padded = calloc(1, room), *values = malloc(bytes_of(field));
  bitstream *bits = padded && values ? stream_open(padded, room) : NULL;
  size_t passed = 0;
  if (bits) {
    memcpy(padded, bytes, n);
    zfp_field_set_pointer(field, values);
    zfp_stream_set_bit_stream(z, bits);
    zfp_stream_rewind(z);
    passed = zfp_decompress(z, field);
    stream_close(bits);
  }
  free(padded);
  if (passed > 0) return values;
  free(values);
  return NULL;
}

/* H5Z_func_t: 0 is failure. */
static size_t filter(unsigned flags, size_t n_numbers, const unsigned *numbers, size_t n_bytes, size_t *room,
                     void **buffer)
{
  if (!(flags & H5Z_FLAG_REVERSE)) return 0; /* what is written is packed before, chunk by chunk */
  zfp_stream *z = zfp_stream_open(NULL);
  zfp_field *field = zfp_field_alloc();
  void *values = NULL;
  if (z && field && read_header(n_numbers, numbers, z, field) && bytes_of(field) > 0)
    values = unpack(z, field, *buffer, n_bytes);
  const size_t size = values ? bytes_of(field) : 0;
  if (field) zfp_field_free(field);
  if (z) zfp_stream_close(z);
  if (!values) return 0;
  free(*buffer);
  *buffer = values;
  *room = size;
  return size;
}

extern const H5Z_class2_t triad_zfp_filter;
const H5Z_class2_t triad_zfp_filter = {.version = H5Z_CLASS_T_VERS,
                                       .id = TRIAD_ZFP_FILTER,
                                       .encoder_present = 1,
                                       .decoder_present = 1,
                                       .name = "zfp (read by Triad)",
                                       .filter = filter};

#ifdef TRIAD_PLUGIN
#include <H5PLextern.h>

__attribute__((visibility("default"))) H5PL_type_t H5PLget_plugin_type(void) { return H5PL_TYPE_FILTER; }
__attribute__((visibility("default"))) const void *H5PLget_plugin_info(void) { return &triad_zfp_filter; }
#endif

#endif
