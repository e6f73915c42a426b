/* Add doubles exactly in a wide integer and round the total once to the nearest double. */
#include "parallel/sum.h"

enum { TOP = TRIAD_SUM_CHUNKS - 1, MEMBERS = sizeof(triad_sum) / sizeof(int64_t) };

_Static_assert(sizeof(triad_sum) == MEMBERS * sizeof(int64_t), "a sum travels as an array of int64_t");

void triad_sum_clear(triad_sum *s) { memset(s, 0, sizeof *s); }

void triad_sum_carry(triad_sum *s)
{
  for (int i = 0; i < TOP; i++) {
    int64_t low = s->chunk[i] & 0xffffffff;
    s->chunk[i + 1] += (s->chunk[i] - low) / ((int64_t)1 << 32); /* no remainder */
    s->chunk[i] = low;
  }
  s->pending = 0;
}

void triad_sum_add_array(triad_sum *s, int64_t n, const double *term)
{
  for (int64_t i = 0; i < n; i++) triad_sum_add(s, term[i]);
}

void triad_sum_merge(triad_sum *into, const triad_sum *from)
{
  triad_sum other = *from;
  triad_sum_carry(&other);
  triad_sum_carry(into);
  for (int i = 0; i < TRIAD_SUM_CHUNKS; i++) into->chunk[i] += other.chunk[i];
  into->plus_infinities += other.plus_infinities;
  into->minus_infinities += other.minus_infinities;
  into->nans += other.nans;
  triad_sum_carry(into);
}

/* The double of a carried, non-negative sum. With b the place of its highest bit, the value is
 * sum 2^-1074 and keeps 53 bits down from b; for b <= 52 all bits are kept, and the integer is its own encoding. */
static double round_to_nearest(const int64_t *chunk)
{
  int top = TOP;
  while (top > 0 && chunk[top] == 0) top--;
  uint64_t bits;
  if (top == TOP) { /* 2^1038 or more */
    bits = (uint64_t)0x7ff << 52;
  } else {
    uint64_t c0 = (uint64_t)chunk[top], c1 = top > 0 ? (uint64_t)chunk[top - 1] : 0;
    uint64_t c2 = top > 1 ? (uint64_t)chunk[top - 2] : 0;
    int place = 31; /* of the highest bit within its chunk */
    while (place > 0 && !(c0 >> place)) place--;
    int highest = 32 * top + place;
    if (highest <= 52) {
      bits = top > 0 ? c0 << 32 | c1 : c0;
    } else {
      /* 64 bits from the highest down; what lies below only matters as zero or not */
      int shift = 31 - place;
      uint64_t window = c0 << (32 + shift) | c1 << shift | c2 >> (32 - shift);
      uint64_t rest = c2 & (((uint64_t)1 << (32 - shift)) - 1);
      for (int i = 0; i < top - 2; i++) rest |= (uint64_t)chunk[i];
      uint64_t kept = window >> 11, dropped = (window & 0x7ff) | (rest != 0);
      /* the hidden bit of `kept` makes the exponent one larger; so does rounding up to a power of two */
      bits = ((uint64_t)(highest - 52) << 52) + kept;
      if (dropped > 0x400 || (dropped == 0x400 && (kept & 1))) bits++;
      if (bits >= (uint64_t)0x7ff << 52) bits = (uint64_t)0x7ff << 52;
    }
  }
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

double triad_sum_value(const triad_sum *sum)
{
  uint64_t special = 0;
  if (sum->nans || (sum->plus_infinities && sum->minus_infinities)) special = (uint64_t)0x7ff8 << 48;
  else if (sum->plus_infinities) special = (uint64_t)0x7ff0 << 48;
  else if (sum->minus_infinities) special = (uint64_t)0xfff0 << 48;
  if (special) {
    double value;
    memcpy(&value, &special, sizeof value);
    return value;
  }
  triad_sum s = *sum;
  triad_sum_carry(&s);
  if (s.chunk[TOP] >= 0) return round_to_nearest(s.chunk);
  for (int i = 0; i < TRIAD_SUM_CHUNKS; i++) s.chunk[i] = -s.chunk[i];
  triad_sum_carry(&s);
  return -round_to_nearest(s.chunk);
}

int triad_sum_all(const triad_comm *comm, triad_sum *sums, int n, double *values)
{
  int count;
  TRIAD_TRY(triad_narrow((int64_t)n * MEMBERS, &count));
  /* carried chunks are below 2^32, so 2^20 ranks stay below 2^52 */
  for (int i = 0; i < n; i++) triad_sum_carry(sums + i);
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, sums, count, MPI_INT64_T, MPI_SUM, comm->mpi)));
  for (int i = 0; i < n; i++) {
    triad_sum_carry(sums + i);
    if (values) values[i] = triad_sum_value(sums + i);
  }
  return TRIAD_OK;
}

int triad_sum_threads(const triad_comm *comm, triad_sum *sums, int64_t n, int threads, double *values)
{
  int count;
  TRIAD_TRY(triad_narrow(n, &count));
  for (int t = 1; t < threads; t++)
    for (int64_t i = 0; i < n; i++) triad_sum_merge(&sums[i], &sums[t * n + i]);
  return triad_sum_all(comm, sums, count, values);
}
