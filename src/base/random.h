/* Counter-based random numbers: they depend on their purpose, not on the rank or time at which they are drawn.
 *
 * Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3", SC'11, section
 * 3.3) maps a key of 64 bits and a counter of 128 bits to 128 random bits; there is no state. The key encodes the seed
 * and the purpose (the stream), the counter the mode (kx, ky, kz) and the number of the draw (or of the time step). A
 * random field is therefore the same on any number of ranks and threads, and a larger grid with the same modes gives
 * them the same values.
 *
 *   uint64_t key = triad_random_key(seed, TRIAD_STREAM_INITIAL);
 *   triad_bits b = triad_random_bits(key, kx, ky, kz, draw);
 *   triad_random_normals(b, &re, &im);
 *
 * The integers and the uniform numbers are the same on every machine and device. The normal ones use log, sqrt, sin
 * and cos, so another mathematical library may change their last bit. Nothing here is collective or can fail. */
#ifndef TRIAD_BASE_RANDOM_H
#define TRIAD_BASE_RANDOM_H

#include "base/point.h"

#include <math.h>
#include <stdint.h>

/* 128 bits: a counter, or random bits. */
typedef struct triad_bits {
  uint32_t v[4];
} triad_bits;

/* Streams that must be independent for any seed. */
enum {
  TRIAD_STREAM_INITIAL = 1,   /* the initial field             */
  TRIAD_STREAM_FORCING = 2,   /* forcing, white in time        */
  TRIAD_STREAM_TEST = 3,      /* input of tests */
  TRIAD_STREAM_SHIFTS = 4,    /* grids of phase shifts         */
  TRIAD_STREAM_PARTICLES = 5, /* initial positions of particles */
  TRIAD_STREAM_ALONG = 7      /* force component along k */
};

/* Philox4x32-10: ten rounds of two 32 x 32 -> 64 bit products; the key is advanced by a Weyl sequence.
 *   counter.v[0..3], key = (word 1 << 32) | word 0, words in the order of the paper. */
TRIAD_POINT triad_bits triad_philox(triad_bits counter, uint64_t key)
{
  uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
  triad_bits c = counter;
  for (int round = 0; round < 10; round++) {
    uint64_t p0 = (uint64_t)c.v[0] * 0xD2511F53u, p1 = (uint64_t)c.v[2] * 0xCD9E8D57u;
    uint32_t v0 = (uint32_t)(p1 >> 32) ^ c.v[1] ^ k0, v2 = (uint32_t)(p0 >> 32) ^ c.v[3] ^ k1;
    c.v[0] = v0;
    c.v[1] = (uint32_t)p1;
    c.v[2] = v2;
    c.v[3] = (uint32_t)p0;
    k0 += 0x9E3779B9u; /* the golden ratio */
    k1 += 0xBB67AE85u; /* sqrt(3) - 1      */
  }
  return c;
}

/* The key of a stream under a seed. It is scrambled so that neighbouring seeds or streams give unrelated keys. */
TRIAD_POINT uint64_t triad_random_key(uint64_t seed, uint32_t stream)
{
  triad_bits c;
  c.v[0] = (uint32_t)seed;
  c.v[1] = (uint32_t)(seed >> 32);
  c.v[2] = stream;
  c.v[3] = 0;
  c = triad_philox(c, 0);
  return (uint64_t)c.v[1] << 32 | c.v[0];
}

/* 128 bits for draw number `draw` of mode (kx, ky, kz): enough for two uniform numbers or a pair of normal ones. */
TRIAD_POINT triad_bits triad_random_bits(uint64_t key, int32_t kx, int32_t ky, int32_t kz, uint32_t draw)
{
  triad_bits c;
  c.v[0] = (uint32_t)kx;
  c.v[1] = (uint32_t)ky;
  c.v[2] = (uint32_t)kz;
  c.v[3] = draw;
  return triad_philox(c, key);
}

/* Number `half` (0 or 1) of a block as a multiple of 2^-53 in [0, 1); mean 1/2, variance 1/12. */
TRIAD_POINT double triad_random_uniform(triad_bits b, int half)
{
  uint64_t word = (uint64_t)b.v[2 * half + 1] << 32 | b.v[2 * half];
  return (double)(word >> 11) * 0x1p-53;
}

/* The same in (0, 1], whose logarithm is finite. */
TRIAD_POINT double triad_random_uniform_positive(triad_bits b, int half)
{
  uint64_t word = (uint64_t)b.v[2 * half + 1] << 32 | b.v[2 * half];
  return (double)((word >> 11) + 1) * 0x1p-53;
}

/* Two independent normal numbers of mean 0 and variance 1 from one block (Box and Muller 1958, Ann. Math. Stat. 29,
 * 610): sqrt(-2 ln u) (cos, sin)(2 pi v). None exceeds sqrt(106 ln 2) = 8.57 in absolute value. There are only
 * products, so no compiler can fuse operations differently in different loops. */
TRIAD_POINT void triad_random_normals(triad_bits b, double *first, double *second)
{
  double radius = sqrt(-2.0 * log(triad_random_uniform_positive(b, 0)));
  double angle = 2 * TRIAD_PI * triad_random_uniform(b, 1);
  *first = radius * cos(angle);
  *second = radius * sin(angle);
}

#endif
